package graph

import "golang.org/x/sys/cpu"

// vectors reports whether the machine has what rows_amd64.s is written in: AVX-512 with bytes and
// byte permutations.
var vectors = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VBMI

// vectorPlanes is how many planes expandVector adds up beside the one of what was not seen.
const vectorPlanes = 5

// bases is one depth as the vector code reads it: its offsets stand in rows_amd64.s.
type bases struct {
	front, next, seen *uint64
	planes            [8]*uint64
	count             int // of planes
	full              [8]uint64
}

// bind sets the bases of a depth, after its planes and before its first gatherVector.
func (m *Many) bind() {
	if !m.vector {
		return
	}
	m.base = bases{front: &m.front[0], next: &m.next[0], seen: &m.seen[0], count: len(m.writes), full: m.full}
	for i, plane := range m.writes {
		m.base.planes[i] = &plane[0]
	}
}

// gatherVector is gatherRow for rows of eight words: orRows, then settle. It reads up to prefetched
// ids past the end of ids, to fetch the rows of the nodes that come next.
//
//go:noescape
func gatherVector(b *bases, v uint32, ids []uint32) (isNew, whole bool)

// squares holds 64 nodes of one plane, a word after another: eight groups of eight nodes, in each
// the nodes' first bytes, then their second, to the eighth. expandVector reorders a word in place:
// the first bytes of all nodes, and so on.
type squares [8][8][64]uint8

// squaresVector loads rows of eight words of the nodes named by ids, each XORed with flip.
//
//go:noescape
func squaresVector(dst *squares, plane *uint64, ids *[tile]uint32, flip *[8]uint64)

// expandVector writes the distances of 64 nodes, starting with number at, to the columns of one
// word of lanes.
//
//go:noescape
func expandVector(columns []*uint8, at int, planes *[vectorPlanes + 1]squares, word int)

// vectorTiles writes the tiles lo..hi-1 of 64 nodes. It needs rows of eight words, and distances up to 31.
func (w *tileWriter) vectorTiles(lo, hi int) {
	var none [8]uint64
	n := w.m.pred.Nodes()
	for t := lo; t < hi; t++ {
		if (t+1)*tile > n {
			w.tile(t*tile, n)
			return
		}
		ids := (*[tile]uint32)(w.m.rank[t*tile:])
		for b := range w.m.used {
			squaresVector(&w.room.planes[b], &w.m.planes[b][0], ids, &none)
		}
		if w.missing {
			squaresVector(&w.room.planes[vectorPlanes], &w.m.seen[0], ids, &w.m.full)
		}
		for word := 0; word*64 < len(w.columns); word++ {
			expandVector(w.room.columns[word*64:min(word*64+64, len(w.columns))], t*tile, &w.room.planes, word)
		}
	}
}

// vectorRoom is what a worker needs to write tiles.
type vectorRoom struct {
	planes  [vectorPlanes + 1]squares
	columns []*uint8
}

func newVectorRoom(columns [][]uint8) *vectorRoom {
	r := new(vectorRoom)
	for _, c := range columns {
		r.columns = append(r.columns, &c[0])
	}
	return r
}
