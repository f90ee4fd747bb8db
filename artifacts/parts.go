// Package artifacts lists the parts of a release: the only list of them on the producers' side.
// Programs hand it to package release, which knows no part by name.
package artifacts

import (
	"github.com/wikinav/wikinav/artifacts/aar/reader"
	"github.com/wikinav/wikinav/artifacts/constrained"
	"github.com/wikinav/wikinav/artifacts/labels"
	"github.com/wikinav/wikinav/artifacts/lumina"
	"github.com/wikinav/wikinav/artifacts/mango"
	"github.com/wikinav/wikinav/artifacts/onestep"
	"github.com/wikinav/wikinav/artifacts/probe"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/artifacts/wikirace"
)

// All lists the parts in the order of the data card.
var All = []release.Part{
	wikirace.Part, probe.Part, onestep.Part, constrained.Part, mango.Part, lumina.Part, reader.Part, labels.Part,
}

// Contaminated names the groups of instances, such as the splits, that a release also trains on:
// scores on them are marked.
func Contaminated(r *release.Release) (map[string]bool, error) {
	out := map[string]bool{}
	for _, p := range All {
		c, ok := p.(release.Contaminator)
		files := r.Part(p)
		if !ok || len(files.Names()) == 0 {
			continue
		}
		groups, err := c.Contaminates(files)
		if err != nil {
			return nil, err
		}
		for _, g := range groups {
			out[g] = true
		}
	}
	return out, nil
}
