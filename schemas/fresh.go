package schemas

// Since is what a build of fresh pairs reads of an older release: its manifest and its graph.
var Since = Artifact{Name: "since", Version: 1, Files: []string{"manifest.json", "graph.arrow"}}

// Fresh is the columns of Distances again, with Unreached in the place of every distance that the
// links which the older release has too make up as well: what is left are the pairs of which every
// shortest path needs a link or page that the older release lacks. 1: first layout.
var Fresh = Artifact{Name: "fresh", Version: 1, Files: Distances.Files}

// Common is the graph with those of its links that the older release has too, as GraphTable, and
// since.json, a FreshReport. 1: first layout.
var Common = Artifact{Name: "common", Version: 1, Files: []string{"common.arrow", "since.json"}}

// FreshReportSchema names the version of since.json. 1: first layout.
const FreshReportSchema = "wikinav.fresh/1"

// FreshReport says what pairs are fresh against, and how many are.
type FreshReport struct {
	Schema  string `json:"schema"`
	Since   string `json:"since"`   // id of the older release
	Name    string `json:"name"`    // of the older release
	Date    string `json:"date"`    // of its snapshot
	Licence string `json:"licence"` // of its data
	Match   string `json:"match"`   // MatchPageID or MatchTitle
	Pages   [2]int `json:"pages"`   // that the older graph has too, of all
	Links   [2]int `json:"links"`   // that the older graph has too, of all
	Pairs   int64  `json:"pairs"`   // that are fresh, from any page to one with a column
}

// By what pages of two releases are the same.
const (
	MatchPageID = "page_id"
	MatchTitle  = "title" // of an edge list, whose lines number the pages
)
