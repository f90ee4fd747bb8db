package facts

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/wikinav/wikinav/dumps/wikitext/markup"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
)

// LeadLimit is the usual limit of a lead, in code points.
const LeadLimit = 500

// leadBytes is how much of a text is looked at for its lead: all of one that MediaWiki saves.
const leadBytes = 2 << 20

// Lead returns the text before the first heading of a page as readers see it, for prompts: lines
// joined by LF, at most limit code points, NFC. Truncated tells that there was more. It is "" for a
// page whose lead is nothing but templates, tables and pictures. The items of a list stay if the
// page is one, as a disambiguation page is.
func Lead(s *titles.Site, text string, limit int, isList bool) (lead string, truncated bool) {
	if len(text) > leadBytes {
		text = strings.ToValidUTF8(text[:leadBytes], "")
	}
	lead = markup.WithoutTemplates(s, beforeHeading(text))
	lead = markup.WithoutTables(lead)
	lead = markup.WithoutLinks(s, lead)
	lead = markup.WithoutFormatting(lead)
	return firstRunes(norm.NFC.String(leadLines(lead, isList, limit)), limit)
}

// firstRunes cuts s to at most n code points.
func firstRunes(s string, n int) (string, bool) {
	for i := range s {
		if n--; n < 0 {
			return s[:i], true
		}
	}
	return s, false
}

// leadDropped are the tags that go with their bodies. Those of other tags stay.
var leadDropped = []string{
	"ref", "gallery", "math", "chem", "score", "timeline", "syntaxhighlight", "source", "imagemap", "templatestyles", "pre",
}

// beforeHeading returns text up to its first heading line, without comments and dropped tags. It
// stops reading there, so that the rest of the page costs nothing.
func beforeHeading(text string) string {
	var b strings.Builder
	b.Grow(min(len(text), usualLead))
	line, lineEnd := 0, -1 // start of the last line in b; end in text of the line at i
	f := markup.Flattener{Raw: text}
	for i := 0; i < len(text); {
		if lineEnd < i {
			lineEnd = indexFrom(text, i, '\n')
		}
		n := strings.IndexByte(text[i:lineEnd], '<')
		if n < 0 {
			n = lineEnd - i
		}
		b.WriteString(text[i : i+n])
		i += n
		if i == len(text) {
			break
		}
		if text[i] == '<' {
			if end := f.ElementEnd(i, leadDropped); end > i {
				i = end
				continue
			}
		} else {
			if isHeading(b.String()[line:]) {
				return b.String()[:line]
			}
			line = b.Len() + 1
		}
		b.WriteByte(text[i])
		i++
	}
	if isHeading(b.String()[line:]) {
		return b.String()[:line]
	}
	return b.String()
}

// usualLead is how much text stands before most first headings.
const usualLead = 4 << 10

// indexFrom returns the place of c in text from i on, the end of text if there is none.
func indexFrom(text string, i int, c byte) int {
	if n := strings.IndexByte(text[i:], c); n >= 0 {
		return i + n
	}
	return len(text)
}

func isHeading(line string) bool {
	line = strings.TrimRight(line, " ")
	return len(line) > 2 && line[0] == '=' && line[len(line)-1] == '='
}

// leadLines drops the lines that are no prose and tidies the others. The items of a list stay,
// without their marks, if the page is one. It ends after the line with which there is surely more
// than limit code points.
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

// exceeds reports whether s has more than limit code points whatever normalisation makes of it:
// that joins four of them at most, and leaves ASCII alone.
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

// tidy makes runs of blanks one and deletes what templates leave behind: empty parentheses,
// separators after an opening one, blanks before a closing mark.
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
