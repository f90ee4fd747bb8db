package blocks

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
