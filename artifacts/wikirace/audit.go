package wikirace

import "github.com/wikinav/wikinav/artifacts/release"

// Audits says what makes a pair hard: that nobody finds its target by chance.
func (part) Audits() []release.Audit {
	return []release.Audit{{
		Tables: "*.parquet", By: []string{"distance"}, Ease: "rw_menu",
		Floor: []string{
			"rw_full",
			"rw_menu",
			"greedy_in_success",
			"greedy_out_success",
		}, Suspect: suspect,
	}}
}

func suspect(at func(column string) float64) (reasons []string) {
	for _, s := range []struct {
		is     bool
		reason string
	}{
		{at("opt_first_menu") == 0, "the first menu has no link that leads nearer"},
		{at("rw_menu") > 0.5, "a random walk succeeds more often than not"},
		{
			at("greedy_in_success") == 1 && at("greedy_out_success") == 1,
			"both players that only count links succeed",
		},
		{at("out_degree") == 1, "the source has one link: there is nothing to choose"},
		{
			at("opt_first_menu") > 1 && at("opt_first_menu") == at("menu_size"),
			"every first move is right",
		},
		{at("n_shortest_saturated") == 1, "more shortest paths than can be counted"},
	} {
		if s.is {
			reasons = append(reasons, s.reason)
		}
	}
	return reasons
}
