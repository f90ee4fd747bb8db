package release

import (
	"fmt"
	"io"
	"path"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
)

// Long tables, for engines that read no Arrow files: a row for each link, and for each distance.
// They repeat what graph.arrow and the shards say, and level 2 of verify holds them to it.

// longName returns the name of the long table of shard i.
func longName(i int) string { return fmt.Sprintf("distances-%04d.parquet", i) }

// isLong reports whether the file at p is a long table of distances.
func isLong(p string) bool { return isShard(p, ".parquet") }

// longRow is a row of a long table; the last number of edges is not used.
type longRow [3]uint32

// eachEdge returns the rows of edges.parquet one by one.
func eachEdge(g *graph.Graph) func() longRow {
	u, at := uint32(0), 0
	return func() longRow {
		for at == g.Succ.Degree(u) {
			u, at = u+1, 0
		}
		at++
		return longRow{u, g.Succ.Row(u)[at-1]}
	}
}

// eachDistance returns the rows of the long table of columns one by one; column reads one of them.
func eachDistance(
	columns []distances.Column, nodes int, column func(node uint32) ([]uint8, error),
) func() (longRow, error) {
	var dist []uint8
	next, u := 0, nodes
	return func() (longRow, error) {
		if u == nodes {
			var err error
			if dist, err = column(columns[next].Node); err != nil {
				return longRow{}, err
			}
			next, u = next+1, 0
		}
		u++
		return longRow{columns[next-1].Node, uint32(u - 1), uint32(dist[u-1])}, nil
	}
}

// edges writes the table of links.
func (w *writer) edges(g *graph.Graph) error {
	next := eachEdge(g)
	return w.long(edgesPath, schemas.ReleaseEdgesTable, int64(g.Edges()), func(p *arrowio.ParquetWriter) error {
		row := next()
		return p.Row(row[0], row[1])
	})
}

// longDistances writes the table of a shard.
func (w *writer) longDistances(set *distances.Set, columns []distances.Column, i int) error {
	next := eachDistance(columns, set.Nodes(), set.Column)
	rows := int64(len(columns)) * int64(set.Nodes())
	return w.long(distancesDir+"/"+longName(i), schemas.ReleaseDistancesTable, rows,
		func(p *arrowio.ParquetWriter) error {
			row, err := next()
			if err != nil {
				return err
			}
			return p.Row(row[0], row[1], uint8(row[2]))
		})
}

// long writes a long table row by row; memory holds a row group.
func (w *writer) long(name string, t schemas.Table, rows int64, row func(p *arrowio.ParquetWriter) error) error {
	return w.create(name, func(out io.Writer) (arrowio.Summary, error) {
		p, err := arrowio.NewParquetWriter(out, t)
		if err != nil {
			return arrowio.Summary{}, err
		}
		for i := range rows {
			if err := row(p); err != nil {
				return arrowio.Summary{}, err
			}
			if i%schemas.BatchRows == 0 && w.ctx.Err() != nil {
				return arrowio.Summary{}, w.ctx.Err()
			}
		}
		return p.Close()
	})
}

// checkEdges compares the table of links with the graph.
func (v *verifier) checkEdges(f FileEntry) {
	if g := v.openGraph(); g != nil {
		next := eachEdge(g)
		v.checkLong(f, schemas.ReleaseEdgesTable, int64(g.Edges()), func() (longRow, error) { return next(), nil })
	}
}

// checkLongDistances compares the table of a shard with its columns.
func (v *verifier) checkLongDistances(f FileEntry) {
	set := v.openSet()
	if set == nil {
		return
	}
	var columns []distances.Column
	for _, c := range set.Columns() {
		if longName(int(c.Shard)) == path.Base(f.Path) {
			columns = append(columns, c)
		}
	}
	rows := int64(len(columns)) * int64(set.Nodes())
	v.checkLong(f, schemas.ReleaseDistancesTable, rows, eachDistance(columns, set.Nodes(), set.Column))
}

// checkLong compares a long table, one row group after the other, with the rows that it must have.
func (v *verifier) checkLong(f FileEntry, t schemas.Table, rows int64, next func() (longRow, error)) {
	read, sum := longTable{}, arrowio.NewDigest(t)
	for group, err := range arrowio.Groups(v.root, f.Path, t, f.digestOf()) {
		if err == nil {
			err = v.ctx.Err()
		}
		for i := 0; err == nil && i < group.BatchRows(0); i++ {
			if read.rows < rows {
				err = v.checkLongRow(f, group, i, read.rows, t, next)
			}
			read.rows++
		}
		if err != nil {
			v.report.fail("table", f.Path, err)
			return
		}
		sum.Add(group)
	}
	read.logical = sum.Logical()
	v.checkTable(f, read)
	differ(v.report, "rows", f.Path, "", rows, read.rows)
}

// longTable is what was read of a long table.
type longTable struct {
	rows    int64
	logical string
}

func (t longTable) Rows() int64     { return t.rows }
func (t longTable) Logical() string { return t.logical }

func (v *verifier) checkLongRow(
	f FileEntry, group *arrowio.Table, i int, row int64, t schemas.Table, next func() (longRow, error),
) error {
	want, err := next()
	if err != nil {
		return err
	}
	for col, c := range t.Columns {
		var got uint32
		if c.Type == schemas.Uint8 {
			got = uint32(group.Uint8s(0, col)[i])
		} else {
			got = group.Uint32s(0, col)[i]
		}
		if got != want[col] {
			v.report.add(c.Name, f.Path, Row(int(row)), want[col], got)
		}
	}
	return nil
}
