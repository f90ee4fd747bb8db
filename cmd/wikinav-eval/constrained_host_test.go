package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas/canon"
)

// playedBans plays all instances here: along the whole graph's shortest paths, which break some bans.
func playedBans(t *testing.T, rel string) (dir string, log *replay.Log) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "here")
	eval(banArgs("play", rel, "--player", "shortest", "--out", dir, "--option", "target_intro=0", "--option", "max_steps=4")...).want(t, 0)
	log, err := openGames(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir, log
}

// sameBanScore compares all rows of two runs' scores; each is replayed without a disagreement.
func sameBanScore(t *testing.T, rel, a, b string) {
	t.Helper()
	score := func(dir string) family.Scores {
		s := banScores(t, eval(banArgs("score", rel, "--trajectories", dir, "--json")...).want(t, 0))
		if len(s.Disagreements) > 0 {
			t.Errorf("%s: %+v", dir, s.Disagreements)
		}
		return s
	}
	x, y := score(a), score(b)
	if len(x.Rows) != len(y.Rows) {
		t.Fatalf("%d and %d rows", len(x.Rows), len(y.Rows))
	}
	for i := range x.Rows {
		if !reflect.DeepEqual(x.Rows[i].Metrics, y.Rows[i].Metrics) {
			t.Errorf("%+v scores\n%+v, not\n%+v", x.Rows[i], y.Rows[i].Metrics, x.Rows[i].Metrics)
		}
	}
	m := x.Rows[0].Metrics
	if cr, cvr := *m[replay.MetricCR].Num, *m[replay.MetricCVR].Num; cr == 0 || cr == 20 || cvr == 0 {
		t.Errorf("%d games reached the target and %d broke the ban: a score of these tells nothing", cr, cvr)
	}
}

func TestServedGamesUnderABanScoreAsThoseThatWerePlayedHere(t *testing.T) {
	rel, _ := newBans(t)
	here, played := playedBans(t, rel)
	w := gametest.Random(3, 150, 4, 60)
	logs := t.TempDir()
	s := startServe(t, banArgs("serve", rel, "--log", logs, "--accept-replies", "--option", "target_intro=0", "--option", "max_steps=4")[1:]...)
	for _, client := range []string{"choices", "titles", "replies"} {
		for _, g := range played.Games {
			var b struct{ Game, Outcome string }
			if code := s.post("/v1/games", fmt.Sprintf(`{"instance":%q,"client_id":%q}`, g.Instance, client), &b); code != 201 {
				t.Fatalf("status %d", code)
			}
			at := "/v1/games/" + b.Game + "/move"
			for _, step := range g.Steps {
				move := map[string]any{"step": step.Step}
				said := map[string]string{"next_page": w.Title(*step.To), "reasoning": "near", "restriction_reasoning": "allowed"}
				switch client {
				case "choices":
					move["choice"] = *step.Choice
				case "titles":
					move["title"], move["reasoning"], move["restriction_reasoning"] = said["next_page"], "near", "allowed"
				case "replies":
					move["reply"] = string(canon.MustMarshal(said))
				}
				if code := s.post(at, string(canon.MustMarshal(move)), &b); code != 200 {
					t.Fatalf("%s, %s, step %d: status %d", client, g.Instance, step.Step, code)
				}
			}
			if b.Outcome != *g.Outcome {
				t.Errorf("%s, %s ended as %q, want %q", client, g.Instance, b.Outcome, *g.Outcome)
			}
		}
	}
	s.stop()
	for client, reasons := range map[string]bool{"choices": false, "titles": true, "replies": true} {
		runs, _ := filepath.Glob(filepath.Join(logs, client+"-*"))
		if len(runs) != 1 {
			t.Fatalf("%s: %d runs", client, len(runs))
		}
		sameBanScore(t, rel, here, runs[0])
		r := eval("judge", "--release", rel, "--trajectories", runs[0], "--judge", "none", "--json").want(t, 0)
		var report struct{ Pools []struct{ Moves int } }
		if err := json.Unmarshal([]byte(r.stdout), &report); err != nil || (report.Pools[0].Moves > 0) != reasons {
			t.Errorf("%s: %v in %s", client, err, r.stdout)
		}
	}
}

// gamesUnderABanThroughMCPScoreTheSame is one of the tests at the real program.
func gamesUnderABanThroughMCPScoreTheSame(t *testing.T, bin string) {
	rel, _ := newBans(t)
	here, played := playedBans(t, rel)
	w := gametest.Random(3, 150, 4, 60)
	logs := t.TempDir()
	c := mcpServe(t, bin, banArgs("", rel, "--log", logs, "--model", "tester", "--option", "target_intro=0", "--option", "max_steps=4")[1:]...)
	for i, item := range c.call("list_instances", map[string]any{"split": "instances"}).Items {
		if item.ID != played.Games[i].Instance {
			t.Fatalf("instance %d is %s, played was %s", i, item.ID, played.Games[i].Instance)
		}
		c.call("start_game", map[string]any{"instance": item.ID})
		for _, s := range played.Games[i].Steps {
			arguments := map[string]any{"step": s.Step, "next_page": w.Title(*s.To), "reasoning": "near", "restriction_reasoning": "allowed"}
			if r := c.call("click_link", arguments); !r.Valid {
				t.Errorf("%s, step %d: %+v", item.ID, s.Step, r)
			}
		}
	}
	c.end()
	run := loggedRun(t, logs)
	sameBanScore(t, rel, here, run)
	if log, err := trace.ReadRun(run); err != nil || log.Family != "constrained" || log.Rules.Prompt.Version != "mcp.task.constrained/1" {
		t.Errorf("got %+v, %v", log, err)
	}
}

func TestWhatTheServersRefuseUnderABan(t *testing.T) {
	rel, _ := newBans(t)
	plain := newRelease(t, gametest.G9(), 1, 5)
	for _, verb := range []string{"serve", "mcp"} {
		for _, c := range []struct {
			code int
			want string
			args []string
		}{
			{2, "target_intro=500: the release has no leads", banArgs(verb, rel)},
			{2, "would tell their answer", banArgs(verb, rel, "--split", "infeasible", "--option", "no_path=on", "--option", "target_intro=0")},
			{2, "no split", banArgs(verb, rel, "--split", "easy", "--option", "target_intro=0")},
			{2, "--expose-oracle", banArgs(verb, rel, "--option", "target_intro=0", "--option", "history=chat", "--option", "oracle=S")},
			{2, "titles", banArgs(verb, rel, "--option", "titles=anon")},
			{10, "constrained", banArgs(verb, plain)},
		} {
			if r := eval(c.args...).want(t, c.code); !strings.Contains(r.stderr, c.want) || r.stdout != "" {
				t.Errorf("%v: no %q in %q", c.args, c.want, r.stderr)
			}
		}
	}
}
