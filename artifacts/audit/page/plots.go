package page

import (
	"fmt"
	"math"
	"slices"

	"github.com/wikinav/wikinav/artifacts/audit"
	"github.com/wikinav/wikinav/artifacts/figure"
	"github.com/wikinav/wikinav/artifacts/webpage"
)

// Plots are the figures of a report by their names, and where the list of each set stands.
type Plots struct {
	files  map[string]webpage.Figure
	boxed  map[string][]string // by family: names of figures
	fitted [][]string          // by place among the scores
	places map[string]string   // by set or record: the page of its list, "" for this one
}

// Names of figures, and of their files without the ending.
const (
	plotOut            = "out-degree"
	plotIn             = "in-degree"
	plotDistances      = "distance"
	plotEccentricities = "eccentricity"
)

// Bounds of what is drawn.
const (
	mostFeatures = 6 // of a family, and of a run that was scored
	mostBoxes    = 18
	fewBoxes     = 6   // that a small plot has room for
	wideRange    = 100 // positive numbers that span more are drawn on a logarithmic axis
)

// figure returns a figure, nil where it was not drawn.
func (p Plots) figure(name string) webpage.Block {
	f, ok := p.files[name]
	if !ok {
		return nil
	}
	return f
}

func (p Plots) figures(names []string) (list []webpage.Block) {
	for _, name := range names {
		list = append(list, p.figure(name))
	}
	return list
}

// draw draws the figures of a report.
func draw(r *audit.Report) Plots {
	p := Plots{
		files: map[string]webpage.Figure{}, boxed: map[string][]string{},
		places: map[string]string{},
	}
	of := r.Release.String()
	if g := r.Graph; g != nil {
		p.add(plotOut, "Pages by the number of their links",
			audit.DegreeChart("Pages by the number of their links", "links", of, g.Out))
		p.add(plotIn, "Pages by the number of links to them",
			audit.DegreeChart("Pages by the number of links to them", "links to a page", of, g.In))
		p.add(plotDistances, "Pairs of pages by distance", audit.DistanceChart(of, g.Distances))
		p.add(plotEccentricities, "Pages by their eccentricity", audit.EccentricityChart(of, g.Distances))
	}
	for _, family := range families(r) {
		p.boxes(r, family)
	}
	for i, s := range r.Scores {
		p.fitted = append(p.fitted, p.curves(of, i, s))
	}
	return p
}

func (p Plots) add(name, title string, svg []byte) {
	p.files[name] = webpage.Figure{Title: title, SVG: svg, File: name + ".svg"}
}

// families lists the families of a report in their order.
func families(r *audit.Report) (list []string) {
	for _, s := range r.Sets {
		if !slices.Contains(list, s.Family) {
			list = append(list, s.Family)
		}
	}
	return list
}

func setsOf(r *audit.Report, family string) (list []*audit.Set) {
	for _, s := range r.Sets {
		if s.Family == family {
			list = append(list, s)
		}
	}
	return list
}

// shownFeatures are those of a family of which plots are drawn: what instances are ranked by, then
// the others as they come.
func shownFeatures(sets []*audit.Set) (list []string) {
	for _, s := range sets {
		for _, name := range append([]string{s.Ease, s.Hardness}, s.Features...) {
			if len(list) < mostFeatures && slices.Contains(s.Features, name) &&
				!slices.Contains(list, name) &&
				!binary(s, name) && !slices.Contains(s.Table().Judged.By, name) {
				list = append(list, name)
			}
		}
	}
	return list
}

// binary reports whether a feature is a truth value, of which quartiles show nothing.
func binary(s *audit.Set, feature string) bool {
	q := s.Groups[0].Features[slices.Index(s.Features, feature)]
	return audit.Real(q.Min) == 0 && audit.Real(q.Max) == 1
}

// groupsOf are the groups of a set that stand side by side: those of the first column that makes
// groups, or the whole set.
func groupsOf(s *audit.Set) (list []audit.Group) {
	for _, g := range s.Groups[1:] {
		if len(g.By) == 1 && g.By[0].Name == s.Groups[1].By[0].Name {
			list = append(list, g)
		}
	}
	if len(list) == 0 {
		return s.Groups[:1]
	}
	return list
}

// boxes draws the quartiles of a family's features, its sets and groups side by side.
func (p Plots) boxes(r *audit.Report, family string) {
	sets := setsOf(r, family)
	for _, feature := range shownFeatures(sets) {
		list := boxesOf(sets, feature, groupsOf)
		if len(list) > mostBoxes {
			list = boxesOf(sets, feature, func(s *audit.Set) []audit.Group { return s.Groups[:1] })
		}
		if len(list) == 0 || len(list) > mostBoxes {
			continue
		}
		f := figure.Figure{
			Title: family + ": " + feature, Subtitle: r.Release.String(),
			X: "set and group (records)", Y: feature,
			LogY: logarithmic(list), Small: len(list) <= fewBoxes,
		}
		name := "box-" + slug(family, feature)
		p.add(name, "Quartiles of "+feature, f.Boxes(list))
		p.boxed[family] = append(p.boxed[family], name)
	}
}

func boxesOf(sets []*audit.Set, feature string,
	groups func(*audit.Set) []audit.Group,
) (list []figure.Box) {
	for _, s := range sets {
		at := slices.Index(s.Features, feature)
		if at < 0 {
			continue
		}
		for _, g := range groups(s) {
			q := g.Features[at]
			name := s.Set
			if len(g.By) > 0 {
				name += " " + g.By[0].Value
			}
			list = append(list, figure.Box{
				Name: name, N: q.N, Min: audit.Real(q.Min), Lower: audit.Real(q.Q1),
				Median: audit.Real(q.Median), Upper: audit.Real(q.Q3), Max: audit.Real(q.Max),
			})
		}
	}
	return list
}

func logarithmic(list []figure.Box) bool {
	low, high := math.Inf(1), math.Inf(-1)
	for _, b := range list {
		low, high = math.Min(low, b.Min), math.Max(high, b.Max)
	}
	return low > 0 && high/low > wideRange
}

// curves draws success against the features that say most, with the curve that fits.
func (p Plots) curves(of string, at int, s audit.ScoredSet) (names []string) {
	for _, x := range s.Features {
		if len(names) == mostFeatures || x.Slope == "" && !x.Predicts || len(x.Groups) < 2 {
			continue
		}
		f := figure.Figure{
			Title:    fmt.Sprintf("%s: success by %s", playerOf(s), x.Feature),
			Subtitle: fmt.Sprintf("%s %s, %d items; %s", s.Family, s.Set, x.N, of),
			X:        x.Feature, Y: "success", LogX: x.Log, Bounds: [2]float64{0, 1}, Small: true,
		}
		points := figure.Series{Name: "groups, with 95 % intervals", Points: true}
		for _, b := range x.Groups {
			points.X = append(points.X, middle(b, x.Log))
			points.Y = append(points.Y, audit.Real(b.Rate.Value))
			points.Low = append(points.Low, audit.Real(b.Rate.Low))
			points.High = append(points.High, audit.Real(b.Rate.High))
		}
		series := []figure.Series{points}
		if x.Slope != "" {
			series = append(series, curveOf(x))
		}
		name := fmt.Sprintf("curve-%d-%s", at+1, slug(x.Feature))
		p.add(name, f.Title, f.Lines(nil, series))
		names = append(names, name)
	}
	return names
}

func middle(b audit.Bin, log bool) float64 {
	low, high := audit.Real(b.Low), audit.Real(b.High)
	if log {
		return math.Sqrt(low * high)
	}
	return (low + high) / 2
}

// curveOf is the fitted curve between the ends of the groups.
func curveOf(x audit.Predictor) figure.Series {
	const steps = 60
	s := figure.Series{Name: "logistic curve", Line: true, Of: 1}
	scale, back := func(v float64) float64 { return v }, func(v float64) float64 { return v }
	if x.Log {
		scale, back = math.Log10, func(v float64) float64 { return math.Pow(10, v) }
	}
	from, to := scale(audit.Real(x.Groups[0].Low)), scale(audit.Real(x.Groups[len(x.Groups)-1].High))
	for i := range steps + 1 {
		v := from + (to-from)*float64(i)/steps
		s.X = append(s.X, back(v))
		s.Y = append(s.Y, 1/(1+math.Exp(-audit.Real(x.Intercept)-audit.Real(x.Slope)*v)))
	}
	return s
}
