package aar

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wikinav/wikinav/schemas"
)

// clueTable is the wordings of clues.json.
var clueTable = table[struct {
	Nav           map[string][]string `json:"nav"`
	Ask           map[string][]string `json:"ask"`
	Tool          map[string][]string `json:"tool"`
	ToolNotes     map[string]string   `json:"tool_notes"`
	CountryWords  map[string]string   `json:"country_words"`
	ProviderNouns map[string]string   `json:"provider_nouns"`
	Merge         map[string][]string `json:"merge"`
	Reason        map[string][]string `json:"reason"`
	Finish        map[string][]string `json:"finish"`
	ReasonNote    string              `json:"reason_note"`
	FinishNote    string              `json:"finish_note"`
	PlaceWords    map[string]string   `json:"place_words"`
}]("clues")

// Misread is a clue that does not say what its stop is.
type Misread struct{ Want, Got string }

// MisreadClues lists the clues that are worded as none of their slot, with the numbers of clues,
// factors and dates that their stop has. What a wording leaves open, such as a phrase for a page,
// may be anything.
func MisreadClues(l *schemas.AARLeg) (list []Misread) {
	clues := cluesOf(l.Riddle)
	for i := range min(len(clues), len(l.Stops)) {
		forms, known := wordings(l, i)
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

var clueStart = regexp.MustCompile(`(?m)^\d+\. `)

// cluesOf splits a riddle into its clues, without their numbers.
func cluesOf(riddle string) (list []string) {
	starts := clueStart.FindAllStringIndex(riddle, -1)
	for i, at := range starts {
		end := len(riddle)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		list = append(list, strings.TrimSpace(riddle[at[1]:end]))
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

// wordings lists the wordings of the clue of stop i, filled in as far as the leg says; known is
// false for a stop that has no slot.
func wordings(l *schemas.AARLeg, i int) (forms []string, known bool) {
	s := &l.Stops[i]
	switch last := lastCall(s); {
	case s.Type == schemas.AARPage:
		return pageWordings(l, i), true
	case s.Type == schemas.AARReason && s.ReasonTransform != nil && s.ReasonSourceStop != nil:
		forms = filled(clueTable.Reason[*s.ReasonTransform], "a", clueNumber(*s.ReasonSourceStop))
		return withNote(forms, clueTable.ReasonNote), true
	case s.Type == schemas.AARCompute:
		e, _, _ := FinishOf(l)
		forms = filled(clueTable.Finish[e.Reduction], "list", clueList(e.Used(s.Bridge.ReferencedStops)))
		return withNote(forms, clueTable.FinishNote), e.Reduction != ""
	case last == nil:
		return nil, false
	case last.OutputKey == mergedKey:
		op, ok := pythonOf(*last)
		return filled(clueTable.Merge[op.Kind], "a", clueNumber(i-2), "b", clueNumber(i-1)), ok
	default:
		return toolWordings(l, i, *last)
	}
}

func clueNumber(stop int) string { return strconv.Itoa(stop + 1) }

// clueList writes numbers of clues as `clues 2, 5 and 7`.
func clueList(stops []int) string {
	var parts []string
	for _, k := range stops {
		parts = append(parts, clueNumber(k))
	}
	if n := len(parts) - 1; n > 0 {
		return "clues " + strings.Join(parts[:n], ", ") + " and " + parts[n]
	}
	return "clues " + strings.Join(parts, "")
}

// filled puts values into the places of wordings.
func filled(forms []string, pairs ...string) (out []string) {
	for k := 0; k < len(pairs); k += 2 {
		pairs[k] = "{" + pairs[k] + "}"
	}
	r := strings.NewReplacer(pairs...)
	for _, form := range forms {
		out = append(out, r.Replace(form))
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
	for _, nav := range filled(clueTable.Nav[slot], "p", clueNumber(before)) {
		for _, ask := range clueTable.Ask["fact"] {
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
	name := templateByKey[last.OutputKey]
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
		source := converted(l, i, &last)
		if source == nil {
			return nil, false
		}
		return filled(clueTable.Tool[name], "a", clueNumber(source[0]), "factor", Repr(op.Factor)), true
	case len(pages) == 0:
		return nil, false
	case name == "date_computation":
		forms = filled(clueTable.Tool[name], "a", clueNumber(pages[0]), "date", longDate(op.Values[1]))
		return withNote(forms, clueTable.ToolNotes["bare_year"]), true
	case name == "geocode_distance" && len(pages) > 1:
		return filled(clueTable.Tool[name], "a", clueNumber(pages[0]), "b",
			clueNumber(pages[len(pages)-1])), true
	case strings.HasPrefix(name, "country_"):
		return countryWordings(l, name, last, pages), true
	case clueTable.Tool[name] != nil:
		place := clueNumber(pages[len(pages)-1])
		return filled(clueTable.Tool[name], "a", place, "kind",
			clueTable.PlaceWords[placeKindIn(last)]), true
	}
	return filled(clueTable.Tool["provider"], "noun", clueTable.ProviderNouns[name], "a",
			clueNumber(pages[len(pages)-1])),
		clueTable.ProviderNouns[name] != ""
}

// countryWordings name the country by its page or by the answer of its clue.
func countryWordings(l *schemas.AARLeg, name string, last schemas.AARCall,
	pages []int,
) (forms []string) {
	var args struct{ Country string }
	_ = json.Unmarshal(last.Arguments, &args) // as in pythonOf
	for _, k := range pages {
		word := clueTable.CountryWords["answer"]
		if titleOf(*l.Stops[k].PageURL) == args.Country {
			word = clueTable.CountryWords["page"]
		}
		forms = append(forms, filled(clueTable.Tool[name], "country",
			strings.ReplaceAll(word, "{a}", clueNumber(k)))...)
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
