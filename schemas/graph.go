package schemas

// LinkGraph is the resolved graph with the alias table, before its SCC is taken. 1: first layout.
var LinkGraph = Artifact{Name: "linkgraph", Version: 1, Files: []string{"linkgraph.arrow"}}

// LinkGraphTable: one row per node under the recipe, ordered by page id; successors are row numbers, ascending.
// One record batch, so that the list column is CSR in place.
var LinkGraphTable = Table{"wikinav.linkgraph/1", columns(`
	page_id uint32, title string, flags uint16, successors listUint32`)}

// Aliases is each redirect, sorted by title, with what became of it. 1: first layout.
var Aliases = Artifact{Name: "aliases", Version: 1, Files: []string{"aliases.arrow"}}

// AliasesTable: target_title and target_page_id are those of the chain's end, "" and 0 unless status is ok.
var AliasesTable = Table{"wikinav.aliases/1", columns(`
	title string, page_id uint32, target_title string, target_page_id uint32, fragment string, hops uint8,
	status string`)}

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

// Graph is the published one: the largest SCC, renumbered. 1: first layout.
var Graph = Artifact{Name: "graph", Version: 1, Files: []string{"graph.arrow"}}

// GraphTable: row number = node = rank of the page id. Both lists ascend and are each other's transpose. One record batch.
var GraphTable = Table{"wikinav.graph/1", columns(`
	page_id uint32, title string, successors listUint32, predecessors listUint32`)}

// Nodes is what is known of each node besides its edges, in node order. 1: first layout.
var Nodes = Artifact{Name: "nodes", Version: 1, Files: []string{"nodes.arrow"}}

// NodesTable: flags as in PagesTable; in_scc tells members of the largest component (always true unless the recipe keeps the whole graph).
var NodesTable = Table{"wikinav.nodes/1", columns(`
	node uint32, page_id uint32, title string, flags uint16, in_degree uint32, out_degree uint32, in_scc bool`)}

// Targets is the set of pages that get a distance column, and why. 1: first layout.
var Targets = Artifact{Name: "targets", Version: 1, Files: []string{"targets.arrow"}}

// TargetsTable is sorted by node; reasons is a set of Reason bits.
var TargetsTable = Table{"wikinav.targets/1", columns("node uint32, page_id uint32, title string, reasons uint8")}

const (
	ReasonAll uint8 = 1 << iota
	ReasonRandom
	ReasonLinked
	ReasonRemote
	ReasonNamed
	ReasonListed // a pair of --pairs leads there
)

// ReasonNames lists the reasons in order of their bits.
var ReasonNames = []string{"all", "random", "linked", "remote", "named", "listed"}

// BitNames gives the names of the bits set in mask, in order; never nil, so that JSON has [] and not null.
func BitNames[T uint8 | uint32](mask T, names []string) []string {
	out := []string{}
	for i, n := range names {
		if mask&(1<<i) != 0 {
			out = append(out, n)
		}
	}
	return out
}

// Distances is a column per target, in shards, and the sidecar that finds one. 1: first layout.
var Distances = Artifact{Name: "distances", Version: 1, Files: []string{"columns.arrow", "distances-[0-9][0-9][0-9][0-9].arrow"}}

// DistancesTable: record batch i of a shard is the shard's i-th target, one row per node.
var DistancesTable = Table{"wikinav.distances/1", columns("distance uint8")}

// Distance values with a meaning of their own.
const (
	Unreached    uint8 = 255 // no path
	Far          uint8 = 254 // 254 links or more
	MaxDistance  uint8 = 253 // the largest that a column tells exactly
	CountedDepth       = 16  // columns.arrow counts distances 0..15 one by one
)

// ColumnsTable is the sidecar: sorted by node; the column of row r is record batch `row` of shard `shard`. The
// at_ columns count the nodes at each distance from which the target is reached, at_more those from 16 on.
var ColumnsTable = Table{"wikinav.columns/1", columns(`
	node uint32, page_id uint32, title string, reasons uint8, shard uint32, row uint32,
	at_0 uint32, at_1 uint32, at_2 uint32, at_3 uint32, at_4 uint32, at_5 uint32, at_6 uint32, at_7 uint32, at_8 uint32,
	at_9 uint32, at_10 uint32, at_11 uint32, at_12 uint32, at_13 uint32, at_14 uint32, at_15 uint32, at_more uint32,
	unreached uint32`)}
