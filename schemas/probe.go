package schemas

// Probe is the knowledge probe and its shortage report, in which a class stands for a split.
// 1: first layout.
var Probe = Artifact{Name: "probe", Version: 1, Files: []string{"probe.jsonl", "shortage.json"}}

// ProbeInstanceSchema names the record's version. 1: first layout.
const ProbeInstanceSchema = "probe.instance/1"

// ProbeInstance asks whether Source contains a link to Target (wikirace specification 7).
type ProbeInstance struct {
	Schema   string  `json:"schema"`
	ID       string  `json:"id"`    // pr-<class>-<0001..>
	Class    string  `json:"class"` // one of ProbeClasses
	Source   PageRef `json:"source"`
	Target   PageRef `json:"target"`
	Gold     string  `json:"gold"`     // GoldYes or GoldNo
	Distance int     `json:"distance"` // links on a shortest path from Source to Target; Unreached where there is none
	Mutual   bool    `json:"mutual"`   // both pages link to each other
}

// Classes of the probe.
const (
	ProbeConnected = "connected" // source links to target
	ProbeD2        = "d2"        // target is 2 links away and does not link back
	ProbeD3        = "d3"
	ProbeD4        = "d4"
	ProbeReversed  = "reversed" // target links to source, source does not link to target
)

// ProbeClasses lists the classes in the order in which the specification has them.
var ProbeClasses = []string{ProbeConnected, ProbeD2, ProbeD3, ProbeD4, ProbeReversed}

// Golden answers of the probe.
const (
	GoldYes = "yes"
	GoldNo  = "no"
)
