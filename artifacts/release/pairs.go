package release

import "github.com/wikinav/wikinav/artifacts/flat"

// Pair is a row of the table "instances" of catalog.sqlite, which has the pairs of pages of all parts.
type Pair struct {
	ID       string   `json:"id"`
	Family   string   `json:"family"`
	Split    string   `json:"split"` // "" where the family has no splits
	Key      string   `json:"key"`   // "" where the family has no keys
	Source   uint32   `json:"source" flat:",ref=pages.node"`
	Target   uint32   `json:"target" flat:",ref=pages.node"`
	Distance int      `json:"distance"`
	Witness  []uint32 `json:"witness" flat:",ref=pages.node"` // a path; empty where the record has none
}

var pairs = flat.For[Pair]("wikinav.catalog_instances/1")

func PairRows(list []Pair) flat.Rows { return pairs.Rows("instances", list, "split") }
