package constrained

import (
	"maps"
	"slices"

	"github.com/wikinav/wikinav/artifacts/release"
)

// Audits says what a ban changes.
func (part) Audits() []release.Audit {
	return []release.Audit{{
		Tables: tableFile, By: []string{"constrained_length", "binding", "banned_category"},
		Hardness: "constrained_length", Suspect: suspect,
	}}
}

func suspect(at func(column string) float64) (reasons []string) {
	for _, s := range []struct {
		is     bool
		reason string
	}{
		{at("baseline_paths_clean") == at("baseline_paths_all"), "no shortest path has a banned page"},
		{at("shortest_banned") == 0, "no page on a shortest path is banned"},
		{
			at("unlabelled_on_path") > 0,
			"the allowed path goes through pages without a label, which nobody can judge",
		},
		{at("first_moves_feasible") == at("successors_all"), "every first move leads on"},
	} {
		if s.is {
			reasons = append(reasons, s.reason)
		}
	}
	return reasons
}

// Facts says what became of every attempt to draw a pair, and how far labels reach.
func (part) Facts(f release.Files) ([]release.Facts, error) {
	fun, err := funnel(f)
	if err != nil {
		return nil, err
	}
	rejects := release.Facts{Title: "attempts to draw a pair", Rows: []release.Fact{
		{Name: "accepted", N: int64(fun.Accepted), Of: int64(fun.Attempts)},
	}}
	for _, reason := range fun.Reasons() {
		rejects.Rows = append(rejects.Rows, release.Fact{
			Name: "rejected: " + reason, N: int64(fun.Rejects[reason]), Of: int64(fun.Attempts),
		})
	}
	covered := release.Facts{Title: "pages with a label on the paths", Rows: []release.Fact{}}
	for _, c := range []struct {
		name string
		n    [2]int
	}{
		{"any path", fun.OnPaths.Any},
		{"paths without the ban", fun.OnPaths.Baseline},
		{"paths under the ban", fun.OnPaths.Constrained},
		{"between the ends of these", fun.OnPaths.Between},
	} {
		covered.Rows = append(
			covered.Rows,
			release.Fact{Name: c.name, N: int64(c.n[0]), Of: int64(c.n[1])},
		)
	}
	bans := release.Facts{Title: "classes that are banned", Rows: []release.Fact{}}
	for _, label := range slices.Sorted(maps.Keys(fun.ByLabel)) {
		bans.Rows = append(bans.Rows, release.Fact{
			Name: label, N: int64(fun.ByLabel[label]), Of: int64(fun.Accepted),
		})
	}
	return []release.Facts{rejects, bans, covered}, nil
}
