// Package replay scores link games by playing them again.
//
// It owns the reading of their logs, the replay, and their metrics. It promises that a score says
// what the release's graph says: every menu is rebuilt, every choice is checked against it, every
// derived field is computed again and the computed value counts. Each place where the log says
// something else is listed. It shares no code with the stages that made the instances, reads no
// clock and no file but the log, and draws only the resamples of the bootstrap, from named streams.
package replay

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/reply"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/order"
)

// keptDisagreements bounds the list of a log that is wrong everywhere; the others are counted.
const keptDisagreements = 10_000

// Score replays the games of a log. With non-nil Scores the error says what is wrong with the log,
// and the scores hold what the graph says: fault.Mismatch for disagreements, else fault.Failure for
// too many games on which the endpoint failed. Without Scores nothing was replayed: a run of
// another release is fault.Mismatch, an unknown split fault.Usage.
func Score(rel Release, l *trace.Log, req family.Request) (*family.Scores, error) {
	log, err := Read(l)
	if err != nil {
		return nil, err
	}
	return log.Score(rel, req)
}

func (l *Log) Score(rel Release, req family.Request) (*family.Scores, error) {
	s, err := l.scorer(rel, req)
	if err != nil {
		return nil, err
	}
	s.score()
	return s.End()
}

// Reasons lists the statements of the games of a log, and the games of which a verdict may be had.
// A run that the graph contradicts is refused: its moves would be judged for what they were not.
func Reasons(rel Release, l *trace.Log, seed int64) (statements []family.Statement, games []string, err error) {
	log, err := Read(l)
	if err != nil {
		return nil, nil, err
	}
	s, err := log.scorer(rel, family.Request{Partial: true, MaxInfra: len(log.Games), Seed: seed})
	if err != nil {
		return nil, nil, err
	}
	if _, masked := game.PseudonymSeed(s.opts); masked {
		return nil, nil, fault.New(fault.Usage,
			"played with titles=%s: reasons about invented names say nothing of pages", s.opts.Titles).
			At(l.Path, trace.RunFile).Hint("judge a run with titles=plain")
	}
	s.score()
	if _, err := s.End(); err != nil {
		return nil, nil, err
	}
	for _, c := range s.cells {
		for _, v := range c.played() {
			statements, games = append(statements, v.breach.statements...), append(games, v.name)
		}
	}
	return statements, games, nil
}

// scorer returns the scorer of the log, all its games replayed.
func (l *Log) scorer(rel Release, req family.Request) (*scorer, error) {
	source := family.Source{Name: rel.Name, ID: rel.ID, ManifestSHA256: rel.ManifestSHA256, FreshSince: rel.FreshSince}
	begun, err := family.Begin(rel.Family, source, l.Log, req)
	if err != nil {
		return nil, err
	}
	s := &scorer{Scoring: begun, rel: rel, log: l, opts: rel.Defaults, known: map[string]*place{}}
	if err := s.prepare(); err != nil {
		return nil, err
	}
	for _, g := range l.Games {
		if err := s.judge(g); err != nil {
			return nil, err
		}
	}
	for _, c := range s.cells {
		c.sort()
	}
	return s, nil
}

type scorer struct {
	*family.Scoring
	rel     Release
	log     *Log
	opts    schemas.GameOptions
	world   game.World
	resolve func(string) (uint32, bool)
	reparse reply.Reader      // nil for the run's
	known   map[string]*place // by task, over all splits
	cells   []*cell           // one per split to score
	pairs   *cell             // imported games of pairs that are no instances
}

// place is where a task's games go: nil for a split that is not scored.
type place struct {
	task game.Task
	cell *cell
}

func (s *scorer) prepare() (err error) {
	if run := s.log.Run; run != nil {
		s.opts, err = game.ReadOptions(s.rel.Defaults, run.Rules.Options)
		if err == nil && !s.human() && !s.unchecked() {
			err = game.CheckOptions(s.opts)
		}
		if err != nil {
			return fault.New(fault.Malformed, "%w", err).At(s.log.Path, trace.RunFile)
		}
	}
	s.CheckRules()
	if err := s.chooseReader(); err != nil {
		return err
	}
	var names, open []string
	for _, split := range s.rel.Splits {
		names = append(names, split.Name)
		if !split.Closed {
			open = append(open, split.Name)
		}
	}
	if s.Request.Splits == nil {
		s.Request.Splits = open
	}
	for _, name := range s.Request.Splits {
		if !slices.Contains(names, name) {
			return fault.New(fault.Usage, "the release has no split %s", fault.Quote(name)).
				Choose(name, names)
		}
	}
	s.seat()
	if s.world, err = s.rel.World(s.opts); err != nil {
		return err
	}
	s.resolve, err = s.rel.Resolve(s.log.namesTitles())
	return err
}

func (s *scorer) chooseReader() error {
	name := s.Request.Reparse
	if name == "" {
		return nil
	}
	reader, ok := reply.For(s.opts, name)
	if !ok {
		return fault.New(fault.Usage, "--reparse %s: no such parser", fault.Quote(name)).
			Choose(name, reply.Names)
	}
	s.reparse = reader
	return s.Reparse(reader.Version())
}

// namesTitles reports whether a path names a page by title, so that redirects are needed.
func (l *Log) namesTitles() bool {
	return slices.ContainsFunc(l.Games, func(g Game) bool {
		return slices.ContainsFunc(g.Path, func(p Page) bool { return p.Named })
	})
}

// seat makes a cell for each split to score, and a place for each task of the release.
func (s *scorer) seat() {
	for _, split := range s.rel.Splits {
		var c *cell
		if slices.Contains(s.Request.Splits, split.Name) {
			c = &cell{
				split: split, stream: split.Name, seed: s.Request.Seed, expected: len(split.Tasks) * s.Request.Attempts,
				partial: s.Request.Partial, kind: s.kindOf(split),
			}
			s.cells = append(s.cells, c)
		}
		for _, t := range split.Tasks {
			s.known[t.ID] = &place{t, c}
		}
	}
}

func (s *scorer) kindOf(split Split) *kind {
	switch {
	case split.Pathless:
		return pathless
	case game.HasBan(s.opts):
		return banned
	}
	return plain
}

// judge replays a game into its cell. A game that belongs nowhere is listed and counts for nothing.
func (s *scorer) judge(told Game) error {
	p, err := s.place(told.Instance)
	switch {
	case err != nil:
		return err
	case p == nil:
		s.disagree(at(told, 0, "instance", fault.Quote(told.Instance), "not in the release"))
		return nil
	case p.cell == nil:
		return nil
	case told.Attempt > s.Request.Attempts && p.cell != s.pairs:
		s.disagree(at(told, 0, "attempt", fmt.Sprint(told.Attempt), fmt.Sprintf("at most %d", s.Request.Attempts)))
		return nil
	}
	v, disagreed, err := s.replay(told, p.task)
	if err != nil {
		return err
	}
	p.cell.add(v)
	s.disagree(disagreed...)
	return nil
}

// replay plays a game again, under the rules that it was played by.
func (s *scorer) replay(told Game, task game.Task) (*verdict, []family.Disagreement, error) {
	switch {
	case s.unchecked():
		return uncheckedGame(told, task, s.log)
	case s.human():
		w := &walk{
			findings: findings{told: told}, Trail: game.NewTrail(task.Source.Node), world: s.world, task: task, run: s.log.Run,
		}
		return w.verdict(), w.disagreed, nil
	}
	r, err := newReplay(s, told, task)
	if err != nil {
		return nil, nil, err
	}
	return r.verdict(), r.disagreed, nil
}

func (s *scorer) disagree(list ...family.Disagreement) {
	room := min(len(list), keptDisagreements-len(s.Scores.Disagreements))
	s.Scores.Disagreements = append(s.Scores.Disagreements, list[:room]...)
	s.Scores.Unlisted += len(list) - room
}

func at(g Game, step int, field, log, replay string) family.Disagreement {
	return family.Disagreement{
		Line: g.Line, Item: g.Name(), Instance: g.Instance, Attempt: g.Attempt, Step: step, Field: field,
		Log: log, Replay: replay,
	}
}

// sort puts the games in the split's order, so that the log's does not matter: the bootstrap draws
// games by their place. Pairs that are no instances have no order but their file's.
func (c *cell) sort() {
	place := map[string]int{}
	for i, t := range c.split.Tasks {
		place[t.ID] = i
	}
	if len(place) == 0 {
		return
	}
	order.Sort(c.games, func(a, b *verdict) int {
		return cmp.Or(cmp.Compare(place[a.task.ID], place[b.task.ID]), cmp.Compare(a.attempt, b.attempt))
	})
}

func (s *scorer) score() {
	out := s.Scores
	out.Dropped.LooseSteps = s.log.Loose
	if game.HasBan(s.opts) {
		out.Notes = []string{banNote}
	}
	for _, c := range s.cells {
		whole := s.row(c)
		whole.Flags = s.flags(c)
		out.Rows = append(out.Rows, whole)
		for _, part := range c.parts(s.Request.Attempts) {
			out.Rows = append(out.Rows, s.row(part))
		}
		for _, v := range c.games {
			out.Results = append(out.Results, c.result(v))
			s.CountRead(v.read)
			if v.leadless > 0 {
				out.Counts["leads_missing"] += v.leadless // menus on pages without a lead
			}
		}
	}
}

func (c *cell) result(v *verdict) family.Result {
	excess := v.turns - v.task.Length
	if c.kind == resolved {
		excess = v.effective - v.task.Length
	}
	return family.Result{
		Split: c.split.Name, Task: v.task.ID, Instance: v.task.ID, Attempt: v.attempt, Source: v.task.Source.Node,
		Target: v.task.Target.Node, Length: v.task.Length, Outcome: v.outcome, Success: v.success() && !v.breaks(),
		Excess: excess, Optimal: v.tally.optimal, Counted: v.tally.counted, Visits: v.maxVisits,
	}
}

func (s *scorer) row(c *cell) family.Row {
	row, played := s.Row(c.split.Split, c.by), c.played()
	row.N, row.Missing, row.Infra = c.n(), c.missing(), c.infra()
	row.Usage, row.Cost = schemas.SumUsage(played, (*verdict).told), judge.DecimalOf(sumCost(played))
	for _, v := range c.games {
		row.Outcomes[v.outcome]++
	}
	if row.Cost != nil {
		money := s.log.Run.Money()
		row.Currency = &money
	}
	if c.infra() <= s.Request.MaxInfra {
		row.Metrics = c.kind.metrics(c)
	}
	return row
}

func sumCost(games []*verdict) *big.Rat {
	if len(games) == 0 {
		return nil
	}
	sum := new(big.Rat)
	for _, v := range games {
		if v.cost == nil {
			return nil
		}
		sum.Add(sum, v.cost)
	}
	return sum
}

// parts returns the groups of games with rows of their own: the split's, or distances, ascending.
func (c *cell) parts(attempts int) []*cell {
	if c.kind == otherGraph || c.kind == pathless {
		return nil
	}
	if c.split.Groups == nil {
		return c.byDistance(attempts)
	}
	var out []*cell
	for _, g := range c.split.Groups {
		part := c.part(g.Group, c.stream+"/"+g.Name+"/"+g.Value)
		part.expected = len(g.Tasks) * attempts
		part.games = filter(c.games, func(v *verdict) bool { return g.Tasks[v.task.ID] })
		out = append(out, part)
	}
	return out
}

func (c *cell) part(g family.Group, stream string) *cell {
	return &cell{split: c.split, by: []family.Group{g}, stream: stream, seed: c.seed, partial: c.partial, kind: c.kind}
}

func (c *cell) byDistance(attempts int) []*cell {
	cells := map[int]*cell{}
	at := func(d int) *cell {
		if cells[d] == nil {
			cells[d] = c.part(family.Group{Name: "distance", Value: strconv.Itoa(d)}, c.stream)
			cells[d].open = true // until an instance says how many games there are
		}
		return cells[d]
	}
	for _, t := range c.split.Tasks {
		part := at(t.Length)
		part.open = false
		part.expected += attempts
	}
	for _, v := range c.games {
		at(v.task.Length).add(v)
	}
	var out []*cell
	for d := range int(schemas.Unreached) + 1 {
		if cells[d] != nil {
			out = append(out, cells[d])
		}
	}
	return out
}

func (s *scorer) flags(c *cell) []string {
	var more []string
	if c.kind == otherGraph {
		more = append(more, judge.FlagOtherGraph)
	}
	if c == s.pairs && s.human() {
		more = append(more, judge.FlagHuman)
	}
	if n := len(filter(c.games, func(v *verdict) bool { return v.diverged })); s.reparse != nil {
		more = append(more, fmt.Sprintf("%s %d/%d", judge.FlagReparsed, n, c.expected))
	}
	left := 0
	if c.partial {
		left = c.missing()
	}
	oracle := !s.human() && !s.unchecked() && s.opts.Oracle != game.OracleNone
	return s.Flags(c.split.Split, c.expected, left, oracle, more...)
}
