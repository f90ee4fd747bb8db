package schemas

// ReleaseNodesTable is graph/nodes.parquet: row number = node; flags as in PagesTable; the degrees
// are those of the published graph. 1: first layout.
var ReleaseNodesTable = Table{"wikinav.release_nodes/1", columns(`
	node uint32, page_id uint32, title string, flags uint16, in_degree uint32, out_degree uint32`)}

// ReleaseAliasesTable is graph/aliases.parquet: the redirects that end at a node, sorted by title, titles unique.
// 1: first layout.
var ReleaseAliasesTable = Table{"wikinav.release_aliases/1", columns("title string, node uint32")}

// ReleaseLeadsTable is graph/leads.parquet: the leads of the graph's pages, sorted by page id; sha256 is lower-case hex.
// 1: first layout.
var ReleaseLeadsTable = Table{"wikinav.release_leads/1", columns(`
	page_id uint32, text string, truncated bool, sha256 string`)}
