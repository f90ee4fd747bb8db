package lumina

import "github.com/wikinav/wikinav/artifacts/release"

// Audits has the levels of each world side by side.
func (part) Audits() []release.Audit {
	return []release.Audit{{
		Tables: "*.parquet", By: []string{"level"}, Hardness: "t_star",
		Skip: []string{
			"index",
			"start_row",
			"start_column",
			"goal_row",
			"goal_column",
			"source",
			"answer_node",
			"target_value",
		},
	}}
}
