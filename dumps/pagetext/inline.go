package pagetext

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wikinav/wikinav/dumps/wikitext/ascii"
	"github.com/wikinav/wikinav/dumps/wikitext/markup"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
)

// Control characters, which no text has, stand for what later steps must not read as markup: each
// of guarded for the one at its place, a line break that readers see, and a tag that was taken out
// with its body.
const (
	guarded   = "[]{}|'<>=*#:;!_/&"
	guards    = "\x01\x02\x03\x04\x05\x06\x07\x08\x0E\x0F\x10\x11\x12\x13\x14\x15\x16"
	breakMark = "\x0B"
	marker    = string(markup.Marker)
)

var protector, unprotector = func() (_, _ *strings.Replacer) {
	var to, from []string
	for i := range len(guarded) {
		to = append(to, guarded[i:i+1], guards[i:i+1])
		from = append(from, guards[i:i+1], guarded[i:i+1])
	}
	return strings.NewReplacer(to...), strings.NewReplacer(from...)
}()

// protect makes text what no step reads as markup.
func protect(text string) string { return protector.Replace(text) }

// droppedTags go with their bodies.
var droppedTags = strings.Fields(
	"ref gallery math chem score timeline syntaxhighlight source imagemap templatestyles pre includeonly")

var nowikiTag = []string{"nowiki"}

// withoutHidden takes out comments and dropped tags, and protects what stands in nowiki, where no
// more than character references mean something.
func withoutHidden(raw string) string {
	raw = withoutControls(raw)
	f := markup.Flattener{Raw: raw}
	b := make([]byte, 0, len(raw))
	for i := 0; ; {
		n := strings.IndexByte(raw[i:], '<')
		if n < 0 {
			return string(append(b, raw[i:]...))
		}
		b = append(b, raw[i:i+n]...)
		i += n
		if strings.HasPrefix(raw[i:], "<!--") {
			b, i = withoutComment(b, raw, i, f.ElementEnd(i, nil))
		} else if end := f.ElementEnd(i, droppedTags); end > i {
			b, i = append(b, marker...), end
		} else if end := f.ElementEnd(i, nowikiTag); end > i {
			b, i = append(append(b, marker...), protect(titles.DecodeReferences(bodyOf(raw[i:end])))...), end
		} else {
			b, i = append(b, '<'), i+1
		}
	}
}

// withoutComment goes on after the comment raw[from:end], with its whole line if it has the line
// for itself.
func withoutComment(b []byte, raw string, from, end int) ([]byte, int) {
	rest := strings.TrimLeft(raw[end:], " \t")
	if !strings.HasPrefix(rest, "\n") {
		return b, end
	}
	line := len(b)
	for line > 0 && (b[line-1] == ' ' || b[line-1] == '\t') {
		line--
	}
	if line > 0 && b[line-1] != '\n' {
		return b, end
	}
	return b[:line], len(raw) - len(rest) + 1
}

// bodyOf returns what stands between the tags of element.
func bodyOf(element string) string {
	open := strings.IndexByte(element, '>')
	if element[open-1] == '/' {
		return ""
	}
	return element[open+1 : strings.LastIndex(element, "</")]
}

// withoutControls drops the characters that this package gives a meaning. A dump has none of them.
func withoutControls(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == markup.Marker {
			return -1
		}
		return r
	}, text)
}

// withoutBraces drops the braces of templates that are not closed and of parameters.
func withoutBraces(text string) string {
	return withoutRuns(withoutRuns(text, '{', 2), '}', 3)
}

// withoutRuns drops runs of at least so many equal bytes.
func withoutRuns(text string, c byte, least int) string {
	run := strings.Repeat(string(c), least)
	if !strings.Contains(text, run) {
		return text
	}
	var b strings.Builder
	for {
		n := strings.Index(text, run)
		if n < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:n])
		text = strings.TrimLeft(text[n:], string(c))
	}
}

// link writes a link that holds no other: to a title of namespace 0 with its target, else its
// label.
func (r *Renderer) link(w *strings.Builder, target, label, after string) (trail int) {
	trail = r.site.TrailLen(after)
	if strings.Trim(label, " \t\n'"+marker) == "" {
		label = strings.TrimPrefix(strings.TrimSpace(target), ":")
	}
	label = strings.TrimSpace(labelText.Replace(label)) + after[:trail]
	t, err := r.site.ParseTitle(target)
	if err != nil || t.NS != titles.NSMain || t.Interwiki != "" || t.Text == "" || !isTarget(target) {
		w.WriteString(label)
		return trail
	}
	w.WriteString(protect("[") + label + protect("]("+pagePath(t.Text)+")"))
	return trail
}

// labelText makes a label one stretch of one line.
var labelText = strings.NewReplacer("\n", " ", "|", protect("|"))

func isTarget(s string) bool {
	for i := range len(s) {
		if !titles.TargetBytes[s[i]] {
			return false
		}
	}
	return true
}

// pathStart begins the address of a page in a text.
const pathStart = "/wiki/"

// pagePath is the address of a page: blanks as "_", letters beyond ASCII as they are, and what
// addresses or texts read as marks as percent codes.
func pagePath(title string) string {
	const kept = "-_.~!$*,/:;@" + ascii.Alphanumeric
	b := []byte(pathStart)
	for _, c := range title {
		switch {
		case c == ' ':
			b = append(b, '_')
		case c < utf8.RuneSelf && strings.ContainsRune(kept, c), c >= utf8.RuneSelf && unicode.IsLetter(c):
			b = utf8.AppendRune(b, c)
		default:
			const digits = "0123456789ABCDEF"
			for _, x := range utf8.AppendRune(nil, c) {
				b = append(b, '%', digits[x>>4], digits[x&15])
			}
		}
	}
	return string(b)
}

// withoutTags replaces tags by what shows of them.
func withoutTags(text string) string {
	var b strings.Builder
	for {
		n := strings.IndexByte(text, '<')
		if n < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:n])
		text = text[n:]
		size := markup.TagLen(text)
		switch name := tagName(text[:size]); {
		case size == 0:
			b.WriteByte('<')
			size = 1
		case name == "br":
			b.WriteString(breakMark)
		case name == "sup" && text[1] != '/':
			b.WriteByte('^')
		}
		text = text[size:]
	}
}

func tagName(tag string) string {
	const longest = 8
	name := strings.ToLower(strings.TrimLeft(tag[:min(len(tag), longest)], "</"))
	if end := strings.IndexFunc(name, func(r rune) bool { return r > unicode.MaxASCII || !ascii.IsLetter(byte(r)) }); end >= 0 {
		name = name[:end]
	}
	return name
}

// line returns what shows of a line or of a cell, whose line breaks and list marks go.
func (r *Renderer) line(text string, cell bool) string {
	var parts []string
	if cell {
		text = strings.ReplaceAll(r.shown(text), "\n", breakMark+"\n")
	}
	for part := range strings.SplitSeq(text, breakMark) {
		if cell {
			part = strings.TrimLeft(part, listMarks+" \n"+marker)
		}
		if part = inline(part); part != "" {
			parts = append(parts, part)
		}
	}
	out := strings.Join(parts, " · ")
	if cell {
		out = strings.ReplaceAll(out, "|", "/")
	}
	return out
}

// inline takes out bold and italics, behaviour switches and tags, decodes character references, and
// makes runs of blanks one.
func inline(text string) string {
	text = withoutRuns(strings.ReplaceAll(markup.WithoutFormatting(text), marker, ""), '{', 2)
	b, blank := make([]byte, 0, len(text)), false
	for _, r := range text {
		switch {
		case isBlank(r):
			blank = len(b) > 0
		default:
			if blank {
				b = append(b, ' ')
			}
			b, blank = utf8.AppendRune(b, r), false
		}
	}
	return unprotector.Replace(string(b))
}

func isBlank(r rune) bool {
	switch r {
	case ' ', '\t', '\n', '\r', 0xA0, 0x2009, 0x202F:
		return true
	}
	return false
}
