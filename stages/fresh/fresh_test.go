package fresh

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// older is a release of a graph, as far as the stage reads it.
func older(sha256, wiki, kind string) []byte {
	m := &release.Manifest{
		Schema: release.Schema, Wiki: wiki, SnapshotDate: "2025-01-01",
		Dump:       release.Dump{Kind: kind, Files: []release.DumpFile{}},
		SideInputs: []release.SideInput{}, Recipe: []byte(`{}`), RecipeSHA256: digest.SHA256(nil),
		Params: map[string]json.RawMessage{}, Stages: []release.StageEntry{}, Counts: map[string]int64{},
		Splits: map[string]release.SplitEntry{}, Warnings: []release.Warning{}, Files: []release.FileEntry{},
		Graph:   release.GraphEntry{SHA256: sha256, SCC: release.SCC{Largest: []int{}}},
		Licence: release.Licence{SPDX: "CC-BY-SA-4.0", Parts: []release.LicencePart{}},
		Release: release.Label{Version: "1.0.0"},
	}
	m.ID = release.ID(m)
	return release.Encode(m)
}

// world returns a graph with columns of all its nodes, and an older release of another graph.
func world(t *testing.T, now, then stagetest.Wiki, wiki, kind string) *stagetest.Env {
	t.Helper()
	env, old := stagetest.New(t), stagetest.New(t)
	env.GiveSnapshot()
	env.GiveGraph(now)
	env.GiveDistances(now, nil, 3)
	old.GiveGraph(then)
	files, err := old.Input(schemas.Graph)
	if err != nil {
		t.Fatal(err)
	}
	data, err := files[0].Read()
	if err != nil {
		t.Fatal(err)
	}
	env.GiveExternal(schemas.Since, "graph.arrow", "fresh-since-graph", data)
	env.GiveExternal(schemas.Since, release.ManifestName, "fresh-since", older(digest.SHA256(data), wiki, kind))
	return env
}

func params(match string) Params {
	return Params{Since: "0123456789abcdef", Match: match, ShardBytes: 4096, RecipeSHA256: digest.SHA256(nil)}
}

// random is a wiki of up to 40 pages, and the same with other numbers, without some pages and
// links.
func random(r *rng.Stream) (now, then stagetest.Wiki) {
	n := 2 + r.Below(39)
	var all, some []graphtest.Edge
	kept := make([]bool, n)
	for u := range n {
		kept[u] = r.Below(10) > 0
		for range r.Below(4) {
			if v := r.Below(n); v != u {
				all = append(all, graphtest.Edge{uint32(u), uint32(v)})
				if r.Below(4) > 0 {
					some = append(some, graphtest.Edge{uint32(u), uint32(v)})
				}
			}
		}
	}
	kept[r.Below(n)] = true
	now = stagetest.NewWiki(graphtest.Build(n, all))
	sub, old := graph.Induced(graphtest.Build(n, some), kept)
	then = stagetest.NewWiki(sub)
	for i, u := range old {
		then.PageIDs[i], then.Titles[i] = now.PageIDs[u], now.Titles[u]
	}
	return now, then
}

// lacks lists the links of now, by titles, that then has not.
func lacks(now, then stagetest.Wiki) map[[2]string]bool {
	out := map[[2]string]bool{}
	each := func(w stagetest.Wiki, visit func(link [2]string)) {
		for u := range uint32(len(w.Titles)) {
			for _, v := range w.Succ.Row(u) {
				visit([2]string{w.Titles[u], w.Titles[v]})
			}
		}
	}
	each(now, func(l [2]string) { out[l] = true })
	each(then, func(l [2]string) { delete(out, l) })
	return out
}

// everyPathNeeds reports by walking all shortest paths whether each has a link of new.
func everyPathNeeds(w stagetest.Wiki, dist []uint8, u uint32, isNew map[[2]string]bool) bool {
	if dist[u] == 0 {
		return false
	}
	for _, v := range w.Succ.Row(u) {
		if dist[v]+1 == dist[u] && !isNew[[2]string{w.Titles[u], w.Titles[v]}] && !everyPathNeeds(w, dist, v, isNew) {
			return false
		}
	}
	return true
}

func TestAPairIsFreshIfEveryShortestPathNeedsWhatTheOlderGraphLacks(t *testing.T) {
	r, seen := rng.New(1, "fresh", "test"), map[bool]int{}
	for i := range 30 {
		now, then := random(r)
		env := world(t, now, then, "testwiki", release.DumpClassic)
		match := []string{schemas.MatchPageID, schemas.MatchTitle}[i%2]
		if match == schemas.MatchTitle { // lines number the pages anew
			for u := range then.PageIDs {
				then.PageIDs[u] = uint32(u)
			}
			env = world(t, now, then, "testwiki", release.DumpEdges)
		}
		env.MustRun(New(params(match)))
		set, isNew := open(t, env, now), lacks(now, then)
		pred, n, pairs := graph.Transpose(now.Succ), now.Succ.Nodes(), int64(0)
		dist, queue := make([]uint8, n), make([]uint32, n)
		for v := range uint32(n) {
			graph.DistancesTo(pred, v, dist, queue)
			for u := range uint32(n) {
				fresh := dist[u] != schemas.Unreached && everyPathNeeds(now, dist, u, isNew)
				want := schemas.Unreached
				if fresh {
					want = dist[u]
					pairs++
				}
				if got, err := set.At(u, v); err != nil || got != want {
					t.Fatalf("world %d: from %d to %d (distance %d): %d, %v, want %d", i, u, v, dist[u], got, err, want)
				}
				seen[fresh]++
			}
		}
		if got := env.Counters["fresh_pairs"]; got != pairs ||
			env.Counters["common_links"] != env.Counters["links"]-int64(len(isNew)) {
			t.Errorf("world %d: %v, want %d fresh pairs and %d new links", i, env.Counters, pairs, len(isNew))
		}
	}
	if seen[true] < 100 || seen[false] < 100 {
		t.Errorf("the worlds have too little of one kind: %v", seen)
	}
}

// open opens the columns that a run left.
func open(t *testing.T, env *stagetest.Env, w stagetest.Wiki) *distances.Set {
	t.Helper()
	sidecar, err := env.Written(distances.Sidecar)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]digest.Digest{}
	for name, out := range env.Outputs {
		if schemas.Fresh.Holds(name) {
			files[name] = out.Digest
		}
	}
	graphs, err := env.Input(schemas.Graph)
	if err != nil {
		t.Fatal(err)
	}
	set, err := distances.Open(sidecar.Root, ".", files, len(w.Titles), graphs[0].Digest.SHA256)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { set.Close() })
	return set
}

func TestTheStageKeepsTheContract(t *testing.T) {
	now, then := stagetest.ParseWiki("A->B,C  B->C,D  C->D  D->A"), stagetest.ParseWiki("A->B  B->C  C->D  D->A")
	stagetest.Run(t, New(params(schemas.MatchPageID)), world(t, now, then, "testwiki", release.DumpClassic))
}

func TestAnOlderReleaseOfSomethingElseIsRefused(t *testing.T) {
	w := stagetest.ParseWiki("A->B  B->A")
	for name, c := range map[string]struct {
		wiki, kind, says string
	}{
		"another wiki": {"otherwiki", release.DumpClassic, `"otherwiki"`},
		"another kind": {"testwiki", release.DumpEdges, "edge list"},
	} {
		err := world(t, w, w, c.wiki, c.kind).Run(context.Background(), New(params(schemas.MatchPageID)))
		if !errors.Is(err, fault.Usage) || !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	env := world(t, w, w, "testwiki", release.DumpClassic)
	env.GiveExternal(schemas.Since, release.ManifestName, "fresh-since",
		older(digest.SHA256(nil), "testwiki", release.DumpClassic))
	if err := env.Run(context.Background(), New(params(schemas.MatchPageID))); !errors.Is(err, fault.Mismatch) {
		t.Errorf("a graph that is not that of the manifest: %v", err)
	}
	p := params(schemas.MatchPageID)
	p.RecipeSHA256 = digest.SHA256([]byte("another"))
	env = world(t, w, w, "testwiki", release.DumpClassic)
	env.MustRun(New(p))
	if len(env.Warnings) != 1 || env.Warnings[0].Code != "W_FRESH_RECIPE" {
		t.Errorf("another recipe: warnings %v", env.Warnings)
	}
}
