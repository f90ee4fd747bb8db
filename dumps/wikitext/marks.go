package wikitext

import "strings"

// marks are the paired marks of a flat text, each kind in order of position: what step C and the provenance of links
// need. Kinds are paired independently of each other; within a kind a closing mark pairs with the last open one. Ends
// are offsets of the closing mark, 0 where there is none.
type marks struct {
	brackets []bracket
	braces   []brace
	tables   []table

	openBrackets, openBraces, openTables []int // indices of those not closed yet
	nextPipe                             int   // first `|` from where it was last looked for
}

// bracket is a `[[`, link or not.
type bracket struct {
	start, end int
	pipe       int // of a file: first `|` after it, the text's length if there is none
	file       bool
}

// brace is a `{{`; ref tells a {{#tag:ref|...}}.
type brace struct {
	start, end int
	ref        bool
}

// table is a `{|` at the start of a line.
type table struct{ start, end int }

// captionStart is rising over the brackets that are files.
func (b bracket) captionStart() int {
	if b.file {
		return b.pipe
	}
	return b.start
}

// find replaces m by the marks of flat, and keeps its memory.
func (m *marks) find(flat string, s *Site) {
	*m = marks{
		brackets: m.brackets[:0], braces: m.braces[:0], tables: m.tables[:0],
		openBrackets: m.openBrackets[:0], openBraces: m.openBraces[:0], openTables: m.openTables[:0],
		nextPipe: -1,
	}
	for i := m.lineStart(flat, 0); ; {
		if i = nextMark(flat, i); i == len(flat) {
			return
		}
		i = m.step(flat, i, s)
	}
}

// step handles the mark byte at i and gives the offset to go on from. Marks are doubled bytes, read from the left.
func (m *marks) step(flat string, i int, s *Site) int {
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
		m.openBraces = append(m.openBraces, len(m.braces))
		m.braces = append(m.braces, brace{start: i, ref: opensRef(flat[after:])})
	case ']':
		if k, ok := pop(&m.openBrackets); ok {
			m.brackets[k].end = i
		}
	case '}':
		if k, ok := pop(&m.openBraces); ok {
			m.braces[k].end = i
		}
	}
	return after
}

// tableStarts may begin a line that has a table mark.
var tableStarts = newByteSet(byteSet{}, " \t:{|")

// lineStart looks for a table mark at the start of the line at i. A `|}}` that can end a template does: templates
// are read before tables.
func (m *marks) lineStart(flat string, i int) int {
	if i < len(flat) && !tableStarts[flat[i]] {
		return i
	}
	for i < len(flat) && (flat[i] == ' ' || flat[i] == '\t' || flat[i] == ':') {
		i++
	}
	rest := flat[i:]
	switch {
	case strings.HasPrefix(rest, "{|"):
		m.openTables = append(m.openTables, len(m.tables))
		m.tables = append(m.tables, table{start: i})
	case strings.HasPrefix(rest, "|}}") && len(m.openBraces) > 0:
		return i + 1
	case strings.HasPrefix(rest, "|}"):
		if k, ok := pop(&m.openTables); ok {
			m.tables[k].end = i
		}
	default:
		return i
	}
	return i + 2
}

func (m *marks) openBracket(flat string, i int, s *Site) {
	b := bracket{start: i, file: s.opensFile(flat[i+2:])}
	if b.file {
		b.pipe = m.pipeAfter(flat, i)
	}
	m.openBrackets = append(m.openBrackets, len(m.brackets))
	m.brackets = append(m.brackets, b)
}

// pipeAfter is called with rising i; a `|` still ahead is not looked for again.
func (m *marks) pipeAfter(flat string, i int) int {
	if m.nextPipe > i {
		return m.nextPipe
	}
	if next := strings.IndexByte(flat[i:], '|'); next >= 0 {
		m.nextPipe = i + next
	} else {
		m.nextPipe = len(flat)
	}
	return m.nextPipe
}

// opensRef tells whether the text after a `{{` calls the parser function that makes a ref.
func opensRef(text string) bool {
	const call = "#tag:ref"
	text = trimSpace(text)
	return len(text) > len(call) && strings.EqualFold(text[:len(call)], call) &&
		strings.HasPrefix(trimSpace(text[len(call):]), "|")
}

func pop(stack *[]int) (top int, ok bool) {
	n := len(*stack) - 1
	if n < 0 {
		return 0, false
	}
	top, *stack = (*stack)[n], (*stack)[:n]
	return top, true
}
