package audit

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
)

func TestASmallGraphIsDescribedExactly(t *testing.T) {
	t.Parallel()
	g := graphtest.Graph(graphtest.G9())
	p, err := Of(t.Context(), g, Defaults())
	if err != nil {
		t.Fatal(err)
	}
	if p.Nodes != 9 || p.Edges != 18 || p.Under50.Num != 9 || !p.Distances.Exact {
		t.Errorf("got %+v", p)
	}
	if p.Out.Median != 2 || p.Out.Max != 3 || !slices.Equal(p.Out.Bins, []int64{0, 2, 7}) {
		t.Errorf("out-degrees %+v", p.Out)
	}
	for i, pairs := range []float64{
		18, 24, 21, 8,
		1,
	} { // the specification's counts at distances 1 to 5
		got, err := strconv.ParseFloat(p.Distances.Shares[i].Value, 64)
		if want := pairs / 72; err != nil || got < want-1e-5 || got > want+1e-5 {
			t.Errorf("distance %d: share %v, want %v", i+1, got, want)
		}
	}
	if len(p.Distances.Shares) != 5 || p.Distances.DiameterMin != 5 || p.Distances.DiameterMax != 5 {
		t.Errorf("distances %+v", p.Distances)
	}
}

// TestPairsWithoutAPathAreInNoMean: A and B link to each other, and A to C, which links to nothing.
func TestPairsWithoutAPathAreInNoMean(t *testing.T) {
	t.Parallel()
	c := graphtest.From(3, func(yield func(u, v uint32)) { yield(0, 1); yield(1, 0); yield(0, 2) })
	p, err := Of(t.Context(), graphtest.Graph(c, []string{"A", "B", "C"}), Defaults())
	if err != nil {
		t.Fatal(err)
	}
	d := p.Distances
	if parsed(t, d.Mean.Value) != 1.25 || parsed(t, d.Unreached.Value) != 0.333333 ||
		d.DiameterMax != -1 || d.DiameterMin != 2 {
		t.Errorf("distances 1, 1, 1, 2 and two pairs without a path: got %+v", d)
	}
}

func TestASampleHoldsTheExactFiguresInItsIntervals(t *testing.T) {
	t.Parallel()
	c := graphtest.WikiLike(3000, 12, 1)
	names := make([]string, c.Nodes())
	for u := range names {
		names[u] = strconv.Itoa(u)
	}
	g := graphtest.Graph(c, names)
	exact, err := Of(t.Context(), g, Options{Seed: 1, Exact: 10_000, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	sampled, err := Of(t.Context(), g, Options{Seed: 1, Exact: 10, Sources: 300, Workers: 3})
	if err != nil {
		t.Fatal(err)
	}
	inside, all := 0, 0
	for i, e := range exact.Distances.Shares {
		if i >= len(sampled.Distances.Shares) {
			break
		}
		all++
		if s := sampled.Distances.Shares[i]; parsed(t, s.Low) <= parsed(t, e.Value) &&
			parsed(t, e.Value) <= parsed(t, s.High) {
			inside++
		}
	}
	if inside*10 < all*7 {
		t.Errorf("%d of %d exact shares lie in their 95 %% intervals", inside, all)
	}
	if sampled.Distances.Exact || sampled.Distances.DiameterMin > exact.Distances.DiameterMin {
		t.Errorf("sample %+v, exact %+v", sampled.Distances, exact.Distances)
	}
	again, err := Of(t.Context(), g, Options{Seed: 1, Exact: 10, Sources: 300, Workers: 1})
	if err != nil || !reflect.DeepEqual(again, sampled) {
		t.Errorf("another number of workers gave another profile: %v", err)
	}
}

func parsed(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestChartsShowTheNumbersAndEscapeTheirText(t *testing.T) {
	t.Parallel()
	of := `<script>&"`
	degrees := DegreeChart(of, "links", of, Degrees{Bins: []int64{0, 3, 17, 4}})
	far := DistanceChart(of, Distances{
		Exact:  true,
		Shares: []Interval{{"0.25", "0.25", "0.25"}, {"0.75", "0.75", "0.75"}},
	})
	for _, svg := range [][]byte{degrees, far} {
		for dec := xml.NewDecoder(bytes.NewReader(svg)); ; {
			_, err := dec.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, svg)
			}
		}
		if bytes.Contains(svg, []byte("<script")) {
			t.Errorf("got\n%s", svg)
		}
	}
	for _, want := range []string{">2–3<", ">4–7<", ">10<"} {
		if !bytes.Contains(degrees, []byte(want)) {
			t.Errorf("no %s in\n%s", want, degrees)
		}
	}
}
