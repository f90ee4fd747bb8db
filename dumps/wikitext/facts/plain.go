package facts

import (
	"slices"
	"strings"

	"github.com/wikinav/wikinav/dumps/wikitext/ascii"
	"github.com/wikinav/wikinav/dumps/wikitext/markup"
	"github.com/wikinav/wikinav/schemas"
)

// plain reads a value that no template gives as a whole: one link, or text without links, in one
// line and without templates but those that only lay out or format.
func (x *Facts) plain(from, to int) (v factValue, ok bool) {
	var b strings.Builder
	if to-from > longestFact || !x.plainText(&b, from, to) {
		return v, false
	}
	if v, isDate, ok := x.date(b.String()); isDate {
		return v, ok
	}
	text, ok := linkOrText(b.String())
	if !ok || strings.ContainsAny(text, "\n[]{}|") || hasBreak(text) {
		return v, false
	}
	text = tidyValue(markup.WithoutFormatting(text))
	if text == "" {
		return v, false
	}
	return plainValue(text)
}

// date reads a value that is a date as it is written, whichever parts of it are links.
func (x *Facts) date(text string) (v factValue, isDate, ok bool) {
	const longest = 200 // with targets and labels
	if len(text) > longest || !strings.ContainsAny(text, "0123456789") || hasBreak(text) {
		return v, false, false
	}
	text = tidyValue(markup.WithoutFormatting(markup.WithoutLinks(x.site, text)))
	v.kind = schemas.FactDate
	v.value, isDate, ok = writtenDate(strings.Fields(text), x.lastYear)
	return v, isDate, ok
}

// plainText writes flat[from:to] without markers and with the templates in it replaced by what they
// show; false if there is one that it does not know.
func (x *Facts) plainText(b *strings.Builder, from, to int) bool {
	for i := x.firstCall(from); i < len(x.level.Calls); i++ {
		c := &x.level.Calls[i]
		if int(c.Start) >= to {
			break
		}
		if int(c.Start) < from { // inside the last one
			continue
		}
		b.WriteString(withoutMarkers(x.flat[from:c.Start]))
		if !x.shown(b, c) {
			return false
		}
		from = int(c.End)
	}
	b.WriteString(withoutMarkers(x.flat[from:to]))
	return true
}

// shown writes what shows of a call.
func (x *Facts) shown(b *strings.Builder, c *markup.Call) bool {
	if c.Depth > markup.MaxTemplateDepth {
		return false
	}
	if value, ok := ascii.CutFold(c.Written(x.flat), "formatnum:"); ok {
		b.WriteString(strings.TrimSpace(value))
		return len(c.Parts) == 1 || len(c.Parts) == 2
	}
	switch x.templates.Title(x.flat, c) {
	case "!":
		b.WriteByte('|')
		return true
	case "PAGENAME":
		b.WriteString(x.own.Text)
		return true
	case "Nbsp", "Thinsp", "Thin space":
		b.WriteString("\u00A0")
		return true
	case "Nowrap", "Nobr", "Small", "Smaller", "Big", "Em", "Val":
		return x.shownArgument(b, c)
	}
	return false
}

// shownArgument writes the only positional argument of c, and the unit if it has one.
func (x *Facts) shownArgument(b *strings.Builder, c *markup.Call) bool {
	if c.Positionals(x.flat) != 1 {
		return false
	}
	p, _ := c.Positional(x.flat, 0)
	from, to := p.Trimmed(x.flat)
	if !x.plainText(b, from, to) {
		return false
	}
	for _, p := range c.Parts[1:] {
		if p.Equals >= 0 && strings.TrimSpace(x.flat[p.Start:p.Equals]) == "u" {
			b.WriteString(" " + strings.TrimSpace(x.flat[p.Equals+1:p.End]))
		}
	}
	return true
}

// linkOrText returns the label of the link that is the whole of text, or text itself if there is no
// link in it.
func linkOrText(text string) (string, bool) {
	inside, linked := strings.CutPrefix(strings.Trim(text, "' \n"), "[[")
	if !linked {
		return text, true
	}
	inside, linked = strings.CutSuffix(inside, "]]")
	target, label, labelled := strings.Cut(inside, "|")
	if labelled {
		return label, linked
	}
	return strings.TrimPrefix(strings.TrimSpace(target), ":"), linked
}

// hasBreak reports whether text has more than one line or item by its tags.
func hasBreak(text string) bool {
	if strings.IndexByte(text, '<') < 0 {
		return false
	}
	text = strings.ToLower(text)
	return slices.ContainsFunc(breakTags, func(tag string) bool { return strings.Contains(text, tag) })
}

var breakTags = []string{"<br", "<li", "<hr", "<div", "<p>", "<p "}

// tidyValue makes runs of blanks one. A thin or hard blank between digits groups them.
func tidyValue(text string) string {
	runes := []rune(text)
	var b strings.Builder
	for i, r := range runes {
		switch {
		case r == 0xA0 || r == 0x2009 || r == 0x202F || r == 0x200A:
			if i > 0 && i+1 < len(runes) && isDigitRune(runes[i-1]) && isDigitRune(runes[i+1]) {
				continue
			}
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func isDigitRune(r rune) bool { return r >= '0' && r <= '9' }
