package page

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/wikinav/wikinav/artifacts/figure"
	"github.com/wikinav/wikinav/artifacts/webpage"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/report"
)

var shares = [2]float64{0, 1}

// hard is success against length and each feature, with the fitted curves, and a table of the fits.
func (b *builder) hard() (blocks []webpage.Block) {
	for _, g := range b.r.Groups {
		var small multiples
		for _, c := range append([]report.Curve{g.Lengths}, g.Features...) {
			if len(c.Groups) > 1 {
				small = append(small, b.curve(g, c))
			}
		}
		if len(small) > 0 {
			blocks = append(blocks, webpage.Text("Success over all splits"+b.r.Of(g)+
				": points are groups of instances with 95 % intervals, lines are "+
				"logistic curves fitted to the instances, with 95 % bands where there are few runs."), small)
		}
		if len(g.Fits) > 0 {
			blocks = append(blocks, b.fitTable(g))
		}
	}
	return blocks
}

// manyRuns is from when on bands would hide each other.
const manyRuns = 3

func (b *builder) curve(g report.Group, c report.Curve) webpage.Figure {
	f := figure.Figure{
		Title: "Success against " + c.Name, Subtitle: b.subtitle(g, ""),
		X: c.Name, Y: "success rate", Bounds: shares, Small: true,
	}
	table := b.curveTable(g, c)
	var fitted []figure.Series
	for i, run := range g.Series {
		for _, fit := range g.Fits {
			if fit.Run == run && fit.Feature == c.Name && len(fit.Curve) > 0 {
				f.LogX = f.LogX || fit.Log
				fitted = append(fitted, fitLine(fit, i, len(g.Series) < manyRuns))
			}
		}
	}
	var place func(report.Bin) float64
	if len(fitted) > 0 {
		place = func(bin report.Bin) float64 { return middle(bin, f.LogX) }
	}
	names, list := points(g, c, place)
	return b.figure("success-"+c.Name+b.r.Of(g), f.Title, f.Lines(names, append(fitted, list...)), &table)
}

// points returns the success of each run on the groups of a curve where place puts them; without a
// place they stand side by side, joined by lines, and have names.
func points(g report.Group, c report.Curve, place func(report.Bin) float64) (names []string, list []figure.Series) {
	for i, run := range g.Series {
		s := figure.Series{Name: run, Points: true, Of: i, Line: place == nil}
		for k, bin := range c.Groups {
			x := float64(k)
			if place != nil {
				x = place(bin)
			}
			along(&s, x, at(bin.Success, i))
		}
		list = append(list, s)
	}
	if place == nil {
		for _, bin := range c.Groups {
			names = append(names, label(bin))
		}
	}
	return names, list
}

func fitLine(f report.Fit, i int, band bool) figure.Series {
	s := figure.Series{Line: true, Band: band, Of: i}
	for _, p := range f.Curve {
		s.X, s.Y = append(s.X, number(p.X)), append(s.Y, number(p.Value))
		if band {
			s.Low, s.High = append(s.Low, number(p.Lo)), append(s.High, number(p.Hi))
		}
	}
	return s
}

// middle is where a bin stands on an axis of numbers.
func middle(bin report.Bin, log bool) float64 {
	low, high := number(bin.Low), number(bin.High)
	if log && low > 0 && high > 0 {
		return math.Sqrt(low * high)
	}
	return (low + high) / 2
}

func label(bin report.Bin) string {
	if bin.Low == bin.High {
		return bin.Low
	}
	return bin.Low + " – " + bin.High
}

func (b *builder) curveTable(g report.Group, c report.Curve) webpage.Table {
	t := webpage.Table{Caption: "Success against " + c.Name, Columns: webpage.Names(webpage.Plain(c.Name))}
	t.Columns = append(t.Columns, numbers(g.Series)...)
	for _, bin := range c.Groups {
		row := webpage.Cells(label(bin))
		for i := range g.Series {
			m := at(bin.Success, i)
			cell := metric(m)
			cell.Text += " of " + strconv.FormatInt(m.Den, 10)
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (b *builder) fitTable(g report.Group) webpage.Table {
	t := b.table("Logistic regressions of success against one number each"+b.r.Of(g)+
		"; odds are for one standard deviation more, p is corrected for the numbers that were tried (Holm)",
		"run", "feature", "#n", "#odds ratio", "#p", "#p, corrected", "remark")
	for _, f := range g.Fits {
		remark := f.Says
		if f.Log && remark == "" {
			remark = "of its logarithm"
		}
		t.Rows = append(t.Rows, []webpage.Cell{
			named(f.Run),
			{Text: f.Feature},
			whole(f.N), threeDigits(f.Odds), chance(f.P), chance(f.Holm),
			{Text: remark},
		})
	}
	return t
}

func (b *builder) budgets() (blocks []webpage.Block) {
	for _, g := range b.r.Groups {
		for _, budget := range g.Budgets {
			f := figure.Figure{
				Title: "Items that were won within so many " + budget.Unit, Subtitle: b.subtitle(g, ""),
				X: "budget: " + budget.Unit, Y: "share of the items",
			}
			t := webpage.Table{Caption: f.Title, Columns: webpage.Names("#budget")}
			t.Columns = append(t.Columns, numbers(g.Series)...)
			few := len(g.Series) < manyRuns
			var list []figure.Series
			for i, run := range g.Series {
				s := figure.Series{Name: run, Line: true, Points: !few && len(budget.Points) < 13, Band: few, Of: i}
				for _, p := range budget.Points {
					along(&s, number(p.Budget), at(p.Success, i))
				}
				list = append(list, s)
			}
			for _, p := range budget.Points {
				row := webpage.Cells(p.Budget)
				for i := range g.Series {
					row = append(row, metric(at(p.Success, i)))
				}
				t.Rows = append(t.Rows, row)
			}
			f.Bounds = top(list)
			blocks = append(blocks, b.figure("budget-"+budget.Unit+b.r.Of(g), f.Title, f.Lines(nil, list), &t))
		}
	}
	return blocks
}

// top returns the bounds of an axis on which shares have room: a tenth, a quarter, a half or all.
func top(list []figure.Series) [2]float64 {
	most := 0.0
	for _, s := range list {
		for _, v := range append(slices.Clone(s.High), s.Y...) {
			most = math.Max(most, v)
		}
	}
	for _, bound := range []float64{0.1, 0.25, 0.5} {
		if most <= bound {
			return [2]float64{0, bound}
		}
	}
	return shares
}

// loops is success by the visits to the state that was visited most, then rates of loops against
// success.
func (b *builder) loops() (blocks []webpage.Block) {
	for _, g := range b.r.Groups {
		if len(g.Visits.Groups) > 1 {
			f := figure.Figure{
				Title: "Success against visits to the state that was visited most", Subtitle: b.subtitle(g, ""),
				X: "visits", Y: "success rate", Bounds: shares,
			}
			names, list := points(g, g.Visits, nil)
			t := b.curveTable(g, g.Visits)
			blocks = append(blocks, b.figure("loops"+b.r.Of(g), f.Title, f.Lines(names, list), &t))
		}
		if block := b.loopRates(g); block != nil {
			blocks = append(blocks, block)
		}
	}
	return blocks
}

// loopRates has a point for each run and split.
func (b *builder) loopRates(g report.Group) webpage.Block {
	f := figure.Figure{
		Title:    "Success against the share of games that visit a state twice",
		Subtitle: b.subtitle(g, "a point a split"), X: "loop frequency", Y: "success rate", Bounds: shares,
	}
	var list []figure.Series
	any := false
	for i, run := range g.Series {
		s := figure.Series{Name: run, Points: true, Of: i}
		for _, split := range g.Splits {
			for _, row := range split.Rows {
				if loops := row.Metrics[judge.MetricLoops]; row.Label() == run && loops.Value != nil {
					along(&s, number(*loops.Value), row.Metrics[judge.MetricSuccess])
					any = true
				}
			}
		}
		list = append(list, s)
	}
	if !any {
		return nil
	}
	return b.figure("loop-rates"+b.r.Of(g), f.Title, f.Lines(nil, list), nil)
}

func (b *builder) planning() (blocks []webpage.Block) {
	for _, g := range b.r.Groups {
		var small multiples
		t := b.table("What success is above that of independent errors"+b.r.Of(g),
			"run", "#step accuracy", "#success rate", "#predicted", "#gap")
		for _, p := range g.Planning {
			f := figure.Figure{
				Title: p.Run, Subtitle: b.subtitle(g, ""),
				X: "turns of an optimal player", Y: "success rate", Bounds: shares, Small: true,
			}
			won := figure.Series{Name: "won", Points: true}
			expected := figure.Series{Name: "predicted", Line: true, Of: 1}
			for _, l := range p.Lengths {
				along(&won, float64(l.Length), l.Success)
				expected.X, expected.Y = append(expected.X, float64(l.Length)), append(expected.Y, number(l.Predicted))
			}
			svg := f.Lines(nil, []figure.Series{expected, won})
			small = append(small, b.figure("planning-"+p.Run+b.r.Of(g), "Planning gap of "+p.Run, svg, nil))
			t.Rows = append(t.Rows, []webpage.Cell{
				named(p.Run), metric(p.Accuracy), metric(p.Success), decimal(p.Predicted), decimal(p.Gap),
			})
		}
		if len(small) > 0 {
			blocks = append(blocks, webpage.Text("Predicted is what errors at the rate of the run's step accuracy "+
				"would leave if they did not depend on each other."), small, t)
		}
	}
	return blocks
}

func (b *builder) differences() (blocks []webpage.Block) {
	for _, g := range b.r.Groups {
		for _, s := range g.Splits {
			if len(s.Comparisons) == 0 {
				continue
			}
			f := figure.Figure{
				Title:    "Differences in success",
				Subtitle: b.subtitle(g, s.Split) + "; paired by instance, 95 % bootstrap",
				X:        "difference of the success rates",
			}
			t := b.table("B minus A on the same games of "+s.Split+b.r.Of(g)+"; McNemar's exact test on success",
				"A", "B", "#pairs", "#both", "#only A", "#only B", "#success", "#suboptimal steps", "#p")
			var list []figure.Difference
			for _, c := range s.Comparisons {
				list = append(list, difference(c.B+" − "+c.A, c.Success))
				t.Rows = append(t.Rows, []webpage.Cell{
					named(c.A), named(c.B), whole(c.Pairs), whole(c.Both), whole(c.OnlyA), whole(c.OnlyB),
					metric(c.Success), metric(c.Excess), chance(&c.McNemar),
				})
			}
			of := s.Split + b.r.Of(g)
			blocks = append(blocks, b.figure("differences-"+of, f.Title+" on "+of, f.Differences(list), nil), t)
		}
	}
	return blocks
}

func (b *builder) errors() (blocks []webpage.Block) {
	for _, g := range b.r.Groups {
		for _, s := range g.Splits {
			var causes, runs []string
			for _, e := range s.Errors {
				for _, c := range e.Causes {
					if !slices.Contains(causes, c.Name) {
						causes = append(causes, c.Name)
					}
				}
			}
			if len(causes) == 0 {
				continue
			}
			f := figure.Figure{Title: "What was not won", Subtitle: b.subtitle(g, s.Split), X: "cause", Bounds: shares}
			t := b.table("Shares of the items of "+s.Split+b.r.Of(g)+" by what went wrong", "run", "#n")
			t.Columns = append(t.Columns, numbers(causes)...)
			var cells [][]float64
			for _, e := range s.Errors {
				row, line := make([]float64, len(causes)), []webpage.Cell{named(e.Run), whole(e.N)}
				for i, name := range causes {
					m := judge.Metric{}
					if k := slices.IndexFunc(e.Causes, func(c report.Cause) bool { return c.Name == name }); k >= 0 {
						m = e.Causes[k].Share
					}
					row[i] = valueOf(m.Value)
					line = append(line, metric(m))
				}
				runs, cells, t.Rows = append(runs, e.Run), append(cells, row), append(t.Rows, line)
			}
			of := s.Split + b.r.Of(g)
			blocks = append(blocks, b.figure("errors-"+of, f.Title+" on "+of, f.Heat(runs, causes, cells), nil), t)
		}
	}
	return blocks
}

// twins is what each player owes to what its twin does not know.
func (b *builder) twins() []webpage.Block {
	if len(b.r.Twins) == 0 {
		return nil
	}
	t := b.table("Each run with its twin, which has less to know: with minus without, paired by game; "+
		"McNemar's exact test on success",
		"run", "twin", "twin's rule", "split", "#pairs", "#success", "#success of the twin",
		"#only with", "#only without", "#difference", "#step accuracy", "#p")
	var list []figure.Difference
	for _, w := range b.r.Twins {
		p := w.Pairs
		list = append(list, difference(p.With+" on "+w.Split+", "+w.Less, p.Success))
		t.Rows = append(t.Rows, []webpage.Cell{
			named(p.With), named(p.Without),
			{Text: w.Less},
			{Text: w.Split},
			whole(p.N), metric(w.All), metric(w.Twin),
			whole(p.OnlyWith), whole(p.OnlyNot), metric(p.Success), metric(p.Accuracy), chance(p.McNemar),
		})
	}
	f := figure.Figure{
		Title:    "What knowledge adds to success",
		Subtitle: b.about() + "; paired by game, 95 % bootstrap",
		X:        "difference of the success rates: all there is to know minus less",
	}
	return []webpage.Block{b.figure("twins", f.Title, f.Differences(list), nil), t}
}

func (b *builder) people() []webpage.Block {
	if len(b.r.Human) == 0 {
		return nil
	}
	won := b.table("Games won on the pairs that both people and a run played",
		"run", "#pairs", "#people", "#model", "#difference")
	t := b.table("Pairs that both people and a run won: steps beyond the shortest way; "+
		"people saw the whole page, models a menu",
		"run", "#pairs", "#games of people", "#games of the model", "#people", "#model", "#difference")
	var list []figure.Difference
	for _, h := range b.r.Human {
		list = append(list, difference(h.Run, h.Difference))
		won.Rows = append(won.Rows, []webpage.Cell{
			named(h.Run), whole(h.Played), metric(h.HumanSuccess), metric(h.ModelSuccess), metric(h.SuccessDifference),
		})
		t.Rows = append(t.Rows, []webpage.Cell{
			named(h.Run), whole(h.Pairs), whole(h.HumanGames), whole(h.ModelGames),
			metric(h.Human), metric(h.Model), metric(h.Difference),
		})
	}
	f := figure.Figure{
		Title: "Steps beyond the shortest way: models minus people", Subtitle: b.about(), X: "difference",
	}
	return []webpage.Block{b.figure("people", f.Title, f.Differences(list), nil), t, won}
}

// clusters is success on each cluster against what is measured of it, each by itself.
func (b *builder) clusters() (blocks []webpage.Block) {
	for _, g := range b.r.Groups {
		for _, set := range g.Clusters {
			var small multiples
			for _, measure := range slices.Sorted(maps.Keys(measuresOf(set))) {
				small = append(small, b.cluster(g, set, measure))
			}
			t := b.table("Lines of success on clusters of "+set.Split+" against one measure each"+b.r.Of(g)+
				"; p is corrected for the measures that were tried (Holm)",
				"run", "measure", "#clusters", "#slope", "#R²", "#p", "#p, corrected", "remark")
			for _, r := range set.Regressions {
				t.Rows = append(t.Rows, []webpage.Cell{
					named(r.Run),
					{Text: r.Measure},
					whole(r.N), threeDigits(r.Slope), decimal(r.R2), chance(r.P), chance(r.Holm),
					{Text: r.Says},
				})
			}
			blocks = append(blocks, small, t, b.clusterTable(g, set))
		}
	}
	return blocks
}

func measuresOf(set report.ClusterSet) map[string]bool {
	out := map[string]bool{}
	for _, c := range set.Clusters {
		for name := range c.Measures { // a set
			out[name] = true
		}
	}
	return out
}

func (b *builder) cluster(g report.Group, set report.ClusterSet, measure string) webpage.Figure {
	f := figure.Figure{
		Title: "Success against " + measure, Subtitle: b.subtitle(g, set.Split),
		X: measure, Y: "success rate", Bounds: shares, Small: true,
	}
	var list []figure.Series
	for i, run := range g.Series {
		s := figure.Series{Name: run, Points: true, Of: i}
		for _, c := range set.Clusters {
			v, _, _ := estimate(at(c.Success, i))
			s.X, s.Y = append(s.X, number(c.Measures[measure])), append(s.Y, v)
		}
		list = append(list, s)
		for _, r := range set.Regressions {
			if r.Run == run && r.Measure == measure && r.Slope.Value != nil {
				low, high := ends(s.X)
				line := figure.Series{Line: true, Of: i, X: []float64{low, high}}
				for _, x := range line.X {
					line.Y = append(line.Y, valueOf(r.Intercept)+x*valueOf(r.Slope.Value))
				}
				list = append(list, line)
			}
		}
	}
	return b.figure("cluster-"+set.Split+"-"+measure+b.r.Of(g), f.Title+" on "+set.Split, f.Lines(nil, list), nil)
}

func ends(x []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range x {
		if !math.IsNaN(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	return low, high
}

func (b *builder) clusterTable(g report.Group, set report.ClusterSet) webpage.Block {
	t := b.table("Clusters of "+set.Split+b.r.Of(g), "cluster")
	measures := slices.Sorted(maps.Keys(measuresOf(set)))
	t.Columns = slices.Concat(t.Columns, numbers(measures), numbers(g.Series))
	for _, c := range set.Clusters {
		row := []webpage.Cell{named(c.Name)}
		for _, m := range measures {
			text := c.Measures[m]
			row = append(row, decimal(&text))
		}
		for i := range g.Series {
			row = append(row, metric(at(c.Success, i)))
		}
		t.Rows = append(t.Rows, row)
	}
	return webpage.Details{Summary: "The clusters of " + set.Split + b.r.Of(g), Blocks: []webpage.Block{t}}
}
