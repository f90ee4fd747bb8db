// Package mango is the stage that makes mazes out of the link graph, and what the program does with mazes of others: import,
// statistics, questions (mango specification).
//
// A maze is a short walk over links: the walked links, and the reverse of a walked link where that is a link, too. Moves are
// compass directions, so that neither title nor anchor gives an answer away. The stage reads the graph, what is known of its
// nodes, their leads and their aliases; it writes, for each maze, the files of the published MANGO layout and those that this
// layout has no room for, and for all mazes mazes.jsonl, mazes.parquet, questions.parquet and quotas.json.
//
// It promises that
//   - every move is a link of the graph: a reverse is imputed only where the graph has it;
//   - maze k draws from streams named by k and attempt, so that neither workers nor other mazes change it;
//   - arriving by a direction, the opposite leads back exactly if it is listed among the exits;
//   - no observation holds the title of another location: leads have blanks for titles, aliases, the wording of links between
//     locations, and all of them without the parenthesis at their end;
//   - a walk that fails is counted by its reason, and a maze that no attempt gives is in quotas.json, in the counters and a
//     warning; nothing else takes its place.
//
// It never induces a subgraph: twenty neighbouring pages have more simple paths than anybody could read.
//
// Readings of the specification, where it leaves a choice: the first page is drawn from the pages that could also be visited
// later; pages are refused, beyond the listed reasons, if title and fixed text of an observation could be confused (the title of
// one location inside that of another, a page called North); the anchors that are masked are those of links from any location
// to another, and a build without them says in its records that they were not; there is no anchor mode; a graph without any lead is shown by names, with a warning, and its records say so; the revisit share
// is a percentage, because artifacts hold no fractions.
//
// Memory: the mapped graph and texts, 38 bytes per node, 4 to 8 per alias, and one maze at a time. Time: under a second per maze.
package mango

import (
	"context"
	"errors"
	"fmt"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/mango/skeleton"
)

const name = "mango"

// New returns the stage. What is wrong with p is an error of Run; p.Validate tells it earlier.
func New(p Params) stages.Stage {
	return stages.Make(stages.Spec{
		Name: name, Version: 4,
		Inputs:  []schemas.Artifact{schemas.Graph, schemas.Nodes, schemas.Leads, schemas.Aliases, schemas.Anchors},
		Outputs: []schemas.Artifact{schemas.Mango}, Params: p,
	}, p.run)
}

func (p Params) run(ctx context.Context, env *stages.Run) error {
	w, err := openWorld(env, p)
	if err != nil {
		return fmt.Errorf("mango: %w", err)
	}
	p.Observation = w.observation() // as records state it
	env.Count("pages", int64(len(w.pages)))
	meter := env.Meter("walking mazes", "mazes", int64(p.Mazes))
	defer meter.Done()
	books := newBooks(p.Mazes)
	for k := range p.Mazes {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.one(env, w, k, books); err != nil {
			return err
		}
		meter.Add(1)
	}
	if len(books.missing) > 0 && p.OnShortage == OnShortageFail {
		return books.err()
	}
	return books.write(env)
}

// one makes and writes maze k, or books that there is none.
func (p Params) one(env stages.Env, w *world, k int, books *books) error {
	m, failures, err := p.draw(w, k)
	if err != nil {
		return err
	}
	books.add(nameOf(k), failures, m != nil)
	if m == nil {
		return nil
	}
	if err := m.write(env); err != nil {
		return fmt.Errorf("mango: %s: %w", m.set.Maze, err)
	}
	books.mazes = append(books.mazes, m.record)
	return nil
}

func nameOf(k int) string { return fmt.Sprintf("maze-%04d", k) }

// draw takes walks for maze k until one gives a maze. Without one the maze is nil, and failures tells what happened to all of them.
func (p Params) draw(w *world, k int) (m *published, failures map[string]int, err error) {
	if len(w.pages) < p.N {
		return nil, map[string]int{failPages: 1}, nil
	}
	failures = map[string]int{}
	for attempt := range p.MaxAttempts {
		m, reason, err := p.attempt(w, k, attempt)
		if err != nil || m != nil {
			return m, failures, err
		}
		failures[reason]++
	}
	return nil, failures, nil
}

// attempt takes one walk, with a stream of its own, and makes the maze; m is nil where the walk is to be thrown away.
func (p Params) attempt(w *world, k, attempt int) (m *published, reason string, err error) {
	stream := rng.New(uint64(p.Seed), "mango", "maze", rng.Part(k), rng.Part(attempt))
	walk, reason := p.take(w, stream)
	if walk == nil {
		return nil, reason, nil
	}
	links := walk.links()
	if !label(links, stream) {
		return nil, failLabels, nil
	}
	set, err := skeleton.Make(nameOf(k), walk.edges(links), skeleton.Bounds{MaxPaths: p.DFCap, MaxLen: p.DFMaxLen})
	if errors.Is(err, skeleton.ErrTooManyPaths) {
		return nil, failPaths, nil
	}
	if err != nil {
		return nil, "", err
	}
	steps := walk.observed(links)
	if step, name, found := namesAnother(steps, set.Locations); found {
		return nil, "", fault.New(fault.Failure, "mango: %s: the observation of step %d names %s", set.Maze, step, fault.Quote(name))
	}
	last := len(steps) - 1
	r := recordOf(set, schemas.MangoWikipedia)
	r.Params, r.Seed, r.Attempt, r.GraphSHA256, r.Masked = &p.MangoMazeParams, &p.Seed, &attempt, &w.SHA256, w.texts.masks()
	r.LastStep, r.RevisitShare = &last, &schemas.Ratio{Num: int64(walk.revisits()), Den: int64(last)}
	for _, u := range walk.pages {
		r.Pages = append(r.Pages, schemas.MangoPage{Location: w.Title(u), Page: w.PageIDs[u]})
	}
	return &published{
		set: set, steps: steps, walkthrough: walkthroughOf(steps), record: r, sampled: sample(set, p.Seed, last, p.DFBudget),
	}, "", nil
}

// What a shortage of mazes does.
const (
	OnShortageShort = "short" // the stage succeeds with what it found and reports the rest
	OnShortageFail  = "fail"  // the stage fails
)

// Params is all that decides which mazes are made, beside the inputs. The names are those of the recipe.
type Params struct {
	Seed  int64 `json:"seed"`
	Mazes int   `json:"mazes" min:"0" max:"10000"`
	schemas.MangoMazeParams
	OnShortage string `json:"on_shortage" oneof:"short fail"`
}

// Default gives the parameters of the specification (6.7).
func Default() Params {
	return Params{
		Seed: 42, Mazes: 10, OnShortage: OnShortageShort,
		MangoMazeParams: schemas.MangoMazeParams{
			N: 20, MinSteps: 25, MaxSteps: 50, RevisitPercent: 30, DFMaxLen: 8, DFCap: 100_000, DFBudget: 2_000,
			MaxTitle: 80, MaxAttempts: 200, SkipGeneric: true, Observation: schemas.MangoObserveLead,
			LeadChars: 300,
		},
	}
}

// Validate tells, before any work, whether the parameters mean something; its errors are fault.Usage.
func (p Params) Validate() error {
	if err := stages.Check(name, p); err != nil {
		return err
	}
	switch {
	case p.MinSteps > p.MaxSteps:
		return stages.Usage(name, "min_steps = %d is more than max_steps = %d", p.MinSteps, p.MaxSteps)
	case p.MaxSteps < p.N-1:
		return stages.Usage(name, "max_steps = %d cannot visit n = %d locations", p.MaxSteps, p.N)
	}
	return nil
}
