package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/aar"
	families "github.com/wikinav/wikinav/eval"
	"github.com/wikinav/wikinav/eval/aar/aartest"
	ep "github.com/wikinav/wikinav/eval/endpoint/endpointtest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/eval/verdict"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// everyFamily makes a little of every family out of an edge list.
const everyFamily = `
[graph]
name = "town"
version = 1
namespaces = [0]
link_source = "edges"
link_parts = ["body"]
redirects = "resolve"
redirect_hops = 1
dab = "keep"
lists = "keep"
dates = "keep"
self_loops = "drop-after"
title_filter = "any"
component = "largest-scc"
[wikirace]
splits = [{ name = "tiny", size = 8, distances = [3, 4] }]
[probe]
size = 3
[onestep]
splits = [{ name = "train", size = 6, distances = [2, 3] }]
overlap = "allow"
[constrained]
preset = "small"
n = 8
infeasible_keep = 4
source_min_out = 3
target_min_in = 4
baseline_min = 2
[mango]
mazes = 2
n = 15
min_steps = 18
max_steps = 40
df_max_len = 3
df_budget = 20
[lumina]
test = 2
dev = 1
list = ["k03", "k08d40"]
tree = ["n007", "n015r1", "n015c1"]
grid = ["n04", "n06"]
`

// wholeRelease builds a release of every family with the other program.
func wholeRelease(t *testing.T) string {
	t.Helper()
	w := newTown(t)
	return w.release("release", w.edges)
}

// town is what releases of every family are built from.
type town struct {
	t     *testing.T
	dir   string
	edges string // a link a line
}

func newTown(t *testing.T) town {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a release with the other program, which takes seconds")
	}
	dir, r := t.TempDir(), rng.New(5, "town")
	var edges, labels strings.Builder
	for u := range 150 {
		fmt.Fprintf(&edges, "P%03d\tP%03d\n", u, (u+1)%150)
		for range 1 + r.Below(9) {
			v := (u + 138 + r.Below(20)) % 150
			fmt.Fprintf(&edges, "P%03d\tP%03d\nP%03d\tP%03d\n", u, v, v, u)
		}
		if label := r.Below(8); label < 7 {
			fmt.Fprintf(&labels, "%d\t%s\n", u+1, schemas.LabelNames[label/5])
		}
	}
	w := town{t, dir, edges.String()}
	put(t, w.at("labels.tsv"), labels.String())
	put(t, w.at("town.toml"), everyFamily)
	w.run("go", "build", "-o", w.at("wikinav"), "../wikinav")
	return w
}

func (w town) at(name string) string { return filepath.Join(w.dir, name) }

func (w town) run(args ...string) {
	w.t.Helper()
	if text, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
		w.t.Fatalf("%v: %v\n%s", args[:2], err, text)
	}
}

// release builds a release of the town with these links, and returns its folder.
func (w town) release(name, edges string, flags ...string) string {
	w.t.Helper()
	put(w.t, w.at(name+".tsv"), edges)
	w.run(append([]string{
		w.at("wikinav"), "build", "--edges", w.at(name + ".tsv"), "--manual-labels", w.at("labels.tsv"),
		"--recipe", w.at("town.toml"), "--work", w.at(name + "-work"),
	}, flags...)...)
	w.run(w.at("wikinav"), "release", "--work", w.at(name+"-work"), "--out", w.at(name),
		"--licence", "CC0-1.0", "--allow-short")
	addRaces(w.t, w.at(name))
	return w.at(name)
}

// addRaces adds the legs of aartest and their world, which a build with page texts would make.
func addRaces(t *testing.T, dir string) {
	t.Helper()
	f := aartest.Folder(t).Files
	for _, name := range f.Names() {
		data, err := f.Read(name)
		must(t, err)
		addFile(t, dir, aar.Part.Folder()+"/"+name, string(data), nil)
	}
}

// anyone replies to a question of any family, well or not.
func anyone([]schemas.Message) string {
	return `{"next_page":"P001","reasoning":"near","restriction_reasoning":"it keeps to the rule"} <answer>0</answer> \boxed{yes}`
}

func TestEveryFamilyIsPlayedAtEveryTemper(t *testing.T) {
	rel := wholeRelease(t)
	for _, f := range families.All {
		t.Run(f.Name(), func(t *testing.T) {
			args := []string{"report", "--release", rel, "--family", f.Name(), "--partial", "--format", "json"}
			rules := map[string]bool{}
			for _, temper := range ep.Tempers() {
				out := filepath.Join(t.TempDir(), strings.ReplaceAll(temper.Name, " ", "-"))
				rules[playAtTemper(t, rel, out, f, temper).RulesSHA256] = true
				args = append(args, "--trajectories", out)
			}
			var r report.Report
			must(t, json.Unmarshal([]byte(eval(args...).want(t, 0).stdout), &r))
			if len(r.Groups) != len(rules) {
				t.Errorf("%d groups of %d rules", len(r.Groups), len(rules))
			}
			names := map[string]bool{}
			for _, g := range r.Groups {
				for _, row := range g.Splits[0].Rows {
					names[row.Run] = true
				}
			}
			if len(names) != len(ep.Tempers()) {
				t.Errorf("%d rows of %d tempers: %v", len(names), len(ep.Tempers()), names)
			}
		})
	}
}

// playAtTemper plays a few items, and holds what is recorded against what the endpoint takes.
func playAtTemper(t *testing.T, rel, out string, f family.Family, temper ep.Temper) *schemas.Run {
	t.Helper()
	e := &ep.Endpoint{Say: anyone, Temper: temper}
	script(t, e)
	args := modelArgs(rel, out, "--family", f.Name(), "--limit", "6", "--price-prompt", "2", "--price-cached", "1", "--price-output", "4", "--json")
	switch {
	case f.Name() == "constrained":
		args = append(args, "--option", "target_intro=0") // the release has no leads
	case f.Name() == "aar" && temper.Name == "no tools":
		args = append(args, "--tool-format", "text")
	}
	a := accountOf(t, eval(args...).want(t, 0))
	run, err := trace.ReadRun(out)
	must(t, err)
	if a.Games != 6 || len(a.Infra) != 0 || a.Usage.Cached > 0 != temper.Cached || a.Client.Failed != 0 {
		t.Errorf("%s: %+v", temper.Name, a)
	}
	checkPut(t, temper.Name, run, e.Books().Refused)
	s := worldScores(t, eval("score", "--release", rel, "--family", f.Name(), "--trajectories", out, "--partial", "--json").want(t, 0))
	served := map[string][]string{"a name that changes": {"scripted-1", "scripted-2"}, "tells nothing of itself": nil}
	want, ok := served[temper.Name]
	if !ok {
		want = []string{"scripted"}
	}
	if !slices.Equal(s.Served, want) || s.Rows[0].Has(judge.FlagServed) != (len(want) > 1) {
		t.Errorf("%s: served by %v, flags %v", temper.Name, s.Served, s.Rows[0].Flags)
	}
	if before := e.Books().Requests; eval(args...).want(t, 0).code == 0 && e.Books().Requests != before {
		t.Errorf("%s: a finished run asks again", temper.Name)
	}
	return run
}

// checkPut holds the rules of a run against the requests that its endpoint takes.
func checkPut(t *testing.T, temper string, run *schemas.Run, refused int) {
	t.Helper()
	put := schemas.Put{}
	if run.Rules.Request != nil {
		put = *run.Rules.Request
	}
	all := temper == "nothing but messages"
	if (all || temper == "no temperature") && run.Rules.Sampling.Temperature != nil {
		t.Errorf("%s: temperature %s", temper, *run.Rules.Sampling.Temperature)
	}
	if field := run.Model.MaxTokensField; (field == "max_completion_tokens") != (all || temper == "no max_tokens") {
		t.Errorf("%s: the field is %s", temper, field)
	}
	format := map[string]string{"no json_schema": schemas.FormatObject, "no response_format": schemas.FormatNone, "nothing but messages": schemas.FormatNone}[temper]
	if put.ResponseFormat != "" && (put.ResponseFormat != format || run.Rules.ResponseFormat != nil) {
		t.Errorf("%s: format %q, %v", temper, put.ResponseFormat, run.Rules.ResponseFormat)
	}
	if run.Rules.ResponseFormat != nil && format != "" {
		t.Errorf("%s: the rules have a schema that the endpoint does not take", temper)
	}
	if put.System != "" && !all && temper != "no system role" {
		t.Errorf("%s: system %q", temper, put.System)
	}
	changed := run.Rules.Request != nil || run.Model.MaxTokensField != "max_tokens" || run.Rules.Sampling.Temperature == nil
	if refused > 0 && !changed {
		t.Errorf("%s: %d requests were refused, and the record says nothing of it", temper, refused)
	}
}

func TestEveryTemperJudgesAndHasARowOfItsOwn(t *testing.T) {
	dir, _ := newBans(t)
	honest := reasoned(t, dir)
	rows, with := map[string]string{}, map[string]string{
		"reasoning in its own field": "reasoning apart", "nothing but reasoning": "reasoning and no text",
		"tool calls only": "flag tool_calls", "rate limits": "retries", "cached tokens": "cached tokens",
	}
	for _, temper := range ep.Tempers() {
		out := filepath.Join(t.TempDir(), "run")
		must(t, os.CopyFS(out, os.DirFS(honest)))
		script(t, &ep.Endpoint{Say: fair, Temper: temper})
		args := []string{"judge", "--release", dir, "--trajectories", out, "--judge-url", "https://judge.test/v1", "--judge-model", "m", "--json"}
		var r verdict.Report
		got := eval(args...)
		silent := temper.Name == "tool calls only" || temper.Name == "nothing but reasoning"
		if got.code != map[bool]int{false: 0, true: 1}[silent] || silent != strings.Contains(got.stderr, "no rate") {
			t.Errorf("%s: exit %d: %s", temper.Name, got.code, got.stderr)
		}
		must(t, json.Unmarshal([]byte(got.stdout), &r))
		seen := map[string]bool{}
		for _, x := range r.Rates {
			if x.Judge == "m" {
				seen[x.Asked] = true
			}
		}
		both := strings.Count(strings.Join(slices.Collect(maps.Keys(seen)), ""), "served by") == 2
		if len(seen) != 1 || both != (temper.Name == "a name that changes") {
			t.Errorf("%s: rows %v", temper.Name, seen)
		}
		for asked := range seen {
			rows[asked] += temper.Name + "; "
			if _, came, _ := strings.Cut(asked, ", with "); came != with[temper.Name] {
				t.Errorf("%s: the row tells %q of its replies", temper.Name, came)
			}
		}
	}
	if want := len(ep.Tempers()) - 1; len(rows) != want { // a judge asks for no tools: nothing is refused for them
		t.Errorf("%d rows of %d tempers: %v", len(rows), want, rows)
	}
}

func TestAJudgeIsNotAskedOtherwiseThanTheUserSays(t *testing.T) {
	dir, _ := newBans(t)
	out := reasoned(t, dir)
	for flag, n := range map[string]int{"--judge-response-format json_schema": 2, "--judge-temperature 0": 3, `--judge-extra-body {"top_k":1}`: 6} {
		script(t, &ep.Endpoint{Say: fair, Temper: ep.Tempers()[n]})
		r := eval(append([]string{"judge", "--release", dir, "--trajectories", out, "--judge-url", "https://judge.test/v1", "--judge-model", "m"}, strings.Fields(flag)...)...).want(t, 2)
		if !strings.Contains(r.stderr, flag+": the endpoint does not take it") {
			t.Errorf("%s: %s", flag, r.stderr)
		}
	}
}

func TestAPlayerIsNotAskedOtherwiseThanTheUserSays(t *testing.T) {
	dir, _ := newBans(t)
	for flag, n := range map[string]int{
		"--response-format json_schema": 2, "--temperature 0.7": 3, "--max-tokens-field max_tokens": 5, `--extra-body {"top_k":1}`: 6,
	} {
		out := filepath.Join(t.TempDir(), "run")
		script(t, &ep.Endpoint{Say: anyone, Temper: ep.Tempers()[n]})
		r := eval(modelArgs(dir, out, append(strings.Fields("--family constrained --option target_intro=0"), strings.Fields(flag)...)...)...).want(t, 2)
		if !strings.Contains(r.stderr, flag+": the endpoint does not take it") || trace.HasRun(out) {
			t.Errorf("%s: %s", flag, r.stderr)
		}
	}
	script(t, &ep.Endpoint{Say: anyone})
	out := filepath.Join(t.TempDir(), "run")
	eval(modelArgs(dir, out, "--family", "constrained", "--option", "target_intro=0", "--limit", "1", "--extra-body", `{"top_k":1}`, "--response-format", "none")...).want(t, 0)
	run, err := trace.ReadRun(out)
	if err != nil || run.Rules.ResponseFormat != nil || string(run.Rules.Request.ExtraBody) != `{"top_k":1}` || run.Rules.Request.ResponseFormat != schemas.FormatNone {
		t.Errorf("%v, %+v", err, run.Rules)
	}
	r := eval(modelArgs(dir, out+"2", "--response-format", "json_schema")...).want(t, 2)
	if !strings.Contains(r.stderr, "--response-format json_schema: family wikirace asks for replies of no form") {
		t.Error(r.stderr)
	}
}
