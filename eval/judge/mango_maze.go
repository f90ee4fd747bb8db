package judge

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// MangoMaze is a maze as the judge sees it: its edges, by normalised move, and its questions.
type MangoMaze struct {
	ID        string
	next      map[string]map[string][]string // location, move: destinations, ascending
	moves     []string                       // of the whole maze, ascending
	byNorm    map[string][]string            // normalised name: locations
	skeletons map[string]*mangoSkeleton      // by id
}

// mangoSkeleton is a question without its words, with the prefixes from which it can be answered and is easy.
type mangoSkeleton struct {
	task     string
	src, dst string
	actions  []string // df
	schemas.MangoLabels
	shortest, shortestAnswerable int // rf
}

// class tells what the skeleton is to a reader of the steps up to n (specification 4.5).
func (s *mangoSkeleton) class(n int, rule string) string {
	answerable, easy := s.MinStepTotalAnswerable <= n, s.MinStepForwardAnswerable <= n
	switch {
	case rule == schemas.MangoRulePaper2023:
		answerable, easy = s.MinStepTotal <= n, s.MinStepForward < schemas.MangoNever
		if s.task == schemas.MangoRF {
			easy = s.shortest < schemas.MangoNever
		}
	case rule == schemas.MangoRulePaper && s.task == schemas.MangoRF:
		easy = s.shortestAnswerable <= n
	}
	switch {
	case !answerable:
		return schemas.MangoUnanswerable
	case easy:
		return schemas.MangoEasy
	}
	return schemas.MangoHard
}

// ReadMangoMaze reads a maze from its published files. read gives a file by the suffix of its name, such as ".edges.json".
func ReadMangoMaze(id string, read func(suffix string) ([]byte, error)) (*MangoMaze, error) {
	m := &MangoMaze{ID: id, next: map[string]map[string][]string{}, byNorm: map[string][]string{}, skeletons: map[string]*mangoSkeleton{}}
	for _, part := range []struct {
		suffix string
		take   func([]byte) error
	}{
		{".edges.json", m.addEdges},
		{".all2all.jsonl", func(data []byte) error { return eachLine(data, m.addDF) }},
		{".all_pairs.jsonl", func(data []byte) error { return eachLine(data, m.addRF) }},
		{".extra.jsonl", func(data []byte) error { return eachLine(data, m.addExtra) }},
	} {
		data, err := read(part.suffix)
		if err != nil {
			return nil, err
		}
		if err := part.take(data); err != nil {
			return nil, fault.New(fault.Malformed, "%w", err).At(id+part.suffix, "")
		}
	}
	return m, nil
}

// maxMangoEdges bounds the edges file of a maze, in bytes.
const maxMangoEdges = 64 << 20

func (m *MangoMaze) addEdges(data []byte) error {
	var edges []schemas.MangoEdge
	if err := canon.Decode(data, maxMangoEdges, &edges); err != nil {
		return err
	}
	for _, e := range edges {
		move := normalise(e.Action)
		if m.next[e.SrcNode] == nil {
			m.next[e.SrcNode] = map[string][]string{}
		}
		m.next[e.SrcNode][move] = insert(m.next[e.SrcNode][move], e.DstNode)
		m.moves = insert(m.moves, move)
		for _, name := range []string{e.SrcNode, e.DstNode} {
			m.byNorm[normalise(name)] = insert(m.byNorm[normalise(name)], name)
		}
	}
	return nil
}

// insert adds x to an ascending list that does not have it.
func insert(list []string, x string) []string {
	i, found := slices.BinarySearch(list, x)
	if found {
		return list
	}
	return slices.Insert(list, i, x)
}

func (m *MangoMaze) addDF(line []byte) error {
	var row schemas.MangoDFRow
	if err := canon.Decode(line, canon.MaxLine, &row); err != nil {
		return err
	}
	s := &mangoSkeleton{task: schemas.MangoDF, src: row.SrcNode, dst: row.DstNode, MangoLabels: row.MangoLabels}
	at := []string{row.SrcNode}
	for _, move := range row.PathDetails {
		s.actions = append(s.actions, move.Action)
		at = m.follow(at, normalise(move.Action))
	}
	if len(s.actions) == 0 || !contains(at, row.DstNode) {
		return fmt.Errorf("the path of %s does not lead from %q to %q", row.ID, row.SrcNode, row.DstNode)
	}
	return m.add(row.ID, s)
}

func (m *MangoMaze) addRF(line []byte) error {
	var row schemas.MangoRFRow
	if err := canon.Decode(line, canon.MaxLine, &row); err != nil {
		return err
	}
	return m.add(row.ID, &mangoSkeleton{
		task: schemas.MangoRF, src: row.SrcNode, dst: row.DstNode, MangoLabels: row.MangoLabels,
		shortest: schemas.MangoNever, shortestAnswerable: schemas.MangoNever,
	})
}

func (m *MangoMaze) add(id string, s *mangoSkeleton) error {
	if m.skeletons[id] != nil {
		return fmt.Errorf("id %s stands twice", id)
	}
	m.skeletons[id] = s
	return nil
}

// mangoExtra is a line of either task.
type mangoExtra struct {
	ID                 string `json:"id"`
	Task               string `json:"task"`
	Sampled            bool   `json:"sampled"`
	Shortest           int    `json:"min_step_forward_shortest"`
	ShortestAnswerable int    `json:"min_step_forward_shortest_answerable"`
	NumPathsCapped     bool   `json:"num_paths_capped"`
	PathCutoff         int    `json:"path_cutoff"`
}

// addExtra completes an RF skeleton. Pairs without a row have nothing to complete.
func (m *MangoMaze) addExtra(line []byte) error {
	var x mangoExtra
	if err := canon.Decode(line, canon.MaxLine, &x); err != nil {
		return err
	}
	if s := m.skeletons[x.ID]; s != nil && s.task == schemas.MangoRF {
		s.shortest, s.shortestAnswerable = x.Shortest, x.ShortestAnswerable
	}
	return nil
}

func eachLine(data []byte, take func([]byte) error) error {
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if err := take(line); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return nil
}

// follow gives all places that a move leads to from some place of at, ascending.
func (m *MangoMaze) follow(at []string, move string) []string {
	var out []string
	for _, place := range at {
		for _, to := range m.next[place][move] {
			out = insert(out, to)
		}
	}
	return out
}

// leaving lists the moves that some place of at has, ascending.
func (m *MangoMaze) leaving(at []string) []string {
	var out []string
	for _, place := range at {
		for move := range m.next[place] { // sorted by insert
			out = insert(out, move)
		}
	}
	return out
}

func contains(sorted []string, x string) bool {
	_, ok := slices.BinarySearch(sorted, x)
	return ok
}

func containsNorm(list []string, x string) bool {
	x = normalise(x)
	return slices.ContainsFunc(list, func(y string) bool { return normalise(y) == x })
}
