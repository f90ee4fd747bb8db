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
			return nil, fault.New(fault.Usage, "the release has no split %s to play", fault.Quote(name)).Hint("it has %s", hintOf(all))
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

func hintOf(all []Split) string {
	names := make([]string, len(all))
	grouped := false
	for i, s := range all {
		names[i] = s.Name
		grouped = grouped || strings.Contains(s.Name, "/")
	}
	text := strings.Join(names, ", ")
	if grouped {
		text += "; the part before the slash stands for all its splits"
	}
	return text
}
