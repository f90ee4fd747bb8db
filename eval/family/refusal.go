package family

// Codes of refusals: what a client that plays from outside did wrong. The HTTP server answers each with
// its status, the server of the Model Context Protocol puts it before the message.
const (
	CodeBadField         = "bad_field"
	CodeBadOption        = "bad_option"
	CodeBadChoice        = "bad_choice" // not one of those listed
	CodeInstanceNotFound = "instance_not_found"
	CodeStepPlayed       = "step_played"
	CodeStepAhead        = "step_ahead"
	CodeGameOver         = "game_over"
	CodeGameRunning      = "game_running"
	CodeBackDisabled     = "back_disabled"
	CodeNotFound         = "not_found"
	CodeTooManyGames     = "too_many_games"
)
