package aar

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/text/unicode/norm"

	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Limits of a cassette and of a call, because anybody may have written them.
const (
	MaxArgs     = 64 << 10  // bytes of the arguments of a call
	maxCassette = 256 << 20 // bytes of a cassette
)

// Recording is the answer of a provider to one call: a line of a cassette. A response that is a
// string stands for its text, any other for its JSON.
type Recording struct {
	Key        string           `json:"key"`
	Tool       string           `json:"tool"`
	Args       schemas.AARValue `json:"args"` // canonical
	Response   schemas.AARValue `json:"response"`
	Status     string           `json:"status"` // ok or error
	Provider   string           `json:"provider"`
	RecordedAt string           `json:"recorded_at"`
}

// Statuses of recordings.
const (
	RecordedOK    = "ok"
	RecordedError = "error"
)

// Shown returns the response as an agent sees it.
func (r Recording) Shown() string {
	if s, ok := text(r.Response); ok {
		return s
	}
	return string(r.Response)
}

// ResponseOf returns the bytes of a provider as the response of a recording: JSON without blanks,
// or a string.
func ResponseOf(data []byte) schemas.AARValue {
	if v, err := Compact(data); err == nil && len(data) > 0 {
		return v
	}
	return appendString(nil, strings.ToValidUTF8(string(data), "�"))
}

// Cassette holds recorded calls. It is safe for concurrent use while nothing is put in.
type Cassette struct{ records map[string]Recording }

// NewCassette returns an empty one.
func NewCassette() *Cassette { return &Cassette{map[string]Recording{}} }

// OpenCassette reads a cassette from a file.
func OpenCassette(path string) (*Cassette, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fault.New(fault.NotFound, "there is no such cassette").At(path, "").Hint("wikinav-eval tools record makes one")
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadCassette(f, path)
}

// ReadCassette reads the lines of a cassette; name is that of the file in messages.
func ReadCassette(r io.Reader, name string) (*Cassette, error) {
	c, bounded, last := NewCassette(), &io.LimitedReader{R: r, N: maxCassette + 1}, ""
	err := jsonl.Each(bounded, name, func(_ int, line []byte) error {
		rec, err := decodeRecording(line)
		switch {
		case err != nil:
			return err
		case rec.Key <= last:
			return fault.New(fault.Malformed, "key %s does not come after %s", rec.Key, last).Hint("a cassette is sorted by key")
		}
		c.records[rec.Key], last = rec, rec.Key
		return nil
	})
	if bounded.N <= 0 {
		return nil, fault.New(fault.Malformed, "more than %d bytes", maxCassette).At(name, "").Hint("record into several cassettes")
	}
	return c, err
}

// decodeRecording reads a line, which must be what Write writes.
func decodeRecording(line []byte) (rec Recording, err error) {
	r := &reader{data: line}
	if err := r.record(reflect.ValueOf(&rec).Elem(), 0); err != nil {
		return rec, trim(err)
	}
	if !bytes.Equal(write(nil, reflect.ValueOf(rec)), line) {
		return rec, &Bad{"other_form", "", "the line is not in the form of a cassette: its keys in order, no blanks"}
	}
	args, err := CanonicalArgs(rec.Args)
	switch {
	case err != nil:
		return rec, at("args", err)
	case !bytes.Equal(args, rec.Args):
		return rec, &Bad{"other_form", "args", "not canonical, want " + fault.Quote(args)}
	case rec.Key != cassetteKey(rec.Tool, args):
		return rec, &Bad{"bad_key", "key", fault.Quote(rec.Key) + " is not that of tool and args, " + cassetteKey(rec.Tool, args)}
	case rec.Status != RecordedOK && rec.Status != RecordedError:
		return rec, &Bad{"bad_status", "status", fault.Quote(rec.Status) + ", want ok or error"}
	}
	return rec, nil
}

// cassetteKey returns 16 hex digits of a tool and canonical args.
func cassetteKey(tool string, args []byte) string {
	return fmt.Sprintf("%016x", xxhash.Sum64String(tool+"\x00"+string(args)))
}

// Find returns the recording of a call of canonical args.
func (c *Cassette) Find(tool string, args []byte) (Recording, bool) {
	r, ok := c.records[cassetteKey(tool, args)]
	return r, ok && r.Tool == tool && bytes.Equal(r.Args, args)
}

// Has reports whether a call was recorded; nothing was without a cassette.
func (c *Cassette) Has(call MadeCall) bool {
	if c == nil {
		return false
	}
	_, ok := c.Find(call.Tool, call.Args)
	return ok
}

// Put takes a recording and sets its key. Another response than the one that is there is an error
// unless refresh; so is a call whose key another one has.
func (c *Cassette) Put(r Recording, refresh bool) error {
	args, err := CanonicalArgs(r.Args)
	if err != nil {
		return err
	}
	r.Key, r.Args = cassetteKey(r.Tool, args), args
	old, ok := c.records[r.Key]
	switch {
	case !ok || refresh && old.Tool == r.Tool && bytes.Equal(old.Args, args):
		c.records[r.Key] = r
	case old.Tool != r.Tool || !bytes.Equal(old.Args, args):
		return fault.New(fault.Failure, "two calls have the key %s: %s %s and %s %s", r.Key, old.Tool, fault.Quote(old.Args), r.Tool, fault.Quote(args))
	case old.Status != r.Status || !bytes.Equal(old.Response, r.Response):
		return fault.New(fault.Mismatch, "another response than the recorded one to %s %s", r.Tool, fault.Quote(args)).
			Hint("--refresh takes the new one")
	}
	return nil
}

// Len is the number of recordings.
func (c *Cassette) Len() int { return len(c.records) }

// Write writes the lines of the cassette.
func (c *Cassette) Write(w io.Writer) error {
	for _, key := range slices.Sorted(maps.Keys(c.records)) {
		if _, err := w.Write(append(write(nil, reflect.ValueOf(c.records[key])), '\n')); err != nil {
			return err
		}
	}
	return nil
}

// CanonicalArgs returns the form of arguments by which calls are compared: an object with sorted
// keys and without blanks, strings in NFC, numbers as short as can be.
func CanonicalArgs(args []byte) (schemas.AARValue, error) {
	object, err := readArgs(args)
	if err != nil {
		return nil, err
	}
	return canonical(nil, object)
}

// readArgs reads the arguments of a call; numbers keep their text.
func readArgs(args []byte) (map[string]any, error) {
	if len(args) > MaxArgs {
		return nil, fmt.Errorf("the arguments have %d bytes, at most %d are read", len(args), MaxArgs)
	}
	plain, err := Compact(args)
	if err == nil && plain[0] != '{' {
		err = errors.New("the arguments are not a JSON object")
	}
	if err != nil {
		return nil, err
	}
	object := map[string]any{}
	d := json.NewDecoder(bytes.NewReader(plain))
	d.UseNumber()
	return object, d.Decode(&object)
}

func canonical(out []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case string:
		return appendString(out, norm.NFC.String(v)), nil
	case json.Number:
		return shortest(out, string(v))
	case []any:
		out = append(out, '[')
		for _, item := range v {
			var err error
			if out, err = canonical(comma(out, '['), item); err != nil {
				return nil, err
			}
		}
		return append(out, ']'), nil
	case map[string]any:
		return canonicalObject(out, v)
	case bool:
		return strconv.AppendBool(out, v), nil
	}
	return append(out, "null"...), nil
}

func canonicalObject(out []byte, object map[string]any) ([]byte, error) {
	keys := map[string]string{}
	for _, k := range slices.Sorted(maps.Keys(object)) {
		plain := norm.NFC.String(k)
		if _, twice := keys[plain]; twice {
			return nil, fmt.Errorf("the key %s stands twice", fault.Quote(plain))
		}
		keys[plain] = k
	}
	out = append(out, '{')
	for _, plain := range slices.Sorted(maps.Keys(keys)) {
		var err error
		out = append(appendString(comma(out, '{'), plain), ':')
		if out, err = canonical(out, object[keys[plain]]); err != nil {
			return nil, err
		}
	}
	return append(out, '}'), nil
}

// shortest writes a number: an integer as it is, and a float with a value of an integer as that.
func shortest(out []byte, number string) ([]byte, error) {
	if integerForm.MatchString(number) {
		return append(out, number...), nil
	}
	f, err := strconv.ParseFloat(number, 64)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the number %s does not fit a double", fault.Quote(number))
	case f == 0:
		return append(out, '0'), nil
	case f == math.Trunc(f):
		return strconv.AppendFloat(out, f, 'f', -1, 64), nil
	}
	return append(out, Repr(f)...), nil
}

// Cut returns the first n characters of an output of a tool, and says on a line of its own that
// there was more.
func Cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	at := 0
	for range n {
		if at == len(s) {
			return s
		}
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	if at == len(s) {
		return s
	}
	return s[:at] + truncatedMark
}

const truncatedMark = "\n...[truncated]"

// ReadCall reads a line {"tool":...,"args":{...}} and returns the arguments in canonical form.
func ReadCall(line []byte) (tool string, args schemas.AARValue, err error) {
	var c struct {
		Tool string           `json:"tool"`
		Args schemas.AARValue `json:"args"`
	}
	r := &reader{data: line}
	if err = r.record(reflect.ValueOf(&c).Elem(), 0); err == nil {
		args, err = CanonicalArgs(c.Args)
	}
	return c.Tool, args, trim(err)
}
