package wikirace

import (
	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/jsonl"
	files "github.com/wikinav/wikinav/artifacts/wikirace"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/schemas"
)

type split struct {
	family.Split
	tasks  []game.Task
	limits [][2]int // max_steps and max_links of each
}

// add takes of an instance what a game needs: a tenth of it, of which a release may have half a
// million.
func (s *split) add(i *schemas.WikiraceInstance) {
	s.tasks = append(s.tasks, game.Task{ID: i.ID, Source: i.Source, Target: i.Target, Seed: i.Seed, Length: i.Distance})
	s.limits = append(s.limits, [2]int{i.MaxSteps, i.MaxLinks})
}

// splits reads all splits in the order of the release.
func splits(r *open.Release) ([]split, error) {
	r.Ahead(false)
	trained, err := artifacts.Contaminated(r.Release)
	if err != nil {
		return nil, err
	}
	w, err := r.World()
	if err != nil {
		return nil, err
	}
	var out []split
	seen := links.Seen{}
	for _, name := range files.Splits(r.Release) {
		entry := r.Manifest().Splits[name]
		var one split
		err := files.Each(r.Release, name, func(n int, inst *schemas.WikiraceInstance) error {
			err := seen.Add(inst.ID, name)
			if err == nil {
				err = links.CheckPages(w, inst.Source, inst.Target)
			}
			if err != nil {
				return err.At("splits/"+name+".jsonl", jsonl.Line(n))
			}
			one.add(inst)
			return nil
		})
		if err != nil {
			return nil, err
		}
		one.Split = family.Split{
			Name: name, SHA256: entry.SHA256, Requested: entry.Requested, Got: len(one.tasks), Contaminated: trained[name],
		}
		out = append(out, one)
	}
	return out, nil
}

// described reads what makes the instances hard, which only a report asks for.
func described(r *open.Release) (map[string]difficulty, error) {
	out := map[string]difficulty{}
	for _, name := range files.Splits(r.Release) {
		err := files.Each(r.Release, name, func(_ int, inst *schemas.WikiraceInstance) error {
			out[inst.ID] = difficulty{inst.Distance, inst.Features}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
