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

// contradictory are the types that go with is_self_contradictory.
var contradictory = schemas.ContradictionTypes[:4]

// Check refuses a verdict that is not of the pool's form, or whose flag and type exclude each other.
func Check(pool string, r schemas.Reasoning) error {
	switch pool {
	case schemas.PoolII:
		if r.Contradictory != nil || r.ContradictionType != "" {
			return errors.New("fields of pool III in a verdict of pool II")
		}
		return agree("reasoning_sound", r.Sound, "error_type", r.ErrorType, schemas.ErrorTypes, []string{schemas.ErrorNone})
	case schemas.PoolIII:
		if r.Sound != nil || r.ErrorType != "" {
			return errors.New("fields of pool II in a verdict of pool III")
		}
		return agree("is_self_contradictory", r.Contradictory, "contradiction_type", r.ContradictionType, schemas.ContradictionTypes, contradictory)
	}
	return fmt.Errorf("there is no pool %s", fault.Quote(pool))
}

// agree wants flag and kind to stand, kind to be one of all, and the flag to be true for those of yes alone.
func agree(flagName string, flag *bool, kindName, kind string, all, yes []string) error {
	switch {
	case flag == nil:
		return fmt.Errorf("%s is missing", flagName)
	case !slices.Contains(all, kind):
		return fmt.Errorf("%s is %s, want one of %v", kindName, fault.Quote(kind), all)
	case *flag != slices.Contains(yes, kind):
		return fmt.Errorf("%s is %v with %s %s", flagName, *flag, kindName, kind)
	}
	return nil
}
