package constrained

import (
	"cmp"
	"strings"

	"github.com/wikinav/wikinav/eval/links"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// check refuses an instance of another graph, other labels or pages, or an unknown category. Where
// the digest of the labels is not known, "", all instances must be of the same labels.
func (p published) check(w game.World, graphSHA256, labelsSHA256 string) error {
	seen := links.Seen{}
	check := func(split string, i schemas.ConstrainedInstance) error {
		if err := seen.Add(i.ID, split); err != nil {
			return err.At(split, "")
		}
		if _, known := schemas.LabelBit(i.BannedCategory); !known {
			return fault.New(fault.Malformed, "instance %s bans %s, which is not a label", fault.Quote(i.ID),
				fault.Quote(i.BannedCategory)).At(split, "").
				Hint("the labels are %s", strings.Join(schemas.LabelNames, ", "))
		}
		labelsSHA256 = cmp.Or(labelsSHA256, i.LabelsSHA256)
		err := links.CheckPages(w, i.Source, i.Target)
		switch {
		case i.GraphSHA256 != graphSHA256:
			err = fault.New(fault.Mismatch, "it is of graph %s, the release's is %s", fault.Quote(i.GraphSHA256), graphSHA256)
		case i.LabelsSHA256 != labelsSHA256:
			err = fault.New(fault.Mismatch, "it is of labels %s, not of %s", fault.Quote(i.LabelsSHA256), labelsSHA256)
		case err == nil:
			return nil
		}
		return fault.New(fault.Mismatch, "instance %s: %w", fault.Quote(i.ID), err).At(split, "").
			Hint("build the instances again on these labels")
	}
	for _, i := range p.instances {
		if err := check(Instances, i); err != nil {
			return err
		}
	}
	for _, i := range p.infeasible {
		if err := check(Infeasible, i); err != nil {
			return err
		}
	}
	return nil
}
