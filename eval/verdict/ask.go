package verdict

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/play"
	"github.com/wikinav/wikinav/schemas"
)

type Asking struct {
	Judge   schemas.Judge
	Model   play.Speaker
	Rubrics map[string]Rubric // by pool
	Workers int               // questions at a time, at least 1
	Retry   bool              // ask again where only an error is known
	Now     func() time.Time

	// Meet is shown the first question, where there is one, and returns how the judge is asked; nil
	// for Judge.
	Meet func(ctx context.Context, first play.Prompt) (schemas.Judge, error)
}

// meet settles how the judge is asked, before the first question.
func (a *Asking) meet(ctx context.Context, s family.Statement) (err error) {
	if a.Meet != nil {
		rubric := a.Rubrics[PoolOf(s)]
		a.Judge, err = a.Meet(ctx, play.Prompt{Messages: rubric.Messages(s), Schema: rubric.Schema()})
	}
	return err
}

type Counts struct {
	Asked   int `json:"asked"`   // calls, those for a second reply among them
	Known   int `json:"known"`   // moves whose verdict stood in the record
	ByRule  int `json:"by_rule"` // moves that need no judge, new in the record
	Written int `json:"written"` // verdicts of the judge, errors among them
	Errors  int `json:"errors"`  // of those
}

// Run has every move judged whose key the record does not hold, and appends the verdicts in the
// order of the moves. When ctx ends, what was appended stays, and the same call goes on from there.
func (a Asking) Run(ctx context.Context, moves []family.Statement, rec *Record) (Counts, error) {
	var n Counts
	var open []family.Statement
	for _, s := range moves {
		v, rule := a.rule(s)
		switch {
		case !rule && rec.settled(KeyOf(a.blank(s)), a.Retry), rule && rec.settled(KeyOf(v), false):
			n.Known++
		case rule:
			if err := rec.Add(v); err != nil {
				return n, err
			}
			n.ByRule++
		default:
			open = append(open, s)
		}
	}
	if len(open) > 0 {
		if err := a.meet(ctx, open[0]); err != nil {
			return n, err
		}
	}
	for len(open) > 0 {
		batch := open[:min(len(open), max(1, a.Workers))]
		open = open[len(batch):]
		if err := a.batch(ctx, batch, rec, &n); err != nil {
			return n, err
		}
	}
	return n, nil
}

// batch asks about some moves at once, and writes in their order.
func (a Asking) batch(ctx context.Context, moves []family.Statement, rec *Record, n *Counts) error {
	got, calls := make([]schemas.Verdict, len(moves)), make([]int, len(moves))
	group, ctx := errgroup.WithContext(ctx)
	for i, s := range moves {
		group.Go(func() error {
			return arrowio.Guard(func() (err error) {
				got[i], calls[i], err = a.ask(ctx, s)
				return err
			})
		})
	}
	err := group.Wait()
	for i, v := range got {
		n.Asked += calls[i]
		if v.Schema == "" { // interrupted
			continue
		}
		if err := rec.Add(v); err != nil {
			return err
		}
		n.Written++
		if v.Error != nil {
			n.Errors++
		}
	}
	return err
}

// again is what a judge is told whose reply does not count.
const again = "That reply does not count: "

// ask has one move judged, by two calls at most. A judge that does not answer (play.ErrInfra), or
// that gives no verdict twice, is an error in the record; any other error, and the end of ctx, ends
// the whole asking, and nothing is recorded.
func (a Asking) ask(ctx context.Context, s family.Statement) (v schemas.Verdict, calls int, err error) {
	rubric := a.Rubrics[PoolOf(s)]
	messages := rubric.Messages(s)
	v = a.blank(s)
	var usage *schemas.Usage
	for {
		said, failed := a.Model.Say(ctx, play.Prompt{Messages: messages, Schema: rubric.Schema()})
		calls++
		if ctx.Err() != nil {
			return schemas.Verdict{}, calls, ctx.Err()
		}
		switch {
		case errors.Is(failed, play.ErrInfra):
			return a.finish(v, "", usage, nil, failed), calls, nil
		case failed != nil:
			return schemas.Verdict{}, calls, failed
		}
		usage, v.Served = sum(usage, said.Usage), said.Served
		v.Reasoning, v.Flag, v.Retries = said.Reasoning, said.Flag, v.Retries+said.Retries
		text := ""
		if said.Text != nil {
			text = *said.Text
		}
		r, bad := read(v.Pool, text)
		if bad == nil || calls == 2 {
			return a.finish(v, text, usage, r, bad), calls, nil
		}
		messages = append(messages, schemas.Message{Role: schemas.RoleAssistant, Content: text},
			schemas.Message{Role: schemas.RoleUser, Content: again + bad.Error() + ". Answer with one JSON object of the form that was asked for."})
	}
}

// blank is the record of a move without its verdict.
func (a Asking) blank(s family.Statement) schemas.Verdict {
	rubric := a.Rubrics[PoolOf(s)]
	wording := rubric.Version()
	return schemas.Verdict{
		Schema: schemas.VerdictSchema, Run: s.Run, Game: s.Game, Step: s.Step, Pool: rubric.Pool, Judge: a.Judge, Template: wording.Version,
		TemplateSHA256: wording.SHA256, PromptSHA256: prompt.Hash(rubric.Messages(s)),
	}
}

func (a Asking) finish(v schemas.Verdict, raw string, usage *schemas.Usage, r *schemas.Reasoning, bad error) schemas.Verdict {
	v.Raw, v.RawSHA256, v.Usage, v.CreatedAt = raw, digest.SHA256([]byte(raw)), usage, a.Now().UTC().Format(time.RFC3339)
	if bad == nil {
		v.Verdict = r
	} else {
		v.Error = new(bad.Error())
	}
	return v
}

// rule returns the verdict on a move that needs no judge.
func (a Asking) rule(s family.Statement) (schemas.Verdict, bool) {
	r, ok := byRule(s)
	if !ok {
		return schemas.Verdict{}, false
	}
	v := a.blank(s)
	v.Judge = schemas.Judge{Model: schemas.JudgeRule, EndpointKind: schemas.JudgeRule, Params: map[string]string{}}
	return a.finish(v, "", nil, &r, nil), true
}

// sum adds tokens; what is missing is not zero.
func sum(a, b *schemas.Usage) *schemas.Usage {
	if a == nil || b == nil {
		return b
	}
	total := *a
	total.Add(*b)
	return &total
}
