package family

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

// Retold is a Set that knows what the replies of an item were from the item's lines in the log.
// Those of other sets stand in fields that all records share: see package retell.
type Retold interface {
	Replies(main []byte, side [][]byte) ([]Reply, error)
}
