package wikirace

import (
	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/jsonl"
	files "github.com/wikinav/wikinav/artifacts/wikirace"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/schemas"
)

type split struct {
	family.Split
	instances []schemas.WikiraceInstance
}

// splits reads all splits in the order of the release.
func splits(r *open.Release) ([]split, error) {
	go r.World() // while the splits are read
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
		list, err := files.Instances(r.Release, name)
		if err != nil {
			return nil, err
		}
		for i, inst := range list {
			err := seen.Add(inst.ID, name)
			if err == nil {
				err = links.CheckPages(w, inst.Source, inst.Target)
			}
			if err != nil {
				return nil, err.At("splits/"+name+".jsonl", jsonl.Line(i+1))
			}
		}
		out = append(out, split{family.Split{
			Name: name, SHA256: entry.SHA256, Requested: entry.Requested, Got: len(list), Contaminated: trained[name],
		}, list})
	}
	return out, nil
}
