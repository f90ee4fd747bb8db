package graph_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	_ "github.com/wikinav/wikinav/artifacts/arrowio/library" // tests write tables
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas/fault"
)

const file = "graph.arrow"

// encode returns the bytes of g's file.
func encode(t testing.TB, g *graph.Graph) []byte {
	t.Helper()
	var out bytes.Buffer
	sum, err := graph.Write(&out, arrowio.Options{ParamsSHA256: strings.Repeat("0", 64)}, g.PageIDs, g.Titles, g.Succ, g.Pred)
	if err != nil || sum.Rows != int64(g.Len()) {
		t.Fatalf("write: %d rows, %v; want %d", sum.Rows, err, g.Len())
	}
	return out.Bytes()
}

// open writes data to a folder and opens it under the digest of want.
func open(t testing.TB, data, want []byte) (*graph.Graph, error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, file), data, 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	g, err := graph.Open(root, file, digest.Bytes(want))
	if err == nil {
		t.Cleanup(func() { g.Close() })
	}
	return g, err
}

func TestAFileGivesBackItsGraph(t *testing.T) {
	t.Parallel()
	g9, names := graphtest.G9()
	for name, want := range map[string]*graph.Graph{
		"G9":       graphtest.Graph(g9, names),
		"random":   graphtest.Graph(graphtest.Random(1, 500), nil),
		"no edges": graphtest.Graph(graphtest.Build(3, nil), []string{"é", "日本", "x y"}),
		"empty":    graphtest.Graph(graphtest.Build(0, nil), nil),
	} {
		t.Run(name, func(t *testing.T) {
			data := encode(t, want)
			got, err := open(t, data, data)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(encode(t, got), data) {
				t.Error("the graph that was read is written as another file")
			}
			if got.Len() != want.Len() || got.Edges() != want.Edges() || got.SHA256 != digest.SHA256(data) {
				t.Errorf("%d nodes, %d edges, sha256 %s; want %d, %d, %s",
					got.Len(), got.Edges(), got.SHA256, want.Len(), want.Edges(), digest.SHA256(data))
			}
			if err := got.Check(); err != nil {
				t.Error(err)
			}
			checkLookups(t, got, want)
		})
	}
}

func checkLookups(t *testing.T, got, want *graph.Graph) {
	t.Helper()
	for u := range uint32(want.Len()) {
		title := want.Title(u)
		byID, ok := got.Node(want.PageIDs[u])
		byTitle, alsoOK := got.NodeByTitle(title)
		if !ok || !alsoOK || byID != u || byTitle != u || got.Title(u) != title {
			t.Fatalf("node %d %q: by page id %d %v, by title %d %v, title %q", u, title, byID, ok, byTitle, alsoOK, got.Title(u))
		}
		if !reflect.DeepEqual(got.Succ.Row(u), want.Succ.Row(u)) || !reflect.DeepEqual(got.Pred.Row(u), want.Pred.Row(u)) {
			t.Fatalf("node %d: successors %v, predecessors %v; want %v, %v", u, got.Succ.Row(u), got.Pred.Row(u), want.Succ.Row(u), want.Pred.Row(u))
		}
	}
	if u, ok := got.NodeByTitle("no such page"); ok {
		t.Errorf("an unknown title is node %d", u)
	}
	if u, ok := got.Node(4_000_000_000); ok {
		t.Errorf("an unknown page id is node %d", u)
	}
}

func TestTitlesAreFoundByManyAtOnce(t *testing.T) {
	t.Parallel()
	g := graphtest.Graph(graphtest.Cycle(5000), nil)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for u := uint32(w); u < 5000; u += 4 {
				if got, ok := g.NodeByTitle(g.Title(u)); !ok || got != u {
					t.Errorf("%q is node %d %v, want %d", g.Title(u), got, ok, u)
					return
				}
			}
		})
	}
	wg.Wait()
}

// mutations are graphs that are wrong in one way each; place and what must stand in the error.
var mutations = []struct {
	name, place, what string
	atOpen            bool
	change            func(g *graph.Graph)
}{
	{"page id repeated", "row 4", "page id 40 after 40", true, func(g *graph.Graph) { g.PageIDs[4] = 40 }},
	{"page ids descend", "row 5", "page id 5 after 50", true, func(g *graph.Graph) { g.PageIDs[5] = 5 }},
	{"successor outside", "row 8", "successors: node 9 in a graph of 9", true, func(g *graph.Graph) { last(g.Succ.Row(8))[0] = 9 }},
	{"predecessor outside", "row 7", "predecessors: node 4000000000 in", true, func(g *graph.Graph) { last(g.Pred.Row(7))[0] = 4e9 }},
	{"successors descend", "row 0", "successors: node 1 after 2", true, func(g *graph.Graph) { copy(g.Succ.Row(0), []uint32{2, 1}) }},
	{"successor repeated", "row 0", "successors: node 1 after 1", true, func(g *graph.Graph) { g.Succ.Row(0)[1] = 1 }},
	{"predecessor missing", "", "18 successors but 17 predecessors", true, func(g *graph.Graph) { g.Pred = dropLast(g.Pred) }},
	{"other successor", "row 8", "predecessors lack node 1", false, func(g *graph.Graph) { last(g.Succ.Row(1))[0] = 8 }},
	{"its former predecessor", "row 4", "predecessor 1 does not link", false, func(g *graph.Graph) { last(g.Succ.Row(1))[0] = 8 }},
	{"other predecessor", "row 8", "predecessor 8 does not link", false, func(g *graph.Graph) { last(g.Pred.Row(8))[0] = 8 }},
	{"title repeated", "row 6", `title "A" is that of row 0`, false, func(g *graph.Graph) { g.Titles.Data[6] = 'A' }},
}

func last(row []uint32) []uint32 { return row[len(row)-1:] }

func dropLast(c graph.CSR) graph.CSR {
	edges := graphtest.Edges(c)
	return graphtest.Build(c.Nodes(), edges[:len(edges)-1])
}

func TestAFileThatHoldsNoGraphIsRefusedByRow(t *testing.T) {
	t.Parallel()
	for _, m := range mutations {
		t.Run(m.name, func(t *testing.T) {
			c, names := graphtest.G9()
			g := graphtest.Graph(c, names)
			m.change(g)
			data := encode(t, g)
			got, err := open(t, data, data)
			if m.atOpen != (err != nil) {
				t.Fatalf("open: %v; refused there: want %v", err, m.atOpen)
			}
			if !m.atOpen {
				err = got.Check()
			}
			if !finds(err, m.place, m.what) {
				t.Errorf("%v, want a finding at %q: %s", err, m.place, m.what)
			}
		})
	}
}

// finds reports whether one of the joined findings has this file, place and text, and the kind of damaged data.
func finds(err error, place, what string) bool {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return false
	}
	for _, one := range joined.Unwrap() {
		var f *fault.Error
		if errors.As(one, &f) && f.Kind == fault.Mismatch && f.File == file && f.Where == place && strings.Contains(f.What, what) {
			return true
		}
	}
	return false
}

func TestEveryFindingIsListedUpToTheCap(t *testing.T) {
	t.Parallel()
	g := graphtest.Graph(graphtest.Cycle(3000), nil)
	clear(g.PageIDs)
	data := encode(t, g)
	_, err := open(t, data, data)
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok || len(joined.Unwrap()) != graph.MaxFindings {
		t.Errorf("%T, want %d findings joined", err, graph.MaxFindings)
	}
	if !finds(err, "row 1", "page id 0 after 0") || !finds(err, "row 1000", "page id 0 after 0") {
		t.Errorf("rows 1 and 1000 are not among the findings")
	}
}

// Whatever byte changes, the digest tells; nothing is read from such a file.
func TestAChangedByteIsRefused(t *testing.T) {
	t.Parallel()
	c, names := graphtest.G9()
	data := encode(t, graphtest.Graph(c, names))
	for i := 0; i < len(data); i += 7 {
		damaged := bytes.Clone(data)
		damaged[i] ^= 1 << (i % 8)
		if _, err := open(t, damaged, data); fault.Code(err) != 3 {
			t.Fatalf("byte %d of %d changed: %v, want a mismatch", i, len(data), err)
		}
	}
	if _, err := open(t, data[:len(data)-1], data); fault.Code(err) != 3 {
		t.Errorf("cut by a byte: %v, want a mismatch", err)
	}
}

// FuzzOpen opens damaged files under their own digest, as a hostile manifest would have it: they are refused, or hold
// a graph that every reader can walk.
func FuzzOpen(f *testing.F) {
	c, names := graphtest.G9()
	data := encode(f, graphtest.Graph(c, names))
	f.Add(uint(0), byte(1))
	f.Add(uint(len(data)/2), byte(0x80))
	f.Add(uint(len(data)-20), byte(0xff))
	f.Fuzz(func(t *testing.T, at uint, flip byte) {
		damaged := bytes.Clone(data)
		damaged[at%uint(len(damaged))] ^= flip
		g, err := open(t, damaged, damaged)
		if err != nil {
			if fault.Code(err) != 3 {
				t.Fatalf("%v, want a mismatch", err)
			}
			return
		}
		_ = g.Check()
		dist := make([]uint8, g.Len())
		for u := range uint32(g.Len()) {
			graph.DistancesTo(g.Pred, u, dist, nil)
			_, _ = g.NodeByTitle(g.Title(u))
		}
		graph.SCC(g.Succ)
	})
}
