package bans_test

import (
	"slices"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
)

// simplePaths lists every path from s to t that has no page twice, in lexicographic order: exponential time.
func simplePaths(c graph.CSR, s, t uint32) [][]uint32 {
	var out [][]uint32
	var extend func(path []uint32)
	extend = func(path []uint32) {
		last := path[len(path)-1]
		if last == t {
			out = append(out, slices.Clone(path))
			return
		}
		for _, v := range c.Row(last) {
			if !slices.Contains(path, v) {
				extend(append(path, v))
			}
		}
	}
	extend([]uint32{s})
	return out
}

// shortestOf gives the paths of the smallest length, in their order.
func shortestOf(paths [][]uint32) [][]uint32 {
	var out [][]uint32
	for _, p := range paths {
		if len(out) > 0 && len(p) < len(out[0]) {
			out = nil
		}
		if len(out) == 0 || len(p) == len(out[0]) {
			out = append(out, p)
		}
	}
	return out
}

// allowed keeps the paths with no page between their ends that is banned.
func allowed(paths [][]uint32, banned func(u uint32) bool) [][]uint32 {
	var out [][]uint32
	for _, p := range paths {
		if !slices.ContainsFunc(p[1:len(p)-1], banned) {
			out = append(out, p)
		}
	}
	return out
}

// without keeps the paths with no page between their ends that was removed.
func without(paths [][]uint32, removed []uint32) [][]uint32 {
	return allowed(paths, func(u uint32) bool { return slices.Contains(removed, u) })
}

// published is the procedure of the paper on lists of paths.
func published(paths [][]uint32, banned func(u uint32) bool) (found bool, searches, length int) {
	var removed []uint32
	for searches = 1; searches <= 20; searches++ {
		left := shortestOf(without(paths, removed))
		if len(left) == 0 {
			return false, searches, 0
		}
		if p := left[0]; len(allowed([][]uint32{p}, banned)) == 1 {
			return true, searches, len(p) - 1
		}
		removed = append(removed, left[0][1:len(left[0])-1]...)
	}
	return false, 20, 0
}

// measured is the features of a pair by their words.
func measured(c graph.CSR, s, t uint32, masks []uint32, bit uint8, forbid bool) (schemas.ConstrainedInstance, bool) {
	banned := func(u uint32) bool {
		return u != s && u != t && (masks[u]&(1<<bit) != 0 || forbid && masks[u] == 0)
	}
	all := simplePaths(c, s, t)
	open := allowed(all, banned)
	if len(open) == 0 {
		return schemas.ConstrainedInstance{}, false
	}
	base, best := shortestOf(all), shortestOf(open)
	x := schemas.ConstrainedInstance{
		BaselinePath: base[0], ConstrainedPath: best[0], BaselineLength: len(base[0]) - 1, ConstrainedLength: len(best[0]) - 1,
		Detour: len(best[0]) - len(base[0]), Binding: "on_witness",
		BaselineClean: [2]uint64{uint64(len(allowed(base, banned))), uint64(len(base))},
	}
	switch {
	case x.Detour > 0:
		x.Binding = "longer"
	case slices.Equal(base[0], best[0]):
		x.Binding = "none"
	}
	for _, u := range best[0][1:x.ConstrainedLength] {
		if masks[u] == 0 {
			x.Unlabelled++
		}
	}
	strict := allowed(all, func(u uint32) bool { return banned(u) || masks[u] == 0 })
	if len(strict) > 0 {
		length := len(shortestOf(strict)[0]) - 1
		x.IfForbidden = &length
	}
	for _, v := range c.Row(s) {
		x.BannedShare[1]++
		if banned(v) {
			x.BannedShare[0]++
		}
		starts := func(p []uint32) bool { return p[1] == v }
		if slices.ContainsFunc(open, starts) {
			x.FeasibleFirst[0]++
		}
		if slices.ContainsFunc(best, starts) {
			x.FeasibleFirst[1]++
		}
	}
	for u := range uint32(c.Nodes()) {
		if u != s && u != t && slices.ContainsFunc(base, func(p []uint32) bool { return slices.Contains(p, u) }) {
			x.BannedOnShortest[1]++
			if banned(u) {
				x.BannedOnShortest[0]++
			}
		}
	}
	found, searches, length := published(all, banned)
	x.Compat = schemas.CompatSearch{Found: found, Iterations: searches}
	if found {
		x.Compat.Length = &length
	}
	return x, true
}
