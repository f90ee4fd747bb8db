package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	mazes "github.com/wikinav/wikinav/stages/mango"
)

const mangoRow = `{"src_node":"a","dst_node":"b","action":"go","seen_in_forward":3,"seen_in_reversed":9999,"edge_min_step":3,` +
	`"seen_in_forward_answerable":3,"seen_in_reversed_answerable":9999,"edge_min_step_answerable":3}`

// mangoFolder imports a maze of one edge and gives its folder and the ids of its two answerable questions.
func mangoFolder(t *testing.T) (dir, df, rf string) {
	t.Helper()
	in := t.TempDir()
	dir = t.TempDir()
	writeText(t, filepath.Join(in, "g.edges.json"), "["+mangoRow+"]")
	if _, err := (mazes.Import{Dir: in, Out: dir}).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	id := func(name string) string {
		data, err := os.ReadFile(filepath.Join(dir, "g", name))
		if err != nil {
			t.Fatal(err)
		}
		line, _, _ := bytes.Cut(data, []byte("\n"))
		var row struct{ ID string }
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		return row.ID
	}
	return dir, id("g.all2all.jsonl"), id("g.all_pairs.jsonl")
}

func writeText(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func callEval(args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = run(args, strings.NewReader(""), &out, &err)
	return code, out.String(), err.String()
}

func TestMangoAnswersAreScored(t *testing.T) {
	dir, df, rf := mangoFolder(t)
	answers := filepath.Join(t.TempDir(), "answers.jsonl")
	writeText(t, answers, `{"model":"m","maze_id":"g","question_id":"`+df+`","task":"df","prefix_step":3,"response":"[{'prev_node': 'a', 'action': 'go', 'node': 'b'}]"}
{"model":"m","maze_id":"g","question_id":"`+rf+`","task":"rf","prefix_step":3,"response":"north"}
`)
	code, text, errs := callEval("score", "--family", "mango", "--folder", dir, "--trajectories", answers, "--json")
	var s family.Scores
	if err := json.Unmarshal([]byte(text), &s); code != 0 || err != nil {
		t.Fatalf("%d, %v, %s%s", code, err, text, errs)
	}
	won, ill := false, false
	for _, r := range s.Rows {
		won = won || r.Split == "df" && r.N == 1 && *r.Metrics["strict_all_micro"].Value == "1.00000e+00"
		ill = ill || r.Split == "rf" && *r.Metrics["ill_formed_rate"].Num == 1 && r.Metrics["strict_parsed_micro"].Value == nil && *r.Metrics["strict_all_micro"].Value == "0"
	}
	if !won || !ill {
		t.Errorf("won %v, ill-formed %v: %s", won, ill, text)
	}
	if code, text, _ := callEval("score", "--wide", "--family", "mango", "--folder", dir, "--trajectories", answers); code != 0 || !strings.Contains(text, "df     easy   3       1  0        0      1.0000 [0.2065, 1.0000]") {
		t.Errorf("table: %d\n%s", code, text)
	}
}

func TestMangoSamplesOfTheReleasedLayoutAreScoredAndStrayFilesNamed(t *testing.T) {
	dir, df, _ := mangoFolder(t)
	samples := t.TempDir()
	writeText(t, filepath.Join(samples, "1.json"), `{"sample_id":"`+df+`","game_name":"g","src_node":"a","dst_node":"b","model_cutoff_num":3,"action_list":["go"],"response":"[]"}`)
	writeText(t, filepath.Join(samples, "notes.txt"), "hello")
	code, text, errs := callEval("score", "--family", "mango", "--folder", dir, "--trajectories", samples, "--json")
	if code != 0 || !strings.Contains(text, `"notes":["skipped, it holds no sample: notes.txt"]`) || !strings.Contains(text, `"outcomes":{"ill_formed":1}`) {
		t.Errorf("%d, %s, %s", code, text, errs)
	}
}

func TestMangoSaysWhatIsWrongWithItsArguments(t *testing.T) {
	dir, df, _ := mangoFolder(t)
	twice := filepath.Join(t.TempDir(), "twice.jsonl")
	line := `{"maze_id":"g","question_id":"` + df + `","task":"df","prefix_step":3,"response":"x"}` + "\n"
	writeText(t, twice, line+line)
	for want, args := range map[string][]string{
		"--trajectories is required":           {"--folder", dir},
		"or --folder":                          {"--trajectories", twice},
		"option rule has no value \"x\"":       {"--folder", dir, "--trajectories", twice, "--option", "rule=x"},
		"option moves has no value \"x\"":      {"--folder", dir, "--trajectories", twice, "--option", "moves=x"},
		"twice":                                {"--folder", dir, "--trajectories", twice},
		"there are no mazes":                   {"--folder", t.TempDir(), "--trajectories", twice},
		"option duplicates has no value \"x\"": {"--folder", dir, "--trajectories", twice, "--option", "duplicates=x"},
		"no such file":                         {"--folder", dir, "--trajectories", filepath.Join(dir, "none")},
	} {
		code, _, errs := callEval(append([]string{"score", "--family", "mango"}, args...)...)
		if code == 0 || !strings.Contains(errs, strings.TrimSuffix(want, " x")) {
			t.Errorf("%v: %d, %s", args, code, errs)
		}
	}
}
