package aar

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// changed returns the pages of a world with another value in the row of a fact.
func changed(w *aar.World, page int, f aar.Fact, r *rng.Stream) []schemas.Text {
	var pages []schemas.Text
	for i := range w.Len() {
		t := w.Text(i)
		if i == page {
			cell := strings.Map(func(c rune) rune {
				if c >= '1' && c <= '8' {
					return c + 1
				}
				return c
			}, f.Cell)
			if f.Type == "text" {
				cell = "Another " + strconv.Itoa(r.Below(9)) // no name any more
			}
			t.Text = strings.Replace(t.Text, "| "+f.Label+" | "+f.Cell+" |",
				"| "+f.Label+" | "+cell+" |", 1)
		}
		pages = append(pages, t)
	}
	return pages
}

// walk computes a leg again in another world, each stop from the pages up, and returns which stops
// are no longer as the leg has them.
type walk struct {
	*aar.Tools
	leg *schemas.AARLeg
	t   *testing.T
}

func (w walk) dependent() (list []int) {
	for i := range w.leg.Stops {
		if _, same := w.stop(i); !same {
			list = append(list, i)
		}
	}
	return list
}

// stop returns the value of a stop, nil for none, and whether all that it shows is the same.
func (w walk) stop(i int) (v schemas.AARValue, same bool) {
	s := &w.leg.Stops[i]
	switch s.Type {
	case schemas.AARPage:
		v = w.page(s)
	case schemas.AARReason:
		if source, _ := w.stop(*s.ReasonSourceStop); source != nil {
			n, err := aar.Transform(*s.ReasonTransform, source)
			if err == nil {
				v = aar.IntegerValue(n)
			}
		}
	case schemas.AARCompute:
		e, _, _ := aar.FinishOf(w.leg)
		e.Operands = nil
		for _, k := range s.Bridge.ReferencedStops {
			n, err := aar.Operand(w.value(k))
			if err != nil {
				return nil, false
			}
			e.Operands = append(e.Operands, n)
		}
		n, err := e.Value()
		if err != nil {
			return nil, false
		}
		return aar.IntegerValue(n), e.String() == *s.Bridge.Expression
	default:
		return w.tool(i, s)
	}
	return v, string(v) == string(s.ExtractedValue)
}

func (w walk) value(i int) schemas.AARValue {
	v, _ := w.stop(i)
	return v
}

func (w walk) page(s *schemas.AARStop) schemas.AARValue {
	i, _ := w.World.Page(*s.PageURL)
	value, typ, ok := aar.Asked(w.World.Facts(i), s.ExtractionTarget)
	if !ok {
		return nil
	}
	if typ != "number" {
		return aar.TextValue(value)
	}
	v, err := aar.NumberValue(value)
	if err != nil {
		w.t.Fatal(err)
	}
	return v
}

// tool runs the chain again, with the numbers, dates and answers of now in its arguments.
func (w walk) tool(i int, s *schemas.AARStop) (schemas.AARValue, bool) {
	last := i - 1
	for w.leg.Stops[last].Type != schemas.AARPage {
		last--
	}
	chain := slices.Clone(s.Bridge.ToolChain)
	var args struct{ Code, Country string }
	_ = json.Unmarshal(chain[0].Arguments, &args)
	if was, ok := aar.ReadPython(args.Code); ok {
		from := []int{i - 2, i - 1}
		switch was.Kind {
		case aar.DaysKind:
			from = []int{last}
		case aar.Conversion:
			from = []int{i - 1}
			for aar.UnitOf(&w.leg.Stops[from[0]]) == "" {
				from[0]--
			}
		}
		for k, source := range from {
			v := w.value(source)
			if v == nil {
				return nil, false
			}
			if was.Values[k] = string(v); was.Kind == aar.DaysKind {
				was.Values[k], _ = aar.DateOf(v)
			}
		}
		chain[0].Arguments = aar.MergeChain(was)[0].Arguments
	}
	answer, _ := aar.TextOf(w.leg.Stops[last].ExtractedValue)
	if page, _ := w.World.Page(*w.leg.Stops[last].PageURL); args.Country != "" &&
		args.Country == answer && args.Country != w.World.Title(page) {
		now, _ := aar.TextOf(w.value(last))
		chain[0].Arguments = schemas.AARValue(strings.Replace(string(chain[0].Arguments),
			args.Country, now, 1))
	}
	v, err := w.Run(w.t.Context(), chain)
	same := err == nil && string(v) == string(s.ExtractedValue)
	for k := range chain {
		same = same && string(chain[k].ExpectedOutput) == string(s.Bridge.ToolChain[k].ExpectedOutput) &&
			(args.Code == "" || string(chain[k].Arguments) == string(s.Bridge.ToolChain[k].Arguments))
	}
	if err != nil {
		return nil, false
	}
	return v, same
}

func TestAChangedFactIsFoundAtTheStopsThatDependOnIt(t *testing.T) {
	f := atlasField(t)
	legs := some(t, params(ProfileStrict), 2)
	r := rng.New(1, "mutation")
	hit := 0
	for range 100 {
		l := legs[r.Below(len(legs))].made.leg
		s := &l.Stops[r.Below(len(l.Stops)-1)]
		page, _ := f.Page(*s.PageURL)
		fact := f.facts[page][r.Below(len(f.facts[page]))]
		w := aar.NewWorld(f.Site, changed(f.World, page, fact, r), newAtlas().aliases())
		tools := &aar.Tools{World: w}
		var got []int
		for _, stop := range tools.Execute(t.Context(), l).Stops {
			if stop.Status != aar.StopMatch {
				got = append(got, stop.Index)
			}
		}
		want := walk{&aar.Tools{World: w}, l, t}.dependent()
		if !slices.Equal(got, want) {
			t.Errorf("%s of %s: the executor names %v, want %v", fact.Kind, f.Title(page), got,
				want)
		}
		hit += min(1, len(want))
	}
	if hit < 20 {
		t.Errorf("%d of 100 changes touch their leg, want 20 or more", hit)
	}
}

// TestThePythonOfLegsPrintsTheirValues runs every code of some legs.
func TestThePythonOfLegsPrintsTheirValues(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	var program strings.Builder
	var want []string
	add := func(code string, v schemas.AARValue) {
		fmt.Fprintf(&program, "exec(%s, {})\n", strconv.QuoteToASCII(code))
		want = append(want, string(v))
	}
	for _, d := range some(t, params(ProfileStrict), 2) {
		for _, s := range d.made.leg.Stops {
			switch {
			case s.ReasonCode != nil:
				add(*s.ReasonCode, s.ExtractedValue)
			case s.Bridge.ExpressionCode != nil:
				add(*s.Bridge.ExpressionCode, s.ExtractedValue)
			}
			for _, c := range s.Bridge.ToolChain {
				var args struct{ Code string }
				if json.Unmarshal(c.Arguments, &args) == nil && args.Code != "" {
					add(args.Code, s.ExtractedValue)
				}
			}
		}
	}
	for _, name := range aar.Transforms() {
		for _, v := range []string{"1999", "12", "1840.5", "97", "1024", `"Abjad"`, `"Québec's \\ Quiz"`} {
			if n, err := aar.Transform(name, schemas.AARValue(v)); err == nil && (aar.Applies(name,
				schemas.AARValue(v), "number") || v[0] == '"') {
				add(reasonCode(name, schemas.AARValue(v)), aar.IntegerValue(n))
			}
		}
	}
	cmd := exec.Command(python, "-I", "-")
	cmd.Stdin = strings.NewReader(program.String())
	out, err := cmd.CombinedOutput()
	if got := strings.Fields(string(out)); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v: got %v, want %v", err, got, want)
	}
}

// TestInjectedLeaksAreNamed puts each kind of leak into legs.
func TestInjectedLeaksAreNamed(t *testing.T) {
	f := atlasField(t)
	for _, d := range some(t, params(ProfileStrict), 3)[:20] {
		for _, injected := range injections(f, d.made.leg) {
			check, l := injected[0], *d.made.leg
			if l.Riddle = injected[1]; l.Riddle == d.made.leg.Riddle {
				t.Errorf("%s: nothing was put in for %s", l.TrailID, check)
			}
			leaks := aar.Leaks(f.World, &l)
			if !slices.ContainsFunc(leaks, func(k aar.Leak) bool { return k.Check == check }) {
				t.Errorf("%s: a leak %s is found as %+v", l.TrailID, check, leaks)
			}
		}
	}
}

// injections returns the riddle of a leg with a leak of each kind.
func injections(f *field, l *schemas.AARLeg) [][2]string {
	clues := aar.SplitRiddle(l.Riddle)
	last := &l.Stops[len(l.Stops)-1]
	page, k, value := 0, 0, ""
	for i := range l.Stops {
		if s := &l.Stops[i]; s.Type == schemas.AARPage && i > 0 {
			page, k = mustPage(f.World, *s.PageURL), i
		}
		if v := string(l.Stops[i].ExtractedValue); len(strings.Trim(v, "\"")) >= 6 ||
			aar.ValueIn(l.Stops[i].ExtractedValue, v) {
			value = strings.Trim(v, "\"")
		}
	}
	phrase := aar.ReadClue(clues[k])[0].Phrase
	within := func(s string) string { return strings.Replace(l.Riddle, phrase, phrase+" "+s, 1) }
	words := strings.Fields(f.Title(page))
	slices.Reverse(words)
	names := f.Names(page)
	return [][2]string{
		{aar.LeakTitle, within("near " + names[0])},
		{aar.LeakTitle, within("near " + strings.ToUpper(names[len(names)-1]))}, // an alias
		{aar.LeakToken, within(strings.Join(words, " of "))},
		{aar.LeakValue, within(value)},
		{aar.LeakExpression, l.Riddle + " " + strings.Trim(last.ExtractionTarget[strings.Index(last.ExtractionTarget, "("):], " %10")},
		{aar.LeakNames, within("maps_elevation")},
		{aar.LeakClues, strings.Replace(l.Riddle, "2. ", "3. ", 1)},
	}
}

func mustPage(w *aar.World, url string) int {
	i, _ := w.Page(url)
	return i
}
