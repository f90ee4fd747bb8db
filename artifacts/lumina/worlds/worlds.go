// Package worlds holds the rules of ListWorld, TreeWorld and GridWorld: states, what a call does to them, and for every
// state the exact set of optimal calls.
//
// It promises that a state and a call determine everything, that Optimal is exact (the tests compare it with exhaustive
// search), that states are values which no later call changes, and that a record is read only if every derived
// field in it, the id included, is what the rules say. It has no randomness, renders no prompts and reads no replies.
//
// It lies among the artifacts because both halves need it: the stage to make instances, the evaluator to play them,
// and a verifier to do both. The generator is a package of its own, worlds/draw, which no judge imports.
//
// Rules: lumina specification, sections 3 to 5.
package worlds

import (
	"strconv"
	"strings"
)

// MaxFormatErrors is the default number of consecutive format errors that end an episode. A grid's turn limit leaves room for it.
const MaxFormatErrors = 3

// State is a moment of an episode. It is immutable and safe for concurrent use.
type State interface {
	// Optimal lists the calls that start an optimal completion, in the order of the plan oracle: never empty.
	Optimal() []Call
	// Legal lists the calls that the rules accept and that refer to what the agent knows, terminating ones included.
	Legal() []Call
	// Dead tells that no sequence of calls succeeds any more.
	Dead() bool
	// Apply makes a call whose name and argument belong to the world.
	Apply(Call) (State, Effect)
	// AppendCanonical appends the canonical JSON of what a state digest covers.
	AppendCanonical(dst []byte) []byte
}

type Call struct {
	Name  string
	Index int64  // of pop
	ID    string // of get_children and found
}

// Names of the calls.
const (
	Pop         = "pop"
	Done        = "done"
	GetChildren = "get_children"
	Found       = "found"
	Unreachable = "unreachable"
	Up          = "up"
	Down        = "down"
	Left        = "left"
	Right       = "right"
)

// String is the canonical text of the call.
func (c Call) String() string {
	switch c.Name {
	case Pop:
		return Pop + "(" + strconv.FormatInt(c.Index, 10) + ")"
	case GetChildren, Found:
		return c.Name + `("` + escape.Replace(c.ID) + `")`
	}
	return c.Name + "()"
}

var escape = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

type Effect struct {
	Event    Event
	Outcome  string  // "" while the episode goes on, else one of the schemas.Outcome words
	Children []Child // of EventChildren, in stored order
}

// Illegal tells that the call was refused.
func (e Effect) Illegal() bool {
	switch e.Event {
	case EventOutOfRange, EventBelowFloor, EventUnknownID, EventOffBoard:
		return true
	}
	return false
}

// Child is a node that a query reveals.
type Child struct {
	ID    string `json:"id"`
	Value int    `json:"val"`
}

// Event says what happened, for observations.
type Event int

const (
	EventPopped     Event = iota
	EventOutOfRange       // pop of an index that is not there
	EventBelowFloor       // pop left of the last one
	EventSpoiled          // a pop after which the target is out of reach
	EventChildren
	EventUnknownID
	EventMoved
	EventHole
	EventOffBoard
	EventTerminal // done, found, unreachable
)
