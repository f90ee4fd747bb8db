package report_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/eval/wikirace"
	"github.com/wikinav/wikinav/eval/wikirace/racetest"
	"github.com/wikinav/wikinav/schemas"
)

// g9 is a set of four games of G9, 5, 4, 4 and 4 links long.
type g9 struct {
	*links.Set
	lengths map[string]int
}

func (s g9) Difficulty(id string) (family.Difficulty, bool) {
	return family.Difficulty{Length: s.lengths[id], Called: "distance"}, true
}

func newG9() g9 {
	w, s := gametest.G9(), g9{lengths: map[string]int{}}
	split := replay.Split{Split: family.Split{Name: "easy", Requested: 4, Got: 4}}
	for i, source := range []uint32{0, 1, 2, 3} {
		inst := racetest.Instance(w, fmt.Sprintf("wr-easy-%04d", i+1), source, 8)
		split.Tasks = append(split.Tasks, game.Task{ID: inst.ID, Source: inst.Source, Target: inst.Target, Seed: inst.Seed, Length: inst.Distance})
		s.lengths[inst.ID] = inst.Distance
	}
	s.Set = links.New(replay.Release{
		Family: wikirace.Family.Name(), Name: "g9", ID: "id", ManifestSHA256: "sum", Defaults: game.Defaults(), Splits: []replay.Split{split},
		World:   func(schemas.GameOptions) (game.World, error) { return w, nil },
		Resolve: func(bool) (func(string) (uint32, bool), error) { return w.Node, nil },
	}, func(t game.Task, split string) links.Info { return links.InfoOf(t, split, 0, 0) })
	return s
}

// arm is a run of the model m in a configuration; ways tells how each of the four instances is played.
func arm(oracle, plan, ways string) report.Run {
	opts := game.Defaults()
	opts.Oracle, opts.Plan, opts.Renderer = oracle, plan, map[bool]string{true: game.RendererFresh, false: game.RendererChat}[strings.Contains(oracle, "H")]
	return armUnder(opts, ways)
}

// armUnder has a log of the four: W wins along a shortest path, L moves away from the target once and gives
// up, - gives up at once.
func armUnder(opts schemas.GameOptions, ways string) report.Run {
	set := newG9()
	rules := schemas.Rules{Options: json.RawMessage(game.OptionsJSON(opts)), Interface: schemas.InterfaceChat}
	log := &replay.Log{Log: &trace.Log{Path: opts.Oracle, Run: &schemas.Run{
		Run: opts.Oracle, ReleaseID: "id", ManifestSHA256: "sum", Family: wikirace.Family.Name(), Splits: []string{"easy"}, Attempts: 1,
		Rules: rules, RulesSHA256: family.RulesSHA256(rules), Model: schemas.Player{Name: "m"},
	}}}
	gaveUp := schemas.OutcomeGaveUp
	tasks, _ := set.Tasks("easy", 0)
	for i, way := range ways {
		titles := map[rune][]string{'W': {"ABEGHT", "BEGHT", "CEGHT", "DFGHT"}, 'L': {"A", "BC", "CA", "DB"}, '-': {"A", "B", "C", "D"}}[way][i]
		g := replay.Game{Instance: tasks[i].ID, Attempt: 1}
		for _, title := range strings.Split(titles, "") {
			g.Path = append(g.Path, replay.Page{Title: title, Named: true})
		}
		if way != 'W' {
			g.Outcome = &gaveUp
		}
		log.Games = append(log.Games, g)
	}
	s, err := log.Score(set.Release(), family.Request{})
	if err != nil {
		panic(fmt.Sprint(err, s))
	}
	return report.Run{Name: opts.Oracle + opts.Plan, Scores: s, Set: set}
}

func value(t *testing.T, v report.Intervention, effect string) string {
	t.Helper()
	for _, e := range v.Effects {
		if e.Effect == effect && e.Value != nil {
			return *e.Value
		}
	}
	return "-"
}

func TestTheSixConfigurationsOfAPlayerAreComparedByInstance(t *testing.T) {
	in := report.Input{Family: wikirace.Family, Seed: 42}
	for config, won := range map[string]string{"base": "----", "P": "W---", "S": "--W-", "SP": "WWW-", "SH": "W-WW", "SPH": "WWWW"} {
		in.Runs = append(in.Runs, arm(config, "", won))
	}
	in.Runs = append(in.Runs, arm("D", "", "WWWW"), arm("none", "", "WWWW"))
	got := report.New(in).Interventions
	if len(got) != 1 || len(got[0].Configs) != 6 || len(got[0].Pairs) != 7 {
		t.Fatalf("got %+v", got)
	}
	// P: (1/4 + 2/4 + 1/4)/3; S: (1/4 + 2/4)/2; H: (2/4 + 1/4)/2.
	for effect, want := range map[string]string{"P": "3.33333e-01", "S": "3.75000e-01", "H": "3.75000e-01"} {
		if v := value(t, got[0], effect); v != want {
			t.Errorf("effect of %s: %s, want %s", effect, v, want)
		}
	}
	p := got[0].Pairs[1] // SP against S
	if p.With != "SP" || p.Without != "S" || p.N != 4 || p.OnlyWith != 2 || p.OnlyNot != 0 || *p.McNemar != "5.00000e-01" {
		t.Errorf("got %+v", p)
	}
	text := string(report.New(in).Text())
	if !strings.Contains(text, "Configurations: m on easy") || !strings.Contains(text, "Oracles: m on easy") {
		t.Errorf("no tables of the configurations in\n%s", text)
	}
}

// TestPredictionsComeFromTheArmsOwnSteps: G9's instances are 5, 4, 4, 4 links long. S wins the first in five optimal steps; in the others the
// player makes a step that is not optimal and gives up.
func TestPredictionsComeFromTheArmsOwnSteps(t *testing.T) {
	in := report.Input{Family: wikirace.Family, Seed: 42, Runs: []report.Run{arm("base", "", "W---"), arm("S", "", "WLLL")}}
	rows := report.New(in).Interventions[0].Configs
	m := rows[1].Metrics
	// The step accuracy is 5/8, and the prediction the mean of (5/8)^5 and three times (5/8)^4.
	want := fmt.Sprintf("%.5e", (0.625*0.625*0.625*0.625*0.625+3*0.625*0.625*0.625*0.625)/4)
	if *m[judge.MetricMicro].Value != "6.25000e-01" || *m[judge.MetricPredicted].Value != want || *m[judge.MetricSuccess].Value != "2.50000e-01" {
		t.Errorf("got %s, %s, %s; want %s", *m[judge.MetricMicro].Value, *m[judge.MetricPredicted].Value, *m[judge.MetricSuccess].Value, want)
	}
	if l := m[judge.MetricLoops]; *l.Num != 0 || l.Den != 4 || m[judge.MetricRecovery].Value != nil || *m[judge.MetricVisitation].Value != "1.00000e+00" {
		t.Errorf("loops %+v, recovery %+v", l, m[judge.MetricRecovery])
	}
}

func TestRunsThatDifferInMoreThanTheConfigurationAreNotCompared(t *testing.T) {
	opts := game.Defaults()
	opts.Oracle, opts.Renderer, opts.Order = "P", game.RendererChat, game.OrderTitle
	other := armUnder(opts, "WWWW")
	in := report.Input{Family: wikirace.Family, Seed: 42, Runs: []report.Run{arm("base", "", "----"), other}}
	if got := report.New(in).Interventions; len(got) != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestPlansOfTwoStrengthsAreComparedApart(t *testing.T) {
	in := report.Input{Family: wikirace.Family, Seed: 42, Runs: []report.Run{arm("base", "", "----"), arm("P", "", "W---"), arm("P", "path", "WWWW")}}
	got := report.New(in).Interventions
	if len(got) != 2 || got[0].Plan != "" || got[1].Plan != "path" || *got[0].Pairs[0].Success.Num != 1 || *got[1].Pairs[0].Success.Num != 4 {
		t.Errorf("got %+v", got)
	}
	if value(t, got[0], "P") != "-" {
		t.Error("an effect is told though not every pair was played")
	}
}

// TestVariantsOfOneRunAreComparedAsItsScoreDoes has a score with a comparison of two variants.
func TestVariantsOfOneRunAreComparedAsItsScoreDoes(t *testing.T) {
	run := played(t, "m", "w0 l l l")
	by := func(v string) []family.Group { return []family.Group{{Name: family.GroupVariant, Value: v}} }
	half := "5.00000e-01"
	run.Scores.Rows = []family.Row{{Split: "easy", By: by("base"), N: 4, Flags: []string{}}, {Split: "easy", By: by("P"), N: 4, Flags: []string{}}}
	run.Scores.Pairs = []family.Pair{
		{Split: "easy", Contrast: judge.Contrast{Effect: "P", With: "P", Without: "base", N: 4}},
		{Split: "easy", By: []family.Group{{Name: "level", Value: "1"}}, Contrast: judge.Contrast{Effect: "P", N: 2}},
	}
	run.Scores.Effects = []family.Effect{{Split: "easy", Change: judge.Change{Effect: "P", Value: &half}}}
	got := report.New(report.Input{Family: fam, Runs: []report.Run{run}}).Interventions
	if len(got) != 1 || len(got[0].Configs) != 2 || got[0].Configs[1].Config != "P" || len(got[0].Pairs) != 1 || value(t, got[0], "P") != half {
		t.Errorf("got %+v", got)
	}
}

func TestEffectsAreMatchedWhereSuccessIsNearestToOneHalf(t *testing.T) {
	// Of the instances of length 4 base wins one of three, of length 5 none.
	runs := []report.Run{arm("base", "", "-W--"), arm("P", "", "WWWW")}
	r := report.New(report.Input{Family: wikirace.Family, Seed: 1, Runs: runs})
	if len(r.Matched) != 1 || len(r.Matched[0].Rows) != 1 {
		t.Fatalf("matched %+v of %+v", r.Matched, r.Interventions)
	}
	row := r.Matched[0].Rows[0]
	if row.Name != "4" || *row.Base.Num != 1 || row.Base.Den != 3 || len(r.Interventions[0].Levels) != 2 {
		t.Errorf("got %+v of %+v", row, r.Interventions[0].Levels)
	}
}
