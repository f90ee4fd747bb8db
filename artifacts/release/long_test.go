package release_test

import (
	"io"
	"os"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/distances"
	. "github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
)

var everyForm = WriteOptions{Distances: Packed, Parquet: Long{Edges: true, Distances: true}}

const (
	packed0   = "distances/distances-0000.packed"
	long0     = "distances/distances-0000.parquet"
	edgesPath = "graph/edges.parquet"
)

// TestAReleaseOfEveryFormSaysTheSame: packed columns and long tables say what the mapped columns of
// the other release say, the sidecar is the same file, and verify finds nothing wrong.
func TestAReleaseOfEveryFormSaysTheSame(t *testing.T) {
	b := newFullBuild(t)
	plain, dir := b.release(WriteOptions{}), b.release(everyForm)
	for level := LevelDigests; level <= LevelStructure; level++ {
		if report, err := verify(t.Context(), dir, VerifyOptions{Level: level}); err != nil || len(report.Failed) > 0 {
			t.Fatalf("level %d: %v, %v", level, report.Failed, err)
		}
	}
	one, other := open(t, plain), open(t, dir)
	files, before := tree(t, dir), tree(t, plain)
	if files["distances/columns.arrow"] != before["distances/columns.arrow"] {
		t.Error("the sidecar differs")
	}
	want, err := one.Distances()
	must(t, err)
	got, err := other.Distances()
	must(t, err)
	for _, c := range want.Columns() {
		a, _ := want.Column(c.Node)
		p, err := got.Column(c.Node)
		if err != nil || !slices.Equal(a, p) {
			t.Errorf("column of node %d: %v, %v, want %v", c.Node, p, err, a)
		}
	}
	if f := entryAt(t, readManifest(t, dir), packed0); f.MediaType != "application/octet-stream" {
		t.Errorf("%s is said to be %s", packed0, f.MediaType)
	}
	if how := other.Manifest().How(); how.Distances != Packed || how.Parquet != everyForm.Parquet {
		t.Errorf("the manifest says it was written with %+v", how)
	}
	if how := one.Manifest().How(); how.Distances != Arrow || how.Parquet != (Long{}) {
		t.Errorf("the manifest says it was written with %+v", how)
	}
}

// longMutations change one thing in a long table or a packed shard, with all digests in line.
func longMutations(t *testing.T, b *build, dir string) []mutation {
	t.Helper()
	cols, dist := b.carriedBy(t, dir)
	n := len(dist[0])
	edges := func(change func(rows [][2]uint32) [][2]uint32) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			var rows [][2]uint32
			for u := range b.succ.Nodes() {
				for _, v := range b.succ.Row(uint32(u)) {
					rows = append(rows, [2]uint32{uint32(u), v})
				}
			}
			rewrite(t, dir, edgesPath, tableOf(schemas.ReleaseEdgesTable, change(rows), func(r [2]uint32) []any {
				return []any{r[0], r[1]}
			}))
			reseal(t, dir, nil)
		}
	}
	type row struct {
		target, node uint32
		distance     uint8
	}
	long := func(change func(rows []row) []row) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			var rows []row
			for i, c := range cols {
				if c.Shard != 0 {
					break
				}
				for u, d := range dist[i] {
					rows = append(rows, row{c.Node, uint32(u), d})
				}
			}
			rewrite(t, dir, long0, tableOf(schemas.ReleaseDistancesTable, change(rows), func(r row) []any {
				return []any{r.target, r.node, r.distance}
			}))
			reseal(t, dir, nil)
		}
	}
	packed := func(at int) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			edit(t, dir, packed0, func(data []byte) []byte { data[at] ^= 1; return data })
			reseal(t, dir, nil)
		}
	}
	out := []mutation{
		{"another link", 2, edgesPath, edges(func(r [][2]uint32) [][2]uint32 { r[3][1] ^= 1; return r })},
		{"a link less", 2, edgesPath, edges(func(r [][2]uint32) [][2]uint32 { return r[:len(r)-1] })},
		{"a link more", 2, edgesPath, edges(func(r [][2]uint32) [][2]uint32 { return append(r, r[0]) })},
		{
			"links in another order", 2, edgesPath,
			edges(func(r [][2]uint32) [][2]uint32 { r[0], r[1] = r[1], r[0]; return r }),
		},
		{"another distance in Parquet", 2, long0, long(func(r []row) []row { r[n-1].distance++; return r })},
		{"another target in Parquet", 2, long0, long(func(r []row) []row { r[0].target++; return r })},
		{"another node in Parquet", 2, long0, long(func(r []row) []row { r[1].node++; return r })},
		{"a column less in Parquet", 2, long0, long(func(r []row) []row { return r[n:] })},
		{
			"without a table of distances", 1, long0,
			func(t *testing.T, dir string) { must(t, os.Remove(place(dir, long0))) },
		},
		{
			"without a packed shard", 1, packed0,
			func(t *testing.T, dir string) { must(t, os.Remove(place(dir, packed0))) },
		},
		{"packed distances of another shard", 2, packed0, func(t *testing.T, dir string) {
			rewrite(t, dir, packed0, func(w io.Writer) (arrowio.Summary, error) {
				swapped := func(i int) ([]uint8, error) { return dist[1-i], nil }
				return arrowio.Summary{}, distances.WritePacked(w, b.in.Graph.Digest.SHA256, n, 2, swapped)
			})
			reseal(t, dir, nil)
		}},
	}
	for at := 0; at < len(tree(t, dir)[packed0]); at += 7 {
		out = append(out, mutation{"a byte of a packed shard", 2, packed0, packed(at)})
	}
	return out
}

func tableOf[T any](layout schemas.Table, rows []T, cells func(T) []any) func(io.Writer) (arrowio.Summary, error) {
	return func(w io.Writer) (arrowio.Summary, error) {
		p, err := arrowio.NewParquetWriter(w, layout)
		if err != nil {
			return arrowio.Summary{}, err
		}
		for _, r := range rows {
			if err := p.Row(cells(r)...); err != nil {
				return arrowio.Summary{}, err
			}
		}
		return p.Close()
	}
}

func TestVerifyCatchesEveryMutationOfLongTablesAndPackedColumns(t *testing.T) {
	b := newBuild(t)
	dir := b.release(everyForm)
	catchAll(t, dir, longMutations(t, b, dir))
}

// TestTheCardStatesTheSizeByPart: the table of the card adds up to the files of the manifest.
func TestTheCardStatesTheSizeByPart(t *testing.T) {
	r := open(t, newFullBuild(t).release(everyForm))
	m := r.Manifest()
	var files int
	var bytes int64
	for _, s := range m.Sizes() {
		files, bytes = files+s.Files, bytes+s.Bytes
	}
	var want int64
	documents := 0
	for _, f := range m.Files {
		if want += f.Bytes; f.Role == "document" {
			documents++
			want -= f.Bytes
		}
	}
	if files != len(m.Files)-documents || bytes != want {
		t.Errorf("%d files of %d bytes by part, %d of %d in all", files, bytes, len(m.Files)-documents, want)
	}
}
