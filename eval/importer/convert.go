package importer

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/oldplay"
	"github.com/wikinav/wikinav/schemas"
)

// Result is a run directory to be written.
type Result struct {
	Run    schemas.GameRun
	Import schemas.Import
	Games  []schemas.Game
	Steps  []schemas.Step
}

// Convert plays the games of f on a release, as far as its graph lets them. opts are the rules of models' games; people have none.
func Convert(f *File, rel judge.Release, wiki string, opts schemas.GameOptions, run schemas.GameRun) (*Result, error) {
	c := newConverter(f, rel, wiki, setsOf(rel))
	return c.convert(opts, run)
}

func (c *converter) convert(opts schemas.GameOptions, run schemas.GameRun) (*Result, error) {
	c.opts = opts
	c.describe(run)
	for i, g := range c.file.Games {
		if err := c.add(i, g); err != nil {
			return nil, err
		}
	}
	c.finish()
	return &c.out, nil
}

func newConverter(f *File, rel judge.Release, wiki string, sets []set) *converter {
	c := &converter{
		file: f, rel: rel, wiki: wiki, family: familyWikirace, sets: sets, attempts: map[string]int{}, taken: map[string]bool{},
		byID: map[string]game.Task{}, byPair: map[pair]game.Task{},
	}
	c.out.Import = schemas.Import{
		Schema: schemas.ImportSchema, Source: "import:" + f.Format, FileSHA256: f.SHA256, Human: f.Human, Steps: f.Steps, Clicks: f.Clicks,
		Rows: len(f.Games), Rejected: map[string]int{}, Invalid: map[string]int{}, Types: map[string]int{},
	}
	for _, s := range sets {
		for _, t := range s.tasks {
			c.byID[t.ID], c.byPair[pairOf(t)] = t, t
		}
	}
	return c
}

type converter struct {
	file   *File
	rel    judge.Release
	wiki   string
	family string
	sets   []set
	opts   schemas.GameOptions
	out    Result

	byID     map[string]game.Task
	byPair   map[pair]game.Task
	attempts map[string]int  // games so far, by instance
	taken    map[string]bool // attempts that the file numbers itself
}

// describe fills in who played by which rules. The id of the run hashes the file, so that two imports never share one.
func (c *converter) describe(run schemas.GameRun) {
	run.ReleaseID, run.ManifestSHA256, run.Family = c.rel.ID, c.rel.ManifestSHA256, c.family
	run.Splits, run.Attempts = []string{}, 1
	if !c.file.Human {
		run.Options = c.opts
	}
	c.out.Run = play.Describe(run)
	c.out.Run.Run = run.Model.Name + "-" + c.file.SHA256[:12]
}

// finish names the splits that the games are of, and the number of attempts in them.
func (c *converter) finish() {
	for _, s := range c.sets {
		played := false
		for _, t := range s.tasks {
			played = played || c.attempts[t.ID] > 0
			c.out.Run.Attempts = max(c.out.Run.Attempts, c.attempts[t.ID])
		}
		if played {
			c.out.Run.Splits = append(c.out.Run.Splits, s.name)
		}
	}
	c.out.Import.Games = len(c.out.Games)
}

// add converts one game, or counts why it is none.
func (c *converter) add(i int, g Game) error {
	reason, err := g.Reject, error(nil)
	if reason == "" && c.file.Human {
		reason, err = c.person(i, g)
	} else if reason == "" {
		reason, err = c.model(i, g)
	}
	if reason != "" {
		c.out.Import.Rejected[reason]++
	} else if g.Type != "" {
		c.out.Import.Types[g.Type]++
	}
	return err
}

// node finds a page: exactly, through a redirect, or with its first letter in upper case.
func (c *converter) node(title string) (uint32, bool) {
	if u, ok := c.rel.Resolve(title); ok {
		return u, true
	}
	first, size := utf8.DecodeRuneInString(title)
	if size == 0 {
		return 0, false
	}
	return c.rel.Resolve(string(unicode.ToUpper(first)) + title[size:])
}

// key names a pair that need not be an instance.
func (c *converter) key(source, target uint32) string {
	return fmt.Sprintf("%s:%d:%d", c.wiki, c.rel.World.PageID(source), c.rel.World.PageID(target))
}

// record gives the part of a game's record that is the same for people and models.
func (c *converter) record(i int, instance string, attempt int) schemas.Game {
	return schemas.Game{
		Schema: schemas.GameSchema, Run: c.out.Run.Run, Game: fmt.Sprintf("g%06d", i+1), Instance: instance, Attempt: attempt,
	}
}

// attempt numbers the games of an instance in file order, unless the file does; 0 if the number is taken.
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
	played, err := game.Start(c.rel.World, task, c.opts)
	if err != nil {
		return "", err
	}
	rec := c.record(i, task.ID, attempt)
	for k, click := range g.Clicks {
		if played.Done() {
			c.out.Import.Invalid[InvalidAfterEnd] += len(g.Clicks) - k
			break
		}
		step := play.StepRecord(played.Play(c.move(played, click)))
		step.Run, step.Game, step.Instance, step.Oracle, step.Retries = rec.Run, rec.Game, task.ID, c.opts.Oracle, click.Retries
		if step.BanStep == nil && click.Stated != nil {
			step.Reasoning = &click.Stated.Reasoning
		}
		if step.InvalidReason != nil {
			c.out.Import.Invalid[*step.InvalidReason]++
		}
		c.out.Steps = append(c.out.Steps, step)
	}
	if !played.Done() {
		played.Stop(schemas.OutcomeGaveUp)
	}
	rec.Outcome, rec.Turns, rec.Moves, rec.Invalid, rec.Path = played.Outcome(), played.Turns(), played.Moves(), played.Invalid(), played.Path()
	if g.Outcome != nil {
		rec.Outcome = *g.Outcome
	}
	rec.Usage, rec.Cost = g.Usage, judge.Cost(c.out.Run.Price, g.Usage)
	c.out.Games = append(c.out.Games, rec)
	return "", nil
}

// move finds the click on the menu; what is not there is an invalid move with a reason.
func (c *converter) move(g *game.Game, click Click) game.Move {
	if click.Invalid != "" {
		return game.NoMove(click.Invalid)
	}
	if c.family != familyWikirace {
		return c.banned(g, click)
	}
	return c.find(g, click)
}

func (c *converter) find(g *game.Game, click Click) game.Move {
	u, ok := c.node(click.Title)
	if !ok {
		return game.NoMove(InvalidTitle)
	}
	if place, ok := g.Offers(u); ok {
		return game.Pick(place)
	}
	for _, v := range c.rel.World.Successors(g.Page()) {
		if v == u {
			return game.NoMove(game.ReasonNotOffered)
		}
	}
	return game.NoMove(InvalidEdge)
}
