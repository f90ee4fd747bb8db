// Package onestep is the stage that makes the one-step sets: first moves to train on (wikirace
// specification, 8).
//
// It reads the snapshot, the graph, what is known of its nodes, the distance columns, and the
// instances that models are scored on; it writes <set>.jsonl and <set>.parquet for each set,
// quotas.json, and overlap.json, which says for each kind of overlap how many instances share what
// with those, and which.
//
// It promises what package pairs promises of the draw; that the menu of an instance is the one that
// the default game would show on its first turn under the instance's id and seed; that the prompt
// is frozen with it, word for word; and that best names all links nearest to the target, not one of
// them. Under the policy "none" no instance has the pair, the reversed pair or the target of
// anything that is scored. Under "allow" the set is marked as contaminated: the paper ensured such
// overlap, and whoever reproduces it must not score on the splits.
//
// Memory: mapped files, what package pairs needs, and 3 bytes per node.
package onestep

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/onestep"
	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/internal/pairs"
)

const name = "onestep"

// Params is all that decides what the sets are, besides the inputs. The names are those of the
// recipe; a split of the rules is a set.
type Params struct {
	pairs.Rules
	MaxLinks int    `json:"max_links" min:"2"`
	GameSeed *int64 `json:"game_seed"`                         // of the menus; nil stands for Seed
	Overlap  string `json:"overlap" oneof:"none allow ensure"` // one of the schemas.Overlap words
}

// Default returns the set of the specification: 1,000 pairs to train on.
func Default() Params {
	p := Params{Rules: pairs.DefaultRules(), MaxLinks: 50, Overlap: schemas.OverlapNone}
	p.Splits = DefaultSets()
	return p
}

// DefaultSets gives 200 pairs at each distance from 2 to 6.
func DefaultSets() []pairs.Split {
	return []pairs.Split{{Name: "train", Size: 1000, Distances: []int{2, 3, 4, 5, 6}}}
}

// Validate tells, before any work, whether the parameters mean something; its errors are
// fault.Usage.
func (p Params) Validate() error { return p.Rules.Check(name, p) }

// New returns the stage; scored has the instances that models are scored on, as JSON lines with a
// source and a target, and a witness where there is one. What is wrong with p is an error of Run;
// p.Validate tells it earlier.
func New(p Params, scored ...schemas.Artifact) stages.Stage {
	p.GameSeed = cmp.Or(p.GameSeed, &p.Seed)
	p.Rules = p.Rules.Own()
	return stages.Make(stages.Spec{
		Name: name, Version: 3, Inputs: append(pairs.Artifacts(), scored...), Outputs: []schemas.Artifact{schemas.OneStep},
		Params: keyed{p, prompt.SHA256},
	}, func(ctx context.Context, env *stages.Run) error { return p.run(ctx, env, scored) })
}

// keyed is what the stage's key is made of: another wording of the prompt makes other files.
type keyed struct {
	Params
	PromptSHA256 string `json:"prompt_template_sha256"`
}

func (p Params) run(ctx context.Context, env *stages.Run, artifacts []schemas.Artifact) error {
	in, field, err := pairs.OpenField(ctx, env, p.Ends)
	if err != nil {
		return err
	}
	scored, err := readScored(env, artifacts, in.Graph.Len())
	if err != nil {
		return err
	}
	// A matching may take wanted pairs apart.
	sampler := pairs.Sampler{
		Name: name, Rules: p.Rules, Field: field, Match: p.Overlap != schemas.OverlapEnsure,
	}
	switch p.Overlap {
	case schemas.OverlapNone:
		sampler.Barred = scored.bars
	case schemas.OverlapEnsure:
		sampler.Wanted = scored.games
	}
	drawn, err := sampler.Draw(ctx, env)
	if err != nil {
		return err
	}
	return p.write(ctx, env, in, scored, drawn)
}

func (p Params) write(ctx context.Context, env stages.Env, in *pairs.Inputs, scored *scored, drawn *pairs.Drawn) error {
	report := onestep.NewReport(p.Overlap, scored.counts)
	for i, set := range p.Splits {
		var list []schemas.OneStepInstance
		for k, pair := range drawn.Pairs[i] {
			if err := ctx.Err(); err != nil {
				return err
			}
			inst, err := p.instance(in, fmt.Sprintf("os-%s-%04d", set.Name, k+1), pair)
			if err != nil {
				return err
			}
			inst.Overlap = scored.overlaps(pair.Source, pair.Target)
			list = append(list, inst)
			onestep.Note(&report, &inst)
		}
		env.Count("accepted_"+set.Name, int64(len(list)))
		slices.SortFunc(list, func(a, b schemas.OneStepInstance) int { return strings.Compare(a.ID, b.ID) }) // ids of five digits
		if err := stages.WriteRecords(env, set.Name, onestep.Table, list); err != nil {
			return err
		}
	}
	for _, kind := range schemas.OneStepKinds {
		env.Count("overlap_"+kind.Name, int64(report.Kinds[kind.Name].Count))
	}
	if err := stages.WriteQuotas(env, pairs.Quotas(drawn.Shortage)); err != nil {
		return err
	}
	return env.Write(onestep.OverlapFile, stages.Canonical(report))
}

// instance freezes the first turn of the default game from the pair's source, overlap apart.
func (p Params) instance(in *pairs.Inputs, id string, pair pairs.Pair) (schemas.OneStepInstance, error) {
	distance, err := in.Distances.Column(pair.Target)
	if err != nil {
		return schemas.OneStepInstance{}, err
	}
	inst := schemas.OneStepInstance{
		Schema: schemas.OneStepInstanceSchema, ID: id,
		Source: in.Page(pair.Source), Target: in.Page(pair.Target), Distance: pair.Distance,
	}
	onestep.Freeze(&inst, in.Graph, distance, *p.GameSeed, p.MaxLinks)
	return inst, nil
}
