package pipeline

import (
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/catalog"
	"github.com/wikinav/wikinav/stages/demo"
	"github.com/wikinav/wikinav/stages/distances"
	"github.com/wikinav/wikinav/stages/ingest"
	"github.com/wikinav/wikinav/stages/linkgraph"
	"github.com/wikinav/wikinav/stages/scc"
	"github.com/wikinav/wikinav/stages/targets"
	"github.com/wikinav/wikinav/stages/wikirace"
)

// Families lists the benchmark families that the registry builds; each has the files that layers_test.go names.
var Families = []string{"wikirace"}

// Registry gives the stages of a build in an order in which every input is there before it is read. It is the only
// place that knows all stages: a new one is one line here.
func Registry(r Recipe, src Source) []stages.Stage {
	list := []stages.Stage{
		ingest.New(ingest.Params{Wiki: src.wiki(), Date: src.date(), VerifyText: src.verifyText(), Tolerate: src.Tolerate}),
		linkgraph.New(linkgraph.Params{Recipe: r.Graph, Thresholds: linkgraph.DefaultThresholds()}),
		scc.New(scc.Params{Component: r.Graph.Component, Thresholds: scc.DefaultThresholds()}),
		targets.New(r.Targets),
		distances.New(r.Distances),
		wikirace.New(r.wikiraceParams()),
		catalog.New(),
	}
	if src.Demo() {
		list = append([]stages.Stage{demo.New(demo.Default())}, list...)
	}
	return list
}

// InOrder lists the stages of a build in the order of the pipeline.
func InOrder(built map[string]string) []string {
	var names []string
	for _, s := range Registry(Recipe{}, Source{}) { // the demo's registry has every stage
		if name := s.Spec().Name; built[name] != "" {
			names = append(names, name)
		}
	}
	return names
}
