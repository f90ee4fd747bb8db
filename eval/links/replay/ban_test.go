package replay_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/constrained/bantest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
)

func banOptions(t testing.TB, pairs ...string) schemas.GameOptions {
	t.Helper()
	opts := game.BanDefaults()
	for _, p := range append([]string{"target_intro=0"}, pairs...) {
		name, value, _ := strings.Cut(p, "=")
		if err := game.SetOption(&opts, name, value); err != nil {
			t.Fatal(err)
		}
	}
	return opts
}

func banRelease(w *gametest.World, feasible []schemas.ConstrainedInstance, infeasible []schemas.ConstrainedInstance) replay.Release {
	with := replay.Split{Split: family.Split{Name: withPath, Requested: len(feasible), Got: len(feasible)}, Groups: []replay.Group{}}
	for _, inst := range feasible {
		with.Tasks = append(with.Tasks, bantest.TaskOf(inst))
	}
	without := replay.Split{Split: family.Split{Name: withoutPath, Closed: true}, Pathless: true}
	for _, inst := range infeasible {
		without.Tasks = append(without.Tasks, bantest.TaskOf(inst))
	}
	return releaseOf(w, "bans", game.BanDefaults(), with, without)
}

const (
	withPath    = "instances"
	withoutPath = "infeasible"
)

func banRun(opts schemas.GameOptions, sets ...string) *schemas.Run {
	return newRun(opts, "bans", sets...)
}

// moves plays titles in turn; one that is no link is an invalid reply.
func moves(w *gametest.World, titles string) behaviour {
	list := strings.Fields(titles)
	return func(g *game.Game, _ *rng.Stream) game.Move {
		title := list[0]
		list = list[1:]
		u, known := w.Node(title)
		if i, ok := g.Offers(u); known && ok {
			return game.Pick(i)
		}
		return game.NoMove(game.ReasonNotALink)
	}
}

// k7Log is the four episodes of the constrained specification, 6.
func k7Log(t testing.TB, w *gametest.World) (*replay.Log, []schemas.ConstrainedInstance) {
	t.Helper()
	opts := banOptions(t)
	log := newLog("k7", banRun(opts, withPath))
	var instances []schemas.ConstrainedInstance
	for i, titles := range []string{"A C D T", "A B T", "A B Paris", "A A"} {
		inst := bantest.Banned(w, fmt.Sprintf("cw-%04d", i+1), 0, 5, "Work")
		instances = append(instances, inst)
		log.Games = append(log.Games, simulateTask(t, opts, w, bantest.TaskOf(inst), moves(w, titles)))
	}
	return log, instances
}

func TestTheHandVectorsOfGamesWithABan(t *testing.T) {
	w := gametest.K7()
	log, instances := k7Log(t, w)
	if inst := instances[0]; inst.BaselineLength != 3 || inst.ConstrainedLength != 4 {
		t.Fatalf("K7: %d and %d links, want 3 and 4", inst.BaselineLength, inst.ConstrainedLength)
	}
	s, err := log.Score(banRelease(w, instances, nil), family.Request{})
	if err != nil {
		t.Fatalf("%v: %+v", err, s)
	}
	m := s.Rows[0].Metrics
	for name, want := range map[string][2]int64{
		replay.MetricSR: {1, 4}, replay.MetricCR: {2, 4}, replay.MetricCVR: {2, 4}, replay.MetricCVRReach: {1, 4}, replay.MetricPerStep: {2, 10},
		replay.MetricFirst: {4, 2}, replay.MetricRecoverBan: {1, 2}, replay.MetricInvalidEnd: {2, 4}, replay.MetricRevisitEnd: {0, 4}, replay.MetricLimitEnd: {0, 4},
	} {
		if got := m[name]; got.Num == nil || *got.Num != want[0] || got.Den != want[1] {
			t.Errorf("%s: got %s, want %v", name, text(got), want)
		}
	}
	for name, den := range map[string]int64{replay.MetricPE: 1, replay.MetricPEReach: 2} {
		if got := m[name]; got.Den != den || got.Value == nil || *got.Value != "1.00000e+00" {
			t.Errorf("%s: got %s, want 1 over %d", name, text(got), den)
		}
	}
}

func text(m judge.Metric) string {
	num, value := "null", "null"
	if m.Num != nil {
		num = strconv.FormatInt(*m.Num, 10)
	}
	if m.Value != nil {
		value = *m.Value
	}
	return fmt.Sprintf("%s/%d = %s", num, m.Den, value)
}

// The other bans of K7: Place leaves the baseline, Event leaves nothing.
func TestTheOtherBansOfTheWorkedExample(t *testing.T) {
	w := gametest.K7()
	if got := bantest.Banned(w, "x", 0, 5, "Place").ConstrainedLength; got != 3 {
		t.Errorf("ban of Place: %d links, want 3", got)
	}
	inst := bantest.Banned(w, "cx-0001", 0, 5, "Event")
	if inst.ConstrainedLength != int(schemas.Unreached) {
		t.Fatalf("ban of Event: %d links, want none", inst.ConstrainedLength)
	}
	opts := banOptions(t, "no_path=on")
	admit := func(*game.Game, *rng.Stream) game.Move { return game.Move{NoPath: true} }
	other := inst
	other.ID = "cx-0002"
	log := newLog("x", banRun(opts, withoutPath))
	log.Games = []replay.Game{
		simulateTask(t, opts, w, bantest.TaskOf(inst), admit),
		simulateTask(t, opts, w, bantest.TaskOf(other), moves(w, "A B T")),
	}
	s, err := log.Score(banRelease(w, nil, []schemas.ConstrainedInstance{inst, other}), family.Request{})
	if err != nil {
		t.Fatalf("%v: %+v", err, s)
	}
	if got := s.Rows[0]; got.Split != withoutPath || text(got.Metrics[replay.MetricRefusal]) != "1/2 = 5.00000e-01" || got.Outcomes[schemas.OutcomeNoPath] != 1 {
		t.Errorf("refusals: %+v", got)
	}
	if _, there := s.Rows[0].Metrics[replay.MetricSR]; there {
		t.Error("infeasible pairs have a success rate")
	}
}

func TestEmptyDenominatorsOfGamesWithABanAreNull(t *testing.T) {
	w := gametest.K7()
	opts := banOptions(t)
	inst := bantest.Banned(w, "cw-0001", 0, 5, "Work")
	log := newLog("x", banRun(opts, withPath))
	rel := banRelease(w, []schemas.ConstrainedInstance{inst}, nil)
	s, err := log.Score(rel, family.Request{Partial: true})
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range s.Rows[0].Metrics {
		if m.Value != nil {
			t.Errorf("no episode, %s: got %s, want null", name, *m.Value)
		}
	}
	log.Games = []replay.Game{simulateTask(t, opts, w, bantest.TaskOf(inst), moves(w, "Paris"))}
	if s, err = log.Score(rel, family.Request{}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		replay.MetricSR: true, replay.MetricCR: true, replay.MetricCVR: true, replay.MetricCVRReach: true, replay.MetricPE: false, replay.MetricPEReach: false,
		replay.MetricPerStep: false, replay.MetricFirst: false, replay.MetricRecoverBan: false,
	} {
		if got := s.Rows[0].Metrics[name].Value != nil; got != want {
			t.Errorf("one episode without a move, %s: has a value %v, want %v", name, got, want)
		}
	}
}

// A path efficiency above 1 would need an instance whose length is not that of graph and labels: there is no score then.
func TestAnInstanceThatTheLabelsContradictIsRefused(t *testing.T) {
	w := gametest.K7()
	log, instances := k7Log(t, w)
	instances[0].ConstrainedLength = 5
	if s, err := log.Score(banRelease(w, instances, nil), family.Request{}); !errors.Is(err, fault.Mismatch) || s != nil {
		t.Errorf("a length that is too large: %v, %v", s, err)
	}
	log, instances = k7Log(t, w)
	w.Masks[2] = 0
	if s, err := log.Score(banRelease(w, instances, nil), family.Request{}); !errors.Is(err, fault.Mismatch) || s != nil {
		t.Errorf("other labels: %v, %v", s, err)
	}
	if _, err := log.Score(release(w, nil), family.Request{}); !errors.Is(err, fault.Usage) {
		t.Errorf("scored as another family: %v", err)
	}
}

var banLabels = []string{"Work", "Place", "Event", "Species"}

// withViolations mixes everything that can happen in a game with a ban.
func withViolations(g *game.Game, s *rng.Stream) game.Move {
	switch s.Below(12) {
	case 0:
		return game.NoMove(game.ReasonFormat)
	case 1:
		return game.Move{NoPath: true}
	case 2, 3:
		return atRandom(g, s)
	case 4, 5, 6, 7:
		return game.Pick(g.Shortest())
	}
	return atBest(g, s)
}

// TestScoresOfTenThousandEpisodesAreThoseOfAnIndependentScorer takes paths and outcomes alone, and counts by hand.
func TestScoresOfTenThousandEpisodesAreThoseOfAnIndependentScorer(t *testing.T) {
	const batches, each = 20, 500
	rules := [][]string{{}, {"revisit=allow", "invalid=consume"}, {"revisit=allow", "format_retries=2", "max_steps=12"}, {"max_links=20", "pruning=top"}}
	for b := range batches {
		w := gametest.Random(uint64(seed+b), 90, 25, 30).Label(uint64(b), banLabels...)
		instances, _ := bantest.BannedInstances(w, uint64(b), each, 2, banLabels...)
		opts := banOptions(t, rules[b%len(rules)]...)
		log := newLog("sim", banRun(opts, withPath))
		who := []behaviour{withViolations, atBest, atRandom, func(g *game.Game, _ *rng.Stream) game.Move { return game.Pick(g.Shortest()) }}
		for i, inst := range instances {
			log.Games = append(log.Games, simulateTask(t, opts, w, bantest.TaskOf(inst), who[i%len(who)]))
		}
		s, err := log.Score(banRelease(w, instances, nil), family.Request{})
		if err != nil {
			t.Fatalf("batch %d: %v: %+v", b, err, s.Disagreements)
		}
		compareWithHand(t, b, w, instances, log, s.Rows[0].Metrics)
	}
}

// hand counts episodes from their paths.
type hand struct {
	n, reach, vi, both, moves, violating, firsts int64
	pe, peReach                                  []float64
}

func compareWithHand(t *testing.T, batch int, w *gametest.World, instances []schemas.ConstrainedInstance, log *replay.Log, m map[string]judge.Metric) {
	t.Helper()
	var h hand
	for i, g := range log.Games {
		h.count(w, instances[i], g)
	}
	for name, want := range map[string][2]int64{
		replay.MetricSR: {h.reach - h.both, h.n}, replay.MetricCR: {h.reach, h.n}, replay.MetricCVR: {h.vi, h.n}, replay.MetricCVRReach: {h.both, h.n},
		replay.MetricPerStep: {h.violating, h.moves}, replay.MetricFirst: {h.firsts, h.vi}, replay.MetricRecoverBan: {h.both, h.vi},
	} {
		if got := m[name]; got.Num == nil || *got.Num != want[0] || got.Den != want[1] {
			t.Errorf("batch %d, %s: got %s, want %v", batch, name, text(got), want)
		}
	}
	for name, want := range map[string][]float64{replay.MetricPE: h.pe, replay.MetricPEReach: h.peReach} {
		got, err := strconv.ParseFloat(*m[name].Value, 64)
		if err != nil || math.Abs(got-averageOf(want)) > 1e-5 || slices.Max(want) > 1 || slices.Min(want) <= 0 {
			t.Errorf("batch %d, %s: got %v, want %v of values in (0,1], %v", batch, name, got, averageOf(want), err)
		}
	}
	if h.both == 0 || h.vi == h.both || h.reach == h.both {
		t.Errorf("batch %d is too tame: %+v", batch, h)
	}
}

func (h *hand) count(w *gametest.World, inst schemas.ConstrainedInstance, g replay.Game) {
	bit, _ := schemas.LabelBit(inst.BannedCategory)
	reached, first := *g.Outcome == "success", 0
	move := 0
	for _, s := range g.Steps { // steps count turns, of which some may not have moved
		if s.To == nil {
			continue
		}
		move++
		exempt := *s.To == inst.Source.Node || *s.To == inst.Target.Node
		if w.Masks[*s.To]&(1<<bit) != 0 && !exempt {
			h.violating++
			if first == 0 {
				first = s.Step
			}
		}
	}
	h.n++
	h.moves += int64(move)
	pe := float64(inst.ConstrainedLength) / float64(move)
	if first > 0 {
		h.vi++
		h.firsts += int64(first)
	}
	if reached {
		h.reach++
		if first > 0 {
			h.both++
			h.peReach = append(h.peReach, math.Min(1, pe))
		} else {
			h.pe, h.peReach = append(h.pe, pe), append(h.peReach, pe)
		}
	}
}

func averageOf(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

func TestEveryMutationOfALogWithABanIsFound(t *testing.T) {
	w := gametest.Random(seed, 120, 80, 50).Label(seed, banLabels...)
	instances, _ := bantest.BannedInstances(w, seed, 400, 3, banLabels...)
	instances = slices.DeleteFunc(instances, func(i schemas.ConstrainedInstance) bool { return i.ConstrainedLength != 3 })[:20]
	opts := banOptions(t, "invalid=consume", "revisit=allow")
	simulate := func() *replay.Log {
		log := newLog("sim", banRun(opts, withPath))
		who := []behaviour{atRandom, atBest, inLoops, withErrors}
		for i, inst := range instances {
			log.Games = append(log.Games, simulateTask(t, opts, w, bantest.TaskOf(inst), who[i%4]))
		}
		return log
	}
	rel := banRelease(w, instances, nil)
	honest, err := simulate().Score(rel, family.Request{})
	if err != nil {
		t.Fatalf("the unchanged log: %v: %+v", err, honest.Disagreements)
	}
	all := map[string]func(*replay.Game, *rng.Stream){
		"violates":   func(g *replay.Game, s *rng.Stream) { flip(&anyStep(g, s).Violates) },
		"labels":     func(g *replay.Game, s *rng.Stream) { anyStep(g, s).Labels ^= 1 << s.Below(22) },
		"ban's part": func(g *replay.Game, s *rng.Stream) { anyStep(g, s).BanStep = nil },
	}
	for name, mutate := range mutations {
		all[name] = mutate
	}
	for name, mutate := range all {
		s, log := rng.New(seed, "ban mutation", name), simulate()
		var changed []string
		for _, i := range s.Choose(len(log.Games), 5) {
			mutate(&log.Games[i], s)
			changed = append(changed, log.Games[i].Name())
		}
		scores, err := log.Score(rel, family.Request{MaxInfra: 7})
		if !errors.Is(err, fault.Mismatch) {
			t.Errorf("%s: got %v, want a mismatch", name, err)
			continue
		}
		if got := names(scores.Disagreements); !slices.Equal(got, slices.Sorted(slices.Values(changed))) {
			t.Errorf("%s: games %v are listed, want %v", name, got, changed)
		}
	}
}

// Paths alone are enough, in the form that anybody can write.
func TestPathsWithoutStepsAreScoredUnderABan(t *testing.T) {
	w := gametest.K7()
	instances := []schemas.ConstrainedInstance{bantest.Banned(w, "cw-0001", 0, 5, "Work"), bantest.Banned(w, "cw-0002", 0, 5, "Work"), bantest.Banned(w, "cw-0003", 0, 5, "Work")}
	log := &replay.Log{Log: &trace.Log{Path: "paths"}}
	for i, titles := range []string{"S A C D T", "S A B T", "S A T"} {
		g := replay.Game{Instance: instances[i].ID, Attempt: 1}
		for _, title := range strings.Fields(titles) {
			g.Path = append(g.Path, replay.Page{Title: title, Named: true})
		}
		log.Games = append(log.Games, g)
	}
	s, err := log.Score(banRelease(w, instances, nil), family.Request{})
	if !errors.Is(err, fault.Mismatch) || len(s.Disagreements) != 1 || s.Disagreements[0].Log != `"T"` {
		t.Errorf("the step that is no link: %v, %+v", err, s.Disagreements)
	}
	m := s.Rows[0].Metrics
	for name, want := range map[string]string{replay.MetricSR: "1/3", replay.MetricCR: "2/3", replay.MetricCVR: "1/3", replay.MetricInvalidEnd: "1/3"} {
		if got, _, _ := strings.Cut(text(m[name]), " "); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}
