package aar

import (
	"cmp"
	"context"
	"encoding/json"
	"strconv"
	"sync"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/aar/reader"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// Baselines are the players that the family brings along: those of the report of a release, which
// get the same there and here.
func (s *Set) Baselines() []family.Baseline {
	list := []family.Baseline{
		{
			Name: reader.Golden, Kind: schemas.KindOracle, Start: s.golden,
			Says: "makes the calls that the leg was made from, and hands in its digit",
		},
		{Name: reader.Random, Kind: schemas.KindLocal, Says: "draws a digit", Start: randomDigit},
	}
	for _, b := range [][2]string{
		{reader.LastClue, "reads the last clue, and knows the digits of the other legs"},
		{reader.NoFetch, "follows the wordings of clues, searches for pages and reads none"},
		{reader.Paste, "follows the wordings of clues, and opens the first hit of the search for each"},
		{reader.RuleRead, "follows the wordings of clues with an index of pages that no agent has"},
	} {
		list = append(list, family.Baseline{
			Name: b[0], Kind: schemas.KindOracle, Says: b[1], Start: s.strategy(b[0]),
		})
	}
	return list
}

// strategies are the strategies of reader over the legs of a set, which play one leg at a time.
type strategies struct {
	sync.Mutex
	*reader.Set
}

// newStrategies knows the passcodes of all legs of the set, and is built once a strategy plays.
func (s *Set) newStrategies() (*strategies, error) {
	w, err := s.world()
	if err == nil {
		err = s.readAll()
	}
	tape, errTape := aar.ReleasedCassette(s.files)
	if err = cmp.Or(err, errTape); err != nil {
		return nil, err
	}
	// as the report has it: without what the user brought along to answer calls
	set := reader.NewSet(reader.Over(&aar.Tools{World: w, Cassette: tape}), 0)
	for _, l := range s.legs { // counts
		leg, err := l.decode()
		if err != nil {
			return nil, err
		}
		set.Add(leg)
	}
	return &strategies{Set: set}, nil
}

// strategy plays a strategy: it thinks before its first turn, so that games start at once.
func (s *Set) strategy(name string) func(family.Episode, family.Seat) func() (family.Reply, error) {
	return func(_ family.Episode, seat family.Seat) func() (family.Reply, error) {
		plan := sync.OnceValues(func() (*reader.Play, error) { return s.plan(name, seat.Task.Instance) })
		return func() (r family.Reply, err error) {
			p, err := plan()
			switch {
			case err != nil:
				return r, err
			case len(p.Turns) == 0:
				return family.Reply{Answer: &p.Answer}, nil
			}
			for _, c := range p.Turns[0] {
				r.Calls = append(r.Calls, family.Call{Name: c.Tool, Arguments: json.RawMessage(c.Args)})
			}
			p.Turns = p.Turns[1:]
			return r, nil
		}
	}
}

// plan returns what a strategy does at a leg.
func (s *Set) plan(name, instance string) (*reader.Play, error) {
	l, err := s.leg(instance)
	if err != nil {
		return nil, err
	}
	all, err := s.strategies()
	if err != nil {
		return nil, err
	}
	all.Lock()
	defer all.Unlock()
	p, err := all.Play(context.Background(), name, instance, l)
	return &p, err
}

// golden opens the page of every page stop and runs the chain of every tool stop, a stop a turn.
func (s *Set) golden(_ family.Episode, seat family.Seat) func() (family.Reply, error) {
	var stops [][]family.Call
	played := false
	return func() (r family.Reply, err error) {
		l, err := s.leg(seat.Task.Instance)
		if err == nil && !played {
			stops, err = s.goldenCalls(l)
			played = true
		}
		switch {
		case err != nil:
			return r, err
		case len(stops) == 0:
			digit := strconv.Itoa(l.Passcode)
			return family.Reply{Answer: &digit}, nil
		}
		r.Calls, stops = stops[0], stops[1:]
		return r, nil
	}
}

// goldenCalls lists the calls of each stop that has any. What is not offered is left out.
func (s *Set) goldenCalls(l *schemas.AARLeg) (stops [][]family.Call, err error) {
	tools, err := s.tools(schemas.TextLimit)
	if err != nil {
		return nil, err
	}
	for i := range l.Stops {
		var calls []family.Call
		switch stop := &l.Stops[i]; {
		case stop.Type == schemas.AARPage && stop.PageURL != nil:
			args, err := json.Marshal(map[string]string{"url": *stop.PageURL})
			if err != nil {
				return nil, err
			}
			calls = []family.Call{{Name: "fetch_webpage", Arguments: args}}
		case stop.Type == schemas.AARTool:
			calls = chainCalls(tools, stop.Bridge.ToolChain)
		}
		if calls != nil {
			stops = append(stops, calls)
		}
	}
	return stops, nil
}

// chainCalls returns the calls of a chain with what each takes from the outputs before it.
func chainCalls(tools *aar.Tools, chain []schemas.AARCall) (calls []family.Call) {
	outputs := map[string]json.RawMessage{}
	for _, c := range chain {
		args, err := aar.ChainArgs(c.Arguments, outputs)
		if err != nil {
			continue // what it takes from was not offered
		}
		data, err := json.Marshal(args)
		if err != nil {
			continue
		}
		a := tools.Whole(context.Background(), c.ToolName, data)
		if a.Code == aar.NotOffered {
			continue
		}
		outputs[c.OutputKey] = json.RawMessage(aar.ResponseOf([]byte(a.Output)))
		calls = append(calls, family.Call{Name: c.ToolName, Arguments: data})
	}
	return calls
}

// randomDigit draws an answer from the stream of its leg, which is that of the report; further
// attempts have streams of their own.
func randomDigit(_ family.Episode, seat family.Seat) func() (family.Reply, error) {
	of := []string{Family{}.Name(), "player", reader.Random, seat.Task.Instance}
	if seat.Attempt > 1 {
		of = append(of, rng.Part(seat.Attempt))
	}
	digit := strconv.Itoa(rng.New(uint64(seat.Seed), of...).Below(10))
	return func() (family.Reply, error) { return family.Reply{Answer: &digit}, nil }
}
