package release_test

import (
	"cmp"
	"context"
	"io"
	"slices"

	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/constrained"
	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/artifacts/labels"
	"github.com/wikinav/wikinav/artifacts/onestep"
	"github.com/wikinav/wikinav/artifacts/probe"
	. "github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/artifacts/release/releasetest"
	"github.com/wikinav/wikinav/artifacts/wikirace"
	"github.com/wikinav/wikinav/schemas"
)

// input is a build as the tests change it: the records of the parts, which become files when the release is written.
type input struct {
	Input
	Splits      []SplitInput
	Shortage    []schemas.Quota // of the splits
	Probe       *ProbeInput
	OneStep     *OneStepInput
	Constrained *ConstrainedInput
	Labels      *LabelsInput
	More        []Built // parts that other stages wrote
}

// SplitInput is a split. Distances ascend.
type SplitInput struct {
	Name      string
	Requested int
	Distances []int
	Instances []schemas.WikiraceInstance
}

// ProbeInput is the knowledge probe.
type ProbeInput struct {
	Instances []schemas.ProbeInstance
	Shortage  []schemas.Quota
}

// OneStepInput is the one-step sets.
type OneStepInput struct {
	Sets     []OneStepSet
	Shortage []schemas.Quota
	Report   schemas.OneStepReport
}

// OneStepSet is one of them.
type OneStepSet struct {
	Name      string
	Instances []schemas.OneStepInstance
}

// ConstrainedInput is the pairs under a ban.
type ConstrainedInput struct {
	Instances  []schemas.ConstrainedInstance
	Infeasible []schemas.ConstrainedInfeasible
	Funnel     schemas.ConstrainedFunnel
}

// LabelsInput is the labels of the nodes, and what is said of them.
type LabelsInput struct {
	Rows   func(u int) labels.Row
	Report schemas.LabelReport
}

// writeTo writes the release of the build.
func (b *build) writeTo(ctx context.Context, dir string, opts WriteOptions) (*Manifest, error) {
	in := b.in.Input
	add := func(p Part, fill func(f *releasetest.Folder)) {
		f := releasetest.NewFolder(b.t)
		fill(f)
		f.Files.Params = in.Params[p.Source().Name]
		in.Parts = append(in.Parts, Built{Part: p, Files: f.Files})
	}
	if b.in.Splits != nil {
		add(wikirace.Part, func(f *releasetest.Folder) {
			for _, s := range b.in.Splits {
				list := sorted(s.Instances, func(x schemas.WikiraceInstance) string { return x.ID })
				releasetest.Records(f, s.Name, wikirace.Table, list)
				f.Text(s.Name+".ids", wikirace.IDs(list), len(list))
			}
			f.Quotas(b.in.Shortage)
		})
	}
	if p := b.in.Probe; p != nil {
		add(probe.Part, func(f *releasetest.Folder) {
			releasetest.Records(f, "probe", probe.Table, sorted(p.Instances, func(x schemas.ProbeInstance) string { return x.ID }))
			f.Quotas(p.Shortage)
		})
	}
	if o := b.in.OneStep; o != nil {
		add(onestep.Part, func(f *releasetest.Folder) {
			for _, set := range o.Sets {
				releasetest.Records(f, set.Name, onestep.Table, set.Instances)
			}
			f.Document(onestep.OverlapFile, o.Report)
			f.Quotas(o.Shortage)
		})
	}
	if c := b.in.Constrained; c != nil {
		add(constrained.Part, func(f *releasetest.Folder) {
			releasetest.Records(f, constrained.Set, constrained.Table, c.Instances)
			releasetest.Lines(f, "infeasible.jsonl", c.Infeasible)
			f.Document(constrained.FunnelFile, c.Funnel)
			f.Quotas([]schemas.Quota{schemas.NewQuota(constrained.Set, c.Funnel.Requested, c.Funnel.Accepted, "the attempts were used up", constrained.Counts(&c.Funnel))})
		})
	}
	in.Parts = append(in.Parts, b.in.More...)
	if l := b.in.Labels; l != nil {
		add(labels.Part, func(f *releasetest.Folder) {
			f.Write(labels.File, b.labels(l.Rows))
			f.Write(labels.ParquetFile, b.labelTable(l.Rows))
			f.Document(labels.ReportFile, l.Report)
		})
	}
	return Write(ctx, dir, in, opts)
}

func sorted[T any](list []T, id func(T) string) []T {
	list = append([]T{}, list...)
	slices.SortFunc(list, func(a, b T) int { return cmp.Compare(id(a), id(b)) })
	return list
}

// labels writes the table of all nodes.
func (b *build) labels(of func(u int) labels.Row) func(io.Writer) (arrowio.Summary, error) {
	return func(out io.Writer) (arrowio.Summary, error) {
		w, err := arrowio.NewWriter(out, schemas.LabelsTable, arrowio.Options{})
		if err != nil {
			return arrowio.Summary{}, err
		}
		for u := range b.succ.Nodes() {
			if err := of(u).Append(w); err != nil {
				return arrowio.Summary{}, err
			}
		}
		return w.Close()
	}
}

func (b *build) labelTable(of func(u int) labels.Row) func(io.Writer) (arrowio.Summary, error) {
	return func(out io.Writer) (arrowio.Summary, error) {
		w, err := arrowio.NewParquetWriter(out, schemas.LabelsTable)
		if err != nil {
			return arrowio.Summary{}, err
		}
		for u := range b.succ.Nodes() {
			if err := of(u).Append(w); err != nil {
				return arrowio.Summary{}, err
			}
		}
		return w.Close()
	}
}

// The functions of the package with the parts of this project.

func verify(ctx context.Context, dir string, opts VerifyOptions) (*Report, error) {
	opts.Document = Document
	return Verify(ctx, dir, artifacts.All, opts)
}

func jsonLines[T any](list []T) []byte { return jsonl.Encode(list) }

// Paths of the parts.
const (
	graphPath        = "graph/graph.arrow"
	nodesPath        = "graph/nodes.parquet"
	aliasesPath      = "graph/aliases.parquet"
	columnsPath      = "distances/columns.arrow"
	shortagePath     = "splits/quotas.json"
	probePath        = "probe/probe.jsonl"
	probeTablePath   = "probe/probe.parquet"
	probeQuotasPath  = "probe/quotas.json"
	setQuotasPath    = "onestep/quotas.json"
	overlapPath      = "onestep/overlap.json"
	constrainedPath  = "constrained/instances.jsonl"
	constrainedTable = "constrained/instances.parquet"
	infeasiblePath   = "constrained/infeasible.jsonl"
	funnelPath       = "constrained/funnel.json"
	banQuotasPath    = "constrained/quotas.json"
	labelsPath       = "labels/labels.arrow"
	labelsTablePath  = "labels/labels.parquet"
	labelsReportPath = "labels/labels.json"
)

func splitPath(split, ext string) string { return "splits/" + split + ext }
