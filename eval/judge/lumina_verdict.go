package judge

import (
	"slices"

	"github.com/wikinav/wikinav/artifacts/worlds"
	"github.com/wikinav/wikinav/eval/lumina"
	"github.com/wikinav/wikinav/schemas"
)

// luminaVerdict is what one episode counts for.
type luminaVerdict struct {
	inst        *worlds.Instance
	outcome     string
	turns       int
	counted     int // steps whose state before was live
	optimal     int // among counted
	dead        int // steps in a dead state
	deadOptimal int
	queries     int // of a tree, legal
	redundant   int
	onPath      int // queries that a clairvoyant makes, each once
	path        []string
}

func newLuminaVerdict(inst *worlds.Instance) *luminaVerdict {
	return &luminaVerdict{inst: inst, path: slices.Clone(inst.OnPath())}
}

func (v *luminaVerdict) success() bool { return v.outcome == schemas.OutcomeSuccess }

// count books a step; before is the state in which it was made.
func (v *luminaVerdict) count(step schemas.LuminaStep, before worlds.State) {
	v.turns++
	n, good := &v.counted, &v.optimal
	if step.Dead {
		n, good = &v.dead, &v.deadOptimal
	}
	*n++
	if step.Optimal {
		*good++
	}
	if tree, ok := before.(*worlds.Tree); ok && step.Status == schemas.StatusLegal {
		v.countQuery(tree, step)
	}
}

func (v *luminaVerdict) countQuery(tree *worlds.Tree, step schemas.LuminaStep) {
	call, ok := lumina.Parse(schemas.LuminaTree, step.Reply)
	if !ok || call.Name != worlds.GetChildren {
		return
	}
	v.queries++
	if tree.Redundant(call.ID) {
		v.redundant++
	}
	if i := slices.Index(v.path, call.ID); i >= 0 {
		v.onPath++
		v.path = slices.Delete(v.path, i, i+1)
	}
}
