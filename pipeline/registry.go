package pipeline

import (
	"github.com/wikinav/wikinav/dumps/wikitext"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/catalog"
	"github.com/wikinav/wikinav/stages/constrained"
	"github.com/wikinav/wikinav/stages/crosscheck"
	"github.com/wikinav/wikinav/stages/demo"
	"github.com/wikinav/wikinav/stages/distances"
	"github.com/wikinav/wikinav/stages/edgelist"
	"github.com/wikinav/wikinav/stages/ingest"
	"github.com/wikinav/wikinav/stages/labels"
	"github.com/wikinav/wikinav/stages/linkgraph"
	"github.com/wikinav/wikinav/stages/lumina"
	"github.com/wikinav/wikinav/stages/mango"
	"github.com/wikinav/wikinav/stages/onestep"
	"github.com/wikinav/wikinav/stages/pagelinks"
	"github.com/wikinav/wikinav/stages/probe"
	"github.com/wikinav/wikinav/stages/scc"
	"github.com/wikinav/wikinav/stages/targets"
	"github.com/wikinav/wikinav/stages/wikirace"
)

// Families lists the benchmark families that the registry builds; each has the files that layers_test.go names.
var Families = []string{"wikirace", "constrained", "mango", "lumina"}

// Registry gives the stages of a build in an order in which every input is there before it is read. It is the only
// place that knows all stages: a new one is one line here.
func Registry(r Recipe, src Source) []stages.Stage {
	return append(append(entry(r, src), besides(r, src)...), []stages.Stage{
		linkgraph.New(linkgraph.Params{Recipe: r.Graph, Thresholds: linkgraph.DefaultThresholds()}),
		scc.New(scc.Params{Component: r.Graph.Component, Thresholds: scc.DefaultThresholds()}),
		labels.New(r.Labels),
		targets.New(r.Targets),
		distances.New(r.Distances),
		wikirace.New(r.wikiraceParams()),
		probe.New(r.probeParams()),
		onestep.New(r.oneStepParams()),
		constrained.New(r.constrainedParams()),
		mango.New(r.Mango),
		lumina.New(r.Lumina),
		catalog.New(),
	}...)
}

// entry gives the stages that lead from the source to pages and links.
func entry(r Recipe, src Source) []stages.Stage {
	if src.isEdges() {
		return []stages.Stage{edgelist.New(edgelist.Params{Wiki: src.Wiki, Date: src.Date, Language: src.Language})}
	}
	read := ingest.NewReading(ingest.Params{
		Wiki: src.wiki(), Date: src.date(), VerifyText: src.verifyText(), Tolerate: src.Tolerate,
		LeadRunes: wikitext.LeadLimit, Hatnotes: src.Hatnotes, Anchors: r.Ingest.Anchors,
	}, src.Reader)
	if src.Demo() {
		return []stages.Stage{demo.New(demo.Default()), read}
	}
	return []stages.Stage{read}
}

// besides gives the stages that read SQL tables.
func besides(r Recipe, src Source) []stages.Stage {
	var list []stages.Stage
	if src.hasPageTables() {
		list = append(list, crosscheck.New())
	}
	if r.Graph.LinkSource == schemas.SourcePagelinks {
		list = append(list, pagelinks.New())
	}
	return list
}

// InOrder lists the stages of a build in the order of the pipeline.
func InOrder(built map[string]string) []string {
	var names []string
	all := Recipe{Graph: schemas.Recipe{LinkSource: schemas.SourcePagelinks}}
	every := append([]stages.Stage{edgelist.New(edgelist.Params{})}, Registry(all, Source{})...)
	for _, s := range every {
		if name := s.Spec().Name; built[name] != "" {
			names = append(names, name)
		}
	}
	return names
}

// Entry gives the stage of a build that wrote its pages and links.
func Entry(built map[string]string) string {
	if built["edgelist"] != "" {
		return "edgelist"
	}
	return "ingest"
}
