package importer

import (
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/eval/links/reply"
	"github.com/wikinav/wikinav/schemas"
)

// Convert plays the games of f as far as a release's graph lets them, models' games under opts.
func Convert(f *File, rel replay.Release, opts schemas.GameOptions, run schemas.Run) (*family.Imported, error) {
	c, err := newConverter(f, rel)
	if err != nil {
		return nil, err
	}
	c.opts = opts
	if f.Human {
		return c.convert(run, noRules, c.person)
	}
	if c.world, err = rel.World(opts); err != nil {
		return nil, err
	}
	return c.convert(run, game.OptionsJSON(opts), c.model)
}

// convert takes the games of the file one by one, by their places, or counts why they are none.
func (c *converter) convert(
	run schemas.Run, options []byte, take func(int, Game) (reject string, err error),
) (*family.Imported, error) {
	c.describe(run, options)
	for i, g := range c.file.Games {
		reason, err := g.Reject, error(nil)
		switch {
		case reason != "":
		case g.Outcome != nil && *g.Outcome == schemas.OutcomeInfra:
			reason = family.RejectInfra
		default:
			reason, err = take(i, g)
		}
		switch {
		case err != nil:
			return nil, err
		case reason != "":
			c.out.Import.Rejected[reason]++
		case g.Type != "":
			c.out.Import.Types[g.Type]++
		}
	}
	c.finish()
	return &c.out, nil
}

// noRules are the options of games that were played by none of ours.
var noRules = []byte("{}")

func newConverter(f *File, rel replay.Release) (*converter, error) {
	c := &converter{
		file: f, rel: rel, attempts: map[string]int{}, taken: map[string]bool{}, byID: map[string]game.Task{},
		byPair: map[pair]game.Task{},
	}
	c.out.Import = schemas.Import{
		Schema: schemas.ImportSchema, Source: "import:" + f.Format, FileSHA256: f.SHA256, Human: f.Human,
		Steps: f.Steps, Clicks: f.Clicks,
		Rows: len(f.Games), Rejected: map[string]int{}, Invalid: map[string]int{}, Types: map[string]int{},
	}
	for _, s := range rel.Splits {
		for _, t := range s.Tasks {
			c.byID[t.ID], c.byPair[pairOf(t)] = t, t
		}
	}
	var err error
	if c.world, err = rel.World(game.Defaults()); err == nil {
		c.resolve, err = rel.Resolve(true)
	}
	return c, err
}

type converter struct {
	file    *File
	rel     replay.Release
	opts    schemas.GameOptions
	world   game.World
	resolve func(title string) (uint32, bool)
	out     family.Imported

	byID     map[string]game.Task
	byPair   map[pair]game.Task
	attempts map[string]int  // games so far, by instance
	taken    map[string]bool // attempts that the file numbers itself
}

// describe says who played by which rules. The run's id hashes the file: no two imports share it.
func (c *converter) describe(run schemas.Run, options []byte) {
	run.Schema, run.ReleaseID, run.ManifestSHA256, run.Family = schemas.RunSchema, c.rel.ID, c.rel.ManifestSHA256,
		c.rel.Family
	run.Splits, run.Attempts = []string{}, 1
	run.Rules = schemas.Rules{Options: options, Interface: schemas.InterfaceForeign}
	run.RulesSHA256 = family.RulesSHA256(run.Rules)
	run.Run = run.Model.Name + "-" + c.file.SHA256[:12]
	c.out.Run = run
}

// finish names the splits that the games are of, and the number of attempts in them.
func (c *converter) finish() {
	for _, s := range c.rel.Splits {
		played := false
		for _, t := range s.Tasks {
			played = played || c.attempts[t.ID] > 0
			c.out.Run.Attempts = max(c.out.Run.Attempts, c.attempts[t.ID])
		}
		if played {
			c.out.Run.Splits = append(c.out.Run.Splits, s.Name)
		}
	}
	c.out.Import.Games = len(c.out.Records)
}

// node finds the page that a name of the file stands for, in the first reading that the graph
// knows.
func (c *converter) node(name string) (uint32, bool) {
	for _, title := range c.file.readings(name) {
		if u, ok := c.titled(title); ok {
			return u, true
		}
	}
	return 0, false
}

// titled finds a page: exactly, through a redirect, or with its first letter in upper case.
func (c *converter) titled(title string) (uint32, bool) {
	if u, ok := c.resolve(title); ok {
		return u, true
	}
	first, size := utf8.DecodeRuneInString(title)
	if size == 0 {
		return 0, false
	}
	return c.resolve(string(unicode.ToUpper(first)) + title[size:])
}

// key names a pair that need not be an instance.
func (c *converter) key(source, target uint32) string {
	return replay.Key(c.rel.Wiki, c.world.PageID(source), c.world.PageID(target))
}

// record returns the part of a game's record that is the same for people and models.
func (c *converter) record(i int, instance string, attempt int) schemas.Game {
	return schemas.Game{
		Schema: schemas.GameSchema, Run: c.out.Run.Run, Game: fmt.Sprintf("g%06d", i+1), Instance: instance,
		Attempt: attempt,
	}
}

// attempt numbers an instance's games in file order, unless the file does; 0 if that is taken.
func (c *converter) attempt(instance string, told int) int {
	n := told
	if n == 0 {
		n = c.attempts[instance] + 1
	}
	name := fmt.Sprint(instance, " ", n)
	if c.taken[name] {
		return 0
	}
	c.taken[name] = true
	c.attempts[instance] = max(c.attempts[instance], n)
	return n
}

// model plays a model's game by the rules of the run.
func (c *converter) model(i int, g Game) (reject string, err error) {
	task, reject, err := c.task(g)
	if reject != "" || err != nil {
		return reject, err
	}
	attempt := c.attempt(task.ID, g.Attempt)
	if attempt == 0 {
		return RejectAttempt, nil
	}
	task.Attempt = attempt
	played, err := game.Start(c.world, task, c.opts)
	if err != nil {
		return "", err
	}
	rec := c.record(i, task.ID, attempt)
	var steps []any
	for k, click := range g.Clicks {
		if played.Done() {
			c.out.Import.Invalid[InvalidAfterEnd] += len(g.Clicks) - k
			break
		}
		step := played.Play(c.move(played, click)).Record()
		step.Run, step.Game, step.Instance, step.Oracle = rec.Run, rec.Game, task.ID, c.opts.Oracle
		step.Retries = click.Retries
		if step.BanStep == nil && click.Stated != nil {
			step.Reasoning = &click.Stated.Reasoning
		}
		if step.InvalidReason != nil {
			c.out.Import.Invalid[*step.InvalidReason]++
		}
		steps = append(steps, step)
	}
	if !played.Done() {
		played.Stop(schemas.OutcomeGaveUp)
	}
	rec.Outcome, rec.Turns, rec.Moves, rec.Invalid, rec.Path = played.Outcome(), played.Turns(), played.Moves(),
		played.Invalid(), played.Path()
	if g.Outcome != nil {
		rec.Outcome = *g.Outcome
	}
	rec.Usage, rec.Cost = g.Usage, judge.Cost(c.out.Run.Price, g.Usage)
	c.out.Records = append(c.out.Records, family.Record{Main: rec, Side: steps})
	return "", nil
}

// move finds the click on the menu; what is not there is an invalid move with a reason. In a game
// with a ban it is found by the rule for replies first.
func (c *converter) move(g *game.Game, click Click) game.Move {
	if click.Invalid != "" {
		return game.NoMove(click.Invalid)
	}
	if !game.HasBan(c.opts) {
		return c.find(g, click)
	}
	m := reply.Choose(click.Title, g.Observe(""))
	if m.Reason == game.ReasonNotALink {
		m = c.find(g, click)
	}
	m.Stated = click.Stated
	return m
}

func (c *converter) find(g *game.Game, click Click) game.Move {
	u, ok := c.node(click.Title)
	if !ok {
		return game.NoMove(InvalidTitle)
	}
	if place, ok := g.Offers(u); ok {
		return game.Pick(place)
	}
	if slices.Contains(c.world.Successors(g.Page()), u) {
		return game.NoMove(game.ReasonNotOffered)
	}
	return game.NoMove(InvalidEdge)
}
