package wikirace

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages/internal/pairs"
	"github.com/wikinav/wikinav/stages/stagetest"
)

var recipe = digest.SHA256([]byte("the recipe of the tests"))

// params gives Default with the splits of a test.
func params(splits ...Split) Params {
	p := Default()
	p.Splits, p.RecipeSHA256 = splits, recipe
	return p
}

func split(name string, size int, distances ...int) Split {
	return Split{Name: name, Size: size, Distances: distances}
}

// envOf gives the inputs of the stage; nil targets stand for every page.
func envOf(t *testing.T, w stagetest.Wiki, targets []uint32) *stagetest.Env {
	t.Helper()
	env := stagetest.New(t)
	env.GiveSnapshot()
	env.GiveGraph(w)
	env.GiveNodes(w)
	env.GiveDistances(w, targets, 7)
	return env
}

// instances reads a split.
func instances(t *testing.T, env *stagetest.Env, split string) []schemas.WikiraceInstance {
	t.Helper()
	var out []schemas.WikiraceInstance
	for line := range bytes.Lines(env.Read(split + ".jsonl")) {
		var i schemas.WikiraceInstance
		if err := canon.Decode(line, canon.MaxLine, &i); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		out = append(out, i)
	}
	return out
}

func TestG9HasOnePairAtDistanceFive(t *testing.T) {
	p := params(split("far", 2, 5))
	p.Reuse = pairs.ReuseAny
	w := stagetest.ParseWiki(stagetest.G9)
	env := envOf(t, w, nil)
	env.MustRun(New(p))

	want := fmt.Sprintf(`{"distance":5,"features":`+featuresOfG9+`,"graph_sha256":"%s","id":"wr-far-0001","key":"testwiki:1000:1024","max_links":50,"max_steps":30,`+
		`"recipe_sha256":"%s","schema":"wikirace.instance/1","seed":42,"source":{"node":0,"page_id":1000,"title":"A"},"split":"far",`+
		`"target":{"node":8,"page_id":1024,"title":"T"},"witness":[0,1,4,6,7,8]}`+"\n", graphDigest(t, env), recipe)
	if got := string(env.Read("far.jsonl")); got != want {
		t.Errorf("far.jsonl\n got %s want %s", got, want)
	}
	var report []schemas.Quota
	if err := canon.Decode(env.Read(schemas.QuotasFile), canon.MaxManifest, &report); err != nil {
		t.Fatal(err)
	}
	want = fmt.Sprintf(`[{"counts":{"attempts":%d,"eligible_pairs":0,"eligible_pairs_reuse_any":1,"matching_bound":1,"sources_tried":9},"distance":5,"got":1,`+
		`"mode":"exhaustive","of":"far","requested":2,"status":"short","why":"no other pair passes the filters and the reuse rule"}]`, report[0].Counts["attempts"])
	if got := string(env.Read(schemas.QuotasFile)); got != want {
		t.Errorf("quotas.json\n got %s want %s", got, want)
	}
	if c := env.Counters; c["attempts"] != report[0].Counts["attempts"] || c["attempts"] <= 1000 ||
		c["attempts"] != c["rejected_empty_layer"]+c["rejected_reuse"]+1 || c["accepted_far"] != 1 {
		t.Errorf("counters %v with %d attempts", c, report[0].Counts["attempts"])
	}
}

// featuresOfG9 are those of the worked example (5.7).
const featuresOfG9 = `{"bottlenecks":[6,7],"cut_dag":[0,8],"cut_gain":"0","cut_source":false,"dag_layers":[3,2,1,1],"dominators":[6,7],` +
	`"greedy_in":{"steps":6,"success":true},"greedy_out":{"steps":5,"success":true},"menu_size":3,"n_shortest_paths":4,"n_shortest_saturated":false,` +
	`"opt_first":3,"opt_first_menu":3,"out_degree":3,"random_keeps_opt":"1.00000e+00","rw_full":"8.46251e-01","rw_interval":null,"rw_menu":"8.46251e-01","rw_method":"exact",` +
	`"source_in_degree":3,"target_in_degree":1,"target_in_max_out":2,"target_out_degree":2}`

func graphDigest(t *testing.T, env *stagetest.Env) string {
	t.Helper()
	files, err := env.Input(schemas.Graph)
	if err != nil {
		t.Fatal(err)
	}
	return files[0].Digest.SHA256
}

// sample is a wiki with flags and titles to filter by, and targets that are not every page.
func sample() (stagetest.Wiki, []uint32) {
	w := stagetest.NewWiki(graphtest.WikiLike(400, 5, 9))
	var targets []uint32
	for u := range w.Flags {
		switch {
		case u%5 == 0:
			w.Flags[u] = schemas.FlagDisambiguation
		case u%7 == 0:
			w.Flags[u] = schemas.FlagList
		case u%11 == 0:
			w.Titles[u] = fmt.Sprintf("Topic: %d", u)
		}
		if u%3 > 0 {
			targets = append(targets, uint32(u))
		}
	}
	return w, targets
}

func TestInstancesPassTheFiltersAndAreWhatTheySay(t *testing.T) {
	w, targets := sample()
	p := params(split("near", 30, 2, 3), split("far", 21, 4, 5))
	p.ExcludeFlags, p.ExcludeTitleRE = schemas.FlagDisambiguation, "^Topic:"
	p.SourceMinOut, p.TargetMinIn = 3, 2
	seed := int64(7)
	p.GameSeed = &seed
	env := envOf(t, w, targets)
	env.MustRun(New(p))

	dist := graphtest.Distances(w.Succ)
	inDegree := make([]int, 400)
	for _, v := range w.Succ.Values {
		inDegree[v]++
	}
	sources, ends := map[uint32]bool{}, map[uint32]bool{}
	for _, s := range p.Splits {
		got := instances(t, env, s.Name)
		if len(got) != s.Size {
			t.Errorf("split %s has %d instances, want %d", s.Name, len(got), s.Size)
		}
		for i, x := range got {
			a, b := x.Source.Node, x.Target.Node
			wantDistance := s.Distances[0]
			if i >= s.Size/2 {
				wantDistance = s.Distances[1]
			}
			if x.ID != fmt.Sprintf("wr-%s-%04d", s.Name, i+1) || x.Distance != wantDistance || dist[a][b] != wantDistance || x.Seed != 7 {
				t.Errorf("instance %d of %s: %+v, want distance %d, have %d", i, s.Name, x, wantDistance, dist[a][b])
			}
			for _, u := range []uint32{a, b} {
				if w.Flags[u]&schemas.FlagDisambiguation != 0 || strings.HasPrefix(w.Titles[u], "Topic:") {
					t.Errorf("%s: page %q with flags %d is excluded", x.ID, w.Titles[u], w.Flags[u])
				}
			}
			if w.Succ.Degree(a) < 3 || inDegree[b] < 2 || !slices.Contains(targets, b) {
				t.Errorf("%s: out-degree %d, in-degree %d, target %v", x.ID, w.Succ.Degree(a), inDegree[b], slices.Contains(targets, b))
			}
			if sources[a] || ends[b] {
				t.Errorf("%s: source or target was there before", x.ID)
			}
			sources[a], ends[b] = true, true
			if want := smallestPath(w, dist, a, b); !slices.Equal(x.Witness, want) {
				t.Errorf("%s: witness %v, want %v", x.ID, x.Witness, want)
			}
		}
	}
	if c := env.Counters; c["sources"] == 400 || c["targets"] >= int64(len(targets)) {
		t.Errorf("the filters kept everything: %v", c)
	}
}

// smallestPath walks from a to b by the smallest node that is nearer, by the matrix.
func smallestPath(w stagetest.Wiki, dist [][]int, a, b uint32) []uint32 {
	path := []uint32{a}
	for a != b {
		for v := range uint32(len(dist)) {
			if slices.Contains(w.Succ.Row(a), v) && dist[v][b] == dist[a][b]-1 {
				a = v
				break
			}
		}
		path = append(path, a)
	}
	return path
}

func TestWorkersDoNotMatter(t *testing.T) {
	w, targets := sample()
	env := envOf(t, w, targets)
	p := params(split("near", 40, 2, 3), split("far", 40, 6, 7))
	var first map[string]stagetest.Output
	for _, workers := range []int{1, 2, 8} {
		env.NumWorkers = workers
		env.MustRun(New(p))
		if first == nil {
			first = env.Outputs
		}
		if !maps.Equal(env.Outputs, first) {
			t.Errorf("%d workers: outputs %v, want %v", workers, env.Outputs, first)
		}
	}
}

func TestAShortageIsNeverMadeUpWithTheOtherDistance(t *testing.T) {
	env := envOf(t, stagetest.ParseWiki(stagetest.G9), nil)
	p := params(split("mixed", 8, 1, 5))
	p.Reuse = pairs.ReuseAny
	env.MustRun(New(p))
	got := instances(t, env, "mixed")
	if len(got) != 5 || got[4].Distance != 5 || got[4].ID != "wr-mixed-0005" || env.Outputs["mixed.jsonl"].Rows != 5 {
		t.Errorf("%d instances, the last %+v", len(got), got[len(got)-1])
	}
}

func TestOnShortageFailNamesWhatIsShortAndWritesNothing(t *testing.T) {
	env := envOf(t, stagetest.ParseWiki(stagetest.G9), nil)
	p := params(split("near", 2, 1, 2), split("far", 6, 4, 5, 9))
	p.OnShortage = pairs.OnShortageFail
	err := env.Run(t.Context(), New(p))
	if !errors.Is(err, fault.Shortage) || fault.Code(err) != 15 {
		t.Fatalf("got %v, want a shortage", err)
	}
	for _, says := range []string{"far got 1 of 2 at distance 5", "far got 0 of 2 at distance 9", "reuse=any"} {
		if !strings.Contains(err.Error(), says) {
			t.Errorf("%v does not say %q", err, says)
		}
	}
	if len(env.Outputs) > 0 {
		t.Errorf("files were written: %v", env.OutputNames())
	}
}

func TestTheStageKeepsTheContract(t *testing.T) {
	w, targets := sample()
	stagetest.Run(t, New(params(split("near", 10, 2, 3), split("far", 10, 9, 12))), envOf(t, w, targets))
}

func TestInputsThatDoNotBelongTogetherAreRefused(t *testing.T) {
	w := stagetest.ParseWiki(stagetest.G9)
	other := stagetest.ParseWiki("A->B,C,D  B->C,E  C->A,E,F  D->B,F  E->G  F->G  G->A,H  H->G,T  T->A")
	for name, spoil := range map[string]func(*stagetest.Env){
		"nodes of another graph":     func(e *stagetest.Env) { e.GiveNodes(stagetest.ParseWiki("A->B  B->A")) },
		"distances of another graph": func(e *stagetest.Env) { e.GiveGraph(other); e.GiveNodes(other) },
		"a snapshot that is none":    func(e *stagetest.Env) { e.GiveBytes(schemas.SnapshotArtifact, "snapshot.json", []byte("{}{}")) },
	} {
		env := envOf(t, w, nil)
		spoil(env)
		if err := env.Run(t.Context(), New(params(split("near", 2, 1, 2)))); !errors.Is(err, fault.Mismatch) {
			t.Errorf("%s: got %v, want a mismatch", name, err)
		}
	}
}

func TestParamsThatMeanNothingAreRefused(t *testing.T) {
	for says, change := range map[string]func(*Params){
		"sample":                        func(p *Params) { p.Sample = "both" },
		"reuse":                         func(p *Params) { p.Reuse = "" },
		"on_shortage":                   func(p *Params) { p.OnShortage = "ignore" },
		"exclude_title_re":              func(p *Params) { p.ExcludeTitleRE = "(" },
		"recipe_sha256":                 func(p *Params) { p.RecipeSHA256 = "" },
		"max_attempts":                  func(p *Params) { p.MaxAttempts = -1 },
		"seed":                          func(p *Params) { p.Seed = 1 << 53 },
		"split name":                    func(p *Params) { p.Splits[0].Name = "../x" },
		"a split called all":            func(p *Params) { p.Splits[0].Name = "all" },
		"is taken":                      func(p *Params) { p.Splits = append(p.Splits, p.Splits[0]) },
		"size 0":                        func(p *Params) { p.Splits[0].Size = 0 },
		"do not ascend":                 func(p *Params) { p.Splits[0].Distances = []int{4, 3} },
		"within 1..253":                 func(p *Params) { p.Splits[0].Distances = []int{0, 3} },
		"0 distances":                   func(p *Params) { p.Splits[0].Distances = nil },
		"easy is always 200":            func(p *Params) { p.Splits[0] = split("easy", 20, 3, 4) },
		"hard is always 100":            func(p *Params) { p.Splits[0] = split("hard", 100, 6, 7) },
		"game_seed is 9007199254740992": func(p *Params) { seed := int64(1 << 53); p.GameSeed = &seed },
	} {
		p := params(split("tiny", 4, 2, 3))
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		change(&p)
		if err := p.Validate(); !errors.Is(err, fault.Usage) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got %v", says, err)
		}
	}
	p := Default()
	p.RecipeSHA256 = recipe
	if err := p.Validate(); err != nil {
		t.Errorf("the published splits: %v", err)
	}
}

func TestAnUnsaidGameSeedIsTheRootSeedInTheKey(t *testing.T) {
	p := params(split("tiny", 4, 2, 3))
	seed := p.Seed
	unsaid := canon.MustMarshal(New(p).Spec().Params)
	p.GameSeed = &seed
	if said := canon.MustMarshal(New(p).Spec().Params); !bytes.Equal(said, unsaid) {
		t.Errorf("params %s, want %s", said, unsaid)
	}
}
