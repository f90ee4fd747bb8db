package arrowio

// The pages of a Parquet file: their headers, what they unpack to, and the levels of list columns.
// The places and sizes of their chunks have been compared with the file by then.

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/klauspost/compress/zstd"

	"github.com/wikinav/wikinav/schemas"
)

// pages reads the pages of a file.
type pages struct {
	data []byte
	left int64 // of what pages may claim
	zstd *zstd.Decoder
	buf  []byte
}

// page is what the reader wants of a PageHeader and its DataPageHeader.
type page struct {
	kind, plain, packed, values, encoding int64
	levels                                [2]int64
}

// column reads the rows rows of a chunk.
func (p *pages) column(t schemas.Type, rows int, at chunk) (column, error) {
	out := column{typ: t}
	if kinds[t].offsets {
		out.offsets = make([]int32, 1, rows+1)
	}
	rest := p.data[at.offset : at.offset+at.bytes]
	var values int64
	for len(rest) > 0 {
		head, n, err := readPage(rest)
		if err != nil {
			return column{}, err
		}
		body, err := p.unpack(head, rest[n:])
		if err != nil {
			return column{}, err
		}
		if err := out.appendPage(body, head.values, rows); err != nil {
			return column{}, err
		}
		values, rest = values+head.values, rest[n+int(head.packed):]
	}
	if t == schemas.ListUint32 && len(out.offsets) > 1 { // the last list is open until here
		out.rows++
	}
	if out.rows != rows || values != at.values {
		return column{}, fmt.Errorf("%d rows of %d values, expected %d of %d", out.rows, values, rows, at.values)
	}
	return out, out.check()
}

// readPage reads the header of a page, and tells how long it is.
func readPage(data []byte) (h page, size int, err error) {
	c := &compact{buf: data}
	h = page{kind: pqAbsent, encoding: pqAbsent}
	into := func(places map[int64]*int64, id int64, kind byte) bool {
		if places[id] == nil || kind != compactI32 {
			return false
		}
		*places[id] = c.integer()
		return true
	}
	c.fields(func(id int64, kind byte) bool {
		if id == 5 && kind == compactStruct {
			c.fields(func(id int64, kind byte) bool {
				return into(map[int64]*int64{1: &h.values, 2: &h.encoding, 3: &h.levels[0], 4: &h.levels[1]}, id, kind)
			})
			return true
		}
		return into(map[int64]*int64{1: &h.kind, 2: &h.plain, 3: &h.packed}, id, kind)
	})
	if c.err != nil {
		return page{}, 0, fmt.Errorf("page header: %w", c.err)
	}
	if h.kind != pqDataPage || h.encoding != pqPlain || h.levels != [2]int64{pqRLE, pqRLE} {
		return page{}, 0, fmt.Errorf("a page of kind %d in encoding %d, expected %d in %d", h.kind, h.encoding, pqDataPage, pqPlain)
	}
	if left := int64(len(data) - c.pos); h.packed < 0 || h.packed > left || h.plain < 0 || h.values < 0 {
		return page{}, 0, fmt.Errorf("a page of %d values claims %d bytes and %d compressed where %d are left", h.values, h.plain, h.packed, left)
	}
	return h, c.pos, nil
}

// unpack decompresses a page. The buffer is that of the page before.
func (p *pages) unpack(h page, data []byte) ([]byte, error) {
	if p.left -= h.plain; p.left < 0 {
		return nil, fmt.Errorf("a page of %d bytes: the pages of this file claim more than %d bytes and %d times its size",
			h.plain, parquetAllowance, parquetRatio)
	}
	if int64(cap(p.buf)) < h.plain {
		p.buf = make([]byte, 0, h.plain)
	}
	out, err := p.zstd.DecodeAll(data[:h.packed], p.buf[:0:h.plain])
	if err == nil && int64(len(out)) != h.plain {
		err = fmt.Errorf("%d bytes, the header says %d", len(out), h.plain)
	}
	if err != nil {
		return nil, fmt.Errorf("decompress a page: %w", err)
	}
	return out, nil
}

var errShortPage = errors.New("a page has fewer or more bytes than its values take")

// appendPage adds the values of a page. All pages together have at most rows rows.
func (c *column) appendPage(body []byte, values int64, rows int) error {
	if c.typ == schemas.ListUint32 {
		return c.appendLists(body, values, rows)
	}
	if values > int64(rows-c.rows) {
		return fmt.Errorf("%d values more where %d rows are left", values, rows-c.rows)
	}
	n := int(values)
	switch k := c.kind(); {
	case c.typ == schemas.Bool:
		if len(body) != (n+7)/8 {
			return errShortPage
		}
		for i := range n {
			c.appendBool(body[i/8]>>(i%8)&1 == 1)
		}
		return nil
	case k.offsets:
		return c.appendTexts(body, n)
	case k.unit < 4:
		return c.appendNarrow(body, n)
	case len(body) != n*k.unit:
		return errShortPage
	}
	c.data = append(c.data, body...)
	c.rows += n
	return nil
}

func (c *column) appendTexts(body []byte, n int) error {
	c.data = slices.Grow(c.data, len(body))
	for range n {
		if len(body) < 4 {
			return errShortPage
		}
		size := binary.LittleEndian.Uint32(body)
		if body = body[4:]; uint64(size) > uint64(len(body)) {
			return errShortPage
		}
		c.data = append(c.data, body[:size]...)
		c.offsets = append(c.offsets, int32(len(c.data)))
		body = body[size:]
	}
	c.rows += n
	if len(body) != 0 {
		return errShortPage
	}
	return nil
}

// appendNarrow adds numbers of one or two bytes, for which Parquet has only a type of four.
func (c *column) appendNarrow(body []byte, n int) error {
	if len(body) != 4*n {
		return errShortPage
	}
	for i := range n {
		v := int32(binary.LittleEndian.Uint32(body[4*i:]))
		switch {
		case c.typ == schemas.Uint8 && v == int32(uint8(v)):
			c.data = append(c.data, uint8(v))
		case c.typ == schemas.Uint16 && v == int32(uint16(v)), c.typ == schemas.Int16 && v == int32(int16(v)):
			c.data = binary.LittleEndian.AppendUint16(c.data, uint16(v))
		default:
			return fmt.Errorf("row %d: %d is out of the range of its type", c.rows+i, v)
		}
	}
	c.rows += n
	return nil
}

// Levels of a list column: its group is required, its repeated child holds an optional number.
const (
	levelEmpty = 0 // of definition: a list without items
	levelValue = 2
)

// appendLists adds a page of a list column: levels of repetition, which say where a list begins,
// levels of definition, which tell an empty list from an item, and the items. A list that goes on
// in the next page is open until the next begins; its end is then in offsets.
func (c *column) appendLists(body []byte, values int64, rows int) error {
	repetition, body, err := levelsOf(body, 1)
	if err != nil {
		return err
	}
	definition, body, err := levelsOf(body, 2)
	if err != nil {
		return err
	}
	for range values {
		again, ok := repetition.next()
		level, also := definition.next()
		begins := again == 0
		switch {
		case !ok || !also:
			return errShortPage
		case begins && c.rows == rows, !begins && len(c.offsets) == 1:
			return fmt.Errorf("a list begins or goes on where %d of %d rows are there", c.rows, rows)
		case begins && len(c.offsets) > 1:
			c.rows++
		}
		if begins {
			c.offsets = append(c.offsets, c.offsets[len(c.offsets)-1])
		}
		switch {
		case level == levelEmpty && begins:
		case level == levelValue && len(body) >= 4:
			c.data, body = append(c.data, body[:4]...), body[4:]
			c.offsets[len(c.offsets)-1]++
		default:
			return fmt.Errorf("an item of level %d: nulls, or an item that is not there", level)
		}
	}
	if len(body) != 0 {
		return errShortPage
	}
	return nil
}

// levels decodes Parquet's hybrid of runs and packed bits, a level at a time.
type levels struct {
	data   []byte
	bits   int
	run    uint64 // levels that are left of the run
	packed bool
	level  uint8  // of a run that is not packed
	at     uint64 // the next bit of a packed run
}

// levelsOf splits the levels, which have their length before them, off a page.
func levelsOf(body []byte, bits int) (levels, []byte, error) {
	if len(body) < 4 {
		return levels{}, nil, errShortPage
	}
	n := binary.LittleEndian.Uint32(body)
	if body = body[4:]; uint64(n) > uint64(len(body)) {
		return levels{}, nil, errShortPage
	}
	return levels{data: body[:n], bits: bits}, body[n:], nil
}

// next returns the next level, and reports whether there is one.
func (l *levels) next() (uint8, bool) {
	if l.run == 0 && !l.begin() {
		return 0, false
	}
	l.run--
	if !l.packed {
		return l.level, true
	}
	v := uint8(0)
	for i := range l.bits {
		v |= (l.data[l.at/8] >> (l.at % 8) & 1) << i
		l.at++
	}
	if l.run == 0 {
		l.data = l.data[l.at/8:]
	}
	return v, true
}

// begin reads the head of a run.
func (l *levels) begin() bool {
	head, n := binary.Uvarint(l.data)
	if n <= 0 || head < 2 {
		return false
	}
	l.data, l.packed, l.at = l.data[n:], head&1 == 1, 0
	if l.packed {
		groups := head >> 1 // of eight levels
		l.run = 8 * groups
		return groups <= uint64(len(l.data)/l.bits)
	}
	if len(l.data) == 0 {
		return false
	}
	l.run, l.level, l.data = head>>1, l.data[0], l.data[1:]
	return true
}
