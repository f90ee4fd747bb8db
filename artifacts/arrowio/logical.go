package arrowio

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
)

// logical computes the digest of a table's rows (robustness specification 4.5): schema ID, then row
// by row and column by column, integers little-endian in their width, strings and lists after their
// uint32 length. It is the same for every file format, batch size and library version.
type logical struct {
	hash hash.Hash
	buf  []byte // rows that are not in hash yet: many small writes to a hash are slow
}

const logicalBuffer = 64 << 10

func newLogical(id string) *logical {
	buf := []byte("wikinav/logical/1\x00")
	buf = binary.LittleEndian.AppendUint32(buf, uint32(len(id)))
	return &logical{hash: sha256.New(), buf: append(buf, id...)}
}

// add takes up the rows of a batch.
func (l *logical) add(cols []column) {
	if k := cols[0].kind(); len(cols) == 1 && k.unit > 0 && !k.offsets {
		l.flush() // a column of numbers, as distances are, is its own encoding
		l.hash.Write(cols[0].data)
		return
	}
	encode := make([]func([]byte, int) []byte, len(cols))
	for i := range cols {
		encode[i] = cols[i].encoder()
	}
	for row := range cols[0].rows {
		for _, enc := range encode {
			l.buf = enc(l.buf, row)
		}
		if len(l.buf) >= logicalBuffer {
			l.flush()
		}
	}
}

func (l *logical) flush() {
	l.hash.Write(l.buf)
	l.buf = l.buf[:0]
}

func (l *logical) hex() string {
	l.flush()
	return hex.EncodeToString(l.hash.Sum(nil))
}

// encoder returns the function that appends the value of row i to a buffer. Values lie in memory as
// they are encoded, on every host that hostCanMap lets pass.
func (c *column) encoder() func(buf []byte, i int) []byte {
	le := binary.LittleEndian
	switch k := c.kind(); {
	case k.offsets:
		return func(b []byte, i int) []byte {
			from, to := c.offsets[i], c.offsets[i+1]
			b = le.AppendUint32(b, uint32(to-from))
			return append(b, c.data[int(from)*k.unit:int(to)*k.unit]...)
		}
	case k.unit == 1:
		return func(b []byte, i int) []byte { return append(b, c.data[i]) }
	case k.unit == 2:
		v := numbersOf[uint16](c.data)
		return func(b []byte, i int) []byte { return le.AppendUint16(b, v[i]) }
	case k.unit == 4:
		v := numbersOf[uint32](c.data)
		return func(b []byte, i int) []byte { return le.AppendUint32(b, v[i]) }
	case k.unit == 8:
		v := numbersOf[uint64](c.data)
		return func(b []byte, i int) []byte { return le.AppendUint64(b, v[i]) }
	}
	return func(b []byte, i int) []byte { return append(b, c.data[i/8]>>(i%8)&1) } // bools
}
