package family

import (
	"fmt"
	"strings"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Source is what is played: a release, or nothing that has a name.
type Source struct {
	Name, ID, ManifestSHA256 string
	// FreshSince returns the id of the older release that cannot answer the pairs of a stage, ""
	// for none; nil where no stage has one.
	FreshSince func(stage string) string
}

// Scoring is a log under judgement: what the judges of all families have in common.
type Scoring struct {
	Log     *trace.Log
	Request Request // with what run.json says where the user says nothing
	Scores  *Scores
}

// Begin checks that a log is of a family and its source, and settles what is scored. A run of
// another release is fault.Mismatch, one of another family fault.Usage.
func Begin(family string, src Source, log *trace.Log, req Request) (*Scoring, error) {
	sc := &Scoring{log, req, &Scores{
		Schema: ScoresSchema, Family: family, Release: src.Name, ManifestID: src.ID, Partial: req.Partial,
		Options: map[string]any{}, Rows: []Row{}, Counts: map[string]int{}, Disagreements: []Disagreement{}, Import: log.Import,
	}}
	if src.FreshSince != nil {
		sc.Scores.FreshSince = src.FreshSince(family)
	}
	run := log.Run
	switch {
	case run == nil:
	case run.Family != family:
		return nil, fault.New(fault.Usage, "a run of the family %s", fault.Quote(run.Family)).At(log.Path, trace.RunFile).
			Hint("score it with its --family")
	case run.ReleaseID != src.ID || run.ManifestSHA256 != src.ManifestSHA256:
		return nil, fault.New(fault.Mismatch, "played on release %s (manifest %s), this one is %s (manifest %s)",
			fault.Quote(run.ReleaseID), fault.Quote(run.ManifestSHA256), src.ID, src.ManifestSHA256).At(log.Path, trace.RunFile).
			Hint("name the release that it was played on with --release")
	default:
		sc.adopt(run)
	}
	sc.Request.Attempts = max(sc.Request.Attempts, 1)
	sc.Scores.Attempts = sc.Request.Attempts
	return sc, nil
}

// BrokenOff returns how a log may say that an episode was ended from outside: as the endpoint
// failed, or as the budget of the rules was spent, which only a run directory of ours can tell; else
// the player gave up. "" stands for an outcome of the episode's own.
func (sc *Scoring) BrokenOff(outcome string) string {
	budget := sc.Scores.Rules != nil && sc.Scores.Rules.Budget != nil
	switch {
	case outcome == schemas.OutcomeInfra && sc.Log.Own(),
		outcome == schemas.OutcomeSpent && sc.Log.Own() && budget:
		return outcome
	case outcome == schemas.OutcomeInfra, outcome == schemas.OutcomeSpent, outcome == schemas.OutcomeGaveUp:
		return schemas.OutcomeGaveUp
	}
	return ""
}

// NoChoice refuses options of a score of what leaves none, such as a family or a way of playing it.
func NoChoice(what string, options []string) error {
	if len(options) == 0 {
		return nil
	}
	return fault.New(fault.Usage, "--option %s: %s leaves no choice to the score", fault.Quote(options[0]), what).
		Hint("rules of play are those of the run")
}

// Reparse says that the replies of the run are read by another parser than its own: the scores are
// those of other rules, and stand in no table with the run's.
func (sc *Scoring) Reparse(parser schemas.Versioned) error {
	s := sc.Scores
	if s.Rules == nil || s.Rules.Parser == nil {
		return fault.New(fault.Usage, "--reparse %s: the log tells of no parser that read its replies", fault.Quote(sc.Request.Reparse)).
			At(sc.Log.Path, "").Hint("only a run directory of a model's replies can be read again")
	}
	rules := *s.Rules
	s.Reparsed, rules.Parser = rules.Parser, &parser
	s.Rules, s.RulesSHA256 = &rules, RulesSHA256(rules)
	return nil
}

// CountRead counts replies by the rule that read them.
func (sc *Scoring) CountRead(rules map[string]int) {
	for rule, n := range rules {
		sc.Scores.Counts["read_by_"+rule] += n
	}
}

// CheckRules lists a hash that is not that of the run's rules; the true one counts.
func (sc *Scoring) CheckRules() {
	s := sc.Scores
	if s.Rules == nil {
		return
	}
	if want := RulesSHA256(*s.Rules); s.RulesSHA256 != want {
		s.Disagreements = append(s.Disagreements, Disagreement{
			Item: *s.Run, Field: "rules_sha256", Log: s.RulesSHA256, Replay: want,
		})
		s.RulesSHA256 = want
	}
}

// adopt takes from run.json what the request leaves open.
func (sc *Scoring) adopt(run *schemas.Run) {
	s := sc.Scores
	s.Run, s.Model, s.Rules, s.RulesSHA256 = &run.Run, &run.Model, &run.Rules, run.RulesSHA256
	if sc.Request.Splits == nil {
		sc.Request.Splits = run.Splits
	}
	if sc.Request.Attempts == 0 {
		sc.Request.Attempts = run.Attempts
	}
}

// End returns the scores, and what keeps them from standing.
func (sc *Scoring) End() (*Scores, error) {
	sc.Scores.Dropped.TornLines, sc.Scores.Served = sc.Log.Torn, sc.Log.Served()
	for i := range sc.Scores.Rows {
		sc.Scores.Rows[i].flagLeftOut()
	}
	sc.Scores.Passes = sc.passes()
	return sc.Scores, sc.Scores.Stand(sc.Log.Path, sc.Request.MaxInfra)
}

// placesNoted bounds the places that a note lists; the others are counted.
const placesNoted = 20

// NotePlaces adds a note on what stands at places of the log, if there are any.
func (sc *Scoring) NotePlaces(what string, places []string) {
	if len(places) == 0 {
		return
	}
	note := sc.Log.Name() + ": " + strings.Join(places[:min(len(places), placesNoted)], ", ")
	if more := len(places) - placesNoted; more > 0 {
		note += fmt.Sprintf(" and %d more", more)
	}
	sc.Scores.Notes = append(sc.Scores.Notes, note+": "+what)
}

// flagLeftOut flags a row that leaves out items on which the endpoint failed, or that lacks items
// and is not said to be partial: its first metric counts them as lost, those of what was played
// cannot.
func (r *Row) flagLeftOut() {
	all := r.Missing
	for _, n := range r.Outcomes {
		all += n
	}
	flag := func(name string, n int) {
		if n > 0 {
			r.Flags = append([]string{fmt.Sprintf("%s %d/%d", name, n, all)}, r.Flags...)
		}
	}
	flag(judge.FlagInfra, r.Infra)
	if !r.Has(judge.FlagPartial) {
		flag(judge.FlagMissing, r.Missing)
	}
}

// Row begins the row of a split, or of a group of it.
func (sc *Scoring) Row(split Split, by []Group) Row {
	return Row{
		Split: split.Name, SplitSHA256: split.SHA256, Frozen: judge.Frozen(split.SHA256), By: append([]Group{}, by...),
		Outcomes: map[string]int{}, Flags: []string{},
	}
}

// Account adds tokens, and what was spent: by the prices of the run, or as the turns told it. A log
// without a run names no currency: what its turns tell is no cost that others could be held to.
func (sc *Scoring) Account(r *Row, usage *schemas.Usage, told []*string) {
	r.Usage = usage
	run := sc.Log.Run
	if run == nil {
		return
	}
	if r.Cost = judge.DecimalOf(judge.Spent(run, usage, told)); r.Cost != nil {
		money := run.Money()
		r.Currency = &money
	}
}

// Flags says in words what a reader must know before comparing a row of so many items, of which
// some were left out; oracle says that the rules tell what no player knows, and more stands among
// the flags.
func (sc *Scoring) Flags(split Split, expected, left int, oracle bool, more ...string) []string {
	flags := []string{}
	if split.Short() {
		flags = append(flags, fmt.Sprintf("%s %d/%d", judge.FlagShort, split.Got, split.Requested))
	}
	if left > 0 {
		flags = append(flags, fmt.Sprintf("%s %d/%d", judge.FlagPartial, expected-left, expected))
	}
	flags = append(flags, more...)
	if !judge.Frozen(split.SHA256) {
		flags = append(flags, judge.FlagUnfrozen)
	}
	if run := sc.Log.Run; oracle || run != nil && run.Model.Kind == schemas.KindOracle {
		flags = append(flags, judge.FlagOracle)
	}
	if split.Contaminated {
		flags = append(flags, judge.FlagContaminated)
	}
	if names := sc.Log.Served(); len(names) > 1 {
		flags = append(flags, fmt.Sprintf("%s %d", judge.FlagServed, len(names)))
	}
	return flags
}
