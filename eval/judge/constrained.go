package judge

import (
	"slices"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

// Sets of the constrained family. The infeasible pairs have a protocol of their own and are never part of a success rate.
const (
	BannedSet     = "instances"
	InfeasibleSet = "infeasible"
)

// BannedRelease is what the judge needs of a release to score games with a ban. Its World has labels; Splits is not read.
type BannedRelease struct {
	Release
	Single     bool // a page counts by its primary label alone
	Requested  int  // instances asked for
	SHA256     map[string]string
	Instances  []schemas.ConstrainedInstance
	Infeasible []schemas.ConstrainedInfeasible
}

// Tasks gives what is played of a set, in its order.
func (r BannedRelease) Tasks(set string) []game.Task {
	var tasks []game.Task
	if set == InfeasibleSet {
		for _, inst := range r.Infeasible {
			tasks = append(tasks, game.InfeasibleTask(inst, r.Single))
		}
		return tasks
	}
	for _, inst := range r.Instances {
		tasks = append(tasks, game.BannedTask(inst, r.Single))
	}
	return tasks
}

// Sets lists the sets that there are.
func (r BannedRelease) Sets() []string {
	sets := []string{BannedSet}
	if len(r.Infeasible) > 0 {
		sets = append(sets, InfeasibleSet)
	}
	return sets
}

// ScoreBanned replays the games of log, as Score does, and gives their scores. An instance whose length the graph and its labels
// contradict is fault.Mismatch, with no scores: no success could have a path efficiency that means anything.
func ScoreBanned(rel BannedRelease, log *trace.GameLog, req Request) (*BannedScores, error) {
	j := &judge{rel: rel.Release, log: log, req: req, opts: game.BanDefaults()}
	j.rel.Splits = nil
	for _, set := range rel.Sets() {
		j.rel.Splits = append(j.rel.Splits, Split{Name: set, SHA256: rel.SHA256[set]})
	}
	if log.Run == nil && req.Splits == nil {
		j.req.Splits = []string{BannedSet}
	}
	if err := j.prepare(); err != nil {
		return nil, err
	}
	j.seatBanned(rel)
	for _, g := range log.Games {
		if err := j.judgeGame(g); err != nil {
			return nil, err
		}
	}
	s := j.bannedScores(rel)
	return s, s.fault(log.Path, req.MaxInfra)
}

// seatBanned gives every task its place.
func (j *judge) seatBanned(rel BannedRelease) {
	for _, set := range rel.Sets() {
		i := slices.IndexFunc(j.cells, func(c *cell) bool { return c.split == set })
		var c *cell
		if i >= 0 {
			c = j.cells[i]
		}
		for _, task := range rel.Tasks(set) {
			if j.known[task.ID] = (&place{task, c}); c != nil {
				c.expected += j.req.Attempts
			}
		}
	}
}

// Statement is a move and what its player said of it.
type Statement struct {
	Run         string
	Game        string
	Instance    string
	Attempt     int
	Step        int
	To          uint32
	Title       string
	Banned      string // the category
	Labels      []string
	Restriction string
	Violates    bool
}

// state keeps a move with its words. A move to the target is exempt, so there is nothing to justify; a player without words is not asked
// for any.
func (r *replay) state(t game.Turn) {
	if t.Ban == nil || t.Ban.Stated == nil || !t.Valid() || *t.To == r.v.target {
		return
	}
	r.v.statements = append(r.v.statements, Statement{
		Run: r.runName(), Game: r.told.Name(), Instance: r.told.Instance, Attempt: r.told.Attempt, Step: t.Step,
		To: *t.To, Title: r.world.Title(*t.To), Banned: r.v.banned, Labels: labelNames(t.Ban.Labels),
		Restriction: t.Ban.Stated.Restriction, Violates: t.Ban.Violates,
	})
}

func (r *replay) runName() string {
	if r.run == nil {
		return ""
	}
	return r.run.Run
}

func labelNames(mask uint32) []string {
	names := []string{}
	for bit, name := range schemas.LabelNames {
		if mask>>bit&1 == 1 {
			names = append(names, name)
		}
	}
	return names
}
