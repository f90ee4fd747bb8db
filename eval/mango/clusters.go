package mango

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/mango/answer"
	"github.com/wikinav/wikinav/eval/mango/maze"
	"github.com/wikinav/wikinav/schemas"
)

var (
	_ family.Clustered = (*shelf)(nil)
	_ family.Clustered = walks{}
)

// Clusters returns the mazes with what may make one hard: its places and moves, the moves that were
// never walked, names that are easily taken for another, the words of a scene, and how long the
// ways are that are asked for.
func (s *shelf) Clusters() ([]family.Cluster, error) {
	all, err := s.whole()
	if err != nil {
		return nil, err
	}
	asked := map[string][]string{}
	for _, id := range slices.Sorted(maps.Keys(all.of)) {
		asked[all.of[id].maze.ID] = append(asked[all.of[id].maze.ID], id)
	}
	var out []family.Cluster
	for _, id := range slices.Sorted(maps.Keys(all.base.mazes)) {
		m := all.base.mazes[id]
		c := family.Cluster{Name: id, Instances: asked[id]}
		moves := 0
		for _, q := range asked[id] {
			moves += len(m.Golden(all.of[q].id))
		}
		add := func(name string, part, whole int) {
			if whole > 0 {
				value := *judge.Quotient(int64(part), int64(whole))
				c.Measures = append(c.Measures, family.Feature{Name: name, Value: value})
			}
		}
		places, imputed := m.Places(), 0
		for _, e := range m.Edges() {
			imputed += judge.One(e.SeenInForward == schemas.MangoNever)
		}
		add("confusing_names", len(m.unsure()), 1)
		add("imputed_edges", imputed, 1)
		add("locations", len(places), 1)
		add("moves", len(m.Edges()), 1)
		add("path_length", moves, len(asked[id]))
		add("walk_steps", max(0, len(m.ends)-1), 1)
		add("words_per_scene", m.words, len(m.ends))
		out = append(out, c)
	}
	return out, nil
}

// alike is how similar two names are that are easily taken for each other.
var alike = maze.Similarity{Num: 3, Den: 4}

// confusing returns the places whose name is in the name of another as whole words, or is much like
// one.
func confusing(places []string) map[string]bool {
	out := map[string]bool{}
	for i, a := range places {
		for _, b := range places[:i] {
			x, y := " "+strings.ToLower(a)+" ", " "+strings.ToLower(b)+" "
			if strings.Contains(x, y) || strings.Contains(y, x) || !maze.Similar(a, b).Less(alike) {
				out[a], out[b] = true, true
			}
		}
	}
	return out
}

// wayFeatures are what the way of a question may make hard.
func wayFeatures(m *shown, way []answer.Step) []family.Feature {
	unsure, names, imputed := m.unsure(), 0, 0
	for i, step := range way {
		if i == 0 {
			names += judge.One(unsure[step.Before])
		}
		names += judge.One(unsure[step.After])
		walked := slices.ContainsFunc(m.Edges(), func(e schemas.MangoEdge) bool {
			return e.SrcNode == step.Before && e.DstNode == step.After &&
				maze.Move(e.Action) == maze.Move(step.Action) && e.SeenInForward != schemas.MangoNever
		})
		imputed += judge.One(!walked)
	}
	return []family.Feature{
		{Name: "confusing_names", Value: strconv.Itoa(names)},
		{Name: "imputed_edges", Value: strconv.Itoa(imputed)},
		{Name: "path_length", Value: strconv.Itoa(len(way))},
	}
}
