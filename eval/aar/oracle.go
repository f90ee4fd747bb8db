package aar

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/aar"
	spoken "github.com/wikinav/wikinav/eval/calls"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// progress is how far the golden chain of a leg was followed: the state that the oracles speak of,
// and by which calls are optimal. It follows from the leg and the calls alone, so that players and
// judges have the same.
type progress struct {
	leg    *schemas.AARLeg
	open   func(url string) (page int, ok bool)
	golden [][]chainCall // by stop
	made   map[string]bool
	seen   strings.Builder // what the player was told: riddle and outputs
	looked haystack        // seen as values are looked for in it
	pages  []string        // visited, in the order of the first visit
}

// chainCall is a call of the golden chain. key is what calls are compared by.
type chainCall struct {
	tool string
	args json.RawMessage
	key  string
}

// newProgress lists the golden calls of a leg: the page of a page stop, the chain of a tool stop as
// far as its tools are offered. Arguments that a chain takes from its outputs are those of the leg.
func newProgress(l *schemas.AARLeg, offers func(tool string) bool, open func(string) (int, bool)) *progress {
	p := &progress{leg: l, open: open, made: map[string]bool{}}
	p.seen.WriteString(l.Riddle + "\n" + l.SeedURL + "\n")
	for i := range l.Stops {
		var list []chainCall
		switch s := &l.Stops[i]; {
		case s.Type == schemas.AARPage && s.PageURL != nil && offers(toolFetch):
			args, _ := json.Marshal(map[string]string{"url": *s.PageURL}) // a text
			list = p.add(nil, toolFetch, args)
		case s.Type == schemas.AARTool:
			list = p.chain(s.Bridge.ToolChain, offers)
		}
		p.golden = append(p.golden, list)
	}
	return p
}

func (p *progress) chain(chain []schemas.AARCall, offers func(string) bool) (list []chainCall) {
	outputs := map[string]json.RawMessage{}
	for _, c := range chain {
		outputs[c.OutputKey] = json.RawMessage(c.ExpectedOutput)
		args, err := aar.ChainArgs(c.Arguments, outputs)
		if err != nil || !offers(toolName(c.ToolName)) {
			continue
		}
		if data, err := json.Marshal(args); err == nil {
			list = p.add(list, toolName(c.ToolName), data)
		}
	}
	return list
}

func (p *progress) add(list []chainCall, tool string, args json.RawMessage) []chainCall {
	return append(list, chainCall{tool, args, p.key(tool, args)})
}

// key names what a call does: its tool and its canonical arguments; of a page, the page.
func (p *progress) key(tool string, args []byte) string {
	if tool == toolFetch {
		if page, ok := p.open(addressIn(args)); ok {
			return fmt.Sprint(tool, " ", page)
		}
	}
	plain, err := aar.CanonicalArgs(args)
	if err != nil {
		plain = args
	}
	return tool + " " + string(plain)
}

// before lists the stops that a stop depends on: in a linear leg that before it.
func (p *progress) before(i int) []int {
	if on := p.leg.Stops[i].DependsOn; on != nil || i == 0 {
		return on
	}
	return []int{i - 1}
}

// isLast reports whether a stop is that of the digit, which is handed in and not obtained.
func (p *progress) isLast(i int) bool { return p.leg.Stops[i].Type == schemas.AARCompute }

// states reports of each stop whether it is obtained: all its calls were made, or, where it has
// none, all stops before it are obtained; and whether it is ready: it is not, and those are.
func (p *progress) states() (obtained, ready []bool) {
	n := len(p.leg.Stops)
	obtained, ready = make([]bool, n), make([]bool, n)
	for i := range n { // stops depend on earlier ones alone
		free := !slices.ContainsFunc(p.before(i), func(b int) bool { return !obtained[b] })
		done := !slices.ContainsFunc(p.golden[i], func(c chainCall) bool { return !p.made[c.key] })
		obtained[i] = done && (free || len(p.golden[i]) > 0) && !p.isLast(i)
		ready[i] = free && !obtained[i] && !p.isLast(i)
	}
	return obtained, ready
}

// best is an optimal call with the stop that it is of.
type best struct {
	chainCall
	stop int
}

// optimal lists the optimal calls by stop: of each ready one the next. None are left where every
// value is there and the digit can be handed in.
func (p *progress) optimal() (list []best) {
	_, ready := p.states()
	for i, is := range ready {
		if !is {
			continue
		}
		j := slices.IndexFunc(p.golden[i], func(c chainCall) bool { return !p.made[c.key] })
		if j >= 0 {
			list = append(list, best{p.golden[i][j], i})
		}
	}
	return list
}

// take books a call that was answered and reports whether it was optimal.
func (p *progress) take(c accepted) (optimal bool) {
	p.seen.WriteString(c.output + "\n")
	key := p.key(c.tool, c.args)
	if strings.HasPrefix(c.output, errorObject) {
		return false
	}
	if c.url != "" && !slices.Contains(p.pages, c.url) {
		p.pages = append(p.pages, c.url)
	}
	optimal = slices.ContainsFunc(p.optimal(), func(b best) bool { return b.key == key })
	p.made[key] = true
	return optimal
}

// errorObject begins the output of a call that has no answer.
const errorObject = `{"error":{"code":`

// ends reports whether a digit is handed in as an optimal player does.
func (p *progress) ends(answer string) bool {
	_, right := judgeAnswer(&answer, p.leg.Passcode)
	return right && len(p.optimal()) == 0
}

// steps returns the golden calls and the answer: the steps of an optimal player.
func (p *progress) steps() int {
	keys := map[string]bool{}
	for _, list := range p.golden {
		for _, c := range list {
			keys[c.key] = true
		}
	}
	return len(keys) + 1
}

// observed reports whether the value of a stop stands in what the player was told.
func (p *progress) observed(i int) bool {
	if text := p.seen.String(); len(text) != len(p.looked.text) {
		p.looked = haystackOf(text)
	}
	return p.looked.has(p.leg.Stops[i].ExtractedValue)
}

// Words of the oracles. 1: first wording.
const (
	planCall    = "next: call %s with %s"
	planAnswer  = "next: hand in the digit"
	hiddenValue = "<answer of clue %d>"
	stateLine   = "Clue %d: %s"
	stateRest   = "Pages visited: %s\nTurns left: %d"
)

// plan names the call of the ready stop with the smallest index. A value that the player has not
// observed does not stand in it: its clue does.
func (p *progress) plan() string {
	list := p.optimal()
	if len(list) == 0 {
		return planAnswer
	}
	args, err := aar.Compact(list[0].args)
	if err != nil {
		args = schemas.AARValue(list[0].args)
	}
	return fmt.Sprintf(planCall, list[0].tool, p.mask(string(args), list[0].stop))
}

// mask hides the values that a stop takes from stops before it and that were not observed.
func (p *progress) mask(text string, stop int) string {
	before := p.ancestors(stop)
	for i := range stop {
		v := p.leg.Stops[i].ExtractedValue
		if !before[i] || p.observed(i) {
			continue
		}
		for _, form := range forms(v) {
			text = replaceAlone(text, form, fmt.Sprintf(hiddenValue, i+1))
		}
	}
	return text
}

// ancestors are the stops that a stop depends on, by themselves or by others.
func (p *progress) ancestors(stop int) map[int]bool {
	all := map[int]bool{}
	for queue := p.before(stop); len(queue) > 0; queue = queue[1:] {
		if i := queue[0]; !all[i] {
			all[i] = true
			queue = append(slices.Clone(queue), p.before(i)...)
		}
	}
	return all
}

// replaceAlone replaces a value where it is no part of a longer number.
func replaceAlone(text, value, by string) string {
	var out strings.Builder
	for {
		i := strings.Index(text, value)
		if i < 0 {
			return out.String() + text
		}
		before, after := text[:i], text[i+len(value):]
		out.WriteString(before)
		if endsInNumber(out.String()) || beginsNumber(after) {
			out.WriteString(value)
		} else {
			out.WriteString(by)
		}
		text = after
	}
}

// state lists the clues with what is known of them, the pages visited and the turns left.
func (p *progress) state(turnsLeft int) string {
	obtained, ready := p.states()
	var lines []string
	for i := range p.leg.Stops {
		status := "open"
		switch {
		case obtained[i] && len(p.golden[i]) > 0 && p.observed(i):
			status = "obtained, " + string(p.leg.Stops[i].ExtractedValue)
		case obtained[i]:
			status = "obtained"
		case ready[i], p.isLast(i) && len(p.optimal()) == 0:
			status = "ready"
		}
		lines = append(lines, fmt.Sprintf(stateLine, i+1, status))
	}
	pages := "none"
	if len(p.pages) > 0 {
		pages = strings.Join(p.pages, ", ")
	}
	return strings.Join(append(lines, fmt.Sprintf(stateRest, pages, turnsLeft)), "\n")
}

// blocks returns what the oracles of a configuration say: plan, then state.
func (p *progress) blocks(cfg family.Config, turnsLeft int) string {
	var plan, state string
	if cfg.Plan {
		plan = spoken.Block(spoken.PlanHeader, p.plan())
	}
	if cfg.State {
		state = spoken.Block(spoken.StateHeader, p.state(turnsLeft))
	}
	return spoken.Join(plan, state)
}

// oracleWords are all words of the oracles, for the identity of a score.
var oracleWords = []string{
	spoken.PlanHeader, spoken.StateHeader, planCall, planAnswer, hiddenValue, stateLine, stateRest,
}

// configOf returns the configuration of options; "" is that without oracles.
func configOf(o schemas.AAROptions) family.Config {
	cfg, _ := family.ParseConfig(oracleOf(o)) // was checked
	return cfg
}

func oracleOf(o schemas.AAROptions) string {
	if o.Oracle == "" {
		return family.Config{}.String()
	}
	return o.Oracle
}

var (
	_ family.Armed     = Family{}
	_ family.Revealing = Family{}
	_ family.Described = (*Set)(nil)
	_ family.Advised   = (*Episode)(nil)
)

// Arm returns the configuration of oracles.
func (Family) Arm(o family.Options) (family.Arm, bool) {
	rest := rulesOf(o).AAROptions
	cfg := configOf(rest)
	rest.Oracle = ""
	return family.Arm{Config: cfg.String(), Planned: cfg.Plan, Rest: canon.MustMarshal(rest)}, true
}

// Reveals returns the option if any oracle speaks: the state, too, says which clues are solved.
func (Family) Reveals(o family.Options) string {
	if cfg := configOf(rulesOf(o).AAROptions); cfg != (family.Config{}) {
		return optionOracle + "=" + cfg.String()
	}
	return ""
}

type advice struct {
	Plan    string   `json:"plan,omitempty" jsonschema:"a call that is optimal"`
	Optimal []string `json:"optimal,omitempty" jsonschema:"all optimal calls"`
	State   string   `json:"state" jsonschema:"the clues and what is known of them"`
}

func (e *Episode) Oracle() any {
	at := e.at()
	o := advice{State: at.state(e.budget - len(e.turns))}
	if e.outcome == "" {
		o.Plan = at.plan()
		for _, b := range at.optimal() {
			o.Optimal = append(o.Optimal, b.tool+" "+string(b.args))
		}
	}
	return o
}

// at returns how far the player is. It needs the world, so that nobody asks before somebody has to.
func (e *Episode) at() *progress {
	if e.progress == nil {
		offers := func(tool string) bool { return slices.Contains(e.rules.Tools, tool) }
		e.progress = newProgress(e.leg, offers, e.set.opener())
	}
	return e.progress
}

// said returns what the oracles say now.
func (e *Episode) said() string {
	if e.config == (family.Config{}) {
		return ""
	}
	return e.at().blocks(e.config, e.budget-len(e.turns))
}

// Difficulty returns the steps of an optimal player whom every tool but Python is offered, and what
// the leg says of itself.
func (s *Set) Difficulty(instance string) (family.Difficulty, bool) {
	l, err := s.leg(instance)
	if err != nil {
		return family.Difficulty{}, false
	}
	p := newProgress(l, s.offers(), s.opener())
	return family.Difficulty{Length: p.steps(), Called: "golden steps", Features: []family.Feature{
		{Name: "stops", Value: fmt.Sprint(len(l.Stops))},
		{Name: "tool_stops", Value: fmt.Sprint(l.Difficulty.ToolStopCount)},
	}}, true
}

// offers reports which tools the options of the set offer.
func (s *Set) offers() func(tool string) bool {
	return func(tool string) bool { return slices.Contains(s.rules.Tools, tool) }
}

// opener compares addresses by the pages of the world, and letter by letter where there is none.
func (s *Set) opener() func(string) (int, bool) {
	w, err := s.world()
	if err != nil {
		return func(string) (int, bool) { return 0, false }
	}
	return opener(w)
}
