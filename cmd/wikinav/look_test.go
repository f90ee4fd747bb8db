package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// g9 is the worked example of the wikirace specification, 5.7, as an edge list.
const g9 = "A\tB\nA\tC\nA\tD\nB\tC\nB\tE\nC\tA\nC\tE\nC\tF\nD\tB\nD\tF\nE\tG\nF\tG\nG\tA\nG\tH\nH\tG\nH\tT\nT\tA\nT\tD\n"

func buildG9(t *testing.T) (work string) {
	t.Helper()
	folder := t.TempDir()
	edges := filepath.Join(folder, "g9.tsv")
	labels := filepath.Join(folder, "labels.tsv")
	for path, text := range map[string]string{edges: g9, labels: "1\tPlace\n5\tPlace\n5\tWork\n9\tPlace\n"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	work = filepath.Join(folder, "work")
	must(t, "build", "--edges", edges, "--manual-labels", labels, "--work", work, "--split", "tiny:4:2,3")
	return work
}

// TestAGraphOfAllPagesIsCalledSo: where the recipe keeps pages without a way back there is no diameter,
// and the nodes are not those of a component.
func TestAGraphOfAllPagesIsCalledSo(t *testing.T) {
	folder := t.TempDir()
	edges, work := filepath.Join(folder, "edges.tsv"), filepath.Join(folder, "work")
	if err := os.WriteFile(edges, []byte(g9+"A\tLeaf\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	built := must(t, "build", "--edges", edges, "--work", work, "--split", "tiny:4:2,3", "--set", "graph.component=none")
	if !strings.Contains(built, "nodes of the whole graph") || strings.Contains(built, "largest SCC") {
		t.Errorf("got %s", built)
	}
	want := "no diameter: not every page reaches every other; the largest distance seen is 5; every node was a source\n"
	if got := must(t, "audit", "--graph", "--work", work); !strings.HasSuffix(got, want) {
		t.Errorf("got %s\nwant the end %s", got, want)
	}
}

func TestPathCountsAndListsTheShortestPathsInOrder(t *testing.T) {
	work := buildG9(t)
	for _, c := range []struct{ args, want string }{
		{"A T", "distance 5, shortest paths: 4\nA -> B -> E -> G -> H -> T\nA -> C -> E -> G -> H -> T\n" +
			"A -> C -> F -> G -> H -> T\nA -> D -> F -> G -> H -> T\n"},
		{"A T --limit 1", "distance 5, shortest paths: 4\nA -> B -> E -> G -> H -> T\n"},
		{"A T --limit 0", "distance 5, shortest paths: 4\n"},
		{"1 9 --limit 1", "distance 5, shortest paths: 4\nA -> B -> E -> G -> H -> T\n"},
		{"A T --avoid E", "distance 5, shortest paths: 2\nA -> C -> F -> G -> H -> T\nA -> D -> F -> G -> H -> T\n"},
		{"A T --avoid label:Place", "distance 5, shortest paths: 2\nA -> C -> F -> G -> H -> T\nA -> D -> F -> G -> H -> T\n"},
		{"A E --avoid label:Place --avoid B", "distance 2, shortest paths: 1\nA -> C -> E\n"},
		{"A T --avoid G", "no path from A to T\n"},
		{"A A", "distance 0, shortest paths: 1\nA\n"},
		{"A T --limit 1 --json", `{"distance":5,"paths":4,"saturated":false,"shown":[["A","B","E","G","H","T"]],"source":"A","target":"T"}` + "\n"},
	} {
		args := append([]string{"path", "--work", work}, strings.Fields(c.args)...)
		if got := must(t, args...); got != c.want {
			t.Errorf("path %s: got\n%s\nwant\n%s", c.args, got, c.want)
		}
	}
	for args, want := range map[string]int{"A Nowhere": 10, "Nowhere A": 10, "A": 2, "A T --avoid label:Film": 2, "A T --limit -1": 2} {
		if code, _, errs := wikinav(t, append([]string{"path", "--work", work}, strings.Fields(args)...)...); code != want {
			t.Errorf("path %s: exit %d: %s", args, code, errs)
		}
	}
}

func TestAuditDescribesTheGraphAsTextJSONAndPlots(t *testing.T) {
	work, plots := buildG9(t), filepath.Join(t.TempDir(), "plots")
	if out := must(t, "audit", "--graph", "--work", work, "--svg", plots); !strings.Contains(out, "9 nodes, 18 edges") ||
		!strings.Contains(out, "diameter at least 5, at most 5") {
		t.Errorf("got\n%s", out)
	}
	if out := must(t, "audit", "--graph", "--work", work, "--json"); !strings.Contains(out, `"under_50_links":{"den":9,"num":9`) {
		t.Errorf("got\n%s", out)
	}
	for _, name := range []string{"in-degree.svg", "out-degree.svg", "distance.svg"} {
		if data, err := os.ReadFile(filepath.Join(plots, name)); err != nil || !strings.HasPrefix(string(data), "<svg") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if out := must(t, "audit", "--work", work); !strings.Contains(out, "| edges | 18 |") {
		t.Errorf("the audit of the build:\n%s", out)
	}
}

// Each of the eight sizes is that of a build under the same policy.
func TestAuditSaysHowLargeTheGraphIsUnderEightPolicies(t *testing.T) {
	work, dump := filepath.Join(t.TempDir(), "work"), smallDump(t)
	build := func(name string, args ...string) int64 {
		args = append(args, "--dump", dump, "--only", "scc", "--work", work, "--build", name)
		must(t, append([]string{"build", "--recipe", "llm-wikirace-compat"}, args...)...)
		var status struct{ Nodes int64 }
		out := must(t, "audit", "--graph", "--work", work, "--build", name, "--json")
		if err := json.Unmarshal([]byte(out), &status); err != nil {
			t.Fatal(err)
		}
		return status.Nodes
	}
	want := map[string]int64{}
	for _, titles := range []string{"any", "single-token"} {
		for _, redirects := range []string{"resolve", "nodes"} {
			for _, dab := range []string{"keep", "drop"} {
				name := strings.Join([]string{titles, redirects, dab}, "-")
				want[name] = build(name, "--set", "graph.title_filter="+titles,
					"--set", "graph.redirects="+redirects, "--set", "graph.dab="+dab)
			}
		}
	}
	var got recipeSizes
	out := must(t, "audit", "--recipes", "--work", work, "--build", "any-resolve-keep", "--json")
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	for _, s := range got.Sizes {
		name := strings.Join([]string{s.Titles, s.Redirects, s.Disambiguation}, "-")
		if s.LargestSCC != want[name] || s.Nodes < s.LargestSCC {
			t.Errorf("%s: %d of %d nodes, want %d", name, s.LargestSCC, s.Nodes, want[name])
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("nothing is said of %v", want)
	}
}

func TestATargetSetOfAReleaseIsTakenOver(t *testing.T) {
	work := buildG9(t)
	out := filepath.Join(t.TempDir(), "release")
	must(t, "release", "--work", work, "--out", out, "--allow-short", "--licence", "CC0-1.0", "--attribution", "nobody")
	edges := filepath.Join(filepath.Dir(work), "g9.tsv")
	other := filepath.Join(filepath.Dir(work), "other")
	must(t, "build", "--edges", edges, "--work", other, "--split", "tiny:4:2,3", "--targets", out, "--only", "targets")
	if got := must(t, "inspect", "targets", "--work", other, "--limit", "1"); !strings.Contains(got, `"reasons":["all"`) {
		t.Errorf("got %s", got)
	}
	if code, _, _ := wikinav(t, "build", "--edges", edges, "--work", other, "--targets", work); code == 0 {
		t.Error("a directory that is no release was taken for one")
	}
}
