package main

import (
	"errors"
	"time"

	"github.com/wikinav/wikinav/eval/endpoint"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/play"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// budgetFlags bound each game and, with --max-cost and --max-tokens-total, the run.
type budgetFlags struct {
	MaxTurns int64         `flag:"max-turns-total" usage:"stop when the run has made so many turns"`
	MaxTime  time.Duration `flag:"max-time" usage:"stop after this time; the same command goes on"`

	GameTurns  int           `flag:"game-turns" usage:"end a game as spent after so many replies; it is a rule, as the three that follow"`
	GameTime   time.Duration `flag:"game-time" usage:"end a game as spent after this time, in whole seconds"`
	GameTokens int64         `flag:"game-tokens" usage:"openai: end a game as spent that used so many tokens"`
	GameCost   string        `flag:"game-cost" usage:"openai: end a game as spent that cost so much"`
}

func (f *budgetFlags) check() error {
	switch {
	case f.MaxTurns < 0:
		return fault.New(fault.Usage, "--max-turns-total %d: want more than 0", f.MaxTurns)
	case f.MaxTime < 0:
		return fault.New(fault.Usage, "--max-time %v: want more than 0", f.MaxTime)
	case f.GameTurns < 0:
		return fault.New(fault.Usage, "--game-turns %d: want more than 0", f.GameTurns)
	case f.GameTokens < 0:
		return fault.New(fault.Usage, "--game-tokens %d: want more than 0", f.GameTokens)
	case f.GameTime < 0 || f.GameTime%time.Second != 0:
		return fault.New(fault.Usage, "--game-time %v: want whole seconds, such as 90s", f.GameTime)
	}
	return nil
}

// game returns what the rules give each game, nil for no bounds.
func (f *budgetFlags) game(price *schemas.Price) (*schemas.GameBudget, error) {
	b := schemas.GameBudget{
		Turns: f.GameTurns, Tokens: f.GameTokens, Seconds: int64(f.GameTime / time.Second), Cost: f.GameCost,
	}
	if b.Cost != "" {
		x, ok := judge.PlainDecimal(b.Cost)
		switch {
		case !ok || x.Sign() == 0:
			return nil, fault.New(fault.Usage, "--game-cost %s: want a decimal number such as 0.05",
				fault.Quote(b.Cost))
		case price == nil:
			return nil, fault.New(fault.Usage, "--game-cost %s: nothing has a price", b.Cost).
				Hint("add --price-prompt and --price-output")
		}
		b.Price = price
	}
	if b == (schemas.GameBudget{}) {
		return nil, nil
	}
	return &b, nil
}

// limits returns what is left of the run after what its directory holds.
func (f *budgetFlags) limits(before play.Tally, now time.Time) (l play.Limits) {
	if f.MaxTime > 0 {
		l.Until = now.Add(f.MaxTime)
	}
	if f.MaxTurns > 0 {
		if l.Turns = f.MaxTurns - int64(before.Moves); l.Turns <= 0 {
			l.Turns = -1
		}
	}
	return l
}

// stopped returns the error of a run that one of its budgets ended.
func stopped(dir, unit string, left, all int, why error) error {
	e := fault.New(fault.Failure, "stopped before the budget could be exceeded: %d of %d %s not played",
		left, all, unit).At(dir, "")
	if errors.Is(why, endpoint.ErrSpent) {
		return e.Hint("raise --max-cost or --max-tokens-total and run the same command again")
	}
	return e.Hint("raise --max-turns-total or --max-time and run the same command again")
}
