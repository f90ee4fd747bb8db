package aar

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/schemas"
)

// Misread is a clue that does not say what its stop is.
type Misread struct{ Want, Got string }

// MisreadClues lists the clues that are worded as none of their slot, with the numbers of clues,
// factors and dates that their stop has. What a wording leaves open, such as a phrase for a page,
// may be anything. Of a riddle that was reworded the numbers alone are asked for.
func MisreadClues(l *schemas.AARLeg) (list []Misread) {
	clues := SplitRiddle(l.Riddle)
	for i := range min(len(clues), len(l.Stops)) {
		forms, known := formsOf(l, i)
		if Reworded(l) {
			if _, kept := withoutNumbers(l, i, clues[i]); !kept {
				want := fmt.Sprintf("the numbers of a wording of clue %d, as: %s", i+1, forms[0])
				list = append(list, Misread{want, clues[i]})
			}
			continue
		}
		if known && !slices.ContainsFunc(forms, func(form string) bool { return fits(form, clues[i]) }) {
			want := fmt.Sprintf("a wording of clue %d", i+1)
			if len(forms) > 0 {
				want += ", as: " + forms[0]
			}
			list = append(list, Misread{want, clues[i]})
		}
	}
	return list
}

var openPlace = regexp.MustCompile(`\\\{[a-z]+\\\}`)

// fits reports whether a clue is a wording; places that are still open stand for any text.
func fits(form, clue string) bool {
	pattern := openPlace.ReplaceAllString(regexp.QuoteMeta(form), `(?s:.+)`)
	re, err := regexp.Compile(`^` + pattern + `$`)
	return err == nil && re.MatchString(clue)
}

// formsOf lists the wordings of the clue of stop i, filled in as far as the leg says; known is
// false for a stop that has no slot.
func formsOf(l *schemas.AARLeg, i int) (forms []string, known bool) {
	s := &l.Stops[i]
	switch last := lastCall(s); {
	case s.Type == schemas.AARPage:
		return pageWordings(l, i), true
	case s.Type == schemas.AARReason && s.ReasonTransform != nil && s.ReasonSourceStop != nil:
		forms = filled(Wordings("reason."+*s.ReasonTransform), "a", stopNumber(*s.ReasonSourceStop))
		return withNote(forms, clueWords().ReasonNote), true
	case s.Type == schemas.AARCompute:
		e, _, _ := FinishOf(l)
		forms = filled(Wordings("finish."+e.Reduction), "list", listed(numbersOf(e.Used(s.Bridge.ReferencedStops))))
		return withNote(forms, clueWords().FinishNote), e.Reduction != ""
	case last == nil:
		return nil, false
	case last.OutputKey == mergedKey:
		op, ok := pythonOf(*last)
		return filled(Wordings("merge."+op.Kind), "a", stopNumber(i-2), "b", stopNumber(i-1)), ok
	default:
		return toolWordings(l, i, *last)
	}
}

func stopNumber(stop int) string { return strconv.Itoa(stop + 1) }

// numbersOf returns the numbers of the clues of stops.
func numbersOf(stops []int) (numbers []int) {
	for _, k := range stops {
		numbers = append(numbers, k+1)
	}
	return numbers
}

// filled puts values into the slots of wordings.
func filled(forms []string, slotsAndValues ...string) (out []string) {
	for _, form := range forms {
		out = append(out, prompt.Fill(form, slotsAndValues...))
	}
	return out
}

// withNote adds the wordings with a note at their end.
func withNote(forms []string, note string) []string {
	for _, form := range slices.Clone(forms) {
		forms = append(forms, form+note)
	}
	return forms
}

// pageWordings are the way to a page and the question for its fact.
func pageWordings(l *schemas.AARLeg, i int) (forms []string) {
	before := i - 1
	for before >= 0 && l.Stops[before].Type != schemas.AARPage {
		before--
	}
	slot := "seed"
	if before >= 0 {
		slot = l.Stops[before].Bridge.Type
	}
	for _, nav := range filled(Wordings("page."+slot), "p", stopNumber(before)) {
		for _, ask := range AskWordings() {
			forms = append(forms, nav+" "+ask)
		}
	}
	return forms
}

func pythonOf(c schemas.AARCall) (op Computation, ok bool) {
	var args struct{ Code string }
	_ = json.Unmarshal(c.Arguments, &args) // arguments of another form have no code
	return ReadPython(args.Code)
}

// toolWordings are those of a template; known is false where the stop does not say which it is.
func toolWordings(l *schemas.AARLeg, i int, last schemas.AARCall) (forms []string, known bool) {
	name := templateByKey()[last.OutputKey]
	pages, op := argumentSources(l, i), Computation{}
	slices.Sort(pages)
	if last.ToolName == toolPython {
		op, known = pythonOf(last)
		if !known {
			return nil, false
		}
	}
	switch {
	case name == "math_conversion":
		for _, source := range holdersOf(l, i, &last) {
			forms = append(forms, filled(Wordings("tool."+name),
				"a", stopNumber(source), "factor", Repr(op.Factor))...)
		}
		return forms, forms != nil
	case len(pages) == 0:
		return nil, false
	case strings.HasPrefix(name, "country_"):
		return countryWordings(l, name, last, pages), true
	}
	date := ""
	if name == "date_computation" {
		date = longDate(op.Values[1])
	}
	for _, a := range pages { // several pages may name a place
		for _, b := range pages {
			if !Asks(name, "location_b") || a != b {
				forms = append(forms, filled(Wordings("tool."+name), "a", stopNumber(a), "b", stopNumber(b),
					"kind", clueWords().PlaceWords[placeKindIn(last)], "date", date)...)
			}
		}
	}
	if date != "" {
		return withNote(forms, clueWords().ToolNotes["bare_year"]), true
	}
	noted, there := notedDay(l, i, name, last)
	extra, always := providedNote(name)
	if always || there {
		for k := range forms {
			forms[k] += prompt.Fill(extra, "date", noted)
		}
	}
	return forms, forms != nil
}

// notedDay returns the day that a call of a provider asks for, as clues have it, and whether the
// clue has a note on it: the last page states another one.
func notedDay(l *schemas.AARLeg, i int, name string, last schemas.AARCall) (day string, noted bool) {
	var args map[string]any
	_ = json.Unmarshal(last.Arguments, &args) // as in pythonOf
	for _, key := range dayArguments {
		if iso, ok := args[key].(string); ok {
			x := executor{leg: l}
			k := x.lastPage(i)
			if k < 0 {
				return longDate(iso), true
			}
			stated, _ := isoDate(l.Stops[k].ExtractedValue)
			return longDate(iso), stated != iso
		}
	}
	return "", false
}

// countryWordings name the country by its page or by the answer of its clue.
func countryWordings(l *schemas.AARLeg, name string, last schemas.AARCall,
	pages []int,
) (forms []string) {
	var args struct{ Country string }
	_ = json.Unmarshal(last.Arguments, &args) // as in pythonOf
	for _, k := range pages {
		word := clueWords().CountryWords.Answer
		if titleOf(*l.Stops[k].PageURL) == args.Country {
			word = clueWords().CountryWords.Page
		}
		forms = append(forms, filled(Wordings("tool."+name), "country",
			strings.ReplaceAll(word, "{a}", stopNumber(k)))...)
	}
	return forms
}

// placeKindIn returns the kind of places that a call counts.
func placeKindIn(c schemas.AARCall) string {
	var args struct{ Query string }
	_ = json.Unmarshal(c.Arguments, &args) // as in pythonOf
	kind, _, _ := strings.Cut(args.Query, " near ")
	return kind
}

// longDate writes a date as `1 January 2026`.
func longDate(iso string) string {
	d, err := time.Parse(time.DateOnly, iso)
	if err != nil {
		return iso
	}
	return d.Format("2 January 2006")
}
