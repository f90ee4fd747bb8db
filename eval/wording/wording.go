// Package wording is prompts in a user's own words: templates with named fields.
//
// A template is a text of up to three sections. Before its first heading, or under [[user]], stands
// what a player is asked; under [[system]] the system message; under [[turn]] the later turns of a
// dialogue. {{name}} is a field, which the family fills in; \{{ stands for two braces. What a
// template leaves out stays as the family words it.
//
// The package promises that a text is filled in once: what stood in a field, such as a title, is
// never looked at again. It knows no family: which fields there are, and which a game cannot be
// played without, a Form says.
package wording

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Version names prompts that are a file of the user's. 1: first syntax.
const Version = "file/1"

// Sections of a template.
const (
	System = "system"
	User   = "user"
	Turn   = "turn"
)

var sections = []string{System, User, Turn}

// Fields that every family fills in.
const (
	Prompt = "prompt" // the same turn in the family's words
	Notes  = "notes"  // what some turns add: stands at the end where a section does not name it
)

const (
	maxBytes = 1 << 20
	escaped  = `\{{`
)

var (
	heading = regexp.MustCompile(`^\[\[(.*)\]\][ \t]*$`)
	field   = regexp.MustCompile(`\\?\{\{(?:[ \t]*([a-z][a-z0-9_]*)[ \t]*\}\})?`)
)

// Template is a text that was read. It is immutable; nil leaves all words to the family.
type Template struct {
	text     string
	path     string // in messages
	sections map[string]section
}

type section struct {
	line   int // of the heading, 1 where there is none
	text   string
	fields []named
}

type named struct {
	name string
	line int
}

// Open reads the template in the file at path.
func Open(path string) (*Template, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fault.Opening(path, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, fault.New(fault.NotFound, "%w", err).At(path, "")
	}
	return Parse(string(data), path)
}

// Parse reads a text; path stands in messages. Errors: fault.Usage with the line.
func Parse(text, path string) (*Template, error) {
	t := &Template{text: text, path: path, sections: map[string]section{}}
	switch {
	case len(text) > maxBytes:
		return nil, t.wrong(0, "a prompt is at most %d bytes", maxBytes)
	case !utf8.ValidString(text) || strings.Contains(text, "\x00"):
		return nil, t.wrong(0, "a prompt is a text in UTF-8")
	}
	name, first := User, 0 // of the heading, of which the first section may have none
	var body []string
	lines := strings.Split(strings.TrimPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "\uFEFF"), "\n")
	for i, line := range append(lines, "[[]]") {
		m := heading.FindStringSubmatch(line)
		if m == nil {
			body = append(body, line)
			continue
		}
		if err := t.add(name, first, body); err != nil {
			return nil, err
		}
		if i == len(lines) {
			break
		}
		if name, first, body = m[1], i+1, nil; !slices.Contains(sections, name) {
			return nil, t.wrong(first, "no section is called %s", fault.Quote(name)).Choose(name, sections)
		}
	}
	if len(t.sections) == 0 {
		return nil, t.wrong(0, "the prompt is empty")
	}
	return t, nil
}

// wrong returns an error about a line, 0 for the text as a whole.
func (t *Template) wrong(line int, format string, args ...any) *fault.Error {
	place := ""
	if line > 0 {
		place = fmt.Sprintf("line %d", line)
	}
	return fault.New(fault.Usage, format, args...).At(t.path, place)
}

// add takes a section; line is that of its heading, 0 for none, where an empty section is none.
func (t *Template) add(name string, line int, body []string) error {
	s := section{line: max(line, 1), text: strings.Trim(strings.Join(body, "\n"), "\n")}
	if s.text == "" && line == 0 {
		return nil
	}
	if before, twice := t.sections[name]; twice {
		return t.wrong(line, "section %s stands twice, first in line %d", name, before.line)
	}
	if s.text == "" && name != System {
		return t.wrong(line, "section %s is empty", name)
	}
	for i, text := range body {
		for _, m := range field.FindAllStringSubmatch(text, -1) {
			switch {
			case strings.HasPrefix(m[0], `\`):
			case m[1] == "":
				return t.wrong(line+1+i, "{{ begins no field").
					Hint(`a field is {{name}}; two braces are written %s`, escaped)
			default:
				s.fields = append(s.fields, named{m[1], line + 1 + i})
			}
		}
	}
	t.sections[name] = s
	return nil
}

// Text returns what was read, for whoever keeps it.
func (t *Template) Text() string { return t.text }

// Versioned pins the text in the rules of a run.
func (t *Template) Versioned() *schemas.Versioned {
	return &schemas.Versioned{Version: Version, SHA256: digest.SHA256([]byte(t.text))}
}
