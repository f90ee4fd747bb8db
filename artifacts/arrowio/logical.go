package arrowio

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
)

// logical computes the digest of a table's rows (robustness specification 4.5): schema ID, then row by
// row and column by column, integers little-endian in their width, strings and lists after their uint32 length.
// It is the same for every file format, batch size and library version.
type logical struct {
	hash hash.Hash
	buf  []byte // rows that are not in hash yet: many small writes to a hash are slow
}

const logicalBuffer = 64 << 10

func newLogical(id string) *logical {
	l := &logical{hash: sha256.New(), buf: []byte("wikinav/logical/1\x00")}
	l.buf = appendBytes(l.buf, []byte(id))
	return l
}

// add takes up rows rows of a batch.
func (l *logical) add(cols []any, rows int) {
	if v, ok := cols[0].([]uint8); ok && len(cols) == 1 {
		l.flush() // a distance column is its own encoding
		l.hash.Write(v)
		return
	}
	encode := make([]func([]byte, int) []byte, len(cols))
	for i, c := range cols {
		encode[i] = encoder(c)
	}
	for row := range rows {
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

// encoder gives the function that appends the value of row i of col to a buffer.
func encoder(col any) func(buf []byte, i int) []byte {
	le := binary.LittleEndian
	switch c := col.(type) {
	case []bool:
		return func(b []byte, i int) []byte { return appendBool(b, c[i]) }
	case Bools:
		return func(b []byte, i int) []byte { return appendBool(b, c.At(i)) }
	case []uint8:
		return func(b []byte, i int) []byte { return append(b, c[i]) }
	case []int16:
		return func(b []byte, i int) []byte { return le.AppendUint16(b, uint16(c[i])) }
	case []uint16:
		return func(b []byte, i int) []byte { return le.AppendUint16(b, c[i]) }
	case []uint32:
		return func(b []byte, i int) []byte { return le.AppendUint32(b, c[i]) }
	case []uint64:
		return func(b []byte, i int) []byte { return le.AppendUint64(b, c[i]) }
	case []int64:
		return func(b []byte, i int) []byte { return le.AppendUint64(b, uint64(c[i])) }
	case []float64:
		return func(b []byte, i int) []byte { return le.AppendUint64(b, math.Float64bits(c[i])) }
	case Strings:
		return func(b []byte, i int) []byte { return appendBytes(b, c.Bytes(i)) }
	case Lists:
		return func(b []byte, i int) []byte { return appendList(b, c.At(i)) }
	}
	panic(fmt.Sprintf("arrowio: %T is no column", col))
}

func appendBool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

func appendBytes(b, v []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(len(v)))
	return append(b, v...)
}

func appendList(b []byte, v []uint32) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(len(v)))
	return append(b, bytesOf(v)...) // of the right order on every host that hostCanMap lets pass
}
