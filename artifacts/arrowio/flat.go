package arrowio

import (
	"encoding/binary"
	"fmt"
)

// flat reads one flatbuffer, the form of Arrow's metadata, without trusting it: every access is
// checked against the buffer, and the first that fails, or that a caller finds wrong, is kept in
// err. From then on values are zero and vectors empty, so a walk may go on and ask once at its end.
// Positions are absolute in buf.
//
// Format: https://flatbuffers.dev/internals. A table begins with the distance back to its vtable,
// which gives per field the offset in the table, 0 if absent; strings, vectors and tables are
// reached through forward offsets.
type flat struct {
	buf []byte
	err error
}

// object is a table of a flatbuffer. Fields are numbered from 0 in the order of the schema.
type object struct {
	flat   *flat
	pos    int64
	fields []byte // of the vtable
}

// vector is a vector of offsets, or of structs in place.
type vector struct {
	flat  *flat
	pos   int64 // of the first element
	n     int   // elements
	width int64 // bytes of an element
}

var noBytes [8]byte

func (f *flat) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf(format, args...)
	}
}

// at returns n <= 8 bytes from pos.
func (f *flat) at(pos, n int64) []byte {
	if f.err != nil || pos < 0 || pos > int64(len(f.buf))-n {
		f.fail("metadata points outside itself: %d bytes at %d of %d", n, pos, len(f.buf))
		return noBytes[:n]
	}
	return f.buf[pos : pos+n]
}

// number returns the unsigned number of width bytes at pos.
func (f *flat) number(pos, width int64) int64 {
	var eight [8]byte
	copy(eight[:], f.at(pos, width))
	return int64(binary.LittleEndian.Uint64(eight[:]))
}

// follow returns where the offset at pos points.
func (f *flat) follow(pos int64) int64 { return pos + f.number(pos, 4) }

func (f *flat) root() object { return f.object(f.follow(0)) }

func (f *flat) object(pos int64) object {
	vtable := pos - int64(int32(f.number(pos, 4)))
	size := f.number(vtable, 2)
	if f.err == nil && (size < 4 || size > int64(len(f.buf))-vtable) {
		f.fail("metadata has a vtable of %d bytes at %d of %d", size, vtable, len(f.buf))
	}
	if f.err != nil {
		return object{flat: f}
	}
	return object{flat: f, pos: pos, fields: f.buf[vtable+4 : vtable+size]}
}

// slot returns the position of a field, or 0 where it is absent.
func (o object) slot(field int) int64 {
	if len(o.fields) < 2*field+2 {
		return 0
	}
	offset := binary.LittleEndian.Uint16(o.fields[2*field:])
	if offset == 0 {
		return 0
	}
	return o.pos + int64(offset)
}

func (o object) has(field int) bool { return o.slot(field) != 0 }

// number returns the unsigned number of width bytes in a field, 0 where the field is absent.
func (o object) number(field int, width int64) int64 {
	if p := o.slot(field); p != 0 {
		return o.flat.number(p, width)
	}
	return 0
}

// child returns the table in a field that must be there.
func (o object) child(field int) object {
	p := o.slot(field)
	if p == 0 {
		o.flat.fail("metadata lacks field %d of a table", field)
		return object{flat: o.flat}
	}
	return o.flat.object(o.flat.follow(p))
}

// text returns a copy of the string in a field, of at most limit bytes.
func (o object) text(field int, limit int) string {
	v := o.vector(field, 1)
	if v.n > limit {
		o.flat.fail("metadata has a text of %d bytes, at most %d are accepted", v.n, limit)
		return ""
	}
	return string(o.flat.buf[v.pos : v.pos+int64(v.n)])
}

// vector returns the vector in a field, with elements of width bytes; empty where the field is absent.
func (o object) vector(field int, width int64) vector {
	p := o.slot(field)
	if p == 0 {
		return vector{flat: o.flat}
	}
	pos := o.flat.follow(p)
	n := o.flat.number(pos, 4)
	if room := int64(len(o.flat.buf)) - pos - 4; o.flat.err == nil && n > room/width {
		o.flat.fail("metadata has a vector of %d elements of %d bytes in %d bytes", n, width, room)
	}
	if o.flat.err != nil {
		return vector{flat: o.flat}
	}
	return vector{flat: o.flat, pos: pos + 4, n: int(n), width: width}
}

// object returns element i of a vector of tables, whose width is 4.
func (v vector) object(i int) object {
	return v.flat.object(v.flat.follow(v.pos + int64(i)*v.width))
}

// number returns the unsigned number of width bytes at byte off of struct i.
func (v vector) number(i int, off, width int64) int64 {
	return v.flat.number(v.pos+int64(i)*v.width+off, width)
}
