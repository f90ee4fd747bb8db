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
		if _, err := graph.DistancesTo(graph.Transpose(succ), target, dist, nil); err != nil {
			t.Fatal(err)
		}
		all := make([]uint32, n)
		for u := range all {
			all[u] = uint32(u)
		}
		if err := distances.CheckColumn(succ, target, dist, all); err != nil {
			t.Fatalf("graph %d: true distances %v: %v", i, dist, err)
		}
		for u := range dist {
			for _, d := range []uint8{dist[u] + 1, dist[u] - 1} {
				changed := bytes.Clone(dist)
				changed[u] = d
				if err := distances.CheckColumn(succ, target, changed, all); fault.KindOf(err) != fault.Mismatch {
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
		{"254", []uint8{5, 4, 4, 254, 3, 3, 2, 1, 0}, nil, "row 3: target 8: distance 254, which never occurs"},
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

func TestWriteShardRefusesTheValueThatNeverOccurs(t *testing.T) {
	t.Parallel()
	column := func(int) ([]uint8, error) { return []uint8{0, 1, schemas.NoDistance}, nil }
	_, err := distances.WriteShard(&bytes.Buffer{}, options, graphSHA256, 3, 1, column)
	if err == nil || !strings.Contains(err.Error(), "column 0: row 2: distance 254") {
		t.Errorf("%v, want an error that names column and row", err)
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
