package release

import (
	"encoding/json"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Endpoints reports of each node whether the recipe of the graph lets its page be a source or a
// target.
func (r *Release) Endpoints() ([]bool, error) {
	var recipe struct {
		Graph schemas.Recipe `json:"graph"`
	}
	if err := json.Unmarshal(wholeRecipe(r.m.Recipe), &recipe); err != nil {
		return nil, fault.New(fault.Malformed, "%w", err).At(ManifestName, "recipe")
	}
	none := recipe.Graph.NoEndpointFlags()
	f, err := r.file(nodesPath)
	if err != nil {
		return nil, err
	}
	var may []bool
	flags := schemas.ReleaseNodesTable.Index("flags")
	for t, err := range arrowio.Groups(r.root, nodesPath, schemas.ReleaseNodesTable, f.digestOf()) {
		if err != nil {
			return nil, err
		}
		for _, of := range t.Uint16s(0, flags) {
			may = append(may, of&none == 0)
		}
	}
	return may, nil
}
