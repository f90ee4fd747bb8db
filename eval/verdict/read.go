package verdict

import (
	"errors"
	"fmt"
	"slices"

	"github.com/wikinav/wikinav/eval/links/reply"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// read gives the verdict that a judge's reply holds: its first JSON object, of the rubric's form and free of contradiction.
func read(pool, text string) (*schemas.Reasoning, error) {
	object, ok := reply.Object(text)
	if !ok {
		return nil, errors.New("the reply has no JSON object")
	}
	var told struct {
		Sound             *bool   `json:"reasoning_sound"`
		ErrorType         *string `json:"error_type"`
		Contradictory     *bool   `json:"is_self_contradictory"`
		ContradictionType *string `json:"contradiction_type"`
		Explanation       *string `json:"brief_explanation"`
	}
	if err := canon.Decode([]byte(object), canon.MaxLine, &told); err != nil {
		return nil, err
	}
	if told.Explanation == nil {
		return nil, errors.New("brief_explanation is missing")
	}
	r := schemas.Reasoning{Sound: told.Sound, Contradictory: told.Contradictory, Explanation: *told.Explanation}
	if told.ErrorType != nil {
		r.ErrorType = *told.ErrorType
	}
	if told.ContradictionType != nil {
		r.ContradictionType = *told.ContradictionType
	}
	return &r, Check(pool, r)
}

// Check refuses a verdict that is not of the pool's form, or whose flag and type exclude each other.
func Check(pool string, r schemas.Reasoning) error {
	f, ok := forms[pool]
	if !ok {
		return fmt.Errorf("there is no pool %s", fault.Quote(pool))
	}
	flag, kind, other, foreign := r.Sound, r.ErrorType, schemas.PoolIII, r.Contradictory != nil || r.ContradictionType != ""
	if pool == schemas.PoolIII {
		flag, kind, other, foreign = r.Contradictory, r.ContradictionType, schemas.PoolII, r.Sound != nil || r.ErrorType != ""
	}
	switch {
	case foreign:
		return fmt.Errorf("fields of pool %s in a verdict of pool %s", other, pool)
	case flag == nil:
		return fmt.Errorf("%s is missing", f.flag)
	case !slices.Contains(f.types, kind):
		return fmt.Errorf("%s is %s, want one of %v", f.kind, fault.Quote(kind), f.types)
	case *flag != slices.Contains(f.whereTrue, kind):
		return fmt.Errorf("%s is %v with %s %s", f.flag, *flag, f.kind, kind)
	}
	return nil
}
