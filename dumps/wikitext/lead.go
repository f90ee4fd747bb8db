package wikitext

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/wikinav/wikinav/schemas"
)

// LeadLimit is the usual limit of a lead, in code points.
const LeadLimit = 500

// Lead gives the text before the first heading of a page as readers see it, for prompts (specification 6): lines
// joined by LF, at most limit code points, NFC. Truncated tells that there was more. It is "" for a page whose lead is
// nothing but templates, tables and pictures.
func (s *Site) Lead(own Title, text string, limit int) (lead string, truncated bool) {
	lead = s.withoutTemplates(beforeHeading(text))
	lead = withoutTables(lead)
	lead = s.withoutLinks(lead)
	lead = withoutFormatting(lead)
	isList := strings.Contains(lead, "\n*") && s.Flags(own, text)&schemas.FlagDisambiguation != 0
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

// beforeHeading gives text up to its first heading line, without comments and dropped tags. It stops reading there, so
// that the rest of the page costs nothing.
func beforeHeading(text string) string {
	var b strings.Builder
	b.Grow(min(len(text), usualLead))
	line, lineEnd := 0, -1 // start of the last line in b; end in text of the line at i
	f := flattener{raw: text}
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
			if end := f.elementEnd(i, leadDropped); end > i {
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

// indexFrom gives the place of c in text from i on, the end of text if there is none.
func indexFrom(text string, i int, c byte) int {
	if n := strings.IndexByte(text[i:], c); n >= 0 {
		return i + n
	}
	return len(text)
}

// elementEnd gives the end of the comment, or of the element with one of those names, that begins at the `<` at i; i if
// none does. Calls come with rising i.
func (f *flattener) elementEnd(i int, names []string) int {
	if strings.HasPrefix(f.raw[i:], "<!--") {
		if n := strings.Index(f.raw[i:], "-->"); n >= 0 {
			return i + n + len("-->")
		}
		return len(f.raw)
	}
	t, closing, nameEnd := tagAt(f.raw[i:])
	if t == nil || closing || f.missing&(1<<t.index) != 0 || !slices.Contains(names, t.name) {
		return i
	}
	end := f.endOfTag(i + nameEnd)
	if end < 0 || f.raw[end-2] == '/' {
		return max(i, end)
	}
	if _, n := closingTag(f.raw[end:], t.name); n >= 0 {
		return end + n
	}
	f.missing |= 1 << t.index
	return i
}

func isHeading(line string) bool {
	line = strings.TrimRight(line, " ")
	return len(line) > 2 && line[0] == '=' && line[len(line)-1] == '='
}
