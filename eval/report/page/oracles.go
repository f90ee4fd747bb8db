package page

import (
	"math"

	"github.com/wikinav/wikinav/artifacts/figure"
	"github.com/wikinav/wikinav/artifacts/webpage"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/report"
)

// oracles is the configurations of each model and split, what each oracle changes, and its effects
// at matched difficulty.
func (b *builder) oracles() (blocks []webpage.Block) {
	var configs, effects multiples
	rows := b.table("Configurations", "model", "split", "configuration",
		"#n", "#success rate", "#predicted", "#gap", "#step accuracy", "#loops", "#visits")
	pairs := b.table("With minus without an oracle, paired by instance; McNemar's exact test on success",
		"model", "split", "oracle", "with", "without", "#pairs", "#success", "#step accuracy", "#p")
	for _, v := range b.r.Interventions {
		of := v.Model + " on " + v.Split
		if v.Plan != "" {
			of += ", plan " + v.Plan
		}
		configs = append(configs, b.configs(v, of))
		effects = append(effects, b.effects(v, of))
		for _, c := range v.Configs {
			rows.Rows = append(rows.Rows, []webpage.Cell{
				named(v.Model),
				{Text: v.Split},
				{Text: c.Config},
				whole(c.N), metric(c.Metrics[judge.MetricSuccess]), metric(c.Metrics[judge.MetricPredicted]),
				metric(c.Metrics[judge.MetricGap]), metric(c.Metrics[judge.MetricMicro]),
				metric(c.Metrics[judge.MetricLoops]), metric(c.Metrics[judge.MetricVisitation]),
			})
		}
		for _, p := range v.Pairs {
			pairs.Rows = append(pairs.Rows, []webpage.Cell{
				named(v.Model),
				{Text: v.Split},
				{Text: p.Effect},
				{Text: p.With},
				{Text: p.Without},
				whole(p.N), metric(p.Success), metric(p.Accuracy),
				chance(p.McNemar),
			})
		}
	}
	if len(configs) == 0 {
		return nil
	}
	blocks = append(blocks, webpage.Text("P tells a plan, S the state, H rewrites the history."),
		configs, rows, effects, pairs)
	for _, m := range b.r.Matched {
		blocks = append(blocks, b.matched(m)...)
	}
	return blocks
}

// configs draws success and step accuracy of the configurations, and what success was predicted.
func (b *builder) configs(v report.Intervention, of string) webpage.Figure {
	f := figure.Figure{
		Title: "Configurations: " + of, Subtitle: b.about(),
		X: "configuration", Y: "share", Bounds: shares, Small: true,
	}
	won := figure.Series{Name: "success", Points: true, Line: true}
	right := figure.Series{Name: "step accuracy", Points: true, Line: true, Of: 1}
	expected := figure.Series{Name: "predicted", Line: true, Of: 2}
	var names []string
	for i, c := range v.Configs {
		names = append(names, c.Config)
		along(&won, float64(i), c.Metrics[judge.MetricSuccess])
		along(&right, float64(i), c.Metrics[judge.MetricMicro])
		along(&expected, float64(i), c.Metrics[judge.MetricPredicted])
	}
	return b.figure("configurations-"+of, f.Title, f.Lines(names, []figure.Series{expected, won, right}), nil)
}

func (b *builder) effects(v report.Intervention, of string) webpage.Figure {
	f := figure.Figure{
		Title: "Oracles: " + of, Subtitle: b.about(), X: "difference of the success rates", Small: true,
	}
	var list []figure.Difference
	for _, p := range v.Pairs {
		list = append(list, difference(p.Effect+": "+p.With+" − "+p.Without, p.Success))
	}
	return b.figure("oracles-"+of, f.Title, f.Differences(list), nil)
}

// matched is the effects of a model on each split at the level where its success without any oracle
// is nearest to one half.
func (b *builder) matched(m report.Matched) []webpage.Block {
	f := figure.Figure{
		Title:    "Effects of oracles at matched difficulty: " + m.Model,
		Subtitle: b.about() + "; each split on the level where success without oracles is nearest to one half",
		X:        "split and level", Y: "change of the success rate",
	}
	t := b.table("Effects at matched difficulty: "+m.Model, "split", "level", "#success without oracles")
	var names, oracles []string
	bars := map[string][]float64{}
	for i, row := range m.Rows {
		names = append(names, row.Split+", "+row.Name)
		for _, e := range row.Effects {
			if bars[e.Effect] == nil {
				oracles, bars[e.Effect] = append(oracles, e.Effect), make([]float64, len(m.Rows))
				for k := range m.Rows {
					bars[e.Effect][k] = math.NaN()
				}
			}
			bars[e.Effect][i] = valueOf(e.Value)
		}
	}
	var list []figure.Bar
	for _, name := range oracles {
		list = append(list, figure.Bar{Name: name, Values: bars[name]})
	}
	t.Columns = append(t.Columns, numbers(oracles)...)
	for i, row := range m.Rows {
		line := []webpage.Cell{{Text: row.Split}, {Text: row.Name}, metric(row.Base)}
		for _, name := range oracles {
			line = append(line, fourDigits(bars[name][i]))
		}
		t.Rows = append(t.Rows, line)
	}
	return []webpage.Block{b.figure("matched-"+m.Model, f.Title, f.Bars(names, list), nil), t}
}
