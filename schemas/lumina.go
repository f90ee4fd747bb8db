package schemas

// Lumina is the instances of the three worlds, one file per world and split: list-test.jsonl, grid-fewshot.jsonl.
// 1: first layout. 2: each file as Parquet, too, and quotas.json.
var Lumina = Artifact{Name: "lumina", Version: 2, Files: []string{"*.jsonl", "*.parquet", QuotasFile}}

// Versions of the records (lumina specification 10). 1: first layout.
const (
	LuminaListSchema    = "lumina.list/1"
	LuminaTreeSchema    = "lumina.tree/1"
	LuminaGridSchema    = "lumina.grid/1"
	LuminaEpisodeSchema = "lumina.episode/1"
)

// The worlds, in their fixed order.
const (
	LuminaList = "list"
	LuminaTree = "tree"
	LuminaGrid = "grid"
)

var LuminaEnvs = []string{LuminaList, LuminaTree, LuminaGrid}

// Splits of each world. The examples in every prompt are made from fewshot, so it is never played.
const (
	LuminaTest    = "test"
	LuminaDev     = "dev"
	LuminaFewshot = "fewshot"
)

var LuminaSplits = []string{LuminaTest, LuminaDev, LuminaFewshot}

// LuminaPath is the place of a split of a world in a release; the stage's file has the same name.
func LuminaPath(env, split string) string { return "lumina/" + env + "-" + split + ".jsonl" }

// LuminaHead is what the instances of all worlds have in common.
type LuminaHead struct {
	Schema     string       `json:"schema" flat:"-"`
	ID         string       `json:"id" doc:"<env>-<level>-<first 12 hex digits of the SHA-256 of the record without id>"`
	Env        string       `json:"env" flat:"-"`
	Split      string       `json:"split" doc:"test, dev or fewshot, from which the examples of prompts are made"`
	Level      string       `json:"level" doc:"level of difficulty"`
	Index      int          `json:"index" doc:"place in its level and split, from 0"`
	Seed       LuminaSeed   `json:"seed" flat:"seed_" doc:"the random stream that the instance comes from"`
	BudgetRule LuminaBudget `json:"budget_rule" flat:"budget_rule_" doc:"the rule ceil(m * cost) + n of the budget"`
	TStar      int          `json:"t_star" doc:"turns of an optimal policy, in the worst case for a tree"`
	TMax       int          `json:"t_max" doc:"turns after which an episode ends"`
}

// LuminaSeed names the random stream that the instance comes from.
type LuminaSeed struct {
	Root  int64    `json:"root" doc:"seed of the build"`
	Parts []string `json:"parts" flat:",json" doc:"names that lead to the stream"`
}

// LuminaBudget is the rule ceil(m * cost) + n: for list and tree it gives t_max from turns, for the grid the budget from
// the least cost.
type LuminaBudget struct {
	MNum int `json:"m_num"`
	MDen int `json:"m_den"`
	N    int `json:"n"`
}

// LuminaListInstance asks to pop elements of Initial, left to right, until Target is left.
type LuminaListInstance struct {
	LuminaHead
	Knobs   LuminaListKnobs `json:"knobs" flat:"knobs_"`
	Initial []int           `json:"initial" doc:"the list at the start"`
	Target  []int           `json:"target" doc:"what must be left, a subsequence"`
}

type LuminaListKnobs struct {
	K    int `json:"k" doc:"elements to pop"`
	Keep int `json:"keep" doc:"elements that stay"`
	Dup  int `json:"dup" doc:"percent of the places that repeat an earlier value"`
}

// LuminaTreeInstance asks for the node with a value, or for the insight that it is out of reach.
type LuminaTreeInstance struct {
	LuminaHead
	Knobs       LuminaTreeKnobs `json:"knobs" flat:"knobs_"`
	Nodes       []LuminaNode    `json:"nodes" flat:",json" doc:"nodes with value and children, the root first"`
	Source      int             `json:"source" doc:"node where the episode begins"`
	Facts       []LuminaFact    `json:"facts" flat:",json" doc:"what is disclosed at the start, in prompt order"`
	TargetValue int             `json:"target_value" doc:"value to find"`
	Answer      LuminaAnswer    `json:"answer" flat:"answer_" doc:"what is right"`
	TClair      int             `json:"t_clair" doc:"fewest turns with hindsight"`
	TWorst      int             `json:"t_worst" doc:"most turns of a sound policy that wastes none"`
}

type LuminaTreeKnobs struct {
	N      int    `json:"n" doc:"nodes"`
	Arity  int    `json:"arity" doc:"most children of a node"`
	Shape  string `json:"shape" doc:"complete or random"`
	PKnown int    `json:"p_known" doc:"percent of the nodes disclosed at the start"`
	PEdges int    `json:"p_edges" doc:"percent of these whose children are listed"`
	Budget string `json:"budget" doc:"worst or clair"`
}

const (
	ShapeComplete = "complete"
	ShapeRandom   = "random"
	BudgetWorst   = "worst"
	BudgetClair   = "clair"
)

// LuminaNode is a node of a tree; node 0 is its root. Children are node numbers, ascending.
type LuminaNode struct {
	ID       string `json:"id"`
	Value    int    `json:"value"`
	Children []int  `json:"children"`
}

// LuminaFact discloses a node's value, and the ids of its children if Children is true.
type LuminaFact struct {
	Node     int  `json:"node"`
	Children bool `json:"children"`
}

// LuminaAnswer is AnswerFound with the node, or AnswerUnreachable.
type LuminaAnswer struct {
	Kind string `json:"kind" doc:"found or unreachable"`
	Node *int   `json:"node,omitempty" flat:",null=-1" doc:"the node, -1 where there is none"`
}

const (
	AnswerFound       = "found"
	AnswerUnreachable = "unreachable"
)

// LuminaGridInstance asks for a walk over a board. Cells are [row, column], (0,0) at the top left.
type LuminaGridInstance struct {
	LuminaHead
	Knobs    LuminaGridKnobs `json:"knobs" flat:"knobs_"`
	N        int             `json:"n" doc:"rows and columns of the board"`
	Start    [2]int          `json:"start" flat:"start_row,start_column" doc:"cell where the walk begins"`
	Goal     [2]int          `json:"goal" flat:"goal_row,goal_column" doc:"cell to reach"`
	Holes    [][2]int        `json:"holes" flat:",json" doc:"cells with a hole, row-major"`
	HoleCost int             `json:"hole_cost" doc:"of a hole, on top of the 1 of a move"`
	OOBCost  int             `json:"oob_cost" doc:"of a move off the board"`
	DStart   int             `json:"d_start" doc:"least cost from start to goal"`
	Budget   int             `json:"budget" doc:"cost that a player has"`
}

type LuminaGridKnobs struct {
	N            int    `json:"n" doc:"rows and columns"`
	HolePct      int    `json:"hole_pct" doc:"percent of cells with a hole"`
	HoleCost     int    `json:"hole_cost" doc:"cost of a hole"`
	OOBCost      int    `json:"oob_cost" doc:"cost of a move off the board"`
	MinManhattan int    `json:"min_manhattan" doc:"least distance of start and goal, in cells"`
	Detour       string `json:"detour" doc:"rule for detours"`
}

// DetourOdd is the only rule for detours.
const DetourOdd = "odd"
