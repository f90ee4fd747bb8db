package mango

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/mango/maze"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages/mango/skeleton"
)

// shared gives the folder of the published mazes, or skips the test.
func shared(t testing.TB) string {
	t.Helper()
	root := os.Getenv("WIKINAV_SHARED")
	for dir := ".."; root == "" && len(dir) < 40; dir = filepath.Join("..", dir) {
		if _, err := os.Stat(filepath.Join(dir, "shared", "data")); err == nil {
			root = filepath.Join(dir, "shared")
		}
	}
	folder := filepath.Join(root, "data", "mango")
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("no published mazes (set WIKINAV_SHARED to the folder that holds data/mango): %v", err)
	}
	return folder
}

type expectedCounts struct {
	AllToAll int    `json:"all2all_rows"`
	AllPairs int    `json:"all_pairs_rows"`
	DFIDs    string `json:"df_ids_sha256"`
	RFIDs    string `json:"rf_ids_sha256"`
}

// What an outsider can count in the files that import writes, in both data versions.
func TestImportedFilesHaveThePublishedCountsAndIDs(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(shared(t), "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Games map[string]map[string]json.RawMessage `json:"games"`
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	for _, format := range maze.Formats {
		out := t.TempDir()
		games, err := Import{Dir: filepath.Join(shared(t), format), Format: format, Out: out, Workers: 2}.Run(t.Context())
		if err != nil || len(games) != 5 {
			t.Fatalf("%s: %d games, %v", format, len(games), err)
		}
		for game, versions := range want.Games {
			var w expectedCounts
			if err := json.Unmarshal(versions[format], &w); err != nil {
				t.Fatal(err)
			}
			base := filepath.Join(out, game, game)
			var got expectedCounts
			got.AllToAll, got.DFIDs = idsOf(t, base+maze.DFFile)
			got.AllPairs, got.RFIDs = idsOf(t, base+maze.RFFile)
			if got != w {
				t.Errorf("%s %s: got %+v, want %+v", format, game, got, w)
			}
		}
	}
}

func idsOf(t *testing.T, path string) (rows int, sum string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for line := range bytes.Lines(data) {
		var r struct{ ID string }
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, r.ID+"\n")
	}
	slices.Sort(ids)
	hash := sha256.Sum256([]byte(strings.Join(ids, "")))
	return len(ids), hex.EncodeToString(hash[:])
}

const rowText = `{"src_node":"a","dst_node":"b","action":"go","seen_in_forward":3,"seen_in_reversed":9999,"edge_min_step":3,` +
	`"seen_in_forward_answerable":3,"seen_in_reversed_answerable":9999,"edge_min_step_answerable":3}`

// game writes a game of one edge and gives its folder.
func game(t *testing.T, walkthrough string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{"g.edges.json": "[" + rowText + "]", "g.walkthrough": walkthrough} {
		if text == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func TestAnotherFormatThanTheOneNamedIsRefused(t *testing.T) {
	_, err := Import{Dir: game(t, ""), Format: maze.V2023, Out: t.TempDir()}.Run(t.Context())
	if fault.KindOf(err) != fault.Malformed || !strings.Contains(err.Error(), "format is shipped, not v2023") {
		t.Errorf("got %v", err)
	}
	if _, err := (Import{Dir: game(t, ""), Format: "2024", Out: t.TempDir()}).Run(t.Context()); fault.KindOf(err) != fault.Usage {
		t.Errorf("no such format: %v", err)
	}
}

func TestAnImportedGameIsAskedAboutWithItsWalkthrough(t *testing.T) {
	walk := maze.NewWalkthrough([]maze.WalkStep{{Act: maze.Act0, Observation: "a"}, {Act: "wait", Observation: "a [1]"}, {Act: "look", Observation: "a"}, {Act: "go", Observation: "b"}, {Act: "end", Observation: "b"}})
	out := t.TempDir()
	games, err := Import{Dir: game(t, string(walk.Text)), Out: out}.Run(t.Context())
	if err != nil || *games[0].LastStep != 4 {
		t.Fatalf("%+v, %v", games, err)
	}
	copied, err := os.ReadFile(filepath.Join(out, "g", "g.walkthrough"))
	if err != nil || !bytes.Equal(copied, walk.Text) {
		t.Errorf("the walkthrough is %q, %v", copied, err)
	}
	asked := func(a Ask) (got []schemas.MangoQuestion, err error) {
		a.Rule = schemas.MangoRulePaper
		all := OpenAll(out, 0, func(m *Opened) error { got, err = m.Questions(a); return nil })
		if all != nil {
			t.Fatal(all)
		}
		return got, err
	}
	got, err := asked(Ask{Steps: 3})
	if err != nil || len(got) != 2 || got[0].Task != "df" || got[0].PrefixStep != 3 || got[0].Class != "easy" || got[1].Dst != "b" {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, part := range []string{"STEP NUM: 3\nACT: go\nOBSERVATION: b\n", `["go"]`, `["a", "b"]`, `Suppose that you are at "a"`, "location_before", "Start your answer with ["} {
		if !strings.Contains(got[0].Prompt, part) {
			t.Errorf("no %q in\n%s", part, got[0].Prompt)
		}
	}
	if strings.Contains(got[0].Prompt, "STEP NUM: 4") || strings.Contains(got[0].Prompt, maze.Separator) || strings.Contains(got[0].Prompt, "{{") {
		t.Errorf("the prompt shows too much:\n%s", got[0].Prompt)
	}
	if got, _ := asked(Ask{Steps: 2}); len(got) != 0 {
		t.Errorf("%d questions that two steps do not answer", len(got))
	}
	if got, _ := asked(Ask{Steps: 2, All: true}); len(got) != 3 || got[2].Class != schemas.MangoUnanswerable {
		t.Errorf("all questions: %+v", got)
	}
	if _, err := asked(Ask{Steps: 5}); fault.KindOf(err) != fault.Usage {
		t.Errorf("a step beyond the walk: %v", err)
	}
	if paper, _ := asked(Ask{Steps: 3, Style: "paper"}); !strings.Contains(paper[0].Prompt, `"prev_node"`) || paper[0].TemplateSHA256 == got[0].TemplateSHA256 {
		t.Error("the paper's keys are another template")
	}
}

func TestStepsOfTheTablesLeaveOutTheLast(t *testing.T) {
	walk := maze.NewWalkthrough([]maze.WalkStep{{Act: maze.Act0}, {Act: "go"}, {Act: "end"}})
	for text, want := range map[string]string{"": "g\t2\t1\t1.00\t-\t1\t0\t1\t0", string(walk.Text): "g\t2\t1\t1.00\t1\t1\t0\t1\t0"} {
		err := OpenAll(game(t, text), 0, func(m *Opened) error {
			if got := strings.Join(m.Stats(skeleton.Full, schemas.MangoRulePaper).Cells(), "\t"); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

func TestMeansAreRoundedToEvenOnTheExactValue(t *testing.T) {
	if got := (StatsRow{AvgLenPath: 1.875}).Cells()[3]; got != "1.88" {
		t.Errorf("got %s, want 1.88", got)
	}
	if got := (StatsRow{AvgLenPath: 2.125}).Cells()[3]; got != "2.12" {
		t.Errorf("got %s, want 2.12", got)
	}
}
