package verdict

import (
	"context"
	_ "embed"
	"fmt"
	"slices"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

//go:embed checks.jsonl
var checksText []byte

// fixed is a reasoning whose verdict we know, because we wrote it.
type fixed struct {
	Pool        string   `json:"pool"`
	Title       string   `json:"title"`
	Banned      string   `json:"banned"`
	Labels      []string `json:"labels"`
	Restriction string   `json:"restriction"`
	Type        string   `json:"type"`
}

// SelfCheck is how a judge does on the fixed reasonings. It is information and no gate: whoever
// reads rates should know their judge.
type SelfCheck struct {
	N      int      `json:"n"`
	Flag   int      `json:"flag"` // verdicts that are sound or contradictory as expected
	Type   int      `json:"type"` // of those, the ones of the expected type
	Errors int      `json:"errors"`
	Wrong  []string `json:"wrong"` // each a line on what was expected and said
}

func fixedReasonings() ([]fixed, error) { return trace.Lines[fixed](checksText, "checks.jsonl") }

func (f fixed) statement(i int) family.Statement {
	return family.Statement{
		Run: "check", Game: fmt.Sprintf("check-%02d", i+1), Step: 1, Title: f.Title, Banned: f.Banned, Labels: f.Labels, Restriction: f.Restriction,
		Violates: f.Pool == schemas.PoolIII,
	}
}

// expectsBad reports whether the flag counts in the pool's rate.
func (f fixed) expectsBad() bool {
	if f.Pool == schemas.PoolIII {
		return slices.Contains(contradictory, f.Type)
	}
	return f.Type != schemas.ErrorNone
}

// SelfCheck asks the judge about the fixed reasonings. Nothing is recorded.
func (a Asking) SelfCheck(ctx context.Context) (SelfCheck, error) {
	list, err := fixedReasonings()
	if err != nil {
		return SelfCheck{}, err
	}
	c := SelfCheck{N: len(list), Wrong: []string{}}
	if err := a.meet(ctx, list[0].statement(0)); err != nil {
		return c, err
	}
	for i, f := range list {
		v, _, err := a.ask(ctx, f.statement(i))
		if err != nil {
			return c, err
		}
		c.count(f, v)
	}
	return c, nil
}

func (c *SelfCheck) count(f fixed, v schemas.Verdict) {
	if v.Verdict == nil {
		c.Errors++
		c.Wrong = append(c.Wrong, fmt.Sprintf("%s, pool %s: want %s, got an error: %s", f.Title, f.Pool, f.Type, *v.Error))
		return
	}
	if Bad(*v.Verdict) == f.expectsBad() {
		if c.Flag++; Type(*v.Verdict) == f.Type {
			c.Type++
			return
		}
	}
	c.Wrong = append(c.Wrong, fmt.Sprintf("%s, pool %s: want %s, got %s", f.Title, f.Pool, f.Type, Type(*v.Verdict)))
}
