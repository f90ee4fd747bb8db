package targets

import (
	"slices"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// reference is the target set of mode auto on a graph too large for every page, in the plainest words of the
// specification (performance.md 2.1): whole tables of distances, sets as maps, parts drawn one by one.
func reference(p Params, succ graph.CSR, named []uint32) []uint8 {
	n := succ.Nodes()
	random := referenceRandom(p, n)
	linked := referenceLinked(p, succ)
	remote := map[int][]uint32{}
	for _, depth := range p.RemoteDepths {
		remote[depth] = referenceRemote(p, succ, depth)
	}

	total := func() int {
		sum := len(random) + len(linked)
		for _, r := range remote {
			sum += len(r)
		}
		return sum
	}
	capacity := int(p.MaxStore) / n
	for total()+len(named) > capacity && len(random) > p.RandomMin {
		random = random[:len(random)-1]
	}
	if sum := total(); sum+len(named) > capacity {
		random = random[:len(random)*(capacity-len(named))/sum]
		linked = linked[:len(linked)*(capacity-len(named))/sum]
		for depth := range remote {
			remote[depth] = remote[depth][:len(remote[depth])*(capacity-len(named))/sum]
		}
	}

	reasons := make([]uint8, n)
	for _, part := range []struct {
		nodes  []uint32
		reason uint8
	}{{random, schemas.ReasonRandom}, {linked, schemas.ReasonLinked}, {named, schemas.ReasonNamed}} {
		for _, u := range part.nodes {
			reasons[u] |= part.reason
		}
	}
	for _, nodes := range remote {
		for _, u := range nodes {
			reasons[u] |= schemas.ReasonRemote
		}
	}
	return reasons
}

func referenceRandom(p Params, n int) []uint32 {
	var out []uint32
	for _, u := range rng.New(uint64(p.Seed), "targets", "random").Choose(n, p.Random) {
		out = append(out, uint32(u))
	}
	return out
}

func referenceLinked(p Params, succ graph.CSR) []uint32 {
	inDegree := map[uint32]int{}
	for _, v := range succ.Values {
		inDegree[v]++
	}
	var eligible, out []uint32
	for u := range uint32(succ.Nodes()) {
		if inDegree[u] >= p.LinkedMinIn {
			eligible = append(eligible, u)
		}
	}
	for _, i := range rng.New(uint64(p.Seed), "targets", "linked").Choose(len(eligible), min(p.Linked, len(eligible))) {
		out = append(out, eligible[i])
	}
	return out
}

func referenceRemote(p Params, succ graph.CSR, depth int) []uint32 {
	var layers [][]uint32
	sources := rng.New(uint64(p.Seed), "targets", "sources").Choose(succ.Nodes(), p.RemoteSources)
	slices.Sort(sources)
	for _, s := range sources {
		if layer := layerAt(succ, uint32(s), depth); len(layer) > 0 {
			layers = append(layers, layer)
		}
	}
	if len(layers) == 0 {
		return nil
	}
	var out []uint32
	r := rng.New(uint64(p.Seed), "targets", "remote", rng.Part(depth))
	for range p.RemoteDraws {
		if len(out) == p.Remote {
			break
		}
		layer := layers[r.Below(len(layers))]
		if u := layer[r.Below(len(layer))]; !slices.Contains(out, u) {
			out = append(out, u)
		}
	}
	return out
}

// layerAt returns the nodes exactly depth links away.
func layerAt(succ graph.CSR, source uint32, depth int) []uint32 {
	key := levelsKey{&succ.Values[0], source}
	if levelsOf[key] == nil {
		levelsOf[key] = levels(succ, source)
	}
	if all := levelsOf[key]; depth < len(all) {
		return all[depth]
	}
	return nil
}

// levelsOf remembers what levels gave, because the tables of tests search from the same sources again and again.
var levelsOf = map[levelsKey][][]uint32{}

type levelsKey struct {
	graph  *uint32
	source uint32
}

// levels returns the nodes at each distance, level by level, ascending.
func levels(succ graph.CSR, source uint32) [][]uint32 {
	seen := make([]bool, succ.Nodes())
	seen[source] = true
	all := [][]uint32{{source}}
	for {
		var next []uint32
		for _, u := range all[len(all)-1] {
			for _, v := range succ.Row(u) {
				if !seen[v] {
					seen[v] = true
					next = append(next, v)
				}
			}
		}
		if next == nil {
			return all
		}
		slices.Sort(next)
		all = append(all, next)
	}
}
