package scc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// largest and whole are the params of the two kinds of recipes.
var (
	largest = Params{Component: schemas.ComponentSCC, Thresholds: DefaultThresholds()}
	whole   = Params{Component: schemas.ComponentNone, Thresholds: DefaultThresholds()}
)

// envOf returns a world with that link graph.
func envOf(t *testing.T, w stagetest.Wiki) *stagetest.Env {
	t.Helper()
	env := stagetest.New(t)
	env.Give(schemas.LinkGraph, "linkgraph.arrow", func(out io.Writer) (arrowio.Summary, error) {
		return arrowio.WriteTable(out, schemas.LinkGraphTable, arrowio.Options{},
			w.PageIDs, arrowio.MakeStrings(w.Titles), w.Flags, arrowio.Lists(w.Succ))
	})
	return env
}

// outcome is what a run published.
type outcome struct {
	ids    []uint32
	titles []string
	succ   graph.CSR
	flags  []uint16
	inSCC  []bool
}

func run(t *testing.T, env *stagetest.Env, p Params) outcome {
	t.Helper()
	env.MustRun(New(p))
	file, err := env.Written("graph.arrow")
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.Open(file.Root, file.Name, file.Digest)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	if err := g.Check(); err != nil {
		t.Errorf("the published graph: %v", err)
	}
	out := outcome{ids: g.PageIDs, succ: g.Succ}
	for u := range g.Len() {
		out.titles = append(out.titles, g.Title(uint32(u)))
	}
	out.nodes(t, env, g)
	return out
}

// nodes reads nodes.arrow, which must agree with the graph.
func (o *outcome) nodes(t *testing.T, env *stagetest.Env, g *graph.Graph) {
	t.Helper()
	file, err := env.Written("nodes.arrow")
	if err != nil {
		t.Fatal(err)
	}
	f, err := file.Open(schemas.NodesTable)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if int(f.Rows()) != g.Len() {
		t.Fatalf("nodes.arrow has %d rows, the graph %d nodes", f.Rows(), g.Len())
	}
	u := uint32(0)
	for b := range f.Batches() {
		for i := range f.BatchRows(b) {
			got := fmt.Sprint(f.Uint32s(b, 0)[i], f.Uint32s(b, 1)[i], f.Strings(b, 2).At(i), f.Uint32s(b, 4)[i], f.Uint32s(b, 5)[i])
			want := fmt.Sprint(u, g.PageIDs[u], g.Title(u), g.Pred.Degree(u), g.Succ.Degree(u))
			if got != want {
				t.Fatalf("nodes.arrow: got %s, want %s", got, want)
			}
			o.flags, o.inSCC = append(o.flags, f.Uint16s(b, 3)[i]), append(o.inSCC, f.Bools(b, 6).At(i))
			u++
		}
	}
}

func TestTheLargestComponentIsRenumberedInOrderOfPageIDs(t *testing.T) {
	t.Parallel()
	w := stagetest.ParseWiki("Z->A,B  A->B  B->C,Out  C->A  Out->Sink")
	w.Flags = []uint16{0, 1, 0, 2, 4, 8}
	env := envOf(t, w)
	got := run(t, env, largest)
	if !slices.Equal(got.titles, []string{"A", "B", "C"}) || !slices.Equal(got.ids, w.PageIDs[1:4]) || !slices.Equal(got.flags, w.Flags[1:4]) {
		t.Errorf("nodes: got %v %v %v, want A, B, C with their page ids and flags", got.titles, got.ids, got.flags)
	}
	if want := graphtest.Cycle(3); !slices.Equal(got.succ.Values, want.Values) || !slices.Equal(got.succ.Offsets, want.Offsets) {
		t.Errorf("edges: got %v, want a cycle of three", got.succ)
	}
	for name, want := range map[string]int64{
		"nodes_before": 6, "edges_before": 7, "components": 4, "component_01": 3, "component_02": 1, "component_04": 1,
		"nodes": 3, "edges": 3, "out_degree_median": 1,
	} {
		if env.Counters[name] != want {
			t.Errorf("%s: got %d, want %d", name, env.Counters[name], want)
		}
	}
}

func TestTheWholeGraphStillTellsTheComponent(t *testing.T) {
	t.Parallel()
	w := stagetest.ParseWiki("Z->A,B  A->B  B->C,Out  C->A  Out->Sink")
	got := run(t, envOf(t, w), whole)
	if !slices.Equal(got.titles, w.Titles) || got.succ.Edges() != w.Succ.Edges() {
		t.Errorf("got %v with %d edges, want %v with %d", got.titles, got.succ.Edges(), w.Titles, w.Succ.Edges())
	}
	if want := []bool{false, true, true, true, false, false}; !slices.Equal(got.inSCC, want) {
		t.Errorf("members: got %v, want %v", got.inSCC, want)
	}
}

func TestOfEqualComponentsThatWithTheSmallestPageIDIsTaken(t *testing.T) {
	t.Parallel()
	for links, want := range map[string][]string{
		"A->D  B->C  C->B  D->A":         {"A", "D"},
		"X->B  B->C,A  C->B  A->D  D->A": {"B", "C"},
		"A->A  B->B":                     {"A"},
	} {
		if got := run(t, envOf(t, stagetest.ParseWiki(links)), largest); !slices.Equal(got.titles, want) {
			t.Errorf("%s: got %v, want %v", links, got.titles, want)
		}
	}
}

func TestComponentsEqualTheirDefinitionOnRandomGraphs(t *testing.T) {
	t.Parallel()
	for i := range 60 {
		c := graphtest.Random(i, 30)
		components := graphtest.Mutual(c)
		members := components.Members(components.Largest())
		w := stagetest.NewWiki(c)
		got := run(t, envOf(t, w), largest)
		var want []uint32
		for u, in := range members {
			if in {
				want = append(want, w.PageIDs[u])
			}
		}
		if !slices.Equal(got.ids, want) || slices.Contains(got.inSCC, false) {
			t.Errorf("graph %d: got pages %v, members %v; want pages %v", i, got.ids, got.inSCC, want)
		}
		if all := run(t, envOf(t, w), whole); !slices.Equal(all.inSCC, members) {
			t.Errorf("graph %d, whole: got members %v, want %v", i, all.inSCC, members)
		}
	}
}

func TestAGraphWithoutNodesIsRefused(t *testing.T) {
	t.Parallel()
	for _, p := range []Params{largest, whole} {
		err := envOf(t, stagetest.NewWiki(graphtest.Build(0, nil))).Run(context.Background(), New(p))
		if !errors.Is(err, fault.Malformed) {
			t.Errorf("component %s: got %v, want malformed", p.Component, err)
		}
	}
}

func TestOneNodeIsAGraph(t *testing.T) {
	t.Parallel()
	got := run(t, envOf(t, stagetest.NewWiki(graphtest.Build(1, nil))), largest)
	if len(got.ids) != 1 || got.succ.Edges() != 0 || !got.inSCC[0] {
		t.Errorf("got %+v, want one node without edges", got)
	}
}

func TestImplausibleGraphsAreWarnedOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		succ graph.CSR
		want []string
	}{
		{"cycle", graphtest.Cycle(10), []string{"W_OUTDEG_MEDIAN {1 1}"}},
		{"line", graphtest.Line(10), []string{"W_SCC_SHARE {1 10}", "W_OUTDEG_MEDIAN {0 1}"}},
		{"all to all", complete(8), nil},
		{"all to all, many", complete(502), []string{"W_OUTDEG_MEDIAN {501 1}"}},
	} {
		env := envOf(t, stagetest.NewWiki(c.succ))
		env.MustRun(New(largest))
		var got []string
		for _, w := range env.Warnings {
			got = append(got, fmt.Sprint(w.Code, " ", w.Measured))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func complete(n int) graph.CSR {
	var edges []graphtest.Edge
	for u := range n {
		for v := range n {
			if u != v {
				edges = append(edges, graphtest.Edge{uint32(u), uint32(v)})
			}
		}
	}
	return graphtest.Build(n, edges)
}

func TestTheStageKeepsTheContract(t *testing.T) {
	t.Parallel()
	for _, p := range []Params{largest, whole} {
		stagetest.Run(t, New(p), envOf(t, stagetest.NewWiki(graphtest.Random(11, 50))))
	}
}

func TestAComponentThatFallsApartIsNoticed(t *testing.T) {
	t.Parallel()
	c := graphtest.Line(4)
	for _, p := range []*published{{succ: c, pred: graph.Transpose(c)}, {succ: graph.Transpose(c), pred: graphtest.Cycle(4)}} {
		if err := p.checkConnected(); err == nil {
			t.Errorf("successors %v, predecessors %v: no error", p.succ, p.pred)
		}
	}
}
