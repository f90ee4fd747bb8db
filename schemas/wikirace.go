package schemas

// Wikirace is the instances of the first family, one file per split, and the shortage report.
// 1: features is an empty object. 2: features of the specification, 5.6. 3: rw_method and rw_interval.
var Wikirace = Artifact{Name: "wikirace", Version: 3, Files: []string{"*.jsonl", "shortage.json"}}

// WikiraceInstanceSchema names the record's version. 1: the record of the specification, 5.5; before the first release its
// features were empty.
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

// WikiraceFeatures says why an instance is hard (wikirace specification 5.6). N(u) is the successors of u, M(u) the menu
// that the default game makes of them with the instance's id, seed and max_links; an optimal first move is a link from
// the source that is one nearer to the target. Walks and agents have max_steps steps.
type WikiraceFeatures struct {
	ShortestPaths          uint64 `json:"n_shortest_paths"`
	ShortestPathsSaturated bool   `json:"n_shortest_saturated"` // there are more than the 2^53-1 that n_shortest_paths then says

	OptFirst     int `json:"opt_first"`      // optimal first moves in N(source)
	OutDegree    int `json:"out_degree"`     // links in N(source)
	OptFirstMenu int `json:"opt_first_menu"` // optimal first moves in M(source)
	MenuSize     int `json:"menu_size"`      // links in M(source)

	SourceInDegree  int `json:"source_in_degree"`
	TargetInDegree  int `json:"target_in_degree"`
	TargetOutDegree int `json:"target_out_degree"`
	TargetInMaxOut  int `json:"target_in_max_out"` // the largest out-degree among the pages that link to the target

	DAGLayers   []uint32 `json:"dag_layers"`  // pages on shortest paths after 1, 2, .. distance-1 links
	Bottlenecks []uint32 `json:"bottlenecks"` // nodes between the ends on every shortest path, in path order
	Dominators  []uint32 `json:"dominators"`  // nodes between the ends on every path, in path order

	CutSource bool     `json:"cut_source"` // N(source) has more links than a menu
	CutDAG    []uint32 `json:"cut_dag"`    // pages on shortest paths, the target apart: those with more links than a menu; all

	CutGain        string `json:"cut_gain"`         // mean distance over N(source) minus mean over M(source), of links that reach the target
	RandomKeepsOpt string `json:"random_keeps_opt"` // probability that pruning "random" leaves an optimal first move

	RWFull     string      `json:"rw_full"`     // probability that a uniform random walk on N succeeds
	RWMenu     string      `json:"rw_menu"`     // the same on M
	RWMethod   string      `json:"rw_method"`   // RWExact or RWSim
	RWInterval *RWInterval `json:"rw_interval"` // null where the two are exact
	GreedyIn   AgentResult `json:"greedy_in"`
	GreedyOut  AgentResult `json:"greedy_out"`
}

// How the chances of random walks were found.
const (
	RWExact = "exact"
	RWSim   = "sim"
)

// RWInterval is the 95 % intervals, lower bound first, of simulated chances.
type RWInterval struct {
	Full [2]string `json:"full"`
	Menu [2]string `json:"menu"`
}

// AgentResult is how a player without randomness fared.
type AgentResult struct {
	Success bool `json:"success"`
	Steps   int  `json:"steps"` // taken, whether or not they led to the target
}

// MaxShortestPaths is where the count of shortest paths ends: the largest integer that every JSON reader keeps.
const MaxShortestPaths = 1<<53 - 1

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
