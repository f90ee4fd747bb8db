package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

// arm is a run of the model m in a configuration; ways tells how each of the four instances is played.
func arm(oracle, plan, ways string) report.Run {
	opts := game.Defaults()
	opts.Oracle, opts.Plan, opts.Renderer = oracle, plan, map[bool]string{true: game.RendererFresh, false: game.RendererChat}[strings.Contains(oracle, "H")]
	log, rel := armLog(opts, ways)
	s, err := judge.Score(rel, log, judge.Request{})
	if err != nil {
		panic(fmt.Sprint(err, s))
	}
	return report.Run{Name: oracle + plan, Scores: s, Options: &opts}
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
	in := report.Input{Release: g9(), Seed: 42}
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
	in := report.Input{Release: g9(), Seed: 42, Runs: []report.Run{arm("base", "", "W---"), arm("S", "", "WLLL")}}
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
	other := arm("P", "", "WWWW")
	opts := *other.Options
	opts.Order = game.OrderTitle
	other.Options = &opts
	in := report.Input{Release: g9(), Seed: 42, Runs: []report.Run{arm("base", "", "----"), other}}
	if got := report.New(in).Interventions; len(got) != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestPlansOfTwoStrengthsAreComparedApart(t *testing.T) {
	in := report.Input{Release: g9(), Seed: 42, Runs: []report.Run{arm("base", "", "----"), arm("P", "", "W---"), arm("P", "path", "WWWW")}}
	got := report.New(in).Interventions
	if len(got) != 2 || got[0].Plan != "" || got[1].Plan != "path" || *got[0].Pairs[0].Success.Num != 1 || *got[1].Pairs[0].Success.Num != 4 {
		t.Errorf("got %+v", got)
	}
	if value(t, got[0], "P") != "-" {
		t.Error("an effect is told though not every pair was played")
	}
}

// armLog is a log of G9's four instances: W wins along a shortest path, L moves away from the target once and gives up, - gives up at once.
func armLog(opts schemas.GameOptions, ways string) (*trace.GameLog, judge.Release) {
	rel := g9()
	run := schemas.GameRun{
		Run: opts.Oracle, ReleaseID: "id", ManifestSHA256: "sum", Splits: []string{"easy"}, Attempts: 1, Options: opts,
		OptionsSHA256: game.OptionsSHA256(opts), Model: schemas.Model{Name: "m"},
	}
	log := &trace.GameLog{Path: opts.Oracle, Run: &run}
	gaveUp := schemas.OutcomeGaveUp
	for i, way := range ways {
		titles := map[rune][]string{'W': {"ABEGHT", "BEGHT", "CEGHT", "DFGHT"}, 'L': {"A", "BC", "CA", "DB"}, '-': {"A", "B", "C", "D"}}[way][i]
		g := trace.Game{Instance: rel.Splits[0].Instances[i].ID, Attempt: 1}
		for _, title := range strings.Split(titles, "") {
			g.Path = append(g.Path, trace.Page{Title: title, Named: true})
		}
		if way != 'W' {
			g.Outcome = &gaveUp
		}
		log.Games = append(log.Games, g)
	}
	return log, rel
}
