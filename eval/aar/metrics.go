package aar

import (
	"encoding/json"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/schemas"
)

// played is one player at one leg, as far as the release confirms it: calls that the judge accepts,
// within the budget.
type played struct {
	leg     *schemas.AARLeg
	answer  *string
	steps   int
	limited bool // ended without an answer because its turns were used up
	made    int  // calls, refused ones among them
	calls   []accepted
	taken   []bool                 // steps: each call, the answer, a turn with neither; which were optimal
	length  int                    // steps of an optimal player
	offers  func(tool string) bool // false for tools that could not be called
}

// accepted is a call that ran, as the release answers it.
type accepted struct {
	tool   string // by the name of its table
	args   []byte
	url    string // of a page that was served
	output string // what is known of it
}

// choices are how to judge where the score leaves a choice.
type choices struct {
	exact bool   // addresses are compared as they stand
	rcr   string // one of the rcr words
	open  func(url string) (page int, ok bool)
}

const (
	rcrOffered  = "offered" // stops whose chain needs a tool that was not offered do not count
	rcrAll      = "all"
	rcrDistinct = "distinct-tools" // share of the distinct tools that the leg needs
)

// part is a share, which is null where there is nothing to share.
type part struct{ done, of int }

func (p part) null() bool { return p.of == 0 }

// below reports whether p is known and less than percent.
func (p part) below(percent int) bool { return !p.null() && 100*p.done < percent*p.of }

// reaches reports whether p is known and at least percent.
func (p part) reaches(percent int) bool { return !p.null() && 100*p.done >= percent*p.of }

func (p part) value() (x float64, known bool) {
	return float64(p.done) / float64(p.of), !p.null()
}

// Classes of answers.
const (
	answerDigit     = "digit"
	answerNone      = "none"
	answerMalformed = "malformed"
)

// Classes of runs: what stood between a run and the right digit.
const (
	causeCorrect     = "correct"
	causeNavigation  = "navigation"
	causeTool        = "tool"
	causeComputation = "computation"
)

// verdict is what is said of a run.
type verdict struct {
	leg          *schemas.AARLeg
	attempt      int
	outcome      string
	usage        *schemas.Usage
	costs        []*string // of its turns
	answer       string    // one of the answer words
	right        bool
	pages, tools part // PVR and RCR
	unoffered    int  // tool stops whose chain needs a tool that was not offered
	steps, calls int
	limited      bool
	stepped      part // steps that were optimal
	length       int  // steps of an optimal player
	intermediate part // values of stops that were seen
	rightCalls   part // calls of the golden chains that were made
}

func newVerdict(r played, how choices) *verdict {
	v := &verdict{leg: r.leg, steps: r.steps, calls: r.made, limited: r.limited}
	v.answer, v.right = judgeAnswer(r.answer, r.leg.Passcode)
	v.pages = pagesSeen(r, how)
	v.tools, v.unoffered = toolsDone(r, how.rcr)
	v.intermediate = valuesSeen(r)
	v.rightCalls = callsMade(r)
	v.length = r.length
	for _, optimal := range r.taken {
		v.stepped.count(optimal)
	}
	return v
}

var digitForm = regexp.MustCompile(`^[0-9]$`)

func judgeAnswer(answer *string, passcode int) (class string, right bool) {
	if answer == nil || strings.TrimSpace(*answer) == "" {
		return answerNone, false
	}
	text := strings.TrimSpace(*answer)
	if !digitForm.MatchString(text) {
		return answerMalformed, false
	}
	return answerDigit, text == strconv.Itoa(passcode)
}

// cause returns the class of a run. A rate that is null passes its test.
func (v *verdict) cause() string {
	switch {
	case v.right:
		return causeCorrect
	case v.pages.below(50):
		return causeNavigation
	case v.tools.below(50):
		return causeTool
	}
	return causeComputation
}

func (v *verdict) shortcut() bool         { return v.right && v.pages.below(30) }
func (v *verdict) navigated() bool        { return v.pages.reaches(80) }
func (v *verdict) navigatedAndUsed() bool { return v.pages.reaches(80) && v.tools.reaches(80) }
func (v *verdict) nearMiss() bool         { return !v.right && v.intermediate.reaches(80) }
func (v *verdict) lostAtTheEnd() bool     { return !v.right && v.pages.reaches(90) }
func (v *verdict) lostAll() bool          { return v.pages.below(30) && v.tools.below(30) }

// pagesSeen counts the page stops whose page was served.
func pagesSeen(r played, how choices) (p part) {
	addresses, pages := map[string]bool{}, map[int]bool{}
	for _, c := range r.calls {
		if c.url == "" {
			continue
		}
		addresses[c.url] = true
		if page, ok := how.open(c.url); ok {
			pages[page] = true
		}
	}
	for _, s := range r.leg.Stops {
		if s.Type != schemas.AARPage || s.PageURL == nil {
			continue
		}
		page, ok := how.open(*s.PageURL)
		seen := ok && pages[page]
		if how.exact {
			seen = addresses[*s.PageURL]
		}
		p.count(seen)
	}
	return p
}

func (p *part) count(done bool) {
	p.of++
	if done {
		p.done++
	}
}

// toolName returns the name of a tool in its table, and other names as they are.
func toolName(name string) string {
	if spec, ok := aar.FindSpec(name); ok {
		return spec.Name
	}
	return name
}

// toolsDone counts the tool stops all of whose tools were called, or the tools themselves.
func toolsDone(r played, rcr string) (p part, unoffered int) {
	called, needed := map[string]bool{}, map[string]bool{}
	for _, c := range r.calls {
		called[c.tool] = true
	}
	for _, s := range r.leg.Stops {
		if s.Type != schemas.AARTool {
			continue
		}
		done, offered := true, true
		for _, c := range s.Bridge.ToolChain {
			name := toolName(c.ToolName)
			done, offered = done && called[name], offered && r.offers(name)
			if r.offers(name) {
				needed[name] = true
			}
		}
		if !offered {
			unoffered++
		}
		if offered || rcr == rcrAll {
			p.count(done)
		}
	}
	if rcr == rcrDistinct {
		p = part{}
		for name := range needed { // in any order: a count
			p.count(called[name])
		}
	}
	return p, unoffered
}

// grouped matches a comma between groups of digits.
var grouped = regexp.MustCompile(`(\d),(\d{3})`)

// valuesSeen counts the stops before the last whose values stand in the outputs. Pages show numbers
// with commas, which values do not have.
func valuesSeen(r played) (p part) {
	var all strings.Builder
	for _, c := range r.calls {
		all.WriteString(c.output + "\n")
	}
	seen := haystackOf(all.String())
	for i := range len(r.leg.Stops) - 1 {
		p.count(seen.has(r.leg.Stops[i].ExtractedValue))
	}
	return p
}

// haystack is a text in which values are looked for, also without the commas of numbers.
type haystack struct{ text, plain string }

func haystackOf(text string) haystack {
	return haystack{text, grouped.ReplaceAllString(grouped.ReplaceAllString(text, "$1$2"), "$1$2")}
}

func (s haystack) has(v schemas.AARValue) bool {
	return slices.ContainsFunc(forms(v), func(form string) bool {
		if _, number := plainNumber(v); number {
			return standsAlone(s.text, form) || standsAlone(s.plain, form)
		}
		return strings.Contains(s.text, form)
	})
}

// plainNumber returns a value that is a number, or a text that is nothing but one.
func plainNumber(v schemas.AARValue) (float64, bool) {
	if len(v) == 0 || v[0] == '[' || v[0] == '{' {
		return 0, false
	}
	return aar.Number(v)
}

// forms lists the ways in which a value is looked for: as it is, and a number also as an integer
// and with one and two decimals.
func forms(v schemas.AARValue) []string {
	var text string
	if json.Unmarshal(v, &text) != nil {
		text = string(v)
	}
	list := []string{text}
	if f, ok := plainNumber(v); ok && math.Abs(f) < 1<<53 {
		list = append(list, strconv.FormatInt(int64(f), 10),
			strconv.FormatFloat(f, 'f', 1, 64), strconv.FormatFloat(f, 'f', 2, 64))
	}
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}

// standsAlone reports whether a number stands in a text and is no part of a longer one.
func standsAlone(text, number string) bool {
	for at := 0; ; at++ {
		i := strings.Index(text[at:], number)
		if i < 0 {
			return false
		}
		at += i
		if before, after := text[:at], text[at+len(number):]; !endsInNumber(before) &&
			!beginsNumber(after) {
			return true
		}
	}
}

func isDigit(s string, i int) bool { return i >= 0 && i < len(s) && s[i] >= '0' && s[i] <= '9' }

// isPoint reports whether a mark stands at i that numbers have inside.
func isPoint(s string, i int) bool { return i >= 0 && i < len(s) && (s[i] == '.' || s[i] == ',') }

func endsInNumber(s string) bool {
	n := len(s)
	return isDigit(s, n-1) || isPoint(s, n-1) && isDigit(s, n-2)
}

func beginsNumber(s string) bool { return isDigit(s, 0) || isPoint(s, 0) && isDigit(s, 1) }

// callsMade counts the calls of the golden chains that were made, each by a call of its own. Calls
// all of whose arguments come from calls before cannot be told apart and do not count, nor do those
// of tools that were not offered.
func callsMade(r played) (p part) {
	free := slices.Clone(r.calls)
	for _, s := range r.leg.Stops {
		for _, golden := range s.Bridge.ToolChain {
			want := given(golden.Arguments)
			if len(want) == 0 || !r.offers(toolName(golden.ToolName)) {
				continue
			}
			i := slices.IndexFunc(free, func(c accepted) bool {
				return c.tool == toolName(golden.ToolName) && agree(want, given(c.args))
			})
			p.count(i >= 0)
			if i >= 0 {
				free = slices.Delete(free, i, i+1)
			}
		}
	}
	return p
}

// given returns arguments that are not taken from calls before.
func given(args []byte) map[string]any {
	var all map[string]any
	if json.Unmarshal(args, &all) != nil {
		return nil
	}
	maps.DeleteFunc(all, func(key string, _ any) bool { return strings.HasPrefix(key, "__") })
	return all
}

// agree reports whether two calls have a key in common and differ in none of those.
func agree(a, b map[string]any) bool {
	common := false
	for key, x := range a { // in any order: all must agree
		y, ok := b[key]
		if ok && !alike(x, y) {
			return false
		}
		common = common || ok
	}
	return common
}

// alike reports whether two values are numbers within 1 %, or the same text but for case.
func alike(x, y any) bool {
	a, okA := x.(float64)
	b, okB := y.(float64)
	if okA && okB {
		return math.Abs(a-b) <= 0.01*max(math.Abs(a), math.Abs(b))
	}
	return strings.EqualFold(plainText(x), plainText(y))
}

func plainText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	data, _ := json.Marshal(v) // of a value that was read from JSON
	return string(data)
}
