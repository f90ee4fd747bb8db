package schemas

// Mango is the mazes: per maze the files of the published MANGO layout, what that has no room for,
// and the questions; for all together mazes.jsonl, two tables and the quotas.
// 1: first layout. 2: mango.maze/2. 3: mango.maze/3.
// 4: mazes and questions as Parquet; quotas.json in place of shortage.json. 5: questions packed.
var Mango = Artifact{Name: "mango", Version: 5, Files: []string{
	"mazes.jsonl", "mazes.parquet", "questions.parquet", QuotasFile,
	"*.edges.json", "*.locations.json", "*.actions.json", "*.all2all.jsonl", "*.all_pairs.jsonl", "*.walkthrough",
	"*.extra.jsonl", "*.steps.jsonl", "*.questions.jsonl.gz", "*.maze.json", "*.df.arrow", "*.rf.arrow",
}}

// MangoNever is the step number that says "never", in every step column of the family.
const MangoNever = 9999

// Names of the records' versions. 1: first layout. Maze 2: lead_chars among the parameters; observations with leads.
// Maze 3: masked.
const (
	MangoMazeSchema     = "mango.maze/3"
	MangoQuestionSchema = "mango.question/1"
)

const (
	MangoShipped   = "mango-shipped" // the 2024 release
	MangoV2023     = "mango-v2023"   // the data behind the paper's tables
	MangoWikipedia = "wikipedia"     // ours
)

const (
	MangoDF = "df" // destination finding: where does this list of moves lead?
	MangoRF = "rf" // route finding: which moves lead from S to D?
)

// Rules for the words easy and hard (specification 4.5).
const (
	MangoRuleReleased  = "released"
	MangoRulePaper     = "paper"
	MangoRulePaper2023 = "paper-2023"
)

// MangoRules lists the rules, the default first.
var MangoRules = []string{MangoRulePaper, MangoRuleReleased, MangoRulePaper2023}

const (
	MangoEasy         = "easy"
	MangoHard         = "hard"
	MangoUnanswerable = "unanswerable"
)

// MangoSteps says when an edge is known: the first step at which it was walked, that at which its opposite was, and the
// smaller of the two; then the same counted from the step at which the location's name is known. MangoNever for never.
type MangoSteps struct {
	SeenInForward            int `json:"seen_in_forward"`
	SeenInReversed           int `json:"seen_in_reversed"`
	EdgeMinStep              int `json:"edge_min_step"`
	SeenInForwardAnswerable  int `json:"seen_in_forward_answerable"`
	SeenInReversedAnswerable int `json:"seen_in_reversed_answerable"`
	EdgeMinStepAnswerable    int `json:"edge_min_step_answerable"`
}

// MangoEdge is a line of <maze>.edges.json. Key order is the order of the fields, here and below.
type MangoEdge struct {
	SrcNode string `json:"src_node"`
	DstNode string `json:"dst_node"`
	Action  string `json:"action"`
	MangoSteps
}

// MangoMove is an edge inside the path of a DF row.
type MangoMove struct {
	PrevNode string `json:"prev_node"`
	Node     string `json:"node"`
	Action   string `json:"action"`
	MangoSteps
}

// MangoLabels are the prefixes from which a skeleton is easy (all forward) and answerable (each edge known either way).
type MangoLabels struct {
	MinStepForward           int `json:"min_step_forward"`
	MinStepTotal             int `json:"min_step_total"`
	MinStepForwardAnswerable int `json:"min_step_forward_answerable"`
	MinStepTotalAnswerable   int `json:"min_step_total_answerable"`
}

// MangoDFRow is a line of <maze>.all2all.jsonl: one simple path.
type MangoDFRow struct {
	SrcNode      string      `json:"src_node"`
	DstNode      string      `json:"dst_node"`
	DiffShortest int         `json:"diff_shortest"` // moves more than the shortest path of the pair
	PathDetails  []MangoMove `json:"path_details"`
	StepCount    int         `json:"step_count"` // moves
	ID           string      `json:"id"`
	MangoLabels
}

// MangoRFRow is a line of <maze>.all_pairs.jsonl: one ordered pair of locations.
type MangoRFRow struct {
	SrcNode  string `json:"src_node"`
	DstNode  string `json:"dst_node"`
	NumPaths int    `json:"num_paths"` // DF rows of the pair
	ID       string `json:"id"`
	MangoLabels
}

// MangoDFExtra is what <maze>.extra.jsonl adds to a DF row.
type MangoDFExtra struct {
	ID      string `json:"id"`
	Task    string `json:"task"`
	Sampled bool   `json:"sampled"` // within the budget of questions
}

// MangoRFExtra is what <maze>.extra.jsonl adds to an RF row. The shortest labels are the first prefix at which some shortest path
// of the whole maze is fully walked.
type MangoRFExtra struct {
	ID                     string `json:"id"`
	Task                   string `json:"task"`
	ShortestForward        int    `json:"min_step_forward_shortest"`
	ShortestForwardAnswers int    `json:"min_step_forward_shortest_answerable"`
	NumPathsCapped         bool   `json:"num_paths_capped"` // longer paths exist
	PathCutoff             int    `json:"path_cutoff"`      // longest path counted, in moves; 0 for no bound
}

// MangoExtra is a line of <maze>.extra.jsonl of either task, as readers take it.
type MangoExtra struct {
	MangoRFExtra
	Sampled bool `json:"sampled"`
}

// MangoPage ties a location to the page that it is.
type MangoPage struct {
	Location string `json:"location"`
	Page     uint32 `json:"page_id"`
}

// MangoMaze describes a maze: <maze>.maze.json, and a line of mazes.jsonl.
type MangoMaze struct {
	Schema           string           `json:"schema" flat:"-"`
	MazeID           string           `json:"maze_id" doc:"name of the maze"`
	Source           string           `json:"source" doc:"where it is from: wikipedia for one of ours"`
	Params           *MangoMazeParams `json:"params" flat:",json" doc:"how it was drawn; null for an imported maze, as are seed, attempt, graph and revisit share"`
	Seed             *int64           `json:"seed" flat:",has=has_seed" doc:"seed of the build"`
	Attempt          *int             `json:"attempt" flat:",null=-1" doc:"the walk that was kept, from 0"`
	GraphSHA256      *string          `json:"graph_sha256" flat:",has=has_graph" doc:"the graph that it is a walk on"`
	Locations        int              `json:"locations" doc:"locations"`
	Edges            int              `json:"edges" doc:"moves between them"`
	ForwardEdges     int              `json:"forward_edges" doc:"moves of the walk"`
	ImputedEdges     int              `json:"imputed_edges" doc:"moves that were never walked themselves"`
	ParallelPairs    int              `json:"parallel_pairs" doc:"ordered pairs of locations with more than one move"`
	Nondeterministic int              `json:"nondeterministic" doc:"moves of a location that lead to more than one place"`
	LastStep         *int             `json:"last_step" flat:",null=-1" doc:"last step of the walkthrough"`
	RevisitShare     *Ratio           `json:"revisit_share" flat:"revisit_share_,has=has_revisit_share" doc:"steps to a location that was visited before, of all"`
	PathCutoff       int              `json:"path_cutoff" doc:"moves of the longest DF path, 0 for no bound"`
	DFRows           int              `json:"df_rows" doc:"simple paths: skeletons of destination finding"`
	RFRows           int              `json:"rf_rows" doc:"ordered pairs: skeletons of route finding"`
	Pages            []MangoPage      `json:"pages" flat:",json" doc:"the page that each location is"`
	Masked           []string         `json:"masked" flat:",json" doc:"which names of other locations are blanks in observations"`
}

// MangoMazeParams are the parameters of a maze from a link graph (specification 6.7).
type MangoMazeParams struct {
	N              int    `json:"n" min:"15" max:"25"`                // locations
	MinSteps       int    `json:"min_steps" min:"15" max:"100"`       // of the walk
	MaxSteps       int    `json:"max_steps" min:"15" max:"100"`       // of the walk
	RevisitPercent int    `json:"revisit_percent" min:"0" max:"60"`   // chance to go back where both is possible
	DFMaxLen       int    `json:"df_max_len" min:"2" max:"12"`        // moves of the longest DF path
	DFCap          int    `json:"df_cap" min:"1" max:"5000000"`       // DF rows from which a walk is drawn again
	DFBudget       int    `json:"df_budget" min:"0" max:"1000000"`    // DF rows of a maze that become questions
	MaxTitle       int    `json:"max_title" min:"1" max:"255"`        // runes
	MaxAttempts    int    `json:"max_attempts" min:"1" max:"1000000"` // walks per maze
	SkipGeneric    bool   `json:"skip_generic"`                       // no disambiguation pages, lists and dates
	Observation    string `json:"observation" oneof:"lead name"`      // MangoObserveLead or MangoObserveName, as it is in the maze
	LeadChars      int    `json:"lead_chars" min:"0" max:"2000"`      // longest lead of an observation, in runes; MangoObserveLead only
}

// MangoMasks lists the kinds of names that are blanks in leads. Anchors are missing where the build has read none.
var MangoMasks = []string{"title", "alias", "anchor"}

const (
	MangoObserveLead = "lead" // the title of a page, the beginning of its text with other locations masked, the exits
	MangoObserveName = "name" // the title and the exits
)

// MangoStep is a line of <maze>.steps.jsonl. Src is "" in step 0.
type MangoStep struct {
	Step        int      `json:"step"`
	Act         string   `json:"act"`
	Src         string   `json:"src"`
	Dst         string   `json:"dst"`
	Exits       []string `json:"exits"` // of Dst, in order of the directions
	Observation string   `json:"observation"`
}

// MangoQuestion is a rendered skeleton.
type MangoQuestion struct {
	Schema         string   `json:"schema" flat:"-"`
	MazeID         string   `json:"maze_id" flat:",ref=mango_mazes.maze_id" doc:"the maze"`
	QuestionID     string   `json:"question_id" doc:"id of its skeleton"`
	Task           string   `json:"task" doc:"df: where do these moves lead; rf: which moves lead there"`
	PrefixStep     int      `json:"prefix_step" doc:"last step of the walkthrough that is shown"`
	Rule           string   `json:"rule" doc:"rule for the words easy and hard"`
	Class          string   `json:"class" doc:"easy, hard or unanswerable under the rule"`
	Src            string   `json:"src" doc:"location where it begins"`
	Dst            string   `json:"dst" doc:"location to reach, empty for df"`
	Actions        []string `json:"actions" flat:",json" doc:"moves to follow, [] for rf"`
	TemplateSHA256 string   `json:"template_sha256" doc:"the words around the question"`
	Prompt         string   `json:"prompt" flat:",nosql" doc:"the whole question as it is asked"`
}

// MangoDFTable is <maze>.df.arrow: path_details are rows of <maze>.edges.json. 1: first layout.
var MangoDFTable = Table{"wikinav.mango_df/1", columns(`
	maze_id string, src_node string, dst_node string, diff_shortest uint32, path_details listUint32,
	step_count uint32, id string, min_step_forward uint32, min_step_total uint32, min_step_forward_answerable uint32,
	min_step_total_answerable uint32, sampled bool`)}

// MangoRFTable is <maze>.rf.arrow. 1: first layout.
var MangoRFTable = Table{"wikinav.mango_rf/1", columns(`
	maze_id string, src_node string, dst_node string, num_paths uint32, id string, min_step_forward uint32,
	min_step_total uint32, min_step_forward_answerable uint32, min_step_total_answerable uint32,
	min_step_forward_shortest uint32, min_step_forward_shortest_answerable uint32, num_paths_capped bool,
	path_cutoff uint32`)}
