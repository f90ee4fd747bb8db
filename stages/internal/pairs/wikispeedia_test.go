package pairs

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas"
)

const linksSHA256 = "8abcc18c60689d66290370333f3ca6a14e7a6ff9638b32663528c9fab8584362"

// shared gives the content of a file of the shared data, or skips the test.
func shared(t *testing.T, name, sha256 string) []byte {
	t.Helper()
	root := os.Getenv("WIKINAV_SHARED")
	for dir := ".."; root == "" && len(dir) < 40; dir = filepath.Join("..", dir) {
		if _, err := os.Stat(filepath.Join(dir, "shared", "data")); err == nil {
			root = filepath.Join(dir, "shared")
		}
	}
	data, err := os.ReadFile(filepath.Join(root, "data", filepath.FromSlash(name)))
	if err != nil {
		t.Skipf("no shared data (set WIKINAV_SHARED to the folder that holds data/%s): %v", name, err)
	}
	if got := digest.SHA256(data); got != sha256 {
		t.Fatalf("%s has SHA-256 %s, want %s", name, got, sha256)
	}
	return data
}

// wikispeedia gives the largest strongly connected component, pages in the order of their names.
func wikispeedia(t *testing.T) graph.CSR {
	t.Helper()
	unpacked, err := gzip.NewReader(bytes.NewReader(shared(t, "wikispeedia/links.tsv.gz", linksSHA256)))
	if err != nil {
		t.Fatal(err)
	}
	var links [][2]string
	var names []string
	for in := bufio.NewScanner(unpacked); in.Scan(); {
		from, to, ok := strings.Cut(in.Text(), "\t")
		if !ok || strings.HasPrefix(from, "#") {
			continue
		}
		if from, err = url.PathUnescape(from); err != nil {
			t.Fatal(err)
		}
		if to, err = url.PathUnescape(to); err != nil {
			t.Fatal(err)
		}
		links, names = append(links, [2]string{from, to}), append(names, from, to)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	var edges []graphtest.Edge
	for _, l := range links {
		u, _ := slices.BinarySearch(names, l[0])
		v, _ := slices.BinarySearch(names, l[1])
		edges = append(edges, graphtest.Edge{uint32(u), uint32(v)})
	}
	whole := graphtest.Build(len(names), edges)
	parts := graph.SCC(whole)
	largest, _ := graph.Induced(whole, parts.Members(parts.Largest()))
	return largest
}

// allTargets gives the field in which every page is source and target.
func allTargets(t *testing.T, succ graph.CSR) Field {
	t.Helper()
	n, pred := succ.Nodes(), graph.Transpose(succ)
	f, queue := Field{Nodes: n, Sources: everyone(n)}, make([]uint32, n)
	for v := range uint32(n) {
		column := make([]uint8, n)
		graph.DistancesTo(pred, v, column, queue)
		at, _ := distances.Count(column)
		f.Targets = append(f.Targets, Target{v, column, at, column})
	}
	return f
}

func TestWikispeediaIsFullOrReportedShortWithTrueCounts(t *testing.T) {
	succ := wikispeedia(t)
	if succ.Nodes() != 4051 {
		t.Fatalf("largest component of %d nodes, want 4051", succ.Nodes())
	}
	f := allTargets(t, succ)
	checkFarthest(t, f)
	for _, c := range []struct {
		reuse string
		short []int // distances
	}{
		{ReuseNone, []int{7, 8}},
		{ReuseTargets, []int{8}},
		{ReuseAny, nil},
	} {
		p := DefaultRules()
		p.Splits, p.Reuse = published(), c.reuse
		all := drawField(t, p, f)
		var short []int
		for _, split := range all {
			for _, q := range split {
				checkQuota(t, c.reuse, f, all, q)
				if q.report.Status == schemas.StatusShort {
					short = append(short, q.distance)
					t.Logf("reuse=%s, distance %d: got %d of %d, pairs %d, matching bound %d", c.reuse, q.distance,
						q.report.Got, q.report.Requested, *q.report.EligiblePairsReuseAny, *q.report.MatchingBound)
				}
			}
		}
		if !slices.Equal(short, c.short) {
			t.Errorf("reuse=%s: distances %v are short, want %v", c.reuse, short, c.short)
		}
		checkPairs(t, c.reuse, succ, all)
	}
}

func checkFarthest(t *testing.T, f Field) {
	t.Helper()
	pairs := pairsAt(f, 8)
	targets := map[uint32]bool{}
	for _, p := range pairs {
		targets[p.target] = true
	}
	if len(pairs) != 333 || len(targets) != 25 {
		t.Errorf("%d pairs at distance 8 with %d targets, want 333 and 25", len(pairs), len(targets))
	}
}

// pairsAt lists the pairs at d, target by target.
func pairsAt(f Field, d int) []pair {
	var out []pair
	for _, t := range f.Targets {
		for s, distance := range t.Column {
			if int(distance) == d {
				out = append(out, pair{uint32(s), t.Node})
			}
		}
	}
	return out
}

// checkQuota holds a report against counts by brute force.
func checkQuota(t *testing.T, reuse string, f Field, all results, q drawn) {
	t.Helper()
	r := q.report
	if r.Got != len(q.pairs) || (r.Status == schemas.StatusOK) != (r.Got == r.Requested) {
		t.Errorf("reuse=%s, distance %d: %d pairs, report %+v", reuse, q.distance, len(q.pairs), r)
	}
	if r.Status == schemas.StatusOK {
		return
	}
	pairs := pairsAt(f, q.distance)
	left, bound := int64(0), int64(kuhn(pairs))
	taken := acceptedBefore(reuse, f, all, q.distance)
	for _, p := range pairs {
		if !taken.bars(p) {
			left++
		}
	}
	if r.Mode != schemas.ModeExhaustive || *r.EligiblePairs != left || *r.EligiblePairsReuseAny != int64(len(pairs)) || *r.MatchingBound != bound {
		t.Errorf("reuse=%s, distance %d: report %+v (%d, %d, %d), want %d pairs left of %d and a bound of %d", reuse, q.distance,
			r, *r.EligiblePairs, *r.EligiblePairsReuseAny, *r.MatchingBound, left, len(pairs), bound)
	}
}

// acceptedBefore knows the pairs of the distances from d on, which here are the ones drawn up to d's last slot.
func acceptedBefore(reuse string, f Field, all results, d int) *taken {
	taken := newTaken(reuse, f.Nodes)
	for _, split := range all {
		for _, q := range split {
			for _, p := range q.pairs {
				if q.distance >= d {
					taken.add(p)
				}
			}
		}
	}
	return taken
}

// checkPairs holds every pair against the reuse rule and a search of its own.
func checkPairs(t *testing.T, reuse string, succ graph.CSR, all results) {
	t.Helper()
	sources, targets, pairs := map[uint32]int{}, map[uint32]int{}, map[pair]int{}
	dist := make([]uint8, succ.Nodes())
	for _, split := range all {
		for _, q := range split {
			for _, p := range q.pairs {
				sources[p.source]++
				targets[p.target]++
				pairs[p]++
				graph.DistancesFrom(succ, p.source, dist, nil)
				if int(dist[p.target]) != q.distance {
					t.Errorf("%v is %d apart, want %d", p, dist[p.target], q.distance)
				}
				if pairs[p] > 1 || reuse != ReuseAny && targets[p.target] > 1 || reuse == ReuseNone && sources[p.source] > 1 {
					t.Errorf("reuse=%s: %v was drawn against the rule", reuse, p)
				}
			}
		}
	}
}
