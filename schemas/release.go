package schemas

// ReleaseNodesTable is graph/nodes.parquet: row number = node; flags as in PagesTable; the degrees
// are those of the published graph. 1: first layout.
var ReleaseNodesTable = Table{"wikinav.release_nodes/1", columns(`
	node uint32, page_id uint32, title string, flags uint16, in_degree uint32, out_degree uint32`)}

// ReleaseAliasesTable is graph/aliases.parquet: the redirects that end at a node, sorted by title, titles unique.
// 1: first layout.
var ReleaseAliasesTable = Table{"wikinav.release_aliases/1", columns("title string, node uint32")}

// ReleaseEdgesTable is graph/edges.parquet: the links of the graph by their nodes, sorted.
// 1: first layout.
var ReleaseEdgesTable = Table{"wikinav.release_edges/1", columns("source uint32, target uint32")}

// ReleaseDistancesTable is distances/distances-NNNN.parquet: a row for each node of each column of
// the shard, sorted by target and node. 1: first layout.
var ReleaseDistancesTable = Table{"wikinav.release_distances/1", columns("target uint32, node uint32, distance uint8")}

// ReleaseLeadsTable is graph/leads.parquet: the leads of the graph's pages, sorted by page id; sha256 is lower-case hex.
// 1: first layout.
var ReleaseLeadsTable = Table{"wikinav.release_leads/1", columns(`
	page_id uint32, text string, truncated bool, sha256 string`)}
