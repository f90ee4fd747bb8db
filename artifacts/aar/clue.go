package aar

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Clue is a clue taken apart: its slot and what the placeholders of its wording hold. Numbers are
// those of clues, from 1; 0 stands for none.
type Clue struct {
	Slot    string // page.seed, tool.nearby_poi_count, merge.add, reason.digit_sum, finish.mod10
	Wording int    // of the slot; of a page that of the way to it

	A, B int   // {a}, or {p} of a page reached by a link; {b}
	List []int // of the finish

	Phrase string // that a page is found by
	Ask    int    // wording of the question for a fact
	Noun   int    // which of the noun phrases of its kind
	Kind   string // of the fact
	Unit   string // of a number
	Full   bool   // of a date: asked is the day, not the year

	Place    string // kind of places
	Answer   bool   // the country is the answer of clue A, not its page
	From, To string // units of a conversion, as clues have them
	Factor   string
	Date     string // as `1 January 2026`
	Note     bool   // the wording that is added to some clues of a slot stands there
}

// Ways to a page: the slots of page clues.
const (
	SlotSeed   = "page.seed"
	SlotLink   = "page." + bridgeLink
	SlotSearch = "page." + bridgeSearch
)

// clueTable is the table clues.
type clueTable struct {
	Nav          map[string][]string
	Ask          struct{ Fact []string }
	Tool         map[string][]string
	ToolNotes    map[string]string             `json:"tool_notes"`
	CountryWords struct{ Page, Answer string } `json:"country_words"`

	Merge      map[string][]string
	Reason     map[string][]string
	Finish     map[string][]string
	ReasonNote string            `json:"reason_note"`
	FinishNote string            `json:"finish_note"`
	PlaceWords map[string]string `json:"place_words"`

	ProviderNouns map[string]string `json:"provider_nouns"`
}

var clueWords = lazily[clueTable]("clues")

// Wordings returns the wordings of a slot, nil for none; of a page those of the way to it.
func Wordings(slot string) []string {
	group, name, _ := strings.Cut(slot, ".")
	if group == "tool" && clueWords().Tool[name] == nil {
		return providedWordings(name)
	}
	if group == "finish" && name == ReduceDiff {
		name = "abs_diff_mod10"
	}
	return map[string]map[string][]string{
		"page": clueWords().Nav, "tool": clueWords().Tool, "merge": clueWords().Merge,
		"reason": clueWords().Reason, "finish": clueWords().Finish,
	}[group][name]
}

// AskWordings returns the wordings of the question for a fact.
func AskWordings() []string { return clueWords().Ask.Fact }

// Slots lists the slots that have wordings, in the order of their names.
func Slots() (list []string) {
	list = append(list, SlotSeed, SlotLink, SlotSearch)
	for _, name := range slices.Concat(Natives(), Provided()) { // sorted below
		list = append(list, "tool."+name)
	}
	for name := range clueWords().Merge { // sorted below
		list = append(list, "merge."+name)
	}
	for name := range clueWords().Reason { // sorted below
		list = append(list, "reason."+name)
	}
	for _, name := range Reductions {
		list = append(list, "finish."+name)
	}
	slices.Sort(list)
	return list
}

// note returns what may be added to a clue of the slot, and whether it always is.
func note(slot string) (text string, always bool) {
	switch {
	case slot == "tool.date_computation":
		return clueWords().ToolNotes["bare_year"], false
	case strings.HasPrefix(slot, "tool."):
		return providedNote(strings.TrimPrefix(slot, "tool."))
	case strings.HasPrefix(slot, "reason."):
		return clueWords().ReasonNote, false
	case strings.HasPrefix(slot, "finish."):
		return clueWords().FinishNote, true
	}
	return "", false
}

// String writes the clue without its number.
func (c Clue) String() string {
	text := c.fill(Wordings(c.Slot)[c.Wording])
	if strings.HasPrefix(c.Slot, "page.") {
		text += " " + c.fill(clueWords().Ask.Fact[c.Ask])
	}
	if extra, always := note(c.Slot); always || c.Note {
		text += c.fill(extra)
	}
	return text
}

// fill puts what the clue holds in the place of the placeholders of a wording.
func (c Clue) fill(wording string) string {
	a := strconv.Itoa(c.A)
	country := clueWords().CountryWords.Page
	if c.Answer {
		country = clueWords().CountryWords.Answer
	}
	noun := ""
	if c.Kind != "" {
		noun = nounOf(c.Kind, c.Noun, c.Unit, c.Full)
	}
	return strings.NewReplacer(
		"{noun}", noun, "{phrase}", c.Phrase, "{p}", a, "{a}", a, "{b}", strconv.Itoa(c.B),
		"{kind}", clueWords().PlaceWords[c.Place], "{country}", strings.ReplaceAll(country, "{a}", a),
		"{from}", c.From, "{to}", c.To, "{factor}", c.Factor, "{date}", c.Date, "{list}",
		listed(c.List),
	).Replace(wording)
}

// listed writes numbers of clues as `clues 2, 5 and 7`.
func listed(numbers []int) string {
	out := "clues "
	for i, n := range numbers {
		switch {
		case i > 0 && i == len(numbers)-1:
			out += " and "
		case i > 0:
			out += ", "
		}
		out += strconv.Itoa(n)
	}
	return out
}

// Nouns lists the noun phrases that fit the fact, by their places among those of its kind.
func (f Fact) Nouns() (list []int) {
	w := kindOfFact(f.Kind).words[f.said]
	for i := range w.Nouns {
		list = append(list, w.first+i)
	}
	return list
}

func kindOfFact(name string) *kind {
	i := slices.IndexFunc(factKinds().Kinds, func(k *kind) bool { return k.Kind == name })
	return factKinds().Kinds[i]
}

// nounOf returns noun phrase i of a kind, with its unit or the form of a date.
func nounOf(kind string, i int, unit string, full bool) string {
	form := formYear
	if full {
		form = formDate
	}
	return strings.NewReplacer("{unit}", factKinds().UnitWords[unit], "{form}", form).
		Replace(kindOfFact(kind).Nouns[i])
}

// asked is what a noun phrase asks for.
type asked struct {
	kind, unit string
	noun       int
	full       bool
}

// nouns finds what the noun phrases of clues ask for.
var nouns = sync.OnceValue(func() map[string]asked {
	out := map[string]asked{}
	for _, k := range factKinds().Kinds {
		for i, noun := range k.Nouns {
			units, forms := []string{""}, []bool{false}
			if strings.Contains(noun, "{unit}") {
				units = k.Units
			}
			if strings.Contains(noun, "{form}") {
				forms = append(forms, true)
			}
			for _, unit := range units {
				for _, full := range forms {
					out[nounOf(k.Kind, i, unit, full)] = asked{k.Kind, unit, i, full}
				}
			}
		}
	}
	return out
})

// Placeholders of wordings as expressions.
var placeholders = strings.NewReplacer(
	`\{noun\}`, `(?P<noun>.+)`, `\{phrase\}`, `(?P<phrase>.+)`, `\{p\}`, `(?P<a>\d+)`, `\{a\}`, `(?P<a>\d+)`,
	`\{b\}`, `(?P<b>\d+)`, `\{kind\}`, `(?P<kind>[a-z]+)`, `\{from\}`, `(?P<from>[a-z ]+)`,
	`\{to\}`, `(?P<to>[a-z ]+)`, `\{factor\}`, `(?P<factor>[0-9.]+)`, `\{date\}`, `(?P<date>\d+ \pL+ \d+)`,
	`\{list\}`, `(?P<list>clues [0-9, and]+)`, `\{country\}`, `(?P<country>the country [a-z ]+\d+[a-z ]*)`,
)

// wording is a wording that clues are compared with.
type wording struct {
	slot      string
	nav, ask  int
	form      *regexp.Regexp
	fragments []string // what must stand in a clue for the expression to be tried
}

var wordings = sync.OnceValue(func() (list []wording) {
	add := func(slot string, nav, ask int, text string) {
		form := placeholders.Replace(regexp.QuoteMeta(text))
		extra, always := note(slot)
		if extraForm := placeholders.Replace(regexp.QuoteMeta(extra)); always {
			form += extraForm
		} else if extra != "" {
			form += "(?P<note>" + extraForm + ")?"
		}
		list = append(list, wording{
			slot, nav, ask, regexp.MustCompile("^" + form + "$"),
			fragments(text),
		})
	}
	for _, slot := range Slots() {
		for i, text := range Wordings(slot) {
			if !strings.HasPrefix(slot, "page.") {
				add(slot, i, 0, text)
				continue
			}
			for k, ask := range clueWords().Ask.Fact {
				add(slot, i, k, text+" "+ask)
			}
		}
	}
	return list
})

var placeholder = regexp.MustCompile(`\{[a-z]+\}`)

func fragments(text string) []string { return placeholder.Split(text, -1) }

// ReadClue returns every way to read a clue, without its number, as a wording. A clue of ours has
// one.
func ReadClue(text string) (list []Clue) {
	for i := range wordings() {
		if c, ok := wordings()[i].read(text); ok {
			list = append(list, c)
		}
	}
	return list
}

// read reads a clue as the wording. The last of several places where a noun phrase may begin
// counts, so that phrases may hold anything.
func (w *wording) read(text string) (c Clue, ok bool) {
	if slices.ContainsFunc(w.fragments, func(s string) bool { return !strings.Contains(text, s) }) {
		return c, false
	}
	m := w.form.FindStringSubmatch(text)
	if m == nil {
		return c, false
	}
	c = Clue{Slot: w.slot, Wording: w.nav, Ask: w.ask}
	for i, name := range w.form.SubexpNames() {
		absent := name == "date" && m[i] == "" // that of a note which is not there
		if name != "" && !absent && !c.take(name, m[i]) {
			return c, false
		}
	}
	return c, true
}

// take takes what a placeholder holds; it returns false for what it never does.
func (c *Clue) take(name, text string) (ok bool) {
	switch name {
	case "noun":
		n, known := nouns()[text]
		c.Kind, c.Unit, c.Noun, c.Full = n.kind, n.unit, n.noun, n.full
		return known
	case "phrase":
		c.Phrase = text
	case "a":
		c.A, ok = clueNumber(text)
		return ok
	case "b":
		c.B, ok = clueNumber(text)
		return ok
	case "kind":
		for _, kind := range slices.Sorted(maps.Keys(clueWords().PlaceWords)) {
			if clueWords().PlaceWords[kind] == text {
				c.Place = kind
			}
		}
		return c.Place != ""
	case "from", "to":
		return c.takeUnit(name, text)
	case "factor":
		c.Factor = text
	case "date":
		c.Date = text
		_, err := time.Parse("2 January 2006", text)
		return err == nil
	case "list":
		c.List = numbersIn(text)
		return listed(c.List) == text
	case "country":
		return c.takeCountry(text)
	case "note":
		c.Note = text != ""
	}
	return true
}

func clueNumber(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n > 0
}

var digitRuns = regexp.MustCompile(`\d+`)

func numbersIn(text string) (list []int) {
	for _, number := range digitRuns.FindAllString(text, -1) {
		if n, ok := clueNumber(number); ok {
			list = append(list, n)
		}
	}
	return list
}

func (c *Clue) takeUnit(name, text string) bool {
	if name == "from" {
		c.From = text
	} else {
		c.To = text
	}
	return slices.ContainsFunc(Conversions(), func(f Factor) bool {
		return f.From == text ||
			f.To == text
	})
}

func (c *Clue) takeCountry(text string) bool {
	numbers := numbersIn(text)
	if len(numbers) != 1 {
		return false
	}
	c.A = numbers[0]
	fill := func(form string) string { return strings.ReplaceAll(form, "{a}", strconv.Itoa(c.A)) }
	c.Answer = fill(clueWords().CountryWords.Answer) == text
	return c.Answer || fill(clueWords().CountryWords.Page) == text
}

// Riddle joins clues under their numbers.
func Riddle(clues []Clue) string {
	var lines []string
	for i, c := range clues {
		lines = append(lines, fmt.Sprintf("%d. %s", i+1, c))
	}
	return strings.Join(lines, "\n\n")
}

var clueStart = regexp.MustCompile(`(?m)^\d+\. `)

// SplitRiddle returns the clues of a riddle without their numbers.
func SplitRiddle(riddle string) (list []string) {
	at := clueStart.FindAllStringIndex(riddle, -1)
	for i, m := range at {
		end := len(riddle)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		list = append(list, strings.TrimSpace(riddle[m[1]:end]))
	}
	return list
}

// Factor is a conversion between units, as clues name them.
type Factor struct {
	Unit     string // short form of the unit that values have
	From, To string // words of clues
	Shown    string // the factor as it is printed
	Value    float64
}

// Conversions lists the conversions in the order of their table.
var Conversions = sync.OnceValue(func() (list []Factor) {
	words := map[string][2]string{
		"meters feet": {"metres", "feet"}, "km miles": {"kilometres", "miles"},
		"meters yards":              {"metres", "yards"},
		"celsius fahrenheit_offset": {"degrees Celsius", "steps of Fahrenheit"},
	}
	units := map[string]string{"meters": "m", "km": "km", "celsius": "celsius"}
	for _, c := range table[struct{ Conversions [][3]any }]("templates").Conversions {
		from, to, value := c[0].(string), c[1].(string), c[2].(float64)
		w := words[from+" "+to]
		list = append(list, Factor{units[from], w[0], w[1], Repr(value), value})
	}
	return list
})
