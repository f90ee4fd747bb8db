package replay

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
)

// replay is a told game and the same game played again.
type replay struct {
	findings
	world    game.World
	resolve  func(string) (uint32, bool)
	run      *schemas.Run
	reparsed bool // replies are read by another parser than the run's
	own      bool // of a log that may say that the endpoint failed
	imported bool
	opts     schemas.GameOptions
	game     *game.Game
	words    words
	v        verdict
}

func newReplay(s *scorer, told Game, task game.Task) (*replay, error) {
	task.Attempt = told.Attempt
	g, err := game.Start(s.world, task, s.opts)
	if err != nil {
		return nil, err
	}
	return &replay{
		findings: findings{told: told}, world: s.world, resolve: s.resolve,
		run: s.log.Run, own: s.log.Own(), imported: s.log.Import != nil,
		opts: s.opts, game: g, v: told.verdict(task),
		words: newWords(s.log.Log, s.opts, s.reparse), reparsed: s.reparse != nil,
	}, nil
}

// verdict plays the game to its end and compares the result with the game's record.
func (r *replay) verdict() *verdict {
	if r.told.HasSteps {
		r.followSteps()
	} else {
		r.followPath()
	}
	admitted := r.admitted()
	g := r.game
	r.v.turns, r.v.moves, r.v.invalid = g.Turns()+admitted, g.Moves(), g.Invalid()+admitted
	r.v.maxVisits = g.MaxVisits()
	r.v.tally.counted += admitted
	r.v.leadless, r.v.read = g.LeadsMissing(), r.words.used
	r.v.outcome = r.outcome()
	r.v.usage = r.usage()
	r.v.cost = judge.Spent(r.run, r.v.usage, schemas.Costs(r.told.Steps, schemas.Step.ToldCost))
	if !r.reparsed {
		r.compareGame()
	}
	return &r.v
}

func (r *replay) followSteps() {
	for i, s := range r.told.Steps {
		if r.game.Done() {
			r.note(s.Step, "step", fmt.Sprintf("%d steps after the end", len(r.told.Steps)-i+r.told.Excess),
				"over: "+r.game.Outcome())
			return
		}
		r.words.ask(r.game, s.Reply)
		turn := r.game.Play(r.words.choice(s))
		r.book(turn)
		if r.reparsed && (!reflect.DeepEqual(turn.Choice, s.Choice) || turn.Valid() != s.Valid) {
			r.v.diverged = !r.game.Done()
			return
		}
		r.compareStep(s, turn)
	}
}

// followPath repeats a path's moves, up to the first that graph or menu does not allow.
func (r *replay) followPath() {
	first, ok := r.node(r.told.Path[0])
	if !ok || first != r.game.Page() {
		r.note(0, "path", "starts at "+r.told.Path[0].String(), fmt.Sprintf("the source is %d", r.game.Page()))
		r.game.Stop(schemas.OutcomeInvalidAction)
		return
	}
	for i, p := range r.told.Path[1:] {
		if r.game.Done() {
			r.note(i+1, "path", fmt.Sprintf("%d pages after the end", len(r.told.Path)-1-i), "over: "+r.game.Outcome())
			return
		}
		r.book(r.walk(i+1, p))
	}
}

// walk makes one move of a path, or forfeits the game.
func (r *replay) walk(step int, p Page) game.Turn {
	why := ""
	to, ok := r.node(p)
	place, offered := r.game.Offers(to)
	switch {
	case !ok:
		why = "no such page"
	case !slices.Contains(r.world.Successors(r.game.Page()), to):
		why = fmt.Sprintf("no link from %d", r.game.Page())
	case !offered:
		why = fmt.Sprintf("link not shown on %d", r.game.Page())
	default:
		return r.game.Play(game.Pick(place))
	}
	r.note(step, "path", p.String(), why)
	return r.game.Forfeit(game.ReasonNotOffered)
}

func (r *replay) node(p Page) (uint32, bool) {
	if p.Named {
		return r.resolve(p.Title)
	}
	return p.Node, int64(p.Node) < int64(r.world.Len())
}

// book counts a consumed turn for the step accuracy, and what it broke.
func (r *replay) book(t game.Turn) {
	r.state(t)
	if t.Ban != nil && t.Ban.Violates {
		if r.v.breach.moves++; r.v.breach.moves == 1 {
			r.v.breach.first = t.Step
		}
	}
	if t.Counted {
		r.v.tally.replayed++
		r.v.tally.avail += t.AvailRegret()
	}
	switch {
	case !t.Counted:
	case !t.Live:
		r.v.tally.dead++
	case t.Optimal:
		r.v.tally.optimal++
		fallthrough
	default:
		r.v.tally.counted++
	}
}

// state keeps a move with its words. A move to the target is exempt, so there is nothing to
// justify; a player without words is not asked for any.
func (r *replay) state(t game.Turn) {
	if t.Ban == nil || t.Ban.Stated == nil || !t.Valid() || *t.To == r.v.task.Target.Node {
		return
	}
	run := ""
	if r.run != nil {
		run = r.run.Run
	}
	r.v.breach.statements = append(r.v.breach.statements, family.Statement{
		Run: run, Game: r.told.Name(), Instance: r.told.Instance, Attempt: r.told.Attempt, Step: t.Step,
		To: *t.To, Title: r.world.Title(*t.To), Banned: r.v.task.Ban.Category, Labels: schemas.BitNames(t.Ban.Labels, schemas.LabelNames),
		Restriction: t.Ban.Stated.Restriction, Violates: t.Ban.Violates,
	})
}

// admitted returns the invalid turns that a record without steps admits, which a path cannot show.
func (r *replay) admitted() int {
	if r.told.HasSteps || r.told.Record == nil {
		return 0
	}
	return r.told.Record.Invalid
}

// outcome is what the moves decide; a log that stops before that has ended by itself.
func (r *replay) outcome() string {
	over := r.game.Outcome()
	switch {
	case over == schemas.OutcomeSuccess && r.v.turns > r.game.Limit():
		return schemas.OutcomeStepLimit
	case over != "":
		return over
	case r.v.diverged:
		return outcomeDiverged
	case r.told.Outcome != nil && slices.Contains(r.ownEnds(), *r.told.Outcome):
		return *r.told.Outcome
	}
	return schemas.OutcomeGaveUp
}

// outcomeDiverged is that of a game whose replies, read by another parser, lead where they were not
// asked for: what the player would have said there is not known. It counts as lost.
const outcomeDiverged = "diverged"

// ownEnds lists the outcomes, none a success, that a log may claim for a game left open. Steps show
// invalid turns, a path does not; and another harness has other rules.
func (r *replay) ownEnds() []string {
	ends := []string{schemas.OutcomeGaveUp}
	if r.own {
		ends = append(ends, schemas.OutcomeInfra)
	}
	if r.own && r.run.Rules.Budget != nil {
		ends = append(ends, schemas.OutcomeSpent)
	}
	if r.imported {
		ends = append(ends, schemas.OutcomeStuck, schemas.OutcomeStepLimit)
	}
	if r.told.HasSteps && !r.imported {
		return ends
	}
	if game.HasBan(r.opts) {
		ends = append(ends, schemas.OutcomeNoPath)
	}
	if r.v.turns >= r.game.Limit() {
		ends = append(ends, schemas.OutcomeStepLimit)
	}
	return append(ends, schemas.OutcomeFormat, schemas.OutcomeInvalidAction)
}

// usage returns the game's tokens: the sum over its steps if there are any, nil if one tells none.
func (r *replay) usage() *schemas.Usage {
	tells := func(s schemas.Step) bool { return s.Usage != nil }
	if !r.told.HasSteps || r.imported && !slices.ContainsFunc(r.told.Steps, tells) {
		return r.told.Usage
	}
	return schemas.SumUsage(r.told.Steps, schemas.Step.Told)
}
