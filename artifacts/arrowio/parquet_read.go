package arrowio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"os"

	"github.com/klauspost/compress/zstd"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
)

// Table is a Parquet file in memory. Its batches are the file's row groups, its columns Go slices
// of its own.
type Table struct{ views }

// ReadParquet reads the whole Parquet file called name below root, which must be a regular file of
// the size and SHA-256 that want says, with exactly the columns of t and no nulls. Errors are those
// of Open.
//
// It reads the form that ParquetWriter gives and no other, and trusts no number in it: each offset
// and size is compared with the file before it is used, a page is decompressed into a buffer of the
// size that its header claims and no further, and all pages of a file together may claim at most
// parquetAllowance + parquetRatio times the file's size.
func ReadParquet(root *os.Root, name string, t schemas.Table, want digest.Digest) (*Table, error) {
	v, err := collect(t, groups(root, name, t, want))
	if err != nil {
		return nil, err
	}
	return &Table{*v}, nil
}

// collect takes row groups together; the first error ends it.
func collect(t schemas.Table, groups iter.Seq2[batch, error]) (*views, error) {
	v := &views{table: t}
	for b, err := range groups {
		if err != nil {
			return nil, err
		}
		v.batches = append(v.batches, b)
	}
	return v, nil
}

// Groups yields the row groups of a Parquet file one by one, each a table of one batch, as
// ReadParquet reads them: besides one group, which is a copy, memory holds what is touched of the
// mapped file. An error is the last that it yields.
func Groups(root *os.Root, name string, t schemas.Table, want digest.Digest) iter.Seq2[*Table, error] {
	return func(yield func(*Table, error) bool) {
		for b, err := range groups(root, name, t, want) {
			if !yield(&Table{views{t, []batch{b}}}, err) {
				return
			}
		}
	}
}

func groups(root *os.Root, name string, t schemas.Table, want digest.Digest) iter.Seq2[batch, error] {
	return func(yield func(batch, error) bool) {
		data, unmap, err := Map(root, name, want)
		if err != nil {
			yield(batch{}, err)
			return
		}
		more := true
		err = Guard(func() error {
			return eachGroup(data, t, func(b batch) bool { more = yield(b, nil); return more })
		})
		if err != nil {
			err = located(name, err)
		}
		if err = errors.Join(err, unmap()); err != nil && more {
			yield(batch{}, err)
		}
	}
}

// Digest computes the logical digest of rows that come in several tables.
type Digest struct{ sum *logical }

func NewDigest(t schemas.Table) Digest { return Digest{newLogical(t.ID)} }

func (d Digest) Add(t *Table) {
	for _, b := range t.batches {
		d.sum.add(b.cols)
	}
}

func (d Digest) Logical() string { return d.sum.hex() }

const parquetMagic = "PAR1" // at both ends of a file

// What the pages of a file may hold. Columns of one value compress a thousandfold, but are small;
// the prompts of questions about one walk, each a beginning of the next, a hundredfold.
const (
	parquetAllowance = 256 << 20
	parquetRatio     = 128
)

// Numbers of parquet.thrift. Format: https://github.com/apache/parquet-format
const (
	pqBoolean   = 0
	pqInt32     = 1
	pqInt64     = 2
	pqDouble    = 5
	pqByteArray = 6

	pqRequired = 0
	pqOptional = 1
	pqRepeated = 2

	pqZstd     = 6
	pqPlain    = 0
	pqRLE      = 3
	pqDataPage = 0

	pqAbsent = -1 // ours, for a field that does not stand there
)

// element is a SchemaElement: a node of the schema's tree, depth first.
type element struct {
	name                                  string
	physical, repetition, children, means int64
}

// elements returns the schema of t as ParquetWriter writes it.
func elements(t schemas.Table) []element {
	out := []element{{"schema", pqAbsent, pqRepeated, int64(len(t.Columns)), pqAbsent}}
	for _, c := range t.Columns {
		k := &kinds[c.Type]
		if c.Type != schemas.ListUint32 {
			out = append(out, element{c.Name, k.physical, pqRequired, pqAbsent, k.means})
			continue
		}
		out = append(out,
			element{c.Name, pqAbsent, pqRequired, 1, k.means},
			element{"list", pqAbsent, pqRepeated, 1, pqAbsent},
			element{"element", k.physical, pqOptional, pqAbsent, kinds[schemas.Uint32].means})
	}
	return out
}

// footer is what the reader wants of FileMetaData.
type footer struct {
	id     string
	rows   int64
	schema []element
	groups []group
}

type group struct {
	rows   int64
	chunks []chunk
}

// chunk is the pages of a column in a row group.
type chunk struct{ physical, codec, values, bytes, offset int64 }

// eachGroup visits the row groups of data until visit returns false.
func eachGroup(data []byte, t schemas.Table, visit func(batch) bool) error {
	f, err := checkedFooter(data, t)
	if err != nil {
		return err
	}
	p := &pages{data: data, left: parquetAllowance + parquetRatio*int64(len(data))}
	p.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1),
		zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		return err
	}
	defer p.zstd.Close()
	for i, g := range f.groups {
		b := batch{rows: int(g.rows)}
		for j, c := range t.Columns {
			col, err := p.column(c.Type, int(g.rows), g.chunks[j])
			if err != nil {
				return fmt.Errorf("row group %d: column %s: %w", i, c.Name, err)
			}
			b.cols = append(b.cols, col)
		}
		if !visit(b) {
			return nil
		}
	}
	return nil
}

func checkedFooter(data []byte, t schemas.Table) (footer, error) {
	if err := hostCanMap(); err != nil {
		return footer{}, err
	}
	end, err := footerStart(data)
	if err != nil {
		return footer{}, err
	}
	f, err := readParquetFooter(data[end : len(data)-8])
	if err == nil {
		err = f.check(t, end)
	}
	if err != nil {
		return footer{}, fmt.Errorf("footer: %w", err)
	}
	return f, nil
}

// footerStart finds where the footer begins: magic, pages, footer, its length, magic.
func footerStart(data []byte) (int64, error) {
	n := len(data)
	if n < 12 || string(data[:4]) != parquetMagic || string(data[n-4:]) != parquetMagic {
		return 0, fmt.Errorf("no Parquet file: the magic %q is not at both ends of %d bytes",
			parquetMagic, n)
	}
	size := int64(binary.LittleEndian.Uint32(data[n-8:]))
	start := int64(n-8) - size
	if size > maxMetadata || start < 4 {
		return 0, fmt.Errorf("footer of %d bytes in a file of %d", size, n)
	}
	return start, nil
}

func readParquetFooter(data []byte) (footer, error) {
	c := &compact{buf: data}
	var f footer
	c.fields(func(id int64, kind byte) bool {
		switch {
		case id == 2 && kind == compactList:
			for range c.list(compactStruct) {
				f.schema = append(f.schema, c.element())
			}
		case id == 3 && kind == compactI64:
			f.rows = c.integer()
		case id == 4 && kind == compactList:
			for range c.list(compactStruct) {
				f.groups = append(f.groups, c.group())
			}
		case id == 5 && kind == compactList:
			for range c.list(compactStruct) {
				if key, value := c.pair(); key == KeySchema {
					f.id = value
				}
			}
		default:
			return false
		}
		return true
	})
	if c.err == nil && c.pos != len(c.buf) {
		c.fail("%d bytes are left over", len(c.buf)-c.pos)
	}
	return f, c.err
}

func (c *compact) element() element {
	e := element{physical: pqAbsent, children: pqAbsent, means: pqAbsent}
	c.fields(func(id int64, kind byte) bool {
		switch {
		case id == 1 && kind == compactI32:
			e.physical = c.integer()
		case id == 3 && kind == compactI32:
			e.repetition = c.integer()
		case id == 4 && kind == compactBinary:
			e.name = string(c.bytes())
		case id == 5 && kind == compactI32:
			e.children = c.integer()
		case id == 6 && kind == compactI32:
			e.means = c.integer()
		default:
			return false
		}
		return true
	})
	return e
}

func (c *compact) group() group {
	var g group
	c.fields(func(id int64, kind byte) bool {
		switch {
		case id == 1 && kind == compactList:
			for range c.list(compactStruct) {
				g.chunks = append(g.chunks, c.chunk())
			}
		case id == 3 && kind == compactI64:
			g.rows = c.integer()
		default:
			return false
		}
		return true
	})
	return g
}

// chunk reads a ColumnChunk, and of its ColumnMetaData what finds and decodes the pages.
func (c *compact) chunk() chunk {
	k := chunk{codec: pqAbsent, physical: pqAbsent}
	meta := func(id int64, kind byte) bool {
		into := map[int64]*int64{1: &k.physical, 4: &k.codec, 5: &k.values, 7: &k.bytes, 9: &k.offset}[id]
		if into == nil || kind != compactI32 && kind != compactI64 {
			return false
		}
		*into = c.integer()
		return true
	}
	c.fields(func(id int64, kind byte) bool {
		switch {
		case id == 1:
			c.fail("a column lies in another file")
		case id == 3 && kind == compactStruct:
			c.fields(meta)
			return true
		}
		return false
	})
	return k
}

func (c *compact) pair() (key, value string) {
	c.fields(func(id int64, kind byte) bool {
		switch {
		case id == 1 && kind == compactBinary:
			key = string(c.bytes())
		case id == 2 && kind == compactBinary:
			value = string(c.bytes())
		default:
			return false
		}
		return true
	})
	return key, value
}

// check compares the footer with t, and every place and size with the file's pages, which lie
// between the magic and end and do not overlap.
func (f *footer) check(t schemas.Table, end int64) error {
	if f.id != t.ID {
		return fmt.Errorf("schema %q, expected %q", f.id, t.ID)
	}
	want := elements(t)
	if len(f.schema) != len(want) {
		return fmt.Errorf("a schema of %d elements, expected %d", len(f.schema), len(want))
	}
	for i, e := range f.schema {
		if e != want[i] {
			return fmt.Errorf("schema element %d is %+v, expected %+v", i, e, want[i])
		}
	}
	free, rows := int64(len(parquetMagic)), int64(0)
	for i, g := range f.groups {
		if g.rows < 1 || g.rows > schemas.BatchRows || len(g.chunks) != len(t.Columns) {
			return fmt.Errorf("row group %d: %d rows in %d columns, at most %d in %d are accepted",
				i, g.rows, len(g.chunks), schemas.BatchRows, len(t.Columns))
		}
		rows += g.rows
		for j, c := range g.chunks {
			if err := c.check(t.Columns[j].Type, free, end); err != nil {
				return fmt.Errorf("row group %d: column %s: %w", i, t.Columns[j].Name, err)
			}
			free = c.offset + c.bytes
		}
	}
	if rows != f.rows {
		return fmt.Errorf("%d rows in the row groups, the footer says %d", rows, f.rows)
	}
	return nil
}

func (c chunk) check(t schemas.Type, free, end int64) error {
	switch {
	case c.physical != kinds[t].physical || c.codec != pqZstd:
		return fmt.Errorf("type %d in codec %d, expected %d in %d",
			c.physical, c.codec, kinds[t].physical, pqZstd)
	case c.offset < free || c.offset > end || c.bytes < 0 || c.bytes > end-c.offset:
		return fmt.Errorf("%d bytes at %d are not in the file between %d and %d",
			c.bytes, c.offset, free, end)
	}
	return nil
}
