package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	ep "github.com/wikinav/wikinav/eval/endpoint/endpointtest"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/eval/verdict"
	"github.com/wikinav/wikinav/schemas"
)

// fair is a judge of one opinion for each pool.
func fair(m []schemas.Message) string {
	if strings.Contains(m[0].Content+m[len(m)-1].Content, `"reasoning_sound"`) {
		return `{"reasoning_sound":true,"error_type":"none","brief_explanation":"it says so"}`
	}
	return `{"is_self_contradictory":false,"contradiction_type":"other","brief_explanation":"vague"}`
}

func TestAnEndpointJudgesEachReasonOnce(t *testing.T) {
	dir, _ := newBans(t)
	out := reasoned(t, dir)
	e := &ep.Endpoint{Say: fair, Faults: func(_ string, seen int) ep.Fault { // the first time every question meets a limit
		if seen == 0 {
			return ep.RateSeconds
		}
		return ep.None
	}}
	script(t, e)
	args := []string{"judge", "--release", dir, "--trajectories", out, "--judge-url", "https://judge.test/v1", "--judge-model", "fair", "--json"}
	first, requests := "", 0
	for i := range 2 {
		r := eval(args...).want(t, 0)
		var report verdict.Report
		if err := json.Unmarshal([]byte(r.stdout), &report); err != nil {
			t.Fatal(err)
		}
		judged := 0
		for _, x := range report.Rates {
			if x.Judge != "fair" || x.Missing != 0 || x.Errors != 0 {
				t.Errorf("rates %+v", x)
			}
			judged += x.Judged
		}
		asked := judged - report.Pools[0].ByRule - report.Pools[1].ByRule
		b := e.Books()
		if b.Completions != asked || asked == 0 || b.Requests < asked+asked/2 { // moves that say the same are one question to a limit
			t.Errorf("time %d: %d completions of %d requests, want %d and about twice that", i+1, b.Completions, b.Requests, asked)
		}
		if first == "" {
			first, requests = r.stdout, b.Requests
		}
		if r.stdout != first || b.Requests != requests {
			t.Errorf("the second time there are %d requests, not %d, and it says:\n%s\nnot\n%s", b.Requests, requests, r.stdout, first)
		}
	}
	data, err := os.ReadFile(filepath.Join(out, verdict.RecordFile))
	if err != nil || strings.Contains(string(data), canary) {
		t.Errorf("the record holds the key, or is not there: %v", err)
	}
}

func TestAJudgeThatIsDownIsAnErrorInTheRecord(t *testing.T) {
	dir, _ := newBans(t)
	out := reasoned(t, dir)
	down := true
	e := &ep.Endpoint{Say: fair, Faults: func(string, int) ep.Fault {
		if down {
			return ep.SlowHead
		}
		return ep.None
	}}
	script(t, e)
	args := []string{"judge", "--release", dir, "--trajectories", out, "--judge-url", "https://judge.test/v1", "--judge-model", "fair", "--workers", "1"}
	r := eval(args...).want(t, 1) // after twenty questions without a reply
	if !strings.Contains(r.stderr, "20 questions in a row") {
		t.Errorf("got %q", r.stderr)
	}
	down = false
	r = eval(args...).want(t, 1)
	if !strings.Contains(r.stdout, "warning: fair") || !strings.Contains(r.stdout, "no rate: ") || !strings.Contains(r.stderr, "--min-coverage") {
		t.Errorf("no warning about the errors in\n%s%s", r.stdout, r.stderr)
	}
	eval(append(args, "--min-coverage", "1")...).want(t, 0)
	eval(append(args, "--min-coverage", "101")...).want(t, 2)
	if r = eval(append(args, "--retry-errors")...).want(t, 0); strings.Contains(r.stdout, "warning") {
		t.Errorf("errors are left in\n%s", r.stdout)
	}
	eval("judge", "--release", dir, "--trajectories", out, "--judge-url", "https://judge.test/v1").want(t, 2)
}

// listener keeps the body of the last request that passes.
type listener struct {
	http.RoundTripper
	last []byte
}

func (l *listener) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	l.last, r.Body = body, io.NopCloser(bytes.NewReader(body))
	return l.RoundTripper.RoundTrip(r)
}

func TestAJudgeIsAskedAsItsEndpointWantsIt(t *testing.T) {
	dir, _ := newBans(t)
	out := reasoned(t, dir)
	e := &ep.Endpoint{Say: fair}
	script(t, e)
	heard := &listener{RoundTripper: outside.Transport}
	outside.Transport = heard
	args := []string{
		"judge", "--release", dir, "--trajectories", out, "--judge-url", "https://judge.test/v1", "--judge-model", "fair",
		"--workers", "1", "--judge-temperature", "none", "--judge-max-tokens-field", "max_completion_tokens", "--judge-max-tokens", "77",
	}
	eval(args...).want(t, 0)
	var body map[string]any
	if err := json.Unmarshal(heard.last, &body); err != nil {
		t.Fatal(err)
	}
	if _, told := body["temperature"]; told || body["max_completion_tokens"] != 77.0 || body["max_tokens"] != nil {
		t.Errorf("asked %v", body)
	}
	record, err := os.ReadFile(filepath.Join(out, verdict.RecordFile))
	if err != nil || !strings.Contains(string(record), `"params":{"max_completion_tokens":"77","temperature":"none"}`) {
		t.Errorf("recorded %.300s, %v", record, err)
	}
	eval(append(args, "--judge-max-tokens-field", "tokens")...).want(t, 2)
}

func TestAFamilyWithoutReasonsHearsWhichHaveThem(t *testing.T) {
	dir, _ := newBans(t)
	out := filepath.Join(t.TempDir(), "run")
	eval("play", "--release", dir, "--family", "wikirace", "--player", "random", "--out", out).want(t, 0)
	r := eval("judge", "--release", dir, "--family", "wikirace", "--trajectories", out, "--judge", "none").want(t, 2)
	if !strings.Contains(r.stderr, "wikirace: this family has no reasons to judge (reasons to judge: constrained)") {
		t.Errorf("got %s", r.stderr)
	}
}

func TestTheSelfCheckIsPrintedAndNoGate(t *testing.T) {
	script(t, &ep.Endpoint{Say: fair})
	r := eval("judge", "check", "--judge-url", "https://judge.test/v1", "--judge-model", "fair").want(t, 0)
	if !strings.Contains(r.stdout, "10/40 as expected, 7 of them of the expected type; 0 errors") { // 5 sound ones, 5 that do not contradict, 2 of these other
		t.Errorf("got\n%s", r.stdout)
	}
}

// A model behind an endpoint plays games under a ban through the prompts of package render, and its replies are held to the schema.
func TestAModelBehindAnEndpointPlaysGamesUnderABan(t *testing.T) {
	dir, _ := newBans(t)
	out := filepath.Join(t.TempDir(), "run")
	e := &ep.Endpoint{Say: func(m []schemas.Message) string {
		_, plan, ok := strings.Cut(m[len(m)-1].Content, "[PLAN]\nNext: the link \"")
		title, _, _ := strings.Cut(plan, `"`)
		if !ok {
			return "no plan"
		}
		answer, err := json.Marshal(map[string]string{"next_page": title, "reasoning": "the plan", "restriction_reasoning": "the plan keeps to the ban"})
		if err != nil {
			return "no JSON"
		}
		return string(answer)
	}}
	script(t, e)
	eval(banArgs("play", dir, "--player", "openai", "--base-url", "https://model.test/v1", "--model", "obedient", "--out", out,
		"--option", "target_intro=0", "--option", "oracle=SPH")...).want(t, 0)
	s := banScores(t, eval(banArgs("score", dir, "--trajectories", out, "--json")...).want(t, 0))
	m := s.Rows[0].Metrics
	if *m[replay.MetricSR].Num != 20 || *m[replay.MetricPE].Value != "1.00000e+00" || m[judge.MetricTokens].Value == nil {
		t.Errorf("SR %d of %d, PE %s, tokens %v", *m[replay.MetricSR].Num, m[replay.MetricSR].Den, *m[replay.MetricPE].Value, m[judge.MetricTokens].Value)
	}
}
