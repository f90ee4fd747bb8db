package play

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Config says what to play. Run, which Describe completes, and Tasks decide every byte but the
// clock fields.
type Config struct {
	Dir     string
	Run     schemas.Run
	Family  family.Family
	Set     family.Set
	Tasks   []family.Task // in order of play, as far as the limit; of each, Run.Attempts episodes
	Options family.Options
	Manner  family.Manner
	Player  Player
	Limits  Limits
	Workers int // episodes at a time, at least 1; changes no byte
	Limit   int // play only the first so many episodes of the order of play; 0: all
	// All lists the tasks beyond the limit too; nil where Tasks are all. It is asked for their order
	// if the directory holds more of them.
	All      func() ([]family.Task, error)
	Again    bool // episodes that ended as infra are played once more
	Now      func() time.Time
	Progress func(done, total int) // called after each episode, by one goroutine at a time
}

// RulesOf returns all that changes what is seen or how replies are read; asked nil for no model.
func RulesOf(f family.Family, o family.Options, m family.Manner, asked *schemas.Asked) (schemas.Rules, error) {
	w, err := family.WordsOf(f, o, m)
	return schemas.Rules{
		Options: o.JSON, Prompt: w.Prompt, Parser: w.Parser, Interface: m.Interface, ResponseFormat: w.Format, Sampling: asked,
	}, err
}

// Describe fills in what follows from the other fields of run: schema, hash of the rules, and the
// id, which is the same for the same run anywhere. Tool version and time are not part of the id.
func Describe(run schemas.Run) schemas.Run {
	run.Schema, run.RulesSHA256 = schemas.RunSchema, family.RulesSHA256(run.Rules)
	named := run
	named.Run, named.Tool, named.CreatedAt = "", "", ""
	sum := sha256.Sum256(canon.MustMarshal(named))
	run.Run = strings.Map(fileRune, run.Model.Name) + "-" + hex.EncodeToString(sum[:6])
	return run
}

// fileRune leaves what a directory's name can have: models are called vendor/model:size.
func fileRune(r rune) rune {
	if r < 0x80 && (r == '-' || r == '_' || r == '.' || unicode.IsLetter(r) || unicode.IsDigit(r)) {
		return r
	}
	return '-'
}

// Stamp writes a time as records do.
func Stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// Choose returns the names of the splits to play and their tasks in the order of play: the first
// most of them, or all if most is 0. Splits are chosen by family.Choose; instances, if there are
// any, are the only ones that are played. A name that the set does not have is fault.Usage.
func Choose(
	set family.Set, splits, instances []string, most int,
) (names []string, tasks []family.Task, err error) {
	chosen, err := family.Choose(set, splits)
	if err != nil {
		return nil, nil, err
	}
	wanted := most
	if len(instances) > 0 {
		wanted = 0 // they may stand anywhere
	}
	for _, s := range chosen {
		names = append(names, s.Name)
		if wanted > 0 && len(tasks) >= wanted {
			continue
		}
		list, err := set.Tasks(s.Name, max(0, wanted-len(tasks)))
		if err != nil {
			return nil, nil, err
		}
		tasks = append(tasks, list...)
	}
	for _, id := range instances {
		if !slices.ContainsFunc(tasks, func(t family.Task) bool { return is(t, id) }) {
			return nil, nil, noInstance(id, names, tasks)
		}
	}
	if len(instances) > 0 {
		tasks = slices.DeleteFunc(tasks, func(t family.Task) bool {
			return !slices.ContainsFunc(instances, func(id string) bool { return is(t, id) })
		})
		names = slices.DeleteFunc(names, func(name string) bool {
			return !slices.ContainsFunc(tasks, func(t family.Task) bool { return t.Split == name })
		})
	}
	return names, family.First(tasks, most), nil
}

// noInstance says which instances have names like the one that there is not.
func noInstance(id string, splits []string, tasks []family.Task) error {
	e := fault.New(fault.Usage, "--instance %s: the splits %s have no such instance", fault.Quote(id), strings.Join(splits, ", "))
	ids := make([]string, len(tasks))
	for i, t := range tasks {
		ids[i] = t.Instance
	}
	if near := fault.Near(id, slices.Values(ids), 3); len(near) > 0 {
		return e.Hint("did you mean %s?", strings.Join(near, ", "))
	}
	if len(ids) > 0 {
		return e.Hint("they are called like %s", ids[0])
	}
	return e
}

// is reports whether a task is of the instance, under its published id or under that of the task.
func is(t family.Task, id string) bool { return t.Instance == id || t.ID == id }

// Check refuses a player that does not play a split of the run, and a release that lacks what the
// options show of the splits of the tasks, before a directory is made.
func (c Config) Check() error {
	if c.Run.Attempts != 1 && c.Family.Layout().Once {
		return fault.New(fault.Usage, "--attempts %d: family %s plays each task once", c.Run.Attempts, c.Family.Name())
	}
	for _, split := range c.Run.Splits {
		if b := (family.Baseline{Splits: c.Player.Splits}); !b.Plays(split) {
			return fault.New(fault.Usage, "player %s does not play %s", c.Player.Name, split).
				Hint("name its splits: --split %s", strings.Join(b.Splits, ","))
		}
	}
	tried := map[string]bool{}
	for _, t := range c.Tasks {
		if tried[t.Split] {
			continue
		}
		tried[t.Split] = true
		if _, err := c.Set.Start(t, c.Options, c.Manner); err != nil {
			return err
		}
	}
	return nil
}

// First returns the prompt of the first turn of the first task.
func (c Config) First() (Prompt, error) {
	words, err := family.WordsOf(c.Family, c.Options, c.Manner)
	if err != nil || len(c.Tasks) == 0 {
		return Prompt{}, err
	}
	e, err := c.Set.Start(c.Tasks[0], c.Options, c.Manner)
	if err != nil {
		return Prompt{}, err
	}
	return promptOf(e, words.Schema), nil
}

// Plan lists the names of what is to be played, in the order of play.
func (c Config) Plan() (keys []string) {
	for _, it := range c.items() {
		keys = append(keys, it.key)
	}
	return keys
}

// items lists the episodes in the order of play, up to the limit.
func (c Config) items() []item {
	var list []item
	for _, t := range c.Tasks {
		for attempt := 1; attempt <= c.Run.Attempts; attempt++ {
			if c.Limit > 0 && len(list) == c.Limit {
				return list
			}
			list = append(list, item{t, attempt, c.Family.Layout().Item(t.ID, attempt), len(list)})
		}
	}
	return list
}

// Run plays every attempt that the run directory does not hold yet, and returns how many episodes
// it then holds. Other processes may do the same: no episode is played twice, and the one that
// comes to the end waits for the others, to take over what they leave. When ctx ends it stops
// between two turns; finished episodes are kept, and the same call goes on from there.
func Run(ctx context.Context, c Config) (int, error) {
	words, err := family.WordsOf(c.Family, c.Options, c.Manner)
	if err != nil {
		return 0, err
	}
	whole := c
	whole.Limit = 0
	j, err := join(c.Dir, c.Run, c.Manner.Prompt, c.Family.Layout(), c.Now, nil)
	if err != nil {
		return 0, err
	}
	j.arrange(whole.Plan())
	if c.All != nil {
		j.more = func() (keys []string, err error) {
			whole.Tasks, err = c.All()
			return whole.Plan(), err
		}
	}
	if c.Player.Alone {
		c.Workers = 1
	}
	r := &runner{Config: c, words: words, journal: j}
	err = r.playAll(ctx)
	err = errors.Join(err, j.tidy()) // an interruption comes first
	n := j.count()
	if closed := j.close(); err == nil {
		err = closed
	}
	return n, err
}

type runner struct {
	Config
	words   family.Words
	journal *journal
	made    atomic.Int64 // turns, where Limits bound them
}

func (r *runner) playAll(ctx context.Context) error {
	if r.Again {
		if err := r.journal.retry(); err != nil {
			return err
		}
	}
	items := r.items()
	s := shift{journal: r.journal, items: items, play: r.play, after: func(done int) {
		if r.Progress != nil {
			r.Progress(min(done, len(items)), len(items)) // the directory may hold more than is played now
		}
	}}
	return s.run(ctx, r.Workers)
}

// play plays one episode to its end. ErrInfra ends it and is no turn.
func (r *runner) play(ctx context.Context, it item) (finished, error) {
	it.task.Attempt = it.attempt
	e, err := r.Set.Start(it.task, r.Options, r.Manner)
	if err != nil {
		return finished{}, err
	}
	if n, ok := e.(family.Named); ok {
		n.Name(it.key)
	}
	rec := family.Recording{Run: &r.Run, Item: it.key, Attempt: it.attempt, Started: r.Now(), Retried: r.journal.again[it.key]}
	seat := family.Seat{Task: it.task, Attempt: it.attempt, Seed: r.Run.Seed, Player: r.Player.Name}
	turns := turns{runner: r, episode: e, agent: r.Player.Start(e, seat, r.words.Schema)}
	turns.purse = newPurse(r.Run.Rules.Budget, rec.Started)
	for e.Outcome() == "" {
		if why := turns.purse.spent(r.Now()); why != "" {
			e.Stop(schemas.OutcomeSpent)
			rec.Reason = &why
			break
		}
		retries, err := turns.next(ctx)
		rec.Retried = rec.Retried || retries > 0 || repeated(err)
		switch {
		case errors.Is(err, ErrGaveUp):
			e.Stop(schemas.OutcomeGaveUp)
		case errors.Is(err, errLate) && turns.purse.spent(r.Now()) != "": // the loop ends the episode
		case errors.Is(err, errLate):
			e.Stop(schemas.OutcomeTimeout)
		case errors.Is(err, ErrInfra):
			e.Stop(schemas.OutcomeInfra)
			reason := err.Error()
			rec.Reason = &reason
		case err != nil:
			return finished{}, err
		}
	}
	if turns.agent.End != nil {
		turns.agent.End()
	}
	rec.Ended = r.Now()
	return lines(it.key, e.Record(rec)), nil
}

type turns struct {
	*runner
	episode family.Episode
	agent   Agent
	told    int // bytes of the replies so far
	purse   purse
}

// maxTold bounds the replies of an episode whose record is one line.
const maxTold = 1 << 20

// next asks the agent for a reply and makes the turn. It returns how often the player was asked
// again.
func (t *turns) next(ctx context.Context) (retries int, err error) {
	if err := cmp.Or(ctx.Err(), t.allow()); err != nil {
		return 0, err
	}
	asked := t.Now()
	within, cancel := t.within(ctx)
	defer cancel()
	reply, err := t.agent.Reply(within)
	switch {
	case err != nil && ctx.Err() != nil:
		return 0, ctx.Err()
	case err != nil && within.Err() != nil:
		return 0, errLate
	case err != nil:
		return 0, err
	}
	t.told += size(reply)
	if t.told > maxTold && t.journal.layout.Side == "" {
		return 0, &Unreachable{Reason: fmt.Sprintf("the replies are longer than %d bytes, more than a record holds", maxTold)}
	}
	reply.LatencyMS = max(0, t.Now().Sub(asked).Milliseconds()) // a clock may be set back
	reply.Cost = judge.Cost(t.Run.Price, reply.Usage)
	t.purse.pay(t.episode, reply)
	_, err = t.episode.Act(reply)
	return reply.Retries, err
}

// errLate is that the deadline of an episode passed while its player was asked.
var errLate = errors.New("the time of the episode is over")

// within bounds a question by the deadline of an episode that has one, and by that of its budget.
func (t *turns) within(ctx context.Context) (context.Context, context.CancelFunc) {
	end := func() {}
	if timed, ok := t.episode.(family.Timed); ok {
		ctx, end = context.WithDeadline(ctx, timed.Deadline())
	}
	if t.purse.until.IsZero() {
		return ctx, end
	}
	within, also := context.WithTimeout(ctx, t.purse.until.Sub(t.Now()))
	return within, func() { also(); end() }
}

func size(r family.Reply) (n int) {
	for _, text := range []*string{r.Text, r.Reasoning} {
		if text != nil {
			n += len(*text)
		}
	}
	for _, c := range r.Calls {
		n += len(c.Name) + len(c.Arguments)
	}
	return n
}
