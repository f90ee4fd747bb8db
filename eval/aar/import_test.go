package aar

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/play"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// imported reads a file of a format into a run directory and opens it.
func imported(t *testing.T, s *Set, format, path, model string) (*trace.Log, *family.Imported, error) {
	t.Helper()
	list := Family{}.Imports()
	from := list[slices.IndexFunc(list, func(i family.Import) bool { return i.Format == format })]
	o, err := Family{}.Options(nil)
	if err != nil {
		t.Fatal(err)
	}
	im, err := from.Read(s, path, family.ImportRequest{Options: o, Model: model, Run: schemas.Run{
		ReleaseID: "id", ManifestSHA256: "manifest", Family: Family{}.Name(), Seed: 42,
	}})
	if err != nil {
		return nil, nil, err
	}
	dir := filepath.Join(t.TempDir(), "run")
	if err := play.WriteImport(dir, Family{}.Layout(), im); err != nil {
		t.Fatal(err)
	}
	if err := (Family{}).Layout().Check(dir); err != nil {
		t.Fatal(err)
	}
	log, err := trace.Open(dir, Family{}.Layout())
	return log, im, err
}

func put(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// reference is a file of the reference harness. The calls of the first run fetch two pages of four
// that the release has, and one that it lacks.
const reference = `{"summary": {"model": "m-1", "accuracy": 1.0}, "results": [
	{"task_id": "aar-linear-easy-001", "predicted_answer": 3, "expected": 3, "steps": 2, "tool_calls": [
		{"tool_name": "fetch_webpage", "arguments": {"url": "https://www.demo.invalid/wiki/Town/"}, "result_preview": "2,385 people"},
		{"tool_name": "fetch_webpage", "arguments": "{\"url\":\"/wiki/Mill\"}", "result_preview": "Error 404"},
		{"tool_name": "fetch_webpage", "arguments": {"url": "https://elsewhere.invalid/wiki/Tower"}, "result_preview": "56"},
		{"tool_name": "maps_geocode", "arguments": {"address": "town"}, "result_preview": {"location": {"lat": 1}}},
		{"tool_name": "maps_elevation", "arguments": {}, "result_preview": "893"}]},
	{"variant": "aar-linear", "level": "easy", "sample_id": "sample_002", "answer": null, "hit_step_limit": true, "steps": 12, "tool_calls": []},
	{"trail_id": "trail_none", "answer": "3", "tool_calls": []},
	{"task_id": "linear-easy-001", "answer": "the digit is 3", "tool_calls": null},
	{"task_id": "aar-dag-easy-001", "error": "endpoint", "answer": null},
	{"task_id": "aar-dag-easy-001", "model": "m-2", "answer": "3"}]}`

func TestResultsOfTheReferenceHarness(t *testing.T) {
	s := judged()
	path := put(t, filepath.Join(t.TempDir(), "results.json"), reference)
	if _, _, err := imported(t, s, "reference-results", path, ""); !errors.Is(err, fault.Usage) || !strings.Contains(err.Error(), "m-1, m-2") {
		t.Errorf("two models: %v", err)
	}
	log, im, err := imported(t, s, "reference-results", path, "m-1")
	if err != nil {
		t.Fatal(err)
	}
	r := im.Import.Rejected
	if im.Import.Rows != 6 || im.Import.Games != 3 || r[rejectInstance] != 1 || r[rejectModel] != 1 || r[family.RejectInfra] != 1 ||
		!im.Import.Unchecked || im.Run.Attempts != 2 || !slices.Equal(im.Run.Splits, []string{"linear-easy"}) {
		t.Errorf("got %+v, %+v", im.Import, im.Run)
	}
	scores, err := s.Score(log, family.Request{Partial: true})
	if err != nil {
		t.Fatal(err)
	}
	// The first leg has one right run of two; two pages of four in one run and none in the other.
	if got := triple(scores); got != "0.25/0.125/0.125" || value(scores, metricStepLimit) != "0.5" || !scores.Rows[0].Has(flagUnchecked) {
		t.Errorf("got %s, step limit %s, %v", got, value(scores, metricStepLimit), scores.Rows[0].Flags)
	}
	if value(scores, metricSteps) != "6.5" || scores.Rows[0].Outcomes[answerMalformed] != 1 {
		t.Errorf("got %s steps, %v", value(scores, metricSteps), scores.Rows[0].Outcomes)
	}
	if !strings.Contains(strings.Join(scores.Notes, " "), "upper bound of cheap successes") {
		t.Errorf("got notes %q", scores.Notes)
	}
	exact, err := s.Score(log, family.Request{Partial: true, Options: []string{"urls=exact"}})
	if err != nil || value(exact, metricPages) != "0" {
		t.Errorf("letter by letter: %s, %v", value(exact, metricPages), err)
	}
}

func TestLogsOfHarbor(t *testing.T) {
	s, dir := judged(), t.TempDir()
	line := func(tool, args, preview string) string {
		return `{"tool":"` + tool + `","args":` + args + `,"success":false,"result_preview":"` + preview + `","result_len":900,"ts":1.5,"url":null}` + "\n"
	}
	one := put(t, filepath.Join(dir, "aar-linear-easy-001__x7", "logs", harborLog),
		line("fetch_webpage", `{"url":"/wiki/Town"}`, "2385")+line("countries_population", `{"country":"Land"}`, "12345"))
	put(t, filepath.Join(dir, "aar-linear-easy-001__x7", "app", harborAnswer), "3\n")
	put(t, filepath.Join(dir, "linear-easy-002", harborLog), line("fetch_webpage", `{"url":"/wiki/Nothing"}`, ""))
	log, im, err := imported(t, s, "harbor-tool-log", dir, "agent")
	if err != nil {
		t.Fatal(err)
	}
	scores, err := s.Score(log, family.Request{Partial: true})
	if err != nil || im.Import.Games != 2 || triple(scores) != "0.5/0.125/0.25" || value(scores, metricIntermediate) != shown(1.0/7) {
		t.Errorf("got %s, %s, %+v, %v", triple(scores), value(scores, metricIntermediate), im.Import, err)
	}
	if value(scores, metricSteps) != "1.5" || *scores.Rows[0].Metrics[judge.MetricSuccess].Num != 1 {
		t.Errorf("steps are not the calls: %s", value(scores, metricSteps))
	}
	if _, im, err = imported(t, s, "harbor-tool-log", one, "agent"); err != nil || im.Import.Games != 1 {
		t.Errorf("one file: %+v, %v", im, err)
	}
}

func TestFilesThatAreNoForeignRunsAreRefused(t *testing.T) {
	s, dir := judged(), t.TempDir()
	for name, c := range map[string]struct {
		format, text string
		kind         *fault.Kind
	}{
		"no JSON":       {"reference-results", "x", fault.Malformed},
		"no results":    {"reference-results", `{"summary":{}}`, fault.Malformed},
		"a nameless":    {"reference-results", `{"results":[{"task_id":"a","tool_calls":[{}]}]}`, fault.Malformed},
		"no list":       {"reference-results", `{"results":[{"task_id":"a","tool_calls":5}]}`, fault.Malformed},
		"many steps":    {"reference-results", `{"results":[{"steps":99999999}]}`, fault.Malformed},
		"no model":      {"reference-results", `{"results":[]}`, fault.Usage},
		"no call":       {"harbor-tool-log", "{}\n", fault.Malformed},
		"no JSON lines": {"harbor-tool-log", "x\n", fault.Malformed},
	} {
		path := put(t, filepath.Join(dir, name, "f"), c.text)
		if _, _, err := imported(t, s, c.format, path, ""); !errors.Is(err, c.kind) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, format := range []string{"reference-results", "harbor-tool-log"} {
		if _, _, err := imported(t, s, format, filepath.Join(dir, "none"), "m"); !errors.Is(err, fault.NotFound) {
			t.Errorf("%s: no file: %v", format, err)
		}
	}
	if _, _, err := imported(t, s, "harbor-tool-log", t.TempDir(), "m"); !errors.Is(err, fault.NotFound) {
		t.Errorf("an empty folder: %v", err)
	}
}
