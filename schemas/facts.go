package schemas

// Facts is every typed value that the pages' templates state, in page-id order, then in the order of the text.
// 1: first layout.
var Facts = Artifact{Name: "facts", Version: 1, Files: []string{"facts.arrow"}}

// FactsTable: key names the value within its page and occurs once there; kind is one of FactKinds; value is the
// canonical text that the kind prescribes; unit is "" for none; raw is what the page says, without comments and
// references; offset is that of raw in the page's text, in bytes; source is "infobox:" and the parameter, FactCoord for
// a coord template, or FactProse.
var FactsTable = Table{"wikinav.facts/1", columns(`
	page_id uint32, key string, kind string, value string, unit string, raw string, offset uint32, source string`)}

// The kinds of facts, with the form of their values. A number has digits, with "-" before and "." inside where needed,
// without grouping or superfluous zeros.
const (
	FactCoord   = "coord"   // latitude, comma, longitude in degrees: numbers of at most six decimals
	FactConvert = "convert" // a number; for feet and inches and their like two, a blank between, as in the unit
	FactDate    = "date"    // YYYY-MM-DD, YYYY-MM or YYYY
	FactNumber  = "number"
	FactText    = "text" // as readers see it
)

// FactKinds lists the kinds of facts in the order in which counters stand.
var FactKinds = []string{FactCoord, FactConvert, FactDate, FactNumber, FactText}

// FactProse is the source of a fact that a template outside infoboxes states.
const FactProse = "prose"
