package aar

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/order"
)

// Severities of issues.
const (
	Critical = "critical" // the leg is rejected
	Warning  = "warning"
)

// Issue is a rule that a leg breaks. Stop is -1 where it is the leg as a whole.
type Issue struct {
	File     string `json:"file"`
	Stop     int    `json:"stop"`
	Severity string `json:"severity"`
	Code     string `json:"code"`
	Message  string `json:"message"`
}

// finder collects the issues of a leg.
type finder struct {
	leg    *schemas.AARLeg
	issues []Issue
}

// reject adds a critical issue unless ok, and warn a warning; both return ok.
func (f *finder) reject(ok bool, stop int, code, format string, args ...any) bool {
	return f.add(ok, Critical, stop, code, format, args...)
}

func (f *finder) warn(ok bool, stop int, code, format string, args ...any) bool {
	return f.add(ok, Warning, stop, code, format, args...)
}

func (f *finder) add(ok bool, severity string, stop int, code, format string, args ...any) bool {
	if !ok {
		f.issues = append(f.issues, Issue{Stop: stop, Severity: severity, Code: code, Message: fmt.Sprintf(format, args...)})
	}
	return ok
}

// Validate lists what is wrong with a leg that was read, by stop and code. released asks for URLs
// of the English Wikipedia.
func Validate(l *schemas.AARLeg, released bool) []Issue {
	f := &finder{leg: l}
	f.form()
	f.crossFields()
	for i := range l.Stops {
		f.stopValues(i, &l.Stops[i])
		f.dependencies(i, &l.Stops[i])
	}
	f.riddle()
	if released {
		f.released()
	}
	order.Sort(f.issues, func(a, b Issue) int {
		return cmp.Or(cmp.Compare(a.Stop, b.Stop), cmp.Compare(a.Code, b.Code))
	})
	return f.issues
}

// Unreadable is the issue of a leg that DecodeLeg refuses.
func Unreadable(file string, err error) Issue {
	code := "unreadable"
	var b *Bad
	if errors.As(err, &b) {
		code = b.Rule
	}
	return Issue{File: file, Stop: -1, Severity: Critical, Code: code, Message: err.Error()}
}

var (
	trailForm  = regexp.MustCompile(`^trail_[0-9a-f]{8}$`)
	urlForm    = regexp.MustCompile(`^https?://\S+$`)
	sampleForm = regexp.MustCompile(`^sample_[0-9]{3}$`)
)

// mergedKey is the output key of a diamond's merge, which is no template.
const mergedKey = "merged"

// toolNames lists the tools.
var toolNames = sync.OnceValue(func() (names []string) {
	for _, t := range Specs() {
		names = append(names, t.Name)
	}
	return names
})

// outputKeys lists the output keys of the templates and of merges.
var outputKeys = sync.OnceValue(func() (keys []string) {
	for _, t := range templateTable().Templates {
		for _, c := range t.Chain {
			keys = append(keys, c.OutputKey)
		}
	}
	return append(keys, mergedKey)
})

// oneOf rejects a value that is none of a list.
func (f *finder) oneOf(stop int, code, value string, list ...string) {
	f.reject(slices.Contains(list, value), stop, code, "%s, want one of %s", fault.Quote(value), strings.Join(list, ", "))
}

// form checks what leg.schema.json says beyond keys and types.
func (f *finder) form() {
	l := f.leg
	f.reject(trailForm.MatchString(l.TrailID), -1, "trail_id", "%s, want trail_ and 8 hex digits", fault.Quote(l.TrailID))
	f.reject(urlForm.MatchString(l.SeedURL), -1, "seed_url", "%s is no URL", fault.Quote(l.SeedURL))
	f.reject(l.SeedTitle != "", -1, "seed_title", "the seed has no title")
	f.reject(len(l.Stops) > 0, -1, "no_stops", "the leg has no stops")
	f.reject(len(l.Stops) == 0 || len(l.Stops) >= 4, -1, "stops", "%d stops, want 4 or more", len(l.Stops))
	f.reject(l.Passcode >= 0 && l.Passcode <= 9, -1, "passcode", "%d, want a digit", l.Passcode)
	d, m := l.Difficulty, l.Metadata
	f.oneOf(-1, "level", d.Level, schemas.AARLevels...)
	f.oneOf(-1, "level", m.Difficulty, schemas.AARLevels...)
	f.oneOf(-1, "extraction_difficulty", d.ExtractionDifficulty, "infobox", "prose", "cross_section")
	f.oneOf(-1, "bridge_obscurity", d.BridgeObscurity, "direct_link", "search", "multi_hop")
	f.reject(d.Depth >= 4, -1, "depth", "%d, want 4 or more", d.Depth)
	f.reject(d.ToolStopCount >= 0 && d.ReasonStopCount >= 0, -1, "stop_count", "a count below 0")
	f.reject(utf8.RuneCountInString(l.Riddle) >= 50, -1, "riddle_short", "the riddle has fewer than 50 characters")
	f.reject(sampleForm.MatchString(m.SampleID), -1, "sample_id", "%s, want sample_ and 3 digits", fault.Quote(m.SampleID))
	f.reject(m.PagesCrawled >= 1, -1, "pages_crawled", "%d, want 1 or more", m.PagesCrawled)
	for i := range l.Stops {
		f.stopForm(i, &l.Stops[i])
		f.bridgeForm(i, &l.Stops[i].Bridge)
	}
}

// stopForm checks the form of a stop, and what its type demands.
func (f *finder) stopForm(i int, s *schemas.AARStop) {
	f.oneOf(i, "stop_type", s.Type, schemas.AARPage, schemas.AARTool, schemas.AARReason, schemas.AARCompute)
	f.reject(s.Index >= 0, i, "index", "an index below 0")
	kind := kindOf(s.ExtractedValue)
	f.reject(kind != 'n', i, "value_null", "the golden value is null")
	f.reject(kind != 't' && kind != 'f', i, "value", "the golden value is true or false")
	f.oneOf(i, "value_type", s.ExtractedValueType, "number", "text", "url", "coords", "date")
	if s.ReasonTransform != nil {
		f.oneOf(i, "reason_transform", *s.ReasonTransform, Transforms()...)
	}
	f.reject(!slices.ContainsFunc(s.DependsOn, func(n int) bool { return n < 0 }), i, "depends_on", "an index below 0")
	f.reject((s.PageURL == nil) == (s.Type == schemas.AARCompute) || !slices.Contains(stopTypes, s.Type), i, "page_url",
		"a stop of type %s and page_url %s", s.Type, quoted(s.PageURL))
	switch s.Type {
	case schemas.AARPage:
		f.reject(s.ReasonTransform == nil, i, "reason_transform", "a page stop has a transform")
		f.reject(slices.Contains(pageBridges, s.Bridge.Type), i, "bridge_type", "%s at a page stop", fault.Quote(s.Bridge.Type))
	case schemas.AARTool:
		f.reject(s.ExtractionSection == nil, i, "extraction_section", "a tool stop has a section")
		f.reject(s.Bridge.Type == bridgeTool, i, "bridge_type", "%s at a tool stop", fault.Quote(s.Bridge.Type))
		f.reject(len(s.Bridge.ToolChain) > 0, i, "empty_chain", "a tool stop calls no tool")
	case schemas.AARReason:
		f.reasonForm(i, s)
	case schemas.AARCompute:
		f.computeForm(i, s)
	}
}

var (
	stopTypes   = []string{schemas.AARPage, schemas.AARTool, schemas.AARReason, schemas.AARCompute}
	pageBridges = []string{bridgeLink, bridgeSearch}
)

// Types of bridges.
const (
	bridgeLink    = "link_follow"
	bridgeSearch  = "search_query"
	bridgeTool    = "tool_call"
	bridgeCompute = "compute"
)

func quoted(s *string) string {
	if s == nil {
		return "null"
	}
	return fault.Quote(*s)
}

func (f *finder) reasonForm(i int, s *schemas.AARStop) {
	f.reject(isWhole(s.ExtractedValue), i, "value", "%s, want an integer", fault.Quote(s.ExtractedValue))
	f.reject(s.ReasonTransform != nil, i, "reason_transform", "a reason stop has no transform")
	f.reject(s.ReasonSourceStop != nil, i, "reason_source", "a reason stop has no source")
	f.reject(s.ReasonCode != nil, i, "reason_code", "a reason stop has no code")
	f.reject(s.Bridge.Type == bridgeCompute, i, "bridge_type", "%s at a reason stop", fault.Quote(s.Bridge.Type))
	f.reject(len(s.Bridge.ToolChain) == 0, i, "chain", "a reason stop calls a tool")
}

func (f *finder) computeForm(i int, s *schemas.AARStop) {
	n, err := Operand(s.ExtractedValue)
	f.reject(isWhole(s.ExtractedValue) && err == nil && n >= 0 && n <= 9, i, "value", "%s, want a digit", fault.Quote(s.ExtractedValue))
	f.reject(s.Bridge.Type == bridgeCompute, i, "bridge_type", "%s at the last stop", fault.Quote(s.Bridge.Type))
	f.reject(s.Bridge.ExpressionCode != nil, i, "expression_code", "the last stop has no code")
	refs := len(s.Bridge.ReferencedStops)
	f.reject(refs >= 2 && refs <= 4, i, "referenced_stops", "%d stops are referenced, want 2 to 4", refs)
	if f.reject(s.Bridge.Expression != nil, i, "expression", "the last stop has no expression") {
		_, err := Finish(*s.Bridge.Expression)
		f.reject(!errors.Is(err, errOperands), i, "operands", "%v", err)
		f.reject(err == nil || errors.Is(err, errOperands), i, "expression", "%v", err)
	}
}

// isNumber reports whether a value is written as a number, and isWhole whether it is one without a
// fraction.
func isNumber(v schemas.AARValue) bool {
	return kindOf(v) == '-' || kindOf(v) >= '0' && kindOf(v) <= '9'
}

func isWhole(v schemas.AARValue) bool {
	n, ok := Number(v)
	return isNumber(v) && ok && n == float64(int64(n))
}

func (f *finder) bridgeForm(i int, b *schemas.AARBridge) {
	f.oneOf(i, "bridge_type", b.Type, bridgeLink, bridgeSearch, bridgeTool, bridgeCompute)
	f.reject(!slices.ContainsFunc(b.ReferencedStops, func(n int) bool { return n < 0 }), i, "referenced_stops", "an index below 0")
	for _, c := range b.ToolChain {
		f.reject(slices.Contains(toolNames(), c.ToolName), i, "unknown_tool", "no tool is named %s",
			fault.Quote(c.ToolName))
		f.reject(kindOf(c.Arguments) == '{', i, "arguments", "the arguments of %s are no object", fault.Quote(c.ToolName))
		f.reject(slices.Contains(outputKeys(), c.OutputKey), i, "output_key", "no output is named %s",
			fault.Quote(c.OutputKey))
	}
}

// crossFields checks what fields of the leg say of each other.
func (f *finder) crossFields() {
	l, last := f.leg, len(f.leg.Stops)-1
	count := map[string]int{}
	for i, s := range l.Stops {
		count[s.Type]++
		f.reject(s.Index == i, i, "index", "the stop at place %d has the index %d", i, s.Index)
		f.reject(i == last || s.Type != schemas.AARCompute, i, "early_compute", "a stop that computes is not the last")
	}
	if last >= 0 {
		s := &l.Stops[last]
		if f.reject(s.Type == schemas.AARCompute, last, "last_stop", "the last stop does not compute") {
			n, err := Operand(s.ExtractedValue)
			f.reject(err == nil && Mod10(n) == int64(l.Passcode), -1, "passcode", "%d, and the last stop has %s", l.Passcode, fault.Quote(s.ExtractedValue))
		}
	}
	d, diamonds := l.Difficulty, len(merges(l))
	f.warn(d.Depth == len(l.Stops) && d.ToolStopCount == count[schemas.AARTool] && d.ReasonStopCount == count[schemas.AARReason], -1, "stop_count",
		"difficulty counts %d, %d tool and %d reason stops; there are %d, %d and %d", d.Depth, d.ToolStopCount, d.ReasonStopCount,
		len(l.Stops), count[schemas.AARTool], count[schemas.AARReason])
	f.warn(d.Level == l.Metadata.Difficulty, -1, "level", "difficulty says %s, metadata %s", fault.Quote(d.Level), fault.Quote(l.Metadata.Difficulty))
	f.ranges(len(l.Stops)-count[schemas.AARReason]-3*diamonds, count[schemas.AARTool]-3*diamonds, count[schemas.AARReason], diamonds)
	f.warn(len(l.Stops) == 0 || l.Stops[0].PageURL != nil && *l.Stops[0].PageURL == l.SeedURL, 0, "seed_url", "the first stop is not at the seed")
	f.warn(titleOf(l.SeedURL) == l.SeedTitle, -1, "seed_title", "%s, and the seed's URL says %s", fault.Quote(l.SeedTitle), fault.Quote(titleOf(l.SeedURL)))
	_, err := time.Parse("2006-01-02T15:04:05.000000-07:00", l.GeneratedAt)
	f.warn(err == nil, -1, "generated_at", "%s, want RFC 3339 with microseconds", fault.Quote(l.GeneratedAt))
}

// ranges compares the counts without diamonds with those of the level.
func (f *finder) ranges(depth, tools, reasons, diamonds int) {
	level, ok := templateTable().Levels[f.leg.Difficulty.Level]
	if !ok {
		return
	}
	check := func(what string, n int, within [2]int) {
		f.warn(n >= within[0] && n <= within[1], -1, "level_range", "%d %s, want %d to %d", n, what, within[0], within[1])
	}
	check("stops before reasons and diamonds", depth, level.Depth)
	check("tool stops", tools, level.Tools)
	check("reason stops", reasons, level.Reasons)
	if Variant(f.leg) != schemas.AARVariants[0] {
		check("diamonds", diamonds, templateTable().Diamonds[f.leg.Difficulty.Level])
	}
}

var (
	citation = regexp.MustCompile(`(?i)\[(?:[1-9][0-9]{0,2}|note [0-9]+)\]`)
	// nonzero is the tools whose chains never end in 0.
	nonzero = regexp.MustCompile(`^(stock_|crypto_|countries_)`)
)

// lastCall returns the last call of a tool stop, or nil.
func lastCall(s *schemas.AARStop) *schemas.AARCall {
	if n := len(s.Bridge.ToolChain); n > 0 && s.Type == schemas.AARTool {
		return &s.Bridge.ToolChain[n-1]
	}
	return nil
}

// stopValues checks the value and the calls of a stop.
func (f *finder) stopValues(i int, s *schemas.AARStop) {
	n, number := Number(s.ExtractedValue)
	f.reject(!isNumber(s.ExtractedValue) || number, i, "value_not_finite", "%s is beyond a double", fault.Quote(s.ExtractedValue))
	value, isText := text(s.ExtractedValue)
	f.reject(!citation.MatchString(value), i, "citation", "the value has a citation mark: %s", fault.Quote(value))
	f.warn(!isText == (s.ExtractedValueType == "number"), i, "value_type", "%s is of type %s", fault.Quote(s.ExtractedValue), s.ExtractedValueType)
	if last := lastCall(s); last != nil {
		first := s.Bridge.ToolChain[0].ToolName
		f.reject(!number || n != 0 || first != "maps_geocode" && !nonzero.MatchString(last.ToolName), i, "value_zero", "%s answered 0", last.ToolName)
	}
	for _, c := range s.Bridge.ToolChain {
		f.arguments(i, c)
	}
	b := s.Bridge
	has := map[string]bool{
		bridgeLink: b.TargetURL != nil, bridgeSearch: b.SearchQuery != nil && b.ExpectedResultURL != nil,
		bridgeTool: true, bridgeCompute: true,
	}
	f.warn(has[b.Type], i, "bridge_field", "the bridge %s lacks its field", fault.Quote(b.Type))
}

// arguments checks those of a call; code and selectors have brackets of their own.
func (f *finder) arguments(i int, c schemas.AARCall) {
	var args map[string]json.RawMessage
	if json.Unmarshal(c.Arguments, &args) != nil {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(args)) {
		if v := args[key]; key != "code" && key != "select" {
			f.reject(!citation.Match(v), i, "citation", "the argument %s has a citation mark: %s", fault.Quote(key), fault.Quote(v))
		}
	}
	date, _ := text(args["date"])
	day, err := time.Parse(time.DateOnly, date)
	f.reject(err != nil || !strings.HasPrefix(c.ToolName, "stock_") || day.Weekday()%6 != 0, i, "weekend", "%s is a %s", date, day.Weekday())
}

// merges lists the stops that merge the branches of a diamond.
func merges(l *schemas.AARLeg) (list []int) {
	for i := range l.Stops {
		if last := lastCall(&l.Stops[i]); last != nil && last.OutputKey == mergedKey {
			list = append(list, i)
		}
	}
	return list
}

// branches returns the two stops that stop i, a merge, merges: those it names, else those before
// it.
func branches(l *schemas.AARLeg, i int) []int {
	if on := l.Stops[i].DependsOn; len(on) > 0 {
		return on
	}
	return []int{i - 2, i - 1}
}

// WantDependsOn returns what depends_on of a stop of a DAG leg must be.
func WantDependsOn(l *schemas.AARLeg, i int) []int {
	s, isMerge := &l.Stops[i], slices.Contains(merges(l), i)
	switch {
	case i == 0:
		return []int{}
	case s.Type == schemas.AARReason && s.ReasonSourceStop != nil:
		return []int{*s.ReasonSourceStop}
	case s.Type == schemas.AARCompute:
		return slices.Clone(s.Bridge.ReferencedStops)
	case isMerge:
		return []int{i - 2, i - 1}
	case slices.Contains(merges(l), i+1) && !isMerge:
		return []int{i - 2}
	}
	return []int{i - 1}
}

// dependencies checks what a stop depends on.
func (f *finder) dependencies(i int, s *schemas.AARStop) {
	f.reject(!slices.ContainsFunc(s.DependsOn, func(n int) bool { return n >= i }), i, "depends_on", "%v, want earlier stops", s.DependsOn)
	if s.ReasonSourceStop != nil {
		f.warn(*s.ReasonSourceStop < i && *s.ReasonSourceStop >= 0, i, "reason_source_order", "the source %d is not earlier", *s.ReasonSourceStop)
	}
	for _, n := range s.Bridge.ReferencedStops {
		f.warn(n < i, i, "referenced_order", "the reference %d is not earlier", n)
	}
	if Variant(f.leg) != schemas.AARVariants[0] {
		want := WantDependsOn(f.leg, i)
		f.warn(slices.Equal(s.DependsOn, want), i, "depends_on_rule", "%v, want %v", s.DependsOn, want)
		f.warn(i == 0 || len(s.DependsOn) > 0, i, "unreachable", "nothing leads to the stop")
	}
	if strings.HasPrefix(s.Reasoning, "Diamond merge: ") || slices.Contains(merges(f.leg), i) {
		f.merge(i, s)
	}
}

// merge checks a merge: its form, its value and where its branches come from.
func (f *finder) merge(i int, s *schemas.AARStop) {
	last := lastCall(s)
	if !f.warn(last != nil && last.ToolName == "python_execute_code" && last.OutputKey == mergedKey, i, "merge", "a merge calls python_execute_code once, for %s", mergedKey) {
		return
	}
	var args struct{ Code string }
	_ = json.Unmarshal(last.Arguments, &args)
	op, ok := ReadPython(args.Code)
	f.warn(ok && (op.Kind == MergeAdd || op.Kind == MergeAbsDiff), i, "merge", "its code merges nothing")
	on := branches(f.leg, i)
	if !f.warn(len(on) == 2 && on[0] >= 0 && on[1] >= 0 && max(on[0], on[1]) < i, i, "branches", "%v, want two earlier stops", on) {
		return
	}
	a, b := &f.leg.Stops[on[0]], &f.leg.Stops[on[1]]
	if ok {
		got, err := Merge(op.Kind, a.ExtractedValue, b.ExtractedValue)
		stored, err2 := Operand(s.ExtractedValue)
		f.warn(err == nil && err2 == nil && got == stored, i, "merge_value", "%s, and the branches make %d", fault.Quote(s.ExtractedValue), got)
	}
	if s.DependsOn != nil {
		one := len(a.DependsOn) == 1 && slices.Equal(a.DependsOn, b.DependsOn)
		f.warn(one && f.typeOf(a.DependsOn[0]) == schemas.AARPage, i, "branches", "they do not come from one page stop")
	}
}

func (f *finder) typeOf(i int) string {
	if i < 0 || i >= len(f.leg.Stops) {
		return ""
	}
	return f.leg.Stops[i].Type
}

var clueForm = regexp.MustCompile(`(?m)^(\d+)\.`)

// clueNumbers lists the numbers of the clues of a riddle as they are written.
func clueNumbers(riddle string) (list []string) {
	for _, m := range clueForm.FindAllStringSubmatch(riddle, -1) {
		list = append(list, m[1])
	}
	return list
}

// numbered reports whether the numbers of clues are 1 to n.
func numbered(list []string, n int) bool {
	for i, number := range list {
		if number != fmt.Sprint(i+1) {
			return false
		}
	}
	return len(list) == n
}

func (f *finder) riddle() {
	clues := clueNumbers(f.leg.Riddle)
	f.warn(numbered(clues, len(f.leg.Stops)), -1, "clues", "%d clues, want those from 1 to %d", len(clues), len(f.leg.Stops))
	for _, i := range titleIssues(f.leg) {
		f.warn(false, i, "title_leak", "the riddle names the page")
	}
}

// unquote decodes %XX as Python's unquote does: other marks stay, and what is no UTF-8 is replaced.
func unquote(s string) string {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if b, err := url.PathUnescape(s[i : i+3]); err == nil {
				out = append(out, b...)
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return string(bytes.ToValidUTF8(out, []byte("\ufffd")))
}

// titleOf returns the title that the URL of a page names.
func titleOf(pageURL string) string {
	tail := pageURL
	if i := strings.LastIndex(tail, "/wiki/"); i >= 0 {
		tail = tail[i+len("/wiki/"):]
	} else {
		tail = tail[strings.LastIndex(tail, "/")+1:]
	}
	return strings.ReplaceAll(unquote(tail), "_", " ")
}

// plainWords make no title: one that has no other word is in every riddle.
var plainWords = strings.Fields(`the and for that this with from have will been were are was has its can not but all
	one two new old may`)

var tailParens = regexp.MustCompile(`\s*\([^)]*\)\s*$`)

// leaks reports whether a riddle, in lower case, names a title by the rule of the validator.
func leaks(riddle, title string) bool {
	if utf8.RuneCountInString(title) < 6 ||
		!slices.ContainsFunc(strings.Fields(lower(title)), func(w string) bool { return !slices.Contains(plainWords, w) }) {
		return false
	}
	title = tailParens.ReplaceAllString(title, "")
	return utf8.RuneCountInString(title) >= 6 && strings.Contains(riddle, lower(title))
}

// titleIssues lists the stops whose title the riddle names, -1 for the seed's title.
func titleIssues(l *schemas.AARLeg) []int {
	riddle, list := lower(l.Riddle), []int{}
	if leaks(riddle, l.SeedTitle) {
		list = append(list, -1)
	}
	for i, s := range l.Stops {
		if s.PageURL != nil && leaks(riddle, titleOf(*s.PageURL)) {
			list = append(list, i)
		}
	}
	return list
}

// englishWiki begins every URL of a released leg.
const englishWiki = "https://en.wikipedia.org/wiki/"

func (f *finder) released() {
	check := func(i int, name string, u *string) {
		f.reject(u == nil || strings.HasPrefix(*u, englishWiki), i, "released_url", "%s %s is outside %s", name, quoted(u), englishWiki)
	}
	check(-1, "seed_url", &f.leg.SeedURL)
	for i, s := range f.leg.Stops {
		check(i, "page_url", s.PageURL)
		check(i, "target_url", s.Bridge.TargetURL)
		check(i, "expected_result_url", s.Bridge.ExpectedResultURL)
	}
}
