package fault

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Words returns the text of err for people: what packages of Go say inside it of a number, of JSON or
// of a file is replaced by what is wrong and what is wanted.
func Words(err error) string {
	text := err.Error()
	for _, inner := range leaves(err) {
		if plain := plainly(inner); plain != "" {
			text = strings.ReplaceAll(text, inner.Error(), plain)
		}
	}
	return text
}

// Plain returns an error that says Words of err and is err to errors.Is and errors.As; nil stays nil.
func Plain(err error) error {
	if err == nil || len(leaves(err)) == 0 {
		return err
	}
	return worded{err}
}

type worded struct{ error }

func (w worded) Error() string { return Words(w.error) }
func (w worded) Unwrap() error { return w.error }

// leaves lists the errors in err that plainly has words for.
func leaves(err error) []error {
	if err == nil {
		return nil
	}
	if plainly(err) != "" {
		return []error{err}
	}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		return leaves(e.Unwrap())
	case interface{ Unwrap() []error }:
		var all []error
		for _, inner := range e.Unwrap() {
			all = append(all, leaves(inner)...)
		}
		return all
	}
	return nil
}

// plainly returns the words for one error of a package of Go, "" where its own will do.
func plainly(err error) string {
	if err == io.ErrUnexpectedEOF {
		return "it ends too early"
	}
	switch e := err.(type) {
	case *strconv.NumError:
		return numberWords(e)
	case *json.SyntaxError:
		return syntaxWords(e)
	case *json.UnmarshalTypeError:
		return typeWords(e)
	case *time.ParseError:
		return Quote(e.Value) + " is no such date or time as is wanted"
	case *fs.PathError:
		return fileWords(e)
	}
	return ""
}

func numberWords(e *strconv.NumError) string {
	if errors.Is(e, strconv.ErrRange) {
		return Quote(e.Num) + " is a number out of range"
	}
	if e.Func == "ParseFloat" {
		return Quote(e.Num) + " is not a number"
	}
	return Quote(e.Num) + " is not a whole number"
}

// syntaxWords keeps the character that package json names, and its place.
func syntaxWords(e *json.SyntaxError) string {
	after, named := strings.CutPrefix(e.Error(), "invalid character ")
	if !named {
		return "the JSON ends too early"
	}
	for _, context := range []string{" looking for", " after", " in "} {
		if at := strings.LastIndex(after, context); at > 0 {
			after = after[:at]
		}
	}
	return fmt.Sprintf("this is not JSON: %s cannot stand at byte %d", after, e.Offset)
}

func typeWords(e *json.UnmarshalTypeError) string {
	value, _, _ := strings.Cut(e.Value, " ")
	if e.Field == "" {
		return "a JSON " + value + " stands where " + Wanted(e.Type) + " is wanted"
	}
	return fmt.Sprintf("%s is a JSON %s, want %s", Quote(e.Field), value, Wanted(e.Type))
}

// Wanted names the JSON that a value of a type is read from.
func Wanted(t reflect.Type) string {
	if t == nil {
		return "another value"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return Wanted(t.Elem())
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Map, reflect.Struct:
		return "an object"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Interface:
		return "another value"
	}
	return "a whole number in range"
}

// The system's words for a file that cannot be taken, in ours.
var filesWords = []struct {
	kind error
	text string
}{
	{fs.ErrNotExist, "there is no such file or folder"},
	{fs.ErrPermission, "permission is denied"},
	{syscall.EISDIR, "it is a folder, want a file"},
	{syscall.ENOTDIR, "a part of its path is a file, want a folder"},
}

func fileWords(e *fs.PathError) string {
	for _, w := range filesWords {
		if errors.Is(e.Err, w.kind) {
			return e.Path + ": " + w.text
		}
	}
	return ""
}
