package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/pipeline"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// releaseInput describes the build to the release writer. All of it comes from receipts and small outputs: nothing is
// computed anew.
func (v *view) releaseInput() (release.Input, error) {
	in := release.Input{
		Seed: v.build.Seed, Params: map[string]json.RawMessage{}, Counts: map[string]int64{},
		Recipe: canon.MustMarshal(v.build.Recipe),
	}
	in.RecipeSHA256 = digest.SHA256(in.Recipe)
	c := cli.Code()
	in.Generator = release.Generator{Module: c.Module, Version: c.Version, VCSRevision: c.VCSRevision, Dirty: c.Dirty, Go: c.Go}
	for _, step := range []func(*release.Input) error{v.addSnapshot, v.addReceipts, v.addFiles, v.addParts, v.addSideInputs} {
		if err := step(&in); err != nil {
			return in, err
		}
	}
	root, err := os.OpenRoot(v.dir.Path())
	in.Root = root
	return in, err
}

func (v *view) addSnapshot(in *release.Input) error {
	f, err := v.file(entryStage, "snapshot.json")
	if err != nil {
		return err
	}
	data, err := f.Read()
	if err != nil {
		return err
	}
	var s schemas.Snapshot
	if err := canon.Decode(data, canon.MaxManifest, &s); err != nil {
		return fault.New(fault.Mismatch, "%w", err).At(f.Name, "")
	}
	in.Wiki, in.Language, in.SnapshotDate = s.Wiki, s.Language, dashed(s.Date)
	in.Dump = release.Dump{Kind: release.DumpClassic, SiteinfoSHA256: s.SiteInfoSHA256}
	switch {
	case v.build.Stages["demo"] != "":
		in.Dump.Kind = release.DumpDemo
		if err := v.addDemoFiles(in); err != nil {
			return err
		}
	case pipeline.Entry(v.build.Stages) == "edgelist":
		in.Dump.Kind = release.DumpEdges
	}
	for _, src := range v.build.Source {
		if isTypes(src.Role) {
			continue // a side input
		}
		in.Dump.Files = append(in.Dump.Files, release.DumpFile{
			Name: src.Name, Bytes: src.Bytes, SHA256: src.SHA256, Verified: src.Verified,
		})
	}
	return nil
}

// addDemoFiles lists the dump that the demo stage wrote.
func (v *view) addDemoFiles(in *release.Input) error {
	r, err := v.receipt("demo")
	if err != nil {
		return err
	}
	for _, out := range r.Outputs {
		in.Dump.Files = append(in.Dump.Files, release.DumpFile{
			Name: out.Path, Bytes: out.Bytes, SHA256: out.SHA256, Verified: schemas.VerifiedNone,
		})
	}
	return nil
}

// dashed turns YYYYMMDD into YYYY-MM-DD.
func dashed(date string) string {
	if len(date) != 8 {
		return date
	}
	return date[:4] + "-" + date[4:6] + "-" + date[6:]
}

func (v *view) receipt(stage string) (*schemas.Receipt, error) {
	key := v.build.Stages[stage]
	if key == "" {
		return nil, fault.New(fault.NotFound, "the build has no stage %s", stage).Hint("run wikinav build")
	}
	r, err := v.dir.Result(stage, key).Receipt()
	if err != nil {
		return nil, fault.New(fault.NotFound, "the result of %s is not there: %w", stage, err).Hint("run wikinav build")
	}
	return r, nil
}

// addReceipts takes over what the receipts say: params, digests, counters, warnings, and the funnel.
func (v *view) addReceipts(in *release.Input) error {
	counters := map[string]map[string]int64{}
	for _, stage := range pipeline.InOrder(v.build.Stages) {
		r, err := v.receipt(stage)
		if err != nil {
			return err
		}
		in.Params[stage] = r.Params
		in.Stages = append(in.Stages, stageEntry(r))
		counters[stage] = r.Counters
		for _, w := range r.Warnings {
			m, t := release.Ratio(w.Measured), release.Ratio(w.Threshold)
			in.Warnings = append(in.Warnings, release.Warning{Code: w.Code, Measured: &m, Threshold: &t})
		}
	}
	for _, l := range funnel {
		stage := l.stage
		if stage == entryStage {
			stage = pipeline.Entry(v.build.Stages)
		}
		if n, ok := counters[stage][l.counter]; ok {
			in.Counts[stage+"_"+l.counter] = n
		}
	}
	in.SCC.Components = int(counters["scc"]["components"])
	for i := 1; counters["scc"][fmt.Sprintf("component_%02d", i)] > 0; i++ {
		in.SCC.Largest = append(in.SCC.Largest, int(counters["scc"][fmt.Sprintf("component_%02d", i)]))
	}
	in.TargetCount = int(counters["distances"]["targets"])
	return nil
}

func stageEntry(r *schemas.Receipt) release.StageEntry {
	e := release.StageEntry{
		Stage: r.Stage, Version: r.StageVersion, Key: r.Key,
		Inputs: map[string]string{}, Outputs: map[string]string{}, Counters: r.Counters,
	}
	for _, in := range r.Inputs {
		e.Inputs[in.Name] = in.SHA256
	}
	for _, out := range r.Outputs {
		e.Outputs[out.Path] = out.SHA256
	}
	return e
}

// addFiles names the artifacts that are carried, relative to the work directory.
func (v *view) addFiles(in *release.Input) error {
	for _, f := range []struct {
		stage, name string
		to          *release.File
	}{
		{"scc", "graph.arrow", &in.Graph}, {"scc", "nodes.arrow", &in.Nodes}, {"linkgraph", "aliases.arrow", &in.Aliases},
	} {
		file, err := v.releaseFile(f.stage, f.name)
		if err != nil {
			return err
		}
		*f.to = file
	}
	if err := v.addLeads(in); err != nil {
		return err
	}
	if v.build.Stages["catalog"] != "" {
		file, err := v.releaseFile("catalog", "catalog.sqlite")
		if err != nil {
			return err
		}
		in.Catalog = &file
	}
	return v.addDistances(in)
}

func (v *view) addLeads(in *release.Input) error {
	file, err := v.releaseFile(pipeline.Entry(v.build.Stages), "leads.arrow")
	in.Leads = file
	return err
}

// addParts names the files of the parts that the build has.
func (v *view) addParts(in *release.Input) error {
	for _, p := range artifacts.All {
		if v.build.Stages[p.Source().Name] == "" {
			continue
		}
		files, err := v.partFiles(p)
		if err != nil {
			return err
		}
		in.Parts = append(in.Parts, release.Built{Part: p, Files: files})
	}
	return nil
}

// partFiles returns the files of a part of the build, by the receipt of its stage.
func (v *view) partFiles(p release.Part) (release.Files, error) {
	r, err := v.receipt(p.Source().Name)
	if err != nil {
		return release.Files{}, err
	}
	root, err := v.dir.Result(r.Stage, r.Key).Root()
	if err != nil {
		return release.Files{}, err
	}
	v.open = append(v.open, root)
	files := release.Files{Params: r.Params, Counters: r.Counters}
	for _, out := range r.Outputs {
		sum := digest.Digest{SHA256: out.SHA256, XXH64: out.XXH64, Bytes: out.Bytes}
		files.Add(out.Path, root, out.Path, sum, out.Rows, out.LogicalSHA256)
	}
	return files, nil
}

func (v *view) addDistances(in *release.Input) error {
	r, err := v.receipt("distances")
	if err != nil {
		return err
	}
	var params struct {
		ShardBytes int64 `json:"shard_bytes"`
	}
	if err := json.Unmarshal(r.Params, &params); err != nil {
		return err
	}
	in.ShardBytes = params.ShardBytes
	in.Distances = release.Folder{Path: v.relative("distances"), Files: map[string]digest.Digest{}}
	for _, out := range r.Outputs {
		in.Distances.Files[out.Path] = digest.Digest{SHA256: out.SHA256, XXH64: out.XXH64, Bytes: out.Bytes}
	}
	return nil
}

// relative gives the folder of a stage's result below the work directory, with slashes.
func (v *view) relative(stage string) string {
	rel, err := filepath.Rel(v.dir.Path(), v.dir.Result(stage, v.build.Stages[stage]).Path())
	if err != nil {
		panic(err) // both are below one absolute path
	}
	return filepath.ToSlash(rel)
}

func (v *view) releaseFile(stage, name string) (release.File, error) {
	f, err := v.file(stage, name)
	if err != nil {
		return release.File{}, err
	}
	return release.File{Path: v.relative(stage) + "/" + name, Digest: f.Digest}, nil
}
