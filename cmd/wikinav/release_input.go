package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/audit"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/labels"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/artifacts/store"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/pipeline"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	types "github.com/wikinav/wikinav/stages/labels"
)

// releaseInput describes the build to the writer, from receipts and small outputs alone.
func (v *view) releaseInput() (release.Input, error) {
	in := release.Input{Manifest: release.Manifest{
		Seed: v.build.Seed, Params: map[string]json.RawMessage{}, Counts: map[string]int64{},
		RecipeSHA256: digest.SHA256(canon.MustMarshal(v.build.Recipe)),
	}}
	in.Generator = cli.Code()
	for _, step := range []func(*release.Input) error{
		v.addSnapshot, v.addReceipts, v.addFiles, v.addParts, v.addSideInputs, v.addSince,
	} {
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
	var s schemas.Snapshot
	if err := f.Decode(&s); err != nil {
		return err
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
		if isSide(src.Role) || isSince(src.Role) {
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

func dashed(date string) string {
	if len(date) != 8 {
		return date
	}
	return date[:4] + "-" + date[4:6] + "-" + date[6:]
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
			in.Warnings = append(in.Warnings, release.Warning{Code: w.Code, Measured: &w.Measured, Threshold: &w.Threshold})
		}
	}
	var err error
	if in.Recipe, err = pipeline.RecipeOf(v.build.Recipe, in.Params); err != nil {
		return err
	}
	for _, l := range audit.Brief() {
		stage := l.Stage
		if stage == entryStage {
			stage = pipeline.Entry(v.build.Stages)
		}
		if n, ok := counters[stage][l.Counter]; ok {
			in.Counts[stage+"_"+l.Counter] = n
		}
	}
	in.Manifest.Graph.SCC.Components = int(counters["scc"]["components"])
	for _, size := range largest(counters["scc"]) {
		in.Manifest.Graph.SCC.Largest = append(in.Manifest.Graph.SCC.Largest, int(size))
	}
	in.Manifest.Graph.TargetCount = int(counters["distances"]["targets"])
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
	type carried struct {
		stage, name string
		to          *release.File
	}
	files := []carried{
		{"scc", "graph.arrow", &in.Graph},
		{"scc", "nodes.arrow", &in.Nodes},
		{"linkgraph", "aliases.arrow", &in.Aliases},
		{pipeline.Entry(v.build.Stages), "leads.arrow", &in.Leads},
	}
	if v.build.Stages["catalog"] != "" {
		in.Catalog = new(release.File)
		files = append(files, carried{"catalog", "catalog.sqlite", in.Catalog})
	}
	for _, f := range files {
		file, err := v.file(f.stage, f.name)
		if err != nil {
			return err
		}
		*f.to = release.File{Path: v.relative(f.stage) + "/" + f.name, Digest: file.Digest}
	}
	return v.addDistances(in)
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
	root, err := v.root(r)
	if err != nil {
		return release.Files{}, err
	}
	files := release.Files{Params: r.Params, Counters: r.Counters}
	for _, out := range r.Outputs {
		files.Add(out.Path, root, out.Path, store.DigestOf(out), out.Rows, out.LogicalSHA256)
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
	in.Distances = release.Folder{Path: v.relative("distances"), Files: digests(r)}
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

// licenceOfBuilder is that of labels by hand: who made them says it, not we.
const licenceOfBuilder = "LicenseRef-builder"

// typesLicences gives the licence of each role of a file of types.
var typesLicences = map[string]string{
	types.RoleTypes: labels.SPDX, types.RoleOntology: labels.SPDX,
	types.RoleEntityTypes: licenceOfBuilder, types.RoleManual: licenceOfBuilder,
}

// roleOf takes the number off a role of which there may be several files. That of a file of pairs
// ends with the name of its split.
func roleOf(role string) string {
	if strings.HasPrefix(role, schemas.RolePairs) {
		return role
	}
	name := strings.TrimRight(role, "0123456789")
	if name == role {
		return role
	}
	return strings.TrimSuffix(name, "-")
}

// licenceOfSide returns the licence of a file of a role that the data depends on besides the dump;
// "" for a role of the dump.
func licenceOfSide(role string) string {
	if strings.HasPrefix(role, schemas.RolePairs) ||
		slices.ContainsFunc(pipeline.Sides(), func(s pipeline.Side) bool { return s.Flag == role }) {
		return licenceOfBuilder
	}
	return typesLicences[roleOf(role)]
}

func isSide(role string) bool { return licenceOfSide(role) != "" }

func isSince(role string) bool { return role == pipeline.RoleSince || role == pipeline.RoleSinceGraph }

// addSince names the older release that pairs are fresh against, by its id.
func (v *view) addSince(in *release.Input) error {
	for _, src := range v.build.Source {
		if !isSince(src.Role) {
			continue
		}
		f, err := v.file("fresh", "since.json")
		if err != nil {
			return err
		}
		var report schemas.FreshReport
		if err := f.Decode(&report); err != nil {
			return err
		}
		in.SideInputs = append(in.SideInputs, release.SideInput{
			Role: src.Role, Name: src.Name, Version: report.Since,
			Bytes: src.Bytes, SHA256: src.SHA256, Licence: report.Licence,
		})
	}
	return nil
}

// addSideInputs names the files that labels and stages were made from besides the dump. A build of
// some stages alone has no labels, and reads such files all the same.
func (v *view) addSideInputs(in *release.Input) error {
	ontology, err := ontologyVersion(in.Parts)
	if err != nil {
		return err
	}
	for _, src := range v.build.Source {
		if !isSide(src.Role) {
			continue
		}
		side := release.SideInput{
			Role: roleOf(src.Role), Name: src.Name, Bytes: src.Bytes, SHA256: src.SHA256,
			Licence: licenceOfSide(src.Role),
		}
		if side.Role == types.RoleOntology {
			side.Version = ontology
		}
		in.SideInputs = append(in.SideInputs, side)
	}
	return nil
}

// ontologyVersion returns that of the ontology that labels come from; "" without either.
func ontologyVersion(parts []release.Built) (string, error) {
	at := slices.IndexFunc(parts, func(b release.Built) bool {
		return b.Part.Source().Name == labels.Part.Source().Name
	})
	if at < 0 {
		return "", nil
	}
	report, err := labels.Report(parts[at].Files)
	if err != nil || report.Ontology == nil {
		return "", err
	}
	return report.Ontology.Version, nil
}
