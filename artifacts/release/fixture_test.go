package release_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	. "github.com/wikinav/wikinav/artifacts/release"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas"
)

// build is a work directory with the artifacts of the graph G9 of the WikiRace specification, 5.7.
type build struct {
	t    *testing.T
	dir  string
	in   input
	succ graph.CSR
	pred graph.CSR
	dist [][]uint8

	labelsSHA256 string
}

const recipeG9 = `{"graph":{"component":"largest-scc","name":"strict"},"wikirace":{"reuse":"any"}}`

// newBuild writes the artifacts and an Input with the splits easy (distances 2 and 3), medium (4) and tiny (1), none of them short.
func newBuild(t *testing.T) *build {
	t.Helper()
	succ, _ := graphtest.G9()
	b := newBuildOn(t, succ)
	b.in.Splits = []SplitInput{b.split("tiny", 2, 1), b.split("easy", 3, 2, 3), b.split("medium", 3, 4)}
	b.in.Shortage = b.shortage()
	return b
}

// newBuildOn writes the artifacts of another graph, and an Input without any part.
func newBuildOn(t *testing.T, succ graph.CSR) *build {
	t.Helper()
	n := succ.Nodes()
	b := &build{t: t, dir: t.TempDir(), succ: succ, pred: graph.Transpose(succ)}
	root, err := os.OpenRoot(b.dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	sha1 := "0123456789abcdef0123456789abcdef01234567"
	b.in.Input = Input{Root: root, ShardBytes: shardOf(t, 2, succ.Nodes()), Manifest: Manifest{
		Wiki: "demowiki", Language: "en", SnapshotDate: "2026-01-01",
		Dump: Dump{Kind: DumpDemo, SiteinfoSHA256: digest.SHA256([]byte("siteinfo")), Files: []DumpFile{
			{Name: "demowiki-20260101-pages.xml.bz2", Bytes: 12, SHA1: &sha1, SHA256: digest.SHA256([]byte("dump")), Verified: "sums"},
		}},
		Generator: schemas.Code{Module: "github.com/wikinav/wikinav", Version: "v0.1.0", VCSRevision: "abc123", Go: "go1.26.8"},
		Recipe:    json.RawMessage(recipeG9), RecipeSHA256: digest.SHA256([]byte(recipeG9)), Seed: 42,
		Params: map[string]json.RawMessage{"distances": json.RawMessage(`{}`), "wikirace": json.RawMessage(`{"reuse":"any"}`)},
		Stages: []StageEntry{
			{Stage: "scc", Version: 1, Key: "00ff", Inputs: map[string]string{"linkgraph": digest.SHA256([]byte("dump"))}, Counters: map[string]int64{"nodes": int64(n)}},
			{Stage: "pages", Version: 1, Key: "00fe", Counters: map[string]int64{"read": 20}},
		},
		Counts:   map[string]int64{"pages_read": 20, "scc_nodes": int64(n)},
		Warnings: []Warning{{Code: "W_SCC_SHARE", Measured: &schemas.Ratio{Num: 9, Den: 20}, Threshold: &schemas.Ratio{Num: 1, Den: 2}}},
		Graph:    GraphEntry{SCC: SCC{Components: 3, Largest: []int{n, 1, 1}}, TargetCount: n},
	}}
	b.writeGraph()
	b.writeTables()
	b.writeDistances()
	return b
}

// shardOf returns the size of a shard with so many columns.
func shardOf(t *testing.T, columns int64, nodes int) int64 {
	stride, err := distances.Stride(nodes)
	if err != nil {
		t.Fatal(err)
	}
	return 4096 + columns*(stride+24)
}

func titleOf(u int) string {
	if u >= 9 {
		return fmt.Sprintf("Page %d", u)
	}
	return []string{"A", "B", "C (x|y)", "D", "Éé", "F", "G", "H", "T"}[u]
}

func pageID(u int) uint32 { return uint32(10 * (u + 1)) }

// write makes an artifact and gives it as an Input does.
func (b *build) write(name string, fill func(io.Writer) (arrowio.Summary, error)) File {
	b.t.Helper()
	path := filepath.Join(b.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := fill(f); err != nil {
		b.t.Fatalf("%s: %v", name, err)
	}
	if err := f.Close(); err != nil {
		b.t.Fatal(err)
	}
	sum, err := digest.File(b.t.Context(), path)
	if err != nil {
		b.t.Fatal(err)
	}
	return File{Path: name, Digest: sum}
}

func (b *build) writeGraph() {
	var ids []uint32
	var titles []string
	for u := range b.succ.Nodes() {
		ids, titles = append(ids, pageID(u)), append(titles, titleOf(u))
	}
	b.in.Graph = b.write("stages/scc/ab/graph.arrow", func(w io.Writer) (arrowio.Summary, error) {
		return graph.Write(w, arrowio.Options{}, ids, arrowio.MakeStrings(titles), b.succ, b.pred)
	})
}

func (b *build) writeTables() {
	b.in.Nodes = b.table("stages/scc/ab/nodes.arrow", schemas.NodesTable, b.succ.Nodes(), func(w *arrowio.Writer, u int) error {
		return w.Row(uint32(u), pageID(u), titleOf(u), uint16(u%2), uint32(b.pred.Degree(uint32(u))), uint32(b.succ.Degree(uint32(u))), true)
	})
	aliases := []struct {
		title  string
		target uint32
		status string
	}{{"Aa", pageID(0), schemas.AliasOK}, {"Gone", 0, schemas.AliasMissing}, {"Outside", 999, schemas.AliasOK}, {"Tee", pageID(8), schemas.AliasOK}}
	b.in.Aliases = b.table("stages/linkgraph/cd/aliases.arrow", schemas.AliasesTable, len(aliases), func(w *arrowio.Writer, i int) error {
		return w.Row(aliases[i].title, uint32(500+i), "", aliases[i].target, "", uint8(1), aliases[i].status)
	})
}

func (b *build) table(name string, t schemas.Table, rows int, row func(*arrowio.Writer, int) error) File {
	return b.write(name, func(out io.Writer) (arrowio.Summary, error) {
		w, err := arrowio.NewWriter(out, t, arrowio.Options{})
		if err != nil {
			return arrowio.Summary{}, err
		}
		for i := range rows {
			if err := row(w, i); err != nil {
				return arrowio.Summary{}, err
			}
		}
		return w.Close()
	})
}

// writeDistances writes a column for every node, in one shard.
func (b *build) writeDistances() {
	n := b.succ.Nodes()
	var cols []distances.Column
	for target := range uint32(n) {
		dist := make([]uint8, n)
		graph.DistancesTo(b.pred, target, dist, nil)
		b.dist = append(b.dist, dist)
		c := distances.Column{Node: target, PageID: pageID(int(target)), Title: titleOf(int(target)), Reasons: schemas.ReasonAll, Row: target}
		c.At, c.Unreached = distances.Count(dist)
		cols = append(cols, c)
	}
	const folder = "stages/distances/ef"
	shard := b.write(folder+"/"+distances.ShardName(0), func(w io.Writer) (arrowio.Summary, error) {
		return distances.WriteShard(w, arrowio.Options{}, b.in.Graph.Digest.SHA256, n, n, func(i int) ([]uint8, error) { return b.dist[i], nil })
	})
	sidecar := b.write(folder+"/"+distances.Sidecar, func(w io.Writer) (arrowio.Summary, error) {
		return distances.WriteColumns(w, arrowio.Options{}, cols)
	})
	b.in.Distances = Folder{Path: folder, Files: map[string]digest.Digest{
		distances.ShardName(0): shard.Digest, distances.Sidecar: sidecar.Digest,
	}}
}

// split takes, for each distance, the first each pairs; where it starts depends on the distance, so that some nodes are targets and some are not.
func (b *build) split(name string, each int, at ...int) SplitInput {
	s := SplitInput{Name: name, Requested: each * len(at), Distances: at}
	for _, d := range at {
		left := each
		for k := range b.succ.Nodes() {
			target := (k + 2*d) % b.succ.Nodes()
			for source := range b.succ.Nodes() {
				if left > 0 && int(b.dist[target][source]) == d {
					s.Instances = append(s.Instances, b.instance(name, len(s.Instances)+1, source, target))
					left--
				}
			}
		}
	}
	return s
}

func (b *build) instance(split string, number, source, target int) schemas.WikiraceInstance {
	page := func(u int) schemas.PageRef {
		return schemas.PageRef{Node: uint32(u), PageID: pageID(u), Title: titleOf(u)}
	}
	return schemas.WikiraceInstance{
		Schema: schemas.WikiraceInstanceSchema, ID: fmt.Sprintf("wr-%s-%04d", split, number), Split: split,
		Key:    fmt.Sprintf("demowiki:%d:%d", pageID(source), pageID(target)),
		Source: page(source), Target: page(target), Distance: int(b.dist[target][source]),
		Witness:  graph.Witness(b.succ, b.dist[target], uint32(source)),
		MaxSteps: 30, MaxLinks: 50, Seed: 42, GraphSHA256: b.in.Graph.Digest.SHA256, RecipeSHA256: b.in.RecipeSHA256,
		Features: b.features(source, target),
	}
}

// features are true as far as degrees and distances go; the rest is some number of the right form.
func (b *build) features(source, target int) schemas.WikiraceFeatures {
	s, t, d := uint32(source), uint32(target), int(b.dist[target][source])
	f := schemas.WikiraceFeatures{
		ShortestPaths: 1, OutDegree: b.succ.Degree(s), MenuSize: b.succ.Degree(s), SourceInDegree: b.pred.Degree(s),
		TargetInDegree: b.pred.Degree(t), TargetOutDegree: b.succ.Degree(t), DAGLayers: make([]uint32, d-1),
		Bottlenecks: []uint32{}, Dominators: []uint32{}, CutDAG: []uint32{0, 1}, CutGain: "0", RandomKeepsOpt: "1.00000e+00",
		RWFull: "2.50000e-01", RWMenu: "1.25000e-10", RWMethod: schemas.RWExact, GreedyIn: schemas.AgentResult{Success: true, Steps: d}, GreedyOut: schemas.AgentResult{Steps: 30},
	}
	for _, v := range b.succ.Row(s) {
		if int(b.dist[target][v]) == d-1 {
			f.OptFirst++
		}
	}
	f.OptFirstMenu = f.OptFirst
	for _, u := range b.pred.Row(t) {
		f.TargetInMaxOut = max(f.TargetInMaxOut, b.succ.Degree(u))
	}
	for depth := 1; depth < d; depth++ {
		var layer []uint32
		for v := range uint32(b.succ.Nodes()) {
			if int(b.dist[v][source]) == depth && int(b.dist[target][v]) == d-depth {
				layer = append(layer, v)
			}
		}
		f.DAGLayers[depth-1] = uint32(len(layer))
		f.CutDAG[1] += uint32(len(layer))
		if len(layer) == 1 {
			f.Bottlenecks = append(f.Bottlenecks, layer[0])
		}
	}
	return f
}

// shortage describes the splits of the input as the samplers would.
func (b *build) shortage() []schemas.Quota {
	out := []schemas.Quota{}
	for _, s := range b.in.Splits {
		for _, d := range s.Distances {
			got := 0
			for _, inst := range s.Instances {
				if inst.Distance == d {
					got++
				}
			}
			out = append(out, quota(s.Name, d, s.Requested/len(s.Distances), got))
		}
	}
	return out
}

func quota(of string, distance, requested, got int) schemas.Quota {
	q := schemas.NewQuota(of, requested, got, "no other pair is left", nil)
	q.Distance, q.Mode = distance, schemas.ModeSampled
	return q
}

// release writes the build's release and gives its directory.
func (b *build) release(opts WriteOptions) string {
	b.t.Helper()
	dir := filepath.Join(b.t.TempDir(), "release")
	if _, err := b.writeTo(b.t.Context(), dir, opts); err != nil {
		b.t.Fatal(err)
	}
	return dir
}
