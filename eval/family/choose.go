package family

import (
	"slices"
	"strings"

	"github.com/wikinav/wikinav/schemas/fault"
)

// Choose returns the splits of set that names stand for, in the release's order. A name is that of a split, or
// its part before a slash, which stands for all splits that start with it. Without names it returns all; a
// closed split is returned only if its own name is given.
func Choose(set interface{ Splits() []Split }, names []string) ([]Split, error) {
	all := set.Splits()
	for _, name := range names {
		if !slices.ContainsFunc(all, func(s Split) bool { return s.stands(name) }) {
			return nil, fault.New(fault.Usage, "the release has no split %s to play", fault.Quote(name)).
				Choose(name, namesOf(all))
		}
	}
	var chosen []Split
	for _, s := range all {
		if slices.ContainsFunc(names, s.stands) || len(names) == 0 && !s.Closed {
			chosen = append(chosen, s)
		}
	}
	return chosen, nil
}

func (s Split) stands(name string) bool {
	return s.Name == name || !s.Closed && strings.HasPrefix(s.Name, name+"/")
}

// namesOf lists all names that stand for splits, the part before a slash in front of those that it
// stands for.
func namesOf(all []Split) (names []string) {
	for _, s := range all {
		group, _, grouped := strings.Cut(s.Name, "/")
		if grouped && !s.Closed && !slices.Contains(names, group) {
			names = append(names, group)
		}
		names = append(names, s.Name)
	}
	return names
}
