package demo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/schemas/rng"
)

// redirect is a redirect page: text is what its wikitext points to, which may carry a fragment.
type redirect struct {
	title, text string
	hidden      bool // the dump says nothing of it beside its text
}

// giveAliases gives about one thing in twelve a second title, under which a third of its links come.
func (w *world) giveAliases() {
	taken := map[string]bool{}
	for i := range w.things {
		taken[w.things[i].title] = true
	}
	for _, name := range w.shared() {
		taken[w.disambiguationTitle(name)] = true
	}
	for i := range w.things {
		t := &w.things[i]
		r := w.stream("alias", t.title)
		if alias := otherName(r, t); alias != "" && r.Below(100) < about[t.kind].Alias && !taken[alias] {
			t.alias, taken[alias] = alias, true
			t.chain = max(0, 2-r.Below(30)/2) // one in 15 each: 2 and 1
		}
	}
}

// otherName is what else t may be called; "" if nothing comes to mind.
func otherName(r *rng.Stream, t *thing) string {
	if bare := plain(t.title); bare != t.title {
		return bare
	}
	switch t.kind {
	case kindCountry:
		return "Republic of " + t.name
	case kindPerson:
		given, family, _ := strings.Cut(t.name, " ")
		return string([]rune(given)[0]) + ". " + family
	case kindWork:
		return strings.TrimPrefix(t.name, "The ") + " (" + noun(kindWork, t.variety) + ")"
	case kindSpecies:
		_, epithet, _ := strings.Cut(t.name, " ")
		return fmt.Sprintf("%s %s", capital(epithet), pick(r, []string{"beetle", "moss", "finch", "carp", "lily"}))
	case kindYear:
		return "AD " + t.name
	}
	return t.name + ", " + noun(t.kind, t.variety)
}

// otherTitles are the alias of t and the redirects before it; none for a thing without alias.
func (t *thing) otherTitles() []string {
	if t.alias == "" {
		return nil
	}
	return []string{t.alias, t.alias + " (name)", t.alias + " (old name)"}[:1+t.chain]
}

// redirects are all redirects of namespace 0: those to things, and the special cases. Each tenth goes to a section.
func (w *world) redirects() []redirect {
	var out []redirect
	for i := range w.things {
		t := &w.things[i]
		end := t.title
		if i%10 == 0 {
			end += "#History"
		}
		out = append(out, chain(end, t.otherTitles()...)...)
	}
	return append(out, w.oddRedirects()...)
}

// chain are redirects of which each points to the one before it, the first to end.
func chain(end string, titles ...string) []redirect {
	var out []redirect
	for _, title := range titles {
		out = append(out, redirect{title: title, text: end})
		end = title
	}
	return out
}

// oddRedirects are the redirects that lead nowhere or in an unusual way, one of each kind.
func (w *world) oddRedirects() []redirect {
	out := []redirect{
		{title: "Endless road", text: "Road without end"}, // a loop of two
		{title: "Road without end", text: "Endless road"},
		{title: "Mirror of itself", text: "Mirror of itself"},
		{title: "Promised article", text: "Geology of promises"}, // no such page
		{title: "All stubs", text: ":Category:Stubs"},
		{title: "Dictionary entry", text: "wikt:entry"},
		{title: "Demonym", text: w.things[w.ofKind[kindCountry][0]].title, hidden: true},
	}
	tooLong := chain(w.things[w.ofKind[kindTopic][0]].title,
		"Chain of one", "Chain of two", "Chain of three", "Chain of four", "Chain of five", "Chain of six")
	return slices.Concat(out, tooLong)
}
