package schemas

// Lumina is the instances of the three worlds, one file per world and split: list-test.jsonl, grid-fewshot.jsonl.
// The names are flat because a result's directory is; LuminaPath says where a release keeps the file.
// 1: first layout.
var Lumina = Artifact{Name: "lumina", Version: 1, Files: []string{"list-*.jsonl", "tree-*.jsonl", "grid-*.jsonl"}}

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

// LuminaEnvs lists the worlds in their fixed order.
var LuminaEnvs = []string{LuminaList, LuminaTree, LuminaGrid}

// Splits of each world. The examples in every prompt are made from fewshot, so it is never played.
const (
	LuminaTest    = "test"
	LuminaDev     = "dev"
	LuminaFewshot = "fewshot"
)

// LuminaSplits lists the splits in their fixed order.
var LuminaSplits = []string{LuminaTest, LuminaDev, LuminaFewshot}

// LuminaFile is the stage's file of a split of a world.
func LuminaFile(env, split string) string { return env + "-" + split + ".jsonl" }

// LuminaPath is that file's place in a release.
func LuminaPath(env, split string) string { return "lumina/" + env + "/" + split + ".jsonl" }

// LuminaHead is what the instances of all worlds have in common.
type LuminaHead struct {
	Schema     string       `json:"schema"`
	ID         string       `json:"id"` // <env>-<level>-<first 12 hex digits of the SHA-256 of the record without id>
	Env        string       `json:"env"`
	Split      string       `json:"split"`
	Level      string       `json:"level"`
	Index      int          `json:"index"` // 0-based in its level and split
	Seed       LuminaSeed   `json:"seed"`
	BudgetRule LuminaBudget `json:"budget_rule"`
	TStar      int          `json:"t_star"` // turns of an optimal policy; in the worst case for a tree
	TMax       int          `json:"t_max"`  // turns after which an episode ends
}

// LuminaSeed names the random stream that the instance comes from.
type LuminaSeed struct {
	Root  int64    `json:"root"`
	Parts []string `json:"parts"`
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
	Knobs   LuminaListKnobs `json:"knobs"`
	Initial []int           `json:"initial"` // 0..999
	Target  []int           `json:"target"`  // a subsequence of Initial
}

// LuminaListKnobs are the parameters of a list.
type LuminaListKnobs struct {
	K    int `json:"k"`    // elements to pop
	Keep int `json:"keep"` // elements that stay
	Dup  int `json:"dup"`  // percent of the places that repeat an earlier value
}

// LuminaTreeInstance asks for the node with a value, or for the insight that it is out of reach.
type LuminaTreeInstance struct {
	LuminaHead
	Knobs       LuminaTreeKnobs `json:"knobs"`
	Nodes       []LuminaNode    `json:"nodes"`
	Source      int             `json:"source"`
	Facts       []LuminaFact    `json:"facts"` // in prompt order
	TargetValue int             `json:"target_value"`
	Answer      LuminaAnswer    `json:"answer"`
	TClair      int             `json:"t_clair"` // fewest turns with hindsight
	TWorst      int             `json:"t_worst"` // most turns of a sound policy that wastes none
}

// LuminaTreeKnobs are the parameters of a tree.
type LuminaTreeKnobs struct {
	N      int    `json:"n"`
	Arity  int    `json:"arity"`
	Shape  string `json:"shape"`   // ShapeComplete or ShapeRandom
	PKnown int    `json:"p_known"` // percent of the nodes disclosed at the start
	PEdges int    `json:"p_edges"` // percent of these whose children are listed
	Budget string `json:"budget"`  // BudgetWorst or BudgetClair
}

// Values of LuminaTreeKnobs.
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
	Kind string `json:"kind"`
	Node *int   `json:"node,omitempty"`
}

// Kinds of answers.
const (
	AnswerFound       = "found"
	AnswerUnreachable = "unreachable"
)

// LuminaGridInstance asks for a walk over a board. Cells are [row, column], (0,0) at the top left.
type LuminaGridInstance struct {
	LuminaHead
	Knobs    LuminaGridKnobs `json:"knobs"`
	N        int             `json:"n"`
	Start    [2]int          `json:"start"`
	Goal     [2]int          `json:"goal"`
	Holes    [][2]int        `json:"holes"`     // row-major
	HoleCost int             `json:"hole_cost"` // on top of the move's 1
	OOBCost  int             `json:"oob_cost"`  // of a move off the board
	DStart   int             `json:"d_start"`   // least cost from start to goal
	Budget   int             `json:"budget"`
}

// LuminaGridKnobs are the parameters of a grid.
type LuminaGridKnobs struct {
	N            int    `json:"n"`
	HolePct      int    `json:"hole_pct"`
	HoleCost     int    `json:"hole_cost"`
	OOBCost      int    `json:"oob_cost"`
	MinManhattan int    `json:"min_manhattan"` // least distance of start and goal, counted in cells
	Detour       string `json:"detour"`        // DetourOdd: odd indices need more than the Manhattan distance
}

// DetourOdd is the only rule for detours.
const DetourOdd = "odd"
