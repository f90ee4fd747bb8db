package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const mangoRow = `{"src_node":"a","dst_node":"b","action":"go","seen_in_forward":3,"seen_in_reversed":9999,"edge_min_step":3,` +
	`"seen_in_forward_answerable":3,"seen_in_reversed_answerable":9999,"edge_min_step_answerable":3}`

const mangoWalk = "===========\n==>STEP NUM: 0\n==>ACT: Init\n==>OBSERVATION: a\n\n===========\n" +
	"==>STEP NUM: 1\n==>ACT: wait\n==>OBSERVATION: a\n\n===========\n==>STEP NUM: 2\n==>ACT: wait\n==>OBSERVATION: a\n\n===========\n" +
	"==>STEP NUM: 3\n==>ACT: go\n==>OBSERVATION: b\n\n===========\n"

// call runs the program.
func call(args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = run(args, strings.NewReader(""), &out, &err)
	return code, out.String(), err.String()
}

func TestMangoImportsCountsAndAsks(t *testing.T) {
	in, out := t.TempDir(), filepath.Join(t.TempDir(), "mazes")
	for name, text := range map[string]string{"g.edges.json": "[" + mangoRow + "]", "g.walkthrough": mangoWalk} {
		if err := os.WriteFile(filepath.Join(in, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if code, text, errs := call("mango", "import", in, "--format", "shipped", "--out", out); code != 0 || text != "imported 1 mazes: 1 DF skeletons, 2 RF pairs\n" {
		t.Fatalf("import: %d, %q, %q", code, text, errs)
	}
	for _, suffix := range []string{".edges.json", ".locations.json", ".actions.json", ".all2all.jsonl", ".all_pairs.jsonl", ".walkthrough", ".extra.jsonl"} {
		if _, err := os.Stat(filepath.Join(out, "g", "g"+suffix)); err != nil {
			t.Error(err)
		}
	}
	want := "maze\tlocs\tedges\tavg_len_path\tsteps\tdf_easy\tdf_hard\trf_easy\trf_hard\n" +
		"g\t0\t0\t0.00\t2\t0\t0\t0\t0\ng\t2\t1\t1.00\t2\t1\t0\t1\t0\ntotal\t0\t0\t0.00\t2\t0\t0\t0\t0\ntotal\t2\t1\t1.00\t-\t1\t0\t1\t0\n"
	if code, text, errs := call("mango", "stats", out, "--steps", "2,full"); code != 0 || text != want {
		t.Errorf("stats: %d, %q, %q", code, text, errs)
	}
	_, text, _ := call("mango", "stats", out, "--json")
	var stats struct {
		Rows []struct {
			AvgLenPath float64 `json:"avg_len_path"`
			Steps      *int    `json:"steps"`
		}
	}
	if err := json.Unmarshal([]byte(text), &stats); err != nil || len(stats.Rows) != 1 || stats.Rows[0].AvgLenPath != 1 || *stats.Rows[0].Steps != 2 {
		t.Errorf("stats --json: %s, %v", text, err)
	}
	if code, text, _ := call("mango", "questions", out, "--steps", "3"); code != 0 || strings.Count(text, "\n") != 2 {
		t.Errorf("questions: %d, %q", code, text)
	}
}

func TestMangoSaysWhatIsWrongWithItsArguments(t *testing.T) {
	empty := t.TempDir()
	for want, args := range map[string][]string{
		"want --out DIR":          {"mango", "import", empty},
		"--format x":              {"mango", "import", empty, "--format", "x", "--out", empty},
		"--steps":                 {"mango", "stats", empty, "--steps", "9999"},
		"--rule":                  {"mango", "stats", empty, "--rule", "x"},
		"no maze here":            {"mango", "stats", empty},
		"--keys":                  {"mango", "questions", empty, "--keys", "x"},
		"unknown command \"fly\"": {"mango", "fly"},
	} {
		if code, _, errs := call(args...); code == 0 || !strings.Contains(errs, strings.Trim(want, "x ")) {
			t.Errorf("%v: %d, %s", args, code, errs)
		}
	}
}
