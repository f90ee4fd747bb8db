package schemas

// PairFiles is the files in which users list pairs of pages, one for each split that is made of
// them. The role of a file is RolePairs with the name of its split after it. 1: text.
var PairFiles = Artifact{Name: "pair_files", Version: 1, Files: []string{"*"}}

// RolePairs begins the role of a file of pairs.
const RolePairs = "pairs-"

// Listed is the rows of these files with the nodes that they name: NAME.jsonl has the ListedRows of
// split NAME, in the order of the file. 1: first layout.
var Listed = Artifact{Name: "listed", Version: 1, Files: []string{"*.jsonl"}}

// ListedRowSchema names the version of ListedRow. 1: first layout.
const ListedRowSchema = "wikinav.listed_row/1"

// ListedRow is what became of a row of a file of pairs.
type ListedRow struct {
	Schema   string   `json:"schema"`
	Split    string   `json:"split" doc:"the split that the file makes"`
	Line     int64    `json:"line" doc:"line of the file, from 1"`
	Source   string   `json:"source" doc:"the page to start from, as the file names it"`
	Target   string   `json:"target" doc:"the page to reach, as the file names it"`
	Nodes    []uint32 `json:"nodes" doc:"source and target in the graph; empty where one of them is not there"`
	Reason   string   `json:"reason" doc:"why the row is no instance of its own; empty while it may be one"`
	Instance string   `json:"instance" doc:"of a duplicate: the instance of the row that it repeats"`
}

// Reasons of rows that are no instances of their own. The words are those of imported games.
const (
	RowFieldCount   = "field_count"        // the row has not the fields that list a pair
	RowBadText      = "bad_text"           // a name cannot be read
	RowEmptyPath    = "empty_path"         // the game of this row visits no page
	RowUnknownTitle = "unknown_title"      // no page and no redirect of the snapshot has the name
	RowOutside      = "outside_graph"      // a page of the snapshot that is not in the graph
	RowSame         = "source_is_target"   // both names are one page
	RowUnreachable  = "unreachable_target" // no path leads from source to target
	RowTooFar       = "too_far"            // 254 links or more
	RowNotFresh     = "not_fresh"          // the release of --fresh-since can answer the pair
	RowDuplicate    = "duplicate"          // a row before lists the same two pages
)

// RowReasons lists the reasons in the order in which a row is looked at.
var RowReasons = []string{
	RowFieldCount, RowBadText, RowEmptyPath, RowUnknownTitle, RowOutside, RowSame, RowDuplicate,
	RowUnreachable, RowTooFar, RowNotFresh,
}
