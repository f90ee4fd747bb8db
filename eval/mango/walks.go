package mango

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/mango/walk"
	"github.com/wikinav/wikinav/eval/question"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/eval/wording"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Options of the mode in which a question is walked, call by call, instead of answered at once.
const (
	optionMode   = "mode"
	modeQuestion = "question"
	modeWalk     = "walk"

	optionOracle       = "oracle"
	optionTold         = "told"
	toldMove           = "move"  // what a player is told of a move is that it was made
	toldPlace          = "place" // and where it led
	optionFormatErrors = "max_format_errors"
)

const maxFormatErrors = 1_000

var walkRules = question.Rules{
	{Name: optionMode, Values: []string{modeQuestion, modeWalk}},
	{Name: optionOracle, Values: family.ConfigNames()},
	{Name: optionTold, Values: []string{toldMove, toldPlace}},
	{Name: optionFormatErrors, Default: "3", Says: "N", Check: func(value string) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > maxFormatErrors || strconv.Itoa(n) != value {
			return fmt.Errorf("want 1 to %d", maxFormatErrors)
		}
		return nil
	}},
}

const metricExcess = "excess_turns" // turns beyond those of an optimal player, mean over successes

// walkColumns are those of walks; no question has any of them.
var walkColumns = []family.Column{
	{Heading: "success rate", Metric: judge.MetricSuccess, Better: 1},
	{Heading: "step accuracy", Metric: judge.MetricMicro, Better: 1},
	{Heading: "macro", Metric: judge.MetricMacro, Better: 1, Detail: true},
	{Heading: "sr pred", Metric: judge.MetricPredicted, Detail: true},
	{Heading: "gap", Metric: judge.MetricGap, Detail: true},
	{Heading: "excess turns", Metric: metricExcess, Better: -1},
	{Heading: "invalid", Metric: judge.MetricInvalid, Better: -1, Detail: true},
}

func (m mango) Options(texts []string) (family.Options, error) {
	values, err := rules.Read(texts)
	return optionsOf(values, err)
}

func (m mango) ReadOptions(data json.RawMessage) (family.Options, error) {
	values, err := rules.ReadJSON(data)
	return optionsOf(values, err)
}

// optionsOf leaves the rules of walks out where questions are answered: they change nothing there,
// and rules that are equal have one hash.
func optionsOf(values map[string]string, err error) (family.Options, error) {
	if err != nil {
		return family.Options{}, err
	}
	if values[optionMode] == modeQuestion {
		defaults, _ := walkRules.Read(nil)
		for _, r := range walkRules {
			if values[r.Name] != defaults[r.Name] {
				return family.Options{}, fault.New(fault.Usage, "option %s=%s: questions that are answered have no such rule",
					r.Name, values[r.Name]).Hint("add --option %s=%s", optionMode, modeWalk)
			}
			delete(values, r.Name)
		}
	}
	return question.Options(values), nil
}

func valuesOf(o family.Options) map[string]string {
	values, _ := o.Value.(map[string]string)
	return values
}

func isWalk(o family.Options) bool { return valuesOf(o)[optionMode] == modeWalk }

func rulesOf(values map[string]string) (walk.Rules, error) {
	cfg, err := family.ParseConfig(values[optionOracle])
	n, _ := strconv.Atoi(values[optionFormatErrors]) // checked as it was read
	return walk.Rules{Config: cfg, Places: values[optionTold] == toldPlace, MaxFormatErrors: n}, err
}

var (
	_ family.Revealing = mango{}
	_ family.Armed     = mango{}
)

func (mango) Reveals(o family.Options) string {
	if r, err := rulesOf(valuesOf(o)); isWalk(o) && err == nil && r.Config.Plan {
		return optionOracle + "=" + r.Config.String()
	}
	return ""
}

// Arm returns the configuration of walks.
func (mango) Arm(o family.Options) (family.Arm, bool) {
	r, err := rulesOf(valuesOf(o))
	if !isWalk(o) || err != nil {
		return family.Arm{}, false
	}
	rest := map[string]string{}
	for name, value := range valuesOf(o) {
		if name != optionOracle {
			rest[name] = value
		}
	}
	return family.Arm{Config: r.Config.String(), Planned: r.Config.Plan, Rest: canon.MustMarshal(rest)}, true
}

func (m mango) Words(o family.Options, manner family.Manner) (family.Words, error) {
	if !isWalk(o) {
		return m.Base.Words(o, manner)
	}
	prompt, parser := walk.Prompt(), walk.Parser()
	if manner.Parser != "" && manner.Parser != parser.Version {
		return family.Words{}, fault.New(fault.Usage, "there is no parser %s of walks", fault.Quote(manner.Parser)).
			Choose(manner.Parser, []string{parser.Version})
	}
	if manner.Interface == schemas.InterfaceBuiltin || manner.Interface == schemas.InterfaceForeign {
		return family.Words{}, nil
	}
	return family.Words{Prompt: &prompt, Parser: &parser}, nil
}

// Form says what a template of a question, or of a walk, may hold.
func (m mango) Form(o family.Options, manner family.Manner) (wording.Form, error) {
	form, err := m.Base.Form(o, manner)
	if err != nil || !isWalk(o) {
		return form, err
	}
	r, err := rulesOf(valuesOf(o))
	return walk.Form(r), err
}

// Layout is that of replies, of which a walk is one of several turns.
func (m mango) Layout() trace.Layout {
	l := m.Base.Layout()
	reply, check := l.Entry, l.Check
	l.Entry = func(line []byte) (trace.Entry, error) {
		var w schemas.MangoWalk
		if err := json.Unmarshal(line, &w); err != nil || w.Steps == nil {
			return reply(line)
		}
		return trace.Entry{Instance: w.ID, Attempt: 1, Infra: w.Infra, Turns: len(w.Steps), Usage: w.Usage}, nil
	}
	l.Check = func(dir string) error {
		log, err := trace.Open(dir, l)
		if err != nil || !walked(log) {
			return check(dir)
		}
		_, err = readWalks(log)
		return err
	}
	return l
}

// walked reports whether a log is of walks: its run says so, or, where there is none, its lines.
func walked(log *trace.Log) bool {
	if log.Run == nil {
		return false
	}
	values, err := rules.ReadJSON(log.Run.Rules.Options)
	return err == nil && values[optionMode] == modeWalk
}

// walks are the questions of a shelf that are walked.
type walks struct{ *shelf }

var (
	_ family.Set       = walks{}
	_ family.Described = walks{}
)

// played returns the set that a shelf's options ask for.
func played(s *shelf, err error) (family.Set, error) {
	switch {
	case err != nil:
		return nil, err
	case s.values[optionMode] == modeWalk:
		return walks{s}, nil
	}
	return s, nil
}

// sameMode refuses options of the mode that a set was not opened in.
func (s *shelf) sameMode(o family.Options) error {
	if o.Value == nil || isWalk(o) == (s.values[optionMode] == modeWalk) {
		return nil
	}
	return fault.New(fault.Usage, "option mode: the set was opened for another mode than %s",
		fault.Quote(valuesOf(o)[optionMode])).Hint("open the release with that mode")
}

// walkSplit is in front of the names of splits of walks, so that no table takes one for the other.
const walkSplit = modeWalk + "/"

func (w walks) Splits() []family.Split {
	list := w.shelf.Splits()
	for i := range list {
		list[i].Name = walkSplit + list[i].Name
	}
	return list
}

func (w walks) Tasks(split string, most int) ([]family.Task, error) {
	i := slices.IndexFunc(w.Splits(), func(s family.Split) bool { return s.Name == split })
	if i < 0 {
		return nil, nil
	}
	for _, n := range []int{most, 0} { // some may be no walks: then all are read
		from, err := w.first(w.splits[i].Name, n)
		if err != nil {
			return nil, err
		}
		list, err := from.walkTasks(w.splits[i].Name)
		if err != nil || n == 0 || len(list) >= most {
			return family.First(list, most), err
		}
	}
	panic("unreachable")
}

// walkTasks lists the questions of a task that can be walked.
func (s *set) walkTasks(of string) (list []family.Task, err error) {
	for _, q := range s.lists[of] {
		walkable, err := s.walkOf(q.Task.ID)
		if err != nil {
			return nil, err
		}
		if walkable != nil {
			t := q.Task
			t.Split = walkSplit + of
			list = append(list, t)
		}
	}
	return list, nil
}

// walkOf returns a question as it is walked, nil if it cannot be or there is none.
func (s *set) walkOf(id string) (*walk.Question, error) {
	a := s.of[id]
	if a.maze == nil {
		return nil, nil
	}
	m, k := s.base.mazes[a.maze.ID], a.maze.Skeleton(a.id)
	if a.prefix >= len(m.ends) {
		return nil, fault.New(fault.Usage, "option %s=%s: maze %s has no file of steps, so there is no walkthrough to show",
			optionMode, modeWalk, fault.Quote(m.ID)).Hint("take a release, or leave the option out")
	}
	q, ok := walk.Question{
		ID: id, Maze: a.maze, Task: k.Task, Src: k.Src, Dst: k.Dst, Moves: k.Actions, Prefix: a.prefix,
		Shown: m.walk[:m.ends[a.prefix]], Rule: s.values[optionRule], Easy: a.class == schemas.MangoEasy,
	}.Prepare()
	if !ok {
		return nil, nil
	}
	return q, nil
}

func (w walks) find(id string) (*walk.Question, error) {
	from, err := w.holding(id)
	if err != nil {
		return nil, err
	}
	return from.walkOf(id)
}

func (w walks) Start(t family.Task, o family.Options, m family.Manner) (family.Episode, error) {
	values := w.values
	if o.Value != nil {
		values = valuesOf(o)
	}
	if err := w.sameMode(o); err != nil {
		return nil, err
	}
	r, err := rulesOf(values)
	if err != nil {
		return nil, err
	}
	q, err := w.find(t.ID)
	if err == nil && q == nil {
		err = fault.New(fault.NotFound, "there is no walk %s", fault.Quote(t.ID))
	}
	if err != nil {
		return nil, err
	}
	return walk.New(q, r, m.Prompt), nil
}

func (w walks) Baselines() []family.Baseline {
	playing := func(choose func(e *walk.Episode, below func(int) int) string) func(family.Episode, family.Seat) func() (family.Reply, error) {
		return func(e family.Episode, seat family.Seat) func() (family.Reply, error) {
			stream := seat.Stream(seat.Task.ID)
			return func() (family.Reply, error) {
				call := choose(e.(*walk.Episode), stream.Below)
				return family.Reply{Title: &call}, nil
			}
		}
	}
	return []family.Baseline{
		{Name: "optimal", Kind: schemas.KindOracle, Says: "makes the call that the plan oracle names", Start: playing(
			func(e *walk.Episode, _ func(int) int) string { return e.Best() })},
		{Name: "random", Kind: schemas.KindLocal, Says: "draws a way from where it is, or ends the walk there", Start: playing(
			func(e *walk.Episode, below func(int) int) string { return e.Any()[below(len(e.Any()))] })},
	}
}

func (w walks) Answered() (*shelf, error) {
	return nil, fault.New(fault.Usage, "option %s=%s: only answers to questions are imported", optionMode, modeWalk).
		Hint("leave the option out; a file of walks is scored as it is")
}

func (w walks) Questions() (*question.Set, error) {
	_, err := w.Answered()
	return nil, err
}

// Difficulty returns the turns of an optimal player, and what is said of the question.
func (w walks) Difficulty(instance string) (family.Difficulty, bool) {
	q, err := w.find(instance)
	d, ok := w.shelf.Difficulty(instance)
	if err != nil || q == nil || !ok {
		return family.Difficulty{}, false
	}
	d.Length, d.Called = q.Length(), "t_star"
	return d, true
}
