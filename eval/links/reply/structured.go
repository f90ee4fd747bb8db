package reply

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// Structured reads replies that are one JSON object: the page chosen, why, and why it keeps to the
// ban. Each field has two names, the canonical one first, because the paper gives both.
type Structured struct{}

var (
	nextPage    = []string{"next_page", "chosen_node"}
	reasoning   = []string{"reasoning", "justification"}
	restriction = []string{"restriction_reasoning", "restriction_justification"}
)

func (Structured) Version() schemas.Versioned {
	const name = schemas.BanParser
	all := slices.Concat([]string{name, schemas.NoPathAnswer}, nextPage, reasoning, restriction)
	return schemas.Versioned{Version: name, SHA256: digest.SHA256([]byte(strings.Join(all, "\n")))}
}

// Read returns the move of the first balanced JSON object in text, in the menu of o. Other fields
// are ignored; another type or a field twice is no move, for the reason format.
func (Structured) Read(text string, o game.Observation) (game.Move, string) {
	stated, err := state(text)
	if err != nil {
		return game.NoMove(game.ReasonFormat), ""
	}
	m := Choose(stated.NextPage, o)
	m.Stated = &stated
	return m, ""
}

// Choose returns the move that a next_page makes in the menu of o.
func Choose(nextPage string, o game.Observation) game.Move {
	if i, ok := place(nextPage, o); ok {
		return game.Pick(i)
	}
	if nextPage == schemas.NoPathAnswer {
		return game.Move{NoPath: true}
	}
	return game.NoMove(game.ReasonNotALink)
}

var errFormat = errors.New("no object of the three fields")

func state(text string) (s game.Stated, err error) {
	raw, ok := Object(text)
	if !ok {
		return s, errFormat
	}
	var fields map[string]any
	if err := canon.DecodeForeign([]byte(raw), canon.MaxLine, &fields); err != nil {
		return s, err
	}
	said, err := fieldsOf(fields)
	if err != nil || said.Page == nil || said.Reasoning == nil {
		return s, errFormat
	}
	return *said.Stated(), nil
}

// Object returns the first balanced JSON object of a reply, its thoughts apart.
func Object(text string) (string, bool) { return firstObject(answer(text)) }

// maxOpenings bounds the braces at which an object is looked for.
const maxOpenings = 64

// firstObject returns the first balanced {...} of text that is JSON.
func firstObject(text string) (string, bool) {
	for range maxOpenings {
		start := strings.IndexByte(text, '{')
		if start < 0 {
			return "", false
		}
		text = text[start:]
		end := closing(text)
		if object := text[:end]; json.Valid([]byte(object)) {
			return object, true
		}
		text = text[max(1, end):]
	}
	return "", false
}

// closing returns the end of the object at text's start, 0 for none; braces in strings count not.
func closing(text string) int {
	depth, inString := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// place finds the link that a title names: as it is, as the prompt spells it, tidied, or as a
// redirect. Nothing is guessed, and no case is folded but that of the first letter.
func place(title string, o game.Observation) (int, bool) {
	if i := slices.IndexFunc(o.Links, func(l game.Link) bool { return isTitle(title, l.Title) }); title != "" && i >= 0 {
		return i, true
	}
	tidy := strings.TrimSpace(strings.ReplaceAll(norm.NFC.String(title), "_", " "))
	for _, spelling := range []string{title, tidy, upperFirst(tidy), lowerFirst(tidy)} {
		if i, ok := o.Place(spelling); ok {
			return i, true
		}
	}
	return 0, false
}

func upperFirst(s string) string { return withFirst(s, unicode.ToUpper) }
func lowerFirst(s string) string { return withFirst(s, unicode.ToLower) }

func withFirst(s string, change func(rune) rune) string {
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError {
		return s
	}
	return string(change(r)) + s[size:]
}
