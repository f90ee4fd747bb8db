package catalog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/catalog"
	"github.com/wikinav/wikinav/artifacts/constrained"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/labels"
	"github.com/wikinav/wikinav/artifacts/wikirace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// sample is the worked graph with some flags.
func sample() stagetest.Wiki {
	w := stagetest.ParseWiki(stagetest.G9)
	w.Flags[2], w.Flags[5] = schemas.FlagList, schemas.FlagDate
	return w
}

// instance is a game on w.
func instance(w stagetest.Wiki, split string, number int, path ...string) schemas.WikiraceInstance {
	ref := func(title string) schemas.PageRef {
		u := w.Node(title)
		return schemas.PageRef{Node: u, PageID: w.PageIDs[u], Title: title}
	}
	in := schemas.WikiraceInstance{
		Schema: schemas.WikiraceInstanceSchema, ID: fmt.Sprintf("wr-%s-%04d", split, number), Split: split,
		Source: ref(path[0]), Target: ref(path[len(path)-1]), Distance: len(path) - 1,
	}
	in.Key = fmt.Sprintf("testwiki:%d:%d", in.Source.PageID, in.Target.PageID)
	for _, title := range path {
		in.Witness = append(in.Witness, w.Node(title))
	}
	in.Features = schemas.WikiraceFeatures{
		ShortestPaths: 1<<53 - 1, ShortestPathsSaturated: true, OptFirst: 1, OutDegree: 2, OptFirstMenu: 3, MenuSize: 4,
		SourceInDegree: 5, TargetInDegree: 6, TargetOutDegree: 7, TargetInMaxOut: 8, DAGLayers: []uint32{3, 1},
		Bottlenecks: []uint32{6}, Dominators: []uint32{}, CutSource: true, CutDAG: []uint32{9, 10}, CutGain: "0", RandomKeepsOpt: "1.00000e+00",
		RWFull: "8.46251e-01", RWMenu: "1.25000e-10", RWMethod: schemas.RWExact, GreedyIn: schemas.AgentResult{Success: true, Steps: 11}, GreedyOut: schemas.AgentResult{Steps: 30},
	}
	return in
}

// games of the sample, by split.
func games(w stagetest.Wiki) map[string][]schemas.WikiraceInstance {
	return map[string][]schemas.WikiraceInstance{
		"easy": {instance(w, "easy", 1, "A", "B", "E"), instance(w, "easy", 2, "C", "F", "G")},
		"hard": {instance(w, "hard", 1, "A", "B", "E", "G", "H", "T")},
		"none": nil,
	}
}

// bans are two instances under a ban: one with everything, one with what may be missing.
func bans(w stagetest.Wiki) []schemas.ConstrainedInstance {
	page := func(title string) schemas.PageRef {
		u := w.Node(title)
		return schemas.PageRef{Node: u, PageID: w.PageIDs[u], Title: title}
	}
	length := 7
	return []schemas.ConstrainedInstance{
		{
			Schema: schemas.ConstrainedInstanceSchema,
			ID:     "cw-0001", Key: "testwiki:1:2:Work", Source: page("A"), Target: page("T"), BannedCategory: "Work", UnlabelledRule: "allow",
			BanWitness: &schemas.BanWitness{PageRef: page("H"), InDegree: 1}, BaselineTitles: []string{}, ConstrainedTitles: []string{}, BaselinePath: []uint32{0, 8}, ConstrainedPath: []uint32{0, 1, 8},
			BaselineLength: 1, ConstrainedLength: 2, Detour: 3, Binding: "longer", BaselineClean: [2]uint64{4, 1<<53 - 1}, Unlabelled: 6,
			IfForbidden: &length, BannedShare: [2]int{8, 9}, BannedOnShortest: [2]int{10, 11}, FeasibleFirst: [2]int{12, 13},
			Compat: schemas.CompatSearch{Found: true, Iterations: 14, Length: &length},
		},
		{
			Schema: schemas.ConstrainedInstanceSchema, ID: "cw-0002", Source: page("A"), Target: page("B"),
			BannedCategory: "Place", UnlabelledRule: "forbid", BaselinePath: []uint32{1}, BaselineTitles: []string{},
			ConstrainedPath: []uint32{2}, ConstrainedTitles: []string{}, Binding: "none",
		},
	}
}

func envOf(t *testing.T, w stagetest.Wiki, games map[string][]schemas.WikiraceInstance) *stagetest.Env {
	t.Helper()
	env := stagetest.New(t)
	env.GiveNodes(w)
	masks := make([]uint32, len(w.Titles))
	masks[w.Node("B")], masks[w.Node("E")] = 1<<1|1<<21, 1<<16 // PersonAgent and Work, Place
	env.GiveLabels(w, masks)
	for split, instances := range games {
		var lines []byte
		for _, in := range instances {
			lines = append(append(lines, canon.MustMarshal(in)...), '\n')
		}
		env.GiveBytes(schemas.Wikirace, split+".jsonl", lines)
	}
	quotas := []schemas.Quota{}
	for _, split := range slices.Sorted(maps.Keys(games)) {
		quotas = append(quotas, schemas.NewQuota(split, len(games[split]), len(games[split]), "", nil))
	}
	env.GiveBytes(schemas.Wikirace, schemas.QuotasFile, canon.MustMarshal(quotas))
	var lines []byte
	for _, x := range bans(w) {
		lines = append(append(lines, canon.MustMarshal(x)...), '\n')
	}
	env.GiveBytes(schemas.Constrained, "instances.jsonl", lines)
	env.GiveBytes(schemas.Constrained, constrained.FunnelFile, canon.MustMarshal(schemas.ConstrainedFunnel{Schema: schemas.ConstrainedFunnelSchema, Params: []byte("{}")}))
	env.GiveBytes(schemas.Labels, labels.ReportFile, canon.MustMarshal(schemas.LabelReport{Schema: schemas.LabelReportSchema, Typed: 2}))
	return env
}

// open reads the catalogue of a run as a stranger does.
func open(t *testing.T, env *stagetest.Env) *sql.DB {
	t.Helper()
	file, err := env.Written("catalog.sqlite")
	if err != nil {
		t.Fatal(err)
	}
	db, err := catalog.Open(context.Background(), file.Path())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// ask gives each row of an answer as text.
func ask(t *testing.T, db *sql.DB, question string) []string {
	t.Helper()
	rows, err := db.Query(question)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for rows.Next() {
		values, into := make([]string, len(names)), make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		out = append(out, strings.Join(values, "|"))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func equal(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestTheRowsAreTheNodesAndTheInstances(t *testing.T) {
	w := sample()
	env := envOf(t, w, games(w))
	env.MustRun(New(wikirace.Part, constrained.Part, labels.Part))
	db, pred := open(t, env), graph.Transpose(w.Succ)
	var want []string
	for u := range uint32(len(w.Titles)) {
		want = append(want, fmt.Sprintf("%d|%d|%s|%d|%d|%d", u, w.PageIDs[u], w.Titles[u], w.Flags[u], pred.Degree(u), w.Succ.Degree(u)))
	}
	equal(t, "pages", ask(t, db, "SELECT * FROM pages"), want)
	equal(t, "instances", ask(t, db, "SELECT * FROM instances"), []string{
		"cw-0001|constrained||testwiki:1:2:Work|0|8|2|[0,1,8]",
		"cw-0002|constrained|||0|1|0|[2]",
		"wr-easy-0001|wikirace|easy|testwiki:1000:1012|0|4|2|[0,1,4]",
		"wr-easy-0002|wikirace|easy|testwiki:1006:1018|2|6|2|[2,5,6]",
		"wr-hard-0001|wikirace|hard|testwiki:1000:1024|0|8|5|[0,1,4,6,7,8]",
	})
	equal(t, "labels", ask(t, db, "SELECT * FROM labels"), []string{
		"1|2097154|PersonAgent|2|dbpedia|PersonAgent|0", "4|65536|Place|1|dbpedia|Place|0",
	})
	equal(t, "features", ask(t, db, `SELECT id, n_shortest_paths, n_shortest_saturated, opt_first, out_degree, opt_first_menu, menu_size,
		source_in_degree, target_in_degree, target_out_degree, target_in_max_out, dag_layers, bottlenecks, dominators, cut_source, cut_dag_cut, cut_dag_all, cut_gain,
		random_keeps_opt, rw_full, rw_menu, rw_method, greedy_in_success, greedy_in_steps, greedy_out_success, greedy_out_steps FROM wikirace WHERE id LIKE '%hard%'`), []string{
		"wr-hard-0001|9007199254740991|1|1|2|3|4|5|6|7|8|[3,1]|[6]|[]|1|9|10|0|1|0.846251|1.25e-10|exact|1|11|0|30",
	})
	equal(t, "features under bans", ask(t, db, `SELECT id, banned_category, unlabelled, has_ban_witness, coalesce(ban_witness_node, 'none'), baseline_length, constrained_length, detour,
		binding, baseline_path, baseline_paths_clean, baseline_paths_all, unlabelled_on_path, length_if_unlabelled_forbidden, successors_banned, successors_all, shortest_banned,
		shortest_all, first_moves_feasible, first_moves_optimal, compat_found, compat_iterations, compat_length FROM constrained`), []string{
		"cw-0001|Work|allow|1|7|1|2|3|longer|[0,8]|4|9007199254740991|6|7|8|9|10|11|12|13|1|14|7",
		"cw-0002|Place|forbid|0|none|0|0|0|none|[1]|0|0|0|-1|0|0|0|0|0|0|0|0|-1",
	})
	equal(t, "types of decimals", ask(t, db, "SELECT DISTINCT typeof(rw_full), typeof(rw_menu), typeof(cut_gain) FROM wikirace"), []string{"real|real|real"})
	if got := env.Counters; got["pages"] != 9 || got["labels"] != 2 || got["instances"] != 5 || got["wikirace"] != 3 || env.Outputs["catalog.sqlite"].Rows != 21 {
		t.Errorf("counters %v, %d rows; want 9 pages, 2 labels, 5 instances, 21 rows", got, env.Outputs["catalog.sqlite"].Rows)
	}
}

func TestAStrangersQuestionHasAnAnswer(t *testing.T) {
	w := sample()
	env := envOf(t, w, games(w))
	env.MustRun(New(wikirace.Part, constrained.Part, labels.Part))
	equal(t, "far games by title", ask(t, open(t, env), `
		SELECT i.id, s.title, t.title, i.distance, t.in_degree
		FROM instances i JOIN pages s ON s.node = i.source JOIN pages t ON t.node = i.target
		WHERE i.family = 'wikirace' AND (i.distance > 2 OR t.title = 'G') ORDER BY i.distance DESC`),
		[]string{"wr-hard-0001|A|T|5|1", "wr-easy-0002|C|G|2|3"})
	equal(t, "pages on several witnesses", ask(t, open(t, env), `
		SELECT p.title, count(*) FROM instances i, json_each(i.witness) w JOIN pages p ON p.node = w.value WHERE i.family = 'wikirace'
		GROUP BY p.title HAVING count(*) > 1 ORDER BY p.title`),
		[]string{"A|2", "B|2", "E|2", "G|2"})
}

func TestTheLogicalDigestFollowsTheRows(t *testing.T) {
	w := sample()
	logical := func(w stagetest.Wiki, games map[string][]schemas.WikiraceInstance) string {
		env := envOf(t, w, games)
		env.MustRun(New(wikirace.Part, constrained.Part, labels.Part))
		return env.Outputs["catalog.sqlite"].Logical
	}
	want := logical(w, games(w))
	if got := logical(w, games(w)); got != want {
		t.Errorf("the same rows: %s, then %s", want, got)
	}
	flagged, other := sample(), games(w)
	flagged.Flags[0] = schemas.FlagDate
	other["hard"][0].Distance = 6
	for what, got := range map[string]string{"a flag": logical(flagged, games(w)), "a distance": logical(w, other)} {
		if got == want || len(got) != 64 {
			t.Errorf("after a change of %s: got %s, before %s", what, got, want)
		}
	}
}

func TestTheStageKeepsTheContract(t *testing.T) {
	w := sample()
	stagetest.Run(t, New(wikirace.Part, constrained.Part, labels.Part), envOf(t, w, games(w)))
}

func TestDamagedInputsAreRefused(t *testing.T) {
	w := sample()
	line := string(canon.MustMarshal(instance(w, "easy", 1, "A", "B", "E"))) + "\n"
	for name, text := range map[string]string{
		"cut":           line[:len(line)/2],
		"another field": strings.Replace(line, `"id"`, `"extra":1,"id"`, 1),
		"the same id":   line + line,
		"no JSON":       "x\n",
		"an empty line": line + "\n",
	} {
		env := envOf(t, w, nil)
		env.GiveBytes(schemas.Wikirace, "easy.jsonl", []byte(text))
		if err := env.Run(context.Background(), New(wikirace.Part, constrained.Part, labels.Part)); err == nil || !strings.Contains(err.Error(), "easy.jsonl: line ") && !strings.Contains(err.Error(), "instances.id") {
			t.Errorf("%s: got %v, want an error with file and line, or with the column", name, err)
		}
		if len(env.Outputs) != 0 {
			t.Errorf("%s: wrote %v", name, env.OutputNames())
		}
	}
}

func TestAnInputThatChangedAfterItsReceiptIsRefused(t *testing.T) {
	for _, c := range []struct {
		artifact schemas.Artifact
		name     string
	}{
		{schemas.Nodes, "nodes.arrow"}, {schemas.Labels, "labels.arrow"}, {schemas.Wikirace, "easy.jsonl"}, {schemas.Constrained, "instances.jsonl"},
	} {
		w := sample()
		env := envOf(t, w, games(w))
		files, err := env.Input(c.artifact)
		if err != nil {
			t.Fatal(err)
		}
		flipBit(t, filepath.Join(files[0].Root.Name(), c.name))
		if err := env.Run(context.Background(), New(wikirace.Part, constrained.Part, labels.Part)); !errors.Is(err, fault.Mismatch) || len(env.Outputs) != 0 {
			t.Errorf("%s: got %v and files %v, want a mismatch and none", c.name, err, env.OutputNames())
		}
	}
}

func flipBit(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
