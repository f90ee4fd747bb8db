package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	onestepfiles "github.com/wikinav/wikinav/artifacts/onestep"
	probefiles "github.com/wikinav/wikinav/artifacts/probe"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/artifacts/release/releasetest"
	wikiracefiles "github.com/wikinav/wikinav/artifacts/wikirace"
	families "github.com/wikinav/wikinav/eval"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/eval/question"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/eval/wikirace/racetest"
	"github.com/wikinav/wikinav/schemas"
)

// builder writes a release of a test world: what a build leaves in a work directory, and then the release of that.
type builder struct {
	t   testing.TB
	dir string
	w   *gametest.World
	in  release.Input

	splits  []splitInput
	quotas  []schemas.Quota // of the splits
	probe   []schemas.ProbeInstance
	asked   []schemas.Quota        // of the probe
	oneStep *schemas.OneStepReport // of sets without instances; nil for none
}

// splitInput is a split of the release.
type splitInput struct {
	name      string
	instances []schemas.WikiraceInstance
}

// newRelease writes a release of w with one split "tiny" of n pairs at each of the distances; the redirect "Start" leads to node 0.
// More pairs are said to have been requested than there are, if w has too few.
func newRelease(t testing.TB, w *gametest.World, n int, at ...int) string {
	t.Helper()
	return newBuilder(t, w, n, at...).release()
}

func newBuilder(t testing.TB, w *gametest.World, n int, at ...int) *builder {
	t.Helper()
	b := &builder{t: t, dir: t.TempDir(), w: w}
	recipe := []byte(`{"graph":{"name":"strict"}}`)
	sha1 := strings.Repeat("0", 40)
	b.in = release.Input{Manifest: release.Manifest{
		Wiki: "demowiki", Language: "en", SnapshotDate: "2026-01-01", Seed: 42,
		Dump: release.Dump{Kind: release.DumpDemo, SiteinfoSHA256: digest.SHA256(nil), Files: []release.DumpFile{
			{Name: "dump.xml.bz2", Bytes: 1, SHA1: &sha1, SHA256: digest.SHA256(nil), Verified: schemas.VerifiedSums},
		}},
		Generator: schemas.Code{Module: "github.com/wikinav/wikinav", Version: "v0.1.0", VCSRevision: "abc", Go: "go1.26.8"},
		Recipe:    recipe, RecipeSHA256: digest.SHA256(recipe), Graph: release.GraphEntry{SCC: release.SCC{Components: 1, Largest: []int{w.Len()}}, TargetCount: w.Len()},
		Params: map[string]json.RawMessage{"wikirace": json.RawMessage(`{"reuse":"any"}`)},
		Stages: []release.StageEntry{{Stage: "scc", Version: 1, Key: "00ff", Counters: map[string]int64{"nodes": int64(w.Len())}}},
		Counts: map[string]int64{"scc_nodes": int64(w.Len())},
	}}
	b.writeGraph()
	b.writeDistances()
	b.splits = []splitInput{b.split("tiny", n, at)}
	return b
}

// release writes the release of what was built.
func (b *builder) release() string {
	b.t.Helper()
	root, err := os.OpenRoot(b.dir)
	if err != nil {
		b.t.Fatal(err)
	}
	defer root.Close()
	b.in.Root = root
	in := b.in
	in.Parts = b.parts()
	dir := filepath.Join(b.t.TempDir(), "release")
	if _, err := release.Write(b.t.Context(), dir, in, release.WriteOptions{AllowShort: true}); err != nil {
		b.t.Fatal(err)
	}
	return dir
}

// parts writes what the stages of the families would.
func (b *builder) parts() []release.Built {
	f := releasetest.NewFolder(b.t)
	for _, s := range b.splits {
		slices.SortFunc(s.instances, func(x, y schemas.WikiraceInstance) int { return strings.Compare(x.ID, y.ID) })
		releasetest.Records(f, s.name, wikiracefiles.Table, s.instances)
		f.Text(s.name+".ids", wikiracefiles.IDs(s.instances), len(s.instances))
	}
	f.Quotas(b.quotas)
	out := []release.Built{{Part: wikiracefiles.Part, Files: f.Files}}
	if b.probe != nil {
		f := releasetest.NewFolder(b.t)
		slices.SortFunc(b.probe, func(x, y schemas.ProbeInstance) int { return strings.Compare(x.ID, y.ID) })
		releasetest.Records(f, "probe", probefiles.Table, b.probe)
		f.Quotas(b.asked)
		out = append(out, release.Built{Part: probefiles.Part, Files: f.Files})
	}
	if b.oneStep != nil {
		f := releasetest.NewFolder(b.t)
		f.Document(onestepfiles.OverlapFile, b.oneStep)
		f.Quotas(nil)
		out = append(out, release.Built{Part: onestepfiles.Part, Files: f.Files})
	}
	return out
}

// addProbe adds one question for each pair of pages: connected where the first links to the second, else one of class d2.
func (b *builder) addProbe(pairs ...[2]uint32) {
	var list []schemas.ProbeInstance
	got := map[string]int{}
	for i, p := range pairs {
		q := schemas.ProbeInstance{
			Schema: schemas.ProbeInstanceSchema, ID: fmt.Sprintf("pr-d2-%04d", i+1), Class: schemas.ProbeD2, Gold: schemas.GoldNo,
			Source: schemas.PageRef{Node: p[0], PageID: b.w.PageID(p[0]), Title: b.w.Title(p[0])},
			Target: schemas.PageRef{Node: p[1], PageID: b.w.PageID(p[1]), Title: b.w.Title(p[1])},
		}
		column, _ := b.w.Column(p[1])
		if q.Distance = int(column[p[0]]); q.Distance == 1 {
			q.ID, q.Class, q.Gold = fmt.Sprintf("pr-connected-%04d", i+1), schemas.ProbeConnected, schemas.GoldYes
		}
		got[q.Class]++
		list = append(list, q)
	}
	b.probe = list
	for i, class := range []string{schemas.ProbeConnected, schemas.ProbeD2} {
		n := got[class]
		q := schemas.NewQuota(class, n, n, "", nil)
		q.Distance = i + 1
		b.asked = append(b.asked, q)
	}
}

func (b *builder) write(name string, fill func(io.Writer) (arrowio.Summary, error)) release.File {
	b.t.Helper()
	path := filepath.Join(b.dir, name)
	f, err := os.Create(path)
	if err != nil {
		b.t.Fatal(err)
	}
	defer f.Close()
	if _, err := fill(f); err != nil {
		b.t.Fatal(err)
	}
	sum, err := digest.File(b.t.Context(), path)
	if err != nil {
		b.t.Fatal(err)
	}
	return release.File{Path: name, Digest: sum}
}

func (b *builder) table(name string, t schemas.Table, rows int, row func(*arrowio.Writer, int) error) release.File {
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

func (b *builder) writeGraph() {
	w := b.w
	succ := graphtest.From(w.Len(), func(yield func(u, v uint32)) {
		for u, row := range w.Links {
			for _, v := range row {
				yield(uint32(u), v)
			}
		}
	})
	pred := graph.Transpose(succ)
	var ids []uint32
	for u := range w.Links {
		ids = append(ids, w.PageID(uint32(u)))
	}
	b.in.Graph = b.write("graph.arrow", func(out io.Writer) (arrowio.Summary, error) {
		return graph.Write(out, arrowio.Options{}, ids, arrowio.MakeStrings(w.Titles), succ, pred)
	})
	b.in.Nodes = b.table("nodes.arrow", schemas.NodesTable, w.Len(), func(out *arrowio.Writer, u int) error {
		return out.Row(uint32(u), ids[u], w.Titles[u], uint16(0), uint32(pred.Degree(uint32(u))), uint32(succ.Degree(uint32(u))), true)
	})
	b.in.Aliases = b.table("aliases.arrow", schemas.AliasesTable, 1, func(out *arrowio.Writer, _ int) error {
		return out.Row("Start", uint32(9999), w.Titles[0], ids[0], "", uint8(1), schemas.AliasOK)
	})
}

// writeDistances writes a column for every node, in one shard.
func (b *builder) writeDistances() {
	n := b.w.Len()
	var cols []distances.Column
	for t := range uint32(n) {
		column, _ := b.w.Column(t)
		c := distances.Column{Node: t, PageID: b.w.PageID(t), Title: b.w.Title(t), Reasons: schemas.ReasonAll, Row: t}
		c.At, c.Unreached = distances.Count(column)
		cols = append(cols, c)
	}
	shard := b.write(distances.ShardName(0), func(out io.Writer) (arrowio.Summary, error) {
		return distances.WriteShard(out, arrowio.Options{}, b.in.Graph.Digest.SHA256, n, n, func(i int) ([]uint8, error) { return b.w.Column(uint32(i)) })
	})
	sidecar := b.write(distances.Sidecar, func(out io.Writer) (arrowio.Summary, error) {
		return distances.WriteColumns(out, arrowio.Options{}, cols)
	})
	b.in.Distances = release.Folder{Path: ".", Files: map[string]digest.Digest{
		distances.ShardName(0): shard.Digest, distances.Sidecar: sidecar.Digest,
	}}
}

// split takes the first pairs at each distance, and adds quotas that say how many it found.
func (b *builder) split(name string, each int, at []int) splitInput {
	s := splitInput{name: name}
	for _, d := range at {
		got := 0
		for t := uint32(0); t < uint32(b.w.Len()); t++ {
			column, _ := b.w.Column(t)
			for u := range column {
				if got < each && int(column[u]) == d {
					s.instances = append(s.instances, b.instance(name, len(s.instances)+1, uint32(u), t))
					got++
				}
			}
		}
		q := schemas.NewQuota(name, each, got, "there are no other pairs", nil)
		q.Distance = d
		b.quotas = append(b.quotas, q)
	}
	return s
}

func (b *builder) instance(split string, number int, source, target uint32) schemas.WikiraceInstance {
	inst := racetest.Instance(b.w, fmt.Sprintf("wr-%s-%04d", split, number), source, target)
	inst.Split, inst.Key = split, fmt.Sprintf("demowiki:%d:%d", inst.Source.PageID, inst.Target.PageID)
	inst.GraphSHA256, inst.RecipeSHA256 = b.in.Graph.Digest.SHA256, b.in.RecipeSHA256
	inst.Witness = b.witness(source, target)
	inst.Features = b.features(source, target, inst.Distance)
	return inst
}

// features are such as a verifier cannot tell from those of a build without computing them again.
func (b *builder) features(source, target uint32, distance int) schemas.WikiraceFeatures {
	out := len(b.w.Successors(source))
	f := schemas.WikiraceFeatures{
		ShortestPaths: 1, OptFirst: 1, OutDegree: out, OptFirstMenu: 1, MenuSize: min(50, out),
		SourceInDegree: b.w.InDegree(source), TargetInDegree: b.w.InDegree(target), TargetOutDegree: len(b.w.Successors(target)),
		DAGLayers: slices.Repeat([]uint32{2}, distance-1), Bottlenecks: []uint32{}, Dominators: []uint32{},
		CutSource: out > 50, CutDAG: []uint32{0, uint32(2*distance - 1)},
		CutGain: "0", RandomKeepsOpt: "1.00000e+00", RWFull: "5.00000e-01", RWMenu: "5.00000e-01", RWMethod: schemas.RWExact,
	}
	for u, row := range b.w.Links {
		if slices.Contains(row, target) {
			f.TargetInMaxOut = max(f.TargetInMaxOut, len(b.w.Links[u]))
		}
	}
	return f
}

func (b *builder) witness(source, target uint32) []uint32 {
	column, _ := b.w.Column(target)
	path := []uint32{source}
	for u := source; u != target; {
		for _, v := range b.w.Successors(u) {
			if column[v] == column[u]-1 {
				u = v
				break
			}
		}
		path = append(path, u)
	}
	return path
}

// result is what a command left behind.
type result struct {
	code           int
	stdout, stderr string
}

func eval(args ...string) result {
	var stdout, stderr bytes.Buffer
	code := run(args, strings.NewReader(""), &stdout, &stderr)
	return result{code, stdout.String(), stderr.String()}
}

// want fails the test unless the command ended with code.
func (r result) want(t *testing.T, code int) result {
	t.Helper()
	if r.code != code {
		t.Fatalf("exit %d, want %d\nstdout: %s\nstderr: %s", r.code, code, r.stdout, r.stderr)
	}
	return r
}

// openGames reads the games of a run of links.
func openGames(dir string) (*replay.Log, error) {
	log, err := trace.Open(dir, layoutOf("wikirace"))
	if err != nil {
		return nil, err
	}
	return replay.Read(log)
}

func layoutOf(name string) trace.Layout {
	f, err := families.Find(name)
	if err != nil {
		panic(err)
	}
	return f.Layout()
}

// repliesOf reads the replies of a run of questions.
func repliesOf(dir string) (map[string]question.Reply, error) {
	log, err := trace.Open(dir, layoutOf("probe"))
	if err != nil {
		return nil, err
	}
	return question.Read(log)
}
