package onestep

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

// scored knows the instances that models are scored on.
type scored struct {
	counts  map[string]int // by the name of their file
	pairs   map[[2]uint32]bool
	games   [][2]uint32 // pairs with a witness, which are played over several turns, in the order of their files
	sources []bool      // by node
	targets []bool
	witness []bool
}

func readScored(env stages.Env, artifacts []schemas.Artifact, nodes int) (*scored, error) {
	s := &scored{
		counts: map[string]int{}, pairs: map[[2]uint32]bool{},
		sources: make([]bool, nodes), targets: make([]bool, nodes), witness: make([]bool, nodes),
	}
	for _, a := range artifacts {
		files, err := env.Input(a)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			if path.Ext(f.Name) != ".jsonl" {
				continue
			}
			if err := s.read(f); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// read adds the pairs of a file, of whatever family; the group is the file's name without its
// ending.
func (s *scored) read(f stages.File) error {
	data, err := f.Read()
	if err != nil {
		return err
	}
	n := 0
	for line := range bytes.Lines(data) {
		n++
		var pair struct {
			ID      string           `json:"id"`
			Source  *schemas.PageRef `json:"source"`
			Target  *schemas.PageRef `json:"target"`
			Witness []uint32         `json:"witness"`
		}
		if err := json.Unmarshal(line, &pair); err != nil || pair.Source == nil || pair.Target == nil {
			return fault.New(fault.Mismatch, "not a record with a source and a target").At(f.Name, fmt.Sprintf("line %d", n))
		}
		if err := s.add(strings.TrimSuffix(f.Name, ".jsonl"), pair.ID, pair.Source.Node, pair.Target.Node, pair.Witness); err != nil {
			return err
		}
	}
	return nil
}

func (s *scored) add(group, id string, source, target uint32, witness []uint32) error {
	for _, u := range append([]uint32{source, target}, witness...) {
		if int64(u) >= int64(len(s.sources)) {
			return fault.New(fault.Mismatch, "%s: node %d in a graph of %d nodes", id, u, len(s.sources)).At(group+".jsonl", "")
		}
	}
	s.counts[group]++
	s.pairs[[2]uint32{source, target}] = true
	s.sources[source], s.targets[target] = true, true
	if len(witness) > 0 {
		s.games = append(s.games, [2]uint32{source, target})
	}
	for _, u := range witness {
		s.witness[u] = true
	}
	return nil
}

// overlaps tells what a pair shares with what is scored.
func (s *scored) overlaps(source, target uint32) schemas.OneStepOverlaps {
	return schemas.OneStepOverlaps{
		Pair:               s.pairs[[2]uint32{source, target}],
		ReversedPair:       s.pairs[[2]uint32{target, source}],
		Source:             s.sources[source],
		Target:             s.targets[target],
		SourceIsEvalTarget: s.targets[source],
		TargetIsEvalSource: s.sources[target],
		SourceOnWitness:    s.witness[source],
	}
}

// bars is the policy "none".
func (s *scored) bars(source, target uint32) bool {
	o := s.overlaps(source, target)
	return o.Pair || o.ReversedPair || o.Target
}
