package play

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
)

// ProbeConfig says what to ask of whom. Run, which Describe completes, and Questions decide every byte but the clock field.
type ProbeConfig struct {
	Dir       string
	Run       schemas.Run
	Player    ProbePlayer
	Questions []schemas.ProbeInstance // in the order of asking
	Now       func() time.Time
	Progress  func(done, total int) // called after each reply
}

// ProbePlayer answers the knowledge probe in words, one question at a time.
type ProbePlayer interface {
	Name() string
	Kind() string // one of the schemas.Kind words
	answer(ProbeQuestion) (string, error)
}

// ProbeQuestion is a question as a player sees it: it tells neither class nor distance. The id would name the class, so it
// is not shown either.
type ProbeQuestion struct {
	id           string
	Messages     []schemas.Message `json:"messages"`
	PromptSHA256 string            `json:"prompt_sha256"`
}

func newQuestion(q schemas.ProbeInstance) ProbeQuestion {
	messages := prompt.ProbeMessages(q.Source.Title, q.Target.Title)
	return ProbeQuestion{q.ID, messages, prompt.Hash(messages)}
}

var probePlayers = map[string]func(Setup) ProbePlayer{
	"lines":  func(s Setup) ProbePlayer { return newLines(s) },
	"random": func(s Setup) ProbePlayer { return random{s.Seed} },
}

// ProbeNames lists the players of the probe.
func ProbeNames() []string { return slices.Sorted(maps.Keys(probePlayers)) }

// ProbePlayer gives the player of the probe called name, or a usage fault that lists them.
func (s Setup) ProbePlayer(name string) (ProbePlayer, error) {
	start, ok := probePlayers[name]
	if !ok {
		return nil, fault.New(fault.Usage, "no player called %s answers the probe", fault.Quote(name)).Hint("choose from %s", strings.Join(ProbeNames(), ", "))
	}
	return start(s), nil
}

// answer is yes or no with equal chance, from a stream of the question's own.
func (p random) answer(q ProbeQuestion) (string, error) {
	words := []string{schemas.GoldYes, schemas.GoldNo}
	pick := rng.New(uint64(p.seed), "player", "random", q.id).Below(len(words))
	return `\boxed{` + words[pick] + `}`, nil
}

func (l *lines) answer(q ProbeQuestion) (string, error) {
	if _, err := fmt.Fprintf(l.out, "%s\n", canon.MustMarshal(q)); err != nil {
		return "", err
	}
	return l.read()
}

// RunProbe asks every question that the run directory has no reply to yet, and gives the number of replies it then holds. When
// ctx ends it stops between two questions; the same call goes on from there.
func RunProbe(ctx context.Context, c ProbeConfig) (int, error) {
	dir, err := openProbeDir(c.Dir, c.Run, c.Now)
	if err != nil {
		return 0, err
	}
	err = c.askAll(ctx, dir)
	if closed := dir.close(); err == nil {
		err = closed
	}
	return len(dir.finished), err
}

func (c ProbeConfig) askAll(ctx context.Context, dir *probeDir) error {
	for _, q := range c.Questions {
		if _, done := dir.finished[q.ID]; done {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		question := newQuestion(q)
		text, err := c.Player.answer(question)
		if err != nil {
			return err
		}
		if err := dir.add(trace.Reply{ID: q.ID, Reply: text, PromptSHA256: &question.PromptSHA256}); err != nil {
			return err
		}
		if c.Progress != nil {
			c.Progress(len(dir.finished), len(c.Questions))
		}
	}
	return nil
}
