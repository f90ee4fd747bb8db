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

// WikiraceSplitTable is splits/<split>.parquet: the columns of WikiraceInstance laid flat, sorted by id. Viewers infer
// types from flat columns only.
// 1: first layout, without features.
var WikiraceSplitTable = Table{ID: "wikinav.wikirace_split/1", Columns: []Column{
	{"id", String},
	{"key", String},
	{"source_node", Uint32},
	{"source_page_id", Uint32},
	{"source_title", String},
	{"target_node", Uint32},
	{"target_page_id", Uint32},
	{"target_title", String},
	{"distance", Uint8},
	{"witness", ListUint32},
	{"max_steps", Uint32},
	{"max_links", Uint32},
	{"seed", Int64},
	{"graph_sha256", String},
	{"recipe_sha256", String},
}}
