package demo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/schemas/rng"
)

// giveTitles makes page titles out of names. Of several things with one name either the first keeps it bare, and a
// page "Name (disambiguation)" lists them all; or none does, and the disambiguation page itself bears the name. It returns all
// names and titles.
func (w *world) giveTitles() (taken map[string]bool) {
	w.named = map[string][]int{}
	for i := range w.things {
		w.named[w.things[i].name] = append(w.named[w.things[i].name], i)
	}
	taken = make(map[string]bool, len(w.things))
	for name := range w.named {
		taken[name] = true // nobody may come by another's bare name through a qualifier
	}
	for i := range w.things {
		t := &w.things[i]
		t.title = t.name
		if bearers := w.named[t.name]; len(bearers) > 1 && (bearers[0] != i || !w.hasPrimaryTopic(t.name)) {
			t.title = w.qualified(t, taken)
		}
		taken[t.title] = true
	}
	return taken
}

// hasPrimaryTopic says which of the two ways a shared name goes. Well-known things always keep theirs.
func (w *world) hasPrimaryTopic(name string) bool {
	return w.things[w.named[name][0]].kind <= kindRegion || w.stream("primary", name).Below(2) == 0
}

// qualified is the first free title of "name, parent" (settlements) or "name (noun)", then with parent or number.
func (w *world) qualified(t *thing, taken map[string]bool) string {
	noun, parent := noun(t.kind, t.variety), ""
	if t.parent >= 0 {
		parent = w.things[t.parent].name
	}
	title := t.name + " (" + noun + ")"
	if t.kind == kindSettlement {
		title = t.name + ", " + parent
	}
	if taken[title] {
		title = t.name + " (" + parent + " " + noun + ")"
	}
	for n := 2; taken[title]; n++ {
		title = fmt.Sprintf("%s (%s %d)", t.name, noun, n)
	}
	return title
}

// shared are the names that need a disambiguation page, in order of their first bearer.
func (w *world) shared() []string {
	var names []string
	for i := range w.things {
		if name := w.things[i].name; len(w.named[name]) > 1 && w.named[name][0] == i {
			names = append(names, name)
		}
	}
	return names
}

// disambiguationTitle is the title of the page that lists the bearers of a shared name.
func (w *world) disambiguationTitle(name string) string {
	if w.hasPrimaryTopic(name) {
		return name + " (disambiguation)"
	}
	return name
}

// redirect is a redirect page: Text is what its wikitext points to, which may carry a fragment.
type redirect struct {
	Title, Text string
	Hidden      bool // the dump says nothing of it beside its text
}

// giveAliases gives about one thing in twelve a second title, under which a third of its links come.
func (w *world) giveAliases(taken map[string]bool) {
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
		for _, title := range t.otherTitles() {
			out = append(out, redirect{Title: title, Text: end})
			end = title
		}
	}
	return append(out, w.oddRedirects()...)
}

// oddRedirects are the redirects that lead nowhere or in an unusual way, one of each kind.
func (w *world) oddRedirects() []redirect {
	odd := slices.Clone(text.Redirects)
	for i, r := range odd {
		odd[i].Text = strings.ReplaceAll(r.Text, "$country", w.things[w.ofKind[kindCountry][0]].title)
	}
	return odd
}
