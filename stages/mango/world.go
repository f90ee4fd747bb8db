package mango

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// world is what walks are taken in: the graph, and the pages that may be locations.
type world struct {
	*graph.Graph
	inside []bool   // by node: of the largest component
	fit    []bool   // by node: may be a location
	pages  []uint32 // the fit ones, ascending
	texts  *texts   // nil where observations show names only
}

// genericFlags are the pages that skip_generic leaves out: those that recipes call disambiguation, lists and dates.
const genericFlags = schemas.FlagDisambiguation | schemas.FlagList | schemas.FlagDate

func openWorld(env *stages.Run, p Params) (*world, error) {
	g, err := env.Graph()
	if err != nil {
		return nil, err
	}
	w := &world{Graph: g}
	if p.Observation == schemas.MangoObserveLead {
		if w.texts, err = openTexts(env, g); err != nil {
			return nil, err
		}
		w.dropTexts(env)
	}
	nodes, err := env.PerNode(schemas.Nodes, "nodes.arrow", schemas.NodesTable, g)
	if err != nil {
		return nil, err
	}
	for b := range nodes.Batches() {
		w.readBatch(nodes, b, p)
	}
	return w, nil
}

// dropTexts reports how many nodes have a text. A graph of which none has, as one from an edge list, is shown by its names.
func (w *world) dropTexts(env stages.Env) {
	written := int64(w.texts.written)
	env.Count("nodes_with_lead", written)
	if written == 0 {
		stages.WarnBelow(env, "W_MANGO_NO_LEADS", schemas.Ratio{Den: int64(w.Len())}, schemas.Ratio{Num: 1, Den: int64(w.Len())})
		w.texts = nil
	}
}

// observation gives the mode that the texts allow.
func (w *world) observation() string {
	if w.texts == nil {
		return schemas.MangoObserveName
	}
	return schemas.MangoObserveLead
}

// readBatch finds the pages that may be locations, whatever the walk.
func (w *world) readBatch(nodes *arrowio.File, b int, p Params) {
	flags, inside := nodes.Uint16s(b, schemas.NodesTable.Index("flags")), nodes.Bools(b, schemas.NodesTable.Index("in_scc"))
	for i, f := range flags {
		u := uint32(len(w.fit))
		fit := inside.At(i) && (w.texts == nil || w.texts.has(u)) && (!p.SkipGeneric || f&genericFlags == 0) && fitTitle(w.Title(u), p.MaxTitle)
		w.inside, w.fit = append(w.inside, inside.At(i)), append(w.fit, fit)
		if fit {
			w.pages = append(w.pages, u)
		}
	}
}

// fitTitle refuses long titles, and those that the fixed words of an observation would name.
func fitTitle(title string, longest int) bool {
	return utf8.RuneCountInString(title) <= longest && !slices.Contains(fixedWords, strings.ToLower(title))
}

// linked tells whether the graph has the link from u to v.
func (w *world) linked(u, v uint32) bool {
	_, ok := slices.BinarySearch(w.Succ.Row(u), v)
	return ok
}
