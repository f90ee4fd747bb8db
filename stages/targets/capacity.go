package targets

import (
	"github.com/wikinav/wikinav/schemas/rng"
)

// lower cuts the parts until they and the named columns fit into capacity columns, overlaps not subtracted: first
// the random part alone, down to randomMin; then all parts in the same proportion, rounded down. named is at most
// capacity and is never cut.
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

// fits refuses a choice whose columns are larger than the store, where the user named what to choose and nothing may
// be left out.
func (c *chooser) fits(what string, columns int) error {
	n := int64(c.succ.Nodes())
	if int64(columns) <= c.MaxStore/max(n, 1) {
		return nil
	}
	return usage("%s: %d columns of %d nodes need %d bytes (%s), and max_store is %d (%s)",
		what, columns, n, int64(columns)*n, gib(int64(columns)*n), c.MaxStore, gib(c.MaxStore)).
		Hint("raise max_store (--set targets.max_store=16GiB), or choose fewer targets with --targets random:N or --targets FILE")
}
