package audit

import (
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// Step is a line of the funnel: a counter of a stage, and the counter that it is a share of.
type Step struct {
	Stage, Counter, Label string
	OfStage, Of           string
	Brief                 bool // the summary of a build has it too
}

// Entry is the stage of the funnel that writes pages and links; of an edge list another one does.
const (
	Entry     = "ingest"
	edgesOnly = "edgelist"
)

// TheGraph stands in labels for what the recipe keeps.
const TheGraph = "{graph}"

// Named puts what the recipe kept in its place: the whole graph is larger than its largest
// component.
func Named(label string, scc map[string]int64) string {
	kept := "the largest SCC"
	if scc["nodes"] > scc["component_01"] {
		kept = "the whole graph (component none)"
	}
	return strings.ReplaceAll(label, TheGraph, kept)
}

// Funnel leads from what was read to what can be played.
var Funnel = []Step{
	{Entry, "pages", "pages read", "", "", true},
	{Entry, "pages_article", "articles", Entry, "pages", true},
	{Entry, "pages_redirect", "redirects", Entry, "pages", true},
	{"linkgraph", "redirects_ok", "redirects that lead to a page", Entry, "pages_redirect", false},
	{"linkgraph", "redirects_loop", "redirects in a loop", Entry, "pages_redirect", false},
	{
		"linkgraph", "redirects_too_long", "redirects over the limit of hops", Entry, "pages_redirect",
		false,
	},
	{"linkgraph", "redirects_missing", "redirects to missing pages", Entry, "pages_redirect", false},
	{
		"linkgraph", "redirects_non_main", "redirects to other namespaces", Entry, "pages_redirect",
		false,
	},
	{Entry, "pages_disambiguation", "disambiguation pages", Entry, "pages", false},
	{Entry, "pages_list", "list pages", Entry, "pages", false},
	{Entry, "pages_date", "pages of dates", Entry, "pages", false},
	{Entry, "pages_non_wikitext", "pages that are not wikitext", Entry, "pages", false},
	{Entry, "links_found", "links found in the text", "", "", true},
	{Entry, "links_kept", "links to articles", Entry, "links_found", true},
	{Entry, "links_in_body", "of these in the body", Entry, "links_kept", false},
	{
		Entry, "links_in_template_args", "of these in arguments of templates", Entry, "links_kept",
		false,
	},
	{Entry, "links_in_tables", "of these in tables", Entry, "links_kept", false},
	{Entry, "links_in_refs", "of these in references", Entry, "links_kept", false},
	{Entry, "links_in_captions", "of these in captions", Entry, "links_kept", false},
	{Entry, "links_self", "links of a page to itself", Entry, "links_found", false},
	{Entry, "links_other_ns", "links to other namespaces", Entry, "links_found", false},
	{Entry, "links_interwiki", "links to other wikis", Entry, "links_found", false},
	{"pagelinks", "rows", "rows of pagelinks", "", "", true},
	{"pagelinks", "links", "rows between titles of articles", "pagelinks", "rows", true},
	{"linkgraph", "links_read", "different links of a page", Entry, "links_kept", true},
	{"linkgraph", "links_red", "links to missing pages", "linkgraph", "links_read", true},
	{"linkgraph", "links_resolved", "links resolved", "linkgraph", "links_read", true},
	{
		"linkgraph", "links_through_redirect", "of these through a redirect", "linkgraph",
		"links_resolved", false,
	},
	{
		"linkgraph", "links_duplicate", "links to the same page again", "linkgraph", "links_resolved",
		false,
	},
	{"linkgraph", "edges", "edges", "linkgraph", "links_resolved", true},
	{"linkgraph", "nodes", "nodes under the recipe", Entry, "pages_article", true},
	{"scc", "nodes", "nodes of " + TheGraph, "linkgraph", "nodes", true},
	{"scc", "edges", "edges of " + TheGraph, "linkgraph", "edges", true},
	{"labels", "labelled", "nodes with a label", "scc", "nodes", true},
	{"distances", "targets", "targets with distances", "scc", "nodes", true},
}

// Brief returns the lines that the summary of a build has.
func Brief() (list []Step) {
	for _, s := range Funnel {
		if s.Brief {
			list = append(list, s)
		}
	}
	return list
}

// Count is a line of the funnel with its numbers; Of and Share are of no line that is a whole.
type Count struct {
	Stage   string `json:"stage"`
	Counter string `json:"counter"`
	Label   string `json:"label"`
	N       int64  `json:"n"`
	Of      *int64 `json:"of"`
	Share   string `json:"share"` // "" for a whole
}

// Law says that a count is the sum of its parts.
type Law struct {
	Stage string `json:"stage"`
	Count string `json:"count"`
	Parts string `json:"parts"`
	Want  int64  `json:"want"`
	Got   int64  `json:"got"`
	Holds bool   `json:"holds"`
}

// counters are those of the stages of a release.
type counters map[string]map[string]int64

func countersOf(m *release.Manifest) counters {
	c := counters{}
	for _, s := range m.Stages {
		c[s.Stage] = s.Counters
	}
	return c
}

// of returns the counters of a stage of the funnel.
func (c counters) of(stage string) map[string]int64 {
	if stage == Entry && c[stage] == nil {
		return c[edgesOnly]
	}
	return c[stage]
}

func (c counters) funnel() []Count {
	list := []Count{}
	for _, s := range Funnel {
		n, ok := c.of(s.Stage)[s.Counter]
		if !ok {
			continue
		}
		line := Count{Stage: s.Stage, Counter: s.Counter, Label: Named(s.Label, c["scc"]), N: n}
		// What comes from tables is not a share of the text's.
		fromTables := s.Counter == "links_read" && c["pagelinks"] != nil
		if of, ok := c.of(s.OfStage)[s.Of]; ok && of > 0 && !fromTables {
			line.Of, line.Share = &of, canon.Decimal(float64(n)/float64(of))
		}
		list = append(list, line)
	}
	return append(list, c.draws()...)
}

// draws are the attempts of the stages that draw, and what became of them.
func (c counters) draws() (list []Count) {
	for _, stage := range sortedKeys(c) {
		all := c[stage]["attempts"]
		for _, name := range sortedKeys(c[stage]) {
			kind, _, _ := strings.Cut(name, "_")
			if all == 0 || name != "attempts" && kind != "accepted" && kind != "rejected" {
				continue
			}
			line := Count{
				Stage: stage, Counter: name, N: c[stage][name],
				Label: stage + ": " + strings.ReplaceAll(name, "_", " "),
			}
			if name != "attempts" {
				line.Of, line.Share = &all, canon.Decimal(float64(line.N)/float64(all))
			}
			list = append(list, line)
		}
	}
	return list
}

// law is a count and its parts: names of counters of the same stage, STAGE.NAME for those of
// another, and prefixes that end in *.
type law struct{ stage, count, parts string }

var laws = []law{
	{Entry, "pages_read", "pages_kept pages_skipped"},
	{Entry, "pages_kept", "pages_ns_*"},
	{
		Entry, "pages_kept", "linkgraph.nodes linkgraph.pages_dropped_by_recipe linkgraph.pages_non_node " +
			"linkgraph.pages_other_ns linkgraph.pages_redirect",
	},
	{Entry, "pages_redirect", "linkgraph.redirects_*"},
	{
		Entry, "links_found", "links_kept links_category links_file links_interlanguage links_interwiki " +
			"links_invalid links_other_ns links_self links_unterminated",
	},
	{Entry, "links_kept", "links_in_*"},
	{Entry, "facts_kept", "facts_convert facts_coord facts_date facts_number facts_text"},
	{
		"linkgraph", "links_read", "links_resolved links_red links_from_non_nodes links_non_node links_redirect_* " +
			"links_in_other_parts links_self_after_redirect links_to_dropped_page links_to_redirect",
	},
	{"linkgraph", "links_resolved", "edges links_duplicate"},
	{"linkgraph", "edges", "edges_mixed_parts edges_only_*"},
	{"linkgraph", "nodes", "scc.nodes_before"},
	{"linkgraph", "edges", "scc.edges_before"},
	{"labels", "nodes", "source_*"},
	{"targets", "targets", "distances.targets"},
}

// laws returns which counts are the sums of their parts; those of stages that did not run, or did
// not count all of it, are left out.
func (c counters) laws() []Law {
	list := []Law{}
	for _, l := range laws {
		want, ok := c[l.stage][l.count]
		got, all := c.sum(l.stage, strings.Fields(l.parts))
		if ok && all {
			list = append(list, Law{l.stage, l.count, l.parts, want, got, want == got})
		}
	}
	for _, stage := range sortedKeys(c) {
		if l, ok := drawLaw(stage, c[stage]); ok {
			list = append(list, l)
		}
	}
	return list
}

func (c counters) sum(stage string, parts []string) (sum int64, all bool) {
	all = true
	for _, p := range parts {
		of, name := stage, p
		if s, n, ok := strings.Cut(p, "."); ok {
			of, name = s, n
		}
		if prefix, ok := strings.CutSuffix(name, "*"); ok {
			sum += prefixed(c[of], prefix)
			all = all && c[of] != nil
			continue
		}
		n, ok := c[of][name]
		sum, all = sum+n, all && ok
	}
	return sum, all
}

func prefixed(counters map[string]int64, prefix string) (sum int64) {
	for name, n := range counters { // a sum
		if strings.HasPrefix(name, prefix) {
			sum += n
		}
	}
	return sum
}

// drawLaw says that every attempt of a draw that counts its rejects was accepted or rejected; what
// an enumeration filled took no attempt.
func drawLaw(stage string, c map[string]int64) (Law, bool) {
	attempts, ok := c["attempts"]
	rejects := slices.ContainsFunc(sortedKeys(c),
		func(s string) bool { return strings.HasPrefix(s, "rejected_") })
	if !ok || !rejects {
		return Law{}, false
	}
	got := prefixed(c, "accepted") + prefixed(c, "rejected_") - c["filled_by_enumeration"]
	const parts = "accepted* rejected_* less filled_by_enumeration"
	return Law{stage, "attempts", parts, attempts, got, attempts == got}, true
}

// Raised is a warning of the build, in words.
type Raised struct {
	Code      string         `json:"code"`
	Says      string         `json:"says"`
	Measured  *schemas.Ratio `json:"measured"`
	Threshold *schemas.Ratio `json:"threshold"`
}

// meanings of the codes that every recipe can raise; others are shown by their code.
var meanings = map[string]string{
	"W_TITLE_SINGLE_TOKEN": "few titles have a space in them: a filter may have dropped all others",
	"W_RED_LINKS": "many links lead to pages that are not there: the dump may lack some, or titles " +
		"are read wrongly",
	"W_SCC_SHARE":        "the largest strongly connected component is a small part of the pages",
	"W_OUTDEG_MEDIAN":    "pages have fewer or more links than those of a wiki",
	"W_EDGE_COUNT":       "there are few links for so many pages",
	"W_REDIRECT_LOSS":    "many redirects lead nowhere",
	"W_LABEL_CLASSES":    "many classes of the types are in neither the table nor the ontology",
	"W_FAR":              "some pages are farther apart than a column of distances says",
	"W_UNKNOWN_BUILD":    "the program does not know its own revision: nobody can tell which code made this",
	"W_DIRTY_BUILD":      "the program was built from changed files: nobody can tell which code made this",
	"W_TEXT_CUT":         "the dump ends before it is whole",
	"W_PAGES_MISSING":    "the dump lacks pages that its tables have",
	"W_FOREIGN_SITEINFO": "siteinfo is that of another wiki",
	"W_FRESH_RECIPE":     "the older release was made by another recipe",
}

func raised(m *release.Manifest) []Raised {
	list := []Raised{}
	for _, w := range m.Warnings {
		list = append(list, Raised{w.Code, meanings[w.Code], w.Measured, w.Threshold})
	}
	return list
}
