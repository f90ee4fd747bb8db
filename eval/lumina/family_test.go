package lumina

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/lumina/worlds"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/family/familytest"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

func mustOptions(t testing.TB, texts ...string) family.Options {
	t.Helper()
	o, err := Family{}.Options(texts)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestOptionsAreReadAsTextsAndAsAnObject(t *testing.T) {
	all := append([]string{"P"}, slices.DeleteFunc(family.ConfigNames(), func(n string) bool { return n == "P" })...)
	if got := mustOptions(t, "oracle=P", "oracle=all").Value.(schemas.LuminaOptions).Oracle; !slices.Equal(got, all) {
		t.Errorf("got %v, want %v", got, all)
	}
	for _, texts := range [][]string{nil, {"oracle=S,SPH"}, {"max_format_errors=5"}} {
		o := mustOptions(t, texts...)
		again, err := Family{}.ReadOptions(o.JSON)
		if err != nil || string(again.JSON) != string(o.JSON) {
			t.Errorf("%v: %s reads as %s, %v", texts, o.JSON, again.JSON, err)
		}
	}
	if o, err := (Family{}).ReadOptions(json.RawMessage(`{"max_format_errors":7}`)); err != nil || string(o.JSON) != `{"max_format_errors":7,"oracle":["base"]}` {
		t.Errorf("got %s, %v", o.JSON, err)
	}
	for _, bad := range []string{`{"oracle":"P"}`, `{"oracle":["PH"]}`, `{"oracle":["P","P"]}`, `{"oracle":[]}`, `{"max_format_errors":"3"}`, `{"max_format_errors":0}`, `{"turns":1}`, `7`} {
		if o, err := (Family{}).ReadOptions(json.RawMessage(bad)); fault.KindOf(err) != fault.Usage {
			t.Errorf("%s: got %s, %v; want a usage error", bad, o.JSON, err)
		}
	}
}

func TestOnlyThePlanRevealsWhatAnOracleKnows(t *testing.T) {
	for rules, want := range map[string]string{"oracle=base,S,SH": "", "oracle=base,P": "oracle=base,P", "oracle=SPH": "oracle=SPH"} {
		if got := (Family{}).Reveals(mustOptions(t, rules)); got != want {
			t.Errorf("%s: got %q, want %q", rules, got, want)
		}
	}
}

func TestRunsInOneConfigurationAreArmsOfOnePlayer(t *testing.T) {
	p, _ := Family{}.Arm(mustOptions(t, "oracle=P"))
	sh, _ := Family{}.Arm(mustOptions(t, "oracle=SH"))
	if p.Config != "P" || !p.Planned || sh.Config != "SH" || sh.Planned || string(p.Rest) != string(sh.Rest) {
		t.Errorf("got %+v and %+v", p, sh)
	}
	if other, _ := (Family{}).Arm(mustOptions(t, "oracle=P", "max_format_errors=9")); string(other.Rest) == string(p.Rest) {
		t.Error("runs under other rules are arms of one player")
	}
	if _, ok := (Family{}).Arm(mustOptions(t, "oracle=base,P")); ok {
		t.Error("a run in two configurations is one arm")
	}
}

// sat plays a task by a baseline.
func sat(t testing.TB, s *Set, task family.Task, o family.Options, b family.Baseline) *Episode {
	t.Helper()
	e, err := s.Start(task, o, family.Manner{Interface: schemas.InterfaceBuiltin})
	if err != nil {
		t.Fatal(err)
	}
	next := b.Start(e, family.Seat{Task: task, Attempt: 1, Seed: 42, Player: b.Name})
	for e.Outcome() == "" {
		r, err := next()
		if err == nil {
			_, err = e.Act(r)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return e.(*Episode)
}

// someWorlds is a release with two instances of each world, under all six configurations.
func someWorlds(t testing.TB) (*Set, family.Options) {
	t.Helper()
	var list []*worlds.Instance
	for i, level := range []string{"k02", "n007", "n04"} {
		env := schemas.LuminaEnvs[i]
		list = append(list, world(t, env, "test", level, 0), world(t, env, "test", level, 8))
	}
	o := mustOptions(t, "oracle=all")
	return worldsUnder(t, o.Value.(schemas.LuminaOptions), list...), o
}

func runOf(s *Set, o family.Options, player, kind string) *schemas.Run {
	return &schemas.Run{
		Schema: schemas.RunSchema, Run: "r", ReleaseID: s.id, ManifestSHA256: s.manifestSHA256, Family: "lumina",
		Splits: []string{"grid/test", "list/test", "tree/test"}, Attempts: 1,
		Rules: schemas.Rules{Options: o.JSON, Interface: schemas.InterfaceBuiltin}, Model: schemas.Player{Name: player, Kind: kind},
	}
}

// writeRun writes a run directory.
func writeRun(t testing.TB, run *schemas.Run, records []family.Record) *trace.Log {
	t.Helper()
	dir := t.TempDir()
	var lines []byte
	for _, r := range records {
		lines = append(append(lines, canon.MustMarshal(r.Main)...), '\n')
	}
	for name, data := range map[string][]byte{trace.RunFile: canon.MustMarshal(run), episodesFile: lines} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	log, err := trace.Open(dir, Family{}.Layout())
	if err != nil {
		t.Fatal(err)
	}
	return log
}

func TestBaselinesPlayLegallyAndTheirRunsAreScored(t *testing.T) {
	s, o := someWorlds(t)
	for _, b := range s.Baselines() {
		run, played, splits := runOf(s, o, b.Name, b.Kind), []family.Record{}, []string{}
		for _, p := range s.Splits() {
			if !b.Plays(p.Name) {
				continue
			}
			splits = append(splits, p.Name)
			for _, task := range familytest.Tasks(t, s, p.Name) {
				e := sat(t, s, task, o, b)
				played = append(played, e.Record(family.Recording{Run: run, Attempt: 1}))
				if key, err := (Family{}).Layout().Key(canon.MustMarshal(played[len(played)-1].Main)); err != nil || key != (Family{}).Layout().Item(task.ID, 1) {
					t.Errorf("the line of %s belongs to %s, %v", task.ID, key, err)
				}
				for _, step := range e.steps {
					if step.Status != schemas.StatusLegal {
						t.Errorf("%s, %s: %s is %s", b.Name, task.ID, step.Reply, step.Status)
					}
				}
			}
		}
		run.Splits = splits
		scores, err := s.Score(writeRun(t, run, played), family.Request{Seed: 1})
		if err != nil || len(scores.Results) != len(played) || len(scores.Rows) == 0 {
			t.Fatalf("%s: %v", b.Name, err)
		}
		for _, r := range scores.Results {
			if b.Name == "optimal" && !r.Success {
				t.Errorf("optimal: %s ends with %s", r.Task, r.Outcome)
			}
		}
		for _, r := range scores.Rows {
			if r.Has("ORACLE") != (b.Kind == schemas.KindOracle || r.By[len(r.By)-1].Value != "base") {
				t.Errorf("%s, %v: flags %v", b.Name, r.By, r.Flags)
			}
		}
	}
}

func TestARunOfAFewInstancesIsOfThoseAlone(t *testing.T) {
	s, o := someWorlds(t)
	task := familytest.Tasks(t, s, "list/test")[0]
	run := runOf(s, mustOptions(t), "optimal", schemas.KindOracle)
	run.Splits, run.Instances = []string{"list/test"}, []string{task.Instance}
	e := sat(t, s, task, o, s.Baselines()[0])
	scores, err := s.Score(writeRun(t, run, []family.Record{e.Record(family.Recording{Run: run})}), family.Request{})
	if err != nil || scores.Rows[0].N != 1 || scores.Rows[0].Missing != 0 || !scores.Rows[0].Has("PARTIAL") {
		t.Errorf("got %+v, %v; want one instance, and a flag", scores.Rows[0], err)
	}
}

func TestACallAsTitleIsTheReplyOfAModel(t *testing.T) {
	s, o := someWorlds(t)
	task := familytest.Tasks(t, s, "list/test")[0]
	e, err := s.Start(task, o, family.Manner{Interface: schemas.InterfaceHTTP})
	if err != nil {
		t.Fatal(err)
	}
	call, nonsense, two := e.(*Episode).best[0].String(), "click it", 2
	for _, r := range []family.Reply{{Title: &nonsense, Strict: true}, {Choice: &two}, {Back: true}, {}} {
		if turn, err := e.Act(r); err == nil || e.Step() != 1 {
			t.Errorf("%+v: got %+v, %v, step %d; want a refusal", r, turn, err, e.Step())
		}
	}
	if turn, err := e.Act(family.Reply{Title: &nonsense}); err != nil || turn.Valid || turn.Reason != schemas.StatusFormatError {
		t.Errorf("got %+v, %v", turn, err)
	}
	if turn, err := e.Act(family.Reply{Title: &call}); err != nil || !turn.Valid || !e.(*Episode).steps[1].Optimal {
		t.Errorf("got %+v, %v", turn, err)
	}
}

// TestAnObservationTellsNoMoreThanTheMessages looks for the current list where no oracle tells it.
func TestAnObservationTellsNoMoreThanTheMessages(t *testing.T) {
	s, o := someWorlds(t)
	for _, task := range familytest.Tasks(t, s, "list/test") {
		e, err := s.Start(task, o, family.Manner{})
		if err != nil {
			t.Fatal(err)
		}
		for e.Outcome() == "" {
			var words strings.Builder
			for _, m := range e.Messages() {
				words.WriteString(m.Content)
			}
			seen := e.Observe().(Observation)
			if !strings.Contains(words.String(), seen.Message) || !strings.Contains(words.String(), seen.Rules) {
				t.Errorf("%s, step %d: %q is in no message", task.ID, seen.Step, seen.Message)
			}
			call := e.(*Episode).best[0].String()
			if _, err := e.Act(family.Reply{Title: &call}); err != nil {
				t.Fatal(err)
			}
		}
		if seen := e.Observe().(Observation); !seen.Done || seen.Message != "Task ended: success." {
			t.Errorf("%s: the last message is %q", task.ID, seen.Message)
		}
	}
}

func TestRepliesThatOutgrowTheRecordEndTheEpisodeAsInfra(t *testing.T) {
	s, o := someWorlds(t)
	task := familytest.Tasks(t, s, "list/test")[0]
	e, err := s.Start(task, o, family.Manner{})
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", maxSaid+1)
	if turn, err := e.Act(family.Reply{Text: &long}); err != nil || turn.Counted || e.Outcome() != schemas.OutcomeInfra {
		t.Errorf("got %+v, %v, %s", turn, err, e.Outcome())
	}
	rec := e.Record(family.Recording{Run: runOf(s, o, "m", "openai")}).Main.(schemas.LuminaEpisode)
	if len(rec.Steps) != 0 || rec.Reason == nil {
		t.Errorf("got %+v", rec)
	}
}

func TestEpisodesOfAnotherHarnessAreImportedByTheirReplies(t *testing.T) {
	s, o := someWorlds(t)
	list := world(t, "list", "test", "k02", 0)
	infra, gaveUp, m, other := schemas.OutcomeInfra, schemas.OutcomeGaveUp, "m", "other"
	won := episode(list, "P", golden(list))
	won.Model = &m
	broken, left, half, strange, odd, foreign := episode(list, "S", nil), episode(list, "base", nil), episode(list, "SP", golden(list)[:1]), won, won, won
	broken.Outcome, left.Outcome = &infra, &gaveUp
	strange.InstanceID, odd.Config = "list-k02-000000000000", "X"
	foreign.Config, foreign.Model = "SH", &other
	log := logOf(t, won, broken, left, half, strange, odd, foreign)
	read := func(model string) (*family.Imported, error) {
		return Family{}.Imports()[0].Read(s, log.Path, family.ImportRequest{
			Options: o, Model: model, Run: schemas.Run{ReleaseID: s.id, ManifestSHA256: s.manifestSHA256, Family: "lumina", Schema: schemas.RunSchema},
		})
	}
	if _, err := read(""); fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), "m, other") {
		t.Errorf("two models: got %v", err)
	}
	got, err := read("m")
	if err != nil {
		t.Fatal(err)
	}
	if im := string(canon.MustMarshal(got.Import.Rejected)); im != `{"infra":1,"not_ended":1,"other_model":1,"unknown_config":1,"unknown_instance":1}` || got.Import.Games != 2 || got.Import.Rows != 7 {
		t.Errorf("rejected %s, games %d of %d", im, got.Import.Games, got.Import.Rows)
	}
	if string(got.Run.Rules.Options) != `{"max_format_errors":3,"oracle":["base","P"]}` || !slices.Equal(got.Run.Splits, []string{"list/test"}) || got.Run.Model.Name != "m" {
		t.Errorf("got run %s", canon.MustMarshal(got.Run))
	}
	scores, err := s.Score(writeRun(t, &got.Run, got.Records), family.Request{Partial: true})
	if err != nil || len(scores.Results) != 2 {
		t.Fatalf("%v, %d results", err, len(scores.Results))
	}
	for i, want := range []string{schemas.OutcomeGaveUp, schemas.OutcomeSuccess} {
		if got := scores.Results[i].Outcome; got != want {
			t.Errorf("episode %d: %s, want %s", i, got, want)
		}
	}
}

func TestTheContractIsKept(t *testing.T) {
	s, o := someWorlds(t)
	nonsense := "I give no call."
	familytest.Check(t, familytest.Subject{
		Family: Family{}, Options: o, Set: s, Run: *runOf(s, o, "", ""), Wrong: family.Reply{Text: &nonsense},
	})
}
