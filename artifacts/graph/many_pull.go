package graph

import (
	"slices"
	"sync/atomic"
)

// workChunk is how many nodes a worker takes at a time, groupNodes how many it filters before it reads their rows.
const (
	workChunk  = 4096
	groupNodes = 64
)

// chunkOfWork is what became of one chunk: its first kept entries still lack a bit.
type chunkOfWork struct {
	gain
	kept      int
	pullEdges int64
}

// pull lets every node that lacks a bit gather its successors' new bits.
func (m *Many) pull() {
	m.unlist()
	m.findWork()
	sparse := 10*m.newNodes < 6*m.pred.Nodes()
	if !sparse {
		m.clearStale()
	}
	m.bind()
	m.blocked = slices.Grow(m.blocked[:0], len(m.work)/workChunk+1)[:(len(m.work)+workChunk-1)/workChunk]
	pullers := make([]puller, m.workers)
	parallel(m.workers, len(m.work), workChunk, func(worker, lo, hi int) {
		p := &pullers[worker]
		p.Many, p.sparse = m, sparse
		m.blocked[lo/workChunk] = p.chunk(m.work[lo:hi])
	})
	m.gather()
	m.active, m.fresh = m.fresh, m.active
	clear(m.fresh)
}

// findWork lists the nodes at the first pull of a batch. Later pulls drop those that need no more.
func (m *Many) findWork() {
	if m.pulled {
		return
	}
	m.pulled, m.work = true, m.work[:m.pred.Nodes()]
	for v := range m.work {
		m.work[v] = uint32(v)
	}
}

// clearStale zeroes the rows that are not in the frontier, so that a pull may read any row.
func (m *Many) clearStale() {
	parallel(m.workers, len(m.active), 256, func(_, lo, hi int) {
		for w := lo; w < hi; w++ {
			for v := 64 * w; v < min(64*w+64, m.pred.Nodes()); v++ {
				if m.active[w]>>(v%64)&1 == 0 {
					clear(m.row(m.front, uint32(v)))
				}
			}
		}
	})
}

// gather adds up the chunks and closes the gaps between what they kept.
func (m *Many) gather() {
	m.newNodes, m.pushEdges, m.pullEdges = 0, 0, 0
	end := 0
	for i, c := range m.blocked {
		end += copy(m.work[end:], m.work[i*workChunk:i*workChunk+c.kept])
		m.newNodes += c.nodes
		m.pushEdges += c.pushEdges
		m.pullEdges += c.pullEdges
	}
	m.work = m.work[:end]
}

// puller is one worker's part of a pull.
type puller struct {
	*Many
	sparse bool
	picked []uint32 // successors with new bits, of a group of nodes
	ends   [groupNodes]int
	word   int    // of the bitmap fresh, and what this worker found for it:
	found  uint64 // neighbours in work share words, so that most updates stay here
}

// chunk pulls for the nodes of work and moves those that still lack a bit to its front.
func (p *puller) chunk(work []uint32) chunkOfWork {
	var c chunkOfWork
	for group := range slices.Chunk(work, groupNodes) {
		if p.sparse {
			p.filter(group)
		}
		start := 0
		for i, v := range group {
			ids := p.succ.Row(v)
			if p.sparse {
				ids, start = p.picked[start:p.ends[i]], p.ends[i]
			}
			isNew, whole := p.gatherRow(v, ids)
			if isNew {
				p.note(v)
				c.nodes++
				c.pushEdges += int64(p.pred.Degree(p.order[v]))
			}
			if !whole {
				work[c.kept] = v
				c.kept++
				c.pullEdges += int64(p.succ.Degree(v))
			}
		}
	}
	p.flush()
	return c
}

// filter picks the successors that are in the frontier. It writes every id and keeps some: there is no branch to guess.
func (p *puller) filter(group []uint32) {
	size := prefetched
	for _, v := range group {
		size += p.succ.Degree(v)
	}
	p.picked = slices.Grow(p.picked[:0], size)[:size]
	picked, active, end := p.picked, p.active, 0
	for i, v := range group {
		for _, x := range p.succ.Row(v) {
			picked[end] = x
			end += int(active[x/64] >> (x % 64) & 1)
		}
		p.ends[i] = end
	}
}

func (p *puller) note(v uint32) {
	if w := int(v / 64); w != p.word {
		p.flush()
		p.word = w
	}
	p.found |= 1 << (v % 64)
}

func (p *puller) flush() {
	if p.found != 0 {
		atomic.OrUint64(&p.fresh[p.word], p.found)
		p.found = 0
	}
}
