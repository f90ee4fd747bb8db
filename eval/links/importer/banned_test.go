package importer_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/constrained/bantest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links/replay"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/importer"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
)

func banned(w *gametest.World, instances []schemas.ConstrainedInstance) replay.Release {
	var tasks []game.Task
	for _, inst := range instances {
		tasks = append(tasks, bantest.TaskOf(inst))
	}
	rel := releaseOf(w, w.Node, "bans", game.BanDefaults(), tasks...)
	rel.Splits[0].Groups = []replay.Group{} // no rows by distance
	return rel
}

// k7Instances are two instances of the worked example, with one pair and two categories.
func k7Instances(w *gametest.World) []schemas.ConstrainedInstance {
	return []schemas.ConstrainedInstance{bantest.Banned(w, "cw-0001", 0, 5, "Work"), bantest.Banned(w, "cw-0002", 0, 5, "Place")}
}

func convertBanned(t *testing.T, rel replay.Release, text string, options ...string) (*result, *family.Scores, error) {
	t.Helper()
	f, err := importer.Read(formats["titles-jsonl"], "x", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	opts, err := game.SetOptions(f.Rules(game.BanDefaults()), options)
	if err != nil {
		t.Fatal(err)
	}
	r := imported(t, f, rel, opts)
	scores, err := r.score(t, rel, family.Request{Partial: true})
	return r, scores, err
}

// statements lists what the players of an import said.
func statements(t *testing.T, rel replay.Release, r *result) []family.Statement {
	t.Helper()
	said, _, err := replay.Reasons(rel, r.log(t), 0)
	if err != nil {
		t.Fatal(err)
	}
	return said
}

// TestTheHandVectorsHaveTheirScoresAfterAnImport plays the four episodes of the constrained specification, 6, in each form that a line can have.
func TestTheHandVectorsHaveTheirScoresAfterAnImport(t *testing.T) {
	w := gametest.K7()
	r, scores, err := convertBanned(t, banned(w, k7Instances(w)), `{"instance":"cw-0001","path":["S","A","C","D","T"],"outcome":"success"}
{"start":"S","target":"T","banned_category":"Work","path":["S","A","B","T"]}
{"instance":"cw-0001","steps":[{"chosen_node":"A","justification":"near","restriction_justification":"an event"},{"next_page":"B"},{"next_page":"Paris","reasoning":"big"}],"outcome":"invalid_action"}
{"start":"S","target":"T","banned_category":"Work","steps":[{"next_page":"A","reasoning":"near"},{"chosen_node":"A"}]}
{"start":"S","target":"T","banned_category":"Food","path":["S","A"]}
{"start":"S","target":"T","path":["S","A"]}
{"start":"A","target":"T","banned_category":"Work","path":["A","C"]}
{"start":"S","target":"Paris","banned_category":"Work","path":["S","A"]}
`)
	if err != nil {
		t.Fatalf("%v: %+v", err, scores.Disagreements)
	}
	checkCounts(t, "rejected", r.Import.Rejected, "outside_graph 1, unknown_instance 3")
	checkCounts(t, "invalid", r.Import.Invalid, "missing_edge 1, unknown_title 1")
	for name, want := range map[string][2]int64{
		replay.MetricSR: {1, 4}, replay.MetricCR: {2, 4}, replay.MetricCVR: {2, 4}, replay.MetricCVRReach: {1, 4}, replay.MetricPerStep: {2, 10},
		replay.MetricRecoverBan: {1, 2}, replay.MetricFirst: {4, 2}, replay.MetricInvalidEnd: {2, 4},
	} {
		if m := scores.Rows[0].Metrics[name]; m.Num == nil || *m.Num != want[0] || m.Den != want[1] {
			t.Errorf("%s: got %s, want %v", name, canon.MustMarshal(m), want)
		}
	}
	// Two replies gave a reason and led somewhere: S to A, twice; both without violation.
	if got := statements(t, banned(w, k7Instances(w)), r); len(got) != 2 || got[0].Restriction != "an event" || got[1].Restriction != "" || got[0].Violates {
		t.Errorf("statements: %+v", got)
	}
	if s := r.Steps[10]; *s.NextPageRaw != "A" || !s.MissingField || *s.RestrictionReasoning != "" || *s.Reasoning != "near" {
		t.Errorf("the first half of a reply: %s", canon.MustMarshal(s))
	}
}

func TestAClaimedSuccessUnderABanIsListed(t *testing.T) {
	w := gametest.K7()
	_, scores, err := convertBanned(t, banned(w, k7Instances(w)), `{"instance":"cw-0001","path":["S","A","T"],"outcome":"success"}`)
	if !errors.Is(err, fault.Mismatch) || len(scores.Disagreements) != 1 || *scores.Rows[0].Metrics[replay.MetricCR].Num != 0 {
		t.Errorf("%v, %+v", err, scores.Disagreements)
	}
}

func TestStepsThatAreNoRepliesAreMalformed(t *testing.T) {
	for _, steps := range []string{
		`[{"next_page":1}]`, `[{"next_page":"A","chosen_node":"B"}]`, `[{"page":"A"}]`, `["A"]`, `[{"next_page":"A","reasoning":null}]`, `[{"next_page":"A","next_page":"A"}]`,
	} {
		text := `{"instance":"cw-0001","steps":` + steps + `}`
		if _, err := importer.Read(formats["titles-jsonl"], "x", strings.NewReader(text)); !errors.Is(err, fault.Malformed) || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("%s: %v", steps, err)
		}
	}
	for _, text := range []string{`{"instance":"i","path":["A"],"steps":[]}`, `{"instance":"i","banned_category":"Work","path":["A"]}`} {
		if _, err := importer.Read(formats["titles-jsonl"], "x", strings.NewReader(text)); !errors.Is(err, fault.Malformed) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestAGameUnderABanIsNoneOfWikiRace(t *testing.T) {
	r, _, err := convert(t, g9(), "titles-jsonl", `{"start":"A","target":"H","banned_category":"Work","path":["A","B"]}`)
	if err != nil {
		t.Fatal(err)
	}
	checkCounts(t, "rejected", r.Import.Rejected, "banned_category 1")
}

// told writes a game of a log as a line of the format.
func told(w *gametest.World, g *game.Game, inst schemas.ConstrainedInstance, turns []game.Turn) string {
	steps := []map[string]any{}
	for _, turn := range turns {
		step := map[string]any{}
		switch said := turn.Ban.Stated; {
		case said != nil:
			step["next_page"], step["reasoning"], step["restriction_reasoning"] = said.NextPage, said.Reasoning, said.Restriction
		case turn.Reason != nil && *turn.Reason == game.ReasonNoPath:
			step["next_page"] = schemas.NoPathAnswer
		}
		steps = append(steps, step)
	}
	line := map[string]any{"steps": steps, "outcome": g.Outcome()}
	if inst.ID > "cw-0030" {
		line["instance"] = inst.ID
	} else {
		line["start"], line["target"], line["banned_category"] = w.Title(inst.Source.Node), w.Title(inst.Target.Node), inst.BannedCategory
	}
	return string(canon.MustMarshal(line))
}

// bannedMove is a move of a player who names links, and sometimes breaks the form, gives up hope, or follows the shortest path of all.
func bannedMove(w *gametest.World, g *game.Game, s *rng.Stream) game.Move {
	i := g.Best()
	switch s.Below(12) {
	case 0:
		return game.NoMove(game.ReasonFormat)
	case 1:
		return game.Move{NoPath: true}
	case 2, 3:
		i = g.Shortest()
	}
	m := game.Pick(i)
	m.Stated = &game.Stated{NextPage: w.Title(g.Menu()[i]), Reasoning: "near", Restriction: "no work"}
	return m
}

// TestARoundTripUnderABanChangesNoScore exports random games as steps, imports them, and compares every score and every reason.
func TestARoundTripUnderABanChangesNoScore(t *testing.T) {
	w := gametest.Random(3, 150, 4, 60).Label(3, "Work", "Place")
	instances, _ := bantest.BannedInstances(w, 3, 60, 2, "Work", "Place")
	instances = distinct(instances)
	rel := banned(w, instances)
	for _, rules := range [][]string{{}, {"invalid=consume", "revisit=allow"}, {"format_retries=2", "max_steps=9"}} {
		opts, err := game.SetOptions((&importer.File{}).Rules(game.BanDefaults()), rules)
		if err != nil {
			t.Fatal(err)
		}
		run := schemas.Run{
			Run: "m", ReleaseID: "id", ManifestSHA256: "sum", Family: "bans", Splits: []string{"easy"}, Attempts: 1, Model: someone(schemas.KindForeign).Model,
			Rules: schemas.Rules{Options: game.OptionsJSON(opts)},
		}
		run.RulesSHA256 = family.RulesSHA256(run.Rules)
		log := &replay.Log{Log: &trace.Log{Path: "sim", Dir: "sim", Run: &run}}
		var text strings.Builder
		for i, inst := range instances {
			g, err := game.Start(w, bantest.TaskOf(inst), opts)
			if err != nil {
				t.Fatal(err)
			}
			one := replay.Game{Instance: inst.ID, Attempt: 1, HasSteps: true}
			var turns []game.Turn
			for s := rng.New(5, "round", rng.Part(i)); !g.Done(); {
				turn := g.Play(bannedMove(w, g, s))
				step := turn.Record()
				step.Run, step.Instance, step.Oracle = run.Run, inst.ID, opts.Oracle
				turns, one.Steps = append(turns, turn), append(one.Steps, step)
			}
			outcome := g.Outcome()
			one.Outcome = &outcome
			log.Games = append(log.Games, one)
			text.WriteString(told(w, g, inst, turns) + "\n")
		}
		want, err := log.Score(rel, family.Request{})
		if err != nil {
			t.Fatalf("%v: %+v", err, want.Disagreements)
		}
		r, got, err := convertBanned(t, rel, text.String(), rules...)
		if err != nil {
			t.Fatalf("%v: %+v", err, got.Disagreements)
		}
		compareRoundTrip(t, want, got, log, statements(t, rel, r))
	}
}

// distinct drops instances that only their ids tell apart.
func distinct(list []schemas.ConstrainedInstance) (out []schemas.ConstrainedInstance) {
	seen := map[string]bool{}
	for _, inst := range list {
		key := inst.Source.Title + " " + inst.Target.Title + " " + inst.BannedCategory
		if !seen[key] {
			seen[key] = true
			out = append(out, inst)
		}
	}
	return out
}

func compareRoundTrip(t *testing.T, want, got *family.Scores, log *replay.Log, said []family.Statement) {
	t.Helper()
	var moves []schemas.Step
	for _, g := range log.Games {
		for _, step := range g.Steps {
			if step.Valid && step.RestrictionReasoning != nil {
				moves = append(moves, step)
			}
		}
	}
	if len(want.Rows[0].Outcomes) < 2 || len(said) < 50 {
		t.Errorf("outcomes %v, %d statements: the test shows too little", want.Rows[0].Outcomes, len(said))
	}
	next := 0
	for _, step := range moves { // in order; moves to the target are no statements
		if next < len(said) && said[next].Instance == step.Instance && said[next].Step == step.Step {
			if s := said[next]; s.Restriction != *step.RestrictionReasoning || s.To != *step.To || s.Violates != step.Violates {
				t.Fatalf("statement %d: %+v", next, s)
			}
			next++
		}
	}
	if next != len(said) {
		t.Errorf("%d of %d statements are moves of the log", next, len(said))
	}
	for _, s := range []*family.Scores{want, got} {
		for i := range s.Rows {
			s.Rows[i].Flags = nil // the request of one is partial
		}
	}
	if x, y := string(canon.MustMarshal(want.Rows)), string(canon.MustMarshal(got.Rows)); x != y {
		t.Errorf("the scores differ\n%s\n%s", x, y)
	}
}
