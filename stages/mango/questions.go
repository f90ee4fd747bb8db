package mango

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/wikinav/wikinav/artifacts/mango/maze"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages/mango/prompt"
	"github.com/wikinav/wikinav/stages/mango/skeleton"
)

// DefaultPrefix is the last step that questions on an imported maze show; its edges cover no more.
const DefaultPrefix = 70

// view is a maze as questions show it.
type view struct {
	set         *skeleton.Set
	walkthrough *maze.Walkthrough
	n           int // last step that is shown
	rule        string
	all         bool // also unanswerable questions
}

// view shows the whole walk under the default rule.
func (p *published) view() view {
	return view{set: p.set, walkthrough: p.walkthrough, n: p.walkthrough.Last(), rule: schemas.MangoRulePaper}
}

// askAll renders the sampled DF rows and all RF rows, those of them that the prefix answers.
func askAll(v view, sampled []bool, o prompt.Options) ([]schemas.MangoQuestion, error) {
	if v.n < 0 || v.n > v.walkthrough.Last() {
		return nil, fault.New(fault.Usage, "mango: %s: the walkthrough has steps 0 to %d, none called %d", v.set.Maze, v.walkthrough.Last(), v.n)
	}
	p := prompt.New(v.walkthrough.Steps[:v.n+1], maze.Moves(v.set.Edges), v.set.Locations, o)
	var out []schemas.MangoQuestion
	for i := range v.set.DF {
		r := &v.set.DF[i]
		if class := r.Class(v.n, v.rule); sampled[i] && v.shows(class) {
			q := v.question(schemas.MangoDF, r.ID, class, v.set.Locations[r.Src])
			q.Actions = v.set.Actions(i)
			q.Prompt, q.TemplateSHA256 = p.DF(q.Src, q.Actions)
			out = append(out, q)
		}
	}
	for i := range v.set.RF {
		r := &v.set.RF[i]
		if class := r.Class(v.n, v.rule); v.shows(class) {
			q := v.question(schemas.MangoRF, r.ID, class, v.set.Locations[r.Src])
			q.Dst = v.set.Locations[r.Dst]
			q.Prompt, q.TemplateSHA256 = p.RF(q.Src, q.Dst)
			out = append(out, q)
		}
	}
	return out, nil
}

func (v view) shows(class string) bool { return v.all || class != schemas.MangoUnanswerable }

func (v view) question(task, id, class, src string) schemas.MangoQuestion {
	return schemas.MangoQuestion{
		Schema: schemas.MangoQuestionSchema, QuestionID: id, MazeID: v.set.Maze, Task: task, PrefixStep: v.n, Rule: v.rule,
		Class: class, Src: src, Actions: []string{},
	}
}

// Ask says which questions on an opened maze to render.
type Ask struct {
	Steps     int // last step to show; below 0 for the default
	MaxTokens int // largest prefix, in tokens; 0 for no bound
	Rule      string
	Style     string
	All       bool // also what the prefix does not answer
}

// Questions renders the questions on m: of the DF rows those that its extras call sampled.
func (m *Opened) Questions(a Ask) ([]schemas.MangoQuestion, error) {
	if m.Walkthrough == nil {
		return nil, fault.New(fault.NotFound, "mango: %s has no walkthrough: there is nothing to show", m.Name)
	}
	v := view{set: m.Set, walkthrough: m.Walkthrough, n: a.Steps, rule: a.Rule, all: a.All}
	if v.n < 0 {
		v.n = m.Walkthrough.Last()
		if m.Record == nil || m.Record.Source != schemas.MangoWikipedia {
			v.n = min(v.n, DefaultPrefix)
		}
	}
	if a.MaxTokens > 0 {
		v.n = min(v.n, prompt.Longest(m.Walkthrough.Steps, a.MaxTokens, prompt.Runes4))
	}
	if v.n < 0 {
		return nil, fault.New(fault.Usage, "mango: %s: not even step 0 has at most %d tokens", m.Name, a.MaxTokens)
	}
	return askAll(v, m.sampled(), prompt.Options{Compass: m.compass(), Style: a.Style})
}

// sampled draws the sample again, which for an imported maze is every row.
func (m *Opened) sampled() []bool {
	if r := m.Record; r != nil && r.Params != nil && r.Seed != nil {
		return sample(m.Set, *r.Seed, *r.LastStep, r.Params.DFBudget)
	}
	return slices.Repeat([]bool{true}, len(m.Set.DF))
}

func (m *Opened) compass() bool { return m.Record != nil && m.Record.Source == schemas.MangoWikipedia }

// lengthClasses are the upper ends of the length classes of a sample; longer paths are one more class.
var lengthClasses = []int{2, 4, 6}

// sample chooses the DF rows that become questions: all, or budget of them, one from each stratum in turn, easy before hard and
// short before long. Inside a stratum the order is that of a hash of seed and id, so that another row changes no other's place
// (specification 6.8; source of the hash: https://xxhash.com).
func sample(s *skeleton.Set, seed int64, last, budget int) []bool {
	chosen := make([]bool, len(s.DF))
	strata := stratify(s, seed, last)
	for taken := 0; taken < min(budget, len(s.DF)); {
		for i := range strata {
			if len(strata[i]) == 0 || taken == budget {
				continue
			}
			chosen[strata[i][0].row] = true
			strata[i] = strata[i][1:]
			taken++
		}
	}
	return chosen
}

type ranked struct {
	row  int
	hash uint64
	id   string
}

func stratify(s *skeleton.Set, seed int64, last int) [][]ranked {
	classes := len(lengthClasses) + 1
	strata := make([][]ranked, 2*classes)
	for i := range s.DF {
		r := &s.DF[i]
		at := 0
		for at < len(lengthClasses) && len(r.Path) > lengthClasses[at] {
			at++
		}
		if r.Class(last, schemas.MangoRulePaper) != schemas.MangoEasy {
			at += classes
		}
		strata[at] = append(strata[at], ranked{i, xxhash.Sum64String(strconv.FormatInt(seed, 10) + ":" + r.ID), r.ID})
	}
	for _, list := range strata {
		slices.SortFunc(list, func(a, b ranked) int {
			return cmp.Or(cmp.Compare(a.hash, b.hash), strings.Compare(a.id, b.id))
		})
	}
	return strata
}
