package mango

import "github.com/wikinav/wikinav/artifacts/release"

// Audits has the mazes as they are, and the questions by task and class.
func (part) Audits() []release.Audit {
	return []release.Audit{
		{
			Tables:   mazesTable,
			Hardness: "df_rows",
			Skip:     []string{"attempt", "has_seed", "has_graph", "has_revisit_share"},
			Suspect:  suspect,
		},
		{Tables: QuestionsTable, By: []string{"task", "class"}},
	}
}

func suspect(at func(column string) float64) (reasons []string) {
	if at("nondeterministic") > 0 {
		reasons = append(reasons, "a move of one location leads to two places")
	}
	if at("parallel_pairs") > 0 {
		reasons = append(reasons, "two moves lead from one location to another one")
	}
	return reasons
}
