package labels

import (
	"fmt"

	"github.com/wikinav/wikinav/artifacts/release"
)

// Facts says how far labels reach, and how many pages have each.
func (part) Facts(f release.Files) ([]release.Facts, error) {
	r, err := Report(f)
	if err != nil {
		return nil, err
	}
	coverage := release.Facts{Title: "coverage", Rows: []release.Fact{
		{Name: "pages that a source knows", N: r.Typed, Of: r.Nodes},
		{Name: "pages with a label", N: r.Labelled, Of: r.Nodes},
		{Name: "pages with several labels", N: r.MultiLabel, Of: r.Nodes},
		{Name: "pages whose sources differ", N: r.Conflicts, Of: r.Nodes},
		{Name: "infobox and types name the same", N: r.InfoboxAgrees, Of: r.InfoboxCompared},
	}}
	labels := release.Facts{Title: "pages by label", Rows: []release.Fact{}}
	for _, l := range r.Labels {
		labels.Rows = append(labels.Rows, release.Fact{Name: l.Label, N: l.Nodes, Of: r.Nodes})
	}
	deciles := release.Facts{
		Title: "pages with a label, by tenths of the number of links to them",
		Rows:  []release.Fact{},
	}
	for i, d := range r.Deciles {
		deciles.Rows = append(
			deciles.Rows,
			release.Fact{Name: fmt.Sprint("tenth ", i+1), N: d.Labelled, Of: d.Nodes},
		)
	}
	return []release.Facts{coverage, labels, deciles}, nil
}
