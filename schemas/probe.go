package schemas

// Probe is the knowledge probe and its quotas, one for each class.
// 1: first layout. 2: Parquet; quotas.json in place of shortage.json.
var Probe = Artifact{Name: "probe", Version: 2, Files: []string{"probe.jsonl", "probe.parquet", QuotasFile}}

// ProbeInstanceSchema names the record's version. 1: first layout.
const ProbeInstanceSchema = "probe.instance/1"

// ProbeInstance asks whether Source contains a link to Target (wikirace specification 7).
type ProbeInstance struct {
	Schema   string  `json:"schema" flat:"-"`
	ID       string  `json:"id" flat:",ref=instances.id" doc:"name of the question: pr-<class>-<0001..>"`
	Class    string  `json:"class" doc:"connected, d2, d3, d4 or reversed: how far the target is, and whether it links back"`
	Source   PageRef `json:"source" flat:"source_" doc:"the page that is asked about"`
	Target   PageRef `json:"target" flat:"target_" doc:"the page that it may link to"`
	Gold     string  `json:"gold" doc:"yes or no: the right answer"`
	Distance int     `json:"distance" flat:",uint8" doc:"links on a shortest path from source to target, 254 for that or more, 255 where there is none"`
	Mutual   bool    `json:"mutual" doc:"both pages link to each other"`
}

const (
	ProbeConnected = "connected" // source links to target
	ProbeD2        = "d2"        // target is 2 links away and does not link back
	ProbeD3        = "d3"
	ProbeD4        = "d4"
	ProbeReversed  = "reversed" // target links to source, which has a path to it and no link
)

// ProbeClasses lists the classes in the order in which the specification has them.
var ProbeClasses = []string{ProbeConnected, ProbeD2, ProbeD3, ProbeD4, ProbeReversed}

const (
	GoldYes = "yes"
	GoldNo  = "no"
)
