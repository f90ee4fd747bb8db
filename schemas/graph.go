package schemas

// LinkGraph is the resolved graph before its largest component is taken, with the alias table.
// 1: first layout.
var LinkGraph = Artifact{Name: "linkgraph", Version: 1, Files: []string{"linkgraph.arrow"}}

// LinkGraphTable: one row per node under the recipe, ordered by page id; successors are row numbers, ascending.
// One record batch, so that the list column is CSR in place.
var LinkGraphTable = Table{ID: "wikinav.linkgraph/1", Columns: []Column{
	LinkGraphPageID:     {"page_id", Uint32},
	LinkGraphTitle:      {"title", String},
	LinkGraphFlags:      {"flags", Uint16},
	LinkGraphSuccessors: {"successors", ListUint32},
}}

// Columns of LinkGraphTable.
const (
	LinkGraphPageID = iota
	LinkGraphTitle
	LinkGraphFlags
	LinkGraphSuccessors
)

// Aliases is one record per redirect, sorted by title, with what became of it.
// 1: first layout.
var Aliases = Artifact{Name: "aliases", Version: 1, Files: []string{"aliases.arrow"}}

// AliasesTable: target_title and target_page_id are those of the chain's end, "" and 0 unless status is ok.
var AliasesTable = Table{ID: "wikinav.aliases/1", Columns: []Column{
	AliasesTitle:        {"title", String},
	AliasesPageID:       {"page_id", Uint32},
	AliasesTargetTitle:  {"target_title", String},
	AliasesTargetPageID: {"target_page_id", Uint32},
	AliasesFragment:     {"fragment", String},
	AliasesHops:         {"hops", Uint8},
	AliasesStatus:       {"status", String},
}}

// Columns of AliasesTable.
const (
	AliasesTitle = iota
	AliasesPageID
	AliasesTargetTitle
	AliasesTargetPageID
	AliasesFragment
	AliasesHops
	AliasesStatus
)

// Statuses of an alias.
const (
	AliasOK        = "ok"
	AliasMissing   = "missing"
	AliasLoop      = "loop"
	AliasTooLong   = "too_long"
	AliasNonMain   = "non_main"
	AliasInterwiki = "interwiki"
	AliasSelf      = "self"
	AliasBadTarget = "bad_target"
)

// Graph is the published graph: the largest strongly connected component, renumbered.
// 1: first layout.
var Graph = Artifact{Name: "graph", Version: 1, Files: []string{"graph.arrow"}}

// GraphTable: row number = node = rank of the page id. Both lists ascend and are each other's transpose. One record batch.
var GraphTable = Table{ID: "wikinav.graph/1", Columns: []Column{
	GraphPageID:       {"page_id", Uint32},
	GraphTitle:        {"title", String},
	GraphSuccessors:   {"successors", ListUint32},
	GraphPredecessors: {"predecessors", ListUint32},
}}

// Columns of GraphTable.
const (
	GraphPageID = iota
	GraphTitle
	GraphSuccessors
	GraphPredecessors
)

// Nodes is what is known of each node besides its edges, in node order.
// 1: first layout.
var Nodes = Artifact{Name: "nodes", Version: 1, Files: []string{"nodes.arrow"}}

// NodesTable: flags as in PagesTable; in_scc tells members of the largest component (always true unless the recipe keeps the whole graph).
var NodesTable = Table{ID: "wikinav.nodes/1", Columns: []Column{
	NodesNode:      {"node", Uint32},
	NodesPageID:    {"page_id", Uint32},
	NodesTitle:     {"title", String},
	NodesFlags:     {"flags", Uint16},
	NodesInDegree:  {"in_degree", Uint32},
	NodesOutDegree: {"out_degree", Uint32},
	NodesInSCC:     {"in_scc", Bool},
}}

// Columns of NodesTable.
const (
	NodesNode = iota
	NodesPageID
	NodesTitle
	NodesFlags
	NodesInDegree
	NodesOutDegree
	NodesInSCC
)

// Targets is the set of pages that get a distance column, and why.
// 1: first layout.
var Targets = Artifact{Name: "targets", Version: 1, Files: []string{"targets.arrow"}}

// TargetsTable is sorted by node; reasons is a set of Reason bits.
var TargetsTable = Table{ID: "wikinav.targets/1", Columns: []Column{
	TargetsNode:    {"node", Uint32},
	TargetsPageID:  {"page_id", Uint32},
	TargetsTitle:   {"title", String},
	TargetsReasons: {"reasons", Uint8},
}}

// Columns of TargetsTable.
const (
	TargetsNode = iota
	TargetsPageID
	TargetsTitle
	TargetsReasons
)

// Reasons why a page is a target.
const (
	ReasonAll uint8 = 1 << iota
	ReasonRandom
	ReasonLinked
	ReasonRemote
	ReasonNamed
)

// ReasonNames lists the reasons in order of their bits.
var ReasonNames = []string{"all", "random", "linked", "remote", "named"}

// BitNames gives the names of the bits set in mask, in order; never nil, so that JSON has [] and not null.
func BitNames(mask uint8, names []string) []string {
	out := []string{}
	for i, n := range names {
		if mask&(1<<i) != 0 {
			out = append(out, n)
		}
	}
	return out
}

// Distances is one column of distances per target, in shards, and the sidecar that finds a column.
// 1: first layout.
var Distances = Artifact{Name: "distances", Version: 1, Files: []string{"columns.arrow", "distances-[0-9][0-9][0-9][0-9].arrow"}}

// DistancesTable: record batch i of a shard is the shard's i-th target, one row per node.
var DistancesTable = Table{ID: "wikinav.distances/1", Columns: []Column{{"distance", Uint8}}}

// Distance values with a meaning of their own.
const (
	Unreached    uint8 = 255 // no path
	NoDistance   uint8 = 254 // never occurs: reading it is an error
	MaxDistance  uint8 = 253
	CountedDepth       = 16 // columns.arrow counts distances 0..15 one by one
)

// ColumnsTable is the sidecar: sorted by node; the column of row r is record batch `row` of shard `shard`. The
// at_ columns count the nodes at each distance from which the target is reached, at_more those from 16 on.
var ColumnsTable = Table{ID: "wikinav.columns/1", Columns: columnsColumns()}

// Columns of ColumnsTable; ColumnsAt+d counts distance d.
const (
	ColumnsNode = iota
	ColumnsPageID
	ColumnsTitle
	ColumnsReasons
	ColumnsShard
	ColumnsRow
	ColumnsAt
	ColumnsUnreached = ColumnsAt + CountedDepth + 1
)

func columnsColumns() []Column {
	cols := []Column{
		{"node", Uint32}, {"page_id", Uint32}, {"title", String}, {"reasons", Uint8}, {"shard", Uint32}, {"row", Uint32},
	}
	for _, d := range []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "more"} {
		cols = append(cols, Column{"at_" + d, Uint32})
	}
	return append(cols, Column{"unreached", Uint32})
}
