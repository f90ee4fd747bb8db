// Package lineup reads a file that lists several models and how each is to play.
//
// The file is TOML: settings that all models have in common, then a table [[model]] for each. It
// promises that every setting and error has its line, and that a name stands once in a table. It
// knows no setting: what names mean, and which values are right, its user says.
package lineup

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/wikinav/wikinav/schemas/fault"
)

// File is what was read.
type File struct {
	Path   string
	Common []Setting
	Models []Model
}

// Model is one table.
type Model struct {
	Line     int
	Settings []Setting
}

// Setting is a name with its values: one, or those of a list. A table in place of a value is a list
// of NAME=VALUE.
type Setting struct {
	Name   string
	Values []string
	List   bool
	Line   int
}

const (
	table    = "model"
	maxBytes = 1 << 20
)

// Read reads the file at path. Errors: fault.Usage with the line.
func Read(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fault.Opening(path, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, fault.New(fault.NotFound, "%w", err).At(path, "")
	}
	return Parse(path, data)
}

// Parse reads the text of a file; path stands in messages.
func Parse(path string, data []byte) (*File, error) {
	r := &reader{file: &File{Path: path}, data: data}
	switch {
	case len(data) > maxBytes:
		return nil, r.wrong(0, "a file of models has at most %d bytes", maxBytes)
	case !utf8.Valid(data):
		return nil, r.wrong(0, "the file is no text in UTF-8")
	}
	r.into = &r.file.Common
	r.parser.Reset(data)
	for r.parser.NextExpression() {
		if err := r.take(r.parser.Expression()); err != nil {
			return nil, err
		}
	}
	if err := r.parser.Error(); err != nil {
		return nil, r.syntax(err)
	}
	if len(r.file.Models) == 0 {
		return nil, r.wrong(0, "no model is listed").Hint("begin each with a line [[%s]]", table)
	}
	return r.file, nil
}

// Wrong returns a usage fault about a line of the file, 0 for the file as a whole.
func (f *File) Wrong(line int, format string, args ...any) *fault.Error {
	place := ""
	if line > 0 {
		place = fmt.Sprintf("line %d", line)
	}
	return fault.New(fault.Usage, format, args...).At(f.Path, place)
}

type reader struct {
	file   *File
	data   []byte
	parser unstable.Parser
	into   *[]Setting // of the table that is read
}

func (r *reader) wrong(line int, format string, args ...any) *fault.Error {
	return r.file.Wrong(line, format, args...)
}

// syntax returns the error of a text that is not TOML, with the line where it stops being it.
func (r *reader) syntax(err error) error {
	var e *unstable.ParserError
	line := 0
	if errors.As(err, &e) && len(e.Highlight) > 0 {
		line = r.lineOf(r.parser.Range(e.Highlight))
	}
	return r.wrong(line, "%s", err).Hint("a file of models is TOML")
}

func (r *reader) lineOf(at unstable.Range) int {
	return 1 + bytes.Count(r.data[:at.Offset], []byte("\n"))
}

func (r *reader) take(e *unstable.Node) error {
	if e.Kind == unstable.Comment {
		return nil
	}
	name, line, err := r.key(e)
	switch {
	case err != nil:
		return err
	case e.Kind == unstable.KeyValue:
		return r.set(name, line, e.Value())
	case e.Kind == unstable.ArrayTable && name == table:
		r.file.Models = append(r.file.Models, Model{Line: line})
		r.into = &r.file.Models[len(r.file.Models)-1].Settings
		return nil
	}
	return r.wrong(line, "no table is called %s", fault.Quote(name)).Hint("begin each model with a line [[%s]]", table)
}

// key returns the name of a table or setting, which has no parts.
func (r *reader) key(e *unstable.Node) (name string, line int, err error) {
	var parts []string
	for it := e.Key(); it.Next(); {
		if parts = append(parts, string(it.Node().Data)); line == 0 {
			line = r.lineOf(it.Node().Raw)
		}
	}
	if len(parts) != 1 {
		return "", line, r.wrong(line, "%s has parts: settings are names without dots",
			fault.Quote(strings.Join(parts, ".")))
	}
	return parts[0], line, nil
}

func (r *reader) set(name string, line int, value *unstable.Node) error {
	if i := slices.IndexFunc(*r.into, func(s Setting) bool { return s.Name == name }); i >= 0 {
		return r.wrong(line, "%s stands twice, first in line %d", fault.Quote(name), (*r.into)[i].Line)
	}
	s := Setting{Name: name, Line: line, List: value.Kind == unstable.Array || value.Kind == unstable.InlineTable}
	for it := value.Children(); s.List && it.Next(); {
		n, before := it.Node(), ""
		switch n.Kind {
		case unstable.Comment:
			continue
		case unstable.KeyValue:
			key, _, err := r.key(n)
			if err != nil {
				return err
			}
			before, n = key+"=", n.Value()
		}
		text, err := r.scalar(name, line, n)
		if err != nil {
			return err
		}
		s.Values = append(s.Values, before+text)
	}
	if !s.List {
		text, err := r.scalar(name, line, value)
		if err != nil {
			return err
		}
		s.Values = []string{text}
	}
	*r.into = append(*r.into, s)
	return nil
}

// scalar returns a value as it would be typed.
func (r *reader) scalar(name string, line int, n *unstable.Node) (string, error) {
	switch n.Kind {
	case unstable.String, unstable.Bool:
		return string(n.Data), nil
	case unstable.Integer, unstable.Float:
		return strings.ReplaceAll(string(n.Data), "_", ""), nil
	}
	return "", r.wrong(line, "%s: want a text, a number, true or false, or a list of these", name)
}
