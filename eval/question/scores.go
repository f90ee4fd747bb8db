package question

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/eval/wording"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/order"
)

// Outcomes of questions besides schemas.OutcomeInfra.
const (
	OutcomeRight    = schemas.OutcomeSuccess
	OutcomeWrong    = "wrong"
	OutcomeUnparsed = "unparsed"
	OutcomeMissing  = family.OutcomeMissing
)

// Counts of scores. Prompted replies name the digest of their question as this program words it;
// foreign ones name another, and two wordings do not compare.
const (
	CountUnknown  = "unknown" // replies to no question
	CountPrompted = "prompted"
	CountForeign  = "foreign"
)

type Scoring struct {
	*family.Scoring
	Set  *Set
	More []string // flags of every row
}

// Begin checks that a log is of the set's source and family, and settles what is scored. Beside the
// faults of family.Begin, an unknown split and a second attempt are fault.Usage.
func (s *Set) Begin(log *trace.Log, req family.Request) (*Scoring, error) {
	sc, err := family.Begin(s.Family, s.Source, log, req)
	if err != nil {
		return nil, err
	}
	if n := sc.Request.Attempts; n != 1 {
		return nil, fault.New(fault.Usage, "--attempts %d: a question of family %s is asked once", n, s.Family)
	}
	sc.CheckRules()
	_, err = family.Choose(s, sc.Request.Splits)
	return &Scoring{Scoring: sc, Set: s}, err
}

// splits lists what is scored: the questions that were to be asked.
func (sc *Scoring) splits() []Split {
	var out []Split
	for _, s := range sc.Set.splits {
		if sc.Request.Splits != nil && !slices.Contains(sc.Request.Splits, s.Name) {
			continue
		}
		if run := sc.Log.Run; run != nil && run.Instances != nil {
			s.Questions = slices.DeleteFunc(slices.Clone(s.Questions), func(q Question) bool {
				return !slices.Contains(run.Instances, q.Instance) && !slices.Contains(run.Instances, q.Task.ID)
			})
		}
		out = append(out, s)
	}
	return out
}

// denyInfra takes replies for what they say where a log cannot know that the endpoint failed, and
// lists each that claims it.
func (sc *Scoring) denyInfra(replies map[string]Reply) {
	if sc.Log.Own() {
		return
	}
	var list []family.Disagreement
	for id, r := range replies {
		if _, known := sc.Set.byID[id]; !known || r.Infra == nil {
			continue
		}
		list = append(list, family.Disagreement{
			Line: r.line, Item: id, Instance: id, Attempt: 1, Field: schemas.OutcomeInfra, Log: fault.Quote(*r.Infra),
			Replay: "a reply: only a run directory of play tells where the endpoint failed",
		})
		r.Infra = nil
		replies[id] = r
	}
	order.Sort(list, func(a, b family.Disagreement) int { return cmp.Compare(a.Line, b.Line) })
	sc.Scores.Disagreements = append(sc.Scores.Disagreements, list...)
}

// CountUnknown counts replies to no question of the set, and notes where they stand.
func (sc *Scoring) CountUnknown(places []string) {
	sc.Scores.Counts[CountUnknown] += len(places)
	sc.NotePlaces("no such question was asked, so it counts for nothing", places)
}

// Verdict is what a family says of one question. Value is what its metrics are made of.
type Verdict[V any] struct {
	Value   V
	Outcome string
	Groups  [][]family.Group // the rows that count the question, besides that of its split
	Reply   Reply            // zero for OutcomeMissing
}

type Judge[V any] struct {
	// Verdict judges a reply: nil for a missing one, and where the endpoint failed.
	Verdict func(q Question, r *Reply) (v V, outcome string, err error)
	Groups  func(q Question) [][]family.Group
	// Metrics are the row by's; n is the denominator, with missing ones unless partial.
	Metrics func(by []family.Group, list []Verdict[V]) (m map[string]judge.Metric, n int)
	Success func(v V) bool
}

// ScoreLog scores the replies of a log. of makes the judge, from the scores as they begin and the
// choices that rules leave and the request makes.
func ScoreLog[V any](
	s *Set, log *trace.Log, req family.Request, rules Rules, of func(*family.Scoring, map[string]string) (Judge[V], error),
) (*family.Scores, error) {
	how, err := rules.Read(req.Options)
	if err != nil {
		return nil, err
	}
	sc, err := s.Begin(log, req)
	if err != nil {
		return nil, err
	}
	j, err := of(sc.Scoring, how)
	if err != nil {
		return nil, err
	}
	replies, err := Read(log)
	if err == nil {
		err = Score(sc, j, replies, nil)
	}
	if err != nil {
		return nil, err
	}
	return sc.End()
}

// Score judges replies into rows under by, which is empty but for a file that holds several
// players.
func Score[V any](sc *Scoring, j Judge[V], replies map[string]Reply, by []family.Group) error {
	return sc.score(j.untyped(), replies, by)
}

// untyped is the same judge for code that is compiled once, and not for each family's values.
func (j Judge[V]) untyped() Judge[any] {
	return Judge[any]{
		Groups:  j.Groups,
		Success: func(v any) bool { return j.Success(v.(V)) },
		Verdict: func(q Question, r *Reply) (any, string, error) {
			v, outcome, err := j.Verdict(q, r)
			return v, outcome, err
		},
		Metrics: func(by []family.Group, list []Verdict[any]) (map[string]judge.Metric, int) {
			typed := make([]Verdict[V], len(list))
			for i, v := range list {
				typed[i] = Verdict[V]{v.Value.(V), v.Outcome, v.Groups, v.Reply}
			}
			return j.Metrics(by, typed)
		},
	}
}

func (sc *Scoring) score(j Judge[any], replies map[string]Reply, by []family.Group) error {
	counts := sc.Scores.Counts
	var unknown []int
	for id, r := range replies {
		if _, known := sc.Set.byID[id]; !known {
			unknown = append(unknown, r.line)
		}
	}
	sc.denyInfra(replies)
	slices.Sort(unknown)
	sc.CountUnknown(trace.Places(unknown))
	for _, split := range sc.splits() {
		var list []Verdict[any]
		for _, q := range split.Questions {
			v, err := judgeOne(j, q, sc.Log.Prompt, replies, counts)
			if err != nil {
				return err
			}
			if j.Groups != nil {
				v.Groups = j.Groups(q)
			}
			list = append(list, v)
			sc.addResult(split.Name, q, v.Outcome, j.Success(v.Value))
		}
		sc.addRows(j, split, list, by)
	}
	return nil
}

func judgeOne(
	j Judge[any], q Question, words *wording.Template, replies map[string]Reply, counts map[string]int,
) (v Verdict[any], err error) {
	r, ok := replies[q.ID]
	v.Reply = r
	switch {
	case r.PromptSHA256 == nil:
	case *r.PromptSHA256 == prompt.Hash(q.Put(words)):
		counts[CountPrompted]++
	default:
		counts[CountForeign]++
	}
	reply, unjudged := &r, ""
	switch {
	case !ok:
		reply, unjudged = nil, OutcomeMissing
	case r.Infra != nil:
		reply, unjudged = nil, schemas.OutcomeInfra
	}
	v.Value, v.Outcome, err = j.Verdict(q, reply)
	v.Outcome = cmp.Or(unjudged, v.Outcome)
	return v, err
}

func (sc *Scoring) addResult(split string, q Question, outcome string, success bool) {
	if outcome == OutcomeMissing {
		return
	}
	r := family.Result{
		Split: split, Task: q.Task.ID, Instance: q.Instance, Attempt: 1, Length: 1, Outcome: outcome, Success: success,
	}
	if outcome != schemas.OutcomeInfra {
		r.Counted = 1
	}
	if success {
		r.Optimal = 1
	}
	sc.Scores.Results = append(sc.Scores.Results, r)
}

// addRows adds the row of a split, and those of its groups in the order of their names and values.
func (sc *Scoring) addRows(j Judge[any], split Split, list []Verdict[any], by []family.Group) {
	whole := sc.row(j, split, list, by)
	sc.Scores.Rows = append(sc.Scores.Rows, whole)
	groups := map[string][]family.Group{}
	members := map[string][]Verdict[any]{}
	for _, v := range list {
		for _, g := range v.Groups {
			key := groupKey(g)
			groups[key], members[key] = g, append(members[key], v)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		r := sc.row(j, split, members[key], append(slices.Clone(by), groups[key]...))
		if whole.Metrics == nil {
			r.Metrics = nil
		}
		sc.Scores.Rows = append(sc.Scores.Rows, r)
	}
}

// groupKey orders groups: fewer of them first, numbers by their value.
func groupKey(groups []family.Group) string {
	var b strings.Builder
	for _, g := range groups {
		value := g.Value
		if n, err := strconv.Atoi(value); err == nil {
			value = fmt.Sprintf("%09d", n)
		}
		b.WriteString("\x00" + g.Name + "\x00" + value)
	}
	return b.String()
}

func (sc *Scoring) row(j Judge[any], split Split, list []Verdict[any], by []family.Group) family.Row {
	r := sc.Row(split.Split, by)
	var counted []Verdict[any]
	var played []Reply
	for _, v := range list {
		switch v.Outcome {
		case OutcomeMissing:
			r.Missing++
			if sc.Request.Partial {
				continue
			}
		case schemas.OutcomeInfra:
			r.Infra++
			r.Outcomes[v.Outcome]++
			continue
		default:
			r.Outcomes[v.Outcome]++
			played = append(played, v.Reply)
		}
		counted = append(counted, v)
	}
	metrics, n := j.Metrics(by, counted)
	if r.N = n; r.Infra <= sc.Request.MaxInfra {
		r.Metrics = metrics
	}
	sc.Account(&r, schemas.SumUsage(played, func(p Reply) *schemas.Usage { return p.Usage }),
		schemas.Costs(played, func(p Reply) *string { return p.Cost }))
	left := 0
	if sc.Request.Partial {
		left = r.Missing
	}
	r.Flags = sc.Flags(split.Split, len(list), left, false, sc.More...)
	return r
}
