package demo

import (
	"slices"
	"strings"
)

// list is a variety of list articles.
type list struct {
	Each       *kind // of which things there is one each; nil: one in all
	Name, Noun string
	Path       []kind
}

func (w *world) addLists() {
	for variety, l := range text.Lists {
		if l.Each == nil {
			w.add(thing{kind: kindList, parent: -1, variety: variety, name: l.Name, year: lastYear})
			continue
		}
		for _, i := range w.ofKind[*l.Each] {
			w.add(thing{kind: kindList, parent: i, variety: variety, name: l.Name + w.things[i].name, year: lastYear})
		}
	}
}

// members are what list i lists. A list of all names what the parents' articles name; the others stay remote.
func (w *world) members(i int) []int {
	l := text.Lists[w.things[i].variety]
	if l.Each != nil {
		return w.below(w.things[i].parent, l.Path)
	}
	k := l.Path[0]
	return slices.DeleteFunc(slices.Clone(w.ofKind[k]), func(i int) bool {
		t := &w.things[i]
		return t.rank >= about[k].Shown || l.Noun != "" && l.Noun != noun(k, t.variety)
	})
}

// below are the things at the end of a path of kinds that begins under i.
func (w *world) below(i int, path []kind) []int {
	if len(path) == 1 {
		return w.listed(i, path[0])
	}
	var out []int
	for _, kid := range w.kids(i, path[0]) {
		out = append(out, w.below(kid, path[1:])...)
	}
	return out
}

// plural is the English plural of the nouns in this package.
func plural(noun string) string {
	switch {
	case noun == "species":
		return noun
	case noun == "genus":
		return "genera"
	case strings.HasSuffix(noun, "ch"), strings.HasSuffix(noun, "sh"), strings.HasSuffix(noun, "ss"):
		return noun + "es"
	case strings.HasSuffix(noun, "y") && !strings.ContainsAny(noun[len(noun)-2:], "aeo"):
		return noun[:len(noun)-1] + "ies"
	}
	return noun + "s"
}
