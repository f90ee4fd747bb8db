package schemas

// Wikirace is the instances of the first family, one file per split, and the shortage report.
// 1: features is an empty object.
var Wikirace = Artifact{Name: "wikirace", Version: 1, Files: []string{"*.jsonl", "shortage.json"}}

// WikiraceInstanceSchema names the record's version. 1: features is an empty object.
const WikiraceInstanceSchema = "wikirace.instance/1"

// WikiraceInstance asks for a walk from Source to Target along links (wikirace specification 5.5).
type WikiraceInstance struct {
	Schema       string           `json:"schema"`
	ID           string           `json:"id"` // wr-<split>-<0001..>
	Split        string           `json:"split"`
	Key          string           `json:"key"` // <wiki>:<source page id>:<target page id>, stable over snapshots
	Source       PageRef          `json:"source"`
	Target       PageRef          `json:"target"`
	Distance     int              `json:"distance"` // links on a shortest path
	Witness      []uint32         `json:"witness"`  // the smallest shortest path by node, both ends included
	MaxSteps     int              `json:"max_steps"`
	MaxLinks     int              `json:"max_links"`
	Seed         int64            `json:"seed"` // of the game's menus
	GraphSHA256  string           `json:"graph_sha256"`
	RecipeSHA256 string           `json:"recipe_sha256"`
	Features     WikiraceFeatures `json:"features"`
}

// PageRef names a page of the graph: by node inside one snapshot, by page id over snapshots, by title for people.
type PageRef struct {
	Node   uint32 `json:"node"`
	PageID uint32 `json:"page_id"`
	Title  string `json:"title"`
}

// WikiraceFeatures says why an instance is hard. Version 1 of the record has none.
type WikiraceFeatures struct{}

// Shortage says, for one distance of one split, how many pairs were asked for and found (specification 5.4).
type Shortage struct {
	Split                 string `json:"split"`
	Distance              int    `json:"distance"`
	Requested             int    `json:"requested"`
	Got                   int    `json:"got"`
	Attempts              int    `json:"attempts"`
	SourcesTried          int    `json:"sources_tried"`
	Mode                  string `json:"mode"` // ModeSampled or ModeExhaustive
	EligiblePairs         *int64 `json:"eligible_pairs"`
	EligiblePairsReuseAny *int64 `json:"eligible_pairs_reuse_any"`
	MatchingBound         *int64 `json:"matching_bound"`
	Status                string `json:"status"` // StatusOK or StatusShort
}

// Words of a shortage report and of a manifest's splits.
const (
	ModeSampled    = "sampled"
	ModeExhaustive = "exhaustive"
	StatusOK       = "ok"
	StatusShort    = "short"
)
