package schemas

// ReleaseNodesTable is graph/nodes.parquet of a release: row number = node; flags as in PagesTable; the degrees are those
// of the published graph.
// 1: first layout.
var ReleaseNodesTable = Table{ID: "wikinav.release_nodes/1", Columns: []Column{
	{"node", Uint32}, {"page_id", Uint32}, {"title", String}, {"flags", Uint16}, {"in_degree", Uint32}, {"out_degree", Uint32},
}}

// ReleaseAliasesTable is graph/aliases.parquet: the redirects that end at a node, sorted by title, titles unique.
// 1: first layout.
var ReleaseAliasesTable = Table{ID: "wikinav.release_aliases/1", Columns: []Column{{"title", String}, {"node", Uint32}}}

// ReleaseLeadsTable is graph/leads.parquet: the leads of the graph's pages, sorted by page id; sha256 is lower-case hex.
// 1: first layout.
var ReleaseLeadsTable = Table{ID: "wikinav.release_leads/1", Columns: []Column{
	{"page_id", Uint32}, {"text", String}, {"truncated", Bool}, {"sha256", String},
}}
