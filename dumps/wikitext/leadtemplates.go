package wikitext

import "strings"

// withoutTemplates deletes all templates but those whose text readers see as text. One that is never closed reaches to
// the end.
func (s *Site) withoutTemplates(text string) string {
	if !strings.Contains(text, "{{") {
		return text
	}
	x := NewTemplates(s)
	l := x.level(0)
	l.braces.find(text)
	w := leadWriter{text: text, templates: x, calls: l.calls}
	w.write(0, l.unclosed)
	return w.String()
}

// leadWriter writes stretches of a text in which calls are replaced by what shows of them.
type leadWriter struct {
	strings.Builder
	text      string
	templates *Templates
	calls     []call // those not passed yet
}

// write writes text[from:to]. Stretches come in rising order.
func (w *leadWriter) write(from, to int) {
	for len(w.calls) > 0 && w.calls[0].start < to {
		c := w.calls[0]
		w.calls = w.calls[1:]
		if c.start < from { // in an argument that nobody sees
			continue
		}
		w.WriteString(w.text[from:c.start])
		w.call(&c)
		from = c.end
	}
	if from < to {
		w.WriteString(w.text[from:to])
	}
}

// call writes what shows of c.
func (w *leadWriter) call(c *call) {
	if c.depth > maxTemplateDepth || len(c.parts) > maxTemplateArguments+1 {
		return
	}
	name := w.templates.names.title(w.templates.site, strings.TrimSpace(w.text[c.parts[0].start:c.parts[0].end]))
	switch name {
	case "Convert", "Cvt":
		w.convert(c)
	case "Nowrap", "Nobr", "Small", "Em":
		w.arguments(c, 0)
	case "Lang":
		w.arguments(c, 1)
	case "Transl":
		w.arguments(c, positional(w.text, c)-1)
	}
}

// convert writes number and unit, or both numbers of a range.
func (w *leadWriter) convert(c *call) {
	second, _ := argument(w.text, c, 1)
	if rangeWords[strings.TrimSpace(w.text[second.start:second.end])] {
		w.arguments(c, 0, 1, 2, 3)
		return
	}
	w.arguments(c, 0, 1)
}

// arguments writes the positional arguments with those indices, from 0, with a blank between two.
func (w *leadWriter) arguments(c *call, indices ...int) {
	for i, want := range indices {
		p, ok := argument(w.text, c, want)
		if !ok {
			continue
		}
		if i > 0 {
			w.WriteByte(' ')
		}
		w.write(trimmed(w.text, p.start, p.end))
	}
}

// argument finds the positional argument with that index, from 0; `1=` names the first one. Start and end of the part
// are those of its value.
func argument(text string, c *call, index int) (p part, ok bool) {
	n := 0
	for _, p := range c.parts[1:] {
		if p.equals < 0 {
			if n == index {
				return p, true
			}
			n++
			continue
		}
		if key := strings.TrimSpace(text[p.start:p.equals]); len(key) == 1 && int(key[0]-'1') == index {
			return part{start: p.equals + 1, end: p.end}, true
		}
	}
	return part{}, false
}

// positional counts the positional arguments; four stand for more.
func positional(text string, c *call) int {
	n := 0
	for ; n < 4; n++ {
		if _, ok := argument(text, c, n); !ok {
			break
		}
	}
	return n
}

// withoutTables deletes tables; one that is never closed reaches to the end.
func withoutTables(text string) string {
	if !strings.Contains(text, "{|") {
		return text
	}
	var b strings.Builder
	deep, done := 0, 0
	for i := 0; i+1 < len(text); i++ {
		switch text[i : i+2] {
		case "{|":
			if deep == 0 {
				b.WriteString(text[done:i])
				done = len(text)
			}
			deep++
			i++
		case "|}":
			if deep == 1 {
				done = i + 2
			}
			deep = max(0, deep-1)
			i++
		}
	}
	if deep == 0 {
		b.WriteString(text[done:])
	}
	return b.String()
}
