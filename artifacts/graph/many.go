package graph

import (
	"fmt"
	"math/bits"
	"slices"
	"sort"
	"sync/atomic"
)

// Many computes the distances from every node to many targets at once.
//
// Result:    exact: each column equals that of DistancesTo, whatever the number of lanes and workers.
// Idea:      one search per lane, all in step. A node has one bit per lane for "seen" and for "new at this depth", so
// that the bitwise OR of a node's successors' new bits advances all lanes at once. While few nodes are new, they push
// their bits to their predecessors; else every node with a bit to gain pulls from its successors, passes over those
// without new bits, and stops as soon as it has them all.
// Encoding:  nodes are renumbered by falling in-degree, so that the rows which are read most lie together; columns come
// back in public order. A distance is spread over bit planes (plane b holds bit b of the distance of every node and
// lane), which costs one OR per set bit; bytes are made of them once, at the end, by transposing squares of bits.
// Time:      O(depth x (n + m) x lanes / 64) per batch in the worst case; on graphs like Wikipedia's every edge is
// looked at four to five times per batch, not per target.
// Space:     4 bytes per edge (pred, mapped) and 4 per edge (the renumbered successors); lanes bytes per node for
// 3 + 5 rows of lanes/8, the columns not included; 25 bytes per node. Distances beyond 31 add three rows.
// Reference: M. Then et al., The More the Merrier: Efficient Multi-Source Graph Traversal, PVLDB 8(4), 2014,
// https://doi.org/10.14778/2735496.2735507; direction: see Search.
//
// A Many holds scratch for one batch at a time: it is not for concurrent use.
type Many struct {
	pred    CSR // in public numbers
	succ    CSR // in inner numbers
	order   []uint32
	rank    []uint32 // public -> inner; order is its inverse
	words   int      // of 64 lanes, per row
	workers int
	vector  bool // rows of eight words go through AVX-512

	// What the batch has found so far.
	full   [8]uint64 // the lanes in use
	seen   []uint64  // rows
	planes [8][]uint64
	used   int // planes that hold something

	// One depth.
	front, next []uint64   // rows of the bits new at the last depth, and at this one
	frontier    frontier   // whose rows of front count
	writes      [][]uint64 // the planes of the one bits of the depth
	base        bases      // the same for the vector code: see rows_amd64.s

	// Pushing.
	marked  []uint64 // by public number: the nodes that a push has touched
	touched [][]uint32

	// Pulling.
	pulled    bool
	work      []uint32 // the nodes that may lack a bit, where pulled is set
	pullEdges int64    // their out-degrees
	chunks    []chunkOfWork
}

// MaxLanes is the largest batch of Many.
const MaxLanes = 512

// NewMany prepares batches of up to lanes targets, 64, 128, 256 or 512, on the graph whose transpose is pred.
// workers bounds the threads. It takes O(n + m) time, about that of Transpose.
func NewMany(pred CSR, lanes, workers int) *Many {
	if lanes < 64 || lanes > MaxLanes || bits.OnesCount(uint(lanes)) != 1 {
		panic(fmt.Sprintf("graph: %d lanes, want 64, 128, 256 or 512", lanes))
	}
	n := pred.Nodes()
	m := &Many{pred: pred, words: lanes / 64, workers: max(1, workers)}
	m.vector = vectors && m.words == 8
	m.order, m.rank = byFallingDegree(pred)
	m.succ = renumberedSuccessors(pred, m.order, m.rank)
	m.seen, m.front, m.next = m.rows(), m.rows(), m.rows()
	m.frontier = frontier{active: make([]uint64, bitmapLen(n)), fresh: make([]uint64, bitmapLen(n))}
	m.work = make([]uint32, 0, n)
	m.marked = make([]uint64, bitmapLen(n))
	m.touched = make([][]uint32, m.workers)
	return m
}

// ManyBytes is what a Many of lanes over n nodes and m edges allocates, the columns of a batch included.
func ManyBytes(n, m, lanes int) int64 { return 4*int64(m) + int64(n)*(25+2*int64(lanes)) }

// freeMemory is what a Many may take where nobody names a limit.
const freeMemory = 8 << 30

// LanesWithin returns the most lanes whose Many fits into memory, where 0 stands for no limit of
// theirs, and that so many targets can fill; 0 where not even 64 fit.
func LanesWithin(memory int64, n, m, targets int) int {
	if memory <= 0 {
		memory = freeMemory
	}
	lanes := MaxLanes
	for lanes >= 64 && (lanes/2 >= targets && lanes > 64 || ManyBytes(n, m, lanes) > memory) {
		lanes /= 2
	}
	if lanes < 64 {
		return 0
	}
	return lanes
}

// Lanes is the largest number of targets of a batch.
func (m *Many) Lanes() int { return 64 * m.words }

func (m *Many) rows() []uint64 { return hugeRows(m.pred.Nodes() * m.words) }

// DistancesTo fills columns[i], of length Nodes, with the number of links on a shortest path from
// each node to targets[i], with schemas.Far and schemas.Unreached as the function DistancesTo does.
// At most Lanes targets; they may repeat.
func (m *Many) DistancesTo(targets []uint32, columns [][]uint8) {
	m.check(targets, columns)
	m.start(targets)
	for depth := 1; m.frontier.size.nodes > 0; depth++ {
		m.level(depth)
	}
	m.write(columns)
}

func (m *Many) check(targets []uint32, columns [][]uint8) {
	n := m.pred.Nodes()
	if len(targets) > m.Lanes() || len(columns) != len(targets) {
		panic(fmt.Sprintf("graph: %d targets and %d columns for %d lanes", len(targets), len(columns), m.Lanes()))
	}
	for i, column := range columns {
		if len(column) != n {
			panic(fmt.Sprintf("graph: column %d has %d distances for %d nodes", i, len(column), n))
		}
	}
}

// start puts each target into the frontier of its lane.
func (m *Many) start(targets []uint32) {
	m.parallelClear(m.seen)
	m.used = 0
	m.pulled, m.pullEdges = false, int64(m.succ.Edges())
	m.full = [8]uint64{}
	m.frontier.clear()
	for lane, t := range targets {
		u, word, bit := m.rank[t], lane/64, uint64(1)<<(lane%64)
		row := m.row(m.front, u)
		if m.frontier.mark(u) {
			clear(row)
			m.frontier.list = append(m.frontier.list, u)
			m.frontier.size.add(gain{1, int64(m.pred.Degree(t))})
		}
		m.full[word] |= bit
		row[word] |= bit
		m.row(m.seen, u)[word] |= bit
	}
}

// pushCost is what an edge costs when its row is written at random, in units of one that is read
// and often skipped.
const pushCost = 6

// level finds the bits that are new at depth and makes them the frontier.
func (m *Many) level(depth int) {
	m.aim(int(toldOf(depth)))
	if m.frontier.size.pushEdges*pushCost < m.pullEdges {
		m.push()
	} else {
		m.pull()
	}
	m.front, m.next = m.next, m.front
}

// aim sets the planes that depth is written to. A plane is cleared when a depth first reaches it.
func (m *Many) aim(depth int) {
	for ; m.used < bits.Len(uint(depth)); m.used++ {
		if m.planes[m.used] == nil {
			m.planes[m.used] = m.rows()
			continue
		}
		m.parallelClear(m.planes[m.used])
	}
	m.writes = m.writes[:0]
	for b := range m.used {
		if depth>>b&1 != 0 {
			m.writes = append(m.writes, m.planes[b])
		}
	}
}

// push writes the new bits of each frontier node to its predecessors. Workers share out the
// predecessors by public number, in which the rows of pred ascend: so no row has two writers.
func (m *Many) push() {
	m.frontier.enlist()
	n := m.pred.Nodes()
	parts := make([]gain, m.workers)
	parallel(m.workers, m.workers, 1, func(_, first, _ int) {
		lo, hi := share(n, m.workers, first), share(n, m.workers, first+1)
		m.touched[first] = m.pushTo(uint32(lo), uint32(hi), m.touched[first][:0])
		m.touched[first], parts[first] = m.settleAll(m.touched[first])
	})
	m.frontier.list, m.frontier.size = m.frontier.list[:0], gain{}
	for i, part := range parts {
		m.frontier.list = append(m.frontier.list, m.touched[i]...)
		m.frontier.size.add(part)
	}
}

// share is where the i-th of parts of 0..n-1 starts; it splits no word of a bitmap.
func share(n, parts, i int) int {
	if i == parts {
		return n
	}
	return n / 64 * i / parts * 64
}

// pushTo serves the predecessors in lo..hi-1 and appends them, in inner numbers, to touched. Their
// rows of next hold what they were pushed, new to them or not.
func (m *Many) pushTo(lo, hi uint32, touched []uint32) []uint32 {
	whole := lo == 0 && int(hi) == m.pred.Nodes()
	for _, u := range m.frontier.list {
		row := m.pred.Row(m.order[u])
		if !whole {
			row = between(row, lo, hi)
		}
		from := m.row(m.front, u)
		for _, x := range row {
			v := m.rank[x]
			to := m.row(m.next, v)
			if word, bit := &m.marked[x/64], uint64(1)<<(x%64); *word&bit == 0 {
				*word |= bit
				touched = append(touched, v)
				copy(to, from)
				continue
			}
			for k, bits := range from {
				to[k] |= bits
			}
		}
	}
	return touched
}

// between cuts the values of an ascending row down to lo..hi-1.
func between(row []uint32, lo, hi uint32) []uint32 {
	from := sort.Search(len(row), func(i int) bool { return row[i] >= lo })
	row = row[from:]
	return row[:sort.Search(len(row), func(i int) bool { return row[i] >= hi })]
}

// settleAll keeps the bits that are new, and of touched the nodes that have one.
func (m *Many) settleAll(touched []uint32) ([]uint32, gain) {
	kept := touched[:0]
	var g gain
	var acc [8]uint64
	for _, v := range touched {
		public := m.order[v]
		m.marked[public/64] &^= 1 << (public % 64)
		row := acc[:m.words]
		for k, x := range m.row(m.next, v) {
			row[k] = x | m.seen[int(v)*m.words+k]
		}
		if m.settle(v, row) {
			kept = append(kept, v)
			g.add(gain{1, int64(m.pred.Degree(public))})
		}
	}
	return kept, g
}

// workChunk is how many nodes a worker takes at a time, groupNodes how many it filters before it
// reads their rows.
const (
	workChunk  = 4096
	groupNodes = 64
)

// chunkOfWork is what became of one chunk: its first kept entries still lack a bit.
type chunkOfWork struct {
	gain      gain
	kept      int
	pullEdges int64
}

// pull lets every node that lacks a bit gather its successors' new bits.
func (m *Many) pull() {
	m.frontier.unlist()
	m.findWork()
	sparse := 10*m.frontier.size.nodes < 6*m.pred.Nodes()
	if !sparse {
		m.clearStale()
	}
	m.bind()
	m.chunks = slices.Grow(m.chunks[:0], len(m.work)/workChunk+1)[:(len(m.work)+workChunk-1)/workChunk]
	pullers := make([]puller, m.workers)
	parallel(m.workers, len(m.work), workChunk, func(worker, lo, hi int) {
		p := &pullers[worker]
		p.m, p.sparse = m, sparse
		m.chunks[lo/workChunk] = p.chunk(m.work[lo:hi])
	})
	m.closeGaps()
	m.frontier.advance()
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
	parallel(m.workers, len(m.frontier.active), 256, func(_, lo, hi int) {
		for w := lo; w < hi; w++ {
			for v := 64 * w; v < min(64*w+64, m.pred.Nodes()); v++ {
				if m.frontier.active[w]>>(v%64)&1 == 0 {
					clear(m.row(m.front, uint32(v)))
				}
			}
		}
	})
}

// closeGaps adds up the chunks and moves what they kept together.
func (m *Many) closeGaps() {
	m.frontier.size, m.pullEdges = gain{}, 0
	end := 0
	for i, c := range m.chunks {
		end += copy(m.work[end:], m.work[i*workChunk:i*workChunk+c.kept])
		m.frontier.size.add(c.gain)
		m.pullEdges += c.pullEdges
	}
	m.work = m.work[:end]
}

// puller is one worker's part of a pull.
type puller struct {
	m      *Many
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
			ids := p.m.succ.Row(v)
			if p.sparse {
				ids, start = p.picked[start:p.ends[i]], p.ends[i]
			}
			isNew, whole := p.m.gatherRow(v, ids)
			if isNew {
				p.note(v)
				c.gain.add(gain{1, int64(p.m.pred.Degree(p.m.order[v]))})
			}
			if !whole {
				work[c.kept] = v
				c.kept++
				c.pullEdges += int64(p.m.succ.Degree(v))
			}
		}
	}
	p.flush()
	return c
}

// filter picks the successors that are in the frontier. It writes every id and keeps some: there is
// no branch to guess.
func (p *puller) filter(group []uint32) {
	size := prefetched
	for _, v := range group {
		size += p.m.succ.Degree(v)
	}
	p.picked = slices.Grow(p.picked[:0], size)[:size]
	picked, active, end := p.picked, p.m.frontier.active, 0
	for i, v := range group {
		for _, x := range p.m.succ.Row(v) {
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
		atomic.OrUint64(&p.m.frontier.fresh[p.word], p.found)
		p.found = 0
	}
}

// gain is what a part of a depth added to the frontier.
type gain struct {
	nodes     int
	pushEdges int64 // their in-degrees
}

func (g *gain) add(more gain) {
	g.nodes += more.nodes
	g.pushEdges += more.pushEdges
}

// frontier is the set of nodes with bits that are new at one depth. It is in list while the search
// pushes, in active while it pulls; the bitmap says of any row whether its content counts, so that
// stale rows need no clearing.
type frontier struct {
	size   gain
	list   []uint32
	active []uint64 // bitmap
	fresh  []uint64 // bitmap of the next frontier while it is found by pulling; zero otherwise
	listed bool     // list is valid; active is not, but for the first depth
}

func bitmapLen(n int) int { return (n + 63) / 64 }

func (f *frontier) clear() {
	f.list, f.listed, f.size = f.list[:0], true, gain{}
	clear(f.active)
	clear(f.fresh)
}

// mark adds u to the bitmap and reports whether it was not there.
func (f *frontier) mark(u uint32) bool {
	word, bit := &f.active[u/64], uint64(1)<<(u%64)
	isNew := *word&bit == 0
	*word |= bit
	return isNew
}

// advance makes the nodes that a pull found the frontier.
func (f *frontier) advance() {
	f.active, f.fresh = f.fresh, f.active
	clear(f.fresh)
}

// enlist makes the list valid.
func (f *frontier) enlist() {
	if f.listed {
		return
	}
	f.list = f.list[:0]
	for w, x := range f.active {
		for ; x != 0; x &= x - 1 {
			f.list = append(f.list, uint32(64*w+bits.TrailingZeros64(x)))
		}
	}
	f.listed = true
}

// unlist makes the bitmap valid.
func (f *frontier) unlist() {
	if !f.listed {
		return
	}
	clear(f.active)
	for _, u := range f.list {
		f.active[u/64] |= 1 << (u % 64)
	}
	f.listed = false
}
