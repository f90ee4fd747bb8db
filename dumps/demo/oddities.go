package demo

import "fmt"

// oddities adds one or two passages of the kind that link extractors get wrong: links that count in unusual places
// and links that do not count. The first only repeat what is near anyway; the second name pages far away, so that
// an extractor that takes them for links invents short cuts.
func (a *article) oddities() {
	near := []func() string{a.caption, a.gallery, a.citation, a.quote, a.poem}
	void := []func() string{a.comment, a.nowiki, a.pre, a.math, a.code, a.ownLinks, a.otherWikis, a.broken}
	if a.r.Below(2) == 0 {
		a.WriteString(near[a.r.Below(len(near))]())
	}
	if a.r.Below(2) == 0 {
		a.WriteString(void[a.r.Below(len(void))]())
	}
}

func (a *article) caption() string {
	return a.fill("[[" + pick(a.r, []string{"File", "Image"}) + ":$name view.jpg|thumb|right|alt=A view|$name as seen from $parent in [[$name map|an unknown year]] or $year]]\n")
}

func (a *article) gallery() string {
	return a.fill("<gallery mode=\"packed\">\nFile:$name 1.jpg|$parent in winter\nFile:$name 2.jpg|With $topic, about $year\n</gallery>\n")
}

func (a *article) citation() string {
	return a.fill("It is often described.<ref name=\"a\">{{cite book|title=A walk through $name|author=[[$name (author)]]|" +
		"year=$year}}</ref> Others disagree.<ref name=\"a\" /><ref>See $peer.</ref>\n")
}

func (a *article) quote() string {
	return a.fill("{{Quote|text=Nothing compares to $topic and $parent.|sign=[[" + a.nearest() + "{{!}}the editors]]}}\n")
}

func (a *article) poem() string {
	return a.fill("<poem>\nO $parent,\nland of $topic!\n</poem>\n")
}

func (a *article) comment() string {
	return fmt.Sprintf("<!-- removed, see talk:\n* [[%s]]\n* [[%s]]\n-->\n", a.far(), a.far())
}

func (a *article) nowiki() string {
	return fmt.Sprintf("Editors write <nowiki>[[%s]]</nowiki> to link it.\n", a.far())
}

func (a *article) pre() string { return fmt.Sprintf("<pre>\n[[%s|an example]]\n</pre>\n", a.far()) }

func (a *article) math() string { return fmt.Sprintf("<math>x_1 = [[%s]]</math>\n", a.far()) }

func (a *article) code() string {
	return fmt.Sprintf("<syntaxhighlight lang=\"text\">\n[[%s]]\n</syntaxhighlight>\n", a.far())
}

func (a *article) ownLinks() string {
	return a.fill("$self is described above, see [[#History|history]].\n")
}

func (a *article) otherWikis() string {
	return a.fill("Look up [[wikt:$noun]], [[commons:$name|pictures]], [[:Category:Stubs]] and [[Demowiki:About|this wiki]].\n")
}

func (a *article) broken() string {
	return fmt.Sprintf("[[%s\nis a link that nobody closed, [[%s<nowiki />]] is none, and [[]] is empty.\n", a.far(), a.far())
}

// hide names an orphan where no link counts.
func (a *article) hide(i int) {
	if title := a.w.things[i].title; a.r.Below(2) == 0 {
		fmt.Fprintf(a, "<!-- * [[%s]] needs a source -->\n", title)
	} else {
		fmt.Fprintf(a, "* <nowiki>[[%s]]</nowiki>\n", title)
	}
}

// far is the title of any page at all, orphans and dead ends included.
func (a *article) far() string { return a.w.things[a.r.Below(len(a.w.things))].title }

// nearest is the title of the parent, or of a general topic for roots.
func (a *article) nearest() string {
	if a.t.parent >= 0 {
		return a.w.things[a.t.parent].title
	}
	return a.w.things[a.any(kindTopic)].title
}
