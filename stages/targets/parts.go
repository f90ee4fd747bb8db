package targets

import (
	"context"

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

// total is the sum of the parts' sizes.
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
