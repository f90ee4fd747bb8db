package audit

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wikinav/wikinav/schemas"
)

// Set is what is known of the records of a table.
type Set struct {
	Family    string   `json:"family"`
	Set       string   `json:"set"`
	File      string   `json:"file"`
	N         int      `json:"n"`
	Fresh     string   `json:"fresh_since"` // id of the release that cannot answer the pairs; "" for none
	Features  []string `json:"features"`
	Constants []Value  `json:"constants"` // numbers that are the same in all records
	Groups    []Group  `json:"groups"`    // the whole set first

	Categories  []Category  `json:"categories"`
	Shared      []Shared    `json:"shared_pages"`
	Ease        string      `json:"ease"`     // the column that easiest and hardest go by; "" for none
	Hardness    string      `json:"hardness"` // or that one
	Easiest     []Ranked    `json:"easiest"`
	Hardest     []Ranked    `json:"hardest"`
	Suspects    []Reason    `json:"suspect_reasons"`
	Suspicious  []Suspicion `json:"suspicious"`   // the first so many
	SuspiciousN int         `json:"suspicious_n"` // of all

	table *Table
	ids   map[string]int
	shown []int
}

// Table is where the records of the set are read.
func (s *Set) Table() *Table { return s.table }

// Row returns the place of the first record with the id, from 0, and false where there is none.
func (s *Set) Row(id string) (int, bool) {
	row, ok := s.ids[id]
	return row, ok
}

// Shown lists the columns of words that people read in a line: titles first, nothing long.
func (s *Set) Shown() []int { return s.shown }

// Value is what a record says, or a group is of.
type Value struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Group is the records of a set that have the values By.
type Group struct {
	By       []Value     `json:"by"`
	N        int         `json:"n"`
	Features []Quartiles `json:"features"`
	Floor    []Floor     `json:"floor"`

	Correlations []Correlation `json:"correlations"`
}

// Name is the group in words.
func (g Group) Name() string {
	var words []string
	for _, v := range g.By {
		words = append(words, v.Name+" "+v.Value)
	}
	if len(words) == 0 {
		return "all"
	}
	return strings.Join(words, ", ")
}

// Floor is how a player that knows nothing fares.
type Floor struct {
	Player string `json:"player"`
	N      int    `json:"n"`
	Mean   string `json:"mean"`
}

// Category is how often a column of words has each of its values, the most frequent first.
type Category struct {
	Column string `json:"column"`
	Counts []Num  `json:"counts"`
}

// Num is a word and how often it stands.
type Num struct {
	Word string `json:"word"`
	N    int    `json:"n"`
}

// Shared is a page that many records of a set have in one of their lists.
type Shared struct {
	Column string `json:"column"`
	Met
}

// Ranked is a record and the number that it is ranked by.
type Ranked struct {
	ID    string   `json:"id"`
	Says  []string `json:"titles"`
	Value string   `json:"value"`
}

// Suspicion is a record and what about it makes one doubt that it measures anything.
type Suspicion struct {
	ID      string   `json:"id"`
	Says    []string `json:"titles"`
	Reasons []string `json:"reasons"`
}

// Reason is a suspicion and how many records of the set have it.
type Reason struct {
	Reason string `json:"reason"`
	N      int    `json:"n"`
}

// Bounds of what is listed. The counts that stand with lists are of all.
const (
	mostRanked     = 10
	mostSuspicious = 100
	mostWords      = 40 // different values of a column that has categories
	mostShared     = 20
	sharedShare    = 20 // pages that more than 1 in so many records share
	leastGroups    = 2
	mostGroups     = 24
	mostGroupedBy  = 3
	longestShown   = 120 // bytes of a word that stands in a list
)

// set reads a table once.
func (a *auditor) set(t *Table) (*Set, error) {
	s := &Set{
		Family: t.Family, Set: t.Set, File: t.File, Fresh: t.Fresh, Features: []string{}, Constants: []Value{},
		Groups: []Group{}, Categories: []Category{}, Shared: []Shared{},
		Ease: t.Judged.Ease, Hardness: t.Judged.Hardness, Easiest: []Ranked{}, Hardest: []Ranked{},
		Suspects: []Reason{}, Suspicious: []Suspicion{}, table: t,
	}
	k := newCollected(t)
	err := t.Each(func(r *Record) error {
		k.take(r)
		if reasons := a.suspect(t, r); len(reasons) > 0 {
			k.suspicious(r, reasons)
		}
		return a.ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	s.N = len(k.ids)
	k.features(s)
	s.Groups = k.groups(s)
	k.categories(s)
	k.show(s)
	a.shared(s, k)
	k.rank(s)
	s.Suspicious, s.SuspiciousN = append(s.Suspicious, k.doubted...), k.suspects
	for _, reason := range sortedKeys(k.doubts) {
		s.Suspects = append(s.Suspects, Reason{reason, k.doubts[reason]})
	}
	return s, nil
}

// collected is what is kept of the records of a table: 8 bytes for each number, and the ids.
type collected struct {
	t       *Table
	ids     []string
	titles  [][]string
	numbers map[int][]float64 // by column
	by      map[int][]string
	words   map[int]map[string]int
	longest map[int]int // bytes of a word, by column
	pages   map[int]map[uint32]int
	doubts  map[string]int
	doubted []Suspicion

	suspects int
}

func newCollected(t *Table) *collected {
	k := &collected{
		t: t, numbers: map[int][]float64{}, by: map[int][]string{}, words: map[int]map[string]int{},
		pages: map[int]map[uint32]int{}, doubts: map[string]int{}, longest: map[int]int{},
	}
	for _, i := range t.Of(Word) {
		k.words[i] = map[string]int{}
	}
	for _, i := range t.Of(PageList) {
		k.pages[i] = map[uint32]int{}
	}
	return k
}

func (k *collected) take(r *Record) {
	k.ids = append(k.ids, r.ID)
	k.titles = append(k.titles, k.t.Titles(r))
	for _, i := range k.t.Of(Numeric) {
		k.numbers[i] = append(k.numbers[i], r.Cells[i].(float64))
	}
	for _, name := range k.t.Judged.By {
		if i := k.t.index(name); i >= 0 {
			k.by[i] = append(k.by[i], word(r.Cells[i]))
		}
	}
	for i, words := range k.words { // each counts for itself
		text := r.Cells[i].(string)
		if k.longest[i] = max(k.longest[i], len(text)); len(words) <= mostWords {
			words[text]++
		}
	}
	for i, pages := range k.pages { // each counts for itself
		for _, u := range r.Cells[i].([]uint32) {
			pages[u]++
		}
	}
}

// word is a cell as the value of a group.
func word(cell any) string {
	if x, ok := cell.(float64); ok {
		if x == math.Trunc(x) && math.Abs(x) < 1e15 {
			return fmt.Sprintf("%.0f", x)
		}
		return number(x)
	}
	return fmt.Sprint(cell)
}

// Titles are the pages that a record names.
func (t *Table) Titles(r *Record) []string {
	out := []string{}
	for _, i := range t.Of(Title) {
		if text := r.Cells[i].(string); text != "" {
			out = append(out, text)
		}
	}
	return out
}

// features tells the numbers that differ from those that do not.
func (k *collected) features(s *Set) {
	for _, i := range k.t.Of(Numeric) {
		name, values := k.t.Columns[i].Name, k.numbers[i]
		if len(values) > 0 && !slices.ContainsFunc(values,
			func(x float64) bool { return x != values[0] && !bothNaN(x, values[0]) }) {
			s.Constants = append(s.Constants, Value{name, number(values[0])})
			continue
		}
		s.Features = append(s.Features, name)
	}
}

func bothNaN(a, b float64) bool { return math.IsNaN(a) && math.IsNaN(b) }

// groups are the whole set, the records by all columns of By together, and by each alone where
// there are several.
func (k *collected) groups(s *Set) []Group {
	list := []Group{k.group(s, nil, nil)}
	var by []int
	for _, name := range k.t.Judged.By {
		if i := k.t.index(name); i >= 0 {
			by = append(by, i)
		}
	}
	for _, i := range by {
		list = append(list, k.divide(s, []int{i})...)
	}
	if len(by) > 1 && len(by) <= mostGroupedBy {
		list = append(list, k.divide(s, by)...)
	}
	return list
}

// divide returns a group for each value of the columns, none where there is one value or too many.
func (k *collected) divide(s *Set, by []int) (list []Group) {
	rows := map[string][]int{}
	for row := range k.ids {
		values := k.valuesOf(by, row)
		rows[values] = append(rows[values], row)
	}
	if len(rows) < leastGroups || len(rows) > mostGroups {
		return nil
	}
	keys := sortedKeys(rows)
	slices.SortStableFunc(keys, func(a, b string) int {
		return compareValues(k, by, rows[a][0], rows[b][0])
	})
	for _, key := range keys {
		list = append(list, k.group(s, by, rows[key]))
	}
	return list
}

func (k *collected) valuesOf(by []int, row int) string {
	var words []string
	for _, i := range by {
		words = append(words, k.by[i][row])
	}
	return strings.Join(words, "\x00")
}

// compareValues orders numbers by their size, and words as sets or by their letters.
func compareValues(k *collected, by []int, a, b int) int {
	for _, i := range by {
		if list, ok := k.numbers[i]; ok {
			if c := cmp.Compare(list[a], list[b]); c != 0 {
				return c
			}
		} else {
			x, y := k.by[i][a], k.by[i][b]
			if c := cmp.Or(rank(x)-rank(y), strings.Compare(x, y)); c != 0 {
				return c
			}
		}
	}
	return 0
}

// group describes rows, all where by is nil.
func (k *collected) group(s *Set, by, rows []int) Group {
	g := Group{By: []Value{}, N: len(rows), Features: []Quartiles{}, Floor: []Floor{}}
	if by == nil {
		g.N = len(k.ids)
	}
	for _, i := range by {
		g.By = append(g.By, Value{k.t.Columns[i].Name, k.by[i][rows[0]]})
	}
	pick := func(column int) []float64 {
		all := k.numbers[column]
		if by == nil {
			return all
		}
		some := make([]float64, len(rows))
		for n, row := range rows {
			some[n] = all[row]
		}
		return some
	}
	for _, name := range s.Features {
		g.Features = append(g.Features, quartilesOf(name, pick(k.t.index(name))))
	}
	for _, player := range k.t.Judged.Floor {
		if i := k.t.index(player); i >= 0 {
			q := quartilesOf(player, pick(i))
			g.Floor = append(g.Floor, Floor{player, q.N, q.Mean})
		}
	}
	g.Correlations = k.correlate(s, pick)
	return g
}

// correlate holds every feature to how hard records are, and to what makes groups.
func (k *collected) correlate(s *Set, pick func(column int) []float64) []Correlation {
	list := []Correlation{}
	var to []string
	for _, name := range append([]string{s.Ease, s.Hardness}, k.t.Judged.By...) {
		if slices.Contains(s.Features, name) && !slices.Contains(to, name) {
			to = append(to, name)
		}
	}
	for n, a := range to {
		for _, b := range s.Features {
			if b == a || slices.Contains(to[:n], b) {
				continue
			}
			rho, both := spearman(pick(k.t.index(a)), pick(k.t.index(b)))
			list = append(list, Correlation{a, b, both, number(rho)})
		}
	}
	return list
}

// categories counts words where there are few and one of them comes twice.
func (k *collected) categories(s *Set) {
	for _, i := range k.t.Of(Word) {
		words := k.words[i]
		if len(words) > mostWords || len(words) == len(k.ids) {
			continue
		}
		c := Category{Column: k.t.Columns[i].Name}
		for _, w := range sortedKeys(words) {
			c.Counts = append(c.Counts, Num{w, words[w]})
		}
		slices.SortStableFunc(c.Counts, func(a, b Num) int { return cmp.Compare(b.N, a.N) })
		s.Categories = append(s.Categories, c)
	}
}

// show chooses the columns of words of a list. What a key says stands in other columns, too.
func (k *collected) show(s *Set) {
	s.ids, s.shown = make(map[string]int, len(k.ids)), k.t.Of(Title)
	for row, id := range k.ids {
		if _, twice := s.ids[id]; !twice {
			s.ids[id] = row
		}
	}
	for _, i := range k.t.Of(Word) {
		if k.longest[i] <= longestShown && len(k.words[i]) > 1 && k.t.Columns[i].Name != "key" {
			s.shown = append(s.shown, i)
		}
	}
}

// rank lists the easiest and the hardest.
func (k *collected) rank(s *Set) {
	column, sign := s.Ease, 1.0
	if column == "" {
		column, sign = s.Hardness, -1
	}
	values, ok := k.numbers[k.t.index(column)]
	if !ok || !slices.Contains(s.Features, column) {
		return
	}
	var order []int
	for row, x := range values {
		if !math.IsNaN(x) {
			order = append(order, row)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sign*values[b], sign*values[a]) })
	most := min(mostRanked, len(order)/2)
	for _, row := range order[:most] {
		s.Easiest = append(s.Easiest, Ranked{k.ids[row], k.titles[row], number(values[row])})
	}
	slices.Reverse(order)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sign*values[a], sign*values[b]) })
	for _, row := range order[:most] {
		s.Hardest = append(s.Hardest, Ranked{k.ids[row], k.titles[row], number(values[row])})
	}
}

func (k *collected) suspicious(r *Record, reasons []string) {
	k.suspects++
	for _, reason := range reasons {
		k.doubts[reason]++
	}
	if len(k.doubted) < mostSuspicious {
		k.doubted = append(k.doubted, Suspicion{r.ID, k.titles[len(k.titles)-1], reasons})
	}
}

// shared lists the pages that many records have in one list.
func (a *auditor) shared(s *Set, k *collected) {
	for _, i := range k.t.Of(PageList) {
		for _, m := range a.oftenMet(k.pages[i], len(k.ids)) {
			s.Shared = append(s.Shared, Shared{k.t.Columns[i].Name, m})
		}
	}
}

func (a *auditor) title(u uint32) string {
	if a.graph == nil || int(u) >= a.graph.Len() {
		return ""
	}
	return a.graph.Title(u)
}

// suspect returns the doubts of the part, and those of any record that names two pages.
func (a *auditor) suspect(t *Table, r *Record) (reasons []string) {
	if t.Judged.Suspect != nil {
		reasons = t.Judged.Suspect(func(column string) float64 { return t.At(r, column) })
	}
	reasons = append(reasons, r.Reasons...)
	titles := t.Titles(r)
	if len(titles) > 1 && (within(titles[0], titles[1]) || within(titles[1], titles[0])) {
		reasons = append(reasons, "one title is part of the other")
	}
	for n, i := range t.Of(Page) {
		if n < len(ends) {
			reasons = append(reasons, a.flagged(uint32(r.Cells[i].(float64)), ends[n])...)
		}
	}
	return reasons
}

// within reports whether a title of more than three characters stands in another one, as words.
func within(title, other string) bool {
	between := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r)
	}
	words := func(s string) string {
		return " " + strings.Join(strings.FieldsFunc(strings.ToLower(s), between), " ") + " "
	}
	return utf8.RuneCountInString(title) > 3 && strings.Contains(words(other), words(title)) &&
		words(title) != "  "
}

// ends are the pages that a record names first.
var ends = [...]string{"source", "target"}

// flagged says which kinds of page an end is that make poor ends.
func (a *auditor) flagged(u uint32, end string) (reasons []string) {
	if int(u) >= len(a.flags) {
		return nil
	}
	for _, f := range []struct {
		flag uint16
		kind string
	}{
		{schemas.FlagDisambiguation, "a disambiguation page"},
		{schemas.FlagList, "a list"},
		{schemas.FlagDate, "a page of a date"},
		{schemas.FlagTextDeleted, "a page whose text was deleted"},
	} {
		if a.flags[u]&f.flag != 0 {
			reasons = append(reasons, "the "+end+" is "+f.kind)
		}
	}
	return reasons
}
