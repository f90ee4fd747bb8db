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

// WikiraceSplitTable is splits/<split>.parquet: the columns of WikiraceInstance laid flat, sorted by id. Viewers infer
// types from flat columns only. Decimals are text, as in the record.
// 1: without features. 2: with features. 3: how random walks were found.
var WikiraceSplitTable = Table{ID: "wikinav.wikirace_split/3", Columns: append([]Column{
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
}, WikiraceFeatureColumns...)}

// WikiraceFeatureColumns are the columns of WikiraceFeatures laid flat.
var WikiraceFeatureColumns = []Column{
	{"n_shortest_paths", Uint64},
	{"n_shortest_saturated", Bool},
	{"opt_first", Uint32},
	{"out_degree", Uint32},
	{"opt_first_menu", Uint32},
	{"menu_size", Uint32},
	{"source_in_degree", Uint32},
	{"target_in_degree", Uint32},
	{"target_out_degree", Uint32},
	{"target_in_max_out", Uint32},
	{"dag_layers", ListUint32},
	{"bottlenecks", ListUint32},
	{"dominators", ListUint32},
	{"cut_source", Bool},
	{"cut_dag_cut", Uint32},
	{"cut_dag_all", Uint32},
	{"cut_gain", String},
	{"random_keeps_opt", String},
	{"rw_full", String},
	{"rw_menu", String},
	{"rw_method", String},
	{"rw_full_lo", String}, // these four are "" where rw_method is exact
	{"rw_full_hi", String},
	{"rw_menu_lo", String},
	{"rw_menu_hi", String},
	{"greedy_in_success", Bool},
	{"greedy_in_steps", Uint32},
	{"greedy_out_success", Bool},
	{"greedy_out_steps", Uint32},
}

// ProbeTable is probe/probe.parquet: the columns of ProbeInstance laid flat, sorted by id.
// 1: first layout.
var ProbeTable = Table{ID: "wikinav.probe/1", Columns: []Column{
	{"id", String},
	{"class", String},
	{"source_node", Uint32},
	{"source_page_id", Uint32},
	{"source_title", String},
	{"target_node", Uint32},
	{"target_page_id", Uint32},
	{"target_title", String},
	{"gold", String},
	{"distance", Uint8},
	{"mutual", Bool},
}}

// OneStepTable is onestep/<set>.parquet: the columns of OneStepInstance laid flat, sorted by id. menu_nodes are the links
// in the order shown; their titles are those of graph/nodes.parquet. system and user are the messages of the prompt.
// 1: first layout.
var OneStepTable = Table{ID: "wikinav.onestep/1", Columns: []Column{
	{"id", String},
	{"source_node", Uint32},
	{"source_page_id", Uint32},
	{"source_title", String},
	{"target_node", Uint32},
	{"target_page_id", Uint32},
	{"target_title", String},
	{"distance", Uint8},
	{"menu_nodes", ListUint32},
	{"best", ListUint32},
	{"system", String},
	{"user", String},
	{"prompt_sha256", String},
	{"overlap_pair", Bool},
	{"overlap_reversed_pair", Bool},
	{"overlap_source", Bool},
	{"overlap_target", Bool},
	{"overlap_source_is_eval_target", Bool},
	{"overlap_target_is_eval_source", Bool},
	{"overlap_source_on_witness", Bool},
}}

// ConstrainedTable is constrained/instances.parquet: the columns of ConstrainedInstance laid flat, sorted by id. Titles of paths are
// those of graph/nodes.parquet. A column that may have no value says so: ban_witness_title is "" and its numbers are 0 without a
// witness, which has_ban_witness tells; compat_length and length_if_unlabelled_forbidden are -1 where there is no path.
// 1: first layout.
var ConstrainedTable = Table{ID: "wikinav.constrained/1", Columns: []Column{
	{"id", String},
	{"key", String},
	{"source_node", Uint32},
	{"source_page_id", Uint32},
	{"source_title", String},
	{"target_node", Uint32},
	{"target_page_id", Uint32},
	{"target_title", String},
	{"banned_category", String},
	{"unlabelled", String},
	{"has_ban_witness", Bool},
	{"ban_witness_node", Uint32},
	{"ban_witness_page_id", Uint32},
	{"ban_witness_title", String},
	{"ban_witness_in_degree", Uint32},
	{"baseline_path", ListUint32},
	{"constrained_path", ListUint32},
	{"baseline_length", Uint32},
	{"constrained_length", Uint32},
	{"detour", Uint32},
	{"binding", String},
	{"baseline_paths_clean", Uint64},
	{"baseline_paths_all", Uint64},
	{"unlabelled_on_path", Uint32},
	{"length_if_unlabelled_forbidden", Int64},
	{"successors_banned", Uint32},
	{"successors_all", Uint32},
	{"shortest_banned", Uint32},
	{"shortest_all", Uint32},
	{"first_moves_feasible", Uint32},
	{"first_moves_optimal", Uint32},
	{"compat_found", Bool},
	{"compat_iterations", Uint32},
	{"compat_length", Int64},
	{"max_steps", Uint32},
	{"seed", Int64},
	{"params_sha256", String},
	{"labels_sha256", String},
	{"graph_sha256", String},
}}
