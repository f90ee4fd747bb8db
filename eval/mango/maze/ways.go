package maze

import (
	"slices"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/order"
)

// Move is a move as the maze calls it: without differences that the judge does not look at.
func Move(label string) string { return normalise(label) }

// SamePlace reports whether two names are of one place.
func SamePlace(a, b string) bool { return normalise(a) == normalise(b) }

// Moves lists the moves that leave a place, ascending.
func (m *Maze) Moves(place string) []string { return m.leaving([]string{place}) }

// Move returns where a move leads from a place: to the first by code point where the maze knows more
// than one place.
func (m *Maze) Move(place, move string) (to string, ok bool) {
	all := m.next[place][normalise(move)]
	if len(all) == 0 {
		return "", false
	}
	return all[0], true
}

// Distances returns how many moves of Go each place is away from dst; places without a way are
// missing.
func (m *Maze) Distances(dst string) map[string]int {
	before := map[string][]string{} // places from which a move leads to one
	for place, moves := range m.next {
		for move := range moves { // in any order: distances do not depend on it
			to, _ := m.Move(place, move)
			before[to] = append(before[to], place)
		}
	}
	away := map[string]int{dst: 0}
	for queue := []string{dst}; len(queue) > 0; queue = queue[1:] {
		for _, place := range before[queue[0]] {
			if _, seen := away[place]; !seen {
				away[place] = away[queue[0]] + 1
				queue = append(queue, place)
			}
		}
	}
	return away
}

// Known lists the edges that leave a place and that a reader of the steps up to n knows, by label.
func (m *Maze) Known(place string, n int) []schemas.MangoEdge {
	known := slices.DeleteFunc(slices.Clone(m.edges), func(e schemas.MangoEdge) bool {
		return e.SrcNode != place || e.EdgeMinStepAnswerable > n
	})
	order.Sort(known, func(a, b schemas.MangoEdge) int {
		return slices.Compare([]string{a.Action, a.DstNode}, []string{b.Action, b.DstNode})
	})
	return known
}
