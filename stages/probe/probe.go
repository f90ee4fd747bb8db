// Package probe is the stage that draws the knowledge probe: does this page link to that one (wikirace specification,
// 7)? A model that answers well knows the links; what it gains beyond that in a game is planning.
//
// It reads the snapshot, the graph, what is known of its nodes, and the distance columns; it writes probe.jsonl, the
// pairs of each class in the order of their slots, probe.parquet, and quotas.json, one quota per class. The classes exclude each other, so a pair that is unique in its class is unique in the probe.
//
// It promises that
//   - source and target pass the filters, and the target is a member of the target set in every class, so that the
//     kind of target gives no hint of the answer;
//   - each attempt has a random stream of its own, named by class, slot and attempt: the result depends on nothing else;
//   - a slot that attempts do not fill is filled from all pairs of its class that are left, so that within
//     exhaustive_pairs "short" means that none was; and nothing is short in silence.
//
// Memory: mapped files; 8 bytes for each pair that is left in a class that attempts could not fill, which are then
// few. Time: an attempt looks at a byte of each column, and in three classes at the target's links.
package probe

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/probe"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/internal/pairs"
)

const name = "probe"

// Params is all that decides what is drawn, beside the inputs. The names are those of the recipe.
type Params struct {
	Seed int64 `json:"seed"`
	Size int   `json:"size" min:"1"` // pairs of each class
	pairs.Ends
	pairs.Effort
}

// Default returns the parameters of the specification.
func Default() Params {
	return Params{Seed: 42, Size: 200, Ends: pairs.DefaultEnds(), Effort: pairs.DefaultEffort()}
}

// Validate tells, before any work, whether the parameters mean something; its errors are
// fault.Usage.
func (p Params) Validate() error {
	if p.MaxAttempts < 1 { // without any, all pairs would be listed
		return stages.Usage(name, "max_attempts is %d, want 1 or more", p.MaxAttempts)
	}
	return p.Ends.Check(name, p)
}

// New returns the stage. What is wrong with p is an error of Run; p.Validate tells it earlier.
func New(p Params) stages.Stage {
	return stages.Make(stages.Spec{
		Name: name, Version: 3, Inputs: pairs.Artifacts(), Outputs: []schemas.Artifact{schemas.Probe}, Params: p,
	}, p.run)
}

func (p Params) run(ctx context.Context, env *stages.Run) error {
	in, field, err := pairs.OpenField(ctx, env, p.Ends)
	if err != nil {
		return err
	}
	list, reports, err := p.drawAll(ctx, env, in, field)
	if err != nil {
		return err
	}
	slices.SortFunc(list, func(a, b schemas.ProbeInstance) int { return strings.Compare(a.ID, b.ID) }) // ids of five digits
	if err := stages.WriteRecords(env, name, probe.Table, list); err != nil {
		return err
	}
	return stages.WriteQuotas(env, pairs.Quotas(reports))
}

// drawAll draws class by class.
func (p Params) drawAll(ctx context.Context, env stages.Env, in *pairs.Inputs, field pairs.Field) ([]schemas.ProbeInstance, []pairs.Report, error) {
	meter := env.Meter("drawing pairs", "pairs", int64(p.Size*len(classes)))
	defer meter.Done()
	rules := pairs.Rules{Seed: p.Seed, Sample: pairs.SourceFirst, Reuse: pairs.ReuseAny, Effort: p.Effort, MatchingPairs: -1}
	sampler := pairs.Sampler{Name: name, Rules: rules, Field: field}
	var kinds []pairs.Kind
	for _, c := range classes {
		kinds = append(kinds, c.kind(in.Graph.Succ))
	}
	drawn, err := sampler.DrawKinds(ctx, kinds, p.Size, meter.Add)
	if err != nil {
		return nil, nil, err
	}
	var list []schemas.ProbeInstance
	for i, c := range classes {
		for k, pair := range drawn.Pairs[i] {
			inst, err := record(in, c, k, pair)
			if err != nil {
				return nil, nil, err
			}
			list = append(list, inst)
		}
		env.Count("attempts", int64(drawn.Shortage[i].Attempts))
		env.Count("accepted_"+c.name, int64(len(drawn.Pairs[i])))
	}
	if p.OnShortage == pairs.OnShortageFail {
		return list, drawn.Shortage, pairs.ShortageError(name, drawn.Shortage)
	}
	return list, drawn.Shortage, nil
}

func record(in *pairs.Inputs, c class, i int, p pairs.Pair) (schemas.ProbeInstance, error) {
	column, err := in.Distances.Column(p.Target)
	if err != nil {
		return schemas.ProbeInstance{}, err
	}
	return schemas.ProbeInstance{
		Schema: schemas.ProbeInstanceSchema, ID: fmt.Sprintf("pr-%s-%04d", c.name, i+1), Class: c.name,
		Source: in.Page(p.Source), Target: in.Page(p.Target), Gold: c.gold, Distance: int(column[p.Source]),
		Mutual: c.name == schemas.ProbeConnected && linksTo(in.Graph.Succ, p.Target, p.Source),
	}, nil
}

// class is a kind of pairs. Distance 0 stands for any but 1.
type class struct {
	name     string
	gold     string
	distance int
	back     *bool // whether the target links to the source; nil where that is open
}

// classes in the order of schemas.ProbeClasses.
var classes = []class{
	{schemas.ProbeConnected, schemas.GoldYes, 1, nil},
	{schemas.ProbeD2, schemas.GoldNo, 2, new(false)},
	{schemas.ProbeD3, schemas.GoldNo, 3, new(false)},
	{schemas.ProbeD4, schemas.GoldNo, 4, new(false)},
	{schemas.ProbeReversed, schemas.GoldNo, 0, new(true)},
}

// kind says which pairs are of the class: of different pages, with a path, and with a link back
// where one is wanted. The byte of the column comes first: it decides most. A graph of several
// components has pairs without a path, which the question is not about.
func (c class) kind(succ graph.CSR) pairs.Kind {
	k := pairs.Kind{Name: c.name, Distance: c.distance, What: pairs.What{Over: uint8(c.distance)}}
	if c.distance == 0 {
		k.Over, k.Other = 1, true
	}
	if c.back != nil {
		k.Also = func(source uint32, t *pairs.Target) bool {
			return source != t.Node && t.Column[source] != schemas.Unreached && linksTo(succ, t.Node, source) == *c.back
		}
	}
	return k
}

func linksTo(succ graph.CSR, from, to uint32) bool {
	_, found := slices.BinarySearch(succ.Row(from), to)
	return found
}
