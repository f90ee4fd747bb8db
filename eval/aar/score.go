package aar

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/question"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/order"
)

// Choices of a score.
const (
	optionRCR     = "rcr"
	optionURLs    = "urls"
	optionMissing = "missing"

	asPlayed   = "as-played" // the budget of the run
	urlsExact  = "exact"
	countsZero = "zero"
)

var scoring = question.Rules{
	{Name: optionRCR, Values: []string{rcrOffered, rcrAll, rcrDistinct}},
	{Name: optionURLs, Values: []string{"pages", urlsExact}},
	{Name: optionBudget, Values: []string{asPlayed, schemas.AARBudget, schemas.AARBudgetLong}},
	{Name: optionMissing, Values: []string{"lost-unless-partial", countsZero}},
	{Name: optionCassette, Says: "FILE", Check: func(string) error { return nil }},
}

var scoreFlags = []family.Flag{
	{Option: optionRCR, Scored: true, Usage: "tool stops that count: " + rcrOffered +
		", those whose tools were " +
		"offered, or " + rcrAll + "; or " + rcrDistinct + ", the share of the tools that the leg needs"},
	{Option: optionURLs, Scored: true, Usage: "how addresses are compared: pages, or " + urlsExact +
		" for letter by letter"},
	{Option: optionBudget, Scored: true, Usage: "turns that count: " + asPlayed + ", " +
		schemas.AARBudget + " or " +
		schemas.AARBudgetLong + " of a leg of K stops"},
	{Option: optionMissing, Scored: true, Usage: countsZero +
		": legs without a run are lost, also with --partial"},
	{Option: optionCassette, Scored: true, Usage: "recorded answers of the run, to compare with"},
}

// Counts of scores.
const (
	countRefused   = "calls_refused"    // their output is not that of the release
	countLogged    = "calls_as_logged_" // and the source of an output that was not computed again
	countUnoffered = "unoffered_stops"  // tool stops of runs that were not offered their tools
	countNullPages = "runs_without_pvr" // there is no page stop
	countNullTools = "runs_without_rcr" // there is no tool stop that counts
	countAnswers   = "answers_"         // and the class of an answer
)

// Score replays the calls of a log. With non-nil scores the error says what is wrong with the log:
// fault.Mismatch for differences, else fault.Failure for too many infra episodes. An unknown leg
// and a second episode of an attempt are fault.Mismatch without scores.
func (s *Set) Score(log *trace.Log, req family.Request) (*family.Scores, error) {
	how, err := scoring.Read(req.Options)
	if err != nil {
		return nil, err
	}
	episodes, err := readEpisodes(log)
	if err == nil {
		err = s.readAll()
	}
	if err != nil {
		return nil, err
	}
	sc, err := family.Begin(Family{}.Name(), s.source, log, req)
	if err != nil {
		return nil, err
	}
	sc.CheckRules()
	j := &scorer{
		set: s, how: how, legs: map[string]*schemas.AARLeg{}, told: map[string]told{},
		verdicts: map[string]*verdict{},
	}
	if err := j.begin(sc); err != nil {
		return nil, err
	}
	if err := j.sort(episodes); err != nil {
		return nil, err
	}
	j.judge()
	j.addRows()
	j.addNotes()
	return j.End()
}

type scorer struct {
	*replayer
	set      *Set
	how      map[string]string
	choices  choices
	splits   []*split
	legs     map[string]*schemas.AARLeg // of the splits, by instance
	told     map[string]told            // by item
	verdicts map[string]*verdict        // by item
}

// begin settles the rules of the run and those of the score.
func (j *scorer) begin(sc *family.Scoring) error {
	o := j.set.rules.AAROptions
	if run := sc.Log.Run; run != nil {
		read, err := Family{}.ReadOptions(run.Rules.Options)
		if err != nil {
			return fault.New(fault.Malformed, "%w", err).At(sc.Log.Path, trace.RunFile)
		}
		o = rulesOf(read).AAROptions
	}
	world, err := j.set.world()
	if err != nil {
		return err
	}
	cassette, err := j.set.openCassette(j.how[optionCassette], o.Cassette)
	if err != nil {
		return err
	}
	j.replayer = newReplayer(sc, o, world, cassette)
	if j.how[optionBudget] != asPlayed {
		j.rule = j.how[optionBudget]
	}
	j.choices = choices{
		exact: j.how[optionURLs] == urlsExact, rcr: j.how[optionRCR],
		open: opener(world),
	}
	for _, name := range []string{optionRCR, optionURLs, optionBudget, optionMissing} {
		sc.Scores.Options[name] = j.how[name]
	}
	if cassette != nil {
		sc.Scores.Options[optionCassette] = o.Cassette
	}
	return nil
}

// openCassette opens the file of recorded answers, which must be that of the run, and by default is
// that of the release if the run had it; nil for none.
func (s *Set) openCassette(path, sha256 string) (*aar.Cassette, error) {
	if path == "" && sha256 != "" && s.files.Digest(aar.CassetteFile).SHA256 == sha256 {
		return aar.ReleasedCassette(s.files)
	}
	if path == "" {
		return nil, nil
	}
	sum, err := digest.SHA256File(context.Background(), path)
	switch {
	case err != nil:
		return nil, fault.New(fault.NotFound, "%w", err).At(path, "")
	case sum != sha256:
		return nil, fault.New(fault.Mismatch, "--option %s=%s: its SHA-256 is %s, that of the run %s",
			optionCassette, path, sum, fault.Quote(sha256)).Hint("give the cassette of the run, or none")
	}
	return aar.OpenCassette(path)
}

// opener returns how addresses are compared: by the page of the world that they open, also with the
// label www or a slash at their end.
func opener(w *aar.World) func(string) (int, bool) {
	return func(url string) (int, bool) {
		if page, ok := w.Page(url); ok {
			return page, true
		}
		return w.Page(strings.TrimRight(strings.Replace(url, "://www.", "://", 1), "/"))
	}
}

// sort puts episodes to their legs and chooses the splits that are scored.
func (j *scorer) sort(episodes []told) error {
	names := j.Request.Splits
	for _, e := range episodes {
		l, ok := j.set.legs[e.Instance]
		if !ok {
			return fault.New(fault.Mismatch, "the release has no leg %s", fault.Quote(e.Instance)).
				At(j.Log.Path, fmt.Sprintf("line %d",
					e.line)).Hint("score it on the release that it was played on")
		}
		if j.Request.Splits == nil && !slices.Contains(names, l.split) {
			names = append(names, l.split)
		}
		if e.Attempt > j.Request.Attempts || !j.plays(e.Instance) {
			j.note(e, 0, "attempt", fmt.Sprintf("%d at %s", e.Attempt, e.Instance), "not one of the run")
			continue
		}
		j.told[itemOf(e.Instance, e.Attempt)] = e
	}
	chosen, err := family.Choose(j.set, names)
	if err != nil {
		return err
	}
	for _, p := range j.set.splits {
		if len(names) > 0 && slices.ContainsFunc(chosen,
			func(c family.Split) bool { return c.Name == p.Name }) {
			j.splits = append(j.splits, p)
		}
	}
	for _, p := range j.splits {
		for _, t := range p.tasks {
			if j.legs[t.Instance], err = j.set.leg(t.Instance); err != nil {
				return err
			}
		}
	}
	return nil
}

// plays reports whether the run was of this leg: some are of a few alone.
func (j *scorer) plays(instance string) bool {
	run := j.Log.Run
	return run == nil || run.Instances == nil || slices.Contains(run.Instances, instance)
}

// judge replays the episodes in the order of play.
func (j *scorer) judge() {
	for _, p := range j.splits {
		for _, t := range p.tasks {
			for attempt := 1; attempt <= j.Request.Attempts; attempt++ {
				if e, ok := j.told[itemOf(t.Instance, attempt)]; ok {
					v := j.verdict(e, j.legs[t.Instance])
					j.verdicts[itemOf(t.Instance, attempt)] = v
					j.addResult(p.Name, t, v)
				}
			}
		}
	}
}

func (j *scorer) verdict(e told, l *schemas.AARLeg) *verdict {
	p, outcome := j.replay(e, l)
	v := newVerdict(p, j.choices)
	v.attempt, v.usage, v.costs, v.outcome = e.Attempt, e.Usage, costsOf(e.Turns), outcome
	if outcome == schemas.OutcomeInfra {
		return v
	}
	switch {
	case v.right:
		v.outcome = schemas.OutcomeSuccess
	case v.answer == answerMalformed:
		v.outcome = answerMalformed
	case v.answer == answerDigit:
		v.outcome = question.OutcomeWrong
	}
	counts := j.Scores.Counts
	counts[countAnswers+v.answer]++
	counts[countUnoffered] += v.unoffered
	counts[countNullPages] += judge.One(v.pages.null())
	counts[countNullTools] += judge.One(v.tools.null())
	return v
}

func (j *scorer) addResult(split string, t family.Task, v *verdict) {
	r := family.Result{
		Split: split, Task: t.ID, Instance: t.Instance, Attempt: v.attempt, Length: v.length,
		Outcome: v.outcome,
		Success: v.right && v.outcome != schemas.OutcomeInfra,
	}
	if v.outcome != schemas.OutcomeInfra {
		r.Counted, r.Optimal = v.stepped.of, v.stepped.done
	}
	j.Scores.Results = append(j.Scores.Results, r)
}

// everySplit is the split of rows that cover several.
const everySplit = "all"

// addRows adds a row for each split, and then those of groups that go across splits: variants,
// templates that legs contain, and numbers of stops.
func (j *scorer) addRows() {
	groups := map[family.Group][]family.Task{}
	var listed []family.Group
	add := func(t family.Task, name, value string) {
		g := family.Group{Name: name, Value: value}
		if groups[g] == nil {
			listed = append(listed, g)
		}
		groups[g] = append(groups[g], t)
	}
	all := split{Split: family.Split{Name: everySplit}}
	sums := []string{}
	for _, p := range j.splits {
		j.Scores.Rows = append(j.Scores.Rows, j.row(p.Split, nil, p.tasks))
		sums = append(sums, p.SHA256)
		all.Requested, all.Got = all.Requested+p.Requested, all.Got+p.Got
		for _, t := range p.tasks {
			l := j.legs[t.Instance]
			add(t, "variant", everySplit)
			add(t, "variant", p.variant)
			for _, name := range templatesOf(l) {
				add(t, "template", name)
			}
			add(t, "stops", stopBin(len(l.Stops)))
		}
	}
	all.SHA256 = digest.SHA256([]byte(strings.Join(sums, "\n")))
	order.Sort(listed, compareGroups)
	for _, g := range listed {
		j.Scores.Rows = append(j.Scores.Rows, j.row(all.Split, []family.Group{g}, groups[g]))
	}
}

// compareGroups orders groups by name, and bins of stops by their numbers.
func compareGroups(a, b family.Group) int {
	if a.Name != b.Name {
		names := []string{"variant", "template", "stops"}
		return slices.Index(names, a.Name) - slices.Index(names, b.Name)
	}
	if a.Name == "stops" {
		return slices.Index(stopBins, a.Value) - slices.Index(stopBins, b.Value)
	}
	return strings.Compare(a.Value, b.Value)
}

// templatesOf lists the templates of the tool stops of a leg, each once.
func templatesOf(l *schemas.AARLeg) []string {
	return slices.Sorted(maps.Keys(aar.AuditOf(aar.File{Leg: l}).Templates))
}

var stopBins = []string{"3-8", "9-14", "15-20", "21-26", "27+"}

func stopBin(stops int) string { return stopBins[min(max(stops-3, 0)/6, len(stopBins)-1)] }

func (j *scorer) row(s family.Split, by []family.Group, tasks []family.Task) family.Row {
	c := &cell{seed: j.Request.Seed, stream: s.Name, missing: j.missingCounts()}
	for _, g := range by {
		c.stream += " " + g.Value
	}
	r := j.Row(s, by)
	for _, t := range tasks {
		if !j.plays(t.Instance) {
			continue
		}
		var l cellLeg
		for attempt := 1; attempt <= j.Request.Attempts; attempt++ {
			v := j.verdicts[itemOf(t.Instance, attempt)]
			if v == nil {
				l.missing++
				continue
			}
			if r.Outcomes[v.outcome]++; v.outcome != schemas.OutcomeInfra {
				l.runs = append(l.runs, v)
			}
		}
		c.legs, r.Missing = append(c.legs, l), r.Missing+l.missing
	}
	r.Infra, r.N = r.Outcomes[schemas.OutcomeInfra], c.n()
	left := 0
	if !c.missing {
		left = r.Missing
	}
	left += (len(tasks) - len(c.legs)) * j.Request.Attempts
	oracle := configOf(j.options) != family.Config{}
	r.Flags = j.Flags(s, len(tasks)*j.Request.Attempts, left, oracle, j.marks()...)
	var costs []*string
	for _, v := range c.runs() {
		costs = append(costs, v.costs...)
	}
	j.Account(&r, schemas.SumUsage(c.runs(), func(v *verdict) *schemas.Usage { return v.usage }), costs)
	if r.Infra <= j.Request.MaxInfra {
		r.Metrics = c.metrics()
	}
	return r
}

// missingCounts reports whether a missing run is a lost one.
func (j *scorer) missingCounts() bool {
	return j.how[optionMissing] == countsZero || !j.Request.Partial
}

// flagUnchecked marks rows of runs whose calls another harness answered.
const flagUnchecked = "UNCHECKED"

func (j *scorer) marks() []string {
	if j.unchecked {
		return []string{flagUnchecked}
	}
	return nil
}

// proves says what a score is worth.
const proves = "Replay proves that the outputs are those of the release. It cannot prove who " +
	"chose the calls: who holds the release can write a perfect log."

// addNotes says what the scores can prove and what they compare with.
func (j *scorer) addNotes() {
	note := func(format string, args ...any) {
		j.Scores.Notes = append(j.Scores.Notes, fmt.Sprintf(format, args...))
	}
	if j.unchecked {
		note("Unchecked: another harness answered the calls. A page counts as fetched if the release " +
			"can serve its address.")
		cheap, all := j.cheapLegs()
		note("Of the %d legs %d have a leak in the riddle or no page that the digit depends on: an "+
			"upper bound of cheap successes.", all, cheap)
	} else {
		note(proves)
	}
	note("Step accuracy: of calls, answers and turns with neither, those that the golden chain makes next. " +
		"A clue solved by other tools is legal and not optimal.")
	note("Baselines to compare with: %s; a random digit has FA 0.10.",
		strings.Join(j.set.compared(), ", "))
}

// compared lists the baselines, each with its FA at all legs where the release reports it.
func (s *Set) compared() (list []string) {
	var r aar.Report
	if s.files.Has(aar.ReportFile) {
		_ = s.files.Document(aar.ReportFile, &r) // verify says what is wrong with it
	}
	for _, b := range s.Baselines() {
		list = append(list, b.Name)
		for _, p := range r.Baselines {
			if p.Player == b.Name && p.Variant == aar.ReportAll {
				list[len(list)-1] += " " + p.FA
			}
		}
	}
	return list
}

// cheapLegs counts the legs that can be solved without reading.
func (j *scorer) cheapLegs() (cheap, all int) {
	for _, p := range j.splits {
		for _, t := range p.tasks {
			a := aar.AuditOf(aar.File{Leg: j.legs[t.Instance], Variant: p.variant, Level: p.level})
			all++
			cheap += judge.One(a.NoPageInCone || a.ExpressionLeak || len(a.TitleLeak) > 0)
		}
	}
	return cheap, all
}
