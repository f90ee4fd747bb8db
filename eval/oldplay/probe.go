package play

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/artifacts/probe"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
)

// ProbeConfig says what to ask of whom. Run, which Describe completes, and Questions decide every byte but the clock field.
type ProbeConfig struct {
	Dir       string
	Run       schemas.GameRun
	Player    ProbePlayer
	Questions []Question // in the order of asking
	Workers   int        // questions at a time; 0: one
	Limit     int        // ask only the first so many; 0: all
	Again     bool       // questions on which the endpoint failed are put once more
	Now       func() time.Time
	Progress  func(done, total int) // called after each reply
}

// ProbePlayer answers the questions of a companion set in words.
type ProbePlayer interface {
	Name() string
	Kind() string // one of the schemas.Kind words
	answer(context.Context, Question) (Said, error)
}

// Question is a question as a player sees it: it tells neither class nor distance. The id would name the class, so it
// is not shown either.
type Question struct {
	id           string
	Messages     []schemas.Message `json:"messages"`
	PromptSHA256 string            `json:"prompt_sha256"`
}

// ProbeQuestions words the questions of the knowledge probe.
func ProbeQuestions(list []schemas.ProbeInstance) []Question {
	out := make([]Question, len(list))
	for i, q := range list {
		messages := probe.Messages(q.Source.Title, q.Target.Title)
		out[i] = Question{q.ID, messages, prompt.Hash(messages)}
	}
	return out
}

// OneStepQuestions gives the questions of a one-step set, which carry their own wording.
func OneStepQuestions(list []schemas.OneStepInstance) []Question {
	out := make([]Question, len(list))
	for i, q := range list {
		out[i] = Question{q.ID, q.Messages, prompt.Hash(q.Messages)}
	}
	return out
}

var probePlayers = map[string]func(Setup) ProbePlayer{
	"lines":      func(s Setup) ProbePlayer { return newLines(s) },
	"random":     func(s Setup) ProbePlayer { return random{s.Seed} },
	playerOpenAI: func(s Setup) ProbePlayer { return speaking{s.Model, s.Lenient} },
}

// ProbeNames lists the players of the probe.
func ProbeNames() []string { return slices.Sorted(maps.Keys(probePlayers)) }

// ProbePlayer gives the player of the probe called name, or a usage fault that lists them.
func (s Setup) ProbePlayer(name string) (ProbePlayer, error) {
	start, ok := probePlayers[name]
	if !ok {
		return nil, fault.New(fault.Usage, "no player called %s answers the probe", fault.Quote(name)).Hint("choose from %s", strings.Join(ProbeNames(), ", "))
	}
	if name == playerOpenAI && s.Model.Speak == nil {
		return nil, errNoModel
	}
	return start(s), nil
}

// answer is yes or no with equal chance, from a stream of the question's own.
func (p random) answer(_ context.Context, q Question) (Said, error) {
	words := []string{schemas.GoldYes, schemas.GoldNo}
	pick := rng.New(uint64(p.seed), "player", "random", q.id).Below(len(words))
	return Said{Text: `\boxed{` + words[pick] + `}`}, nil
}

func (l *lines) answer(_ context.Context, q Question) (Said, error) {
	if _, err := fmt.Fprintf(l.out, "%s\n", canon.MustMarshal(q)); err != nil {
		return Said{}, err
	}
	text, err := l.read()
	return Said{Text: text}, err
}

// probeLogs is the log of replies.
var probeLogs = logs{
	main: trace.RepliesFile,
	key: keyOf(func(k struct {
		ID string `json:"id"`
	},
	) string {
		return k.ID
	}),
}

// RunProbe asks every question that the run directory has no reply to yet, and gives the number of replies it then holds. When
// ctx ends it stops between two questions; the same call goes on from there. Processes share the questions as they do in Run.
func RunProbe(ctx context.Context, c ProbeConfig) (int, error) {
	items := c.items()
	j, err := gameRun.join(c.Dir, c.Run, c.Now, probeLogs, keys(items), func(j *journal) error {
		_, err := trace.OpenReplies(j.dir)
		return err
	})
	if err != nil {
		return 0, err
	}
	err = errors.Join(c.askAll(ctx, j, items), j.tidy())
	n := j.count()
	if closed := j.close(); err == nil {
		err = closed
	}
	return n, err
}

func (c ProbeConfig) items() []item[Question] {
	items := make([]item[Question], len(c.Questions))
	for i, q := range c.Questions {
		items[i] = item[Question]{q, q.id, i}
	}
	return items
}

func (c ProbeConfig) askAll(ctx context.Context, j *journal, items []item[Question]) error {
	if c.Again {
		if err := j.retry(failedReply); err != nil {
			return err
		}
	}
	if _, one := c.Player.(single); one {
		c.Workers = 1
	}
	s := shift[Question]{journal: j, items: limit(items, c.Limit), after: progress(c.Progress, len(limit(items, c.Limit))), play: func(ctx context.Context, q Question) (_, line []byte, err error) {
		r, err := c.ask(ctx, q)
		r.Retried = r.Retried || j.again[q.id]
		return nil, appendLines(nil, r), err
	}}
	return s.run(ctx, max(1, c.Workers))
}

func failedReply(line []byte) bool {
	var r trace.Reply
	return json.Unmarshal(line, &r) == nil && r.Infra != nil
}

// ask puts one question. That the player could not be asked is a reply that says so.
func (c ProbeConfig) ask(ctx context.Context, q Question) (trace.Reply, error) {
	said, err := c.Player.answer(ctx, q)
	r := trace.Reply{
		ID: q.id, Reply: said.Text, PromptSHA256: &q.PromptSHA256, Usage: said.Usage, Reasoning: said.Reasoning,
		Cost: judge.Cost(c.Run.Price, said.Usage), Retries: said.Retries, Flag: said.Flag, Retried: said.Retries > 0,
	}
	if errors.Is(err, ErrInfra) {
		reason := err.Error()
		r.Infra, r.Retried = &reason, repeated(err)
		return r, nil
	}
	return r, err
}
