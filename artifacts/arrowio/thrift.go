package arrowio

import (
	"encoding/binary"
	"fmt"
)

// compact reads the compact protocol of Thrift, in which Parquet states its metadata. It keeps the
// first error, and reads zeros after it. What it returns points into buf; beside that it allocates
// nothing, whatever the bytes claim.
//
// Format: https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
type compact struct {
	buf   []byte
	pos   int
	depth int
	err   error
}

// Kinds of values.
const (
	compactStop   = 0
	compactTrue   = 1
	compactFalse  = 2
	compactByte   = 3
	compactI16    = 4
	compactI32    = 5
	compactI64    = 6
	compactDouble = 7
	compactBinary = 8
	compactList   = 9
	compactSet    = 10
	compactMap    = 11
	compactStruct = 12
)

// maxCompactDepth is far above what Parquet nests.
const maxCompactDepth = 32

func (c *compact) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("%w at byte %d of the metadata", fmt.Errorf(format, args...), c.pos)
	}
}

func (c *compact) byte() byte {
	if c.err == nil && c.pos >= len(c.buf) {
		c.fail("it ends early")
	}
	if c.err != nil {
		return 0
	}
	c.pos++
	return c.buf[c.pos-1]
}

func (c *compact) uvarint() uint64 {
	if c.err != nil {
		return 0
	}
	v, n := binary.Uvarint(c.buf[c.pos:])
	if n <= 0 {
		c.fail("a number does not end")
		return 0
	}
	c.pos += n
	return v
}

// integer reads an i16, i32 or i64.
func (c *compact) integer() int64 {
	v := c.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

// bytes reads a string or byte string.
func (c *compact) bytes() []byte {
	n := c.uvarint()
	if c.err == nil && n > uint64(len(c.buf)-c.pos) {
		c.fail("%d bytes are claimed where %d are left", n, len(c.buf)-c.pos)
	}
	if c.err != nil {
		return nil
	}
	c.pos += int(n)
	return c.buf[c.pos-int(n) : c.pos]
}

// fields reads a struct. It hands each field to read, which reads its value, or returns false for
// a field that it does not know; fields skips that one.
func (c *compact) fields(read func(id int64, kind byte) bool) {
	if c.depth++; c.depth > maxCompactDepth {
		c.fail("structs are nested deeper than %d", maxCompactDepth)
	}
	var id int64
	for c.err == nil {
		head := c.byte()
		kind := head & 15
		if kind == compactStop {
			break
		}
		if delta := int64(head >> 4); delta != 0 {
			id += delta
		} else {
			id = c.integer()
		}
		if !read(id, kind) {
			c.skip(kind)
		}
	}
	c.depth--
}

// list reads the head of a list, whose items of the kind wanted the caller then reads.
func (c *compact) list(want byte) int {
	n, kind := c.listHead()
	if c.err == nil && n > 0 && kind != want {
		c.fail("a list has items of kind %d, expected %d", kind, want)
	}
	if c.err != nil {
		return 0
	}
	return n
}

// listHead refuses a list that claims more items than there are bytes: each takes one at least.
func (c *compact) listHead() (n int, kind byte) {
	head := c.byte()
	size := uint64(head >> 4)
	if size == 15 {
		size = c.uvarint()
	}
	if c.err == nil && size > uint64(len(c.buf)-c.pos) {
		c.fail("a list of %d items where %d bytes are left", size, len(c.buf)-c.pos)
	}
	if c.err != nil {
		return 0, 0
	}
	return int(size), head & 15
}

// skip passes over a value that stands in a field.
func (c *compact) skip(kind byte) {
	switch kind {
	case compactTrue, compactFalse: // the field's head holds the value
	default:
		c.skipItem(kind)
	}
}

// skipItem passes over a value that stands in a list or map, or a field's that is no bool.
func (c *compact) skipItem(kind byte) {
	switch kind {
	case compactTrue, compactFalse, compactByte:
		c.byte()
	case compactI16, compactI32, compactI64:
		c.uvarint()
	case compactDouble:
		for range 8 {
			c.byte()
		}
	case compactBinary:
		c.bytes()
	case compactStruct:
		c.fields(func(int64, byte) bool { return false })
	case compactList, compactSet:
		c.skipItems()
	default:
		c.fail("a value of kind %d", kind) // maps too: Parquet has none
	}
}

func (c *compact) skipItems() {
	if c.depth++; c.depth > maxCompactDepth {
		c.fail("lists are nested deeper than %d", maxCompactDepth)
	}
	n, kind := c.listHead()
	for range n {
		if c.err != nil {
			return
		}
		c.skipItem(kind)
	}
	c.depth--
}
