package markup

import (
	"strings"

	"github.com/wikinav/wikinav/dumps/wikitext/ascii"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
)

// MostMarks is how many marks of a text are read. No more can stand in a text of MediaWiki's own
// size, 2 MiB; of a longer one it bounds the memory that is needed besides the text.
const MostMarks = 2 << 20

var countedMarks = ascii.NewByteSet(ascii.ByteSet{}, "[]{}|<")

// Cut returns text up to its first mark that is too many, and whether there is one.
func Cut(text string) (string, bool) {
	if len(text) <= MostMarks {
		return text, false
	}
	marks := 0
	for i := range len(text) {
		if countedMarks[text[i]] {
			if marks++; marks > MostMarks {
				return text[:i], true
			}
		}
	}
	return text, false
}

// Marks are the paired marks of a flat text, each kind in order of position: what step C and the
// provenance of links need. Kinds are paired independently of each other; within a kind a closing
// mark pairs with the last open one. Ends are offsets of the closing mark, 0 where there is none.
type Marks struct {
	Brackets []Bracket
	Braces   []brace
	Tables   []table

	openBrackets, openBraces, openTables []int32 // indices of those not closed yet
	pipes                                finder
}

// Bracket is a `[[`, link or not.
type Bracket struct {
	Start, End int32
	pipe       int32 // of a file: first `|` after it, the text's length if there is none
	File       bool
}

// brace is a `{{`; ref tells a {{#tag:ref|...}}.
type brace struct {
	Start, End int32
	Ref        bool
}

// table is a `{|` at the start of a line.
type table struct{ Start, End int32 }

// CaptionStart is rising over the brackets that are files.
func (b Bracket) CaptionStart() int32 {
	if b.File {
		return b.pipe
	}
	return b.Start
}

// Find replaces m by the marks of flat, and keeps its memory.
func (m *Marks) Find(flat string, s *titles.Site) {
	*m = Marks{
		Brackets: m.Brackets[:0], Braces: m.Braces[:0], Tables: m.Tables[:0],
		openBrackets: m.openBrackets[:0], openBraces: m.openBraces[:0], openTables: m.openTables[:0],
	}
	for i := m.lineStart(flat, 0); ; {
		if i = nextMark(flat, i); i == len(flat) {
			return
		}
		i = m.step(flat, i, s)
	}
}

// step handles the mark byte at i and returns the offset to go on from. Marks are doubled bytes,
// read from the left.
func (m *Marks) step(flat string, i int, s *titles.Site) int {
	c := flat[i]
	if c == '\n' {
		return m.lineStart(flat, i+1)
	}
	if i+1 == len(flat) || flat[i+1] != c {
		return i + 1
	}
	after := i + 2
	switch c {
	case '[':
		m.openBracket(flat, i, s)
	case '{':
		m.openBraces = append(m.openBraces, int32(len(m.Braces)))
		m.Braces = append(m.Braces, brace{Start: int32(i), Ref: opensRef(flat[after:])})
	case ']':
		if k, ok := pop(&m.openBrackets); ok {
			m.Brackets[k].End = int32(i)
		}
	case '}':
		if k, ok := pop(&m.openBraces); ok {
			m.Braces[k].End = int32(i)
		}
	}
	return after
}

// tableStarts may begin a line that has a table mark.
var tableStarts = ascii.NewByteSet(ascii.ByteSet{}, " \t:{|")

// lineStart looks for a table mark at the start of the line at i. A `|}}` that can end a template
// does: templates are read before tables.
func (m *Marks) lineStart(flat string, i int) int {
	if i < len(flat) && !tableStarts[flat[i]] {
		return i
	}
	for i < len(flat) && (flat[i] == ' ' || flat[i] == '\t' || flat[i] == ':') {
		i++
	}
	rest := flat[i:]
	switch {
	case strings.HasPrefix(rest, "{|"):
		m.openTables = append(m.openTables, int32(len(m.Tables)))
		m.Tables = append(m.Tables, table{Start: int32(i)})
	case strings.HasPrefix(rest, "|}}") && len(m.openBraces) > 0:
		return i + 1
	case strings.HasPrefix(rest, "|}"):
		if k, ok := pop(&m.openTables); ok {
			m.Tables[k].End = int32(i)
		}
	default:
		return i
	}
	return i + 2
}

func (m *Marks) openBracket(flat string, i int, s *titles.Site) {
	b := Bracket{Start: int32(i), File: s.OpensFile(flat[i+2:])}
	if b.File {
		b.pipe = int32(m.pipes.find(flat, i, '|'))
	}
	m.openBrackets = append(m.openBrackets, int32(len(m.Brackets)))
	m.Brackets = append(m.Brackets, b)
}

// opensRef reports whether the text after a `{{` calls the parser function that makes a ref.
func opensRef(text string) bool {
	const call = "#tag:ref"
	text = ascii.TrimSpace(text)
	return len(text) > len(call) && strings.EqualFold(text[:len(call)], call) &&
		strings.HasPrefix(ascii.TrimSpace(text[len(call):]), "|")
}

func pop(stack *[]int32) (top int32, ok bool) {
	n := len(*stack) - 1
	if n < 0 {
		return 0, false
	}
	top, *stack = (*stack)[n], (*stack)[:n]
	return top, true
}
