package wikirace

import (
	"fmt"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
	"github.com/wikinav/wikinav/stages/internal/pairs"
)

// instances makes the records of all splits, in the order of splits and slots, without features.
func (s stage) instances(in *pairs.Inputs, drawn *pairs.Drawn) ([]schemas.WikiraceInstance, error) {
	var out []schemas.WikiraceInstance
	for i, split := range s.params.Splits {
		for k, p := range drawn.Pairs[i] {
			instance, err := s.instance(in, p)
			if err != nil {
				return nil, fmt.Errorf("split %s: %w", split.Name, err)
			}
			instance.ID = fmt.Sprintf("wr-%s-%04d", split.Name, k+1)
			instance.Split = split.Name
			out = append(out, instance)
		}
	}
	return out, nil
}

// instance makes a record without its place in a split.
func (s stage) instance(in *pairs.Inputs, p pairs.Pair) (schemas.WikiraceInstance, error) {
	column, err := in.Distances.Column(p.Target)
	if err != nil {
		return schemas.WikiraceInstance{}, err
	}
	witness := graph.Witness(in.Graph.Succ, column, p.Source)
	if len(witness) != p.Distance+1 {
		return schemas.WikiraceInstance{}, fault.New(fault.Mismatch,
			"distance %d from node %d to node %d, but no such path in the graph", p.Distance, p.Source, p.Target)
	}
	source, target := in.Page(p.Source), in.Page(p.Target)
	return schemas.WikiraceInstance{
		Schema:       schemas.WikiraceInstanceSchema,
		Key:          in.Wiki + ":" + rng.Part(source.PageID) + ":" + rng.Part(target.PageID),
		Source:       source,
		Target:       target,
		Distance:     p.Distance,
		Witness:      witness,
		MaxSteps:     s.params.MaxSteps,
		MaxLinks:     s.params.MaxLinks,
		Seed:         s.params.gameSeed(),
		GraphSHA256:  in.Graph.SHA256,
		RecipeSHA256: s.params.RecipeSHA256,
	}, nil
}
