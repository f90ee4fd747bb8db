package wikitext

import (
	"strings"
	"unicode/utf8"
)

// withoutFormatting deletes quotes that stand for italics and bold, behaviour switches and tags, and decodes character
// references.
func withoutFormatting(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for {
		n := strings.IndexAny(text, "'_<")
		if n < 0 {
			b.WriteString(text)
			return decodeReferences(b.String())
		}
		b.WriteString(text[:n])
		text = text[n:]
		skip := formatting(text)
		if skip == 0 {
			skip = 1
			b.WriteByte(text[0])
		}
		text = text[skip:]
	}
}

// formatting gives the length of the mark at the start of text, 0 if there is none.
func formatting(text string) int {
	switch text[0] {
	case '\'':
		const longest = 5
		if n := run(text[:min(len(text), longest)], 0); n > 1 {
			return n
		}
	case '_':
		return switchLen(text)
	case '<':
		return tagLen(text)
	}
	return 0
}

// switchLen recognises __WORD__.
func switchLen(text string) int {
	if !strings.HasPrefix(text, "__") {
		return 0
	}
	n := 2
	for n < len(text) && (text[n] >= 'A' && text[n] <= 'Z' || text[n] >= 0x80) {
		n++
	}
	if n == 2 || !strings.HasPrefix(text[n:], "__") {
		return 0
	}
	return n + 2
}

// tagLen recognises anything that looks like a tag.
func tagLen(text string) int {
	name := strings.TrimPrefix(text[1:], "/")
	if name == "" || !isLetter(name[0]) {
		return 0
	}
	end := strings.IndexAny(text[1:], "<>")
	if end < 0 || text[1+end] != '>' {
		return 0
	}
	return end + 2
}

// leadLines drops the lines that are no prose and tidies the others. The items of a list stay, without their marks, if
// the page is one. It ends after the line with which there is surely more than limit code points.
func leadLines(text string, isList bool, limit int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if exceeds(b.String(), limit) {
			break
		}
		line = tidy(line)
		if isList {
			line = strings.TrimLeft(line, "* ")
		}
		if line == "" || strings.IndexByte("*#:;|!", line[0]) >= 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(line)
	}
	return b.String()
}

// exceeds tells whether s has more than limit code points whatever normalisation makes of it: that joins four of them at
// most, and leaves ASCII alone.
func exceeds(s string, limit int) bool {
	const joined = 4
	if len(s) <= limit {
		return false
	}
	for i := range limit + 1 {
		if s[i] >= utf8.RuneSelf {
			return utf8.RuneCountInString(s) > joined*(limit+1)
		}
	}
	return true
}

// tidy makes runs of blanks one and deletes what templates leave behind: empty parentheses, separators after an
// opening one, blanks before a closing mark.
func tidy(line string) string {
	b := make([]byte, 0, len(line))
	for _, r := range line {
		switch r {
		case ' ', '\t', '\n', '\r', 0xA0:
			if n := len(b); n > 0 && b[n-1] != ' ' && b[n-1] != '(' {
				b = append(b, ' ')
			}
		case ';', ',':
			if b = trimBlank(b); len(b) == 0 || b[len(b)-1] != '(' {
				b = append(b, byte(r))
			}
		case '.':
			b = append(trimBlank(b), '.')
		case ')':
			b = closeParenthesis(b)
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return string(trimBlank(b))
}

func trimBlank(b []byte) []byte {
	if n := len(b); n > 0 && b[n-1] == ' ' {
		return b[:n-1]
	}
	return b
}

// closeParenthesis ends a parenthesis, or takes it back if nothing is in it.
func closeParenthesis(b []byte) []byte {
	n := len(b)
	for n > 0 && (b[n-1] == ' ' || b[n-1] == ';' || b[n-1] == ',') {
		n--
	}
	if n > 0 && b[n-1] == '(' {
		return trimBlank(b[:n-1])
	}
	return append(b[:n], ')')
}
