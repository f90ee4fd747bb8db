package arrowio

import (
	"encoding/binary"
	"fmt"

	"github.com/wikinav/wikinav/schemas"
)

// Values of Arrow's Message.fbs.
const (
	continuation      = 0xFFFFFFFF // begins every message, before the length of its metadata
	headerRecordBatch = 3
	pairBytes         = 16 // a FieldNode (rows, nulls) or a Buffer (offset, length)
)

// body hands out the nodes and buffers of a record batch in their order, which is that of the columns, depth
// first. Buffers lie one behind the other in the body: none shares bytes with another.
type body struct {
	meta    *flat
	data    []byte // of the body
	start   int64  // of data in the file
	nodes   vector
	buffers vector
	node    int
	buffer  int
	free    int64 // end of the last buffer, in data
}

// readBatch checks the record batch at b against t and makes its views.
func readBatch(data []byte, b block, t schemas.Table) (batch, error) {
	meta, err := messageOf(data, b)
	if err != nil {
		return batch{}, err
	}
	msg := meta.root()
	if version, header := msg.uint16(0), msg.uint8(1); version != versionV5 || header != headerRecordBatch {
		meta.fail("metadata version %d and message type %d, expected %d and %d", version+1, header, versionV5+1, headerRecordBatch)
	}
	if n := msg.int64(3); n != b.body {
		meta.fail("body of %d bytes, the footer says %d", n, b.body)
	}
	return readRecord(msg.child(2), data, b, t)
}

// messageOf finds the flatbuffer of a message behind its prefix.
func messageOf(data []byte, b block) (*flat, error) {
	prefix := data[b.offset : b.offset+8]
	mark, size := binary.LittleEndian.Uint32(prefix), int64(binary.LittleEndian.Uint32(prefix[4:]))
	if mark != continuation || size != b.meta-8 {
		return nil, fmt.Errorf("message at %d begins with %#x and length %d, expected %#x and %d", b.offset, mark, size, uint32(continuation), b.meta-8)
	}
	return &flat{buf: data[b.offset+8 : b.offset+b.meta]}, nil
}

func readRecord(record object, data []byte, b block, t schemas.Table) (batch, error) {
	start := b.offset + b.meta
	r := &body{
		meta: record.flat, data: data[start : start+b.body], start: start,
		nodes: record.vector(1, pairBytes), buffers: record.vector(2, pairBytes),
	}
	if record.has(3) || record.vector(4, 8).n != 0 {
		r.meta.fail("compressed or with variadic buffers")
	}
	rows := record.int64(0)
	if rows < 0 || rows > 8*b.body { // a row takes a bit at least; from here on no product of rows overflows
		r.meta.fail("%d rows in %d bytes", rows, b.body)
		return batch{}, r.meta.err
	}
	out := batch{rows: int(rows)}
	for _, c := range t.Columns {
		col, pos := r.column(c, rows)
		out.cols, out.positions = append(out.cols, col), append(out.positions, pos)
	}
	if r.node != r.nodes.n || r.buffer != r.buffers.n {
		r.meta.fail("%d nodes and %d buffers, expected %d and %d", r.nodes.n, r.buffers.n, r.node, r.buffer)
	}
	return out, r.meta.err
}

// column takes the nodes and buffers of c, and gives a view of it and the position of its values in the file.
func (r *body) column(c schemas.Column, rows int64) (view any, position int64) {
	r.takeNode(rows)
	r.take(0) // the validity bitmap, absent where nothing is null
	switch c.Type {
	case schemas.String, schemas.Binary:
		s := Strings{Offsets: numbersOf[int32](r.take(4 * (rows + 1))), Data: r.take(-1)}
		return r.checked(c, s), r.last(len(s.Data))
	case schemas.ListUint32:
		l := Lists{Offsets: numbersOf[int32](r.take(4 * (rows + 1)))}
		l.Values = r.listValues()
		return r.checked(c, l), r.last(4 * len(l.Values))
	case schemas.Bool:
		bits := r.take((rows + 7) / 8)
		return r.checked(c, Bools{bits: bits, n: int(rows)}), r.last(len(bits))
	}
	values := r.take(rows * width(c.Type))
	return numbers(c.Type, values), r.last(len(values))
}

func (r *body) listValues() []uint32 {
	n := r.takeNode(-1)
	r.take(0)
	if n > int64(len(r.data)) {
		r.meta.fail("a list column of %d values in %d bytes", n, len(r.data))
		return nil
	}
	return numbersOf[uint32](r.take(4 * n))
}

// takeNode checks the next node for its rows, unless want is negative, and for nulls.
func (r *body) takeNode(want int64) int64 {
	if r.node >= r.nodes.n {
		r.meta.fail("%d nodes, expected more", r.nodes.n)
		return 0
	}
	n, nulls := r.nodes.int64(r.node, 0), r.nodes.int64(r.node, 8)
	r.node++
	if n < 0 || nulls != 0 || want >= 0 && n != want {
		r.meta.fail("node %d: %d rows and %d nulls, expected %d and none", r.node-1, n, nulls, want)
		return 0
	}
	return n
}

// take gives the next buffer, which must be of want bytes unless want is negative, nil after an error.
func (r *body) take(want int64) []byte {
	if r.buffer >= r.buffers.n {
		r.meta.fail("%d buffers, expected more", r.buffers.n)
		return nil
	}
	offset, n := r.buffers.int64(r.buffer, 0), r.buffers.int64(r.buffer, 8)
	r.buffer++
	end := int64(len(r.data))
	if offset < r.free || offset > end || offset%8 != 0 || n < 0 || n > end-offset || want >= 0 && n != want {
		r.meta.fail("buffer %d: %d bytes at %d of a body of %d, expected %d from %d on", r.buffer-1, n, offset, end, want, r.free)
	}
	if r.meta.err != nil {
		return nil
	}
	r.free = offset + n
	return r.data[offset : offset+n : offset+n]
}

// last gives the file position of the buffer of n bytes that was taken last.
func (r *body) last(n int) int64 { return r.start + r.free - int64(n) }

// checked checks offsets and text of a column before anyone can index with them.
func (r *body) checked(c schemas.Column, col any) any {
	if r.meta.err != nil {
		return col
	}
	if err := checkColumn(c.Type, col); err != nil {
		r.meta.fail("column %s: %w", c.Name, err)
	}
	return col
}

func numbers(typ schemas.Type, b []byte) any {
	switch typ {
	case schemas.Uint8:
		return b
	case schemas.Int16:
		return numbersOf[int16](b)
	case schemas.Uint16:
		return numbersOf[uint16](b)
	case schemas.Uint32:
		return numbersOf[uint32](b)
	case schemas.Uint64:
		return numbersOf[uint64](b)
	case schemas.Int64:
		return numbersOf[int64](b)
	case schemas.Float64:
		return numbersOf[float64](b)
	}
	panic(fmt.Sprintf("arrowio: unknown column type %d", typ))
}
