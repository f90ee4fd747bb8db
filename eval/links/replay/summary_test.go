package replay_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/eval/wikirace/racetest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// four is a release with four instances of G9 in "easy", of six asked for, and one in "hard".
func four() replay.Release {
	w := gametest.G9()
	var easy []schemas.WikiraceInstance
	for i, s := range []uint32{0, 1, 2, 3} {
		easy = append(easy, racetest.Instance(w, fmt.Sprintf("wr-easy-%04d", i+1), s, 8))
	}
	leaky := split("leaky", 1, []schemas.WikiraceInstance{racetest.Instance(w, "wr-leaky-0001", 0, 8)})
	leaky.Contaminated = true
	return releaseOf(w, "race", game.Defaults(), split("easy", 6, easy), split("hard", 1, []schemas.WikiraceInstance{racetest.Instance(w, "wr-hard-0001", 0, 8)}), leaky)
}

const (
	won1   = `{"instance":"wr-easy-0001","path":["A","B","E","G","H","T"]}`
	won2   = `{"instance":"wr-easy-0002","path":["B","E","G","H","T"],"usage":{"prompt":90,"output":8,"reasoning":2}}`
	infra3 = `{"instance":"wr-easy-0003","path":["C"],"outcome":"infra"}`
)

func TestDenominators(t *testing.T) {
	easy := []string{"easy"}
	for _, c := range []struct {
		name    string
		lines   []string
		req     family.Request
		rate    string
		missing int
		flags   []string
	}{
		{"missing games are failures", []string{won1, won2}, family.Request{Splits: easy}, "2/4", 2, []string{"MISSING 2/4", "SHORT 4/6", "UNFROZEN"}},
		{"partial leaves them out", []string{won1, won2}, family.Request{Splits: easy, Partial: true}, "2/2", 2, []string{"SHORT 4/6", "PARTIAL 2/4", "UNFROZEN"}},
		{"a mean over attempts", []string{won1, won2, strings.Replace(won1, "{", `{"attempt":2,`, 1)}, family.Request{Splits: easy, Attempts: 2}, "3/8", 5, []string{"MISSING 5/8", "SHORT 4/6", "UNFROZEN"}},
		{"a training set that knows the split", []string{won1, won2}, family.Request{Splits: []string{"leaky"}}, "0/1", 1, []string{"MISSING 1/1", "UNFROZEN", "CONTAMINATED"}},
		{"another split", []string{won1, won2}, family.Request{Splits: []string{"hard"}}, "0/1", 1, []string{"MISSING 1/1", "UNFROZEN"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			scores, err := tell(t, c.lines...).Score(four(), c.req)
			if err != nil {
				t.Fatal(err)
			}
			sum := scores.Rows[0]
			m := sum.Metrics[judge.MetricSuccess]
			if got := fmt.Sprintf("%d/%d", *m.Num, m.Den); got != c.rate || sum.Missing != c.missing || !slices.Equal(sum.Flags, c.flags) {
				t.Errorf("got %s, missing %d, %q; want %s, %d, %q", got, sum.Missing, sum.Flags, c.rate, c.missing, c.flags)
			}
		})
	}
}

func TestAMissingGameDoesNotPassForOneWithoutLoops(t *testing.T) {
	loop := `{"instance":"wr-easy-0001","path":["A","B","C","A"]}`
	scores, err := tell(t, loop).Score(four(), family.Request{Splits: []string{"easy"}})
	if err != nil {
		t.Fatal(err)
	}
	if m := scores.Rows[0].Metrics[judge.MetricLoops]; *m.Num != 1 || m.Den != 1 {
		t.Errorf("loops %d/%d, want 1/1", *m.Num, m.Den)
	}
}

// failing is a run of two games, on the second of which the endpoint failed at once.
func failing(t *testing.T) (replay.Release, *replay.Log) {
	w := gametest.G9()
	instances := []schemas.WikiraceInstance{
		racetest.Instance(w, "wr-easy-0001", 0, 8), racetest.Instance(w, "wr-easy-0002", 1, 8),
	}
	log := simulate(t, w, instances, atBest)
	g, rec := &log.Games[1], log.Games[1].Record
	rec.Outcome, rec.Turns, rec.Moves, rec.Path, rec.Usage, rec.Cost = schemas.OutcomeInfra, 0, 0, rec.Path[:1], nil, nil
	g.Line, g.Path, g.Steps, g.Usage = 2, g.Path[:1], nil, nil
	return release(w, instances), log
}

func TestInfraIsInNoDenominatorAndFlagged(t *testing.T) {
	rel, log := failing(t)
	scores, err := log.Score(rel, family.Request{})
	if fault.Code(err) != 1 || scores.Rows[0].Metrics != nil || scores.Rows[0].Infra != 1 {
		t.Errorf("got %v, %+v", err, scores.Rows[0])
	}
	scores, err = log.Score(rel, family.Request{MaxInfra: 1})
	if err != nil || scores.Rows[0].N != 1 || !slices.Equal(scores.Rows[0].Flags, []string{"INFRA 1/2", "UNFROZEN"}) {
		t.Errorf("got %v, %+v", err, scores.Rows[0])
	}
	part := slices.IndexFunc(scores.Rows, func(r family.Row) bool { return len(r.By) > 0 && r.Infra > 0 })
	if part < 0 || !scores.Rows[part].Has("INFRA 1/1") {
		t.Errorf("the group of the game that failed: %+v", scores.Rows)
	}
}

// A losing line that says "infra" left the denominator.
func TestOnlyARunOfOursTellsThatTheEndpointFailed(t *testing.T) {
	req := family.Request{Splits: []string{"easy"}, MaxInfra: 4}
	scores, err := tell(t, won1, won2, infra3).Score(four(), req)
	if r := scores.Rows[0]; !errors.Is(err, fault.Mismatch) || r.N != 4 || r.Infra != 0 || r.Outcomes[schemas.OutcomeGaveUp] != 1 {
		t.Errorf("a file: %v, %+v", err, r)
	}
	if d := scores.Disagreements; len(d) != 1 || d[0].Line != 3 || d[0].Field != "outcome" || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("a file: %+v, %v", d, err)
	}
	rel, log := failing(t)
	log.Import = &schemas.Import{Steps: true}
	scores, err = log.Score(rel, family.Request{MaxInfra: 1})
	if r := scores.Rows[0]; !errors.Is(err, fault.Mismatch) || r.N != 2 || r.Infra != 0 {
		t.Errorf("an import: %v, %+v", err, r)
	}
}

func TestUsageOfOneGameThatIsMissingIsNotZero(t *testing.T) {
	req := family.Request{Splits: []string{"easy"}}
	scores, _ := tell(t, won1, won2).Score(four(), req)
	if m := scores.Rows[0].Metrics[judge.MetricTokens]; m.Value != nil {
		t.Errorf("tokens %s though one game tells none", *m.Value)
	}
	scores, _ = tell(t, won2).Score(four(), req)
	if m := scores.Rows[0].Metrics[judge.MetricTokens]; m.Value == nil || *m.Value != "2.00000e+00" {
		t.Errorf("got %+v, want 8 tokens in 4 turns", m)
	}
}

func TestCostsHaveTheirCurrency(t *testing.T) {
	w := gametest.G9()
	instances := []schemas.WikiraceInstance{racetest.Instance(w, "wr-easy-0001", 0, 8)}
	rel, log := release(w, instances), simulate(t, w, instances, atBest)
	for want, price := range map[string]*schemas.Price{"EUR": log.Run.Price, "": nil} {
		log.Run.Price = price
		scores, _ := log.Score(rel, family.Request{})
		got := scores.Rows[0]
		if (got.Cost == nil) != (want == "") || (got.Currency == nil) != (want == "") || want != "" && *got.Currency != want {
			t.Errorf("cost %v in %v, want %q", got.Cost, got.Currency, want)
		}
	}
}

func TestGamesThatBelongNowhereAreListed(t *testing.T) {
	for name, line := range map[string]string{
		"instance": `{"instance":"wr-easy-9999","path":["A"]}`,
		"attempt":  `{"instance":"wr-easy-0001","attempt":2,"path":["A"]}`,
	} {
		scores, err := tell(t, won1, line).Score(four(), family.Request{})
		if !errors.Is(err, fault.Mismatch) || len(scores.Disagreements) != 1 || scores.Disagreements[0].Field != name {
			t.Errorf("%s: %v, %+v", name, err, scores.Disagreements)
		}
	}
}

func TestUnknownSplitsAreRefusedWithTheNames(t *testing.T) {
	_, err := tell(t, won1).Score(four(), family.Request{Splits: []string{"medium"}})
	if !errors.Is(err, fault.Usage) || !strings.Contains(err.Error(), "easy, hard, leaky") {
		t.Errorf("got %v", err)
	}
}

// TestScoresDoNotDependOnTheOrderOfTheLog: several processes write games as they end.
func TestScoresDoNotDependOnTheOrderOfTheLog(t *testing.T) {
	lost := `{"instance":"wr-easy-0003","path":["C","A","B"]}`
	lines := []string{won1, won2, lost, strings.Replace(lost, "{", `{"attempt":2,`, 1), strings.Replace(won2, "{", `{"attempt":2,`, 1)}
	want := ""
	for range len(lines) {
		scores, err := tell(t, lines...).Score(four(), family.Request{Splits: []string{"easy"}, Attempts: 2, Partial: true, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		got := string(canon.MustMarshal(scores)) + fmt.Sprint(scores.Results)
		if want != "" && got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		want, lines = got, append(lines[1:], lines[0])
	}
}
