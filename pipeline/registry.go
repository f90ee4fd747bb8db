package pipeline

import (
	"cmp"

	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/dumps/wikitext/facts"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/aar"
	"github.com/wikinav/wikinav/stages/catalog"
	"github.com/wikinav/wikinav/stages/constrained"
	"github.com/wikinav/wikinav/stages/crosscheck"
	"github.com/wikinav/wikinav/stages/demo"
	"github.com/wikinav/wikinav/stages/distances"
	"github.com/wikinav/wikinav/stages/edgelist"
	"github.com/wikinav/wikinav/stages/fresh"
	"github.com/wikinav/wikinav/stages/ingest"
	"github.com/wikinav/wikinav/stages/labels"
	"github.com/wikinav/wikinav/stages/linkgraph"
	"github.com/wikinav/wikinav/stages/listed"
	"github.com/wikinav/wikinav/stages/lumina"
	"github.com/wikinav/wikinav/stages/mango"
	"github.com/wikinav/wikinav/stages/onestep"
	"github.com/wikinav/wikinav/stages/pagelinks"
	"github.com/wikinav/wikinav/stages/probe"
	"github.com/wikinav/wikinav/stages/scc"
	"github.com/wikinav/wikinav/stages/targets"
	"github.com/wikinav/wikinav/stages/wikirace"
)

// registry lists the stages in an order in which every input is there before it is read. It is the
// only place that knows all stages: a new one is one line here.
var registry = []entry{
	plain("edgelist", func(b given) stages.Stage {
		return edgelist.New(edgelist.Params{Wiki: b.source.Wiki, Date: b.source.Date, Language: b.source.Language})
	}).where(given.edges),
	plain("demo", func(given) stages.Stage { return demo.New(demo.Default()) }).where(given.demo),
	tabled("ingest", ingest.DefaultReading, newIngest).where(given.dump),
	plain("crosscheck", func(given) stages.Stage { return crosscheck.New() }).where(given.pageTables),
	plain("pagelinks", func(given) stages.Stage { return pagelinks.New() }).where(given.pagelinks),
	plain("linkgraph", func(b given) stages.Stage {
		return linkgraph.New(linkgraph.Params{Recipe: b.graph, Thresholds: linkgraph.DefaultThresholds()})
	}).makingGraph(),
	plain("scc", func(b given) stages.Stage {
		return scc.New(scc.Params{Component: b.graph.Component, Thresholds: scc.DefaultThresholds()})
	}).makingGraph(),
	tabled("labels", labels.Default, only(labels.New)),
	plain("listed", func(given) stages.Stage { return listed.New() }).where(given.listed),
	tabled("targets", targets.Default, only(targets.New)).takingListed(),
	tabled("distances", distances.Default, only(distances.New)),
	plain("fresh", newFresh).where(given.fresh),
	family("wikirace", wikirace.Default, wikirace.New).withSplits().drawingPairs().takingListed(),
	family("probe", probe.Default, probe.New).drawingPairs(),
	family("onestep", onestep.Default,
		func(p onestep.Params) stages.Stage { return onestep.New(p, schemas.Wikirace, schemas.Probe) }).drawingPairs(),
	family("constrained", constrained.Default, constrained.New).drawingPairs(),
	family("mango", mango.Default, mango.New),
	family("lumina", lumina.Default, lumina.New),
	family("aar", aar.Default, aar.New).brings(Side{
		"aar-cassette", schemas.AARCassette,
		"answers of providers, recorded by wikinav-eval tools record, for legs of aar that need them",
	}),
	plain("catalog", func(given) stages.Stage { return catalog.New(artifacts.All...) }),
}

// RemovedFlags says which --set takes the place of a flag that build and plan had once.
var RemovedFlags = map[string]string{
	"anchors":            "ingest.anchors=on",
	"constrained-preset": "constrained.preset=small",
	"link-parts":         "graph.link_parts=body,tables",
	"max-store":          "targets.max_store=8GiB",
	"no-infobox-labels":  "labels.infobox=false",
	"no-policy-labels":   "labels.policy=false",
	"overlap":            "onestep.overlap=allow",
	"rw":                 "wikirace.rw=sim",
	"union-labels":       "labels.union=true",
}

func newIngest(reading ingest.Reading, b given) stages.Stage {
	src := b.source
	wiki, date := src.snapshot()
	return ingest.New(ingest.Params{
		Wiki: wiki, Date: date, VerifyText: cmp.Or(src.VerifyText, "count"), Tolerate: src.Tolerate,
		LeadRunes: facts.LeadLimit, Hatnotes: src.Hatnotes, Anchors: reading.Anchors, Texts: reading.Texts, PageText: reading.PageText,
	}, src.Reader)
}

// newFresh makes the stage of fresh pairs, whose shards are as large as those of the distances.
func newFresh(b given) stages.Stage {
	return fresh.New(fresh.Params{
		Since: b.source.since.ID, Match: b.match(), RecipeSHA256: digest.SHA256(canon.MustMarshal(b.graph)),
		ShardBytes: b.shardBytes,
	})
}

// given is what a stage is made from besides its table.
type given struct {
	graph      schemas.Recipe
	source     *Source
	shardBytes int64 // of the distances
}

func (b given) edges() bool      { return b.source.Edges != "" }
func (b given) demo() bool       { return b.source.Demo() }
func (b given) dump() bool       { return b.source.Edges == "" }
func (b given) pageTables() bool { return b.source.hasPageTables() }
func (b given) fresh() bool      { return b.source.FreshSince != "" }
func (b given) listed() bool     { return len(b.source.Pairs) > 0 }
func (b given) match() string    { return b.source.match() }
func (b given) pagelinks() bool  { return b.graph.LinkSource == schemas.SourcePagelinks }

// entry is a stage as it is registered: its name, the defaults of its table, and how it is made.
type entry struct {
	name     string
	defaults func() any // a new pointer to its table; nil for a stage without one
	create   func(table any, b given) stages.Stage
	when     func(given) bool // nil for a stage of every build
	graph    bool             // it makes the graph of what was read, by the policy
	family   bool             // it draws instances: its table has a seed, which follows the root seed
	splits   bool             // its splits are those that users choose
	pairs    bool             // it draws pairs of pages, which are fresh where that is asked for
	listed   bool             // it takes the pairs that users list, where they do
	side     *Side            // a file that users may bring for it alone; nil for none
}

// Side is a file besides the dump that one stage reads, if it is there: the name of its flag, which
// is also its role, the artifact that the stage declares, and what the flag says.
type Side struct {
	Flag     string
	Artifact schemas.Artifact
	Usage    string
}

// Sides lists the files that users may bring for one stage.
func Sides() (list []Side) {
	for _, e := range registry {
		if e.side != nil {
			list = append(list, *e.side)
		}
	}
	return list
}

func plain(name string, create func(given) stages.Stage) entry {
	return entry{name: name, create: func(_ any, b given) stages.Stage { return create(b) }}
}

func tabled[P any](name string, defaults func() P, create func(P, given) stages.Stage) entry {
	return entry{
		name:     name,
		defaults: func() any { p := defaults(); return &p },
		create:   func(table any, b given) stages.Stage { return create(*table.(*P), b) },
	}
}

// family registers a stage that draws instances.
func family[P any](name string, defaults func() P, create func(P) stages.Stage) entry {
	e := tabled(name, defaults, only(create))
	e.family = true
	return e
}

// only makes a stage from its table alone.
func only[P any](create func(P) stages.Stage) func(P, given) stages.Stage {
	return func(p P, _ given) stages.Stage { return create(p) }
}

func (e entry) where(when func(given) bool) entry { e.when = when; return e }
func (e entry) makingGraph() entry                { e.graph = true; return e }
func (e entry) withSplits() entry                 { e.splits = true; return e }
func (e entry) brings(s Side) entry               { e.side = &s; return e }
func (e entry) drawingPairs() entry               { e.pairs = true; return e }
func (e entry) takingListed() entry               { e.listed = true; return e }

func Registry(r Recipe, src Source) []stages.Stage {
	var list []stages.Stage
	b := given{r.Graph, &src, r.params("distances").(*distances.Params).ShardBytes}
	for _, e := range registry {
		if e.when != nil && !e.when(b) {
			continue
		}
		var table any
		if e.defaults != nil {
			table = r.params(e.name)
		}
		s := e.create(table, b)
		if e.pairs && b.fresh() {
			s = stages.Reading(s, schemas.Fresh, schemas.Common)
		}
		if e.listed && b.listed() {
			s = stages.Reading(s, schemas.Listed)
		}
		list = append(list, s)
	}
	return list
}

func Families() []string { return names(func(e entry) bool { return e.family }) }

// InOrder lists the stages of a build in the order of the pipeline.
func InOrder(built map[string]string) []string {
	return names(func(e entry) bool { return built[e.name] != "" })
}

func names(of func(entry) bool) []string {
	var list []string
	for _, e := range registry {
		if of(e) {
			list = append(list, e.name)
		}
	}
	return list
}

// Entry names the stage of a build that wrote its pages and links.
func Entry(built map[string]string) string {
	if built["edgelist"] != "" {
		return "edgelist"
	}
	return "ingest"
}
