package endpoint

import (
	"errors"
	"math/big"
	"sync"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// ErrSpent is the end of a budget: the request was not sent, because it might have gone beyond.
var ErrSpent = errors.New("the budget is spent")

// Budget is a cap on tokens or money that no request goes beyond. Before a request its price is not
// known, but a bound of it is: a token of the prompt is a byte at least, and max_tokens bounds the
// reply. Requests under way are counted with their bounds; so is a try whose answer was lost,
// because it may be charged.
//
// It is safe for concurrent use. A nil Budget has no cap.
type Budget struct {
	maxTokens int64    // 0: none
	maxCost   *big.Rat // nil: none
	price     *schemas.Price

	mu      sync.Mutex
	settled *sync.Cond
	spent   schemas.Usage
	held    schemas.Usage // of requests under way
}

// NewBudget returns a budget of so many tokens (0: any number) and so much money ("": any), of
// which spent is gone already.
func NewBudget(maxTokens int64, maxCost string, price *schemas.Price, spent schemas.Usage) (*Budget, error) {
	b := &Budget{maxTokens: maxTokens, price: price, spent: spent}
	b.settled = sync.NewCond(&b.mu)
	if maxTokens < 0 {
		return nil, fault.New(fault.Usage, "a budget of %d tokens", maxTokens)
	}
	if maxCost == "" {
		return b, nil
	}
	if price == nil {
		return nil, fault.New(fault.Usage, "a budget of %s, and no price", fault.Quote(maxCost)).Hint("say what a million tokens cost")
	}
	var ok bool
	if b.maxCost, ok = judge.PlainDecimal(maxCost); !ok || judge.ExactCost(price, &spent) == nil {
		return nil, fault.New(fault.Usage, "budget and prices are decimal numbers such as 2.50")
	}
	return b, nil
}

// bound returns the most that a request can cost: nothing of it is cached. Every message has a
// frame of a few tokens.
func (r Request) bound() schemas.Usage {
	const frame = 16
	u := schemas.Usage{Prompt: frame}
	for _, m := range r.Messages {
		u.Prompt += int64(len(m.Role)+len(m.Content)+len(m.ToolCallID)) + frame
		for _, c := range m.ToolCalls {
			u.Prompt += int64(len(c.ID)+len(c.Function.Name)+len(c.Function.Arguments)) + frame
		}
	}
	if r.Schema != nil {
		u.Prompt += int64(len(r.Schema.Schema))
	}
	u.Prompt += int64(len(r.Extra.JSON()))
	for _, t := range r.Tools {
		u.Prompt += int64(len(t.Name)+len(t.Description)+len(t.Schema)) + frame
	}
	if r.Asked.MaxTokens != nil {
		u.Output = *r.Asked.MaxTokens
	}
	return u
}

// admit waits until the bound fits next to the requests under way, and holds it. If it does not fit
// even alone, it returns ErrSpent.
func (b *Budget) admit(bound schemas.Usage) error {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for !b.fits(plus(plus(b.spent, b.held), bound)) {
		if !b.fits(plus(b.spent, bound)) {
			return ErrSpent
		}
		b.settled.Wait()
	}
	b.held = plus(b.held, bound)
	return nil
}

// settle returns the bound back and books what the request cost.
func (b *Budget) settle(bound, cost schemas.Usage) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.held = schemas.Usage{Prompt: b.held.Prompt - bound.Prompt, Output: b.held.Output - bound.Output}
	b.spent = plus(b.spent, cost)
	b.settled.Broadcast()
}

// Spent returns what is gone, with the bounds of what was lost on the way or told no tokens.
func (b *Budget) Spent() schemas.Usage {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.spent
}

func plus(a, b schemas.Usage) schemas.Usage {
	return schemas.Usage{Prompt: a.Prompt + b.Prompt, Cached: a.Cached + b.Cached, Output: a.Output + b.Output}
}

func (b *Budget) fits(u schemas.Usage) bool {
	if b.maxTokens > 0 && u.Prompt+u.Output > b.maxTokens {
		return false
	}
	return b.maxCost == nil || judge.ExactCost(b.price, &u).Cmp(b.maxCost) <= 0
}
