package judge

import (
	"fmt"
	"slices"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

// verdict is a game as the graph saw it.
type verdict struct {
	id        string // of the instance
	attempt   int
	source    uint32
	target    uint32
	distance  int
	outcome   string
	turns     int // moves and invalid
	moves     int
	invalid   int
	effective int // links from source to the last page once back clicks are resolved; of people's games alone
	maxVisits int
	replayed  int // turns that the replay made itself
	avail     int // of those, links lost by the best link of the menu
	leadless  int // menus on pages without a lead
	counted   int // turns from live states
	optimal   int // of those
	dead      int // turns from states that had lost already
	broken    int // moves onto banned pages
	first     int // step of the first of these, 0 for none
	usage     *schemas.Usage
	cost      *amount

	name       string // of the game
	banned     string // the category, "" in a game without a ban
	statements []Statement
}

func (v *verdict) success() bool        { return v.outcome == schemas.OutcomeSuccess }
func (v *verdict) loops() bool          { return v.maxVisits > 1 }
func (v *verdict) told() *schemas.Usage { return v.usage }
func (v *verdict) breaks() bool         { return v.broken > 0 }

// replay is a told game and the same game played again.
type replay struct {
	told      trace.Game
	world     game.World
	resolve   func(string) (uint32, bool)
	run       *schemas.GameRun
	imported  bool
	opts      schemas.GameOptions
	game      *game.Game
	words     words
	v         verdict
	disagreed []Disagreement
}

func newReplay(j *judge, told trace.Game, task game.Task) (*replay, error) {
	g, err := game.Start(j.rel.World, task, j.opts)
	if err != nil {
		return nil, err
	}
	r := &replay{
		told: told, world: j.rel.World, resolve: j.rel.Resolve, run: j.log.Run, opts: j.opts, game: g, words: newWords(j.log.Run),
		imported: j.log.Import != nil,
		v:        verdict{id: task.ID, attempt: told.Attempt, source: task.Source.Node, target: task.Target.Node, distance: task.Length, name: told.Name()},
	}
	if task.Ban != nil {
		r.v.banned = task.Ban.Category
	}
	return r, nil
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
	r.v.turns, r.v.moves, r.v.invalid, r.v.maxVisits = g.Turns()+admitted, g.Moves(), g.Invalid()+admitted, g.MaxVisits()
	r.v.counted += admitted
	r.v.leadless = g.LeadsMissing()
	r.v.outcome = r.outcome()
	r.v.usage = r.usage()
	if r.run != nil {
		r.v.cost = price(r.run.Price, r.v.usage)
	}
	r.compareGame()
	return &r.v
}

// followSteps repeats the logged choices.
func (r *replay) followSteps() {
	for i, s := range r.told.Steps {
		if r.game.Done() {
			r.note(s.Step, "step", fmt.Sprintf("%d steps after the end", len(r.told.Steps)-i+r.told.Excess), "over: "+r.game.Outcome())
			return
		}
		r.words.ask(r.game, s.Reply)
		turn := r.game.Play(r.words.choice(s))
		r.book(turn)
		r.compareStep(s, turn)
	}
}

// followPath repeats the moves that a path shows, up to the first that graph or menu does not allow.
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
func (r *replay) walk(step int, p trace.Page) game.Turn {
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

func (r *replay) node(p trace.Page) (uint32, bool) {
	if p.Named {
		return r.resolve(p.Title)
	}
	return p.Node, int64(p.Node) < int64(r.world.Len())
}

// book counts a consumed turn for the step accuracy, and what it broke.
func (r *replay) book(t game.Turn) {
	r.state(t)
	if t.Ban != nil && t.Ban.Violates {
		if r.v.broken++; r.v.broken == 1 {
			r.v.first = t.Step
		}
	}
	if t.Counted {
		r.v.replayed++
		r.v.avail += t.AvailRegret()
	}
	switch {
	case !t.Counted:
	case !t.Live:
		r.v.dead++
	case t.Optimal:
		r.v.optimal++
		fallthrough
	default:
		r.v.counted++
	}
}
