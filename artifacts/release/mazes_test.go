package release_test

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	. "github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/artifacts/release/releasetest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/lumina"
	"github.com/wikinav/wikinav/stages/mango"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// ran returns the files that a stage wrote, as a part.
func ran(t *testing.T, s stages.Stage, env *stagetest.Env) Built {
	t.Helper()
	env.MustRun(s)
	name := s.Spec().Name
	f := releasetest.NewFolder(t)
	for _, file := range env.OutputNames() {
		f.Write(file, func(w io.Writer) (arrowio.Summary, error) {
			_, err := w.Write(env.Read(file))
			out := env.Outputs[file]
			return arrowio.Summary{Rows: out.Rows, Logical: out.Logical}, err
		})
	}
	for _, p := range artifacts.All {
		if p.Source().Name == name {
			return Built{Part: p, Files: f.Files}
		}
	}
	t.Fatalf("no part %s", name)
	return Built{}
}

// maze is a maze of the stage, on the build's graph.
func (b *build) maze() Built {
	env := stagetest.New(b.t)
	w := stagetest.Wiki{Succ: b.succ, Flags: make([]uint16, b.succ.Nodes())}
	for u := range b.succ.Nodes() {
		w.Titles, w.PageIDs = append(w.Titles, titleOf(u)), append(w.PageIDs, pageID(u))
	}
	env.GiveGraph(w)
	env.GiveNodes(w)
	none := func(*arrowio.Writer) error { return nil }
	env.Give(schemas.Leads, "leads.arrow", stages.Rows(schemas.LeadsTable, arrowio.Options{}, none))
	env.Give(schemas.Aliases, "aliases.arrow", stages.Rows(schemas.AliasesTable, arrowio.Options{}, none))
	off := arrowio.Options{Metadata: map[string]string{schemas.KeyAnchors: schemas.AnchorsOff}}
	env.Give(schemas.Anchors, "anchors.arrow", stages.Rows(schemas.AnchorsTable, off, none))
	env.Give(schemas.Anchors, "further-anchors.arrow", stages.Rows(schemas.FurtherAnchorsTable, off, none))
	p := mango.Default()
	p.Mazes, p.N, p.MinSteps, p.MaxSteps, p.DFMaxLen, p.DFBudget, p.Observation = 2, 15, 18, 40, 3, 20, schemas.MangoObserveName
	return ran(b.t, mango.New(p), env)
}

// newMazes is a build with mazes and small worlds, and nothing else.
func newMazes(t *testing.T) *build {
	t.Helper()
	s := rng.New(7, "town")
	links := map[[2]uint32]bool{}
	const n = 60
	for u := range uint32(n) {
		links[[2]uint32{u, (u + 1) % n}] = true
		for range 4 {
			if v := uint32(s.Below(n)); v != u {
				links[[2]uint32{u, v}], links[[2]uint32{v, u}] = true, true
			}
		}
	}
	b := newBuildOn(t, graphtest.From(n, func(yield func(u, v uint32)) {
		for _, e := range slices.SortedFunc(maps.Keys(links), func(a, b [2]uint32) int { return slices.Compare(a[:], b[:]) }) {
			yield(e[0], e[1])
		}
	}))
	p := lumina.Default()
	p.Test, p.Dev, p.List, p.Tree, p.Grid = 2, 1, []string{"k03"}, []string{"n007"}, []string{"n04"}
	b.in.More = []Built{b.maze(), ran(t, lumina.New(p), stagetest.New(t))}
	return b
}

func TestMazesAndWorldsAreReleased(t *testing.T) {
	dir := newMazes(t).release(WriteOptions{})
	wantClean(t, dir, VerifyOptions{})
	card := tree(t, dir)["README.md"]
	for _, want := range []string{"mango/questions.parquet", "lumina/grid-test.parquet", "| mango | mazes | 2 | 2 |", "(lumina)", "`t_star`"} {
		if !strings.Contains(card, want) {
			t.Errorf("no %s in the card", want)
		}
	}
}

func TestShortMazesAreRefusedUnlessAllowed(t *testing.T) {
	b := newMazes(t)
	files := b.in.More[0].Files
	quotas, err := files.Quotas()
	must(t, err)
	f := releasetest.NewFolder(t)
	f.Quotas([]schemas.Quota{schemas.NewQuota("mazes", 3, 2, "maze-0002 after 9 attempts", quotas[0].Counts)})
	for _, name := range files.Names() {
		if name != schemas.QuotasFile {
			data, err := files.Read(name)
			must(t, err)
			f.Write(name, func(w io.Writer) (arrowio.Summary, error) {
				_, err := w.Write(data)
				return arrowio.Summary{Rows: files.Rows(name), Logical: files.Logical(name)}, err
			})
		}
	}
	f.Files.Params = files.Params
	b.in.More[0].Files = f.Files
	if _, err := b.writeTo(t.Context(), t.TempDir()+"/release", WriteOptions{}); !errors.Is(err, fault.Shortage) || !strings.Contains(err.Error(), "mango mazes 2/3") {
		t.Errorf("got %v", err)
	}
	if card := tree(t, b.release(WriteOptions{AllowShort: true}))["README.md"]; !strings.Contains(card, "**Short:** mango mazes 2/3") {
		t.Error("the card does not say that mazes are missing")
	}
}

// mazeMutations change one thing in mango/ or lumina/, with all digests in line.
func mazeMutations(t *testing.T, dir string) []mutation {
	const maze = "mango/maze-0000"
	of := func(name, path, old, new string) mutation {
		return mutation{"mazes: " + name, 2, path, func(t *testing.T, dir string) {
			replaceIn(t, dir, path, old, new)
			reseal(t, dir, nil)
		}}
	}
	found := func(m mutation, path string) mutation {
		m.path = path
		return m
	}
	var out []mutation
	for _, path := range []string{"mango/mazes.parquet", "mango/questions.parquet", maze + ".steps.jsonl", maze + ".df.arrow", "lumina/tree-dev.jsonl", "lumina/grid-test.parquet"} {
		out = append(out, mutation{"mazes: without " + path, 2, path, func(t *testing.T, dir string) {
			must(t, os.Remove(place(dir, path)))
			forget(t, dir, path)
		}})
	}
	for set, first := range map[string]string{"list-test": `"k":3`, "tree-test": `"arity":2`, "grid-test": `"hole_cost":`} {
		path := "lumina/" + set + ".jsonl"
		out = append(out, of("knob of "+set, path, first, first+"1"), of("seed of "+set, path, `"root":42`, `"root":43`),
			of("version of "+set, path, `"schema":"lumina.`, `"schema":"lumina.x`), of("turns of "+set, path, `"t_max":`, `"t_max":1`))
		out = append(out, mutation{"mazes: rows of " + set, 2, path, func(t *testing.T, dir string) {
			edit(t, dir, path, func(b []byte) []byte { return b[bytes.IndexByte(b, '\n')+1:] })
			reseal(t, dir, nil)
		}})
		out[len(out)-1].path = "lumina/" + schemas.QuotasFile
	}
	line := string(bytes.SplitAfter([]byte(tree(t, dir)["mango/mazes.jsonl"]), []byte("\n"))[0])
	return append(
		out,
		of("unknown field", "mango/mazes.jsonl", `{"attempt"`, `{"answer":1,"attempt"`),
		of("edges of a maze", "mango/mazes.jsonl", `"edges":`, `"edges":1`),
		of("paths of a maze", "mango/mazes.jsonl", `"df_rows":`, `"df_rows":1`),
		of("graph of a maze", "mango/mazes.jsonl", `"graph_sha256":"`, `"graph_sha256":"0`),
		found(of("pages behind all of the graph", "mango/mazes.jsonl", `"page_id":`, `"page_id":99`),
			maze+".maze.json"),
		of("a maze less", "mango/quotas.json", `"got":2`, `"got":1`),
		of("quota that is not met", "mango/quotas.json", `"requested":2`, `"requested":3`),
		of("record of a maze", maze+".maze.json", `"locations":15`, `"locations":16`),
		mutation{"mazes: a maze that comes twice", 2, "mango/mazes.jsonl", func(t *testing.T, dir string) {
			edit(t, dir, "mango/mazes.jsonl", func(b []byte) []byte { return append([]byte(line), b...) })
			reseal(t, dir, nil)
		}},
		of("a move that is no link", maze+".edges.json", `"dst_node": "Page `, `"dst_node": "Page 9`),
		of("step of a move", maze+".edges.json", `"seen_in_forward": 1,`, `"seen_in_forward": 2,`),
		of("smaller step of a move", maze+".edges.json", `"edge_min_step": `, `"edge_min_step": 1`),
		of("a move that is told twice", maze+".edges.json", `"dst_node": "`, `"dst_node": "x", "dst_node": "`),
		of("a word that no move has", maze+".edges.json", `"dst_node": "`, `"Dst_Node": "`),
		of("name of a place", maze+".locations.json", `"Page `, `"page `),
		of("a direction", maze+".actions.json", `"north"`, `"up"`),
		of("act of a step", maze+".steps.jsonl", `{"act":"`+"", `{"act":"x`),
		of("order of steps", maze+".steps.jsonl", `"step":3`, `"step":4`),
		found(of("an observation", maze+".steps.jsonl", `"observation":"`, `"observation":"Z`), maze+".walkthrough"),
		of("label of a path", maze+".all2all.jsonl", `"min_step_total": `, `"min_step_total": 1`),
		of("end of a path", maze+".all2all.jsonl", `"dst_node": "`, `"dst_node": "x`),
		of("moves of a path", maze+".all2all.jsonl", `"step_count": `, `"step_count": 1`),
		of("number of paths", maze+".all_pairs.jsonl", `"num_paths": `, `"num_paths": 1`),
		of("id of a skeleton", maze+".extra.jsonl", `"id":"`, `"id":"0`),
		of("class of a question", maze+".questions.jsonl.gz", `"class":"easy"`, `"class":"hard"`),
		of("moves of a question", maze+".questions.jsonl.gz", `"actions":["`, `"actions":["x`),
		of("id of a question", maze+".questions.jsonl.gz", `"question_id":"`, `"question_id":"0`),
		of("prefix of a question", maze+".questions.jsonl.gz", `"prefix_step":`, `"prefix_step":1`),
		found(of("words of a question", maze+".questions.jsonl.gz", `"prompt":"`, `"prompt":"Z`),
			"mango/questions.parquet"),
	)
}

func TestVerifyCatchesEveryMutationOfMazesAndWorlds(t *testing.T) {
	dir := newMazes(t).release(WriteOptions{})
	all := mazeMutations(t, dir)
	catchAll(t, dir, all)
}
