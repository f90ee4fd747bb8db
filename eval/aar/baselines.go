package aar

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas"
)

// Baselines are the players that the family brings along.
func (s *Set) Baselines() []family.Baseline {
	return []family.Baseline{
		{
			Name: "golden", Kind: schemas.KindOracle, Start: s.golden,
			Says: "makes the calls that the leg was made from, and hands in its digit",
		},
		{Name: "random", Kind: schemas.KindLocal, Says: "draws a digit", Start: randomDigit},
	}
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

// randomDigit draws an answer from the stream of its episode.
func randomDigit(_ family.Episode, seat family.Seat) func() (family.Reply, error) {
	digit := strconv.Itoa(seat.Stream(seat.Task.Instance, strconv.Itoa(seat.Attempt)).Below(10))
	return func() (family.Reply, error) { return family.Reply{Answer: &digit}, nil }
}
