package catalog

import (
	"github.com/wikinav/wikinav/artifacts/catalog"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// bannedInstances gives the instances under a ban in the order of their ids.
func bannedInstances(env stages.Env) ([]schemas.ConstrainedInstance, error) {
	file, err := stages.Find(env, schemas.Constrained, "instances.jsonl")
	if err != nil {
		return nil, err
	}
	return stages.ReadJSONLines[schemas.ConstrainedInstance](file)
}

func addBanned(env stages.Env, w *catalog.Writer, x *schemas.ConstrainedInstance) error {
	env.Count("instances", 1)
	return w.Row(x.ID, "constrained", "", x.Key, int64(x.Source.Node), int64(x.Target.Node), int64(x.ConstrainedLength), list(x.ConstrainedPath))
}

// addBannedFeatures adds a row in the order of the columns of catalog.ConstrainedFeatures.
func addBannedFeatures(w *catalog.Writer, x *schemas.ConstrainedInstance) error {
	witness := int64(-1)
	if x.BanWitness != nil {
		witness = int64(x.BanWitness.Node)
	}
	return w.Row(x.ID, x.BannedCategory, x.UnlabelledRule, witness, int64(x.BaselineLength), int64(x.ConstrainedLength),
		int64(x.Detour), x.Binding, list(x.BaselinePath), int64(x.BaselineClean[0]), int64(x.BaselineClean[1]),
		int64(x.Unlabelled), orMinus(x.IfForbidden), int64(x.BannedShare[0]), int64(x.BannedShare[1]),
		int64(x.BannedOnShortest[0]), int64(x.BannedOnShortest[1]), int64(x.FeasibleFirst[0]), int64(x.FeasibleFirst[1]),
		truth(x.Compat.Found), int64(x.Compat.Iterations), orMinus(x.Compat.Length))
}

// orMinus gives -1 for no number.
func orMinus(n *int) int64 {
	if n == nil {
		return -1
	}
	return int64(*n)
}
