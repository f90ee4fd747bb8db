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

type stage struct{ params Params }

// New returns the stage. What is wrong with p is an error of Run; p.Validate tells it earlier.
func New(p Params) stages.Stage { return stage{p} }

func (s stage) Spec() stages.Spec {
	return stages.Spec{
		Name:    "mango",
		Version: 4,
		Inputs:  []schemas.Artifact{schemas.Graph, schemas.Nodes, schemas.Leads, schemas.Aliases, schemas.Anchors},
		Outputs: []schemas.Artifact{schemas.Mango},
		Params:  s.params,
	}
}

func (s stage) Run(ctx context.Context, env stages.Env) error {
	if err := s.params.Validate(); err != nil {
		return err
	}
	w, err := openWorld(env, s.params)
	if err != nil {
		return fmt.Errorf("mango: %w", err)
	}
	defer w.close()
	s.params.Observation = w.observation() // as records state it
	env.Count("pages", int64(len(w.pages)))
	meter := env.Meter("walking mazes", "mazes", int64(s.params.Mazes))
	defer meter.Done()
	books := newBooks(s.params.Mazes)
	for k := range s.params.Mazes {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.one(env, w, k, books); err != nil {
			return err
		}
		meter.Add(1)
	}
	if len(books.missing) > 0 && s.params.OnShortage == OnShortageFail {
		return books.err()
	}
	return books.write(env)
}

// one makes and writes maze k, or books that there is none.
func (s stage) one(env stages.Env, w *world, k int, books *books) error {
	m, failures, err := s.params.draw(w, k)
	if err != nil {
		return err
	}
	books.add(nameOf(k), failures, m != nil)
	if m == nil {
		return nil
	}
	record, err := m.write(env)
	if err != nil {
		return fmt.Errorf("mango: %s: %w", m.name, err)
	}
	books.mazes = append(books.mazes, record)
	return nil
}

// nameOf gives the id of maze k.
func nameOf(k int) string { return fmt.Sprintf("maze-%04d", k) }

func usage(format string, args ...any) error {
	return fault.New(fault.Usage, "mango: "+format, args...)
}

// drawn is a maze with all that its files say.
type drawn struct {
	name     string
	params   Params
	attempt  int
	graph    string // digest
	set      *skeleton.Set
	steps    []schemas.MangoStep
	revisits int
	pages    []schemas.MangoPage
	masked   []string
}

// draw takes walks for maze k until one gives a maze. Without one the maze is nil, and failures tells what happened to all of them.
func (p Params) draw(w *world, k int) (m *drawn, failures map[string]int, err error) {
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
func (p Params) attempt(w *world, k, attempt int) (m *drawn, reason string, err error) {
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
	m = &drawn{
		name: nameOf(k), params: p, attempt: attempt, graph: w.SHA256, set: set, steps: walk.observed(links), revisits: walk.revisits(),
		masked: w.texts.masks(),
	}
	for _, u := range walk.pages {
		m.pages = append(m.pages, schemas.MangoPage{Location: w.Title(u), Page: w.PageIDs[u]})
	}
	if step, name, found := namesAnother(m.steps, set.Locations); found {
		return nil, "", fault.New(fault.Failure, "mango: %s: the observation of step %d names %s", m.name, step, fault.Quote(name))
	}
	return m, "", nil
}

// last is T, the number of the last step.
func (m *drawn) last() int { return len(m.steps) - 1 }
