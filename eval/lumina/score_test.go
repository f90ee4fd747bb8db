package lumina

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/lumina/worlds"
	"github.com/wikinav/wikinav/eval/calls"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/lumina/prompt"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

func world(t testing.TB, env, split, level string, index int) *worlds.Instance {
	return drawn(t, 42, env, split, level, index)
}

// worldsRelease is a release of the given instances, each world's in its split test.
func worldsRelease(t testing.TB, instances ...*worlds.Instance) *Set {
	t.Helper()
	return worldsUnder(t, Defaults(), instances...)
}

func worldsUnder(t testing.TB, opts schemas.LuminaOptions, instances ...*worlds.Instance) *Set {
	t.Helper()
	rel := &Set{name: "toy", id: "0123", manifestSHA256: strings.Repeat("a", 64), opts: opts, known: map[string]place{}, book: newBook(t)}
	for _, env := range schemas.LuminaEnvs {
		var list []*worlds.Instance
		for _, inst := range instances {
			if inst.Env == env {
				list = append(list, inst)
			}
		}
		if list != nil {
			p := &split{env: env, whole: true}
			p.Split = family.Split{Name: env + "/test", Requested: len(list), Got: len(list)}
			rel.splits = append(rel.splits, p)
			rel.add(p, list)
		}
	}
	return rel
}

// golden returns the calls of the optimal policy, from the rules alone.
func golden(inst *worlds.Instance) []string {
	var calls []string
	for s, outcome := inst.Start, ""; outcome == ""; {
		c := s.Optimal()[0]
		calls = append(calls, c.String())
		var e worlds.Effect
		s, e = s.Apply(c)
		outcome = e.Outcome
	}
	return calls
}

// episode makes a submission of nothing but replies; a call in angle brackets is a reply without a block.
func episode(inst *worlds.Instance, config string, made []string) toldEpisode {
	e := toldEpisode{LuminaEpisode: schemas.LuminaEpisode{InstanceID: inst.ID, Config: config}}
	for _, c := range made {
		reply := calls.Fence(c)
		if strings.HasPrefix(c, "<") {
			reply = c
		}
		e.Steps = append(e.Steps, toldStep{Reply: &reply})
	}
	return e
}

// logOf writes episodes into a file.
func logOf(t testing.TB, episodes ...toldEpisode) *trace.Log {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.jsonl")
	var text []byte
	for _, e := range episodes {
		if e.Steps == nil {
			e.Steps = []toldStep{}
		}
		text = append(append(text, canon.MustMarshal(e)...), '\n')
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return &trace.Log{Path: path, Layout: Family{}.Layout()}
}

func scoreWorlds(t testing.TB, rel *Set, episodes ...toldEpisode) (*family.Scores, error) {
	t.Helper()
	s, err := rel.Score(logOf(t, episodes...), family.Request{Seed: 42})
	if s == nil {
		t.Fatal(err)
	}
	return s, err
}

// figures gives success rate and step accuracy of a row as fractions, and how its episodes were lost.
func figures(r family.Row) string {
	sr, micro := r.Metrics[judge.MetricSuccess], r.Metrics[judge.MetricMicro]
	outcomes := map[string]int{}
	for k, n := range r.Outcomes {
		if k != schemas.OutcomeSuccess {
			outcomes[k] = n
		}
	}
	return fmt.Sprintf("%d/%d %d/%d %v", *sr.Num, sr.Den, *micro.Num, micro.Den, outcomes)
}

// mutants are the ways in which a golden trajectory of n calls is spoiled, with the exact score of each.
var mutants = []struct {
	name   string
	change func(calls []string) []string
	want   func(n int) string
}{
	{"golden", slices.Clone[[]string], func(n int) string { return fmt.Sprintf("1/1 %d/%d map[]", n, n) }},
	{"last one missing", func(c []string) []string { return c[:len(c)-1] }, func(n int) string {
		return fmt.Sprintf("0/1 %d/%d map[incomplete:1]", n-1, n-1)
	}},
	{"last one ill-formed", func(c []string) []string { return append(slices.Clone(c[:len(c)-1]), "<done>") }, func(n int) string {
		return fmt.Sprintf("0/1 %d/%d map[incomplete:1]", n-1, n)
	}},
	{"an ill-formed one more", func(c []string) []string { return append([]string{"<hm>"}, c...) }, func(n int) string {
		return fmt.Sprintf("1/1 %d/%d map[]", n, n+1)
	}},
	{"last two swapped", func(c []string) []string {
		return append(slices.Clone(c[:len(c)-2]), c[len(c)-1], c[len(c)-2])
	}, func(n int) string { return fmt.Sprintf("0/1 %d/%d map[wrong_terminal:1]", n-2, n-1) }},
	{"three ill-formed", func([]string) []string { return []string{"<a>", "<b>", "<c>", "<d>"} }, func(int) string { return "0/1 0/3 map[format:1]" }},
	{"empty", func([]string) []string { return nil }, func(int) string { return "0/1 0/0 map[incomplete:1]" }},
}

func TestGoldenTrajectoriesWinAndSpoiledOnesLoseExactlyWhatWasSpoiled(t *testing.T) {
	played := 0
	for _, name := range []struct {
		env, level string
		index      int
	}{
		{"list", "k02", 0},
		{"list", "k16", 1},
		{"list", "k16d25", 2},
		{"tree", "n007", 0},
		{"tree", "n031", 1},
		{"tree", "n063", 2},
		{"grid", "n04", 0},
		{"grid", "n08", 1},
		{"grid", "n16", 2},
	} {
		inst := world(t, name.env, "test", name.level, name.index)
		rel, calls := worldsRelease(t, inst), golden(inst)
		for _, config := range family.ConfigNames() {
			for _, m := range mutants {
				s, err := scoreWorlds(t, rel, episode(inst, config, m.change(calls)))
				if late := m.name == "three ill-formed" || m.name == "last two swapped"; late != (len(s.Disagreements) == 1) || late != (err != nil) {
					t.Errorf("%s, %s: %v, %v; want a reply after the end listed: %t", inst.ID, m.name, err, s.Disagreements, late)
				}
				if got, want := figures(s.Rows[0]), m.want(len(calls)); got != want {
					t.Errorf("%s, %s, %s: got %s, want %s", inst.ID, config, m.name, got, want)
				}
				played++
			}
		}
	}
	t.Logf("%d scores", played)
}

// expect counts by the rules alone what a sequence of calls comes to; a nil call is an ill-formed reply.
func expect(inst *worlds.Instance, calls []*worlds.Call) string {
	s, optimal, counted, row, outcome := inst.Start, 0, 0, 0, ""
	for turn := 1; turn <= len(calls) && outcome == ""; turn++ {
		c := calls[turn-1]
		if !s.Dead() {
			counted++
		}
		if c == nil {
			if row++; row == 3 {
				outcome = "format"
			}
		} else {
			row = 0
			if !s.Dead() && slices.Contains(s.Optimal(), *c) {
				optimal++
			}
			var e worlds.Effect
			s, e = s.Apply(*c)
			outcome = e.Outcome
		}
		if outcome == "" && turn == inst.TMax {
			outcome = "turns"
		}
	}
	switch outcome {
	case "success":
		return fmt.Sprintf("1/1 %d/%d map[]", optimal, counted)
	case "":
		outcome = "incomplete"
	}
	return fmt.Sprintf("0/1 %d/%d map[%s:1]", optimal, counted, outcome)
}

// TestEverySingleSpoiledTurnIsScoredAsTheRulesSay spoils each turn in each way: dropped, doubled, ill-formed, replaced by each other call,
// swapped with the next.
func TestEverySingleSpoiledTurnIsScoredAsTheRulesSay(t *testing.T) {
	spoiled, stillWon := 0, 0
	for _, name := range []struct {
		env, level string
		index      int
	}{{"list", "k04", 0}, {"list", "k08d50", 1}, {"tree", "n007", 0}, {"tree", "n007", 8}, {"tree", "n015", 9}, {"grid", "n04", 0}, {"grid", "n06", 1}} {
		inst := world(t, name.env, "test", name.level, name.index)
		rel := worldsRelease(t, inst)
		check := func(calls []*worlds.Call) {
			texts := make([]string, len(calls))
			for i, c := range calls {
				texts[i] = "<nothing>"
				if c != nil {
					texts[i] = c.String()
				}
			}
			s, _ := scoreWorlds(t, rel, episode(inst, "base", texts))
			got, want := figures(s.Rows[0]), expect(inst, calls)
			if got != want {
				t.Errorf("%s, %v: got %s, want %s", inst.ID, texts, got, want)
			}
			spoiled++
			if strings.HasPrefix(got, "1/1") {
				stillWon++
			}
		}
		calls, others := goldenCalls(inst)
		for i := range calls {
			check(slices.Concat(calls[:i], calls[i+1:]))
			check(slices.Concat(calls[:i+1], calls[i:]))
			check(slices.Concat(calls[:i], []*worlds.Call{nil}, calls[i+1:]))
			for _, other := range others[i] {
				check(slices.Concat(calls[:i], []*worlds.Call{other}, calls[i+1:]))
			}
			if i > 0 {
				check(slices.Concat(calls[:i-1], []*worlds.Call{calls[i], calls[i-1]}, calls[i+1:]))
			}
		}
	}
	t.Logf("%d spoiled trajectories, %d of them still win by the rules", spoiled, stillWon)
}

// goldenCalls returns the optimal calls, and for each turn all legal calls that are not optimal there.
func goldenCalls(inst *worlds.Instance) (calls []*worlds.Call, others [][]*worlds.Call) {
	for s, outcome := inst.Start, ""; outcome == ""; {
		best := s.Optimal()
		var rest []*worlds.Call
		for _, c := range s.Legal() {
			if !slices.Contains(best, c) {
				rest = append(rest, &c)
			}
		}
		calls, others = append(calls, &best[0]), append(others, rest)
		var e worlds.Effect
		s, e = s.Apply(best[0])
		outcome = e.Outcome
	}
	return calls, others
}

func TestWorkedExampleOfTheWorldsMetrics(t *testing.T) {
	inst := listOf(t, []int{4, 9, 7}, []int{4, 7})
	rel := worldsRelease(t, inst)
	s, err := scoreWorlds(t, rel, episode(inst, "base", []string{"pop(5)", "pop(1)", "done()"}))
	m := s.Rows[0].Metrics
	if err != nil || figures(s.Rows[0]) != "1/1 2/3 map[]" || *m[metricExcess].Value != "1.00000e+00" || *m[judge.MetricPredicted].Value != "4.44444e-01" || *m[judge.MetricGap].Value != "5.55556e-01" {
		t.Errorf("got %v, %s, %s", err, figures(s.Rows[0]), canon.MustMarshal(m))
	}
	s, _ = scoreWorlds(t, rel, episode(inst, "base", []string{"<prose>", "pop(0)"}))
	if got, want := figures(s.Rows[0]), "0/1 0/2 map[irrecoverable:1]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestALuckyAnswerWinsAndIsNotOptimal(t *testing.T) {
	inst := world(t, "tree", "test", "n007", 8) // absent
	s, _ := scoreWorlds(t, worldsRelease(t, inst), episode(inst, "base", []string{"unreachable()"}))
	if got, want := figures(s.Rows[0]), "1/1 0/1 map[]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestQueriesOfATreeAreCounted(t *testing.T) {
	inst := world(t, "tree", "test", "n007", 0) // target below fr4kg9
	calls := []string{`get_children("hwd836")`, `get_children("hwd836")`, `get_children("fr4kg9")`, `found("ymajfx")`}
	s, _ := scoreWorlds(t, worldsRelease(t, inst), episode(inst, "base", calls))
	m := s.Rows[0].Metrics
	got := fmt.Sprint(*m[metricOnPath].Num, m[metricOnPath].Den, *m[metricRedundant].Num, m[metricRedundant].Den, *m[metricExcessQueries].Num, m[metricExcessQueries].Den)
	if got != "1 3 1 3 2 1" || figures(s.Rows[0]) != "1/1 3/4 map[]" {
		t.Errorf("got %s, %s; want 1 3 1 3 2 1, 1/1 3/4", got, figures(s.Rows[0]))
	}
}

func TestDeadStepsCountApart(t *testing.T) {
	inst := world(t, "grid", "test", "n04", 0)
	for last, want := range map[string]string{ // in a hole, 1 move left, 4 needed: both calls end the episode
		"down()": "0/1 3/5 map[budget:1] 4 6 1 6", // optimal
		"up()":   "0/1 3/5 map[budget:1] 3 6 1 6", // off the board
	} {
		s, _ := scoreWorlds(t, worldsRelease(t, inst), episode(inst, "base", []string{"left()", "left()", "left()", "right()", "left()", last}))
		m := s.Rows[0].Metrics
		got := fmt.Sprintf("%s %d %d %d %d", figures(s.Rows[0]), *m[metricMicroAll].Num, m[metricMicroAll].Den, *m[judge.MetricDead].Num, m[judge.MetricDead].Den)
		if got != want {
			t.Errorf("%s: got %s, want %s", last, got, want)
		}
	}
}

// recorded returns the full record of an optimal episode, as play writes it.
func recorded(t testing.TB, rel *Set, inst *worlds.Instance, cfg family.Config) schemas.LuminaEpisode {
	t.Helper()
	e, err := New(inst, cfg, Defaults(), rel.book, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := schemas.LuminaEpisode{
		Schema: schemas.LuminaEpisodeSchema, InstanceID: inst.ID, ManifestSHA256: rel.manifestSHA256, Config: cfg.String(),
		TemplateSHA256: prompt.TemplateSHA256(inst.Env), FewshotSHA256: e.fewshot,
	}
	for !e.Done() {
		r.Steps = append(r.Steps, e.Play(calls.Fence(e.best[0].String())))
	}
	r.Outcome = e.Outcome()
	return r
}

func told(t testing.TB, record any) toldEpisode {
	t.Helper()
	var e toldEpisode
	if err := json.Unmarshal(canon.MustMarshal(record), &e); err != nil {
		t.Fatal(err)
	}
	return e
}

func TestWhateverTheLogSaysBesideRepliesIsCheckedAndNeverTrusted(t *testing.T) {
	inst := world(t, "grid", "test", "n04", 0)
	rel := worldsRelease(t, inst)
	other := "other"
	for field, change := range map[string]func(*schemas.LuminaEpisode){
		"":                func(*schemas.LuminaEpisode) {},
		"manifest_sha256": func(e *schemas.LuminaEpisode) { e.ManifestSHA256 = other },
		"template_sha256": func(e *schemas.LuminaEpisode) { e.TemplateSHA256 = other },
		"fewshot_sha256":  func(e *schemas.LuminaEpisode) { e.FewshotSHA256 = other },
		"outcome":         func(e *schemas.LuminaEpisode) { e.Outcome = schemas.OutcomeBudget },
		"t":               func(e *schemas.LuminaEpisode) { e.Steps[1].T = 7 },
		"state_digest":    func(e *schemas.LuminaEpisode) { e.Steps[1].StateDigest = other },
		"action":          func(e *schemas.LuminaEpisode) { e.Steps[1].Action = &other },
		"status":          func(e *schemas.LuminaEpisode) { e.Steps[1].Status = schemas.StatusIllegal },
		"optimal":         func(e *schemas.LuminaEpisode) { e.Steps[1].Optimal = false },
		"dead":            func(e *schemas.LuminaEpisode) { e.Steps[1].Dead = true },
		"a_star":          func(e *schemas.LuminaEpisode) { e.Steps[1].AStar = []string{"up()"} },
		"obs":             func(e *schemas.LuminaEpisode) { e.Steps[1].Obs = other },
		"prompt_sha256":   func(e *schemas.LuminaEpisode) { e.Steps[1].PromptSHA256 = other },
	} {
		record := recorded(t, rel, inst, family.Configs[5])
		change(&record)
		s, err := scoreWorlds(t, rel, told(t, record))
		var fields []string
		for _, d := range s.Disagreements {
			fields = append(fields, d.Field)
		}
		if got := strings.Join(fields, ","); got != field || (fault.KindOf(err) == fault.Mismatch) != (field != "") {
			t.Errorf("changed %q: listed %q, %v", field, got, err)
		}
		if got, want := figures(s.Rows[0]), "1/1 6/6 map[]"; got != want {
			t.Errorf("changed %q: got %s, want %s", field, got, want)
		}
	}
}

func TestAClaimedSuccessIsNoSuccess(t *testing.T) {
	inst := world(t, "list", "test", "k02", 0)
	success := schemas.OutcomeSuccess
	e := episode(inst, "base", []string{"done()"})
	e.Outcome = &success
	s, err := scoreWorlds(t, worldsRelease(t, inst), e)
	if fault.KindOf(err) != fault.Mismatch || figures(s.Rows[0]) != "0/1 0/1 map[wrong_terminal:1]" {
		t.Errorf("got %v, %s", err, figures(s.Rows[0]))
	}
}

func TestInfraIsCountedApartAndStopsAScore(t *testing.T) {
	a, b := world(t, "list", "test", "k02", 0), world(t, "list", "test", "k02", 1)
	rel, infra := worldsRelease(t, a, b), schemas.OutcomeInfra
	failed := episode(b, "base", golden(b)[:1])
	failed.Outcome = &infra
	o, err := Family{}.Options([]string{"oracle=base"})
	if err != nil {
		t.Fatal(err)
	}
	run := runOf(rel, o, "m", schemas.KindOpenAI)
	run.Splits, run.RulesSHA256 = []string{"list/test"}, family.RulesSHA256(run.Rules)
	list := []family.Record{{Main: episode(a, "base", golden(a))}, {Main: failed}}
	log := writeRun(t, run, list)
	s, err := rel.Score(log, family.Request{})
	if fault.KindOf(err) != fault.Failure || s.Rows[0].Metrics != nil || s.Rows[0].Infra != 1 {
		t.Errorf("got %v, %+v; want no score", err, s.Rows[0])
	}
	s, err = rel.Score(log, family.Request{MaxInfra: 1})
	if err != nil || figures(s.Rows[0]) != "1/1 3/3 map[infra:1]" || !s.Rows[0].Has("INFRA 1/2") {
		t.Errorf("got %v, %s; want one episode of three steps", err, figures(s.Rows[0]))
	}
	s, err = scoreWorlds(t, rel, episode(a, "base", golden(a)), failed) // who else knows that an endpoint failed?
	if fault.KindOf(err) != fault.Mismatch || s.Rows[0].Infra != 0 || figures(s.Rows[0]) != "1/2 4/4 map[gave_up:1]" || s.Disagreements[0].Line != 2 {
		t.Errorf("claimed: %v, %s", err, figures(s.Rows[0]))
	}
	whole := episode(b, "base", golden(b)) // infra after the end is a lie
	whole.Outcome = &infra
	if s, err = scoreWorlds(t, rel, whole); fault.KindOf(err) != fault.Mismatch || s.Rows[0].Infra != 0 {
		t.Errorf("got %v, %d infra; want the replay's success", err, s.Rows[0].Infra)
	}
}

func TestMissingEpisodesAreFailuresUnlessTheScoreIsPartial(t *testing.T) {
	a, b := world(t, "list", "test", "k02", 0), world(t, "list", "test", "k02", 1)
	log := logOf(t, episode(a, "base", golden(a)))
	for partial, want := range map[bool]string{false: "1/2 3/3 map[]", true: "1/1 3/3 map[]"} {
		s, err := worldsRelease(t, a, b).Score(log, family.Request{Partial: partial})
		if err != nil || figures(s.Rows[0]) != want || s.Rows[0].Missing != 1 {
			t.Errorf("partial %t: got %v, %s, %d missing; want %s", partial, err, figures(s.Rows[0]), s.Rows[0].Missing, want)
		}
	}
}

func TestConfigurationsAreComparedByInstance(t *testing.T) {
	var list []*worlds.Instance
	var episodes []toldEpisode
	for i := range 8 {
		inst := world(t, "list", "test", "k02", i)
		list = append(list, inst)
		without := golden(inst)
		if i < 5 {
			without = []string{"done()"}
		}
		episodes = append(episodes, episode(inst, "base", without), episode(inst, "P", golden(inst)))
	}
	s, err := scoreWorlds(t, worldsRelease(t, list...), episodes...)
	if err != nil || len(s.Pairs) != 2 { // all levels, k02
		t.Fatalf("got %v, %d pairs", err, len(s.Pairs))
	}
	p := s.Pairs[0]
	if got := fmt.Sprintf("%s %s %s %d %d/%d %d %d %s", p.Effect, p.With, p.Without, p.N, *p.Success.Num, p.Success.Den, p.OnlyWith, p.OnlyNot, *p.McNemar); got != "P P base 8 5/8 5 0 6.25000e-02" {
		t.Errorf("got %s", got)
	}
	if *p.Success.Lo >= *p.Success.Hi || *p.Accuracy.Value != "3.57143e-01" { // 24/24 - 9/14
		t.Errorf("got success %s, accuracy %s", canon.MustMarshal(p.Success), canon.MustMarshal(p.Accuracy))
	}
	if s.Effects[0].Value != nil {
		t.Errorf("the effect of P has a value, %s, without all its pairs", *s.Effects[0].Value)
	}
}

func TestTheJudgeOfWorldsSharesNoCodeWithTheGenerator(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(out), "artifacts/lumina/worlds\n") {
		t.Errorf("the judge does not depend on the rules, so this test looks at the wrong thing:\n%s", out)
	}
	for _, name := range []string{"artifacts/lumina/worlds/draw", "/stages/"} {
		if strings.Contains(string(out), name) {
			t.Errorf("the judge depends on %s: it must not trust the generator", name)
		}
	}
}
