package wikirace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// listedPairs makes rows of pairs of nodes; a row of one node twice has the reason of such rows.
func listedPairs(pairs ...[2]uint32) (rows []schemas.ListedRow) {
	for i, p := range pairs {
		row := schemas.ListedRow{
			Schema: schemas.ListedRowSchema, Split: "lab", Line: int64(i + 1), Source: fmt.Sprint(p[0]), Target: fmt.Sprint(p[1]),
			Nodes: p[:],
		}
		if p[0] == p[1] {
			row.Reason = schemas.RowSame
		}
		rows = append(rows, row)
	}
	return rows
}

func giveListed(env *stagetest.Env, split string, rows []schemas.ListedRow) {
	env.Give(schemas.Listed, split+".jsonl", stages.JSONLines(rows))
}

func rowsOf(t *testing.T, env *stagetest.Env, split string) (said []string) {
	t.Helper()
	for line := range bytes.Lines(env.Read(split + ".rows")) {
		var r schemas.ListedRow
		if err := canon.Decode(line, canon.MaxLine, &r); err != nil {
			t.Fatal(err)
		}
		said = append(said, strings.TrimSpace(fmt.Sprint(r.Line, " ", r.Reason, " ", r.Instance)))
	}
	return said
}

// TestAListIsASplitWithAllOfItsPairs: in the order of the file, whatever filters and reuse rule
// say; what makes no instance is among the rows.
func TestAListIsASplitWithAllOfItsPairs(t *testing.T) {
	w := stagetest.ParseWiki("A->B,C,D  B->C,E  C->A,E,F  D->B,F  E->G  F->G  G->A,H  H->G,T  T->A,D  Z->A")
	w.Flags[0] = schemas.FlagDisambiguation
	env := envOf(t, w, nil)
	a, b, e, last, z := w.Node("A"), w.Node("B"), w.Node("E"), w.Node("T"), w.Node("Z")
	giveListed(env, "lab", listedPairs([2]uint32{a, last}, [2]uint32{b, last}, [2]uint32{a, last}, [2]uint32{a, a},
		[2]uint32{a, z}, [2]uint32{a, e}, [2]uint32{b, last}))
	p := params(split("near", 2, 1))
	p.ExcludeFlags = schemas.FlagDisambiguation
	env.MustRun(stages.Reading(New(p), schemas.Listed))

	var got []string
	for _, x := range instances(t, env, "lab") {
		got = append(got, fmt.Sprintf("%s %s>%s %d", x.ID, x.Source.Title, x.Target.Title, x.Distance))
	}
	if want := []string{"wr-lab-0001 A>T 5", "wr-lab-0002 B>T 4", "wr-lab-0003 A>E 2"}; !slices.Equal(got, want) {
		t.Errorf("instances %q, want %q", got, want)
	}
	if f := instances(t, env, "lab")[0].Features; f.RWFull != "8.46251e-01" || f.GreedyOut.Steps != 5 || len(f.Dominators) != 2 {
		t.Errorf("features of the worked example: %+v", f)
	}
	want := []string{
		"3 duplicate wr-lab-0001", "4 source_is_target", "5 unreachable_target", "7 duplicate wr-lab-0002",
	}
	if got := rowsOf(t, env, "lab"); !slices.Equal(got, want) {
		t.Errorf("rows %q, want %q", got, want)
	}
	if ids := string(env.Read("lab.ids")); ids != "wr-lab-0001\nwr-lab-0002\nwr-lab-0003\n" {
		t.Errorf("ids %q", ids)
	}
	if c := env.Counters; c["accepted_lab"] != 3 || c["listed_lab.duplicate"] != 2 || c["listed_lab.unreachable_target"] != 1 {
		t.Errorf("counters %v", c)
	}
	quotas := string(env.Read(schemas.QuotasFile))
	for _, d := range []int{2, 4, 5} {
		one := fmt.Sprintf(`{"counts":{},"distance":%d,"got":1,"mode":"listed","of":"lab",`+
			`"requested":1,"status":"ok","why":""}`, d)
		if !strings.Contains(quotas, one) {
			t.Errorf("no quota %s in %s", one, quotas)
		}
	}
}

// TestAListChangesNoDraw: neither its pairs nor its targets, which need a column of their own.
func TestAListChangesNoDraw(t *testing.T) {
	w, targets := sample()
	p := params(split("near", 30, 2, 3), split("far", 21, 4, 5))
	without := envOf(t, w, targets)
	without.MustRun(New(p))

	with := stagetest.New(t)
	with.GiveSnapshot()
	with.GiveGraph(w)
	with.GiveNodes(w)
	var lists [][2]uint32
	for u := range uint32(400) { // pairs that are drawn, and targets that are not in the set
		lists = append(lists, [2]uint32{u, (u + 7) % 400})
	}
	for _, x := range instances(t, without, "near") {
		lists = append(lists, [2]uint32{x.Source.Node, x.Target.Node})
	}
	reasons := slices.Repeat([]uint8{schemas.ReasonListed}, 400)
	for _, u := range targets {
		reasons[u] |= schemas.ReasonNamed
	}
	with.GiveDistancesFor(w, reasons, 7)
	giveListed(with, "lab", listedPairs(lists...))
	with.MustRun(stages.Reading(New(p), schemas.Listed))
	for _, name := range []string{"near.jsonl", "near.parquet", "far.jsonl", "far.ids"} {
		if !bytes.Equal(with.Read(name), without.Read(name)) {
			t.Errorf("%s is another because pairs are listed", name)
		}
	}
	if n := len(instances(t, with, "lab")); n < 300 {
		t.Errorf("%d listed pairs", n)
	}
}

// TestIDsOfFiveDigitsStayInOrder: a file of many pairs counts on, and files keep the order of ids.
func TestIDsOfFiveDigitsStayInOrder(t *testing.T) {
	one := made{split: "lab", instances: []schemas.WikiraceInstance{}}
	for k := range 10_002 {
		one.instances = append(one.instances, schemas.WikiraceInstance{ID: idOf("lab", k), Features: schemas.WikiraceFeatures{
			CutDAG: []uint32{0, 0}, CutGain: "0", RandomKeepsOpt: "0", RWFull: "0", RWMenu: "0",
		}})
	}
	env := stagetest.New(t)
	env.MustRun(stages.Make(stages.Spec{Name: name, Version: 1, Outputs: []schemas.Artifact{schemas.Wikirace}},
		func(ctx context.Context, env *stages.Run) error { return one.write(ctx, env) }))
	ids := strings.Fields(string(env.Read("lab.ids")))
	if len(ids) != 10_002 || !slices.IsSorted(ids) || ids[len(ids)-1] != "wr-lab-9999" || !slices.Contains(ids, "wr-lab-10002") {
		t.Errorf("%d ids, the last %s", len(ids), ids[len(ids)-1])
	}
}

func TestAListWithoutAGameOrWithATakenNameIsRefused(t *testing.T) {
	w := stagetest.ParseWiki("A->B  B->A  Z->A")
	env := envOf(t, w, nil)
	giveListed(env, "lab", listedPairs([2]uint32{w.Node("A"), w.Node("Z")}))
	err := env.Run(t.Context(), stages.Reading(New(params(split("near", 2, 1))), schemas.Listed))
	if !errors.Is(err, fault.Malformed) || !strings.Contains(err.Error(), "unreachable_target") {
		t.Errorf("got %v", err)
	}
	for _, name := range []string{"near", "easy", "hard", "all", "Lab", "a-b", ""} {
		if err := params(split("near", 2, 1)).CheckListed(name); !errors.Is(err, fault.Usage) {
			t.Errorf("%q: got %v", name, err)
		}
	}
	if err := params(split("near", 2, 1)).CheckListed("lab_2"); err != nil {
		t.Error(err)
	}
}

func TestWorkersDoNotMatterToLists(t *testing.T) {
	env := envOf(t, stagetest.NewWiki(graphtest.WikiLike(60, 4, 3)), nil)
	var lists [][2]uint32
	for u := range uint32(60) {
		lists = append(lists, [2]uint32{u, (u*u + 7) % 60})
	}
	giveListed(env, "lab", listedPairs(lists...))
	var first map[string]stagetest.Output
	for _, workers := range []int{1, 8} {
		env.NumWorkers = workers
		env.MustRun(stages.Reading(New(params(split("near", 4, 1, 2))), schemas.Listed))
		if first == nil {
			first = env.Outputs
		}
		if !maps.Equal(env.Outputs, first) {
			t.Errorf("%d workers: outputs %v, want %v", workers, env.Outputs, first)
		}
	}
}
