package schemas

import "encoding/json"

// Constrained is the instances of the second family, the pairs whose ban leaves no path, and the funnel of the draw.
// 1: first layout. 2: the funnel tells how many pages of the paths have a label. 3: Parquet and quotas.json.
var Constrained = Artifact{
	Name: "constrained", Version: 3,
	Files: []string{"instances.jsonl", "instances.parquet", "infeasible.jsonl", "funnel.json", QuotasFile},
}

// ConstrainedInstanceSchema names the record's version. 1: first layout.
const ConstrainedInstanceSchema = "constrained.instance/1"

// ConstrainedInstance asks for a walk from Source to Target that enters no page of a banned class; source and target are exempt
// (constrained specification 4.5). Lengths count links. Below, a page is banned if it has the label BannedCategory or, under
// UnlabelledForbid, none; the ends never are. Paths without any ban are called baseline.
type ConstrainedInstance struct {
	Schema            string       `json:"schema" flat:"-"`
	ID                string       `json:"id" flat:",ref=instances.id" doc:"name of the instance: cw-<0001..>"`
	Key               string       `json:"key" doc:"<wiki>:<source page id>:<target page id>:<label>"`
	Source            PageRef      `json:"source" flat:"source_" doc:"the page where the game begins"`
	Target            PageRef      `json:"target" flat:"target_" doc:"the page to reach"`
	BannedCategory    string       `json:"banned_category" doc:"the label that no page between the ends may have"`
	UnlabelledRule    string       `json:"unlabelled" doc:"allow lets pages without any label pass, forbid does not"`
	BanWitness        *BanWitness  `json:"ban_witness" flat:"ban_witness_,has=has_ban_witness" doc:"the page whose label was banned: the most linked one with a label, of those that link to the target"`
	BaselinePath      []uint32     `json:"baseline_path" flat:",ref=pages.node" doc:"the smallest shortest path without the ban, by node"`
	ConstrainedPath   []uint32     `json:"constrained_path" flat:",ref=pages.node" doc:"the same with the ban, exact"`
	BaselineTitles    []string     `json:"baseline_path_titles" flat:"-"`
	ConstrainedTitles []string     `json:"constrained_path_titles" flat:"-"`
	BaselineLength    int          `json:"baseline_length" doc:"links of baseline_path"`
	ConstrainedLength int          `json:"constrained_length" doc:"links of constrained_path"`
	Detour            int          `json:"detour" doc:"constrained_length minus baseline_length"`
	Binding           string       `json:"binding" doc:"none: the baseline path has no banned page; on_witness: it has, and another is as short; longer: all have"`
	BaselineClean     [2]uint64    `json:"n_baseline_paths_clean" flat:"baseline_paths_clean,baseline_paths_all" doc:"shortest paths without the ban: those without a banned page; all"`
	Unlabelled        int          `json:"unlabelled_on_path" doc:"pages without label between the ends of constrained_path"`
	IfForbidden       *int         `json:"length_if_unlabelled_forbidden" flat:",null=-1" doc:"the length if no page without label may be entered, null (-1 in tables) where no path is left"`
	BannedShare       [2]int       `json:"banned_share" flat:"successors_banned,successors_all" doc:"links of the source: to banned pages; all"`
	BannedOnShortest  [2]int       `json:"banned_on_shortest" flat:"shortest_banned,shortest_all" doc:"pages between the ends on shortest paths: banned ones; all"`
	FeasibleFirst     [2]int       `json:"feasible_first" flat:"first_moves_feasible,first_moves_optimal" doc:"links of the source that begin an allowed path which never returns to it: of any length; of constrained_length"`
	Compat            CompatSearch `json:"compat" flat:"compat_" doc:"what the published procedure of removing pages finds, never a length to measure by"`
	MaxSteps          int          `json:"max_steps" doc:"turns that a player has"`
	Seed              int64        `json:"seed" doc:"seed of the order in which links are shown"`
	ParamsSHA256      string       `json:"params_sha256" doc:"the parameters of the stage"`
	LabelsSHA256      string       `json:"labels_sha256" doc:"the labels of the pages"`
	GraphSHA256       string       `json:"graph_sha256" doc:"the graph that the instance was drawn from"`
}

// Bindings lists the values of Binding, weakest first.
var Bindings = []string{BindingNone, BindingWitness, BindingLonger}

// What becomes of pages without any label.
const (
	UnlabelledAllow  = "allow"  // they are never banned
	UnlabelledForbid = "forbid" // a path must not enter them, either
)

// BanWitness is the page whose label was banned: the most linked one, among those with a label, that link to the target. It is
// null under ban_mode fixed-set.
type BanWitness struct {
	PageRef  `flat:""`
	InDegree int `json:"in_degree" doc:"pages that link to it"`
}

// CompatSearch is what the published procedure of at most 20 searches finds: never a length to measure by.
type CompatSearch struct {
	Found      bool `json:"found" doc:"it finds a path"`
	Iterations int  `json:"iterations" doc:"searches that it made"`
	Length     *int `json:"length" flat:",null=-1" doc:"links of the path, null (-1 in tables) unless found"`
}

const (
	BindingNone    = "none"       // the baseline path has no banned page
	BindingWitness = "on_witness" // it has, and another path is as short
	BindingLonger  = "longer"     // every shortest path has
)

// ConstrainedInfeasibleSchema names the record's version. 1: first layout.
const ConstrainedInfeasibleSchema = "constrained.infeasible/1"

// ConstrainedInfeasible is a pair that its ban leaves without a path (constrained specification 4.4).
type ConstrainedInfeasible struct {
	Schema         string      `json:"schema"`
	ID             string      `json:"id"` // cx-<0001..>
	Key            string      `json:"key"`
	Infeasible     bool        `json:"infeasible"` // true
	Source         PageRef     `json:"source"`
	Target         PageRef     `json:"target"`
	BannedCategory string      `json:"banned_category"`
	UnlabelledRule string      `json:"unlabelled"`
	BanWitness     *BanWitness `json:"ban_witness"`
	BaselineLength int         `json:"baseline_length"`
	Cut            int         `json:"cut"` // banned pages among the in-neighbours of Target
	MaxSteps       int         `json:"max_steps"`
	Seed           int64       `json:"seed"`
	ParamsSHA256   string      `json:"params_sha256"`
	LabelsSHA256   string      `json:"labels_sha256"`
	GraphSHA256    string      `json:"graph_sha256"`
}

// ConstrainedFunnelSchema names the record's version. 1: first layout. 2: with on_paths.
// 3: with spread.
const ConstrainedFunnelSchema = "constrained.funnel/3"

// ConstrainedFunnel says what became of every attempt to draw a pair: the attempts are the rejects and the accepted together.
type ConstrainedFunnel struct {
	Schema    string         `json:"schema"`
	Label     string         `json:"label"` // what a release calls the set: "constrained", or with the preset's name
	Requested int            `json:"requested"`
	Accepted  int            `json:"accepted"`
	Status    string         `json:"status"` // StatusOK or StatusShort
	Attempts  int            `json:"attempts"`
	Rejects   map[string]int `json:"rejects"` // by reason, all of ConstrainedRejects
	// Each filter counts what those before it let through, but in Pages: labelled pages, and pages that could be targets if they were
	// in the target set.
	Pages     []FilterCount   `json:"pages"`
	Sources   []FilterCount   `json:"sources"`
	Targets   []FilterCount   `json:"targets"`
	Empty     string          `json:"empty"`      // the first filter that lets nothing through, as in "targets.min_in"; "" where each lets something
	ByLabel   map[string]int  `json:"by_label"`   // instances by banned category, those that occur
	ByBinding map[string]int  `json:"by_binding"` // instances by binding, all of them
	Spread    BanSpread       `json:"spread"`
	OnPaths   PathCoverage    `json:"on_paths"`
	Kept      int             `json:"infeasible_kept"` // of the rejects for RejectInfeasible, those in infeasible.jsonl
	Params    json.RawMessage `json:"params"`          // of the stage
}

// BanSpread is how far bans are spread over classes.
type BanSpread struct {
	Classes []string `json:"classes"` // that may be drawn: labels of the pages that bans are taken from
	AtMost  int      `json:"at_most"` // instances that they can have by their share, before any search
	Even    int      `json:"even"`    // what a class may have at first; 0 where bans are not spread
	Limit   int      `json:"limit"`   // what a class might have in the end, for want of others
}

// PathCoverage is how far labels reach on the paths of the instances: labelled pages, and all. A page that is on several counts once. What has no
// label breaks no ban.
type PathCoverage struct {
	Any         [2]int `json:"any"` // on a path of either kind
	Baseline    [2]int `json:"baseline"`
	Constrained [2]int `json:"constrained"`
	Between     [2]int `json:"between"` // the ends of a constrained path, on that path, apart: the pages that the ban is about
}

// FilterCount is how many pages a filter and those before it let through.
type FilterCount struct {
	Filter string `json:"filter"`
	Pages  int    `json:"pages"`
}

// Why an attempt is rejected, in the order of the tests.
const (
	RejectDuplicate  = "duplicate"   // source = target, or a pair that was accepted or found infeasible before
	RejectBaseline   = "baseline"    // unreachable, too near, farther than a column says, or not fresh where it must be
	RejectNoLabel    = "no_label"    // no page that links to the target has a label
	RejectClassCap   = "class_cap"   // the label has its share of the instances
	RejectInfeasible = "infeasible"  // the ban leaves no path
	RejectNotBinding = "not_binding" // the ban does not change what is required to change
	RejectCompat     = "compat"      // under path_mode paper20: the published procedure finds nothing
	RejectKnown      = "known"       // in a build of fresh pairs: an older release has a path as short under the ban
)

// Reasons lists the reasons that the funnel counts: all, of which RejectKnown stands in builds of
// fresh pairs only.
func (f *ConstrainedFunnel) Reasons() []string {
	reasons := append([]string{}, ConstrainedRejects...)
	if _, fresh := f.Rejects[RejectKnown]; fresh {
		reasons = append(reasons, RejectKnown)
	}
	return reasons
}

// ConstrainedRejects lists the reasons of every build in that order.
var ConstrainedRejects = []string{
	RejectDuplicate, RejectBaseline, RejectNoLabel, RejectClassCap, RejectInfeasible, RejectNotBinding, RejectCompat,
}

// Unlabelled tells that no page of the graph has a label, so that nothing could be banned.
func (f *ConstrainedFunnel) Unlabelled() bool { return f.Empty == "pages.labelled" }
