package report

import (
	"cmp"
	"maps"
	"slices"

	"github.com/wikinav/wikinav/eval/judge"
)

// HumanRow compares a run with people on the ordered pairs that both won: means over pairs of the mean over a pair's games. People saw the
// whole page, models a menu.
type HumanRow struct {
	Run        string       `json:"run"`
	Pairs      int          `json:"pairs"`
	HumanGames int          `json:"human_games"`
	ModelGames int          `json:"model_games"`
	Human      judge.Metric `json:"human"` // suboptimal clicks
	Model      judge.Metric `json:"model"` // suboptimal steps
	Difference judge.Metric `json:"difference"`
}

type pair struct{ source, target uint32 }

// excesses sums up the games of a pair that were won.
type excesses struct{ sum, n int }

func (e excesses) mean() float64 { return float64(e.sum) / float64(e.n) }

func excessByPair(games []judge.Result) map[pair]excesses {
	out := map[pair]excesses{}
	for _, g := range games {
		if g.Success() {
			p := pair{g.Source, g.Target}
			out[p] = excesses{out[p].sum + g.Excess, out[p].n + 1}
		}
	}
	return out
}

func againstPeople(people *judge.Scores, run Run, seed int64) HumanRow {
	row := HumanRow{Run: run.Name}
	human, model := excessByPair(people.Games()), excessByPair(run.Scores.Games())
	var ofHuman, ofModel, difference []float64
	for _, p := range slices.SortedFunc(maps.Keys(model), comparePairs) {
		h, ok := human[p]
		if !ok {
			continue
		}
		m := model[p]
		row.HumanGames, row.ModelGames = row.HumanGames+h.n, row.ModelGames+m.n
		ofHuman, ofModel, difference = append(ofHuman, h.mean()), append(ofModel, m.mean()), append(difference, m.mean()-h.mean())
	}
	row.Pairs = len(difference)
	row.Human = judge.MeanOfReals(seed, "human", run.Name, ofHuman)
	row.Model = judge.MeanOfReals(seed, "model", run.Name, ofModel)
	row.Difference = judge.MeanOfReals(seed, "human_difference", run.Name, difference)
	return row
}

func comparePairs(a, b pair) int {
	return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.target, b.target))
}
