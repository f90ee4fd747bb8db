package schemas

import "encoding/json"

// AAR is the legs of The Amazing Agent Race and the world that they lead through. 1: first layout.
var AAR = Artifact{Name: "aar", Version: 1, Files: []string{"*.jsonl", "*.arrow", "*.parquet", "report.json", QuotasFile}}

// AARCassette is recorded answers of providers, brought by whoever builds. There may be none.
// 1: files from outside.
var AARCassette = Artifact{Name: "aar_cassette", Version: 1, Files: []string{"*"}}

const (
	AARLegSchema     = "aar.leg/1" // of lines of legs-<variant>-<level>.jsonl; the lines do not hold it
	AAREpisodeSchema = "aar.episode/1"
)

var (
	AARVariants = []string{"linear", "dag"}
	AARLevels   = []string{"easy", "medium", "hard", "extreme"}
)

// AARPlacesTable is the pages of a world that have coordinates, and its countries, by page id.
// lat_e6 and lng_e6 are millionths of a degree, and 0 where located is false; elevation, population
// and area are as the page shows them, without commas, or ""; kind is a kind of places, or "".
var AARPlacesTable = Table{"aar.places/1", columns(`
	page_id uint32, located bool, lat_e6 int64, lng_e6 int64, elevation string, kind string,
	country bool, settlement bool, population string, area string`)}

// AARAliasesTable is the names under which redirects lead to pages of a world, by alias.
var AARAliasesTable = Table{"aar.aliases/1", columns("alias string, page_id uint32")}

// AARIndexTable is the search index of a world, by token: the pages that hold it, as rows of
// texts.arrow, and how often. The first row, of the token "", has the number of tokens of every
// page.
var AARIndexTable = Table{"aar.index/1", columns("token string, pages listUint32, counts listUint32")}

// AARValue is a value of a leg as compact JSON: numbers keep their text and objects the order of
// their keys.
type AARValue = json.RawMessage

// AARLeg is one instance: a riddle that leads over pages, tools and small computations to one
// digit. The fields stand in the order of the file.
type AARLeg struct {
	TrailID     string        `json:"trail_id"` // trail_ and 8 hex digits
	SeedURL     string        `json:"seed_url"`
	SeedTitle   string        `json:"seed_title"`
	Stops       []AARStop     `json:"stops"` // the last one computes the passcode, no other does
	Passcode    int           `json:"passcode"`
	Difficulty  AARDifficulty `json:"difficulty"`
	Riddle      string        `json:"riddle"` // clue k, of stop k-1, begins a line with "k. "
	Metadata    AARMetadata   `json:"metadata"`
	GeneratedAt string        `json:"generated_at"` // RFC 3339 with microseconds
}

type AARDifficulty struct {
	Level                string `json:"level"`
	Depth                int    `json:"depth"` // number of stops
	ToolStopCount        int    `json:"tool_stop_count"`
	ReasonStopCount      int    `json:"reason_stop_count"`
	ExtractionDifficulty string `json:"extraction_difficulty"`
	BridgeObscurity      string `json:"bridge_obscurity"`
}

type AARMetadata struct {
	Theme        string  `json:"theme"`
	Difficulty   string  `json:"difficulty"`
	SampleID     string  `json:"sample_id"`
	PagesCrawled int     `json:"pages_crawled"`
	Source       *string `json:"source,omitempty"`
	Reverbalized *bool   `json:"reverbalized,omitempty"`
}

// Types of stops.
const (
	AARPage    = "page"
	AARTool    = "tool"
	AARReason  = "reason"
	AARCompute = "compute"
)

// AARStop is one step of a leg, at the place Index, from 0.
type AARStop struct {
	Index              int       `json:"index"`
	Type               string    `json:"stop_type"`
	PageURL            *string   `json:"page_url"` // null for compute alone
	ExtractionTarget   string    `json:"extraction_target"`
	ExtractionSection  *string   `json:"extraction_section"`
	ExtractedValue     AARValue  `json:"extracted_value"`
	ExtractedValueType string    `json:"extracted_value_type"`
	Bridge             AARBridge `json:"bridge"`
	Reasoning          string    `json:"reasoning"`
	ReasonTransform    *string   `json:"reason_transform"`
	ReasonSourceStop   *int      `json:"reason_source_stop"`
	ReasonCode         *string   `json:"reason_code"`
	DependsOn          []int     `json:"depends_on,omitzero"` // nil in linear legs, where the key is absent
}

// AARBridge leads from a stop to the next one.
type AARBridge struct {
	Type              string    `json:"bridge_type"` // link_follow, search_query, tool_call or compute
	TargetURL         *string   `json:"target_url"`
	SearchQuery       *string   `json:"search_query"`
	ExpectedResultURL *string   `json:"expected_result_url"`
	ToolChain         []AARCall `json:"tool_chain"`
	Expression        *string   `json:"expression"`
	ExpressionCode    *string   `json:"expression_code"`
	ReferencedStops   []int     `json:"referenced_stops"`
}

// AARCall is a call of a tool in a chain; its output is known to later ones under OutputKey.
type AARCall struct {
	ToolName       string   `json:"tool_name"`
	Arguments      AARValue `json:"arguments"` // an object, with the order of its keys
	ExpectedOutput AARValue `json:"expected_output"`
	OutputKey      string   `json:"output_key"`
}

// AARLegRow is a row of legs.parquet. All of it but Attempts follows from the leg.
type AARLegRow struct {
	ID           string         `json:"id" doc:"id of the instance"`
	Variant      string         `json:"variant" doc:"linear, or dag where branches meet again"`
	Level        string         `json:"level" doc:"easy, medium, hard or extreme"`
	Profile      string         `json:"profile" doc:"how the leg was drawn"`
	TrailID      string         `json:"trail_id" doc:"another name of the leg, which is its own in a release"`
	SeedTitle    string         `json:"seed_title" doc:"title of the page on which the riddle begins"`
	Stops        int            `json:"stops" doc:"steps of the leg, the last one included"`
	PageStops    int            `json:"page_stops" doc:"steps that read a page"`
	ToolStops    int            `json:"tool_stops" doc:"steps that call tools"`
	ReasonStops  int            `json:"reason_stops" doc:"steps that transform an earlier value"`
	Diamonds     int            `json:"diamonds" doc:"pairs of branches that meet again"`
	Calls        int            `json:"calls" doc:"calls of tools"`
	Words        int            `json:"words" doc:"words of the riddle"`
	Reduction    string         `json:"reduction" doc:"how the last step makes the digit"`
	ConeStops    int            `json:"cone_stops" doc:"steps whose value can change the digit"`
	DepConeStops int            `json:"dep_cone_stops" doc:"the same, with the pages that arguments of tools come from"`
	DepConePages int            `json:"dep_cone_pages" doc:"those of them that read a page"`
	Templates    map[string]int `json:"templates" flat:",json" doc:"how often each template of tool steps occurs"`
	Transforms   map[string]int `json:"transforms" flat:",json" doc:"how often each transform occurs"`
	Attempts     int            `json:"attempts" doc:"draws until the leg passed every gate"`
}

// AAREpisode is one player at one leg: a line of episodes.jsonl.
type AAREpisode struct {
	Schema   string    `json:"schema"`
	Instance string    `json:"instance"`
	Attempt  int       `json:"attempt"`
	Outcome  string    `json:"outcome"` // answered, step_limit, timeout, gave_up or infra
	Answer   *string   `json:"answer"`  // as given
	Turns    []AARTurn `json:"turns"`
	Retried  bool      `json:"retried"`
	Reason   *string   `json:"reason,omitempty"` // of OutcomeInfra
	Usage    *Usage    `json:"usage,omitempty"`  // of all turns; absent if one of them tells none
	Cost     *string   `json:"cost,omitempty"`
	Millis   int64     `json:"ms"` // of wall clock
}

// AARTurn is one reply of a model with the calls that it made.
type AARTurn struct {
	Turn      int         `json:"turn"`  // from 1
	Reply     string      `json:"reply"` // in words; "" of a program that sends calls or an answer
	Reasoning *string     `json:"reasoning,omitempty"`
	Flag      string      `json:"flag,omitempty"`
	Retries   int         `json:"retries,omitempty"`
	Usage     *Usage      `json:"usage,omitempty"`
	Served    *Served     `json:"served,omitempty"`
	Cost      *string     `json:"cost,omitempty"` // as its player told it, where the run has no price
	Calls     []AARLogged `json:"calls"`
}

// AARLogged is a call as the log tells it. Of native and cassette calls Output is left out, because
// whoever has the release computes it anew and compares SHA256.
type AARLogged struct {
	ID      string  `json:"id"`
	Tool    string  `json:"tool"`
	Args    string  `json:"args"`   // as the player sent it
	Source  string  `json:"source"` // native, cassette, python, live or none
	SHA256  string  `json:"sha256"` // of the output after the cut
	Chars   int     `json:"chars"`  // of the output after the cut, in code points
	Preview string  `json:"preview"`
	Output  *string `json:"output,omitempty"`
}
