package targets

import (
	"context"
	"slices"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas/rng"
)

// parts is what the rules drew, each part in the order of drawing. A part that was drawn smaller
// would be a prefix of itself, and so a part is lowered by cutting it.
type parts struct {
	random, linked []uint32
	remote         [][]uint32 // by depth, in the order of Params.RemoteDepths
}

// drawParts draws every part at its full size. The same node may be in several.
func (c *chooser) drawParts(ctx context.Context) (parts, error) {
	remote, err := c.drawRemote(ctx)
	if err != nil {
		return parts{}, err
	}
	return parts{random: c.drawRandom(c.Random), linked: c.drawLinked(), remote: remote}, nil
}

func (c *chooser) drawRandom(k int) []uint32 {
	n := c.succ.Nodes()
	return uint32s(c.stream("random").Choose(n, min(k, n)))
}

func (c *chooser) drawLinked() []uint32 {
	eligible := muchLinked(c.pred, c.LinkedMinIn)
	c.count("linked_eligible", int64(len(eligible)))
	drawn := c.stream("linked").Choose(len(eligible), min(c.Linked, len(eligible)))
	out := make([]uint32, len(drawn))
	for i, k := range drawn {
		out[i] = eligible[k]
	}
	return out
}

// muchLinked lists the nodes with at least minIn predecessors, ascending.
func muchLinked(pred graph.CSR, minIn int) []uint32 {
	var out []uint32
	for u := range uint32(pred.Nodes()) {
		if pred.Degree(u) >= minIn {
			out = append(out, u)
		}
	}
	return out
}

// stream returns the stream of one part of the target set.
func (c *chooser) stream(name ...string) *rng.Stream {
	return rng.New(uint64(c.Seed), append([]string{"targets"}, name...)...)
}

func uint32s(drawn []int) []uint32 {
	out := make([]uint32, len(drawn))
	for i, v := range drawn {
		out[i] = uint32(v)
	}
	return out
}

// lower cuts the parts until they and the named columns fit into capacity columns, overlaps not
// subtracted: first the random part alone, down to randomMin; then all parts in the same
// proportion, rounded down. named is at most capacity and is never cut.
func (p *parts) lower(named, capacity, randomMin int) {
	if excess := named + p.total() - capacity; excess > 0 {
		p.random = p.random[:max(len(p.random)-excess, min(randomMin, len(p.random)))]
	}
	room, total := capacity-named, p.total()
	if total <= room {
		return
	}
	share := func(part []uint32) []uint32 { return part[:int64(len(part))*int64(room)/int64(total)] }
	p.random, p.linked = share(p.random), share(p.linked)
	for i := range p.remote {
		p.remote[i] = share(p.remote[i])
	}
}

func (p *parts) total() int {
	n := len(p.random) + len(p.linked)
	for _, r := range p.remote {
		n += len(r)
	}
	return n
}

// report counts how many pages each part holds under prefix+name.
func (p *parts) report(prefix string, depths []int, count func(string, int64)) {
	count(prefix+"random", int64(len(p.random)))
	count(prefix+"linked", int64(len(p.linked)))
	for i, r := range p.remote {
		count(prefix+"remote_"+rng.Part(depths[i]), int64(len(r)))
	}
}

// drawRemote draws, for each depth, nodes that lie so far from one of the sources.
//
// A draw takes a source, then a node: both uniform, so that one odd source, from which nearly every
// page is far, does not fill the part. Two rounds of searches, one to count the depths and one to
// look up the nodes that were drawn, need 5 bytes per node and worker, whatever the number of
// sources.
func (c *chooser) drawRemote(ctx context.Context) ([][]uint32, error) {
	out := make([][]uint32, len(c.RemoteDepths))
	sources := c.drawSources()
	c.count("remote_sources", int64(len(sources)))
	counts, err := c.countDepths(ctx, sources)
	if err != nil {
		return nil, err
	}
	draws := make([][]draw, len(c.RemoteDepths))
	for k, depth := range c.RemoteDepths {
		draws[k] = drawAt(c.stream("remote", rng.Part(depth)), counts, k, c.RemoteDraws)
	}
	if err := c.lookUp(ctx, sources, draws); err != nil {
		return nil, err
	}
	for k, depth := range c.RemoteDepths {
		var made int
		out[k], made = different(draws[k], c.Remote)
		c.count("remote_"+rng.Part(depth)+"_draws", int64(made))
	}
	return out, nil
}

func (c *chooser) drawSources() []uint32 {
	n := c.succ.Nodes()
	sources := uint32s(c.stream("sources").Choose(n, min(c.RemoteSources, n)))
	slices.Sort(sources)
	return sources
}

// countDepths returns the number of nodes at each of the depths, by source.
func (c *chooser) countDepths(ctx context.Context, sources []uint32) ([][]int, error) {
	counts := make([][]int, len(sources))
	err := c.search(ctx, "counting remote pages", sources, func(i int, dist []uint8) {
		var at [256]int
		for _, d := range dist {
			at[d]++
		}
		counts[i] = make([]int, len(c.RemoteDepths))
		for k, depth := range c.RemoteDepths {
			counts[i][k] = at[depth]
		}
	})
	return counts, err
}

// draw is the rank'th node, ascending, at a depth from a source; node is known after the second round.
type draw struct {
	source, rank int
	node         uint32
}

// drawAt makes all draws at the k'th depth, because how many are needed is known only when they
// have been looked up.
func drawAt(r *rng.Stream, counts [][]int, k, draws int) []draw {
	var reaching []int
	for i := range counts {
		if counts[i][k] > 0 {
			reaching = append(reaching, i)
		}
	}
	if len(reaching) == 0 {
		return nil
	}
	out := make([]draw, draws)
	for j := range out {
		i := reaching[r.Below(len(reaching))]
		out[j] = draw{source: i, rank: r.Below(counts[i][k])}
	}
	return out
}

// lookUp finds the nodes of all draws.
func (c *chooser) lookUp(ctx context.Context, sources []uint32, draws [][]draw) error {
	return c.search(ctx, "looking up remote pages", sources, func(i int, dist []uint8) {
		for k, depth := range c.RemoteDepths {
			var layer []uint32
			for j := range draws[k] {
				d := &draws[k][j]
				if d.source != i {
					continue
				}
				if layer == nil {
					layer = nodesAt(dist, uint8(depth))
				}
				d.node = layer[d.rank]
			}
		}
	})
}

// nodesAt lists the nodes at one distance, ascending.
func nodesAt(dist []uint8, depth uint8) []uint32 {
	var out []uint32
	for u, d := range dist {
		if d == depth {
			out = append(out, uint32(u))
		}
	}
	return out
}

// different returns the first want different nodes in the order of drawing, and the number of draws
// that it took.
func different(draws []draw, want int) (nodes []uint32, made int) {
	seen := map[uint32]bool{}
	for _, d := range draws {
		if len(nodes) == want {
			break
		}
		made++
		if !seen[d.node] {
			seen[d.node] = true
			nodes = append(nodes, d.node)
		}
	}
	return nodes, made
}

// search calls visit with the distances from each source, from several goroutines; what visit
// writes belongs to source i alone. dist is valid during the call.
func (c *chooser) search(ctx context.Context, phase string, sources []uint32, visit func(i int, dist []uint8)) error {
	meter := c.meter(phase, "searches", int64(len(sources)))
	defer meter.Done()
	n, workers := c.succ.Nodes(), max(1, c.workers)
	dists, queues := make([]uint8, workers*n), make([]uint32, workers*n)
	return graph.Each(ctx, workers, len(sources), func(w, i int) error {
		dist := dists[w*n : (w+1)*n]
		graph.DistancesFrom(c.succ, sources[i], dist, queues[w*n:(w+1)*n])
		visit(i, dist)
		meter.Add(1)
		return nil
	})
}
