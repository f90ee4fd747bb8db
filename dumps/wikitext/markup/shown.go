package markup

import (
	"strings"

	"github.com/wikinav/wikinav/dumps/wikitext/ascii"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
)

// WithoutTemplates deletes all templates but those whose text readers see as text. One that is
// never closed reaches to the end.
func WithoutTemplates(s *titles.Site, text string) string {
	if !strings.Contains(text, "{{") {
		return text
	}
	var b Braces
	b.Find(text)
	w := leadWriter{text: text, site: s, names: NameTable{}, calls: b.Calls}
	w.write(0, b.unclosed)
	return w.String()
}

// leadWriter writes stretches of a text in which calls are replaced by what shows of them.
type leadWriter struct {
	strings.Builder
	text  string
	site  *titles.Site
	names NameTable
	calls []Call // those not passed yet
}

// write writes text[from:to]. Stretches come in rising order.
func (w *leadWriter) write(from, to int) {
	for len(w.calls) > 0 && int(w.calls[0].Start) < to {
		c := w.calls[0]
		w.calls = w.calls[1:]
		if int(c.Start) < from { // in an argument that nobody sees
			continue
		}
		w.WriteString(w.text[from:c.Start])
		w.call(&c)
		from = int(c.End)
	}
	if from < to {
		w.WriteString(w.text[from:to])
	}
}

// call writes what shows of c.
func (w *leadWriter) call(c *Call) {
	if !c.Bounded() {
		return
	}
	switch w.names.Title(w.site, c.Written(w.text)) {
	case "Convert", "Cvt":
		w.convert(c)
	case "Nowrap", "Nobr", "Small", "Em":
		w.arguments(c, 0)
	case "Lang":
		w.arguments(c, 1)
	case "Transl":
		w.arguments(c, c.Positionals(w.text)-1)
	}
}

// convert writes number and unit, or both numbers of a range.
func (w *leadWriter) convert(c *Call) {
	second, _ := c.Positional(w.text, 1)
	if RangeWords[strings.TrimSpace(w.text[second.Start:second.End])] {
		w.arguments(c, 0, 1, 2, 3)
		return
	}
	w.arguments(c, 0, 1)
}

// arguments writes the positional arguments with those indices, from 0, with a blank between two.
func (w *leadWriter) arguments(c *Call, indices ...int) {
	for i, want := range indices {
		p, ok := c.Positional(w.text, want)
		if !ok {
			continue
		}
		if i > 0 {
			w.WriteByte(' ')
		}
		w.write(p.Trimmed(w.text))
	}
}

// Positional finds the positional argument with that index, from 0; `1=` names the first one. Start
// and end of the part are those of its value.
func (c *Call) Positional(text string, index int) (p Part, ok bool) {
	n := 0
	for _, p := range c.Parts[1:] {
		if p.Equals < 0 {
			if n == index {
				return p, true
			}
			n++
			continue
		}
		if key := strings.TrimSpace(text[p.Start:p.Equals]); len(key) == 1 && int(key[0]-'1') == index {
			return Part{Start: p.Equals + 1, End: p.End}, true
		}
	}
	return Part{}, false
}

// Positionals counts the positional arguments; four stand for more.
func (c *Call) Positionals(text string) int {
	n := 0
	for ; n < 4; n++ {
		if _, ok := c.Positional(text, n); !ok {
			break
		}
	}
	return n
}

// WithoutTables deletes tables; one that is never closed reaches to the end.
func WithoutTables(text string) string {
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

// RangeWords stand between the two numbers of a convert template that gives a range or several
// values.
var RangeWords = map[string]bool{
	"to": true, "-": true, "–": true, "—": true, "and": true, "&": true, "and(-)": true, "or": true, "by": true, "x": true, "×": true,
	"*": true, "xx": true, "+": true, "+/-": true, "±": true, "to(-)": true, "to about": true, ",": true, "/": true, "to-": true,
}

// CompoundUnits are what may follow a unit of a convert template for the rest of a value, as inches
// follow feet.
var CompoundUnits = map[string]map[string]bool{
	"ft": {"in": true},
	"yd": {"ft": true, "in": true},
	"mi": {"yd": true, "ft": true, "ch": true, "chain": true, "furlong": true},
	"st": {"lb": true},
	"lb": {"oz": true},
}

// WithoutLinks leaves the label of a link, or its target where it has none. Pictures, categories
// and links to the same page in other languages go whole: they do not show in the text.
func WithoutLinks(s *titles.Site, text string) string { return ShowLinks(s, text, nil) }

// ShowLinks is WithoutLinks where show writes the links that hold no other, those to other
// languages too, and returns how much of the text after the link, its trail, it took in. It gets
// target and label as they stand.
func ShowLinks(s *titles.Site, text string, show func(w *strings.Builder, target, label, after string) (trail int)) string {
	if !strings.ContainsAny(text, "[]") {
		return text
	}
	w := linkWriter{site: s, text: text, show: show}
	w.Grow(len(text))
	w.marks.Find(text, s)
	for i := 0; ; {
		n := strings.IndexAny(text[i:], "[]")
		if n < 0 {
			w.WriteString(text[i:])
			return w.String()
		}
		w.WriteString(text[i : i+n])
		i = w.bracket(i + n)
	}
}

// linkWriter writes what shows of the links of a text.
type linkWriter struct {
	strings.Builder
	site    *titles.Site
	text    string
	show    func(w *strings.Builder, target, label, after string) int
	marks   Marks
	next    int // index in marks.brackets
	closing int // first `]` or line break from where it was last looked for
}

// bracket writes what shows of the bracket at i and returns the offset to go on from. The label of
// a link comes next, for it may hold other links; the brackets that close it then vanish.
func (w *linkWriter) bracket(i int) int {
	rest := w.text[i:]
	switch {
	case strings.HasPrefix(rest, "]]"):
		return i + 2
	case strings.HasPrefix(rest, "[["):
		return w.link(i)
	case rest[0] == '[':
		if n := titles.URLScheme(rest[1:]); n > 0 && len(rest) > 1+n {
			return w.external(i)
		}
	}
	w.WriteByte(rest[0])
	return i + 1
}

func (w *linkWriter) link(i int) int {
	start := i + 2
	if w.hides(w.text[start:]) {
		return w.end(i)
	}
	if w.show != nil {
		if end := w.innermost(i); end > 0 {
			target, label, _ := strings.Cut(w.text[start:end-2], "|")
			return end + w.show(&w.Builder, target, label, w.text[end:])
		}
	}
	target, labelled := w.text[start:], false
	if n := strings.IndexAny(target, "|[]{}<\n"); n >= 0 {
		labelled = target[n] == '|'
		target = target[:n]
	}
	start += len(target)
	if labelled && !strings.HasPrefix(w.text[start:], "|]]") {
		return start + 1
	}
	w.WriteString(strings.TrimPrefix(strings.TrimSpace(target), ":"))
	if labelled {
		start++
	}
	return start
}

// end returns the offset after the `]]` that balances the `[[` at i; that of the line's end where
// none does, which is as far as an editor's slip should reach.
func (w *linkWriter) end(i int) int {
	if b := w.at(i); b != nil && b.End > 0 {
		return int(b.End) + 2
	}
	if n := strings.IndexByte(w.text[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(w.text)
}

// at returns the `[[` at i, nil if no mark begins there. Calls come with rising i.
func (w *linkWriter) at(i int) *Bracket {
	all := w.marks.Brackets
	for w.next < len(all) && int(all[w.next].Start) < i {
		w.next++
	}
	if w.next < len(all) && int(all[w.next].Start) == i {
		return &all[w.next]
	}
	return nil
}

// innermost returns the offset after the `]]` that closes the `[[` at i with no other between, 0 if
// there is none.
func (w *linkWriter) innermost(i int) int {
	b := w.at(i)
	if b == nil || b.End == 0 || w.next+1 < len(w.marks.Brackets) && w.marks.Brackets[w.next+1].Start < b.End {
		return 0
	}
	return int(b.End) + 2
}

// hides reports whether the text after a `[[` names a picture, a category or, unless show has a
// say, another language's page.
func (w *linkWriter) hides(text string) bool {
	name, ok := w.site.LinkPrefix(text)
	if !ok {
		return false
	}
	if key, known := w.site.Namespace(name); known {
		return key == titles.NSFile || key == titles.NSCategory
	}
	return w.show == nil && w.site.IsLanguage(strings.ToLower(name))
}

// external leaves the label alone. A bracket that its line does not close is a character.
func (w *linkWriter) external(i int) int {
	if w.closing <= i { // a mark still ahead is not looked for again
		w.closing = len(w.text)
		if n := strings.IndexAny(w.text[i:], "]\n"); n >= 0 {
			w.closing = i + n
		}
	}
	if w.closing == len(w.text) || w.text[w.closing] == '\n' {
		w.WriteByte('[')
		return i + 1
	}
	if _, label, ok := strings.Cut(w.text[i+1:w.closing], " "); ok {
		w.WriteString(label)
	}
	return w.closing + 1
}

// WithoutFormatting deletes quotes that stand for italics and bold, behaviour switches and tags,
// and decodes character references.
func WithoutFormatting(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for {
		n := strings.IndexAny(text, "'_<")
		if n < 0 {
			b.WriteString(text)
			return titles.DecodeReferences(b.String())
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

// formatting returns the length of the mark at the start of text, 0 if there is none.
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
		return TagLen(text)
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

// TagLen returns the length of the tag at the `<` at the start of text: of anything that looks like
// one; 0 if nothing does.
func TagLen(text string) int {
	name := strings.TrimPrefix(text[1:], "/")
	if name == "" || !ascii.IsLetter(name[0]) {
		return 0
	}
	end := strings.IndexAny(text[1:], "<>")
	if end < 0 || text[1+end] != '>' {
		return 0
	}
	return end + 2
}
