package distances_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

func TestCountSeparatesNearFarAndUnreached(t *testing.T) {
	t.Parallel()
	dist := []uint8{0, 1, 1, 15, 16, 200, schemas.MaxDistance, schemas.Unreached, schemas.Unreached}
	at, unreached := distances.Count(dist)
	if want := [17]uint32{0: 1, 1: 2, 15: 1, 16: 3}; at != want || unreached != 2 {
		t.Errorf("%v, %d unreached; want %v, 2", at, unreached, want)
	}
}

func TestTrueColumnsPassTheCheckAndNoOthersDo(t *testing.T) {
	t.Parallel()
	for i := range 300 {
		succ := graphtest.Random(i, 20)
		n := succ.Nodes()
		target := uint32(i % n)
		dist := make([]uint8, n)
		graph.DistancesTo(graph.Transpose(succ), target, dist, nil)
		g := graphtest.Graph(succ, nil)
		if err := distances.ProveColumn(g, target, dist); err != nil {
			t.Fatalf("graph %d: true distances %v: %v", i, dist, err)
		}
		for u := range dist {
			for _, d := range []uint8{dist[u] + 1, dist[u] - 1} {
				changed := bytes.Clone(dist)
				changed[u] = d
				if err := distances.ProveColumn(g, target, changed); fault.KindOf(err) != fault.Mismatch {
					t.Fatalf("graph %d target %d: %v in place of %v passes: %v", i, target, changed, dist, err)
				}
			}
		}
	}
}

func TestTheCheckNamesTargetAndRow(t *testing.T) {
	t.Parallel()
	g := g9()
	for _, c := range []struct {
		name   string
		dist   []uint8
		sample []uint32
		want   string
	}{
		{"too short", []uint8{0}, nil, "target 8: 1 distances for 9 nodes"},
		{"target not at 0", []uint8{5, 4, 4, 4, 3, 3, 2, 1, 1}, nil, "row 8: target 8: distance 1 to itself, want 0"},
		{"254", []uint8{5, 4, 4, 254, 3, 3, 2, 1, 0}, []uint32{3}, "row 3: target 8: distance 254, want 4 by its successors"},
		{"outside the sample", []uint8{5, 4, 4, 7, 3, 3, 2, 1, 0}, []uint32{1, 2}, ""},
		{"in the sample", []uint8{5, 4, 4, 7, 3, 3, 2, 1, 0}, []uint32{1, 3}, "row 3: target 8: distance 7, want 4 by its successors"},
	} {
		err := distances.CheckColumn(g.Succ, 8, c.dist, c.sample)
		if c.want == "" && err != nil || c.want != "" && (err == nil || err.Error() != c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestTheCheckKnowsTheLargestDistance(t *testing.T) {
	t.Parallel()
	line := graphtest.Line(255)
	dist := make([]uint8, 255)
	for u := range dist {
		dist[u] = uint8(254 - u)
	}
	dist[0] = schemas.Unreached // it is 254 links away, which no byte tells
	err := distances.CheckColumn(line, 254, dist, []uint32{0})
	if err == nil || !strings.Contains(err.Error(), "row 0: target 254: distance 255, want 254") {
		t.Errorf("%v, want an error about row 0", err)
	}
}

func TestWriteShardEndsWithTheErrorOfAColumn(t *testing.T) {
	t.Parallel()
	broken := fault.New(fault.Interrupted, "stop")
	var asked []int
	_, err := distances.WriteShard(&bytes.Buffer{}, options, graphSHA256, 3, 5, func(i int) ([]uint8, error) {
		asked = append(asked, i)
		if i == 2 {
			return nil, broken
		}
		return make([]uint8, 3), nil
	})
	if fault.KindOf(err) != fault.Interrupted || !slices.Equal(asked, []int{0, 1, 2}) {
		t.Errorf("%v after columns %v, want the error of column 2", err, asked)
	}
}

// TestFarNodesMustLeadSomewhere: on a long line, with a circle that leads nowhere beside it, every single change of a
// distance is found, also at nodes of which a column tells no more than that they are far.
func TestFarNodesMustLeadSomewhere(t *testing.T) {
	t.Parallel()
	const line, n = 270, 274
	var edges []graphtest.Edge
	for u := range uint32(line - 1) {
		edges = append(edges, graphtest.Edge{u, u + 1})
	}
	for u := uint32(line); u < n; u++ {
		edges = append(edges, graphtest.Edge{u, line + (u-line+1)%(n-line)})
	}
	g := graphtest.Graph(graphtest.Build(n, edges), nil)
	dist := make([]uint8, n)
	graph.DistancesTo(g.Pred, line-1, dist, nil)
	if err := distances.ProveColumn(g, line-1, dist); err != nil {
		t.Fatal(err)
	}
	circle := bytes.Clone(dist)
	for u := line; u < n; u++ {
		circle[u] = schemas.Far
	}
	if err := distances.ProveColumn(g, line-1, circle); err == nil || !strings.Contains(err.Error(), "row 270: target 269: distance 254, but no way") {
		t.Errorf("a circle that leads nowhere passes as far: %v", err)
	}
	for u := range dist {
		for _, d := range []uint8{dist[u] + 1, dist[u] - 1, schemas.Far, schemas.Unreached} {
			changed := bytes.Clone(dist)
			if changed[u] = d; d != dist[u] && distances.ProveColumn(g, line-1, changed) == nil {
				t.Errorf("node %d at %d in place of %d passes", u, d, dist[u])
			}
		}
	}
}
