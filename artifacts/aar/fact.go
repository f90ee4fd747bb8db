package aar

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

// Fact is what the infobox of a text says of its page in one row, so plainly that a question
// can ask for it.
type Fact struct {
	Kind  string // of the table facts
	Type  string // number, date, text or coords
	Value string // a number without commas, all else as shown
	Unit  string // of a number, in its short form; "" for none
	Label string // of the row
	Cell  string // of the row, links replaced by their labels
	Year  string // of a date
	Full  bool   // of a date: it has a day

	said int // which of the words of its kind the infobox takes, see kind.words
}

// Typed reports whether the value can be computed with.
func (f Fact) Typed() bool { return f.Type == "number" || f.Type == "date" }

// Forms of the answer to a question for a date.
const (
	formYear = "year"
	formDate = "full date"
)

// factTable is the table facts.
type factTable struct {
	LabelUnits     map[string]string `json:"label_units"`
	UnitWords      map[string]string `json:"unit_words"`
	UnitSpellings  map[string]string `json:"unit_spellings"`
	Approximations []string
	Kinds          []*kind

	units map[string]string // spelling, in small letters, to unit
	rows  map[string][]param
}

// kind is a kind of facts, as the table has it.
type kind struct {
	Kind, Type, Unit string
	Params, Units    []string
	Infobox          []string
	Nouns, Cues      []string
	Attr             string
	Elsewhere        []words // in infoboxes of things that the words above do not fit

	words []words // those above, then those elsewhere, whose nouns stand behind the others in Nouns
}

// words is how a kind is spoken of in some infoboxes: noun phrases, and the attribute of navigation
// phrases.
type words struct {
	Infobox, Nouns []string
	Attr           string

	first int // of Nouns, among all of the kind
}

// param is the row label of a parameter: its kind, its place in the kind's list, and the unit
// in the label.
type param struct {
	*kind
	rank int
	unit string
}

var factKinds = sync.OnceValue(newFactTable)

func newFactTable() *factTable {
	t := table[factTable]("facts")
	t.units, t.rows = map[string]string{}, map[string][]param{}
	for _, unit := range t.LabelUnits { // each by itself
		t.units[strings.ToLower(unit)] = unit
	}
	for unit := range t.UnitWords { // each by itself
		t.units[unit] = unit
	}
	for spelling, unit := range t.UnitSpellings { // each by itself
		t.units[spelling] = unit
	}
	for _, k := range t.Kinds {
		k.words = []words{{Nouns: k.Nouns, Attr: k.Attr}}
		for _, w := range k.Elsewhere {
			w.first = len(k.Nouns)
			k.Nouns, k.words = append(k.Nouns, w.Nouns...), append(k.words, w)
		}
		for rank, name := range k.Params {
			label, unit := t.label(name)
			if k.Unit == "none" {
				unit = "" // that of a density is the kind itself
			}
			t.rows[label] = append(t.rows[label], param{k, rank, unit})
		}
	}
	return &t
}

// mentions reports whether one of the words, which are in small letters, stands by itself in a
// text in small letters: no letter or digit of another word touches its own.
func mentions(text string, words []string) bool {
	for _, w := range words {
		for at := 0; ; {
			i := strings.Index(text[at:], w)
			if i < 0 {
				break
			}
			at += i + len(w)
			if !touches(text[:at-len(w)], w, utf8.DecodeLastRuneInString, utf8.DecodeRuneInString) &&
				!touches(text[at:], w, utf8.DecodeRuneInString, utf8.DecodeLastRuneInString) {
				return true
			}
		}
	}
	return false
}

// touches reports whether a word goes on in the text next to it; signs such as a dollar's never do.
func touches(beside, word string, near, end func(string) (rune, int)) bool {
	outer, _ := near(beside)
	inner, _ := end(word)
	return isTokenRune(inner) && isTokenRune(outer)
}

// label returns the label of the rows in which texts show a parameter, and the unit that it names.
func (t *factTable) label(name string) (label, unit string) {
	for ending, u := range t.LabelUnits { // the longest ending counts
		base, ok := strings.CutSuffix(name, "_"+ending)
		if ok && (unit == "" || len(base) < len(label)) {
			label, unit = base, u
		}
	}
	if unit == "" {
		return titled(name), ""
	}
	return titled(label) + " (" + unit + ")", unit
}

func titled(name string) string {
	name = strings.ReplaceAll(name, "_", " ")
	return strings.ToUpper(name[:1]) + name[1:]
}

// infobox is the first table of a text whose head names an infobox.
type infobox struct {
	name string // as the head has it
	rows []row
	rest string // the text after it; the whole of one without an infobox
}

// row is a row of an infobox, links replaced by their labels.
type row struct {
	label, cell string
	links       int
}

const infoboxHead = "| Infobox |"

// readInfobox reads the infobox of a text. A row that the cut of the text took the end of is none.
func readInfobox(text string) (b infobox) {
	start := strings.Index("\n"+text, "\n"+infoboxHead)
	if start < 0 {
		return infobox{rest: text}
	}
	b.rest = text[start:]
	for n := 0; strings.HasPrefix(b.rest, "| "); n++ {
		line, rest, _ := strings.Cut(b.rest, "\n")
		b.rest = rest
		inner, whole := strings.CutSuffix(strings.TrimPrefix(line, "| "), " |")
		label, cell, two := strings.Cut(inner, " | ")
		switch {
		case !whole || !two:
		case n == 0:
			b.name, _ = unlink(cell)
		case label != "---":
			shown, links := unlink(cell)
			b.rows = append(b.rows, row{label, shown, links})
		}
	}
	return b
}

// value returns the cell of the first row that a parameter has.
func (b *infobox) value(name string) (cell string, ok bool) {
	label, _ := factKinds().label(name)
	i := slices.IndexFunc(b.rows, func(r row) bool { return r.label == label })
	if i < 0 {
		return "", false
	}
	return b.rows[i].cell, true
}

// foldName is how names of infoboxes and types of buildings are compared.
func foldName(name string) string {
	name = strings.Join(strings.Fields(strings.ReplaceAll(strings.ToLower(name), "_", " ")), " ")
	return strings.TrimSpace(strings.TrimPrefix(name, "infobox"))
}

// Facts lists the facts of a text in the order of their kinds; year is that of the snapshot.
func Facts(text string, year int) []Fact {
	b := readInfobox(text)
	if len(b.rows) == 0 {
		return nil
	}
	found := map[*kind][]found{}
	for _, r := range b.rows {
		for _, p := range factKinds().rows[r.label] {
			if p.stands(b.name) {
				found[p.kind] = append(found[p.kind], p.read(r, year))
			}
		}
	}
	var out []Fact
	var prose []string
	for _, k := range factKinds().Kinds {
		f, ok := agreed(found[k])
		if ok && len(k.Cues) > 0 && prose == nil {
			prose = sentences(b.rest)
		}
		other := func(sentence string) bool { return k.contradicts(sentence, f) }
		if ok && !slices.ContainsFunc(prose, other) {
			f.said = k.saidIn(b.name)
			out = append(out, f)
		}
	}
	return out
}

// stands reports whether an infobox of that name can state the kind.
func (k *kind) stands(infobox string) bool {
	same := func(name string) bool { return foldName(name) == foldName(infobox) }
	return len(k.Infobox) == 0 || slices.ContainsFunc(k.Infobox, same)
}

// saidIn returns which words of the kind an infobox takes.
func (k *kind) saidIn(infobox string) int {
	same := func(name string) bool { return foldName(name) == foldName(infobox) }
	return max(0, slices.IndexFunc(k.words, func(w words) bool {
		return slices.ContainsFunc(w.Infobox, same)
	}))
}

// found is a row of a kind, with the fact that it states if it can be read.
type found struct {
	Fact
	rank int
	ok   bool
}

// agreed returns the fact of the first parameter, unless it cannot be read or another row of
// the same unit states another value.
func agreed(rows []found) (Fact, bool) {
	if len(rows) == 0 {
		return Fact{}, false
	}
	first := slices.MinFunc(rows, func(a, b found) int { return a.rank - b.rank })
	for _, r := range rows {
		if r.ok && r.Unit == first.Unit && r.Value != first.Value {
			return Fact{}, false
		}
	}
	return first.Fact, first.ok
}

// read reads a row as the kind of its parameter.
func (p param) read(r row, year int) found {
	f := found{Fact: Fact{Kind: p.Kind, Type: p.Type, Label: r.label, Cell: r.cell}, rank: p.rank}
	switch cell := withoutParenthesis(r.cell); {
	case p.Type != "text" && mentions(strings.ToLower(r.cell), factKinds().Approximations):
	case p.Type == "number":
		f.Value, f.Unit, f.ok = p.number(cell)
	case p.Type == "date":
		f.Value, f.Year, f.Full, f.ok = readDate(cell, year)
	case p.Type == "text":
		f.Value, f.ok = r.cell, r.links <= 1 && isName(r.cell)
	default:
		_, _, f.ok = readCoordinates(r.cell)
		f.Value = r.cell
	}
	return f
}

var lastParenthesis = regexp.MustCompile(` *\([^()]*\)$`)

func withoutParenthesis(cell string) string { return lastParenthesis.ReplaceAllString(cell, "") }

var numberCell = regexp.MustCompile(`^([-−]?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?: ?(\D.*))?$`)

// number reads one number with at most a unit, which must be one of the kind's.
func (p param) number(cell string) (value, unit string, ok bool) {
	m := numberCell.FindStringSubmatch(cell)
	if m == nil {
		return "", "", false
	}
	unit = p.unit
	if m[4] != "" {
		stated, known := factKinds().unit(m[4])
		if !known || unit != "" && stated != unit {
			return "", "", false
		}
		unit = stated
	}
	sign := strings.ReplaceAll(m[1], "−", "-")
	return sign + strings.ReplaceAll(m[2], ",", "") + m[3], unit, p.takes(unit)
}

// unit returns the unit that a spelling stands for.
func (t *factTable) unit(spelling string) (string, bool) {
	unit, ok := t.units[strings.ToLower(spelling)]
	return unit, ok
}

// takes reports whether numbers of the kind may have the unit.
func (k *kind) takes(unit string) bool {
	return unit == "" && k.Unit != "required" || unit != "" && slices.Contains(k.Units, unit)
}

var (
	dateCell = regexp.MustCompile(`^(?:(\d{1,2}) )?(?:(\pL+) (?:(\d{1,2}), )?)?(\d{3,4})$`)
	isoCell  = regexp.MustCompile(`^(\d{4})-(\d\d)-(\d\d)$`)
)

// datePart is a date as it is written; month and day are 0 where it names none.
type datePart struct {
	year       string
	month, day int
}

// parseDate reads `D Month Y`, `Month D, Y`, `Y-MM-DD`, `Month Y` or `Y`.
func parseDate(cell string) (d datePart, ok bool) {
	m, day := dateCell.FindStringSubmatch(cell), ""
	if iso := isoCell.FindStringSubmatch(cell); iso != nil {
		d.year, day = iso[1], iso[3]
		d.month, _ = strconv.Atoi(iso[2])
		ok = d.month >= 1 && d.month <= 12
	} else if m != nil && (m[1] == "" || m[2] != "" && m[3] == "") {
		d.year, day, d.month = m[4], m[1]+m[3], monthOf(m[2])
		ok = m[2] == "" || d.month > 0
	}
	d.day, _ = strconv.Atoi(day)
	return d, ok && (day == "" || d.day > 0)
}

// readDate reads a date of the calendar, of no later year than that of the snapshot.
func readDate(cell string, latest int) (value, year string, full, ok bool) {
	d, ok := parseDate(cell)
	n, err := strconv.Atoi(d.year)
	if !ok || err != nil || n > latest {
		return "", "", false, false
	}
	day := max(d.day, 1)
	ok = time.Date(n, time.Month(max(d.month, 1)), day, 0, 0, 0, 0, time.UTC).Day() == day
	return cell, d.year, d.day > 0, ok
}

// monthOf returns the number of a month by its English name, 0 for none.
func monthOf(name string) int {
	for m := time.January; m <= time.December; m++ {
		if m.String() == name {
			return int(m)
		}
	}
	return 0
}

// isName reports whether a cell is one name: short, without digits and without the marks of
// several values.
func isName(cell string) bool {
	n := utf8.RuneCountInString(cell)
	return n >= 2 && n <= 60 && strings.Count(cell, ",") <= 1 &&
		!strings.ContainsAny(cell, "·;/^") && !strings.ContainsFunc(cell, unicode.IsDigit)
}

// sentences splits what follows the infobox at the ends of sentences and lines, in small
// letters and without links, and keeps the sentences with a digit: no other contradicts a fact.
func sentences(text string) []string {
	out := []string{}
	add := func(sentence string) {
		if strings.ContainsAny(sentence, "0123456789") {
			out = append(out, sentence)
		}
	}
	for line := range strings.Lines(text) {
		line, _ = unlink(strings.ToLower(strings.TrimSuffix(line, "\n")))
		from := 0
		for i := 0; i+1 < len(line); i++ {
			if strings.IndexByte(".!?", line[i]) >= 0 && line[i+1] == ' ' {
				add(line[from:i])
				from = i + 2
			}
		}
		add(line[from:])
	}
	return out
}

var (
	numberInProse = regexp.MustCompile(`\d+(?:,\d{3})*(?:\.\d+)?`)
	bareYear      = regexp.MustCompile(`^[12]\d{3}$`)
	unitInProse   = regexp.MustCompile(`^[ -]?([\pL^]+[\d²]?(?: [\pL^]+[\d²]?)?)`)
)

// contradicts reports whether a sentence that speaks of the kind states another value than f.
func (k *kind) contradicts(sentence string, f Fact) bool {
	if !mentions(sentence, k.Cues) {
		return false
	}
	years := false
	for _, at := range numberInProse.FindAllStringIndex(sentence, -1) {
		if before, _ := utf8.DecodeLastRuneInString(sentence[:at[0]]); unicode.IsLetter(before) {
			continue
		}
		shown := sentence[at[0]:at[1]]
		switch {
		case k.Type == "date":
			if shown == f.Year {
				return false
			}
			years = years || bareYear.MatchString(shown)
		case f.Unit != "":
			if !sameNumber(shown, f.Value) && followedBy(sentence[at[1]:], f.Unit) {
				return true
			}
		case !bareYear.MatchString(shown) && !sameNumber(shown, f.Value) && atLeastTen(shown):
			return true
		}
	}
	return years
}

// followedBy reports whether a text begins with the unit, in any spelling.
func followedBy(text, unit string) bool {
	m := unitInProse.FindStringSubmatch(text)
	if m == nil {
		return false
	}
	first, _, _ := strings.Cut(m[1], " ")
	for _, words := range []string{m[1], first} {
		if u, ok := factKinds().unit(words); ok {
			return u == unit
		}
	}
	return false
}

// sameNumber compares numbers by their value, whatever their commas and the zeros at their end.
func sameNumber(a, b string) bool { return plainNumber(a) == plainNumber(b) }

func plainNumber(s string) string {
	s = strings.TrimLeft(strings.ReplaceAll(s, ",", ""), "0-")
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

func atLeastTen(s string) bool {
	whole, _, _ := strings.Cut(plainNumber(s), ".")
	return len(whole) > 1
}

// Target returns the question for a fact: the first noun phrase of its kind. Of a date it asks
// for the year, or for the full date.
func (f Fact) Target(full bool) string {
	i := slices.IndexFunc(factKinds().Kinds, func(k *kind) bool { return k.Kind == f.Kind })
	form := formYear
	if full {
		form = formDate
	}
	unit := factKinds().UnitWords[f.Unit]
	return strings.NewReplacer("{unit}", unit, "{form}", form).Replace(factKinds().Kinds[i].Nouns[0])
}

// Asked returns the answer to a question that Target returned, with its type: number, text,
// date or coords; ok is false where no fact answers it.
func Asked(facts []Fact, target string) (value, typ string, ok bool) {
	for _, f := range facts {
		switch {
		case f.Type != "date" && f.Target(false) == target:
			return f.Value, f.Type, true
		case f.Type == "date" && f.Target(false) == target:
			return f.Year, "number", true
		case f.Full && f.Target(true) == target:
			return f.Value, "date", true
		}
	}
	return "", "", false
}
