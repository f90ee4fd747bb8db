package blocks

// The inverse transform. Node i holds the i-th byte of the transformed block, and which node follows it in the text.
const (
	nodeBits  = 20 // of a node's number; MaxSize fits
	nodeMask  = 1<<nodeBits - 1
	startMark = 1 << 31 // a piece begins at the node
	pieceLen  = 1 << 10 // mean number of nodes in a piece
	numLanes  = 8
	// laneSize has room for a whole block, as a damaged one may be one piece; it is odd in cache lines, lest lanes meet in a set.
	laneSize = MaxSize + 64 - MaxSize%64 + 64
)

type table struct {
	nodes [1 << nodeBits]uint32 // byte | next<<8 | startMark
	count [256]uint32           // of each byte
}

func (t *table) reset() { clear(t.count[:]) }

// repeat puts a byte into n nodes from the given one on.
func (t *table) repeat(from, n int, b byte) {
	for i := range t.nodes[from : from+n] {
		t.nodes[from+i] = uint32(b)
	}
	t.count[b] += uint32(n)
}

// link finds the successor of each of the first n nodes.
func (t *table) link(n int) {
	place, sum := &t.count, uint32(0)
	for b, k := range place {
		place[b] = sum
		sum += k
	}
	for i, node := range t.nodes[:n] {
		at := &place[byte(node)]
		t.nodes[*at&nodeMask] |= uint32(i) << 8
		*at++
	}
}

// piece is a stretch of text between two start nodes.
type piece struct {
	lane, from, to int // its bytes
	next           int // the piece that follows
}

// lanes are the bytes of pieces, and which pieces they are.
type lanes struct {
	bytes  [numLanes][laneSize]byte
	pieces []piece
	begun  int           // pieces so far
	open   [numLanes]int // piece that each lane is in
}

// untransform puts the n bytes of the text into d.raw. The nodes form cycles; the text is read from the one behind origin on, and
// goes round again where a cycle is shorter than n.
func (d *Decoder) untransform(n, origin int) {
	t, l := &d.table, &d.lanes
	t.link(n)
	first := int(t.nodes[origin] >> 8 & nodeMask)
	starts := (n + pieceLen - 1) / pieceLen
	l.reset(starts + 1)
	for i := range starts {
		t.nodes[i*pieceLen] |= startMark
	}
	t.nodes[first] |= startMark
	l.walk(t, first)
	d.raw = d.raw[:0]
	for p := l.pieceAt(first, first); len(d.raw) < n; p = l.pieces[p].next {
		text := l.bytes[l.pieces[p].lane][l.pieces[p].from:l.pieces[p].to]
		d.raw = append(d.raw, text[:min(len(text), n-len(d.raw))]...)
	}
}

func (l *lanes) reset(n int) {
	l.pieces = append(l.pieces[:0], make([]piece, n)...)
	l.begun = 0
}

// pieceAt gives the piece that begins at a start node. That of the text's first node is the last, wherever it lies.
func (l *lanes) pieceAt(node, first int) int {
	if node == first {
		return len(l.pieces) - 1
	}
	return node / pieceLen
}

// begin opens the next piece in a lane whose bytes reach up to at, and gives its first node's content; false when all are begun.
func (l *lanes) begin(t *table, lane, at, first int) (node uint32, ok bool) {
	p := l.begun
	start := p * pieceLen
	switch {
	case p == len(l.pieces)-1:
		start = first
	case start == first: // it is the last piece already
		l.begun++
		return l.begin(t, lane, at, first)
	}
	if p >= len(l.pieces) {
		return 0, false
	}
	l.begun++
	l.open[lane] = p
	l.pieces[p] = piece{lane: lane, from: at}
	return t.nodes[start] &^ startMark, true
}

// end closes the piece of a lane, which reached the node of another.
func (l *lanes) end(lane, at, node, first int) {
	p := &l.pieces[l.open[lane]]
	p.to, p.next = at, l.pieceAt(node, first)
}

// walk goes through all pieces, eight at a time while there are as many.
func (l *lanes) walk(t *table, first int) {
	var now [numLanes]uint32 // content of the node of each lane; 0 is not used by an open one's mark
	var open [numLanes]bool
	all := true
	for lane := range now {
		now[lane], open[lane] = l.begin(t, lane, 0, first)
		all = all && open[lane]
	}
	at := 0
	for all {
		var next [numLanes]uint32
		at = l.together(t, &now, &next, at)
		for lane, node := range next {
			if node&startMark == 0 {
				continue
			}
			l.end(lane, at, int(now[lane]>>8&nodeMask), first)
			next[lane], open[lane] = l.begin(t, lane, at, first)
			all = all && open[lane]
		}
		now = next
	}
	for lane, node := range now {
		if open[lane] {
			l.alone(t, lane, node, at, first)
		}
	}
}

// together writes one byte to each lane from at on, until a lane comes to a marked node. It gives where the lanes end; now has
// the nodes that were written last, next those that follow.
func (l *lanes) together(t *table, now, next *[numLanes]uint32, at int) int {
	a, b, c, d := now[0], now[1], now[2], now[3]
	e, f, g, h := now[4], now[5], now[6], now[7]
	for ; at < laneSize; at++ {
		l.bytes[0][at], l.bytes[1][at], l.bytes[2][at], l.bytes[3][at] = byte(a), byte(b), byte(c), byte(d)
		l.bytes[4][at], l.bytes[5][at], l.bytes[6][at], l.bytes[7][at] = byte(e), byte(f), byte(g), byte(h)
		a1, b1 := t.nodes[a>>8&nodeMask], t.nodes[b>>8&nodeMask]
		c1, d1 := t.nodes[c>>8&nodeMask], t.nodes[d>>8&nodeMask]
		e1, f1 := t.nodes[e>>8&nodeMask], t.nodes[f>>8&nodeMask]
		g1, h1 := t.nodes[g>>8&nodeMask], t.nodes[h>>8&nodeMask]
		if (a1|b1|c1|d1|e1|f1|g1|h1)&startMark != 0 {
			*now = [numLanes]uint32{a, b, c, d, e, f, g, h}
			*next = [numLanes]uint32{a1, b1, c1, d1, e1, f1, g1, h1}
			return at + 1
		}
		a, b, c, d, e, f, g, h = a1, b1, c1, d1, e1, f1, g1, h1
	}
	panic("blocks: a piece has more bytes than its block")
}

// alone walks one lane to the end of its piece.
func (l *lanes) alone(t *table, lane int, node uint32, at, first int) {
	bytes := &l.bytes[lane]
	for {
		bytes[at] = byte(node)
		at++
		after := int(node >> 8 & nodeMask)
		if node = t.nodes[after]; node&startMark != 0 {
			l.end(lane, at, after, first)
			return
		}
	}
}
