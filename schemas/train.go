package schemas

// TrainRowSchema names the record's version. 1: first layout.
const TrainRowSchema = "train.row/1"

// TrainRow is a dialogue to train on: the messages that a model reads when it is evaluated, and its
// replies.
type TrainRow struct {
	Schema   string    `json:"schema"`
	ID       string    `json:"id"`   // WALK-TURN
	Walk     string    `json:"walk"` // id of the walk that it is of
	Family   string    `json:"family"`
	Kind     string    `json:"kind"` // optimal, recovery or step
	Turn     int       `json:"turn"` // of its last reply in the walk, from 1
	Left     int       `json:"left"` // turns of an optimal player, that reply included
	Messages []Message `json:"messages"`
	Train    []bool    `json:"train"` // of each message: it is a reply to be learnt
	Tools    string    `json:"tools"` // what may be called, as a JSON array; "" for nothing
}

// TrainWalkSchema names the record's version. 1: first layout.
const TrainWalkSchema = "train.walk/1"

// TrainWalk is what rows were made from: enough to play it again.
type TrainWalk struct {
	Schema   string      `json:"schema"`
	ID       string      `json:"id"`
	Family   string      `json:"family"`
	Kind     string      `json:"kind"`
	Task     string      `json:"task"`   // id in the release of the tasks; "" for one that was posed
	Source   *PageRef    `json:"source"` // null for tasks that are no pair of pages
	Target   *PageRef    `json:"target"`
	Under    string      `json:"under"`    // what is asked of the pair besides, such as a ban
	Instance string      `json:"instance"` // what is asked, where that is no pair; "" for a pair
	Parts    []string    `json:"parts"`    // what the instance is made of, such as pages
	Seed     int64       `json:"seed"`     // of a posed task
	Left     int         `json:"left"`     // turns of an optimal player from the start
	Wrong    int         `json:"wrong"`    // wrong moves
	Moves    []TrainMove `json:"moves"`
	Rows     int         `json:"rows"`
	Outcome  string      `json:"outcome"` // "" where the walk was left after a turn
}

// TrainMove is a reply of a walk: words, or calls of tools.
type TrainMove struct {
	Text  *string        `json:"text,omitempty"`
	Calls []CalledByName `json:"calls,omitempty"`
	Wrong bool           `json:"wrong,omitempty"`
}
