package probe

import "github.com/wikinav/wikinav/artifacts/release"

// Audits has the questions of each class side by side.
func (part) Audits() []release.Audit {
	return []release.Audit{{Tables: "*.parquet", By: []string{"class"}}}
}
