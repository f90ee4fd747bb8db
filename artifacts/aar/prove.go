package aar

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
)

// Level 3: the pages of the world, its aliases, places and search index, anew.
//
// Result:    what the aar specification, 7.2, 7.3, 8.3 and 8.5, says in words. Taken as given are
// the texts, which no other file of a release decides: level 4 renders them. Encoding: rows of the
// tables, read here. Reference: links are taken off by one pass with a stack of brackets; a cell is
// read by the form of its signs; tokens are runs that are put together again; the pages are chosen
// by the links of the graph. No function and no variable of the other files of this package is used
// but the names of its files, the tables of the specification and the record of a place.

// Prove holds the world to its texts and to the graph and the redirects of the release.
func (part) Prove(c *release.Check) {
	err := arrowio.Guard(func() error {
		p := &proof{Check: c}
		for _, read := range []func() error{p.readTexts, p.readAliases, p.places, p.index} {
			if err := read(); err != nil || c.Context().Err() != nil {
				return err
			}
		}
		p.chosen()
		p.redirects()
		return nil
	})
	if err != nil {
		c.Fail("proof", TextsFile, err)
	}
}

// proof is what is read of the world while it is proved.
type proof struct {
	*release.Check
	ids     []uint32 // of the pages, in the order of the texts
	titles  []string
	shorts  []string
	place   map[uint32]Place    // what the texts say
	aliases map[uint32][]string // by page, in the order of the table
}

// rows visits the rows of a table of the world.
func (p *proof) rows(name string, t schemas.Table, visit func(f *arrowio.File, b, i int)) error {
	f, err := p.Files().Arrow(name, t)
	if err != nil {
		return err
	}
	defer f.Close()
	for b := range f.Batches() {
		for i := range f.BatchRows(b) {
			visit(f, b, i)
		}
	}
	return p.Context().Err()
}

func (p *proof) readTexts() error {
	t := schemas.TextsTable
	p.place = map[uint32]Place{}
	return p.rows(TextsFile, t, func(f *arrowio.File, b, i int) {
		id := f.Uint32s(b, t.Index("page_id"))[i]
		p.ids = append(p.ids, id)
		p.titles = append(p.titles, f.Strings(b, t.Index("title")).At(i))
		p.shorts = append(p.shorts, f.Strings(b, t.Index("short_description")).At(i))
		if at := placeInText(f.Strings(b, t.Index("text")).At(i)); at.Located || at.Country {
			p.place[id] = at
		}
	})
}

func (p *proof) readAliases() error {
	t := schemas.AARAliasesTable
	p.aliases = map[uint32][]string{}
	return p.rows(AliasesFile, t, func(f *arrowio.File, b, i int) {
		id := f.Uint32s(b, t.Index("page_id"))[i]
		p.aliases[id] = append(p.aliases[id], f.Strings(b, t.Index("alias")).At(i))
	})
}

// places compares the rows of places.arrow with what the texts say.
func (p *proof) places() error {
	if !p.Wants(PlacesFile) {
		return nil
	}
	t := schemas.AARPlacesTable
	left, row := maps.Clone(p.place), 0
	err := p.rows(PlacesFile, t, func(f *arrowio.File, b, i int) {
		yes := func(name string) bool { return f.Bools(b, t.Index(name)).At(i) }
		said := func(name string) string { return f.Strings(b, t.Index(name)).At(i) }
		id := f.Uint32s(b, t.Index("page_id"))[i]
		got := Place{
			Located: yes("located"), Country: yes("country"), Settlement: yes("settlement"),
			Lat: f.Int64s(b, t.Index("lat_e6"))[i], Lng: f.Int64s(b, t.Index("lng_e6"))[i],
			Elevation: said("elevation"), Kind: said("kind"),
			Population: said("population"), Area: said("area"),
		}
		if want := left[id]; want != got {
			p.Add("place", PlacesFile, release.Row(row), fmt.Sprintf("%+v", want), fmt.Sprintf("%+v", got))
		}
		delete(left, id)
		row++
	})
	for _, id := range slices.Sorted(maps.Keys(left)) {
		p.Add("place", PlacesFile, fmt.Sprint("page ", id), fmt.Sprintf("%+v", left[id]), "no row")
	}
	p.Covered("%s: all %d places, from the infoboxes of %d texts",
		inFolder(PlacesFile), row, len(p.ids))
	return err
}

func inFolder(name string) string { return schemas.AAR.Name + "/" + name }

// index compares the rows of index.arrow with the tokens of titles, aliases and descriptions.
func (p *proof) index() error {
	if !p.Wants(IndexFile) {
		return nil
	}
	want, lengths := map[string]map[uint32]uint32{}, make([]uint32, len(p.ids))
	for doc, id := range p.ids {
		words := append([]string{p.titles[doc], p.shorts[doc]}, p.aliases[id]...)
		for _, token := range tokensOf(words) {
			if want[token] == nil {
				want[token] = map[uint32]uint32{}
			}
			want[token][uint32(doc)]++
			lengths[doc]++
		}
	}
	t := schemas.AARIndexTable
	row := 0
	err := p.rows(IndexFile, t, func(f *arrowio.File, b, i int) {
		token := f.Strings(b, t.Index("token")).At(i)
		docs, counts := f.Lists(b, t.Index("pages")).At(i), f.Lists(b, t.Index("counts")).At(i)
		same := len(docs) == len(counts) && slices.IsSorted(docs)
		if token == "" {
			same = same && slices.Equal(counts, lengths)
		} else {
			same = same && len(docs) == len(want[token])
			for k, doc := range docs {
				same = same && want[token][doc] == counts[k]
			}
		}
		if !same {
			p.Add("token", IndexFile, release.Row(row), "the pages and counts of "+token,
				fmt.Sprint(docs, counts))
		}
		delete(want, token)
		row++
	})
	for _, token := range slices.Sorted(maps.Keys(want)) {
		p.Add("token", IndexFile, "", "a row of "+token, "none")
	}
	p.Covered("%s: all %d tokens, from the titles, aliases and descriptions of %d pages",
		inFolder(IndexFile), row, len(p.ids))
	return err
}

// chosen checks which pages are in the world: all of the graph, or those with most links to them.
func (p *proof) chosen() {
	g := p.Graph()
	var params struct{ World int }
	if !p.Wants(TextsFile) || g == nil || !p.Params(&params) {
		return
	}
	in := make(map[uint32]bool, len(p.ids))
	for _, id := range p.ids {
		in[id] = true
	}
	links := func(u uint32) int { return g.Pred.Degree(u) }
	least, outside := -1, []uint32(nil) // of the world, the node that was chosen last
	for u := range uint32(g.Len()) {
		switch {
		case !in[g.PageIDs[u]]:
			outside = append(outside, u)
		case least < 0 || links(u) <= links(uint32(least)):
			least = int(u)
		}
	}
	for _, u := range outside {
		before := least >= 0 && cmp.Or(links(u)-links(uint32(least)), least-int(u)) > 0
		if len(p.ids) != params.World || before {
			p.Add("page_id", TextsFile, fmt.Sprint("page ", g.PageIDs[u]),
				"a page of the world, by the links to it", "none")
		}
	}
	p.Covered("%s: which of the %d pages of the graph are pages of the world",
		inFolder(TextsFile), g.Len())
}

// redirects compares the aliases of the pages of the graph with the redirects of the release.
func (p *proof) redirects() {
	g, redirects := p.Graph(), p.Redirects()
	if !p.Wants(AliasesFile) || g == nil || redirects == nil {
		return
	}
	in, n := map[uint32]bool{}, 0
	for _, id := range p.ids {
		in[id] = true
	}
	for u := range uint32(g.Len()) {
		id := g.PageIDs[u]
		if in[id] && !slices.Equal(p.aliases[id], redirects[u]) {
			p.Add("alias", AliasesFile, fmt.Sprint("page ", id), redirects[u], p.aliases[id])
		}
		n += len(redirects[u])
	}
	p.Covered("%s: those of the pages of the graph, against %d redirects", inFolder(AliasesFile), n)
}

// shownOf takes the links off a line: of each the label is left.
func shownOf(line string) (shown string, links int) {
	const middle = "](/wiki/"
	var open []int // brackets in out that nothing has closed
	out, last := []byte(nil), -1
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '[':
			last = len(out)
			open = append(open, last)
		case line[i] != ']':
		case !strings.HasPrefix(line[i:], middle):
			open = open[:max(0, len(open)-1)]
		default:
			from, end := last, strings.IndexAny(line[i+len(middle):], ") ")
			if len(open) > 0 {
				from = open[len(open)-1]
			}
			open, last = nil, -1
			if from < 0 || end <= 0 || line[i+len(middle)+end] != ')' {
				out, i = append(out, middle...), i+len(middle)-1
				continue
			}
			out = slices.Delete(out, from, from+1)
			i += len(middle) + end
			links++
			continue
		}
		out = append(out, line[i])
	}
	return string(out), links
}

// boxOf reads the infobox of a text: its name, the label and shown cell of each row, and the lines
// after it.
func boxOf(text string) (name string, rows [][2]string, after []string) {
	lines := strings.Split(text, "\n")
	at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "| Infobox |") })
	if at < 0 {
		return "", nil, nil
	}
	end := at
	for ; end < len(lines) && strings.HasPrefix(lines[end], "| "); end++ {
		cells, whole := strings.CutSuffix(lines[end], " |")
		label, cell, two := strings.Cut(strings.TrimPrefix(cells, "| "), " | ")
		if !whole || !two {
			continue
		}
		shown, _ := shownOf(cell)
		if end == at {
			name = shown
		} else if label != "---" {
			rows = append(rows, [2]string{label, shown})
		}
	}
	return name, rows, lines[end:]
}

// quantity is a cell that is one number with a unit, as the page shows it.
type quantity struct{ number, unit string }

var (
	oneNumber = regexp.MustCompile(`^([-−]?)([\d,]*\d)(\.\d+)?`)
	inGroups  = regexp.MustCompile(`^(\d+|\d{1,3}(,\d{3})+)$`)
	atTheEnd  = regexp.MustCompile(` *\([^()]*\)$`)
	vague     = sync.OnceValue(func() *regexp.Regexp {
		words := table[struct{ Approximations []string }]("facts").Approximations
		return standing(words)
	})
	spellings = sync.OnceValue(func() spelled { return table[spelled]("facts") })
)

// spelled is what facts.json says of units.
type spelled struct {
	UnitSpellings map[string]string `json:"unit_spellings"`
	UnitWords     map[string]string `json:"unit_words"`
}

// standing matches text in small letters in which one of the words stands by itself.
func standing(words []string) *regexp.Regexp {
	const letter, edge = `[\pL\p{Nd}]`, `[^\pL\p{Nd}]`
	wordy := regexp.MustCompile(letter)
	var all []string
	for _, w := range words {
		first, _ := utf8.DecodeRuneInString(w)
		final, _ := utf8.DecodeLastRuneInString(w)
		before, after := "", ""
		if wordy.MatchString(string(first)) {
			before = `(?:^|` + edge + `)`
		}
		if wordy.MatchString(string(final)) {
			after = `(?:$|` + edge + `)`
		}
		all = append(all, before+regexp.QuoteMeta(w)+after)
	}
	return regexp.MustCompile(strings.Join(all, "|"))
}

// unitCalled returns the unit that words stand for, "" for none.
func unitCalled(words string) string {
	words = strings.ToLower(words)
	if unit := spellings().UnitSpellings[words]; unit != "" {
		return unit
	}
	if _, is := spellings().UnitWords[words]; is {
		return words
	}
	return ""
}

// quantityOf reads a cell whose label names a unit, "" for one that names none.
func quantityOf(cell, labelled string) (q quantity, ok bool) {
	if vague().MatchString(strings.ToLower(cell)) {
		return q, false
	}
	cell = atTheEnd.ReplaceAllString(cell, "")
	m := oneNumber.FindStringSubmatch(cell)
	if m == nil || !inGroups.MatchString(m[2]) {
		return q, false
	}
	q.unit = labelled
	if words := cell[len(m[0]):]; words != "" {
		q.unit = unitCalled(strings.TrimPrefix(words, " "))
		if q.unit == "" || labelled != "" && labelled != q.unit {
			return q, false
		}
	}
	q.number = strings.ReplaceAll(m[1], "−", "-") + strings.ReplaceAll(m[2], ",", "") + m[3]
	return q, true
}

// bareName is a name of an infobox or a type of building as they are compared.
func bareName(s string) string {
	s = strings.Join(strings.Fields(strings.ReplaceAll(strings.ToLower(s), "_", " ")), " ")
	return strings.TrimSpace(strings.TrimPrefix(s, "infobox"))
}

// placeNames is what places.json says of infoboxes.
type placeNames struct {
	Kinds []struct {
		Kind         string
		Infobox      []string
		BuildingType []string `json:"building_type"`
	}
	Buildings  []string `json:"building_type_infobox"`
	TypeRows   []string `json:"building_type_params"`
	Settlement []string `json:"settlement_infobox"`
	Country    []string `json:"country_infobox"`
}

var placesByName = sync.OnceValue(func() placeNames { return table[placeNames]("places") })

// placeInText reads the place of a text by the words of 7.3 and 8.3.
func placeInText(text string) (p Place) {
	box, rows, after := boxOf(text)
	name := bareName(box)
	if name != "" {
		p.Country = slices.Contains(placesByName().Country, name)
		p.Settlement = slices.Contains(placesByName().Settlement, name)
	}
	if cell, ok := agreement(rows, []string{"Coordinates", "Coord"}, pointCell); ok {
		p.Lat, p.Lng, p.Located = pointShown(cell.number)
	}
	height := []string{"Elevation (m)", "Elevation (ft)", "Elevation"}
	if q, ok := agreement(rows, height, metresOrFeet); ok && q.unit == "m" && !contradicted(after, q) {
		p.Elevation = q.number
	}
	if p.Country {
		p.Population = firstOf(rows, "", "Population estimate", "Population census")
		p.Area = firstOf(rows, "km²", "Area (km²)")
	}
	p.Kind = kindOfPlace(name, rows)
	return p
}

// kindOfPlace is the first kind of places that an infobox belongs to.
func kindOfPlace(name string, rows [][2]string) string {
	building := ""
	if slices.Contains(placesByName().Buildings, name) {
		for _, param := range placesByName().TypeRows {
			label := strings.ToUpper(param[:1]) + strings.ReplaceAll(param[1:], "_", " ")
			at := slices.IndexFunc(rows, func(r [2]string) bool { return r[0] == label })
			if at >= 0 {
				building = bareName(rows[at][1])
				break
			}
		}
	}
	for _, k := range placesByName().Kinds {
		built := building != "" && slices.Contains(k.BuildingType, building)
		if built || slices.Contains(k.Infobox, name) {
			return k.Kind
		}
	}
	return ""
}

// agreement returns what the first of the rows with these labels says, unless it cannot be read or
// another says otherwise in the same unit.
func agreement(
	rows [][2]string, labels []string, read func(label, cell string) (quantity, bool),
) (first quantity, ok bool) {
	seen := false
	for _, label := range labels {
		for _, r := range rows {
			if r[0] != label {
				continue
			}
			q, readable := read(label, r[1])
			switch {
			case !seen && !readable:
				return q, false
			case !seen:
				first, seen = q, true
			case readable && q.unit == first.unit && q.number != first.number:
				return first, false
			}
		}
	}
	return first, seen
}

// firstOf returns the first number of rows with these labels that can be read, of that unit.
func firstOf(rows [][2]string, unit string, labels ...string) string {
	for _, label := range labels {
		for _, r := range rows {
			if q, ok := quantityOf(r[1], unit); r[0] == label && ok && q.unit == unit {
				return q.number
			}
		}
	}
	return ""
}

func metresOrFeet(label, cell string) (quantity, bool) {
	unit := map[string]string{"Elevation (m)": "m", "Elevation (ft)": "ft"}[label]
	q, ok := quantityOf(cell, unit)
	return q, ok && (q.unit == "m" || q.unit == "ft")
}

func pointCell(_, cell string) (quantity, bool) {
	_, _, ok := pointShown(cell)
	return quantity{cell, ""}, ok && !vague().MatchString(strings.ToLower(cell))
}

// pointShown reads `24°3′14″S 65°55′9″E` as millionths of a degree, parts with decimals or none.
func pointShown(cell string) (lat, lng int64, ok bool) {
	south, east, two := strings.Cut(cell, " ")
	lat, okLat := angleOf(south, "N", "S", 90)
	lng, okLng := angleOf(east, "E", "W", 180)
	if !two || !okLat || !okLng {
		return 0, 0, false
	}
	return lat, lng, true
}

// angleOf adds up an angle in seconds, as a fraction, and rounds it half away from zero.
func angleOf(s, positive, negative string, most int64) (int64, bool) {
	size, minus := strings.CutSuffix(s, negative)
	size, plus := strings.CutSuffix(size, positive)
	seconds, worth := new(big.Rat), int64(3600)
	for n, mark := range []string{"°", "′", "″"} {
		number, rest, found := strings.Cut(size, mark)
		if !found && n > 0 {
			worth /= 60
			continue
		}
		r, isNumber := new(big.Rat).SetString(number)
		if !found || !isNumber || !decimal.MatchString(number) {
			return 0, false
		}
		seconds.Add(seconds, r.Mul(r, big.NewRat(worth, 1)))
		worth, size = worth/60, rest
	}
	seconds.Mul(seconds, big.NewRat(2*1_000_000, 3600)) // twice the millionths
	twice := new(big.Int).Quo(seconds.Num(), seconds.Denom()).Int64()
	angle := (twice + 1) / 2
	if minus == plus || size != "" || angle > most*1_000_000 {
		return 0, false
	}
	if minus {
		return -angle, true
	}
	return angle, true
}

var (
	decimal   = regexp.MustCompile(`^\d+(\.\d+)?$`)
	endOfSent = regexp.MustCompile(`[.!?] `)
	aNumber   = regexp.MustCompile(`\d+(?:,\d{3})*(?:\.\d+)?`)
	wordAfter = regexp.MustCompile(`^[ -]?([\pL^]+[\d²]?)(?: ([\pL^]+[\d²]?))?`)
	letterEnd = regexp.MustCompile(`\pL$`)
	ofHeight  = sync.OnceValue(func() *regexp.Regexp {
		for _, k := range table[struct {
			Kinds []struct {
				Kind string
				Cues []string
			}
		}]("facts").Kinds {
			if k.Kind == "elevation" {
				return standing(k.Cues)
			}
		}
		panic("aar: there is no elevation among the facts")
	})
)

// contradicted reports whether a sentence that speaks of heights states another one in that unit.
func contradicted(lines []string, q quantity) bool {
	value, _ := new(big.Rat).SetString(q.number)
	for _, line := range lines {
		line, _ = shownOf(strings.ToLower(line))
		for _, sentence := range endOfSent.Split(line, -1) {
			if !ofHeight().MatchString(sentence) {
				continue
			}
			for _, at := range aNumber.FindAllStringIndex(sentence, -1) {
				other, _ := new(big.Rat).SetString(strings.ReplaceAll(sentence[at[0]:at[1]], ",", ""))
				if !letterEnd.MatchString(sentence[:at[0]]) && other.Cmp(new(big.Rat).Abs(value)) != 0 &&
					unitAfter(sentence[at[1]:]) == q.unit {
					return true
				}
			}
		}
	}
	return false
}

// unitAfter returns the unit that a text begins with, of two words or one.
func unitAfter(text string) string {
	m := wordAfter.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return cmp.Or(unitCalled(m[1]+" "+m[2]), unitCalled(m[1]))
}

var (
	runs     = regexp.MustCompile(`[\pL\p{Nd}]+`)
	marks    = regexp.MustCompile(`\pM+`)
	digits   = regexp.MustCompile(`^\p{Nd}+$`)
	aGroup   = regexp.MustCompile(`^\p{Nd}{3}(?:\P{Nd}|$)`)
	aDecimal = regexp.MustCompile(`^\p{Nd}`)
)

// tokensOf splits texts into runs of letters and digits, and puts together what a comma or point
// within a number split.
func tokensOf(texts []string) (tokens []string) {
	for _, text := range texts {
		text = marks.ReplaceAllString(strings.ToLower(norm.NFKD.String(text)), "")
		all := runs.FindAllStringIndex(text, -1)
		for i := 0; i < len(all); i++ {
			token := text[all[i][0]:all[i][1]]
			next := func() (between, run string) {
				if i+1 == len(all) {
					return "", ""
				}
				return text[all[i][1]:all[i+1][0]], text[all[i+1][0]:all[i+1][1]]
			}
			last := token // the run that the token ends in
			short := utf8.RuneCountInString(token) <= 3
			for short && digits.MatchString(last) {
				between, run := next()
				if between != "," || !aGroup.MatchString(run) {
					break
				}
				token, last, i = token+run, run, i+1
			}
			between, run := next()
			if between == "." && digits.MatchString(last) && aDecimal.MatchString(run) {
				token, i = token+"."+run, i+1
			}
			tokens = append(tokens, token)
		}
	}
	return tokens
}
