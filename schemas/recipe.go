package schemas

// Recipe is the [graph] table of a recipe file: which pages and links make the graph (wikirace specification 3).
// The SHA-256 of its canonical JSON is written to manifest and instances.
type Recipe struct {
	Name         string   `json:"name"`
	Version      int      `json:"version"`
	Namespaces   []int    `json:"namespaces"`
	LinkSource   string   `json:"link_source" oneof:"wikitext pagelinks edges"`
	LinkParts    []string `json:"link_parts"`
	Redirects    string   `json:"redirects" oneof:"resolve nodes drop"`
	RedirectHops int      `json:"redirect_hops"`
	Dab          string   `json:"dab" oneof:"keep no-endpoint drop"`
	Lists        string   `json:"lists" oneof:"keep no-endpoint drop"`
	Dates        string   `json:"dates" oneof:"keep no-endpoint drop"`
	SelfLoops    string   `json:"self_loops" oneof:"drop-after drop-before keep"`
	TitleFilter  string   `json:"title_filter" oneof:"any single-token"`
	Component    string   `json:"component" oneof:"largest-scc none"`
}

const (
	SourceWikitext   = "wikitext"
	SourcePagelinks  = "pagelinks"
	SourceEdges      = "edges" // set by the pipeline when the source is an edge list
	RedirectsResolve = "resolve"
	RedirectsNodes   = "nodes"
	RedirectsDrop    = "drop"
	ClassKeep        = "keep"
	ClassNoEndpoint  = "no-endpoint"
	ClassDrop        = "drop"
	LoopsDropAfter   = "drop-after"
	LoopsDropBefore  = "drop-before"
	LoopsKeep        = "keep"
	TitlesAny        = "any"
	TitlesOneToken   = "single-token"
	ComponentSCC     = "largest-scc"
	ComponentNone    = "none"
)

// NoEndpointFlags gives the page flags whose pages are never source or target under r.
func (r Recipe) NoEndpointFlags() uint16 { return r.flagsUnder(ClassNoEndpoint) }

// DropFlags gives the page flags whose pages are no nodes under r.
func (r Recipe) DropFlags() uint16 { return r.flagsUnder(ClassDrop) }

func (r Recipe) flagsUnder(rule string) uint16 {
	var mask uint16
	for _, c := range []struct {
		rule string
		flag uint16
	}{{r.Dab, FlagDisambiguation}, {r.Lists, FlagList}, {r.Dates, FlagDate}} {
		if c.rule == rule {
			mask |= c.flag
		}
	}
	return mask
}
