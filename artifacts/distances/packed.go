package distances

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math/bits"

	"github.com/wikinav/wikinav/schemas/fault"
)

// PackedSchema names the form of packed shards. 1: first form.
const PackedSchema = "wikinav.distances_packed/1"

// PackedName returns the name of shard i's file in the packed form.
func PackedName(i int) string { return fmt.Sprintf("distances-%04d.packed", i) }

// The numbers of the form, all little-endian: docs/distances.md has it in words.
const (
	packedMagic = "wikinav.packed/1"
	packedHead  = len(packedMagic) + 8 + 8 + 32 // nodes, columns, the graph's SHA-256
	blockBytes  = 64
	blockBits   = (blockBytes - 4) * 8 // behind the number of ones before the block
	maxPlanes   = 255
	inBytes     = 256 // in the place of a value: the rest stands in bytes
)

// plane is one bit for each node that no plane before it has: set for those at one distance.
type plane struct {
	value uint8
	ones  uint32
	nodes int
	bits  []byte
}

// packedColumn is a column as planes of its distances, the most frequent first.
type packedColumn struct {
	data   []byte // the whole of it
	nodes  int
	planes []plane
	value  uint8  // of the nodes that no plane has
	rest   []byte // or their distances; nil where they are one
}

// planeBytes is the size of the plane of n nodes: whole blocks and what the last one needs.
func planeBytes(n int) int {
	size := n / blockBits * blockBytes
	if left := n % blockBits; left > 0 {
		size += 4 + 4*((left+31)/32)
	}
	return size
}

func padded(n int) int { return (n + 3) &^ 3 }

// at looks up one node: in each plane a bit and, where it is not set, the ones before it, which are
// counted in the block alone.
func (c *packedColumn) at(u uint32) (uint8, error) {
	p := int(u)
	for i := range c.planes {
		pl := &c.planes[i]
		if p >= pl.nodes {
			return 0, misranked(i)
		}
		block := pl.bits[p/blockBits*blockBytes:]
		ones, words, bit := int(binary.LittleEndian.Uint32(block)), block[4:], p%blockBits
		for ; bit >= 32; bit -= 32 {
			ones += bits.OnesCount32(binary.LittleEndian.Uint32(words))
			words = words[4:]
		}
		word := binary.LittleEndian.Uint32(words)
		if word>>bit&1 == 1 {
			return pl.value, nil
		}
		ones += bits.OnesCount32(word & (1<<bit - 1))
		if p -= ones; p < 0 {
			return 0, misranked(i)
		}
	}
	if c.rest == nil {
		return c.value, nil
	}
	if p >= len(c.rest) {
		return 0, misranked(len(c.planes))
	}
	return c.rest[p], nil
}

func misranked(plane int) error {
	return fault.New(fault.Mismatch, "plane %d counts other bits than it has", plane)
}

// all unpacks the column, the last plane first: what a plane leaves open is what comes behind it.
func (c *packedColumn) all() ([]uint8, error) {
	dist := make([]uint8, c.nodes)
	open := c.nodes
	for _, pl := range c.planes {
		open -= int(pl.ones)
	}
	if copy(dist, c.rest) == 0 {
		for i := range open {
			dist[i] = c.value
		}
	}
	for i := len(c.planes) - 1; i >= 0; i-- {
		pl := &c.planes[i]
		for u := pl.nodes; u > 0; {
			from := (u - 1) &^ 31 // a block is whole words
			word := binary.LittleEndian.Uint32(pl.bits[from/blockBits*blockBytes+4+from%blockBits/8:])
			for ; u > from; u-- {
				if word>>((u-1)&31)&1 == 1 {
					dist[u-1] = pl.value
				} else if open--; open < 0 {
					return nil, misranked(i)
				} else {
					dist[u-1] = dist[open]
				}
			}
		}
		if open != 0 {
			return nil, misranked(i)
		}
		open = pl.nodes
	}
	return dist, nil
}

// canonical reports whether the column is written as appendColumn writes it, counts of bits
// included: dist is what it unpacks to.
func (c *packedColumn) canonical(dist []uint8) bool {
	return bytes.Equal(c.data, appendColumn(nil, dist))
}

// appendColumn packs a column. A distance gets a plane while the whole becomes smaller by it.
func appendColumn(out []byte, dist []uint8) []byte {
	var count [256]int
	for _, d := range dist {
		count[d]++
	}
	order, planes := planesOf(count, len(dist))
	u32 := binary.LittleEndian.AppendUint32
	out = u32(out, uint32(planes))
	for _, v := range order[:planes] {
		out = u32(u32(out, uint32(v)), uint32(count[v]))
	}
	left := order[planes:]
	if len(left) == 1 {
		out = u32(out, uint32(left[0]))
	} else {
		out = u32(out, inBytes)
	}
	rest := bytes.Clone(dist)
	for _, v := range order[:planes] {
		out, rest = appendPlane(out, rest, v)
	}
	if len(left) != 1 {
		out = append(out, rest...)
		out = append(out, make([]byte, padded(len(rest))-len(rest))...)
	}
	return out
}

// planesOf orders the distances that occur by their number, and says how many of them get a plane.
func planesOf(count [256]int, nodes int) (order []uint8, planes int) {
	for v, n := range count {
		if n == 0 {
			continue
		}
		order = append(order, uint8(v))
		for i := len(order) - 1; i > 0 && count[order[i]] > count[order[i-1]]; i-- {
			order[i], order[i-1] = order[i-1], order[i]
		}
	}
	size, best, left := 0, padded(nodes), nodes
	for k, v := range order {
		if k == len(order)-1 {
			if size <= best { // one distance is left, which takes no room
				planes = k
			}
			break
		}
		size += 8 + planeBytes(left)
		left -= count[v]
		if total := size + padded(left); total < best {
			best, planes = total, k+1
		}
	}
	return order, planes
}

// appendPlane writes the plane of value, and returns the distances of the other nodes in the place
// of dist.
func appendPlane(out []byte, dist []uint8, value uint8) (plane []byte, rest []uint8) {
	rest = dist[:0]
	start, ones := len(out), uint32(0)
	out = append(out, make([]byte, planeBytes(len(dist)))...)
	for u, d := range dist {
		block := out[start+u/blockBits*blockBytes:]
		if u%blockBits == 0 {
			binary.LittleEndian.PutUint32(block, ones)
		}
		if d != value {
			rest = append(rest, d)
			continue
		}
		ones++
		block[4+u%blockBits/8] |= 1 << (u % 8)
	}
	return out, rest
}

// WritePacked is WriteShard for the packed form. Memory holds one column.
func WritePacked(
	w io.Writer, graphSHA256 string, nodes, count int, column func(i int) ([]uint8, error),
) error {
	sum, err := hex.DecodeString(graphSHA256)
	if err != nil {
		return err
	}
	u64 := binary.LittleEndian.AppendUint64
	out := append(u64(u64([]byte(packedMagic), uint64(nodes)), uint64(count)), sum...)
	at, places := 0, []byte(nil)
	for i := range count {
		at += len(out)
		places = u64(places, uint64(at))
		if _, err := w.Write(out); err != nil {
			return err
		}
		dist, err := column(i)
		if err != nil {
			return fmt.Errorf("column %d: %w", i, err)
		}
		out = appendColumn(out[:0], dist)
	}
	places = u64(places, uint64(at+len(out)))
	_, err = w.Write(append(out, places...))
	return err
}

// parsePacked finds the columns of a packed shard. Every number is compared with the file before
// anything is read or made by it.
func parsePacked(data []byte, nodes int, graphSHA256 string) ([]packedColumn, error) {
	u64 := binary.LittleEndian.Uint64
	if len(data) < packedHead+8 || string(data[:len(packedMagic)]) != packedMagic {
		return nil, fault.New(fault.Mismatch, "no packed distances: want %q at the begin", packedMagic)
	}
	head := data[len(packedMagic):packedHead]
	n, columns, sum := u64(head), u64(head[8:]), hex.EncodeToString(head[16:])
	room := min(uint64(len(data)-packedHead-8)/8, uint64(nodes))
	switch {
	case sum != graphSHA256:
		return nil, fault.New(fault.Mismatch, "distances of the graph %s, want %s", sum, graphSHA256)
	case n != uint64(nodes):
		return nil, fault.New(fault.Mismatch, "%d distances in a column for %d nodes", n, nodes)
	case columns > room:
		return nil, fault.New(fault.Mismatch, "%d columns over %d nodes in %d bytes", columns, nodes, len(data))
	}
	end := uint64(len(data)) - 8*(columns+1)
	places, from := data[end:], uint64(packedHead)
	list := make([]packedColumn, columns)
	if u64(places) != from {
		return nil, fault.New(fault.Mismatch, "columns begin at byte %d, want %d", u64(places), from)
	}
	for i := range list {
		to := u64(places[8*(i+1):])
		if to < from || to > end {
			return nil, fault.New(fault.Mismatch, "ends at byte %d, between %d and %d is room", to, from, end).
				At("", columnNo(i))
		}
		c, err := parseColumn(data[from:to], nodes)
		if err != nil {
			return nil, fault.New(fault.Mismatch, "%w", err).At("", columnNo(i))
		}
		list[i], from = c, to
	}
	if from != end {
		return nil, fault.New(fault.Mismatch, "columns end at byte %d, want %d", from, end)
	}
	return list, nil
}

func columnNo(i int) string { return fmt.Sprintf("column %d", i) }

// parseColumn finds the planes of a column, which must fill data.
func parseColumn(data []byte, nodes int) (c packedColumn, err error) {
	u32 := binary.LittleEndian.Uint32
	if len(data) < 8 {
		return c, fmt.Errorf("%d bytes are no column", len(data))
	}
	planes := int(u32(data))
	if planes > maxPlanes || len(data) < 8+8*planes {
		return c, fmt.Errorf("%d planes in %d bytes", planes, len(data))
	}
	heads, last := data[4:], u32(data[4+8*planes:])
	c = packedColumn{data: data, nodes: nodes, value: uint8(last), planes: make([]plane, planes)}
	data = data[8+8*planes:]
	for i := range c.planes {
		value, ones, size := u32(heads[8*i:]), u32(heads[8*i+4:]), planeBytes(nodes)
		if value >= inBytes || int64(ones) > int64(nodes) || size > len(data) {
			return c, fmt.Errorf("plane %d: %d of %d nodes at distance %d in %d bytes",
				i, ones, nodes, value, len(data))
		}
		c.planes[i] = plane{uint8(value), ones, nodes, data[:size]}
		data, nodes = data[size:], nodes-int(ones)
	}
	want := 0
	if last == inBytes {
		c.rest, want = data[:min(nodes, len(data)):len(data)], padded(nodes)
	}
	if last > inBytes || len(data) != want {
		return c, fmt.Errorf("%d bytes behind the planes for %d nodes at distance %d, want %d",
			len(data), nodes, last, want)
	}
	return c, nil
}
