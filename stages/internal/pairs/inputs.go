package pairs

import (
	"context"
	"os"
	"regexp"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

// Inputs is what a stage needs that draws pairs: snapshot, graph, nodes and distances.
type Inputs struct {
	Wiki      string
	Graph     *graph.Graph
	Distances *distances.Set
	nodes     *arrowio.File
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
	in.Distances, err = openDistances(env, in.Graph)
	return in, err
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

func openDistances(env *stages.Run, g *graph.Graph) (*distances.Set, error) {
	files, err := env.Input(schemas.Distances)
	if err != nil {
		return nil, err
	}
	var root *os.Root
	digests := map[string]digest.Digest{}
	for _, f := range files {
		root, digests[f.Name] = f.Root, f.Digest
	}
	if root == nil {
		return nil, fault.New(fault.NotFound, "artifact %s has no files", schemas.Distances.Name)
	}
	set, err := distances.Open(root, ".", digests, g.Len(), g.SHA256)
	return stages.Keep(env, set, err)
}

// Field applies the filters.
func (in *Inputs) Field(ctx context.Context, e Ends) (Field, error) {
	allowed := in.allowed(e)
	f := Field{Nodes: in.Graph.Len()}
	for u, ok := range allowed {
		if ok && in.Graph.Succ.Degree(uint32(u)) >= e.SourceMinOut {
			f.Sources = append(f.Sources, uint32(u))
		}
	}
	for _, c := range in.Distances.Columns() {
		if !allowed[c.Node] || in.Graph.Pred.Degree(c.Node) < e.TargetMinIn {
			continue
		}
		if err := ctx.Err(); err != nil {
			return Field{}, err
		}
		column, err := in.Distances.Column(c.Node)
		if err != nil {
			return Field{}, err
		}
		f.Targets = append(f.Targets, Target{Node: c.Node, Column: column, at: c.At})
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

// Page names a node as records do.
func (in *Inputs) Page(u uint32) schemas.PageRef {
	return schemas.PageRef{Node: u, PageID: in.Graph.PageIDs[u], Title: in.Graph.Title(u)}
}
