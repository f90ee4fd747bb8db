package release

import (
	"errors"
	"iter"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/schemas/fault"
)

// EachRecord visits the records of a file of JSON lines as they are read, and checks what EachLine
// checks; none of them is kept, so that a split may be as large as its file. Each bad line is a
// finding. It reports whether the file is there, whole, and has as many records as the manifest
// says; until then nothing holds of all of them.
func EachRecord[T any](c *Check, name, schema string, id func(*T) string, visit func(l Line, record *T)) (whole bool) {
	f, ok := c.v.listed(c.path(name))
	if !ok {
		c.Skip("records of %s: the file is damaged or missing", c.path(name))
		return false
	}
	rows, before := 0, ""
	whole = true
	err := located{root: c.v.root, path: f.Path, sum: f.digestOf()}.each(func(n int, line []byte) error {
		rows = n
		record, err := jsonl.DecodeLine[T](line, schema)
		if err != nil {
			whole = false
			c.Fail("records", name, jsonl.At(f.Path, n, err))
			return c.v.ctx.Err()
		}
		l := c.line(name, n-1)
		if got := id(&record); c.Wants(name) && got <= before {
			l.Bad("id", "above "+fault.Quote(before), fault.Quote(got))
		}
		before = id(&record)
		visit(l, &record)
		return c.v.ctx.Err()
	})
	if err != nil {
		c.Fail("records", name, err)
	}
	c.v.checkRows(f, int64(rows))
	return whole && err == nil
}

// FlatRows compares the rows of a Parquet file with records that come one by one; memory holds one
// row group.
type FlatRows[T any] struct {
	c     *Check
	name  string
	codec *flat.Codec[T]
	next  func() (*arrowio.Table, error, bool)
	stop  func()
	sum   arrowio.Digest
	group *arrowio.Table // nil before the first and after the last
	at    int            // the row of group that comes next
	rows  int64          // in the groups up to group
	said  int64          // records
	bad   bool
}

// Rows opens a Parquet file for comparison. Of a file that is damaged or not to be checked nothing
// is compared. End must be called.
func Rows[T any](c *Check, name string, codec *flat.Codec[T]) *FlatRows[T] {
	r := &FlatRows[T]{c: c, name: name, codec: codec, sum: arrowio.NewDigest(codec.Table()), bad: !c.Wants(name)}
	f, _ := c.v.m.File(c.path(name))
	r.next, r.stop = iter.Pull2(arrowio.Groups(c.v.root, f.Path, codec.Table(), f.digestOf()))
	return r
}

// Is lists what the next row has other than the next record.
func (r *FlatRows[T]) Is(record *T) {
	r.said++
	if r.bad || !r.more() {
		return
	}
	row := Row(int(r.said - 1))
	err := r.codec.Compare(record, r.group, 0, r.at, func(column string, want, got any) {
		r.c.Add(column+" as in the JSON lines", r.name, row, want, got)
	})
	if err != nil {
		r.c.Add("record that can be laid flat", r.name, row, "one", err)
	}
	r.at++
}

// more moves to the group with the next row, if there is one.
func (r *FlatRows[T]) more() bool {
	for r.group == nil || r.at == r.group.BatchRows(0) {
		group, err, ok := r.next()
		if !ok {
			r.group = nil
			return false
		}
		if err != nil {
			r.bad = true
			r.c.Fail("table", r.name, err)
			return false
		}
		r.group, r.at, r.rows = group, 0, r.rows+int64(group.BatchRows(0))
		r.sum.Add(group)
	}
	return true
}

// End reads what is left, and compares the rows and the logical digest with the manifest and, if
// the records were all of their file, with their number.
func (r *FlatRows[T]) End(whole bool) {
	defer r.stop()
	for !r.bad && r.more() {
		r.at = r.group.BatchRows(0)
	}
	if r.bad {
		return
	}
	f, _ := r.c.v.m.File(r.c.path(r.name))
	r.c.v.checkTable(f, r)
	if whole {
		Differ(r.c, "rows as in the JSON lines", r.name, "", r.said, r.rows)
	}
}

// Rows returns how many rows were read.
func (r *FlatRows[T]) Rows() int64 { return r.rows }

// Logical returns the logical digest of the rows that were read.
func (r *FlatRows[T]) Logical() string { return r.sum.Logical() }

// Text compares the lines of a file with those that it must hold, which come one by one.
type Text struct {
	c    *Check
	name string
	next func() ([]byte, error, bool)
	stop func()
	said int
	read int
	bad  bool
}

// Text opens a file for comparison, as Rows does.
func (c *Check) Text(name string) *Text {
	t := &Text{c: c, name: name, bad: !c.Wants(name)}
	f, _ := c.v.m.File(c.path(name))
	t.next, t.stop = iter.Pull2(func(yield func([]byte, error) bool) {
		enough := errors.New("enough")
		err := located{root: c.v.root, path: f.Path, sum: f.digestOf()}.each(func(_ int, line []byte) error {
			if !yield(line, nil) {
				return enough
			}
			return nil
		})
		if err != nil && !errors.Is(err, enough) {
			yield(nil, err)
		}
	})
	return t
}

// Is lists the first line that differs.
func (t *Text) Is(line string) {
	t.said++
	if t.bad {
		return
	}
	if got, ok := t.line(); !t.bad && (!ok || string(got) != line) {
		t.bad = true
		t.c.Add("content", t.name, jsonl.Line(t.said), "the line that follows from the other files", fault.Quote(string(got)))
	}
}

func (t *Text) line() ([]byte, bool) {
	line, err, ok := t.next()
	if err != nil {
		t.bad = true
		t.c.Fail("content", t.name, err)
		return nil, false
	}
	if ok {
		t.read++
	}
	return line, ok
}

// End compares the number of lines with the manifest and, if the lines were all that there must be,
// with their number.
func (t *Text) End(whole bool) {
	defer t.stop()
	differs := t.bad
	for ok := t.c.Wants(t.name); ok; {
		_, ok = t.line()
	}
	if f, listed := t.c.v.m.File(t.c.path(t.name)); listed && t.c.Wants(t.name) {
		t.c.v.checkRows(f, int64(t.read))
	}
	if whole && !differs {
		Differ(t.c, "content", t.name, "", t.said, t.read)
	}
}
