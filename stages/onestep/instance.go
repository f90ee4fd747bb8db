package onestep

import (
	"github.com/wikinav/wikinav/artifacts/menu"
	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages/internal/pairs"
)

// instance freezes the first turn of the default game from the pair's source, overlap apart.
func (s stage) instance(in *pairs.Inputs, id string, p pairs.Pair) (schemas.OneStepInstance, error) {
	distance, err := in.Distances.Column(p.Target)
	if err != nil {
		return schemas.OneStepInstance{}, err
	}
	rule := menu.Rule{Seed: s.params.gameSeed(), Instance: id, MaxLinks: s.params.MaxLinks}
	links := rule.Keep(nil, p.Source, in.Graph.Succ.Row(p.Source), distance)
	rule.Order(1, links)
	inst := schemas.OneStepInstance{
		Schema: schemas.OneStepInstanceSchema, ID: id, Source: in.Page(p.Source), Target: in.Page(p.Target), Distance: p.Distance,
		Best: nearest(links, distance),
	}
	var titles []string
	for i, v := range links {
		titles = append(titles, in.Graph.Title(v))
		inst.Menu = append(inst.Menu, schemas.OneStepLink{I: i, Node: v, Title: titles[i]})
	}
	inst.Messages = prompt.PageMessages(inst.Source.Title, inst.Target.Title, []string{inst.Source.Title}, titles, nil)
	inst.PromptSHA256 = prompt.Hash(inst.Messages)
	return inst, nil
}

// nearest gives the places of all links with the smallest distance.
func nearest(links []uint32, distance []uint8) []uint32 {
	least := schemas.Unreached
	for _, v := range links {
		least = min(least, distance[v])
	}
	var out []uint32
	for i, v := range links {
		if distance[v] == least {
			out = append(out, uint32(i))
		}
	}
	return out
}
