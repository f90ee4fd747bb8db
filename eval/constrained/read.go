package constrained

import (
	"path"

	files "github.com/wikinav/wikinav/artifacts/constrained"
	"github.com/wikinav/wikinav/artifacts/labels"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

type published struct {
	instances  []schemas.ConstrainedInstance
	infeasible []schemas.ConstrainedInstance
	requested  int
	sha256     map[string]string // by split
	single     bool              // a page counts by its primary label alone
}

func read(r *open.Release) (p published, err error) {
	if p.instances, err = files.Instances(r.Release); err != nil {
		return p, err
	}
	pathless, err := files.Infeasible(r.Release)
	if err != nil {
		return p, err
	}
	for _, x := range pathless {
		p.infeasible = append(p.infeasible, instanceOf(x))
	}
	_, entry := files.Split(r.Release)
	p.requested, p.sha256 = entry.Requested, map[string]string{Instances: entry.SHA256}
	if f, ok := r.Manifest().File(path.Join(name, "infeasible.jsonl")); ok {
		p.sha256[Infeasible] = f.SHA256
	}
	if p.single, err = single(r); err != nil {
		return p, err
	}
	w, err := r.World()
	if err != nil {
		return p, err
	}
	return p, p.check(w, r.Manifest().Graph.SHA256, labels.SHA256(r.Release))
}

// instanceOf returns a pair without a path as an instance: what is played and checked of it.
func instanceOf(x schemas.ConstrainedInfeasible) schemas.ConstrainedInstance {
	return schemas.ConstrainedInstance{
		ID: x.ID, Source: x.Source, Target: x.Target, BannedCategory: x.BannedCategory, UnlabelledRule: x.UnlabelledRule,
		ConstrainedLength: int(schemas.Unreached), Seed: x.Seed, LabelsSHA256: x.LabelsSHA256, GraphSHA256: x.GraphSHA256,
	}
}

// single reads from the funnel, which has the stage's parameters, if a page has one label alone.
func single(r *open.Release) (bool, error) {
	file := path.Join(name, "funnel.json")
	funnel, err := files.Funnel(r.Release)
	if err != nil {
		return false, err
	}
	var params map[string]any
	if err := canon.Decode(funnel.Params, canon.MaxManifest, &params); err != nil {
		return false, fault.New(fault.Malformed, "%w", err).At(file, "params")
	}
	multi, ok := params["multi"].(bool)
	if !ok {
		return false, fault.New(fault.Malformed, "params.multi must be true or false").At(file, "params")
	}
	return !multi, nil
}
