package schemas

// OneStep is the one-step sets, JSON lines and Parquet each, their quotas, and what they share with what models are scored on.
// 1: first layout. 2: files named as in a release; Parquet; quotas.json in place of shortage.json.
var OneStep = Artifact{Name: "onestep", Version: 2, Files: []string{"*.jsonl", "*.parquet", QuotasFile, "overlap.json"}}

// OneStepInstanceSchema names the record's version. 1: first layout.
const OneStepInstanceSchema = "onestep.instance/1"

// OneStepInstance asks for one move: the first turn of the default game from Source to Target (wikirace specification 8).
type OneStepInstance struct {
	Schema       string          `json:"schema" flat:"-"`
	ID           string          `json:"id" flat:",ref=instances.id" doc:"name of the instance: os-<set>-<0001..>"`
	Source       PageRef         `json:"source" flat:"source_" doc:"the page where the game begins"`
	Target       PageRef         `json:"target" flat:"target_" doc:"the page to reach"`
	Distance     int             `json:"distance" flat:",uint8" doc:"links on a shortest path from source to target"`
	Menu         []OneStepLink   `json:"menu" flat:"menu_nodes,of=Node,ref=pages.node" doc:"the links in the order shown"`
	Best         []uint32        `json:"best" doc:"places in the menu, from 0, of all links nearest to the target"`
	Messages     []Message       `json:"messages" flat:"system,user,of=Content" doc:"the messages of the prompt"`
	PromptSHA256 string          `json:"prompt_sha256" doc:"SHA-256 of the messages in canonical JSON"`
	Overlap      OneStepOverlaps `json:"overlap" flat:"overlap_" doc:"what is shared with the instances that models are scored on"`
}

// OneStepLink is a line of a menu; I counts from 0.
type OneStepLink struct {
	I     int    `json:"i"`
	Node  uint32 `json:"node"`
	Title string `json:"title"`
}

// OneStepOverlaps tells what an instance shares with the instances of the splits and of the probe.
type OneStepOverlaps struct {
	Pair               bool `json:"pair" doc:"the pair"`
	ReversedPair       bool `json:"reversed_pair" doc:"the pair the other way round"`
	Source             bool `json:"source" doc:"the source"`
	Target             bool `json:"target" doc:"the target"`
	SourceIsEvalTarget bool `json:"source_is_eval_target" doc:"the source is a target there"`
	TargetIsEvalSource bool `json:"target_is_eval_source" doc:"the target is a source there"`
	SourceOnWitness    bool `json:"source_on_witness" doc:"the source is on a witness there"`
}

type OneStepKind struct {
	Name string
	Of   func(*OneStepOverlaps) *bool
}

// OneStepKinds lists the kinds of overlap in the order of the record's fields.
var OneStepKinds = []OneStepKind{
	{"pair", func(o *OneStepOverlaps) *bool { return &o.Pair }},
	{"reversed_pair", func(o *OneStepOverlaps) *bool { return &o.ReversedPair }},
	{"source", func(o *OneStepOverlaps) *bool { return &o.Source }},
	{"target", func(o *OneStepOverlaps) *bool { return &o.Target }},
	{"source_is_eval_target", func(o *OneStepOverlaps) *bool { return &o.SourceIsEvalTarget }},
	{"target_is_eval_source", func(o *OneStepOverlaps) *bool { return &o.TargetIsEvalSource }},
	{"source_on_witness", func(o *OneStepOverlaps) *bool { return &o.SourceOnWitness }},
}

// OneStepReportSchema names the report's version. 1: first layout.
const OneStepReportSchema = "onestep.overlap/1"

// OneStepReport says how far the one-step sets are apart from what models are scored on.
type OneStepReport struct {
	Schema       string                        `json:"schema"`
	Policy       string                        `json:"policy"`       // one of the Overlap words
	Contaminated bool                          `json:"contaminated"` // the policy let in what OverlapNone keeps out
	Against      map[string]int                `json:"against"`      // instances compared with, by split; "probe" is the probe
	Kinds        map[string]OneStepOverlapping `json:"kinds"`        // by name of OneStepKinds, all of them
}

// OneStepOverlapping is the instances of one kind of overlap.
type OneStepOverlapping struct {
	Count int      `json:"count"`
	IDs   []string `json:"ids"` // of one-step instances, in order of the sets and of the ids in each
}

const (
	OverlapNone  = "none"  // no instance shares pair, reversed pair or target with a split or the probe
	OverlapAllow = "allow" // sets are drawn without regard to them
	// OverlapEnsure draws first the pairs of the splits at each distance, as many as there are: as the
	// authors of the game say that they did.
	OverlapEnsure = "ensure"
)
