package demo

import "strconv"

// giveTitles makes page titles out of names. Of several things with one name either the first keeps it bare, and a
// page "Name (disambiguation)" lists them all; or none does, and the disambiguation page itself bears the name.
func (w *world) giveTitles() {
	w.named = map[string][]int{}
	for i := range w.things {
		w.named[w.things[i].name] = append(w.named[w.things[i].name], i)
	}
	taken := make(map[string]bool, len(w.things))
	for name := range w.named {
		taken[name] = true // nobody may come by another's bare name through a qualifier
	}
	for i := range w.things {
		t := &w.things[i]
		if t.title = t.name; !w.keepsBareName(i) {
			t.title = w.qualified(t, taken)
		}
		taken[t.title] = true
	}
}

func (w *world) keepsBareName(i int) bool {
	bearers := w.named[w.things[i].name]
	return len(bearers) == 1 || bearers[0] == i && w.hasPrimaryTopic(w.things[i].name)
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
	forms := []string{t.name + " (" + noun + ")", t.name + " (" + parent + " " + noun + ")"}
	if t.kind == kindSettlement {
		forms = []string{t.name + ", " + parent, forms[1]}
	}
	for _, f := range forms {
		if !taken[f] {
			return f
		}
	}
	for n := 2; ; n++ {
		if f := t.name + " (" + noun + " " + strconv.Itoa(n) + ")"; !taken[f] {
			return f
		}
	}
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
