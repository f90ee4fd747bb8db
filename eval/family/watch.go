package family

import "github.com/wikinav/wikinav/schemas"

// Watched is an Episode that somebody may look on who knows all that the release does: nothing of
// it is for a player.
type Watched interface{ Watch() Watch }

// Watch is what there is to see of an episode between two turns.
type Watch struct {
	Place string   // where the player is, in one line
	Menu  []Choice // what it may do now; nil where that cannot be listed
	Left  *int     // turns that an optimal player would make from here; nil where none leads to success
	Done  string   // what the last turn did, in the words of Menu; "" for nothing
}

type Choice struct {
	Label   string `json:"label"`
	Optimal bool   `json:"optimal,omitempty"`
}

// Mark lists choices of which some are optimal, these first where the list lacks them.
func Mark(labels, optimal []string) []Choice {
	var list []Choice
	at := map[string]int{}
	for _, label := range labels {
		at[label] = len(list)
		list = append(list, Choice{Label: label})
	}
	var more []Choice
	for _, label := range optimal {
		if i, listed := at[label]; listed {
			list[i].Optimal = true
		} else {
			more = append(more, Choice{label, true})
		}
	}
	return append(more, list...)
}

// Measured is an Episode that knows what is left of it: what a reward may tell, and no observation.
type Measured interface {
	// Left returns the turns that an optimal player would make from here; nil where none leads to
	// success.
	Left() *int
	// Optimal reports whether the last turn was one that an optimal player could have made.
	Optimal() bool
}

// Judged is an Episode whose outcome does not say whether it was won.
type Judged interface{ Won() bool }

// Won reports whether an episode was won, as Score has it by default.
func Won(e Episode) bool {
	if j, ok := e.(Judged); ok {
		return j.Won()
	}
	return e.Outcome() == schemas.OutcomeSuccess
}

// Retold is a Set that knows what the replies of an item were from the item's lines in the log.
// Those of other sets stand in fields that all records share: see package retell.
type Retold interface {
	Replies(main []byte, side [][]byte) ([]Reply, error)
}
