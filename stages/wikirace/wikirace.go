// Package wikirace is the stage that makes the instances of the first family: pairs of pages at a
// given distance, in splits of given sizes, each with the features that say why it is hard.
//
// It reads the snapshot's name, the graph, what is known of its nodes, and the distance columns; it
// writes <split>.jsonl for each split, instances in the order of their slots with ids that count
// from 0001, and quotas.json, which says for each split and distance what was asked for and found.
//
// The files of listed pairs that a build has are splits of their own, with ids in the order of
// their rows; neither filters nor reuse rule hold for them, and nothing is drawn otherwise because
// of them. <split>.rows has the rows without an instance of their own: repetitions, and pairs
// without a game.
//
// It promises what package pairs promises of the draw, and that every feature is exact (package
// difficulty), walks simulated on demand apart: nothing in the files depends on the machine or its
// workers. Ids count the stored instances, so that they have no gaps where slots stayed empty.
//
// Memory: the distance columns mapped, and per worker 160 bytes per node and 4 per link of the
// menus for features. Time: nearly all of it is the random walks, 2 x max_steps additions per edge
// and instance. The parameters that change an id, a menu or a walk change features, so another seed
// computes all of them anew.
package wikirace

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/wikirace"
	"github.com/wikinav/wikinav/artifacts/wikirace/difficulty"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/internal/pairs"
)

const name = "wikirace"

// New returns the stage. What is wrong with p is an error of Run; p.Validate tells it earlier.
func New(p Params) stages.Stage {
	// A seed that is said and one that is meant are one key.
	p.GameSeed = cmp.Or(p.GameSeed, &p.Seed)
	p.Rules = p.Rules.Own()
	return stages.Make(stages.Spec{
		Name: name, Version: 4, Inputs: pairs.Artifacts(), Outputs: []schemas.Artifact{schemas.Wikirace}, Params: p,
	}, p.run)
}

func (p Params) run(ctx context.Context, env *stages.Run) error {
	in, field, err := pairs.OpenField(ctx, env, p.Ends)
	if err != nil {
		return err
	}
	sampler := pairs.Sampler{Name: name, Rules: p.Rules, Field: field}
	drawn, err := sampler.Draw(ctx, env)
	if err != nil {
		return err
	}
	splits, err := p.instances(in, drawn)
	if err != nil {
		return err
	}
	if splits, err = p.addListed(env, in, splits); err != nil {
		return err
	}
	if err := p.addFeatures(ctx, env, in, splits); err != nil {
		return err
	}
	quotas := pairs.Quotas(drawn.Shortage)
	for _, s := range splits {
		if err := s.write(ctx, env); err != nil {
			return err
		}
		quotas = append(quotas, s.quotas...)
	}
	return stages.WriteQuotas(env, quotas)
}

// made is a split while it is made.
type made struct {
	split     string
	instances []schemas.WikiraceInstance
	rows      []schemas.ListedRow // of a file of listed pairs that are no instances; nil of a drawn split
	quotas    []schemas.Quota     // of a split of listed pairs
}

// instances makes the records of all splits, in the order of splits and slots, without features.
func (p Params) instances(in *pairs.Inputs, drawn *pairs.Drawn) (out []made, err error) {
	for i, split := range p.Splits {
		one := made{split: split.Name}
		for k, drawn := range drawn.Pairs[i] {
			instance, err := p.instance(in, drawn)
			if err != nil {
				return nil, fmt.Errorf("split %s: %w", split.Name, err)
			}
			instance.Split, instance.ID = split.Name, idOf(split.Name, k)
			one.instances = append(one.instances, instance)
		}
		out = append(out, one)
	}
	return out, nil
}

// idOf names the instance in the k'th place of a split.
func idOf(split string, k int) string { return fmt.Sprintf("wr-%s-%04d", split, k+1) }

// instance makes a record without its place in a split.
func (p Params) instance(in *pairs.Inputs, pair pairs.Pair) (schemas.WikiraceInstance, error) {
	column, err := in.Distances.Column(pair.Target)
	if err != nil {
		return schemas.WikiraceInstance{}, err
	}
	witness := graph.Witness(in.Graph.Succ, column, pair.Source)
	if len(witness) != pair.Distance+1 {
		return schemas.WikiraceInstance{}, fault.New(fault.Mismatch,
			"distance %d from node %d to node %d, but no such path in the graph", pair.Distance, pair.Source, pair.Target)
	}
	source, target := in.Page(pair.Source), in.Page(pair.Target)
	return schemas.WikiraceInstance{
		Schema:       schemas.WikiraceInstanceSchema,
		Key:          in.Wiki + ":" + rng.Part(source.PageID) + ":" + rng.Part(target.PageID),
		Source:       source,
		Target:       target,
		Distance:     pair.Distance,
		Witness:      witness,
		MaxSteps:     p.MaxSteps,
		MaxLinks:     p.MaxLinks,
		Seed:         *p.GameSeed,
		GraphSHA256:  in.Graph.SHA256,
		RecipeSHA256: p.RecipeSHA256,
	}, nil
}

// addFeatures fills in the features of all instances. Workers take batches of neighbours; which
// worker has which, and when, shows nowhere, because each writes into the slots of its batch.
func (p Params) addFeatures(ctx context.Context, env stages.Env, in *pairs.Inputs, splits []made) error {
	var batches [][]schemas.WikiraceInstance
	total := 0
	for _, s := range splits {
		total += len(s.instances)
		batches = slices.AppendSeq(batches, slices.Chunk(s.instances, difficulty.Batch))
	}
	meter := env.Meter("features", "instances", int64(total))
	defer meter.Done()
	game := difficulty.Game{Seed: *p.GameSeed, MaxSteps: p.MaxSteps, MaxLinks: p.MaxLinks, Simulate: p.RW == schemas.RWSim}
	kits := make([]*difficulty.Kit, max(1, env.Workers()))
	return graph.Each(ctx, len(kits), len(batches), func(worker, i int) error {
		if kits[worker] == nil {
			kits[worker] = difficulty.NewKit(in.Graph.Succ, in.Graph.Pred, game)
		}
		defer meter.Add(int64(len(batches[i])))
		return addBatch(kits[worker], in, batches[i])
	})
}

func addBatch(kit *difficulty.Kit, in *pairs.Inputs, batch []schemas.WikiraceInstance) error {
	list := make([]difficulty.Pair, len(batch))
	for i, inst := range batch {
		column, err := in.Distances.Column(inst.Target.Node)
		if err != nil {
			return err
		}
		list[i] = difficulty.Pair{ID: inst.ID, Column: column, Witness: inst.Witness}
	}
	for i, f := range kit.Features(list) {
		batch[i].Features = f
	}
	return nil
}

// write writes the files of a split, ordered by id: those of five digits follow their first four.
func (s made) write(ctx context.Context, env stages.Env) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	n := len(s.instances)
	env.Count("accepted_"+s.split, int64(n))
	slices.SortFunc(s.instances, func(a, b schemas.WikiraceInstance) int { return strings.Compare(a.ID, b.ID) })
	if err := stages.WriteRecords(env, s.split, wikirace.Table, s.instances); err != nil {
		return err
	}
	if err := env.Write(s.split+".ids", stages.Lines(wikirace.IDs(s.instances), n)); err != nil {
		return err
	}
	if s.rows == nil {
		return nil
	}
	for _, r := range s.rows {
		env.Count(wikirace.RowCounter(s.split, r.Reason), 1)
	}
	return env.Write(s.split+wikirace.RowsEnding, stages.JSONLines(s.rows))
}

// Split is a set of instances.
type Split = pairs.Split

// Params is all that decides what the instances are, besides the inputs. The names are those of the
// recipe.
type Params struct {
	pairs.Rules
	MaxSteps     int    `json:"max_steps" min:"1"`
	MaxLinks     int    `json:"max_links" min:"2"`
	GameSeed     *int64 `json:"game_seed"`                // of the game's menus; nil stands for Seed
	RW           string `json:"rw" oneof:"exact sim"`     // how chances of random walks are found: schemas.RWExact or RWSim
	RecipeSHA256 string `json:"recipe_sha256" recipe:"-"` // of the graph recipe, copied to each instance
}

// Default gives the parameters of the published splits. The recipe's digest is left to the caller.
func Default() Params {
	p := Params{Rules: pairs.DefaultRules(), MaxSteps: 30, MaxLinks: 50, RW: schemas.RWExact}
	p.Splits = PublishedSplits()
	return p
}

// PublishedSplits gives the splits whose names are reserved.
func PublishedSplits() []Split {
	return []Split{
		{Name: "easy", Size: 200, Distances: []int{3, 4}},
		{Name: "medium", Size: 150, Distances: []int{5, 6}},
		{Name: "hard", Size: 100, Distances: []int{7, 8}},
	}
}

// Under takes over what the graph's recipe decides: pages that are no ends, and its digest.
func (p *Params) Under(graph schemas.Recipe) {
	p.Ends.Under(graph)
	p.RecipeSHA256 = digest.SHA256(canon.MustMarshal(graph))
}

// Validate tells, before any work, whether the parameters mean something; its errors are
// fault.Usage.
func (p Params) Validate() error {
	if err := p.Rules.Check(name, p); err != nil {
		return err
	}
	if !digestPattern.MatchString(p.RecipeSHA256) {
		return stages.Usage(name, "recipe_sha256 is %s, not 64 hexadecimal digits", fault.Quote(p.RecipeSHA256))
	}
	return reservedNames(p.Splits)
}

// CheckListed refuses the name of a split of listed pairs that another split has or may have.
func (p Params) CheckListed(split string) error {
	if err := pairs.CheckName(name, split); err != nil {
		return err
	}
	same := func(s Split) bool { return s.Name == split }
	if slices.ContainsFunc(p.Splits, same) || slices.ContainsFunc(PublishedSplits(), same) {
		return stages.Usage(name, "a split of listed pairs called %s, as a split that is drawn", split).
			Hint("give it another name, such as %s_pairs", split)
	}
	return nil
}

var digestPattern = regexp.MustCompile(`^[0-9a-f]{64}$`)

// reservedNames refuses splits that bear a published name and are something else.
func reservedNames(splits []Split) error {
	for _, s := range splits {
		for _, p := range PublishedSplits() {
			if s.Name == p.Name && (s.Size != p.Size || !slices.Equal(s.Distances, p.Distances)) {
				return stages.Usage(name, "split %s is always %d instances at distances %v", p.Name, p.Size, p.Distances).
					Hint("give a split of another size or other distances a name of its own")
			}
		}
	}
	return nil
}
