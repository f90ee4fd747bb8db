// Package fresh is the stage that finds the pairs of pages that an older release cannot answer:
// every shortest path between them uses a link or page that its graph lacks.
//
// It reads the graph, its distance columns, and manifest and graph of the older release. It writes
// common.arrow, the graph with those of its links alone that the older one has too (the same nodes
// in the same order), since.json, and the columns of distances once more: where the common links
// make up a path of the same length, a pair is not fresh, and its distance is 255. Samplers that
// draw from these columns draw fresh pairs, and count no others.
//
// Pages are the same by their ids; those of an edge list, whose lines number them, by their titles.
// Distances of 254 links and more are not told apart, and such pairs never fresh.
//
// Memory: three graphs mapped or made (the common one 8 bytes per link), and that of the stage
// distances: 4 bytes per link, and per node 25 and two per lane, 64 to 512 of them. Shards commit
// on their own, so an interrupted run goes on at the next.
package fresh

import (
	"context"
	"io"
	"slices"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

const name = "fresh"

// Params is all that decides what is fresh, besides the inputs. Since and Match follow from the
// older release and the kind of the wiki.
type Params struct {
	Since        string `json:"since"`         // id of the older release
	Match        string `json:"match"`         // schemas.MatchPageID or MatchTitle
	ShardBytes   int64  `json:"shard_bytes"`   // of one shard, as in the table of distances
	RecipeSHA256 string `json:"recipe_sha256"` // of the graph's recipe
}

// New returns the stage.
func New(p Params) stages.Stage {
	return stages.Make(stages.Spec{
		Name: name, Version: 1,
		Inputs:  []schemas.Artifact{schemas.SnapshotArtifact, schemas.Graph, schemas.Distances, schemas.Since},
		Outputs: []schemas.Artifact{schemas.Fresh, schemas.Common},
		Params:  p,
		Sharded: true,
	}, p.run)
}

func (p Params) run(ctx context.Context, env *stages.Run) error {
	old, err := p.readSince(env)
	if err != nil {
		return err
	}
	g, err := env.Graph()
	if err != nil {
		return err
	}
	set, err := stages.OpenDistances(env, schemas.Distances, g)
	if err != nil {
		return err
	}
	before, err := openOld(env, old)
	if err != nil {
		return err
	}
	report := schemas.FreshReport{
		Schema: schemas.FreshReportSchema, Since: p.Since, Name: old.Release.Name, Date: old.SnapshotDate,
		Licence: old.Licence.SPDX, Match: p.Match,
	}
	common := Common(g, before, p.Match, &report)
	err = env.Write("common.arrow", func(w io.Writer) (arrowio.Summary, error) {
		return graph.Write(w, stages.Options(env), g.PageIDs, g.Titles, common, graph.Transpose(common))
	})
	if err != nil {
		return err
	}
	return p.columns(ctx, env, &job{graph: g, set: set, common: common, report: &report})
}

// readSince reads the manifest of the older release, and refuses that of another wiki. Another
// recipe is a warning: links may be new because of it.
func (p Params) readSince(env *stages.Run) (*release.Manifest, error) {
	file, err := stages.Find(env, schemas.Since, release.ManifestName)
	if err != nil {
		return nil, err
	}
	data, err := file.Read()
	if err != nil {
		return nil, err
	}
	old, err := release.Decode(data)
	if err != nil {
		return nil, err
	}
	snapshot, err := stages.ReadSnapshot(env)
	if err != nil {
		return nil, err
	}
	if err := SameWiki(old, snapshot.Wiki, p.Match); err != nil {
		return nil, err
	}
	if old.RecipeSHA256 != p.RecipeSHA256 {
		env.Warn(schemas.Warning{
			Code: "W_FRESH_RECIPE", Measured: schemas.Ratio{Num: 1, Den: 1}, Threshold: schemas.Ratio{Den: 1},
		})
	}
	return old, nil
}

// SameWiki refuses an older release of another wiki, or one whose pages are numbered in another
// way.
func SameWiki(old *release.Manifest, wiki, match string) error {
	if old.Wiki != wiki {
		return fault.New(fault.Usage, "--fresh-since: a release of %s, and this build is of %s",
			fault.Quote(old.Wiki), fault.Quote(wiki)).
			Hint("name an older release of the same wiki; --wiki names that of an edge list")
	}
	if (old.Dump.Kind == release.DumpEdges) != (match == schemas.MatchTitle) {
		return fault.New(fault.Usage,
			"--fresh-since: pages of an edge list and of a dump are not the same by their ids").
			Hint("name a release that was made from the same kind of input")
	}
	return nil
}

// openOld opens the graph of the older release, which must be that of its manifest.
func openOld(env *stages.Run, old *release.Manifest) (*graph.Graph, error) {
	file, err := stages.Find(env, schemas.Since, "graph.arrow")
	if err != nil {
		return nil, err
	}
	if file.Digest.SHA256 != old.Graph.SHA256 {
		return nil, fault.New(fault.Mismatch, "SHA-256 is %s, not the %s of its manifest",
			file.Digest.SHA256, old.Graph.SHA256).At(file.Name, "").Hint("verify the release of --fresh-since")
	}
	g, err := graph.Open(file.Root, file.Name, file.Digest)
	return stages.Keep(env, g, err)
}

// Common returns the links of g that old has too, between the nodes of g, and counts them.
func Common(g, old *graph.Graph, match string, report *schemas.FreshReport) graph.CSR {
	const none = ^uint32(0)
	was := make([]uint32, g.Len())
	for u := range was {
		v, ok := old.Node(g.PageIDs[u])
		if match == schemas.MatchTitle {
			v, ok = old.NodeByTitle(g.Title(uint32(u)))
		}
		if was[u] = none; ok {
			was[u] = v
			report.Pages[0]++
		}
	}
	common := graph.CSR{Offsets: make([]int32, 1, g.Len()+1)}
	for u := range uint32(g.Len()) {
		for _, v := range g.Succ.Row(u) {
			if was[u] == none || was[v] == none {
				continue
			}
			if _, had := slices.BinarySearch(old.Succ.Row(was[u]), was[v]); had {
				common.Values = append(common.Values, v)
			}
		}
		common.Offsets = append(common.Offsets, int32(len(common.Values)))
	}
	report.Pages[1], report.Links = g.Len(), [2]int{common.Edges(), g.Edges()}
	return common
}

// job is the graph, the links that are not new, and the distances at hand.
type job struct {
	graph  *graph.Graph
	set    *distances.Set
	common graph.CSR
	report *schemas.FreshReport
	many   *graph.Many // nil until a shard is computed
	block  [][]uint8
}

// columns writes the shards that are missing, then the sidecar and the report over all of them.
func (p Params) columns(ctx context.Context, env *stages.Run, j *job) error {
	n := j.graph.Len()
	stride, err := distances.Stride(n)
	if err != nil {
		return err
	}
	columns := slices.Clone(j.set.Columns())
	shards := distances.Partition(len(columns), n, p.ShardBytes, stride)
	meter := env.Meter("searching", "targets", int64(len(columns)))
	defer meter.Done()
	for _, shard := range shards {
		own := columns[shard.First : shard.First+shard.Count]
		err := env.Shard(shard.Number, func(env stages.Env) error { return j.compute(ctx, env, shard.Number, own) })
		if err != nil {
			return err
		}
		meter.Add(int64(shard.Count))
		if err := j.place(env, shard.Number, own); err != nil {
			return err
		}
	}
	err = env.Write(distances.Sidecar, func(w io.Writer) (arrowio.Summary, error) {
		return distances.WriteColumns(w, stages.Options(env), columns)
	})
	if err != nil {
		return err
	}
	stages.Counts(env, map[string]int64{
		"pages": int64(j.report.Pages[1]), "common_pages": int64(j.report.Pages[0]),
		"links": int64(j.report.Links[1]), "common_links": int64(j.report.Links[0]),
		"fresh_pairs": j.report.Pairs, "shards": int64(len(shards)),
	})
	return env.Write("since.json", stages.Canonical(*j.report))
}

// compute writes one shard; columns are searched in blocks over the common links.
func (j *job) compute(ctx context.Context, env stages.Env, number int, columns []distances.Column) error {
	j.prepare(env)
	column := func(i int) ([]uint8, error) {
		at := i % len(j.block)
		if at == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			j.search(columns[i:min(i+len(j.block), len(columns))])
		}
		dist, err := j.set.Column(columns[i].Node)
		if err != nil {
			return nil, err
		}
		Mask(j.block[at], dist)
		return j.block[at], nil
	}
	return env.Write(distances.ShardName(number), func(w io.Writer) (arrowio.Summary, error) {
		return distances.WriteShard(w, stages.Options(env), j.graph.SHA256, j.graph.Len(), len(columns), column)
	})
}

// prepare makes the room of a block when the first shard turns out to be missing: of 64 columns at
// the least.
func (j *job) prepare(env stages.Env) {
	if j.many != nil {
		return
	}
	lanes := max(64, graph.LanesWithin(env.Memory(), j.graph.Len(), j.common.Edges(), len(j.set.Columns())))
	j.many = graph.NewMany(graph.Transpose(j.common), lanes, max(1, env.Workers()))
	for range lanes {
		j.block = append(j.block, make([]uint8, j.graph.Len()))
	}
}

func (j *job) search(columns []distances.Column) {
	nodes := make([]uint32, len(columns))
	for i, c := range columns {
		nodes[i] = c.Node
	}
	j.many.DistancesTo(nodes, j.block[:len(nodes)])
}

// Mask turns distances over the common links into a column of fresh pairs: dist where those links
// make up nothing as short, else schemas.Unreached.
func Mask(common, dist []uint8) {
	for u, d := range dist {
		if d < common[u] && d <= schemas.MaxDistance {
			common[u] = d
		} else {
			common[u] = schemas.Unreached
		}
	}
}

// place reads a committed shard back: where each column lies, and how many nodes stand at each
// distance.
func (j *job) place(env *stages.Run, number int, columns []distances.Column) error {
	file, err := env.Written(distances.ShardName(number))
	if err != nil {
		return err
	}
	f, err := file.Open(schemas.DistancesTable)
	if err != nil {
		return err
	}
	defer f.Close()
	for row := range columns {
		c := &columns[row]
		c.Shard, c.Row = uint32(number), uint32(row)
		c.At, c.Unreached = distances.Count(f.Uint8s(row, 0))
		j.report.Pairs += int64(j.graph.Len()) - int64(c.Unreached)
	}
	return nil
}
