package arrowio

import (
	"encoding/binary"
	"fmt"

	"github.com/wikinav/wikinav/schemas"
)

// parse checks data, a whole Arrow file, against t and makes views of all its columns. It reads the
// metadata, the offsets and the text of the columns, and nothing of the others.
func parse(data []byte, t schemas.Table) (*File, error) {
	if err := hostCanMap(); err != nil {
		return nil, err
	}
	meta, blocks, err := readFooter(data, t)
	if err != nil {
		return nil, fmt.Errorf("footer: %w", err)
	}
	f := &File{views: views{table: t, batches: make([]batch, len(blocks))}, metadata: meta}
	for i, b := range blocks {
		if f.batches[i], err = readBatch(data, b, t); err != nil {
			return nil, fmt.Errorf("record batch %d: %w", i, err)
		}
	}
	return f, nil
}

// The frame of an Arrow file: magic, padding to 8 bytes, messages, footer, its length, magic.
// Format: https://arrow.apache.org/docs/format/Columnar.html#ipc-file-format and format/File.fbs,
// Schema.fbs there.
const (
	magic         = "ARROW1"
	headBytes     = 8
	tailBytes     = 4 + len(magic)
	maxMetadata   = 16 << 20 // of a footer or message
	versionV5     = 4
	blockBytes    = 24
	maxTextLength = 256 // of a column's name
)

// block is the place of a message: metadata at offset, body behind it.
type block struct{ offset, meta, body int64 }

// footerOf finds the footer's flatbuffer, and where in the file it begins.
func footerOf(data []byte) (footer *flat, start int64, err error) {
	n := len(data)
	if n < headBytes+tailBytes || string(data[:len(magic)]) != magic || string(data[n-len(magic):]) != magic {
		return nil, 0, fmt.Errorf("no Arrow file: the magic %q is not at both ends of %d bytes", magic, n)
	}
	size := int64(int32(binary.LittleEndian.Uint32(data[n-tailBytes:])))
	start = int64(n-tailBytes) - size
	if size <= 0 || size > maxMetadata || start < headBytes {
		return nil, 0, fmt.Errorf("footer of %d bytes in a file of %d", size, n)
	}
	return &flat{buf: data[start : start+size]}, start, nil
}

// readFooter checks the schema against t and gives the schema's metadata and the places of the
// record batches. Batches follow each other within the file and do not overlap, so that all checks
// together read each byte once.
func readFooter(data []byte, t schemas.Table) (meta map[string]string, blocks []block, err error) {
	f, start, err := footerOf(data)
	if err != nil {
		return nil, nil, err
	}
	root := f.root()
	if version := root.number(0, 2); version != versionV5 {
		f.fail("metadata version %d, expected %d", version+1, versionV5+1)
	}
	meta = readSchema(root.child(1), t)
	if n := root.vector(2, blockBytes).n; n != 0 {
		f.fail("%d dictionaries, expected none", n)
	}
	blocks = readBlocks(root.vector(3, blockBytes), start)
	if f.err != nil {
		return nil, nil, f.err
	}
	return meta, blocks, nil
}

func readBlocks(v vector, end int64) []block {
	blocks := make([]block, 0, v.n)
	free := int64(headBytes)
	for i := range v.n {
		b := block{v.number(i, 0, 8), v.number(i, 8, 4), v.number(i, 16, 8)}
		if !b.within(free, end) {
			v.flat.fail("record batch %d: %d and %d bytes at %d are not in the file between %d and %d", i, b.meta, b.body, b.offset, free, end)
			return nil
		}
		free = b.offset + b.meta + b.body
		blocks = append(blocks, b)
	}
	return blocks
}

// within reports whether b lies between from and to, on 8-byte boundaries. No sum can overflow: each
// part is compared first.
func (b block) within(from, to int64) bool {
	aligned := b.offset%8 == 0 && b.meta%8 == 0 && b.body%8 == 0
	inside := b.offset >= from && b.offset <= to &&
		b.meta > 8 && b.meta <= maxMetadata && b.meta <= to-b.offset &&
		b.body >= 0 && b.body <= to-b.offset-b.meta
	return aligned && inside
}

// readSchema checks that a schema has exactly the columns of t and names it, and gives its metadata.
func readSchema(s object, t schemas.Table) map[string]string {
	if s.number(0, 2) != 0 {
		s.flat.fail("schema is big-endian")
	}
	meta := readMetadata(s.vector(2, 4))
	if id := meta[KeySchema]; id != t.ID {
		s.flat.fail("schema %q, expected %q", id, t.ID)
	}
	fields := s.vector(1, 4)
	if fields.n != len(t.Columns) {
		s.flat.fail("%d columns, expected %d", fields.n, len(t.Columns))
		return nil
	}
	for i, c := range t.Columns {
		checkField(fields.object(i), c.Name, c.Type)
	}
	return meta
}

// checkField checks name, type and children of a field, that it is not nullable, and that it has no
// dictionary.
func checkField(o object, name string, typ schemas.Type) {
	if got := o.text(0, maxTextLength); got != name {
		o.flat.fail("column %q, expected %q", got, name)
	}
	if o.number(1, 1) != 0 || o.has(4) {
		o.flat.fail("column %s: nullable or with a dictionary", name)
	}
	checkType(o, name, kinds[typ].wire)
	children := o.vector(5, 4)
	if typ != schemas.ListUint32 {
		if children.n != 0 {
			o.flat.fail("column %s: %d children, expected none", name, children.n)
		}
		return
	}
	if children.n != 1 {
		o.flat.fail("column %s: %d children, expected one", name, children.n)
		return
	}
	checkField(children.object(0), listElement, schemas.Uint32)
}

func checkType(o object, name string, want wireType) {
	got := wireType{union: o.number(2, 1)}
	switch got.union {
	case typeInt:
		detail := o.child(3)
		got.bits, got.signed = detail.number(0, 4), detail.number(1, 1) != 0
	case typeFloat:
		got.precision = o.child(3).number(0, 2)
	}
	if got != want {
		o.flat.fail("column %s: type %+v, expected %+v", name, got, want)
	}
}

func readMetadata(pairs vector) map[string]string {
	if pairs.n > maxMetadataKeys {
		pairs.flat.fail("%d metadata keys, at most %d are accepted", pairs.n, maxMetadataKeys)
		return nil
	}
	meta := make(map[string]string, pairs.n)
	for i := range pairs.n {
		pair := pairs.object(i)
		key, value := pair.text(0, maxMetadataBytes), pair.text(1, maxMetadataBytes)
		if _, twice := meta[key]; twice {
			pairs.flat.fail("metadata key %q stands twice", key)
		}
		meta[key] = value
	}
	return meta
}

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
	if version, header := msg.number(0, 2), msg.number(1, 1); version != versionV5 || header != headerRecordBatch {
		meta.fail("metadata version %d and message type %d, expected %d and %d", version+1, header, versionV5+1, headerRecordBatch)
	}
	if n := msg.number(3, 8); n != b.body {
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
	rows := record.number(0, 8)
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

// column takes the nodes and buffers of c, and returns a view of it and the position of its values
// in the file. Offsets and text are checked before anyone can index with them.
func (r *body) column(c schemas.Column, rows int64) (view column, position int64) {
	r.takeNode(rows)
	r.take(0) // the validity bitmap, absent where nothing is null
	k := &kinds[c.Type]
	view = column{typ: c.Type, rows: int(rows)}
	if k.offsets {
		view.offsets = numbersOf[int32](r.take(4 * (rows + 1)))
	}
	switch {
	case c.Type == schemas.ListUint32:
		view.data = r.listValues()
	case k.offsets:
		view.data = r.take(-1)
	default:
		view.data = r.take(k.size(rows))
	}
	if r.meta.err == nil {
		if err := view.check(); err != nil {
			r.meta.fail("column %s: %w", c.Name, err)
		}
	}
	return view, r.start + r.free - int64(len(view.data))
}

func (r *body) listValues() []byte {
	n := r.takeNode(-1)
	r.take(0)
	if n > int64(len(r.data)) {
		r.meta.fail("a list column of %d values in %d bytes", n, len(r.data))
		return nil
	}
	return r.take(4 * n)
}

// takeNode checks the next node for its rows, unless want is negative, and for nulls.
func (r *body) takeNode(want int64) int64 {
	if r.node >= r.nodes.n {
		r.meta.fail("%d nodes, expected more", r.nodes.n)
		return 0
	}
	n, nulls := r.nodes.number(r.node, 0, 8), r.nodes.number(r.node, 8, 8)
	r.node++
	if n < 0 || nulls != 0 || want >= 0 && n != want {
		r.meta.fail("node %d: %d rows and %d nulls, expected %d and none", r.node-1, n, nulls, want)
		return 0
	}
	return n
}

// take returns the next buffer, which must be of want bytes unless want is negative, nil after an error.
func (r *body) take(want int64) []byte {
	if r.buffer >= r.buffers.n {
		r.meta.fail("%d buffers, expected more", r.buffers.n)
		return nil
	}
	offset, n := r.buffers.number(r.buffer, 0, 8), r.buffers.number(r.buffer, 8, 8)
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
