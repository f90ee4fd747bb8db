package main

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	ep "github.com/wikinav/wikinav/eval/endpoint/endpointtest"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

// league is a file of three models: two behind endpoints of their own, with keys, prices and a
// prompt of their own, and a baseline.
type league struct {
	rel, file, out string
	a, b           *ep.Endpoint
}

func newLeague(t *testing.T, rel, head string) league {
	t.Helper()
	l := league{rel, filepath.Join(t.TempDir(), "models.toml"), filepath.Join(t.TempDir(), "runs"), &ep.Endpoint{Say: drunk}, &ep.Endpoint{Say: drunk}}
	prompt := filepath.Join(t.TempDir(), "short.txt")
	put(t, prompt, "GOAL {{target}}\n{{links}}\n")
	t.Setenv("KEY_OF_A", canary+"a")
	t.Setenv("KEY_OF_B", canary+"b")
	var urls []string
	for _, e := range []*ep.Endpoint{l.a, l.b} {
		server := httptest.NewServer(e)
		t.Cleanup(server.Close)
		urls = append(urls, server.URL+"/v1")
	}
	put(t, l.file, fmt.Sprintf(`# Two models and a baseline.
release = %q
temperature = 0.5
parallel = 4
option = { max_steps = 10 }
%s

[[model]]
model = "vendor/a:1b"
base-url = %q
api-key-env = "KEY_OF_A"
price-prompt = 1
price-output = 2.50

[[model]]
name = "b-short"
model = "b"
base-url = %q
api-key-env = "KEY_OF_B"
temperature = "none"
price-prompt = "0.5"
price-output = "1"
prompt = %q

[[model]]
player = "random"
`, rel, head, urls[0], urls[1], prompt))
	return l
}

func (l league) args(more ...string) []string {
	return append([]string{"play", "--models", l.file, "--out", l.out}, more...)
}

// names are the directories that the models of a league have.
var names = []string{"vendor-a-1b", "b-short", "random"}

func (l league) timeless(t *testing.T) (all string) {
	t.Helper()
	for _, name := range names {
		all += timeless(t, filepath.Join(l.out, name))
	}
	return all
}

func TestAFileOfModelsIsPlayedAndReported(t *testing.T) {
	rel := newRelease(t, gametest.Random(3, 150, 90, 60), 10, 3, 4)
	l := newLeague(t, rel, "attempts = 2")
	got := eval(l.args()...).want(t, 0)
	checkNoKey(t, l.out, got)
	for _, want := range []string{"vendor-a-1b  40 of 40", "b-short      40 of 40", "random       40 of 40", "USD", "complete"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("no %q in\n%s", want, got.stdout)
		}
	}
	for i, e := range []*ep.Endpoint{l.a, l.b} {
		if keys := e.Books().Keys; len(keys) != 1 || keys["Bearer "+canary+string('a'+rune(i))] == 0 {
			t.Errorf("endpoint %d heard the keys %v", i, keys)
		}
		run, err := trace.ReadRun(filepath.Join(l.out, names[i]))
		if err != nil {
			t.Fatal(err)
		}
		temperature := run.Rules.Sampling.Temperature
		if (i == 0) != (temperature != nil) || i == 0 && *temperature != "0.5" || (run.Rules.Prompt.Version == "file/1") != (i == 1) ||
			run.Price.OutputPerMTok != []string{"2.50", "1"}[i] || run.Attempts != 2 {
			t.Errorf("model %d: rules %+v, price %+v", i, run.Rules, run.Price)
		}
		if scored := scoresOf(t, eval("score", "--release", rel, "--trajectories", filepath.Join(l.out, names[i]), "--json").want(t, 0)); *scored.Rows[0].Usage != e.Books().Usage {
			t.Errorf("model %d: %+v, the endpoint counts %+v", i, scored.Rows[0].Usage, e.Books().Usage)
		}
	}
	before := l.a.Books().Requests
	var again struct {
		Models []struct {
			Name   string
			Played account
		}
	}
	if err := json.Unmarshal([]byte(eval(l.args("--json")...).want(t, 0).stdout), &again); err != nil || len(again.Models) != 3 || again.Models[1].Name != "b-short" ||
		again.Models[1].Played.Games != 40 || l.a.Books().Requests != before {
		t.Errorf("the second time: %v, %+v, %d requests more", err, again, l.a.Books().Requests-before)
	}
	r := eval("report", "--release", rel, "--trajectories", l.out).want(t, 0).stdout
	for _, want := range []string{"vendor/a:1b", "random", "prompt.version wikirace.prompt/1, not file/1", "pass@2"} {
		if !strings.Contains(r, want) {
			t.Errorf("no %q in\n%s", want, r)
		}
	}
	if r := eval("report", "--release", rel, "--family", "probe", "--trajectories", l.out); r.code == 0 {
		t.Errorf("a report of another family: %s", r.stdout)
	}
	limited := filepath.Join(t.TempDir(), "few")
	eval("play", "--models", l.file, "--out", limited, "--limit", "3", "--attempts", "1").want(t, 0)
	if log, err := openGames(filepath.Join(limited, "b-short")); err != nil || len(log.Games) != 3 {
		t.Errorf("--limit 3 beside the file: %v", err)
	}
}

// TestModelsShareABudgetAndGoOn stops a file of models by each bound that they share, and lets it go
// on under none.
func TestModelsShareABudgetAndGoOn(t *testing.T) {
	rel := newRelease(t, gametest.Random(3, 150, 90, 60), 10, 3, 4)
	whole := newLeague(t, rel, "")
	eval(whole.args()...).want(t, 0)
	want := whole.timeless(t)
	for _, bound := range []string{"max-cost = 0.045", "max-tokens-total = 60_000", "max-turns-total = 150", `max-time = "1ns"`} {
		l := newLeague(t, rel, bound)
		got := eval(l.args()...).want(t, 1)
		if !strings.Contains(got.stdout, "see below") || !strings.Contains(got.stderr, "models did not come to their end") {
			t.Errorf("%s: %s%s", bound, got.stdout, got.stderr)
		}
		usage := l.a.Books().Usage
		other := l.b.Books().Usage
		cost := judge.ExactCost(&schemas.Price{PromptPerMTok: "1", OutputPerMTok: "2.50"}, &usage)
		cost.Add(cost, judge.ExactCost(&schemas.Price{PromptPerMTok: "0.5", OutputPerMTok: "1"}, &other))
		usage.Add(other)
		if cap := big.NewRat(45, 1000); strings.Contains(bound, "cost") && cost.Cmp(cap) > 0 {
			t.Errorf("%s: the models cost %s", bound, cost.FloatString(6))
		}
		if strings.Contains(bound, "tokens") && usage.Prompt+usage.Output > 60_000 {
			t.Errorf("%s: the models used %+v", bound, usage)
		}
		data := read(t, l.file)
		eval(l.args()...).want(t, 1)
		put(t, l.file, strings.Replace(data, bound, "", 1))
		eval(l.args()...).want(t, 0)
		if l.timeless(t) != want {
			t.Errorf("%s: the models that went on have other files", bound)
		}
	}
}

// TestAFileOfModelsThatWasKilledGoesOn kills the program while the second model plays.
func TestAFileOfModelsThatWasKilledGoesOn(t *testing.T) {
	rel := newRelease(t, gametest.Random(3, 150, 90, 60), 30, 3, 4)
	whole := newLeague(t, rel, "")
	eval(whole.args()...).want(t, 0)
	l := newLeague(t, rel, "")
	cmd, _ := process(t, l.args()...)
	if !killAfter(t, cmd, filepath.Join(l.out, "b-short"), 10) {
		t.Skip("the program was faster than the test")
	}
	if _, err := os.Stat(filepath.Join(l.out, "random")); err == nil {
		t.Error("the third model began before the second ended")
	}
	eval(l.args()...).want(t, 0)
	if l.timeless(t) != whole.timeless(t) {
		t.Error("the models that went on have other files")
	}
}

// TestWrongFilesOfModelsAreRefusedBeforeAnythingIsAsked has a mistake in the last model each.
func TestWrongFilesOfModelsAreRefusedBeforeAnythingIsAsked(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	first := fmt.Sprintf("release = %q\n\n[[model]]\nmodel = \"m\"\nbase-url = \"http://host.test/v1\"\n", rel) // lines 1 to 5
	for text, want := range map[string]string{
		"[[model]]\nplayer = \"randm\"":                                                       `model randm: no player is called "randm" (did you mean random?`,
		"[[model]]\nplayer = \"random\"\nlimt = 3":                                            `line 8: no setting is called "limt" (did you mean limit?`,
		"[[model]]\nplayer = \"random\"\nlimit = \"many\"":                                    `line 8: --limit "many": want a whole number`,
		"[[model]]\nplayer = \"random\"\nlimit = -1":                                          `line 8: model random: --limit -1: want 0 or more`,
		"[[model]]\nplayer = \"random\"\nlimit = [1, 2]":                                      `line 8: limit: want one value, not a list`,
		"[[model]]\nplayer = \"random\"\nlimit = 2026-01-01":                                  `line 8: limit: want a text, a number`,
		"[[model]]\nplayer = \"random\"\n\noption = { max_stepz = 3 }":                        `line 9: model random: no game option is called "max_stepz" (did you mean max_steps?`,
		"[[model]]\nplayer = \"random\"\ntemperature = 0":                                     `line 8: model random: --temperature means nothing to player "random"`,
		"[[model]]\nmodel = \"x\"":                                                            `line 7: model x: --player openai needs --base-url and --model`,
		"[[model]]\nmodel = \"m\"\nbase-url = \"http://host.test/v1\"":                        `line 6: a second model is called m, the first in line 3`,
		"[[model]]\nname = \"../x\"\nplayer = \"random\"":                                     `line 6: name "../x": want letters`,
		"[[model]]\nplayer = \"random\"\nplayer = \"shortest\"":                               `line 8: "player" stands twice, first in line 7`,
		"[[model]]\nplayer = \"random\"\nout = \"x\"":                                         `line 8: out is said on the command line`,
		"[[model]]\nplayer = \"random\"\napi-key = \"" + canary + "\"":                        `line 8: no setting is called "api-key"`,
		"[[model]]\nmodel = \"x\"\nbase-url = \"http://h\"\napi-key-env = \"" + canary + "\"": `line 9: model x: --api-key-env: the environment has no variable of that name`,
		"[model]\nplayer = \"random\"":                                                        `line 6: no table is called "model" (begin each model with a line [[model]]`,
		"[[models]]\nplayer = \"random\"":                                                     `line 6: no table is called "models"`,
		"[[model]]\nplayer = \"random\"\na.b = 1":                                             `line 8: "a.b" has parts`,
		"[[model]]\nplayer = \"random\"\nlimit = ":                                            `line 8: `,
		"[[model]]\nmodel = \"x\"\nbase-url = \"http://h\"\nmax-cost = \"5\"":                 `model x: a budget of "5", and no price`,
	} {
		script(t, &ep.Endpoint{Say: func([]schemas.Message) string { t.Error("asked"); return "" }})
		file, out := filepath.Join(t.TempDir(), "models.toml"), filepath.Join(t.TempDir(), "runs")
		put(t, file, first+text+"\n")
		got := eval("play", "--models", file, "--out", out).want(t, 2)
		if !strings.Contains(got.stderr, want) || !strings.Contains(got.stderr, file) {
			t.Errorf("%q: %s, want %s", text, got.stderr, want)
		}
		checkNoKey(t, out, got)
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%q: a directory was made", text)
		}
	}
	for text, want := range map[string]string{
		"":                               "no model is listed",
		"max-cost = 5\n" + first:         "max-cost is of all models, and nothing has a price here",
		"max-cost = \"much\"\n" + first:  `line 1: --max-cost "much": want a decimal number`,
		"max-turns-total = -1\n" + first: "line 1: --max-turns-total -1: want more than 0",
		"\xff":                           "no text in UTF-8",
	} {
		file := filepath.Join(t.TempDir(), "models.toml")
		put(t, file, text)
		if got := eval("play", "--models", file, "--out", t.TempDir()).want(t, 2); !strings.Contains(got.stderr, want) {
			t.Errorf("%q: %s, want %s", text, got.stderr, want)
		}
	}
	eval("play", "--models", filepath.Join(t.TempDir(), "none.toml"), "--out", "x").want(t, 10)
	if got := eval("play", "--models", "x.toml").want(t, 2); !strings.Contains(got.stderr, "--out is required") {
		t.Errorf("%s", got.stderr)
	}
}

// A baseline that all models share leaves aside what is said of models, in whatever order.
func TestAPlayerInCommonSettlesWhatIsItsOwn(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	common := []string{`player = "random"`, `temperature = 0.5`, fmt.Sprintf("release = %q", rel)}
	for range common {
		common = append(common[1:], common[0])
		file := filepath.Join(t.TempDir(), "models.toml")
		put(t, file, strings.Join(common, "\n")+"\n[[model]]\nname = \"a\"\n[[model]]\nname = \"b\"\n")
		got := eval("play", "--models", file, "--out", filepath.Join(t.TempDir(), "runs")).want(t, 0)
		if strings.Count(got.stdout, "complete") != 2 {
			t.Errorf("%q: %s", common, got.stdout)
		}
	}
}

// TestThePageOnModelsIsRight plays the file that the page shows.
func TestThePageOnModelsIsRight(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	p := openPage(t, "models.md", rel)
	server := httptest.NewServer(&ep.Endpoint{Say: best})
	t.Cleanup(server.Close)
	t.Setenv("SMALL_KEY", canary)
	text := strings.ReplaceAll(p.block("toml"), "http://localhost:8000/v1", server.URL+"/v1")
	text = strings.ReplaceAll(text, "https://api.example.com/v1", server.URL+"/v1")
	text = strings.ReplaceAll(text, "\"easy\", \"medium\"", "\"tiny\"")
	put(t, filepath.Join(p.folder, "models.toml"), text)
	put(t, filepath.Join(p.folder, "short.txt"), "{{prompt}}")
	out := p.shell(p.block("sh"))
	for _, want := range []string{"small        3 of 3", "small-short  3 of 3", "tuned        3 of 3", "random       3 of 3", "Runs on", "pass@3"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}
