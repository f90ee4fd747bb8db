package pairs

import (
	"context"
	"regexp"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// Inputs is what a stage needs that draws pairs: snapshot, graph, nodes and distances.
type Inputs struct {
	Wiki      string
	Graph     *graph.Graph
	Distances *distances.Set
	// Common is the graph without the links that an older release lacks, where pairs are to be
	// fresh; nil where all are drawn.
	Common *graph.Graph
	drawn  *distances.Set // the columns that pairs are drawn from
	nodes  *arrowio.File
}

// Artifacts lists what Open reads, for the Spec of a stage.
func Artifacts() []schemas.Artifact {
	return []schemas.Artifact{schemas.SnapshotArtifact, schemas.Graph, schemas.Nodes, schemas.Distances}
}

func Open(env *stages.Run) (*Inputs, error) {
	snapshot, err := stages.ReadSnapshot(env)
	if err != nil {
		return nil, err
	}
	in := &Inputs{Wiki: snapshot.Wiki}
	if in.Graph, err = env.Graph(); err != nil {
		return nil, err
	}
	if in.nodes, err = env.PerNode(schemas.Nodes, "nodes.arrow", schemas.NodesTable, in.Graph); err != nil {
		return nil, err
	}
	if in.Distances, err = stages.OpenDistances(env, schemas.Distances, in.Graph); err != nil {
		return nil, err
	}
	if in.drawn = in.Distances; !env.Reads(schemas.Fresh) {
		return in, nil
	}
	if in.drawn, err = stages.OpenDistances(env, schemas.Fresh, in.Graph); err != nil {
		return nil, err
	}
	return in, in.openCommon(env)
}

// OpenField opens everything and applies the filters.
func OpenField(ctx context.Context, env *stages.Run, e Ends) (*Inputs, Field, error) {
	in, err := Open(env)
	if err != nil {
		return nil, Field{}, err
	}
	field, err := in.Field(ctx, e)
	return in, field, err
}

func (in *Inputs) openCommon(env *stages.Run) error {
	file, err := stages.Find(env, schemas.Common, "common.arrow")
	if err != nil {
		return err
	}
	g, err := graph.Open(file.Root, file.Name, file.Digest)
	in.Common, err = stages.Keep(env, g, err)
	return err
}

// Field applies the filters. Where pairs are to be fresh, its columns have the others as unreached.
// A page that is a target for the sake of listed pairs alone is none here: what is drawn is the
// same whatever pairs a user lists.
func (in *Inputs) Field(ctx context.Context, e Ends) (Field, error) {
	allowed := in.allowed(e)
	f := Field{Nodes: in.Graph.Len()}
	for u, ok := range allowed {
		if ok && in.Graph.Succ.Degree(uint32(u)) >= e.SourceMinOut {
			f.Sources = append(f.Sources, uint32(u))
		}
	}
	for _, c := range in.drawn.Columns() {
		if !allowed[c.Node] || in.Graph.Pred.Degree(c.Node) < e.TargetMinIn ||
			c.Reasons == schemas.ReasonListed {
			continue
		}
		if err := ctx.Err(); err != nil {
			return Field{}, err
		}
		column, err := in.drawn.Column(c.Node)
		if err != nil {
			return Field{}, err
		}
		all, err := in.Distances.Column(c.Node)
		if err != nil {
			return Field{}, err
		}
		f.Targets = append(f.Targets, Target{Node: c.Node, Column: column, at: c.At, Distances: all})
	}
	return f, nil
}

// allowed tells of each node whether its flags and its title let it be an end.
func (in *Inputs) allowed(e Ends) []bool {
	var title *regexp.Regexp
	if e.ExcludeTitleRE != "" {
		title = regexp.MustCompile(e.ExcludeTitleRE) // Validate compiled it before
	}
	out := make([]bool, 0, in.Graph.Len())
	for b := range in.nodes.Batches() {
		for _, flags := range in.nodes.Uint16s(b, schemas.NodesTable.Index("flags")) {
			u := len(out)
			out = append(out, flags&e.ExcludeFlags == 0 && (title == nil || !title.Match(in.Graph.Titles.Bytes(u))))
		}
	}
	return out
}

// Stale reports whether a pair is none of those that pairs are drawn from: no path connects it, or
// fresh pairs are wanted and an older release can answer it.
func (in *Inputs) Stale(source, target uint32) (bool, error) {
	column, err := in.drawn.Column(target)
	return err == nil && column[source] == schemas.Unreached, err
}

// Page names a node as records do.
func (in *Inputs) Page(u uint32) schemas.PageRef {
	return schemas.PageRef{Node: u, PageID: in.Graph.PageIDs[u], Title: in.Graph.Title(u)}
}
