package pagelinks

import (
	"context"
	"fmt"
	"math"

	"github.com/wikinav/wikinav/dumps/sqldump"
	"github.com/wikinav/wikinav/stages"
)

// join turns rows of pagelinks into links.
type join struct {
	pages   pages
	targets *targets
	links   *links
	books   books
}

// read takes in the table pagelinks.
func (j *join) read(ctx context.Context, env stages.Env, given tables) error {
	layout := layout{fromNS: -1}
	begin := func(t sqldump.Table) error { return layout.find(t) }
	meter := newTicker(env, "reading pagelinks")
	defer meter.close()
	_, err := sqldump.Read(ctx, given.pagelinks, begin, func(row []sqldump.Value) error {
		meter.tick()
		j.books.rows++
		return j.row(&layout, row)
	})
	return err
}

// layout says where the columns of pagelinks are.
type layout struct {
	from, fromNS, target int // fromNS is -1 where there is no such column
	ns, title            int
	byNumber             bool
}

func (l *layout) find(t sqldump.Table) error {
	if at, err := t.Column(colFromNS); err == nil {
		l.fromNS = at
	}
	if l.byNumber = numbered(t); l.byNumber {
		return columns(t, map[string]*int{colFrom: &l.from, colTarget: &l.target})
	}
	return columns(t, map[string]*int{colFrom: &l.from, colOldNS: &l.ns, colOldTitle: &l.title})
}

// columns finds the place of each named column.
func columns(t sqldump.Table, at map[string]*int) error {
	for name, place := range at { // any order gives the same places
		i, err := t.Column(name)
		if err != nil {
			return err
		}
		*place = i
	}
	return nil
}

// row puts one row into exactly one of the books, or takes it as a link.
func (j *join) row(l *layout, row []sqldump.Value) error {
	from, err := unsigned(row[l.from], math.MaxUint32)
	if err != nil {
		return err
	}
	id := uint32(from)
	switch {
	case l.fromNS >= 0 && string(row[l.fromNS].Bytes) != "0", j.pages.other.has(id):
		j.books.fromOther++
		return nil
	case !j.pages.main.has(id):
		j.books.fromUnknown++
		return nil
	}
	rank, ok, err := j.target(l, row)
	if err != nil || !ok {
		return err
	}
	return j.links.add(uint64(id)<<32 | uint64(rank))
}

// target gives the number of the title that a row links to, if it is one of namespace 0 that is known.
func (j *join) target(l *layout, row []sqldump.Value) (rank uint32, ok bool, err error) {
	if !l.byNumber {
		return j.titled(row[l.ns].Bytes, row[l.title].Bytes)
	}
	if row[l.target].Null { // between 2022 and 2024, rows that were not converted yet
		j.books.toUnknown++
		return 0, false, nil
	}
	n, err := unsigned(row[l.target], math.MaxUint32)
	if err != nil {
		return 0, false, err
	}
	if rank, ok = j.targets.find(n, nil); ok {
		return rank, true, nil
	}
	if j.targets.other.has(uint32(n)) {
		j.books.toOther++
	} else {
		j.books.toUnknown++
	}
	return 0, false, nil
}

// titled is target in the layout before 2024.
func (j *join) titled(ns, title []byte) (rank uint32, ok bool, err error) {
	switch {
	case string(ns) != "0":
		j.books.toOther++
		return 0, false, nil
	case !valid(title):
		j.targets.notUTF8++
		j.books.toUnknown++
		return 0, false, nil
	}
	rank, err = j.targets.intern(title)
	return rank, err == nil, err
}

// unsigned reads a number of a row.
func unsigned(v sqldump.Value, most uint64) (uint64, error) {
	var n uint64
	for _, c := range v.Bytes {
		if c < '0' || c > '9' || n > most {
			return 0, fmt.Errorf("%.40q where a number from 0 to %d is wanted", v.Bytes, most)
		}
		n = 10*n + uint64(c-'0')
	}
	if v.Null || len(v.Bytes) == 0 || n > most {
		return 0, fmt.Errorf("%.40q where a number from 0 to %d is wanted", v.Bytes, most)
	}
	return n, nil
}

// ticker tells a meter of rows, some at a time.
type ticker struct {
	meter stages.Meter
	rows  int64
}

const tickRows = 1 << 16

func newTicker(env stages.Env, phase string) *ticker {
	return &ticker{meter: env.Meter(phase, "rows", -1)}
}

func (t *ticker) tick() {
	if t.rows++; t.rows%tickRows == 0 {
		t.meter.Add(tickRows)
	}
}

func (t *ticker) close() {
	t.meter.Add(t.rows % tickRows)
	t.meter.Done()
}
