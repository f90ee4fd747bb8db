package session

import (
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

// Usage is what a client tells of the tokens of a turn. What is left out is not zero, so prompt and
// output must be there.
type Usage struct {
	Prompt    *int64 `json:"prompt" jsonschema:"tokens of the prompt, cached ones included"`
	Cached    int64  `json:"cached,omitempty" jsonschema:"tokens of the prompt that the endpoint had read before"`
	Output    *int64 `json:"output" jsonschema:"tokens of the reply, those of reasoning included"`
	Reasoning int64  `json:"reasoning,omitempty" jsonschema:"tokens of reasoning"`
}

// Expense returns what comes with a turn of a client that tells what its model used and what that
// cost, nil for what it does not tell. It is a claim, for the record: nothing here can check it.
func Expense(u *Usage, cost *string) (said family.Said, err error) {
	if u != nil {
		if u.Prompt == nil || u.Output == nil {
			return said, family.Refuse(family.CodeBadField, "usage",
				"usage counts the tokens of prompt and output, both of them")
		}
		said.Usage = &schemas.Usage{
			Prompt: *u.Prompt, Cached: u.Cached, Output: *u.Output, Reasoning: u.Reasoning,
		}
		if err := trace.CheckUsage(said.Usage); err != nil {
			return said, family.Refuse(family.CodeBadField, "usage", "%s", err)
		}
	}
	if cost != nil {
		if _, ok := judge.PlainDecimal(*cost); !ok {
			return said, family.Refuse(family.CodeBadField, "cost",
				`cost is a decimal number in a text, such as "0.0125"`)
		}
		said.Cost = cost
	}
	return said, nil
}
