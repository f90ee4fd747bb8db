package play

import (
	"fmt"
	"math/big"
	"time"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/schemas"
)

// Limits are what a run may take besides tokens and money, which are the player's to bound. They
// change no game, only how many are played: what is zero has no bound. Episodes under way when one
// is reached are left, and played anew by the same call under a larger one.
type Limits struct {
	Turns int64     // from now on
	Until time.Time // no turn begins later
}

// allow books a turn that is about to be made, or returns an ErrStop that says what is over.
func (r *runner) allow() error {
	switch {
	case !r.Limits.Until.IsZero() && !r.Now().Before(r.Limits.Until):
		return fmt.Errorf("%w: the time of the run is over", ErrStop)
	case r.Limits.Turns != 0 && r.made.Add(1) > r.Limits.Turns:
		return fmt.Errorf("%w: the turns of the run are made", ErrStop)
	}
	return nil
}

// purse is what an episode has used of the budget that the rules give each game.
type purse struct {
	*schemas.GameBudget
	turns int
	used  schemas.Usage
	until time.Time
}

func newPurse(b *schemas.GameBudget, now time.Time) purse {
	p := purse{GameBudget: b}
	if b != nil && b.Seconds > 0 {
		p.until = now.Add(time.Duration(b.Seconds) * time.Second)
	}
	return p
}

// pay books a turn that e is about to make. A reply that tells no tokens counts as one a byte, as
// its prompt does.
func (p *purse) pay(e family.Episode, r family.Reply) {
	p.turns++
	switch {
	case p.GameBudget == nil || p.Tokens == 0 && p.Cost == "":
	case r.Usage != nil:
		p.used.Add(*r.Usage)
	default:
		for _, m := range e.Messages() {
			p.used.Prompt += int64(len(m.Content))
		}
		p.used.Output += int64(size(r))
	}
}

// spent returns which budget of the game is used up, "" for none.
func (p *purse) spent(now time.Time) string {
	if p.GameBudget == nil {
		return ""
	}
	tokens := p.used.Prompt + p.used.Output
	switch {
	case p.Turns > 0 && p.turns >= p.Turns:
		return fmt.Sprintf("its %d turns are made", p.Turns)
	case p.Tokens > 0 && tokens >= p.Tokens:
		return fmt.Sprintf("%d tokens of %d are used", tokens, p.Tokens)
	case p.Cost != "" && p.cost().Cmp(p.bound()) >= 0:
		return fmt.Sprintf("it cost %s of %s %s", *judge.DecimalOf(p.cost()), p.Cost, p.Price.Currency)
	case p.Seconds > 0 && !now.Before(p.until):
		return fmt.Sprintf("its %d seconds are over", p.Seconds)
	}
	return ""
}

func (p *purse) cost() *big.Rat { return judge.ExactCost(p.Price, &p.used) }

func (p *purse) bound() *big.Rat {
	bound, _ := judge.PlainDecimal(p.Cost) // checked as it was read
	return bound
}
