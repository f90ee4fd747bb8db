package graph

import (
	"fmt"
	"math/bits"

	"github.com/wikinav/wikinav/schemas"
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

	step
	front, next []uint64 // rows of the bits new at the last depth, and at this one
	planes      [8][]uint64
	frontier
	work      []uint32 // the nodes that may lack a bit, where pulled is set
	pulled    bool
	pullEdges int64 // out-degrees of work
	blocked   []chunkOfWork
	marked    []uint64 // by public number: the nodes that a push has touched
	touched   [][]uint32
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
func ManyBytes(n, m, lanes int) int64 {
	return 4*int64(m) + int64(n)*(25+2*int64(lanes))
}

// Lanes is the largest number of targets of a batch.
func (m *Many) Lanes() int { return 64 * m.words }

func (m *Many) rows() []uint64 { return hugeRows(m.pred.Nodes() * m.words) }

// DistancesTo fills columns[i], of length Nodes, with the number of links on a shortest path from each node to
// targets[i], and with schemas.Unreached where there is none. At most Lanes targets; they may repeat.
//
// A distance above schemas.MaxDistance is an error that names the first such target and a node; the columns are then
// unfinished.
func (m *Many) DistancesTo(targets []uint32, columns [][]uint8) error {
	m.check(targets, columns)
	m.start(targets)
	for depth := 1; m.newNodes > 0; depth++ {
		m.level(depth)
		if depth > int(schemas.MaxDistance) && m.newNodes > 0 {
			return m.tooFar(targets)
		}
	}
	m.write(columns)
	return nil
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
	m.clearFrontier()
	for lane, t := range targets {
		u, word, bit := m.rank[t], lane/64, uint64(1)<<(lane%64)
		row := m.row(m.front, u)
		if m.markNew(u) {
			clear(row)
			m.list = append(m.list, u)
			m.pushEdges += int64(m.pred.Degree(t))
		}
		m.full[word] |= bit
		row[word] |= bit
		m.row(m.seen, u)[word] |= bit
	}
	m.newNodes = len(m.list)
}

func (m *Many) row(rows []uint64, u uint32) []uint64 {
	at := int(u) * m.words
	return rows[at : at+m.words : at+m.words]
}

// pushCost is what an edge costs when its row is written at random, in units of one that is read and often skipped.
const pushCost = 6

// level finds the bits that are new at depth and makes them the frontier.
func (m *Many) level(depth int) {
	m.aim(depth)
	if m.pushEdges*pushCost < m.pullEdges {
		m.push()
	} else {
		m.pull()
	}
	m.front, m.next = m.next, m.front
}

// tooFar lets DistancesTo find the words: the frontier holds the nodes that are too far.
func (m *Many) tooFar(targets []uint32) error {
	var lanes [8]uint64
	m.enlist()
	for _, u := range m.list {
		for k, x := range m.row(m.front, u) {
			lanes[k] |= x
		}
	}
	for k, x := range lanes {
		if x != 0 {
			target := targets[64*k+bits.TrailingZeros64(x)]
			_, err := DistancesTo(m.pred, target, make([]uint8, m.pred.Nodes()), nil)
			return err
		}
	}
	panic("graph: a frontier without bits")
}
