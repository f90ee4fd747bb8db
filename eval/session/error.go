package session

import (
	"fmt"

	"github.com/wikinav/wikinav/schemas"
)

// Error is a request that a client should not have made. The game is as it was.
type Error struct {
	Code    string
	Field   string // of the request, "" for the request as a whole
	Message string
}

func (e *Error) Error() string { return e.Message }

// Codes of errors: publishing specification, 16.
const (
	CodeBadField         = "bad_field"
	CodeBadOption        = "bad_option"
	CodeBadChoice        = "bad_choice"
	CodeInstanceNotFound = "instance_not_found"
	CodeStepPlayed       = "step_played"
	CodeStepAhead        = "step_ahead"
	CodeGameOver         = "game_over"
	CodeGameRunning      = "game_running"
	CodeBackDisabled     = "back_disabled"
	CodeNotFound         = "not_found"
	CodeTooManyGames     = "too_many_games"
)

const gaveUp = schemas.OutcomeGaveUp

func errorf(code, field, format string, args ...any) *Error {
	return &Error{code, field, fmt.Sprintf(format, args...)}
}

func stepPlayed(step int) *Error {
	return errorf(CodeStepPlayed, "step", "step %d was played with another move", step)
}
