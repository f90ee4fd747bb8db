package aar

import (
	"encoding/json"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// Audit is what is known of a folder of legs.
type Audit struct {
	Legs   []AuditLeg   `json:"legs"`
	Groups []AuditGroup `json:"groups"`
	Totals AuditTotals  `json:"totals"`
}

// AuditLeg is a leg's row. The fields with the tag flag are the defects: true, or stops.
type AuditLeg struct {
	File                 string         `json:"file"`
	Variant              string         `json:"variant"`
	Level                string         `json:"level"`
	Sample               string         `json:"sample"`
	TrailID              string         `json:"trail_id"`
	Passcode             int            `json:"passcode"`
	Stops                int            `json:"stops"`
	Page                 int            `json:"page"`
	Tool                 int            `json:"tool"`
	Reason               int            `json:"reason"`
	Diamonds             int            `json:"diamonds"`
	ToolInvocations      int            `json:"tool_invocations"`
	Words                int            `json:"words"` // of the riddle
	Templates            map[string]int `json:"templates"`
	Transforms           map[string]int `json:"transforms"`
	Reduction            *string        `json:"reduction"` // null where the expression is none
	ReferencedStops      []int          `json:"referenced_stops"`
	TrailingNewline      bool           `json:"trailing_newline"`
	HasDependsOn         bool           `json:"has_depends_on"`
	AnyDependency        bool           `json:"any_dependency"`
	ClueNumbers          bool           `json:"clue_numbers_1_to_n"`
	ClueMarkers          int            `json:"clue_markers"`
	ExpressionInRiddle   bool           `json:"expression_in_riddle"`
	TitleStops           []int          `json:"nonseed_title_in_riddle_stops"`
	ValidatorTitleIssues int            `json:"validator_title_issues"`
	FinishValue          *int64         `json:"finish_value_from_current_stops"` // null where it has none
	StaleReasonStops     []int          `json:"stale_reason_stops"`
	ObjectValueStops     []int          `json:"object_value_stops"`
	UnservedStops        []int          `json:"tool_stops_unserved_by_reference_image"`
	Cone                 []int          `json:"cone"`
	ConePageStops        int            `json:"cone_page_stops"`
	ConeStops            int            `json:"cone_stops"`
	ConeShare            float64        `json:"cone_share"` // of the stops before the last
	DepCone              []int          `json:"dep_cone"`
	TwinOf               []string       `json:"twin_of"`

	Twin           bool  `json:"twin" flag:""`
	NonDAG         bool  `json:"non_dag" flag:""`
	NoPageInCone   bool  `json:"no_page_in_cone" flag:""`
	ExpressionLeak bool  `json:"expression_leak" flag:""`
	TitleLeak      []int `json:"title_leak" flag:""`
	TitleIssues    []int `json:"title_issues" flag:""` // -1 is the seed's title
	StaleReason    []int `json:"stale_reason" flag:""`
	StaleFinish    bool  `json:"stale_finish" flag:""`
	ObjectValue    []int `json:"object_value" flag:""`
	Unserved       []int `json:"unserved" flag:""`
	MissingOutput  []int `json:"missing_output" flag:""`
	ClueCount      bool  `json:"clue_count" flag:""`
	PageObjectFact []int `json:"page_object_fact" flag:""`
	Saturated      []int `json:"saturated" flag:""`
	DuplicatePages []int `json:"duplicate_pages" flag:""`
	LevelMismatch  bool  `json:"level_mismatch" flag:""`

	pages map[string]bool
}

// AuditGroup is the legs of a variant and level.
type AuditGroup struct {
	Variant     string             `json:"variant"`
	Level       string             `json:"level"`
	Legs        int                `json:"legs"`
	Means       map[string]float64 `json:"means"`      // per leg
	Templates   map[string]float64 `json:"templates"`  // share of the tool stops
	Transforms  map[string]float64 `json:"transforms"` // share of the reason stops
	Passcodes   [10]int            `json:"passcodes"`
	Flags       map[string]Flagged `json:"flags"`
	PageJaccard *float64           `json:"page_jaccard"` // mean over pairs of legs; null for one leg
}

// Flagged is the legs with a flag.
type Flagged struct {
	Count int     `json:"count"`
	Share float64 `json:"share"`
}

type AuditTotals struct {
	Legs  int            `json:"legs"`
	Flags map[string]int `json:"flags"`
}

// NewAudit makes the report of legs, which stand in the order of files.
func NewAudit(list []AuditLeg) Audit {
	a, trails := Audit{Legs: list, Groups: []AuditGroup{}, Totals: AuditTotals{len(list), map[string]int{}}}, map[string][]string{}
	for _, row := range list {
		trails[row.TrailID] = append(trails[row.TrailID], row.File)
	}
	type key struct{ variant, level string }
	var keys []key
	groups := map[key][]*AuditLeg{}
	for i := range list {
		row := &list[i]
		row.TwinOf = slices.DeleteFunc(slices.Clone(trails[row.TrailID]), func(f string) bool { return f == row.File })
		row.Twin = len(row.TwinOf) > 0
		k := key{row.Variant, row.Level}
		if groups[k] == nil {
			keys = append(keys, k)
		}
		groups[k] = append(groups[k], row)
		for flag, set := range row.flags() { // in any order: each flag has a count of its own
			n := a.Totals.Flags[flag]
			if set {
				n++
			}
			a.Totals.Flags[flag] = n
		}
	}
	for _, k := range keys {
		a.Groups = append(a.Groups, newGroup(k.variant, k.level, groups[k]))
	}
	return a
}

// flags returns which flags a row has.
func (row *AuditLeg) flags() map[string]bool {
	out, v := map[string]bool{}, reflect.ValueOf(row).Elem()
	for i := range v.NumField() {
		if _, is := v.Type().Field(i).Tag.Lookup("flag"); is {
			name, _ := field(v.Type().Field(i))
			f := v.Field(i)
			out[name] = f.Kind() == reflect.Slice && f.Len() > 0 || f.Kind() == reflect.Bool && f.Bool()
		}
	}
	return out
}

// Defects lists the flags that a row has, by their names.
func (row *AuditLeg) Defects() (names []string) {
	flags := row.flags()
	for _, name := range slices.Sorted(maps.Keys(flags)) {
		if flags[name] {
			names = append(names, name)
		}
	}
	return names
}

func newGroup(variant, level string, list []*AuditLeg) AuditGroup {
	g := AuditGroup{
		Variant: variant, Level: level, Legs: len(list), Means: map[string]float64{}, Templates: map[string]float64{},
		Transforms: map[string]float64{}, Flags: map[string]Flagged{},
	}
	n, tools, reasons := float64(len(list)), 0.0, 0.0
	for _, row := range list {
		for name, v := range map[string]int{ // in any order: each mean has a sum of its own
			"stops": row.Stops, "page_stops": row.Page, "tool_stops": row.Tool, "reason_stops": row.Reason,
			"calls": row.ToolInvocations, "diamonds": row.Diamonds, "words": row.Words, "cone_stops": row.ConeStops,
		} {
			g.Means[name] += float64(v)
		}
		tools, reasons = tools+count(g.Templates, row.Templates), reasons+count(g.Transforms, row.Transforms)
		if row.Passcode >= 0 && row.Passcode <= 9 {
			g.Passcodes[row.Passcode]++
		}
		for name, set := range row.flags() { // in any order: each flag has a count of its own
			f := g.Flags[name]
			if set {
				f.Count++
			}
			g.Flags[name] = Flagged{f.Count, float64(f.Count) / n}
		}
	}
	scale(g.Means, n)
	scale(g.Templates, tools)
	scale(g.Transforms, reasons)
	g.PageJaccard = jaccard(variant, level, list)
	return g
}

// count adds numbers to sums of the same names and returns how much that was.
func count(sums map[string]float64, numbers map[string]int) (all float64) {
	for name, n := range numbers { // in any order: sums of whole numbers
		sums[name] += float64(n)
		all += float64(n)
	}
	return all
}

func scale(sums map[string]float64, by float64) {
	for name := range sums { // in any order: each is scaled by itself
		sums[name] /= by
	}
}

// jaccardPairs is how many pairs of legs are drawn.
const jaccardPairs = 10_000

// jaccard returns the mean overlap of the pages of two legs, over pairs drawn by the name of the
// group.
func jaccard(variant, level string, list []*AuditLeg) *float64 {
	if len(list) < 2 {
		return nil
	}
	r, sum := rng.New(1, "aar", "audit", variant, level), 0.0
	for range jaccardPairs {
		i, j := r.Below(len(list)), r.Below(len(list)-1)
		if j >= i {
			j++
		}
		a, b, both := list[i].pages, list[j].pages, 0
		for page := range a { // in any order: a count
			if b[page] {
				both++
			}
		}
		if all := len(a) + len(b) - both; all > 0 {
			sum += float64(both) / float64(all)
		}
	}
	sum /= jaccardPairs
	return &sum
}

// AuditOf returns the row of a leg; TwinOf needs the others.
func AuditOf(f File) AuditLeg {
	l := f.Leg
	row := AuditLeg{
		File: f.Path, Variant: f.Variant, Level: f.Level, Sample: f.Sample, TrailID: l.TrailID, Passcode: l.Passcode,
		Stops: len(l.Stops), Diamonds: len(merges(l)), Words: len(strings.Fields(l.Riddle)), TrailingNewline: f.Newline,
		HasDependsOn: Variant(l) != schemas.AARVariants[0], ReferencedStops: []int{}, pages: map[string]bool{},
		Templates: map[string]int{}, Transforms: map[string]int{}, StaleReason: []int{}, ObjectValue: []int{}, Unserved: []int{},
		MissingOutput: []int{}, PageObjectFact: []int{}, Saturated: []int{}, DuplicatePages: []int{}, TwinOf: []string{},
	}
	for i := range l.Stops {
		row.stop(l, i, &l.Stops[i])
	}
	row.finish(l)
	row.riddle(l)
	row.StaleReasonStops, row.ObjectValueStops, row.UnservedStops = row.StaleReason, row.ObjectValue, row.Unserved
	row.NonDAG = f.Variant != schemas.AARVariants[0] && (!row.AnyDependency || row.Diamonds == 0)
	row.LevelMismatch = f.Level != l.Difficulty.Level || f.Level != l.Metadata.Difficulty
	return row
}

var (
	unserved = []string{"stock_price", "stock_volume", "crypto_price", "crypto_volume", "sunshine", "snowfall"}
	// pageObject is targets that count parts of a page and no fact of its subject.
	pageObject = regexp.MustCompile(`(?i)\b(language (editions?|versions?|links?)|interlanguage|(sub)?sections|contents|` +
		`languages\b.*\b(article|page|top|shown|listed))\b`)
)

// maxPlaces is the page size at which the count of places stops in released legs.
const maxPlaces = 20

// templateByKey is the name of a template by the output key of its last call.
var templateByKey = sync.OnceValue(func() map[string]string {
	out := map[string]string{mergedKey: "diamond_merge"}
	for _, t := range templateTable().Templates {
		out[t.Chain[len(t.Chain)-1].OutputKey] = t.Name
	}
	return out
})

// stop adds what a stop says.
func (row *AuditLeg) stop(l *schemas.AARLeg, i int, s *schemas.AARStop) {
	row.AnyDependency = row.AnyDependency || len(s.DependsOn) > 0
	if kind := kindOf(s.ExtractedValue); kind == '[' || kind == '{' {
		row.ObjectValue = append(row.ObjectValue, i)
	}
	switch s.Type {
	case schemas.AARPage:
		row.Page++
		if s.PageURL != nil {
			if row.pages[*s.PageURL] {
				row.DuplicatePages = append(row.DuplicatePages, i)
			}
			row.pages[*s.PageURL] = true
		}
		if pageObject.MatchString(s.ExtractionTarget) {
			row.PageObjectFact = append(row.PageObjectFact, i)
		}
	case schemas.AARTool:
		row.tool(i, s)
	case schemas.AARReason:
		row.Reason++
		if s.ReasonTransform != nil {
			row.Transforms[*s.ReasonTransform]++
		}
		if isStale(l, s) {
			row.StaleReason = append(row.StaleReason, i)
		}
	}
}

func (row *AuditLeg) tool(i int, s *schemas.AARStop) {
	row.Tool++
	row.ToolInvocations += len(s.Bridge.ToolChain)
	if slices.ContainsFunc(s.Bridge.ToolChain, func(c schemas.AARCall) bool { return kindOf(c.ExpectedOutput) == 'n' }) {
		row.MissingOutput = append(row.MissingOutput, i)
	}
	last := lastCall(s)
	if last == nil {
		return
	}
	if name := templateByKey()[last.OutputKey]; name != "" {
		row.Templates[name]++
	}
	if slices.Contains(unserved, last.OutputKey) {
		row.Unserved = append(row.Unserved, i)
	}
	if n, ok := Number(s.ExtractedValue); ok && n == maxPlaces && last.OutputKey == "poi_count" {
		row.Saturated = append(row.Saturated, i)
	}
}

// isStale reports whether a reason stop has another value than its transform has of what the source
// holds now.
func isStale(l *schemas.AARLeg, s *schemas.AARStop) bool {
	if s.ReasonTransform == nil || s.ReasonSourceStop == nil || *s.ReasonSourceStop < 0 || *s.ReasonSourceStop >= len(l.Stops) {
		return true
	}
	want, err := Transform(*s.ReasonTransform, l.Stops[*s.ReasonSourceStop].ExtractedValue)
	got, err2 := Operand(s.ExtractedValue)
	return err != nil || err2 != nil || got != want
}

// finish adds what follows from the last stop.
func (row *AuditLeg) finish(l *schemas.AARLeg) {
	if n := len(l.Stops); n > 0 {
		row.ReferencedStops = append(row.ReferencedStops, l.Stops[n-1].Bridge.ReferencedStops...)
	}
	e, value, err := FinishOf(l)
	if e.Reduction != "" {
		row.Reduction = &e.Reduction
	}
	if err == nil {
		row.FinishValue = &value
	}
	row.StaleFinish = err != nil || value != int64(l.Passcode)
	row.Cone = Cone(l)
	row.DepCone = DepCone(l)
	row.ConeStops = len(row.Cone)
	for _, i := range row.Cone {
		if l.Stops[i].Type == schemas.AARPage {
			row.ConePageStops++
		}
	}
	row.NoPageInCone = row.ConePageStops == 0
	if n := len(l.Stops) - 1; n > 0 {
		row.ConeShare = float64(row.ConeStops) / float64(n)
	}
}

// riddle adds what the riddle shows.
func (row *AuditLeg) riddle(l *schemas.AARLeg) {
	clues := clueNumbers(l.Riddle)
	row.ClueMarkers, row.ClueCount = len(clues), len(clues) != len(l.Stops)
	row.ClueNumbers = numbered(clues, len(l.Stops))
	if n := len(l.Stops); n > 0 && l.Stops[n-1].Bridge.Expression != nil {
		expression := strings.ReplaceAll(*l.Stops[n-1].Bridge.Expression, " ", "")
		row.ExpressionInRiddle = expression != "" && strings.Contains(strings.ReplaceAll(l.Riddle, " ", ""), expression)
	}
	row.ExpressionLeak = row.ExpressionInRiddle
	row.TitleIssues = titleIssues(l)
	row.ValidatorTitleIssues = len(row.TitleIssues)
	text := lower(l.Riddle)
	row.TitleLeak = []int{}
	for i, s := range l.Stops {
		if i == 0 || s.PageURL == nil {
			continue
		}
		if title := titleOf(*s.PageURL); len([]rune(title)) > 3 && strings.Contains(text, lower(title)) {
			row.TitleLeak = append(row.TitleLeak, i)
		}
	}
	row.TitleStops = row.TitleLeak
}

// Cone lists the stops whose value can change the passcode.
func Cone(l *schemas.AARLeg) []int {
	e, _, _ := FinishOf(l)
	if e.Reduction == "" {
		return []int{}
	}
	return closure(l, e.Used(l.Stops[len(l.Stops)-1].Bridge.ReferencedStops), coneSources)
}

// closure lists the stops before the last that are among from or reached from them, in order.
func closure(l *schemas.AARLeg, from []int, sources func(l *schemas.AARLeg, i int) []int) []int {
	in := make([]bool, len(l.Stops))
	for todo := slices.Clone(from); len(todo) > 0; {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if i >= 0 && i < len(l.Stops)-1 && !in[i] {
			in[i] = true
			todo = append(todo, sources(l, i)...)
		}
	}
	list := []int{}
	for i := range in {
		if in[i] {
			list = append(list, i)
		}
	}
	return list
}

// coneSources lists the stops that the value of a stop is computed from.
func coneSources(l *schemas.AARLeg, i int) []int {
	s := &l.Stops[i]
	last := lastCall(s)
	switch {
	case s.Type == schemas.AARReason && s.ReasonSourceStop != nil:
		return []int{*s.ReasonSourceStop}
	case last == nil:
		return nil
	case last.OutputKey == mergedKey:
		return branches(l, i)
	case last.OutputKey == "converted":
		return converted(l, i, last)
	}
	return nil
}

// converted returns the latest earlier stop that holds the number which a conversion has in its
// code.
func converted(l *schemas.AARLeg, i int, call *schemas.AARCall) []int {
	holders := holdersOf(l, i, call)
	return holders[:min(1, len(holders))]
}

// holdersOf lists the earlier stops that hold the number of a conversion, the latest first.
func holdersOf(l *schemas.AARLeg, i int, call *schemas.AARCall) (list []int) {
	var args struct{ Code string }
	_ = json.Unmarshal(call.Arguments, &args) // arguments of another form have no code
	op, ok := ReadPython(args.Code)
	if !ok || op.Kind != Conversion {
		return nil
	}
	want, err := Operand(schemas.AARValue(op.Values[0]))
	if err != nil {
		return nil
	}
	for i--; i >= 0; i-- {
		v := l.Stops[i].ExtractedValue
		if s, isText := text(v); isText {
			v = schemas.AARValue(s) // without commas, unlike Number
		}
		f, ok := pyFloat(string(v))
		if n, err := Int(f); ok && err == nil && n == want {
			list = append(list, i)
		}
	}
	return list
}

// Allowed reports whether a leg of ours may have a flag: places of which there are just as many as
// the reference's page of results holds, and tools that the reference's image cannot answer and a
// cassette does.
func Allowed(flag string) bool { return flag == "saturated" || flag == "unserved" }

// DepCone lists the cone and the page stops that its tool stops take their arguments from.
func DepCone(l *schemas.AARLeg) []int {
	return closure(l, Cone(l), func(l *schemas.AARLeg, i int) []int {
		return append(coneSources(l, i), argumentSources(l, i)...)
	})
}

// argumentSources lists the earlier page stops whose title or text is an argument of a tool stop,
// and the latest one for days between dates and for what is found by a symbol that its page states.
func argumentSources(l *schemas.AARLeg, i int) (list []int) {
	last := lastCall(&l.Stops[i])
	if last == nil {
		return nil
	}
	given := map[string]bool{}
	for _, c := range l.Stops[i].Bridge.ToolChain {
		var args map[string]json.RawMessage
		_ = json.Unmarshal(c.Arguments, &args) // without an object there is none
		for _, v := range args {               // in any order: a set is filled
			if s, ok := text(v); ok {
				_, place, near := strings.Cut(s, " near ")
				given[s] = true
				given[place] = near || given[place]
			}
		}
	}
	template := templateByKey()[last.OutputKey]
	needsPage := last.OutputKey == "days" || Asks(template, "ticker") || Asks(template, "symbol")
	for j := i - 1; j >= 0; j-- {
		s := &l.Stops[j]
		if s.Type != schemas.AARPage {
			continue
		}
		value, isText := text(s.ExtractedValue)
		if needsPage || isText && given[value] || s.PageURL != nil && given[titleOf(*s.PageURL)] {
			list = append(list, j)
		}
		needsPage = false
	}
	return list
}

// Tables returns the legs, the groups and the flags of all legs as cells, the names of the columns
// first.
func (a Audit) Tables() [][][]string {
	flags := [][]string{{"flag", "legs"}}
	for _, name := range slices.Sorted(maps.Keys(a.Totals.Flags)) {
		flags = append(flags, []string{name, strconv.Itoa(a.Totals.Flags[name])})
	}
	return [][][]string{tableOf(a.Legs), tableOf(a.Groups), append(flags, []string{"all", strconv.Itoa(a.Totals.Legs)})}
}

// tableOf returns a row per record, its fields as JSON without the quotes of a string.
func tableOf[T any](list []T) [][]string {
	rows := [][]string{{}}
	for i := range reflect.TypeFor[T]().NumField() {
		if name, _ := field(reflect.TypeFor[T]().Field(i)); name != "" {
			rows[0] = append(rows[0], name)
		}
	}
	for i := range list {
		var cells []string
		for j := range rows[0] {
			cells = append(cells, cell(reflect.ValueOf(list[i]).Field(j).Interface()))
		}
		rows = append(rows, cells)
	}
	return rows
}

func cell(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	out, err := json.Marshal(v)
	if err != nil {
		panic("aar: a cell: " + err.Error()) // numbers, names and lists of them
	}
	return strings.Trim(string(out), `"`)
}
