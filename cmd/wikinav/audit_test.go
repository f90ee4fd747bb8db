package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/audit"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/artifacts/wikirace"
)

// wikiLike is a release of a graph that looks like that of a wiki. One title is hostile.
func wikiLike(t *testing.T) (dir string) {
	t.Helper()
	c := graphtest.WikiLike(600, 8, 3)
	var edges strings.Builder
	name := func(u uint32) string {
		if u == 1 {
			return "</script><script>alert(1)</script>"
		}
		return fmt.Sprint("Page ", u)
	}
	for u := range uint32(c.Nodes()) {
		for _, v := range c.Row(u) {
			fmt.Fprintf(&edges, "%s\t%s\n", name(u), name(v))
		}
	}
	dir = t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	putFile(t, at("edges.tsv"), []byte(edges.String()))
	must(t, "build", "--edges", at("edges.tsv"), "--work", at("work"), "--split", "near:40:2,3",
		"--split", "far:20:4,5")
	must(t, "release", "--work", at("work"), "--out", at("release"), "--licence", "CC0-1.0",
		"--allow-short")
	return dir
}

// read returns an audit as JSON.
func readAudit(t *testing.T, dir string) (rep audit.Report) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "audit.json"))
	if err == nil {
		err = json.Unmarshal(data, &rep)
	}
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// columnOf reads a column of numbers of a published table, whole.
func columnOf(t *testing.T, r *release.Release, split, name string) (list []float64) {
	t.Helper()
	table, err := r.Part(wikirace.Part).Parquet(split+".parquet", wikirace.Table.Table())
	if err != nil {
		t.Fatal(err)
	}
	at := wikirace.Table.Table().Index(name)
	for b := range table.Batches() {
		for row := range table.BatchRows(b) {
			list = append(list, floatOf(t, table, b, at, row))
		}
	}
	return list
}

func floatOf(t *testing.T, table *arrowio.Table, b, column, row int) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(fmt.Sprint(table.Cell(b, column, row)), 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// median counts: half of the values lie on each side.
func median(list []float64) float64 {
	sorted := append([]float64{}, list...)
	sort.Float64s(sorted)
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

// rho compares every two values with each other to rank them, and correlates the ranks.
func rho(x, y []float64) float64 {
	rank := func(list []float64, v float64) (r float64) {
		for _, w := range list {
			if w < v {
				r++
			} else if w == v {
				r += 0.5
			}
		}
		return r
	}
	var sx, sy, sxx, syy, sxy float64
	n := float64(len(x))
	for i := range x {
		a, b := rank(x, x[i]), rank(y, y[i])
		sx, sy, sxx, syy, sxy = sx+a, sy+b, sxx+a*a, syy+b*b, sxy+a*b
	}
	return (n*sxy - sx*sy) / math.Sqrt((n*sxx-sx*sx)*(n*syy-sy*sy))
}

// TestNumbersOfAnAuditAreThoseOfTheTables computes 30 of them anew from the published Parquet
// files, by code that shares nothing with the audit.
func TestNumbersOfAnAuditAreThoseOfTheTables(t *testing.T) {
	t.Parallel()
	dir := wikiLike(t)
	out := filepath.Join(dir, "audit")
	must(t, "audit", filepath.Join(dir, "release"), "--out", out)
	rep := readAudit(t, out)
	r, err := release.Open(filepath.Join(dir, "release"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	same, compared := func(what, got string, want float64) {
		t.Helper()
		x, err := strconv.ParseFloat(got, 64)
		if err != nil || math.Abs(x-want) > 1e-5*math.Max(1, math.Abs(want)) {
			t.Errorf("%s: audit.json says %q, the table %v", what, got, want)
		}
	}, 0
	for _, s := range rep.Sets {
		if s.Family != "wikirace" {
			continue
		}
		for _, q := range s.Groups[0].Features {
			if q.Feature != "rw_menu" && q.Feature != "out_degree" && q.Feature != "n_shortest_paths" {
				continue
			}
			column := columnOf(t, r, s.Set, q.Feature)
			same(s.Set+" median of "+q.Feature, q.Median, median(column))
			sum, most := 0.0, math.Inf(-1)
			for _, x := range column {
				sum, most = sum+x, math.Max(most, x)
			}
			same(s.Set+" mean of "+q.Feature, q.Mean, sum/float64(len(column)))
			same(s.Set+" most of "+q.Feature, q.Max, most)
			compared += 3
		}
		for _, c := range s.Groups[0].Correlations {
			if c.A == "rw_menu" && c.Rho != "" &&
				(c.B == "n_shortest_paths" || c.B == "out_degree" || c.B == "distance") {
				same(s.Set+" correlation with "+c.B, c.Rho,
					rho(columnOf(t, r, s.Set, c.A), columnOf(t, r, s.Set, c.B)))
				compared++
			}
		}
		for _, f := range s.Groups[0].Floor {
			if f.Player == "rw_full" {
				column, sum := columnOf(t, r, s.Set, f.Player), 0.0
				for _, x := range column {
					sum += x / float64(len(column))
				}
				same(s.Set+" floor "+f.Player, f.Mean, sum)
				compared++
			}
		}
		hardest := append([]float64{}, columnOf(t, r, s.Set, "rw_menu")...)
		sort.Float64s(hardest)
		same(s.Set+" hardest", s.Hardest[0].Value, hardest[0])
		same(s.Set+" easiest", s.Easiest[0].Value, hardest[len(hardest)-1])
		compared += 2
	}
	if compared != 30 {
		t.Errorf("%d numbers were compared, want 30", compared)
	}
	g, err := r.Graph()
	if err != nil || rep.Graph.Nodes != g.Len() || rep.Graph.Edges != g.Edges() {
		t.Errorf("%d nodes and %d edges, the graph has %d and %d: %v",
			rep.Graph.Nodes, rep.Graph.Edges, g.Len(), g.Edges(), err)
	}
}

// TestAnAuditIsWrittenAgainAsItWas: the same bytes in every file, and nothing else is replaced.
func TestAnAuditIsWrittenAgainAsItWas(t *testing.T) {
	t.Parallel()
	dir := wikiLike(t)
	first, again := filepath.Join(dir, "first"), filepath.Join(dir, "again")
	must(t, "audit", filepath.Join(dir, "release"), "--out", first, "--workers", "1")
	must(t, "audit", filepath.Join(dir, "release"), "--out", again)
	must(t, "audit", filepath.Join(dir, "release"), "--out", again, "--workers", "2")
	names, err := filepath.Glob(filepath.Join(first, "*"))
	if err != nil || len(names) < 8 {
		t.Fatalf("files %v: %v", names, err)
	}
	for _, name := range names {
		a, err := os.ReadFile(name)
		b, err2 := os.ReadFile(filepath.Join(again, filepath.Base(name)))
		if err != nil || err2 != nil || !bytes.Equal(a, b) {
			t.Errorf("%s has other bytes the second time: %v %v", filepath.Base(name), err, err2)
		}
	}
	page, err := os.ReadFile(filepath.Join(first, "audit.html"))
	if text := string(page); err != nil || strings.Count(text, "<script") != 1 ||
		!strings.Contains(text, "&lt;/script&gt;") {
		t.Errorf("%d scripts, want that of tables: %v", strings.Count(text, "<script"), err)
	}
	drawn := 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		drawn += strings.Count(string(text), ` id="draw-wikirace-`)
	}
	if drawn != 60 {
		t.Errorf("%d of 60 instances are drawn", drawn)
	}
	if code, _, errs := wikinav(t, "audit", filepath.Join(dir, "release"), "--out", dir); code != 2 ||
		!strings.Contains(errs, "no audit") {
		t.Errorf("a folder of something else: exit %d: %s", code, errs)
	}
}

// TestAuditsOfBuildsReleasesAndFolders: a build is audited as the release that it would become, and
// a release against itself shares everything.
func TestAuditsOfBuildsReleasesAndFolders(t *testing.T) {
	t.Parallel()
	dir := wikiLike(t)
	whole := filepath.Join(dir, "release")
	var of [2]audit.Report
	for i, args := range [][]string{
		{"audit", whole, "--json"}, {"audit", "--work", filepath.Join(dir, "work"), "--json"},
	} {
		if err := json.Unmarshal([]byte(must(t, args...)), &of[i]); err != nil {
			t.Fatal(err)
		}
	}
	if len(of[0].Sets) == 0 || len(of[0].Sets) != len(of[1].Sets) ||
		of[0].Sets[0].Groups[0].N != of[1].Sets[0].Groups[0].N {
		t.Errorf("release %d sets, build %d", len(of[0].Sets), len(of[1].Sets))
	}
	var rep audit.Report
	out := must(t, "audit", whole, "--json", "--against", whole)
	if err := json.Unmarshal([]byte(out), &rep); err != nil || len(rep.Against) == 0 {
		t.Fatalf("%v %+v", err, rep.Against)
	}
	for _, a := range rep.Against {
		if a.Shared != a.N {
			t.Errorf("%s/%s shares %d of %d with itself", a.Family, a.Set, a.Shared, a.N)
		}
	}
	if code, _, errs := wikinav(t, "audit", whole, "--strict-audit"); len(of[0].Warnings) == 0 ||
		code != 1 || !strings.Contains(errs, of[0].Warnings[0].Code) {
		t.Errorf("%d warnings, --strict-audit exits %d: %s", len(of[0].Warnings), code, errs)
	}
	for folder, want := range map[string]string{"aar/aar-dag": "## aar", "mango/shipped": "## mango"} {
		if got := must(t, "audit", shared(t, folder)); !strings.Contains(got, want) {
			t.Errorf("%s: %s is missing in %.300s", folder, want, got)
		}
	}
}
