package aar

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/schemas"
)

// made is a leg that was made.
type made struct {
	leg      *schemas.AARLeg
	reworded string // what became of the rewording, "" where none was asked for
}

// made writes the leg down and puts it through the gates.
func (a *attempt) made() (*made, error) {
	m := &made{leg: a.leg(aar.Riddle(a.clues()))}
	if err := a.gates(m); err != nil {
		return nil, err
	}
	if a.p.Verbalizer == VerbalizerLLM {
		a.reword(m)
	}
	return m, nil
}

// leg writes the record from the stops.
func (a *attempt) leg(riddle string) *schemas.AARLeg {
	seed, finish := a.stops[0], a.stops[len(a.stops)-1]
	passcode, _ := aar.Operand(finish.value) // 0 to 9
	source := a.p.Profile
	l := &schemas.AARLeg{
		TrailID: aar.TrailID(a.p.Seed, a.p.Profile, a.variant, a.level, a.number),
		SeedURL: a.URL(seed.page), SeedTitle: a.Title(seed.page), Passcode: int(passcode),
		Riddle: riddle,
		Difficulty: schemas.AARDifficulty{
			Level: a.level, Depth: len(a.stops),
			ExtractionDifficulty: "infobox", BridgeObscurity: "direct_link",
		},
		Metadata: schemas.AARMetadata{
			Theme: "Route from " + a.Title(seed.page), Difficulty: a.level, SampleID: a.sample(),
			PagesCrawled: len(a.seen), Source: &source,
		},
		GeneratedAt: a.generated(),
	}
	for i, s := range a.stops {
		l.Stops = append(l.Stops, a.stop(i, s))
		switch {
		case s.kind == schemas.AARTool:
			l.Difficulty.ToolStopCount++
		case s.kind == schemas.AARReason:
			l.Difficulty.ReasonStopCount++
		case s.way == aar.SlotSearch:
			l.Difficulty.BridgeObscurity = "search"
		}
	}
	if a.variant != schemas.AARVariants[0] {
		for i := range l.Stops {
			l.Stops[i].DependsOn = []int{}
		}
		for i := range l.Stops {
			l.Stops[i].DependsOn = aar.WantDependsOn(l, i)
		}
	}
	return l
}

// index returns the place of a stop.
func (a *attempt) index(s *stop) int { return slices.Index(a.stops, s) }

// stop writes a stop.
func (a *attempt) stop(i int, s *stop) schemas.AARStop {
	out := schemas.AARStop{
		Index: i, Type: s.kind, ExtractedValue: s.value, ExtractedValueType: s.typ,
		Bridge: schemas.AARBridge{ToolChain: []schemas.AARCall{}, ReferencedStops: []int{}},
	}
	if s.page >= 0 {
		url := a.URL(s.page)
		out.PageURL = &url
	}
	switch s.kind {
	case schemas.AARPage:
		section := "infobox"
		out.ExtractionSection, out.ExtractionTarget = &section, s.ask.Target(s.ask.full)
		out.Reasoning = "Page stop: row " + s.ask.Label
		out.Bridge = a.bridge(i, s)
	case schemas.AARTool:
		out.ExtractionTarget, out.Reasoning = a.toolTexts(s)
		out.Bridge.Type, out.Bridge.ToolChain = "tool_call", s.chain
	case schemas.AARReason:
		k := a.index(s.needs[0])
		code, transform := reasonCode(s.transform, s.needs[0].value), s.transform
		out.ExtractionTarget = "Reason: " + strings.ReplaceAll(s.transform, "_", " ")
		out.Reasoning = fmt.Sprintf("Analytical transform (%s) on stop %d value", s.transform, k)
		out.ReasonTransform, out.ReasonSourceStop, out.ReasonCode = &transform, &k, &code
		out.Bridge.Type = "compute"
	default:
		expression, code := s.expression.String(), finishCode(s.expression)
		out.ExtractionTarget = "Compute: " + expression
		out.Reasoning = fmt.Sprintf("Compute stop: %s = %s", expression, s.value)
		out.Bridge.Type, out.Bridge.Expression, out.Bridge.ExpressionCode = "compute", &expression,
			&code
		for _, need := range s.needs {
			out.Bridge.ReferencedStops = append(out.Bridge.ReferencedStops, a.index(need))
		}
	}
	return out
}

// bridge leads from a page stop to the next one; the last leads to itself.
func (a *attempt) bridge(i int, s *stop) schemas.AARBridge {
	next := slices.IndexFunc(a.stops[i+1:], func(t *stop) bool { return t.kind == schemas.AARPage })
	to, way := s, aar.SlotLink
	if next >= 0 {
		to = a.stops[i+1+next]
		way = to.way
	}
	url := a.URL(to.page)
	b := schemas.AARBridge{
		Type: strings.TrimPrefix(way, "page."), ToolChain: []schemas.AARCall{},
		ReferencedStops: []int{},
	}
	if way == aar.SlotLink {
		b.TargetURL = &url
		return b
	}
	query := a.Title(to.page) + " wikipedia"
	b.SearchQuery, b.ExpectedResultURL = &query, &url
	return b
}

// what says what a tool stop finds.
func (a *attempt) what(s *stop) string {
	title := func(i int) string { return a.Title(s.args[i].page) }
	switch s.template {
	case "geocode_elevation":
		return "the elevation at " + title(0)
	case "nearby_poi_count":
		return "the " + s.place + " near " + title(0)
	case "geocode_distance":
		return "the great-circle distance between " + title(0) + " and " + title(1)
	case "country_population":
		return "the population of " + s.country
	case "country_area":
		return "the area of " + s.country
	case "math_conversion":
		return fmt.Sprintf("%s %s to %s", s.args[0].value, s.factor.From, s.factor.To)
	case "date_computation":
		day, _ := aar.DateOf(s.args[0].value) // it was read before
		return "the number of days between " + day + " and " + a.isoDay()
	}
	what := strings.ReplaceAll(s.template, "_", " ") + " of " + title(0)
	if len(s.args) > 1 {
		what += " and " + title(1)
	}
	return what
}

// toolTexts returns target and reasoning of a tool stop.
func (a *attempt) toolTexts(s *stop) (target, reasoning string) {
	if s.merge != nil {
		sign := map[string]string{
			aar.MergeAdd:     "%s + %s",
			aar.MergeAbsDiff: "|%s - %s|",
		}[s.merge.Kind]
		both := a.what(s.needs[0]) + " and " + a.what(s.needs[1])
		return "Combine " + both + ": " + fmt.Sprintf(sign, s.merge.Values[0], s.merge.Values[1]),
			"Diamond merge: " + a.what(s.needs[0]) + " " + s.merge.Kind + " " + a.what(s.needs[1])
	}
	verb := map[string]string{
		"nearby_poi_count": "Count ", "math_conversion": "Convert ",
		"date_computation": "Calculate ",
		"geocode_distance": "Calculate ",
	}[s.template]
	if verb == "" {
		verb = "Look up "
	}
	reasoning = "Tool stop: " + a.what(s)
	for _, other := range a.stops {
		if other.merge != nil && slices.Contains(other.needs, s) {
			reasoning = "Diamond branch (" + a.what(s) + ")"
		}
	}
	return verb + a.what(s), reasoning
}

// clues draws the wordings of all clues. No slot has one twice in a row.
func (a *attempt) clues() (list []aar.Clue) {
	last := map[string]int{}
	draw := func(slot string, of []int) int {
		if before, ok := last[slot]; ok && len(of) > 1 {
			of = slices.DeleteFunc(of, func(k int) bool { return k == before })
		}
		last[slot] = of[a.r.Below(len(of))]
		return last[slot]
	}
	for _, s := range a.stops {
		c := a.clue(s)
		c.Wording = draw(drawnAs(c.Slot), upTo(len(aar.Wordings(c.Slot))))
		if s.kind == schemas.AARPage {
			c.Ask = draw("ask", upTo(len(aar.AskWordings())))
			c.Noun = draw("noun."+c.Kind, s.ask.Nouns())
		}
		list = append(list, c)
	}
	return list
}

// upTo lists the numbers below n.
func upTo(n int) (list []int) {
	for k := range n {
		list = append(list, k)
	}
	return list
}

// drawnAs returns the name under which wordings of a slot are drawn: one for those that differ in
// what a provider finds alone.
func drawnAs(slot string) string {
	if aar.IsProvided(slot) {
		return "tool.provider"
	}
	return slot
}

// clue returns what the clue of a stop says.
func (a *attempt) clue(s *stop) (c aar.Clue) {
	number := func(s *stop) int { return a.index(s) + 1 }
	switch s.kind {
	case schemas.AARPage:
		c = aar.Clue{
			Slot: s.way, Phrase: s.phrase, Kind: s.ask.Kind, Unit: s.ask.Unit,
			Full: s.ask.full,
		}
		if s.from != nil {
			c.A = number(s.from)
		}
	case schemas.AARReason:
		c = aar.Clue{
			Slot: "reason." + s.transform, A: number(s.needs[0]),
			Note: decimals(s.needs[0]),
		}
	case schemas.AARCompute:
		c = aar.Clue{Slot: "finish." + s.expression.Reduction}
		for _, need := range s.needs {
			c.List = append(c.List, number(need))
		}
	default:
		c = aar.Clue{
			Slot: "tool." + s.template, A: number(s.args[0]), Place: s.place,
			Answer: s.option.answer,
			From:   s.factor.From, To: s.factor.To, Factor: s.factor.Shown, Date: a.shownDay(),
		}
		if len(s.args) > 1 {
			c.B = number(s.args[1])
		}
		if s.merge != nil {
			c.Slot = "merge." + s.merge.Kind
		}
		c.Note = s.template == "date_computation" && s.args[0].ask.isYear() || s.day != ""
		if s.day != "" {
			c.Date = aar.LongDay(s.day)
		}
	}
	return c
}

// decimals reports whether the value of a stop is a number with decimals.
func decimals(s *stop) bool { return s.typ == "number" && strings.Contains(string(s.value), ".") }

func pad(n int) string { return fmt.Sprintf("%03d", n) }
