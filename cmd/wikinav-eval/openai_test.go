package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/wikinav/wikinav/eval/endpoint"
	ep "github.com/wikinav/wikinav/eval/endpoint/endpointtest"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/eval/play"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

const canary = "sk-canary-3f9a1c77"

// script puts an endpoint in the place of network and clock for one test.
func script(t *testing.T, e *ep.Endpoint) {
	t.Helper()
	t.Setenv(apiKeyVariable, canary)
	outside = endpoint.Config{
		Transport: e, Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		Now: func() time.Time { return time.Date(2026, 10, 21, 7, 28, 0, 0, time.UTC) },
	}
	t.Cleanup(func() { outside = endpoint.Config{} })
}

// links reads the numbered links of a prompt.
func links(messages []schemas.Message) map[string]int {
	out := map[string]int{}
	for line := range strings.Lines(messages[len(messages)-1].Content) {
		n, title, ok := strings.Cut(strings.TrimSpace(line), ". ")
		if i, err := strconv.Atoi(n); ok && err == nil {
			out[title] = i
		}
	}
	return out
}

// walker follows the first of the titles that a page links to.
func walker(titles ...string) func([]schemas.Message) string {
	return func(m []schemas.Message) string {
		for _, title := range titles {
			if i, ok := links(m)[title]; ok {
				return fmt.Sprintf("I take %s: <answer>%d</answer>", title, i)
			}
		}
		return "none of them"
	}
}

// best walks G9 from A to T on a shortest path.
var best = walker("T", "H", "G", "E", "B")

// drunk follows a link that depends on nothing but the prompt.
func drunk(m []schemas.Message) string {
	n := len(links(m))
	if n == 0 {
		return "none"
	}
	return fmt.Sprintf("<answer>%d</answer>", rng.New(1, m[len(m)-1].Content).Below(n))
}

// nth lets the n-th request, from 1, meet a fault, and the next ones too, times in all.
func nth(n, times int, f ep.Fault) func(string, int) ep.Fault {
	count := 0
	return func(string, int) ep.Fault {
		if count++; count >= n && count < n+times {
			return f
		}
		return ep.None
	}
}

func modelArgs(rel, out string, more ...string) []string {
	return append([]string{
		"play", "--release", rel, "--player", "openai", "--base-url", "https://user:pass@host.test/v1?token=query", "--model", "vendor/model:1b", "--out", out,
	}, more...)
}

// checkNoKey looks for the key, and for what the address holds beside the host, in all that a run left and printed.
func checkNoKey(t *testing.T, dir string, r result) {
	t.Helper()
	search := func(name string, data []byte) {
		for _, secret := range []string{canary, "user:pass", "token=query"} {
			if bytes.Contains(data, []byte(secret)) {
				t.Errorf("%s stands in %s: %s", secret, name, data)
			}
		}
	}
	search("stdout", []byte(r.stdout))
	search("stderr", []byte(r.stderr))
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		search(path, data)
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
}

func accountOf(t *testing.T, r result) account {
	t.Helper()
	var a account
	if err := json.Unmarshal([]byte(r.stdout), &a); err != nil {
		t.Fatalf("%v: %s%s", err, r.stdout, r.stderr)
	}
	return a
}

func TestAModelPlaysAndIsReplayedWordForWord(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	for _, options := range []string{"", "--option renderer=chat", "--option oracle=SPH", "--parser lenient", "--attempts 3 --seed 7"} {
		e := &ep.Endpoint{Say: best}
		script(t, e)
		out := filepath.Join(t.TempDir(), "run")
		got := eval(modelArgs(rel, out, append(strings.Fields(options), "--price-prompt", "2.5", "--price-output", "10", "--temperature", "0.25")...)...).want(t, 0)
		run, err := trace.ReadRun(out)
		if err != nil {
			t.Fatal(err)
		}
		if m := run.Model; m.Name != "vendor/model:1b" || m.Kind != schemas.KindOpenAI || *run.Rules.Sampling.Temperature != "0.25" || (m.SamplingSeed != nil) != strings.Contains(options, "seed") ||
			run.Price.OutputPerMTok != "10" || run.Rules.Prompt == nil || strings.ContainsAny(run.Run, "/:") {
			t.Errorf("%s: run %+v, model %+v", options, run, m)
		}
		s := scoresOf(t, eval("score", "--release", rel, "--trajectories", out, "--json").want(t, 0)).Rows[0]
		if theirs := e.Books().Usage; *s.Metrics[judge.MetricSuccess].Num != int64(run.Attempts) || *s.Usage != theirs || s.Cost == nil || s.Metrics[judge.MetricCostPerStep].Value == nil {
			t.Errorf("%s: %+v, the endpoint counts %+v", options, s, theirs)
		}
		checkNoKey(t, out, got)
		data, err := os.ReadFile(filepath.Join(out, trace.StepsFile))
		if err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(out, trace.StepsFile), strings.Replace(string(data), `"cost":"`, `"cost":"9`, 1))
		if forged := eval("score", "--release", rel, "--trajectories", out).want(t, 3); !strings.Contains(forged.stdout, "step 1, cost: log ") {
			t.Errorf("%s: a forged cost: %s", options, forged.stdout)
		}
	}
}

// What comes of a fault in the middle of a game.
var (
	passing = []ep.Fault{
		ep.RateSeconds, ep.RateDate, ep.RateAbsent, ep.RateGarbage, ep.RateForever, ep.Internal, ep.BadGateway, ep.Unavailable, ep.Overloaded, ep.Refused, ep.Reset,
		ep.BadTLS, ep.SlowHead, ep.SlowBody, ep.CutBody, ep.TornGzip, ep.EmptyBody, ep.TornJSON,
		ep.WrongShape, ep.NoChoices, ep.HTML, ep.BrokenChunk, ep.SameChunks,
	}
	lasting = []ep.Fault{ep.GzipBomb, ep.HugeReply, ep.TooLong}
	deadly  = []ep.Fault{ep.Unauthorized, ep.Forbidden, ep.NotFound, ep.ElsewhereGET, ep.ElsewherePOST}
	spoken  = []ep.Fault{ep.NullContent, ep.CutLength, ep.Filtered, ep.Refusal, ep.ToolCalls, ep.BadUTF8, ep.Parts, ep.NoUsage, ep.MadUsage, ep.EchoesKey}
)

// TestEveryFaultAtEveryStep is 41 faults, on the first, a middle and the last of the five turns of a game.
func TestEveryFaultAtEveryStep(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	for _, at := range []int{1, 3, 5} {
		for _, f := range slices.Concat(passing, lasting, deadly, spoken) {
			passes, lasts, kills := slices.Contains(passing, f), slices.Contains(lasting, f), slices.Contains(deadly, f)
			times := 1
			if at == 1 && (f == ep.TooLong || f == ep.NotFound) {
				times = 4 // the first question is put again without what the endpoint may not take
			}
			g, got := gameWith(t, rel, nth(at, times, f))
			switch {
			case kills && (g != nil || got.code != 1):
				t.Errorf("%s at %d: exit %d, %+v", f, at, got.code, g)
			case kills:
			case g == nil:
				t.Errorf("%s at %d: no game: %s", f, at, got.stderr)
			case passes && (got.code != 0 || g.Record.Outcome != schemas.OutcomeSuccess || !g.Record.Retried || g.Steps[at-1].Retries != 1 || g.Record.Turns != 5):
				t.Errorf("%s at %d: exit %d, %+v", f, at, got.code, g.Record)
			case lasts && (got.code != 1 || g.Record.Outcome != schemas.OutcomeInfra || g.Record.Reason == nil || g.Record.Turns != at-1 || g.Record.Retried || !strings.Contains(got.stdout, "infra: wr-tiny-0001-a1: ")):
				t.Errorf("%s at %d: exit %d, %+v\n%s", f, at, got.code, g.Record, got.stdout)
			case !passes && !lasts && (got.code != 0 || g.Record.Outcome != schemas.OutcomeSuccess || g.Record.Retried):
				t.Errorf("%s at %d: exit %d, %+v", f, at, got.code, g.Record)
			}
			if passes { // five times the same
				if g, got := gameWith(t, rel, nth(at, 5, f)); g == nil || got.code != 1 || g.Record.Outcome != schemas.OutcomeInfra || g.Record.Turns != at-1 || !g.Record.Retried {
					t.Errorf("%s at %d and four times more: exit %d, %+v", f, at, got.code, g)
				}
			}
		}
	}
}

// gameWith plays one game under faults, scores it, and gives what stands in the log.
func gameWith(t *testing.T, rel string, faults func(string, int) ep.Fault) (*replay.Game, result) {
	t.Helper()
	script(t, &ep.Endpoint{Say: best, Faults: faults})
	out := filepath.Join(t.TempDir(), "run")
	got := eval(modelArgs(rel, out)...)
	checkNoKey(t, out, got)
	log, err := openGames(out)
	if err != nil {
		t.Fatal(err)
	}
	if len(log.Games) == 0 {
		return nil, got
	}
	scored := eval("score", "--release", rel, "--trajectories", out)
	if infra := log.Games[0].Record.Outcome == schemas.OutcomeInfra; (scored.code == 1) != infra || scored.code > 1 {
		t.Errorf("score exits %d: %s%s", scored.code, scored.stdout, scored.stderr)
	}
	return &log.Games[0], got
}

func TestFlagsOfCutRepliesStandInTheSteps(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	for f, want := range map[ep.Fault]string{
		ep.CutLength: schemas.FlagTruncated, ep.Filtered: schemas.FlagFiltered, ep.Refusal: schemas.FlagFiltered, ep.ToolCalls: schemas.FlagToolCalls, ep.NullContent: "",
	} {
		g, _ := gameWith(t, rel, nth(2, 1, f))
		if s := g.Steps[1]; s.Flag != want || s.Valid != (f == ep.CutLength || f == ep.Filtered) {
			t.Errorf("%s: %+v", f, s)
		}
	}
}

// TestManyGamesUnderManyFaults is 450 games, 30 of a hundred answers of which are faulty.
func TestManyGamesUnderManyFaults(t *testing.T) {
	rel := newRelease(t, gametest.Random(5, 300, 90, 60), 150, 3, 4, 5)
	e := &ep.Endpoint{Say: drunk, Faults: ep.Share(1, 30, slices.Concat(passing, []ep.Fault{ep.TooLong, ep.CutLength, ep.ToolCalls, ep.EchoesKey})...)}
	script(t, e)
	out := filepath.Join(t.TempDir(), "run")
	got := eval(modelArgs(rel, out, "--parallel", "16", "--price-prompt", "3", "--price-output", "15.5", "--max-infra-errors", "450", "--option", "max_steps=8", "--json")...).want(t, 0)
	a := accountOf(t, got)
	checkNoKey(t, out, got)
	theirs := e.Books()
	faulty := theirs.Requests - theirs.Faults[ep.None]
	t.Logf("%d requests, %d faulty, %d games infra", theirs.Requests, faulty, len(a.Infra))
	if share := float64(faulty) / float64(theirs.Requests); share < 0.27 || share > 0.33 || len(theirs.Faults) < 20 {
		t.Errorf("%d of %d requests were faulty in %d ways", faulty, theirs.Requests, len(theirs.Faults))
	}
	if a.Games != 450 || len(a.Unplayed) != 0 || len(a.Infra) == 0 {
		t.Errorf("%d games, %d not played, %d infra", a.Games, len(a.Unplayed), len(a.Infra))
	}
	for _, u := range a.Infra {
		if u.Reason == "" {
			t.Errorf("%s has no reason", u.Item)
		}
	}
	price := &schemas.Price{PromptPerMTok: "3", OutputPerMTok: "15.5", Currency: "USD"}
	if a.Usage != theirs.Usage || *a.Cost != *judge.Cost(price, &theirs.Usage) || a.Client.Usage != theirs.Usage || int(a.Client.Tries) != theirs.Requests {
		t.Errorf("our books %+v, cost %s; theirs %+v", a.Client, *a.Cost, theirs)
	}
	s := scoresOf(t, eval("score", "--release", rel, "--trajectories", out, "--max-infra-errors", "450", "--json").want(t, 0)).Rows[0]
	if s.N != 450-len(a.Infra) || !s.Has(judge.FlagInfra) || s.Infra != len(a.Infra) || s.Usage.Prompt >= theirs.Usage.Prompt { // of the scored games alone
		t.Errorf("scored %d games, %d infra, usage %+v", s.N, s.Infra, s.Usage)
	}
	eval("score", "--release", rel, "--trajectories", out).want(t, 1)
	// Played once more, without faults, they are all there, and say that they were.
	e.Faults = nil
	b := accountOf(t, eval(modelArgs(rel, out, "--parallel", "16", "--price-prompt", "3", "--price-output", "15.5", "--option", "max_steps=8", "--json", "--retry-infra")...).want(t, 0))
	if theirs = e.Books(); b.Games != 450 || len(b.Infra) != 0 || b.Usage != theirs.Usage {
		t.Errorf("once more: %+v, the endpoint counts %+v", b, theirs.Usage)
	}
}

func TestARunStopsBeforeItsBudgetIsExceededAndGoesOnWithALargerOne(t *testing.T) {
	rel := newRelease(t, gametest.Random(3, 150, 90, 60), 10, 3, 4)
	whole := filepath.Join(t.TempDir(), "run")
	e := &ep.Endpoint{Say: drunk}
	script(t, e)
	args := []string{"--price-prompt", "3", "--price-output", "15.5", "--max-tokens", "50", "--json", "--parallel", "3"}
	full := accountOf(t, eval(modelArgs(rel, whole, args...)...).want(t, 0))
	for _, limit := range []string{"--max-tokens-total=30000", "--max-cost=0.1", "--max-tokens-total=1"} {
		e := &ep.Endpoint{Say: drunk}
		script(t, e)
		out := filepath.Join(t.TempDir(), "run")
		got := eval(modelArgs(rel, out, append(args, limit)...)...).want(t, 1)
		a := accountOf(t, got)
		used := e.Books().Usage
		cost := float64(used.Prompt)*3e-6 + float64(used.Output)*15.5e-6
		if strings.Contains(limit, "total") && used.Prompt+used.Output > 30000 || cost > 0.1 {
			t.Errorf("%s: used %+v", limit, used)
		}
		if a.Games+len(a.Unplayed) != 20 || len(a.Unplayed) == 0 || !strings.Contains(got.stderr, fmt.Sprintf("%d of 20 games not played", len(a.Unplayed))) {
			t.Errorf("%s: %+v\n%s", limit, a, got.stderr)
		}
		if resumed := accountOf(t, eval(modelArgs(rel, out, args...)...).want(t, 0)); resumed.Usage != full.Usage || len(resumed.Unplayed) != 0 {
			t.Errorf("%s: resumed %+v, in one piece %+v", limit, resumed.Usage, full.Usage)
		}
		if timeless(t, out) != timeless(t, whole) {
			t.Errorf("%s: other files than those of a run in one piece", limit)
		}
	}
}

func TestAModelAnswersTheCompanionSets(t *testing.T) {
	rel, out := probeRelease(t), filepath.Join(t.TempDir(), "run")
	e := &ep.Endpoint{Say: func([]schemas.Message) string { return `\boxed{yes}` }, Faults: nth(2, 5, ep.Internal)}
	script(t, e)
	args := modelArgs(rel, out, "--family", "probe", "--parallel", "1", "--price-prompt", "1", "--price-output", "1")
	got := eval(args...).want(t, 1)
	checkNoKey(t, out, got)
	_, failed, _ := strings.Cut(got.stdout, "infra: ")
	failed, _, ok := strings.Cut(failed, ": HTTP 500, after 5 tries\n")
	if !ok {
		t.Errorf("got %s", got.stdout)
	}
	eval("score", "--release", rel, "--family", "probe", "--trajectories", out).want(t, 1)
	s := eval("score", "--release", rel, "--family", "probe", "--trajectories", out, "--max-infra-errors", "1", "--json").want(t, 0)
	if !strings.Contains(s.stdout, `"infra":1`) || !strings.Contains(s.stdout, `"parse_rate":{"den":2,`) {
		t.Errorf("got %s", s.stdout)
	}
	eval(append(args, "--retry-infra")...).want(t, 0)
	if s := probeScores(t, rel, out); s.Rows[0].Infra != 0 || s.Counts["prompted"] != 3 || s.Counts["tp"] != 1 || s.Counts["fp"] != 2 {
		t.Errorf("got %+v", s)
	}
	replies, err := repliesOf(out)
	retried := 0
	for id, r := range replies {
		if r.Usage == nil || r.Cost == nil {
			t.Errorf("%s failed, %s: %+v", failed, id, r)
		}
		if r.Retried {
			retried++
		}
	}
	if err != nil || len(replies) != 3 || retried != 1 {
		t.Errorf("%v, %+v", err, replies)
	}
	if c, err := play.Count(out, layoutOf("probe"), nil); err != nil || c.Usage != e.Books().Usage {
		t.Errorf("%v, %+v, the endpoint counts %+v", err, c, e.Books().Usage)
	}
}

// obedient does in the worlds what the plan says, if there is one.
func obedient(m []schemas.Message) string {
	text := m[len(m)-1].Content
	if at := strings.LastIndex(text, "next: "); at >= 0 { // the examples have plans, too
		plan, _, _ := strings.Cut(text[at+len("next: "):], "\n")
		if i, ok := strings.CutPrefix(plan, "pop index "); ok {
			return "I obey.\n```python\npop(" + i + ")\n```"
		}
		_, call, _ := strings.Cut(plan, " ")
		return "I obey.\n```python\n" + call + "()\n```"
	}
	return "no idea"
}

func TestAModelPlaysTheWorlds(t *testing.T) {
	rel, out := newWorlds(t), filepath.Join(t.TempDir(), "run")
	e := &ep.Endpoint{Faults: nth(4, 1, ep.BadGateway), Say: obedient}
	script(t, e)
	args := modelArgs(rel, out, "--family", "lumina", "--split", "list/test,grid/test", "--option", "oracle=base,P", "--parallel", "1", "--price-prompt", "1", "--price-output", "1")
	got := eval(args...).want(t, 0)
	checkNoKey(t, out, got)
	run, err := trace.ReadRun(out)
	if err != nil || *run.Rules.Sampling.Temperature != "0.7" || run.Price == nil {
		t.Errorf("%v, %+v", err, run)
	}
	eval("score", "--release", rel, "--family", "lumina", "--trajectories", out).want(t, 0)
	data, err := os.ReadFile(filepath.Join(out, "episodes.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	retried, won, episodes := 0, 0, 0
	for line := range strings.Lines(string(data)) {
		var l schemas.LuminaEpisode
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		episodes++
		if l.Retried {
			retried++
		}
		if l.Outcome == schemas.OutcomeSuccess && l.Config == "P" {
			won++
		}
		if l.Usage == nil || l.Cost == nil || l.Sampling.Temperature != "0.7" || l.Sampling.MaxTokens != 4096 {
			t.Errorf("%+v", l)
		}
	}
	if retried != 1 || won != 6 {
		t.Errorf("%d episodes retried, %d won with the plan", retried, won)
	}
	if c, err := play.Count(out, layoutOf("lumina"), nil); err != nil || c.Usage != e.Books().Usage || len(c.Done) != episodes {
		t.Errorf("%v, %+v, the endpoint counts %+v", err, c.Usage, e.Books().Usage)
	}
}

func TestAnEndpointThatIsGoneEndsTheRun(t *testing.T) {
	rel := newRelease(t, gametest.Random(3, 150, 90, 60), 20, 3, 4)
	script(t, &ep.Endpoint{Say: drunk, Faults: func(string, int) ep.Fault { return ep.Refused }})
	out := filepath.Join(t.TempDir(), "run")
	got := eval(modelArgs(rel, out)...).want(t, 1)
	if !strings.Contains(got.stderr, "20 questions in a row had no reply, the last for this reason: connection refused") {
		t.Errorf("got %s", got.stderr)
	}
	if c, err := play.Count(out, layoutOf("wikirace"), nil); err != nil || len(c.Done) > 19 {
		t.Errorf("%v, %d games are in the log", err, len(c.Done))
	}
}

func TestFlagsOfAModelAreChecked(t *testing.T) {
	rel, out := newRelease(t, gametest.G9(), 1, 5), filepath.Join(t.TempDir(), "run")
	t.Setenv(apiKeyVariable, canary)
	two := filepath.Join(t.TempDir(), "key")
	put(t, two, canary+" "+canary)
	for code, list := range map[int][]string{2: {
		"--player openai", "--player openai --model m", "--player openai --base-url http://h", "--player openai --model m --base-url ftp://user:pass@h",
		"--player random --model m", "--player random --temperature 0", "--player openai --model m --base-url http://h --temperature hot",
		"--player openai --model m --base-url http://h --max-cost 5", "--player openai --model m --base-url http://h --price-prompt 1",
		"--player openai --model m --base-url http://h --max-tokens 0 --max-tokens-total 9", "--player openai --model m --base-url http://h --max-tokens-field tokens",
		"--player openai --model m --base-url http://h --limit -1", "--player openai --model m --base-url http://h --price-prompt 1 --price-output 1e9",
		"--player openai --model m --base-url http://h --timeout 0s", "--player openai --model m --base-url http://h --api-key-file " + two,
		"--api-key " + canary,
	}, 10: {"--player openai --model m --base-url http://h --family onestep", "--player random --family onestep", "--player openai --model m --base-url http://h --api-key-file " + out + ".none", "--player openai --model m --base-url http://h --resume"}} {
		for _, args := range list {
			got := eval(append([]string{"play", "--release", rel, "--out", out}, strings.Fields(args)...)...)
			if got.code != code || got.stdout != "" || strings.Contains(got.stderr, canary) || strings.Contains(got.stderr, "user:pass") {
				t.Errorf("%s: exit %d, want %d: %s%s", args, got.code, code, got.stdout, got.stderr)
			}
			if _, err := os.Stat(out); err == nil {
				t.Fatalf("%s left a run directory", args)
			}
		}
	}
}

func TestTheKeyComesFromTheFileThatIsNamed(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	e := &ep.Endpoint{Say: best}
	script(t, e)
	file := filepath.Join(t.TempDir(), "key")
	put(t, file, "another-key\n")
	eval(modelArgs(rel, filepath.Join(t.TempDir(), "run"), "--api-key-file", file)...).want(t, 0)
	if keys := e.Books().Keys; keys["Bearer another-key"] != 5 || len(keys) != 1 {
		t.Errorf("asked with %v", keys)
	}
}

func TestProgressTellsTokensCostAndFailures(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	script(t, &ep.Endpoint{Say: best})
	got := eval(modelArgs(rel, filepath.Join(t.TempDir(), "run"), "--progress", "plain", "--price-prompt", "1000", "--price-output", "1000")...).want(t, 0)
	for _, want := range []string{"1 of 1 games, ", " moves/s, ", " tokens, ", " USD, 0 infra, "} {
		if !strings.Contains(got.stderr, want) {
			t.Errorf("%q is not in %q", want, got.stderr)
		}
	}
}
