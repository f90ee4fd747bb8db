package schemas

// Wikirace is the instances of the first family by split: JSON lines, Parquet and a list of ids each, and the quotas.
// 1: features is an empty object. 2: features of the specification, 5.6. 3: rw_method and rw_interval.
// 4: Parquet and ids; quotas.json in place of shortage.json. A split of listed pairs has NAME.rows
// besides: the ListedRows that are no instances of their own.
var Wikirace = Artifact{
	Name: "wikirace", Version: 4,
	Files: []string{"*.jsonl", "*.parquet", "*.ids", "*.rows", QuotasFile},
}

// WikiraceInstanceSchema names the record's version. 1: the record of the specification, 5.5; before the first release its
// features were empty.
const WikiraceInstanceSchema = "wikirace.instance/1"

// WikiraceInstance asks for a walk from Source to Target along links (wikirace specification 5.5).
type WikiraceInstance struct {
	Schema       string           `json:"schema" flat:"-"`
	ID           string           `json:"id" flat:",ref=instances.id" doc:"name of the instance: wr-<split>-<0001..>"`
	Split        string           `json:"split" flat:"-"`
	Key          string           `json:"key" doc:"<wiki>:<source page id>:<target page id>, the same over snapshots"`
	Source       PageRef          `json:"source" flat:"source_" doc:"the page where the game begins"`
	Target       PageRef          `json:"target" flat:"target_" doc:"the page to reach"`
	Distance     int              `json:"distance" flat:",uint8" doc:"links on a shortest path from source to target"`
	Witness      []uint32         `json:"witness" flat:",ref=pages.node" doc:"the smallest shortest path by node, both ends included"`
	MaxSteps     int              `json:"max_steps" doc:"turns that a player has"`
	MaxLinks     int              `json:"max_links" doc:"links that a player is shown"`
	Seed         int64            `json:"seed" doc:"seed of the order in which links are shown"`
	GraphSHA256  string           `json:"graph_sha256" doc:"the graph that the instance was drawn from"`
	RecipeSHA256 string           `json:"recipe_sha256" doc:"the recipe of that graph"`
	Features     WikiraceFeatures `json:"features" flat:""`
}

// PageRef names a page of the graph: by node inside one snapshot, by page id over snapshots, by title for people.
type PageRef struct {
	Node   uint32 `json:"node" flat:",ref=pages.node" doc:"row of the page in the graph and in its table of nodes"`
	PageID uint32 `json:"page_id" flat:",ref=pages.page_id" doc:"page id of the wiki"`
	Title  string `json:"title" flat:",ref=pages.title" doc:"title in text form"`
}

// WikiraceFeatures says why an instance is hard (wikirace specification 5.6). N(u) is the successors of u, M(u) the menu
// that the default game makes of them with the instance's id, seed and max_links; an optimal first move is a link from
// the source that is one nearer to the target. Walks and agents have max_steps steps.
type WikiraceFeatures struct {
	ShortestPaths          uint64 `json:"n_shortest_paths" doc:"number of shortest paths"`
	ShortestPathsSaturated bool   `json:"n_shortest_saturated" doc:"there are more than the 2^53-1 that n_shortest_paths then says"`

	OptFirst     int `json:"opt_first" doc:"links of the source that lead one nearer to the target"`
	OutDegree    int `json:"out_degree" doc:"links of the source"`
	OptFirstMenu int `json:"opt_first_menu" doc:"links one nearer to the target among those that a player is shown"`
	MenuSize     int `json:"menu_size" doc:"links of the source that a player is shown"`

	SourceInDegree  int `json:"source_in_degree" doc:"pages that link to the source"`
	TargetInDegree  int `json:"target_in_degree" doc:"pages that link to the target"`
	TargetOutDegree int `json:"target_out_degree" doc:"links of the target"`
	TargetInMaxOut  int `json:"target_in_max_out" doc:"most links on a page that links to the target"`

	DAGLayers   []uint32 `json:"dag_layers" doc:"pages on shortest paths after 1, 2, .. distance-1 links"`
	Bottlenecks []uint32 `json:"bottlenecks" flat:",ref=pages.node" doc:"nodes between the ends on every shortest path, in path order"`
	Dominators  []uint32 `json:"dominators" flat:",ref=pages.node" doc:"nodes between the ends on every path, in path order"`

	CutSource bool     `json:"cut_source" doc:"the source has more links than a player is shown"`
	CutDAG    []uint32 `json:"cut_dag" flat:"cut_dag_cut,cut_dag_all" doc:"pages on shortest paths, the target apart: those with more links than a player is shown; all"`

	CutGain        string `json:"cut_gain" flat:",decimal" doc:"mean distance to the target over the links of the source minus that over the links shown"`
	RandomKeepsOpt string `json:"random_keeps_opt" flat:",decimal" doc:"probability that showing links at random leaves one that leads nearer"`

	RWFull     string      `json:"rw_full" flat:",decimal" doc:"probability that a uniform random walk over all links succeeds in time"`
	RWMenu     string      `json:"rw_menu" flat:",decimal" doc:"the same over the links shown"`
	RWMethod   string      `json:"rw_method" doc:"how the two were found: exact or sim"`
	RWInterval *RWInterval `json:"rw_interval" flat:",null=-1" doc:"95 % interval of a simulated probability; -1 where it is exact"`
	GreedyIn   AgentResult `json:"greedy_in" flat:"greedy_in_" doc:"always taking the page with the most links to it"`
	GreedyOut  AgentResult `json:"greedy_out" flat:"greedy_out_" doc:"always taking the page with the most links on it"`
}

// How the chances of random walks were found.
const (
	RWExact = "exact"
	RWSim   = "sim"
)

// RWInterval is the 95 % intervals, lower bound first, of simulated chances.
type RWInterval struct {
	Full [2]string `json:"full" flat:"rw_full_lo,rw_full_hi,decimal" doc:"over all links"`
	Menu [2]string `json:"menu" flat:"rw_menu_lo,rw_menu_hi,decimal" doc:"over the links shown"`
}

// AgentResult is how a player without randomness fared.
type AgentResult struct {
	Success bool `json:"success" doc:"it reaches the target in time"`
	Steps   int  `json:"steps" doc:"steps taken, whether or not they led to the target"`
}

// MaxShortestPaths is where the count of shortest paths ends: the largest integer that every JSON reader keeps.
const MaxShortestPaths = 1<<53 - 1
