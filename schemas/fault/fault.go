// Package fault holds the kinds of failure that a caller of wikinav can tell apart, and the one form
// in which every package reports them. A kind is a sentinel: errors.Is finds it through any wrapping,
// and the command packages map it to an exit code with Code. Libraries never exit and never log.
package fault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"
)

// Kind is a sentinel error with the exit code it leads to.
type Kind struct {
	code int
	name string
}

func (k *Kind) Error() string { return k.name }

// The kinds, each with the exit code of the same meaning (docs/exit-codes.md).
var (
	Failure     = &Kind{1, "failure"}
	Usage       = &Kind{2, "usage"}
	Mismatch    = &Kind{3, "verification mismatch"}
	Untrusted   = &Kind{4, "untrusted"}
	NotFound    = &Kind{10, "not found"}
	Locked      = &Kind{11, "locked"}
	Checksum    = &Kind{12, "checksum mismatch"}
	NoSpace     = &Kind{13, "no space"}
	Malformed   = &Kind{14, "malformed input"}
	Shortage    = &Kind{15, "shortage"}
	Interrupted = &Kind{130, "interrupted"}
)

// Kinds lists them in the order of their codes.
var Kinds = []*Kind{Failure, Usage, Mismatch, Untrusted, NotFound, Locked, Checksum, NoSpace, Malformed, Shortage, Interrupted}

func (k *Kind) Code() int { return k.code }

// Error is a failure with its place: which file, where in it, what was expected and found.
// Where is a compressed stream offset and page (dump), a line (JSON lines), a row (table) or a field.
type Error struct {
	Kind   *Kind
	File   string // as the user named it, or relative to the work directory
	Where  string
	What   string
	Remedy string // what to do next; "" when there is nothing to say
	Err    error  // the cause, when another package reported one
}

// New returns an Error of kind k whose text is formatted from format and args, in Words; a %w verb
// keeps its cause.
func New(k *Kind, format string, args ...any) *Error {
	args = slices.Clone(args)
	for i, a := range args {
		if err, ok := a.(error); ok {
			args[i] = Plain(err)
		}
	}
	err := fmt.Errorf(format, args...)
	return &Error{Kind: k, What: err.Error(), Err: errors.Unwrap(err)}
}

// At places e in a file, and returns it. A cause that names the file names it no more.
func (e *Error) At(file, where string) *Error {
	e.File, e.Where = file, where
	var cause *fs.PathError
	if errors.As(e.Err, &cause) && cause.Path == file {
		e.What = strings.Replace(e.What, file+": ", "", 1)
	}
	return e
}

func (e *Error) Hint(format string, args ...any) *Error {
	e.Remedy = fmt.Sprintf(format, args...)
	return e
}

// Error gives the parts in the order file, where, what, remedy; empty parts are left out.
func (e *Error) Error() string {
	parts := slices.DeleteFunc([]string{e.File, e.Where, e.What}, func(p string) bool { return p == "" })
	text := strings.Join(parts, ": ")
	if e.Remedy != "" {
		text += " (" + e.Remedy + ")"
	}
	return text
}

// Unwrap gives the kind and the cause, so that errors.Is and errors.As reach both.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

// Code is the exit code of err: 0 for nil, that of the outermost kind found in it, and 1 for any other error.
func Code(err error) int {
	if err == nil {
		return 0
	}
	return KindOf(err).code
}

// KindOf gives the outermost kind in err. A cancelled context is Interrupted, and an operating-system
// error about space, quota, inodes or file size is NoSpace even where nobody along the way said so.
func KindOf(err error) *Kind {
	var k *Kind
	switch {
	case noSpace(err):
		return NoSpace
	case errors.As(err, &k):
		return k
	case errors.Is(err, context.Canceled):
		return Interrupted
	}
	return Failure
}

func noSpace(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}

// Quote gives a value from input for an error text: quoted, and cut at 200 bytes.
func Quote[T ~string | ~[]byte](v T) string {
	if len(v) > 200 {
		return fmt.Sprintf("%q…", []byte(v[:200]))
	}
	return fmt.Sprintf("%q", []byte(v))
}
