package wikirace

import (
	"fmt"

	"github.com/wikinav/wikinav/artifacts"
	files "github.com/wikinav/wikinav/artifacts/wikirace"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// split is a split with its instances.
type split struct {
	name, sha256 string
	requested    int
	contaminated bool
	instances    []schemas.WikiraceInstance
}

// splits reads all splits in the order of the release.
func splits(r *open.Release) ([]split, error) {
	trained, err := artifacts.Contaminated(r.Release)
	if err != nil {
		return nil, err
	}
	w, err := r.World()
	if err != nil {
		return nil, err
	}
	var out []split
	for _, name := range files.Splits(r.Release) {
		entry := r.Manifest().Splits[name]
		s := split{name: name, sha256: entry.SHA256, requested: entry.Requested, contaminated: trained[name]}
		if s.instances, err = files.Instances(r.Release, name); err != nil {
			return nil, err
		}
		for _, inst := range s.instances {
			if err := checkEnds(w, name, inst); err != nil {
				return nil, err
			}
		}
		out = append(out, s)
	}
	return out, nil
}

// checkEnds refuses an instance whose pages are not those of the graph: a game would be about other
// pages than its record says.
func checkEnds(w *open.World, split string, inst schemas.WikiraceInstance) error {
	for _, p := range []schemas.PageRef{inst.Source, inst.Target} {
		if int64(p.Node) >= int64(w.Len()) || w.PageID(p.Node) != p.PageID || w.Title(p.Node) != p.Title {
			return fault.New(fault.Mismatch, "node %d is not page %d, %s", p.Node, p.PageID, fault.Quote(p.Title)).
				At("splits/"+split+".jsonl", fmt.Sprintf("instance %s", inst.ID))
		}
	}
	return nil
}
