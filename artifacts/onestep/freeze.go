package onestep

import (
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/menu"
	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/schemas"
)

// Freeze enters the first turn of a game from its source into an instance: the menu, its best links
// and the prompt. column is the distances to the target.
func Freeze(x *schemas.OneStepInstance, g *graph.Graph, column []uint8, seed int64, maxLinks int) {
	rule := menu.Rule{Seed: seed, Instance: x.ID, MaxLinks: maxLinks}
	links := rule.Keep(nil, x.Source.Node, g.Succ.Row(x.Source.Node), column)
	rule.Order(1, links)
	x.Menu, x.Best = nil, nearestIn(column, links)
	var titles []string
	for i, v := range links {
		titles = append(titles, g.Title(v))
		x.Menu = append(x.Menu, schemas.OneStepLink{I: i, Node: v, Title: titles[i]})
	}
	word(x, titles)
}

// nearestIn returns the places of all links with the smallest distance.
func nearestIn(column []uint8, links []uint32) (best []uint32) {
	least := schemas.Unreached
	for _, v := range links {
		least = min(least, column[v])
	}
	for i, v := range links {
		if column[v] == least {
			best = append(best, uint32(i))
		}
	}
	return best
}

func word(x *schemas.OneStepInstance, titles []string) {
	x.Messages = prompt.PageMessages(x.Source.Title, x.Target.Title, []string{x.Source.Title}, titles, nil)
	x.PromptSHA256 = prompt.Hash(x.Messages)
}

// NewReport returns the report on what instances share with what models are scored on, before any
// of them is noted. against counts that by its group.
func NewReport(policy string, against map[string]int) schemas.OneStepReport {
	r := schemas.OneStepReport{
		Schema: schemas.OneStepReportSchema, Policy: policy, Contaminated: policy != schemas.OverlapNone,
		Against: against, Kinds: map[string]schemas.OneStepOverlapping{},
	}
	for _, kind := range schemas.OneStepKinds {
		r.Kinds[kind.Name] = schemas.OneStepOverlapping{IDs: []string{}}
	}
	return r
}

// Note enters an instance under each kind of its overlap.
func Note(r *schemas.OneStepReport, x *schemas.OneStepInstance) {
	for _, kind := range schemas.OneStepKinds {
		if !*kind.Of(&x.Overlap) {
			continue
		}
		k := r.Kinds[kind.Name]
		r.Kinds[kind.Name] = schemas.OneStepOverlapping{Count: k.Count + 1, IDs: append(k.IDs, x.ID)}
	}
}
