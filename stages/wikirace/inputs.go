package wikirace

import (
	"context"
	"fmt"
	"os"
	"regexp"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

// inputs is what the stage reads. Parts are nil until they are open.
type inputs struct {
	wiki     string
	graph    *graph.Graph
	nodes    *arrowio.File
	distance *distances.Set
}

// openInputs opens everything or nothing.
func openInputs(ctx context.Context, env stages.Env) (*inputs, error) {
	in := &inputs{}
	for _, open := range []func(stages.Env) error{in.openSnapshot, in.openGraph, in.openNodes, in.openDistances} {
		err := ctx.Err()
		if err == nil {
			err = open(env)
		}
		if err != nil {
			in.close()
			return nil, fmt.Errorf("wikirace: %w", err)
		}
	}
	return in, nil
}

func (in *inputs) close() {
	if in.graph != nil {
		in.graph.Close()
	}
	if in.nodes != nil {
		in.nodes.Close()
	}
	if in.distance != nil {
		in.distance.Close()
	}
}

func (in *inputs) openSnapshot(env stages.Env) error {
	file, err := stages.Find(env, schemas.SnapshotArtifact, "snapshot.json")
	if err != nil {
		return err
	}
	data, err := file.Root.ReadFile(file.Name)
	if err != nil {
		return err
	}
	var s schemas.Snapshot
	if err := canon.Decode(data, canon.MaxManifest, &s); err != nil {
		return fault.New(fault.Mismatch, "%w", err).At(file.Name, "")
	}
	in.wiki = s.Wiki
	return nil
}

func (in *inputs) openGraph(env stages.Env) error {
	file, err := stages.Find(env, schemas.Graph, "graph.arrow")
	if err != nil {
		return err
	}
	in.graph, err = graph.Open(file.Root, file.Name, file.Digest)
	return err
}

func (in *inputs) openNodes(env stages.Env) error {
	file, err := stages.OpenTable(env, schemas.Nodes, "nodes.arrow", schemas.NodesTable)
	if err != nil {
		return err
	}
	in.nodes = file
	if got, want := file.Rows(), int64(in.graph.Len()); got != want {
		return fault.New(fault.Mismatch, "%d rows for a graph of %d nodes", got, want).At("nodes.arrow", "")
	}
	return nil
}

func (in *inputs) openDistances(env stages.Env) error {
	files, err := env.Input(schemas.Distances)
	if err != nil {
		return err
	}
	var root *os.Root
	digests := map[string]digest.Digest{}
	for _, f := range files {
		root, digests[f.Name] = f.Root, f.Digest
	}
	if root == nil {
		return fault.New(fault.NotFound, "artifact %s has no files", schemas.Distances.Name)
	}
	in.distance, err = distances.Open(root, ".", digests, in.graph.Len(), in.graph.SHA256)
	return err
}

// field applies the filters of p.
func (in *inputs) field(ctx context.Context, p Params) (field, error) {
	allowed := in.allowed(p)
	f := field{nodes: in.graph.Len()}
	for u, ok := range allowed {
		if ok && in.graph.Succ.Degree(uint32(u)) >= p.SourceMinOut {
			f.sources = append(f.sources, uint32(u))
		}
	}
	for _, c := range in.distance.Columns() {
		if !allowed[c.Node] || in.graph.Pred.Degree(c.Node) < p.TargetMinIn {
			continue
		}
		if err := ctx.Err(); err != nil {
			return field{}, err
		}
		column, err := in.distance.Column(c.Node)
		if err != nil {
			return field{}, fmt.Errorf("wikirace: %w", err)
		}
		f.targets = append(f.targets, target{node: c.Node, column: column, at: c.At})
	}
	return f, nil
}

// allowed tells of each node whether its flags and its title let it be an end of an instance.
func (in *inputs) allowed(p Params) []bool {
	var title *regexp.Regexp
	if p.ExcludeTitleRE != "" {
		title = regexp.MustCompile(p.ExcludeTitleRE) // Validate compiled it before
	}
	out := make([]bool, 0, in.graph.Len())
	for b := range in.nodes.Batches() {
		for _, flags := range in.nodes.Uint16s(b, schemas.NodesTable.Index("flags")) {
			u := len(out)
			out = append(out, flags&p.ExcludeFlags == 0 && (title == nil || !title.Match(in.graph.Titles.Bytes(u))))
		}
	}
	return out
}
