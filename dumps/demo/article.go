package demo

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/schemas/rng"
)

// article is the wikitext of one thing while it is written. Its draws come from a stream of its own, named by its
// title: the text depends on the plan, not on what was written before.
type article struct {
	strings.Builder
	w    *world
	self int
	t    *thing
	noun string
	r    *rng.Stream // of the links; what else is drawn has streams of its own (detail.go)

	inhabitants, extent, prominence int // what other rows of the infobox must agree with
}

// text writes the article of thing i.
func (w *world) text(i int) string {
	t := &w.things[i]
	a := &article{w: w, self: i, t: t, r: w.stream("text", t.title)}
	a.noun = t.called()
	if t.deadEnd {
		fmt.Fprintf(a, "'''%s''' is %s. {{Stub}}\n", t.title, indefinite(a.noun))
		return a.String()
	}
	a.write(a.form())
	return a.String()
}

// form is that of the kind, with what a form of the own noun says instead.
func (a *article) form() form {
	f := *text.Form[about[a.t.kind].Form]
	if own := text.Form[a.noun]; own != nil {
		f.About = cmp.Or(own.About, f.About)
		f.Box = cmp.Or(own.Box, f.Box)
		if own.Lead != nil {
			f.Lead = own.Lead
		}
		if own.Sections != nil || own.Body != "" {
			f.Sections, f.Body = own.Sections, own.Body
		}
	}
	return f
}

// write fills in a form: top, lead, sections, what lies below, and the matter at the foot.
func (a *article) write(f form) {
	a.say("{{Short description|" + f.About + "}}\n" + a.hatnote())
	a.say(f.Box)
	a.say(pick(a.r, f.Lead) + "\n\n")
	if f.Body != "" {
		f.Sections = text.Form[f.Body].Sections
	}
	for _, s := range f.Sections {
		a.section(s)
	}
	for _, g := range about[a.t.kind].Below {
		a.group(g)
	}
	a.say(f.More)
	a.WriteString(a.chapter("See also", a.alsoSee()))
	a.oddities()
	a.foot()
}

// say appends template with its $words replaced.
func (a *article) say(template string) { a.WriteString(a.fill(template)) }

func (a *article) fill(template string) string {
	return sentences(os.Expand(template, func(name string) string {
		if word, ok := words[name]; ok {
			return word(a)
		}
		if list, ok := lists[name]; ok {
			return a.bullets(list(a))
		}
		if k := slices.Index(kindNames, name); k >= 0 {
			return a.linkOr(a.w.above(a.self, kind(k)), kind(k))
		}
		return a.detail(name)
	}))
}

// sentences raises the first letter of links at the beginning of text and of its sentences.
func sentences(text string) string {
	for at := 0; ; {
		i := strings.Index(text[at:], "[[")
		if i < 0 {
			return text
		}
		i += at
		at = i + len("[[")
		if i == 0 || strings.HasSuffix(text[:i], ". ") {
			text = text[:at] + capital(text[at:])
		}
	}
}

// hatnote points to the disambiguation page of a shared name, without brackets.
func (a *article) hatnote() string {
	if len(a.w.named[a.t.name]) == 1 {
		return ""
	}
	return fmt.Sprintf("{{About|the %s|others|%s}}\n", a.noun, a.w.disambiguationTitle(a.t.name))
}

// section writes s.Count different sentences of its pool, in drawn order.
func (a *article) section(s section) {
	fmt.Fprintf(a, "== %s ==\n", s.Title)
	if s.Pool != "" {
		s.Sentences = text.Pools[s.Pool]
	}
	for n, i := range a.r.Choose(len(s.Sentences), min(s.Count, len(s.Sentences))) {
		if n > 0 {
			a.WriteString(" ")
		}
		a.say(s.Sentences[i])
	}
	a.WriteString("\n\n")
}

// group lists the kids of one kind, or says nothing; orphans appear where no link counts.
func (a *article) group(g group) {
	kids := a.w.listed(a.self, g.Kind)
	lost := a.w.kidsOf(a.self, g.Kind, true)
	if len(kids)+len(lost) == 0 {
		return
	}
	fmt.Fprintf(a, "== %s ==\n%s", g.Title, a.list(kids))
	for _, i := range lost {
		a.hide(i)
	}
	a.WriteString("\n")
}

// list links to all of ids: as a table, as bullets, or as one sentence.
func (a *article) list(ids []int) string {
	switch style := a.r.Below(4); {
	case len(ids) == 0:
		return ""
	case style == 0:
		rows := a.links(ids, func(i int) string { return fmt.Sprintf("|-\n| %s || %d\n", a.link(i), a.w.since(i)) })
		return "{| class=\"wikitable sortable\"\n! Name !! Since\n" + strings.Join(rows, "") + "|}\n"
	case style == 1 && len(ids) < 12:
		return "Among them are " + strings.Join(a.links(ids, a.link), ", ") + ".\n"
	}
	return a.bullets(ids)
}

func (a *article) links(ids []int, form func(int) string) (out []string) {
	for _, i := range ids {
		out = append(out, form(i))
	}
	return out
}

func (a *article) bullets(ids []int) string {
	return strings.Join(a.links(ids, func(i int) string { return "* " + a.link(i) + "\n" }), "")
}

// chapter lists ids under a heading, if there are any.
func (a *article) chapter(title string, ids []int) string {
	if len(ids) == 0 {
		return ""
	}
	return "== " + title + " ==\n" + a.bullets(ids) + "\n"
}

// alsoSee is what hangs below this page, and the sibling before it.
func (a *article) alsoSee() []int {
	ids := a.w.after(a.self)
	if a.t.parent >= 0 && a.t.rank >= 1 {
		if before := a.w.kids(a.t.parent, a.t.kind)[a.t.rank-1]; !slices.Contains(ids, before) {
			ids = append(ids, before)
		}
	}
	return ids
}

// foot closes the article: references, categories, links to other wikis.
func (a *article) foot() {
	a.WriteString("\n== References ==\n{{Reflist}}\n\n")
	for _, c := range a.w.categories(a.self) {
		fmt.Fprintf(a, "[[Category:%s]]\n", c)
	}
	if n := a.r.Below(12); n < len(text.Feet) {
		a.WriteString(strings.ReplaceAll(text.Feet[n], "$name", a.t.name))
	}
}
