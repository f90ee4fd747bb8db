package constrained

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// check refuses an instance that is not of this release: another graph, other labels, other pages,
// an unknown category. Where the digest of the labels is not known, "", all instances must be of
// the same labels.
func (p published) check(w game.World, graphSHA256, labelsSHA256 string) error {
	var all []drawn
	for _, i := range p.instances {
		all = append(all, drawn{
			Instances, i.ID, i.BannedCategory, i.GraphSHA256, i.LabelsSHA256,
			[2]schemas.PageRef{i.Source, i.Target},
		})
	}
	for _, i := range p.infeasible {
		all = append(all, drawn{
			Infeasible, i.ID, i.BannedCategory, i.GraphSHA256, i.LabelsSHA256,
			[2]schemas.PageRef{i.Source, i.Target},
		})
	}
	for _, d := range all {
		labelsSHA256 = cmp.Or(labelsSHA256, d.labels)
		if _, known := schemas.LabelBit(d.category); !known {
			return fault.New(fault.Malformed, "instance %s bans %s, which is not a label", d.id,
				fault.Quote(d.category)).At(d.split, "").
				Hint("the labels are %s", strings.Join(schemas.LabelNames, ", "))
		}
		if why := d.foreign(w, graphSHA256, labelsSHA256); why != "" {
			return fault.New(fault.Mismatch, "instance %s %s", d.id, why).At(d.split, "").
				Hint("build the instances again on these labels")
		}
	}
	return nil
}

// drawn is what a record says of what it was drawn from.
type drawn struct {
	split, id, category, graph, labels string
	ends                               [2]schemas.PageRef
}

// foreign says what of a record is not of this release, "" for nothing.
func (d drawn) foreign(w game.World, graph, labels string) string {
	switch {
	case d.graph != graph:
		return fmt.Sprintf("is of graph %s, the release's is %s", fault.Quote(d.graph), graph)
	case d.labels != labels:
		return fmt.Sprintf("is of labels %s, not of %s", fault.Quote(d.labels), labels)
	}
	for _, p := range d.ends {
		if int64(p.Node) >= int64(w.Len()) || w.PageID(p.Node) != p.PageID || w.Title(p.Node) != p.Title {
			return fmt.Sprintf("says that node %d is page %d, %s", p.Node, p.PageID, fault.Quote(p.Title))
		}
	}
	return ""
}
