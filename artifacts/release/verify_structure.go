package release

import (
	"path"
	"strings"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// structure is level 2: the manifest against itself, then each file against the manifest and the
// files that it refers to. It returns the checks of the parts, with what they read.
func (v *verifier) structure(files []FileEntry) (checks []*Check, err error) {
	v.checkManifest()
	for _, f := range files {
		if err := v.ctx.Err(); err != nil {
			return nil, err
		}
		v.checkFile(f)
	}
	for _, p := range v.parts {
		if err := v.ctx.Err(); err != nil {
			return nil, err
		}
		if len(v.m.folder(p.Folder())) > 0 {
			c := &Check{v: v, part: p, lines: map[string]any{}}
			p.Check(c)
			checks = append(checks, c)
		}
	}
	return checks, v.checkDocuments(checks)
}

// checkDocuments renders the documents anew and compares them. Another version of wikinav may have
// put them in other words: then what differs is no finding, and the note says where it begins.
func (v *verifier) checkDocuments(checks []*Check) error {
	var parts []Part
	for _, c := range checks {
		parts = append(parts, c.part)
	}
	for _, name := range documentNames {
		if !v.wanted[name] {
			continue
		}
		if v.opts.Document == nil {
			v.report.skip("content of %s: this program does not render it, wikinav verify does", name)
			continue
		}
		f, _ := v.m.File(name)
		want, err := v.opts.Document(v.m, name, v.root, parts)
		if err != nil {
			v.report.skip("content of %s: %v", name, err)
			continue
		}
		got, err := readWhole(v.root, name, f.digestOf())
		if err != nil {
			return err
		}
		by, own := v.m.Generator, v.opts.Code
		if own.Go == "" || own.Version == by.Version && own.VCSRevision == by.VCSRevision {
			v.sameLines(name, want, got)
		} else if line := otherLine(want, got); line > 0 {
			v.report.skip("content of %s from line %d on: not what this wikinav, %s, would write; another one, %s, wrote it by the manifest",
				name, line, inWords(own), inWords(by))
		}
	}
	return nil
}

// inWords names a program by its version and revision, which in a manifest are anybody's text.
func inWords(c schemas.Code) string {
	return fault.Quote(strings.TrimSpace(c.Version + " " + c.VCSRevision))
}

// checkOutputs compares what was copied from the build with the outputs of its stages, which the
// manifest repeats: of the stage that writes such files, and where it is not among them, no other
// stage may have written the file.
func (v *verifier) checkOutputs(files []FileEntry) {
	outputs := map[string]map[string]string{}
	for _, s := range v.m.Stages {
		outputs[s.Stage] = s.Outputs
	}
	for _, f := range files {
		stage := ""
		if p := partOf(f.Path, v.parts); p != nil {
			stage = p.Source().Name
			if w := v.m.wholeOf(stage); w != nil {
				differ(v.report, "output of stage "+stage, f.Path, "", w.Stage.Outputs[path.Base(f.Path)], f.SHA256)
				continue
			}
		} else if f.Path == graphPath {
			stage = sccStage
		} else if f.Path == catalogPath {
			stage = catalogStage
		}
		if v.m.carries(stage) || v.m.Carried != nil && stage == catalogStage {
			continue // composed of two draws
		}
		if out := outputs[stage]; len(out) > 0 {
			differ(v.report, "output of stage "+stage, f.Path, "", out[path.Base(f.Path)], f.SHA256)
			continue
		}
		for _, s := range v.m.Stages {
			if stage != "" && s.Outputs[path.Base(f.Path)] == f.SHA256 {
				v.report.add("output of stage "+stage, ManifestName, "stages", "written by "+stage, fault.Quote(s.Stage))
			}
		}
	}
}

// filesOf returns the files of a part whose bytes are those of the manifest.
func (v *verifier) filesOf(p Part) Files {
	f := v.m.filesOf(v.root, p)
	for _, e := range v.m.Files {
		if parent(e.Path) == p.Folder() && !v.intact(e) {
			delete(f.files, path.Base(e.Path))
		}
	}
	return f
}

// need lists a finding for a file that the manifest lacks.
func (v *verifier) need(name string) {
	if _, ok := v.m.File(name); !ok {
		v.report.add("files", name, "", "listed in the manifest", "not listed")
	}
}

// checkFile checks the content of f as far as this version knows its kind.
func (v *verifier) checkFile(f FileEntry) {
	k, known := kindOf(f.Path, v.parts)
	if !known {
		v.report.skip("structure of %s: this version does not know the file", f.Path)
		return
	}
	v.checkEntry(f, k)
	if !v.good[f.Path] {
		v.report.skip("structure of %s: its bytes are not those of the manifest", f.Path)
		return
	}
	v.wanted[f.Path] = true
	v.checkContent(f)
}

// checkContent checks the files that are no part's.
func (v *verifier) checkContent(f FileEntry) {
	switch {
	case f.Path == croissantFile:
		v.checkCroissant(f)
	case f.Path == leadsPath:
		v.checkLeads(f)
	case f.Path == graphPath:
		v.checkGraph(f)
	case f.Path == nodesPath:
		v.checkNodes(f)
	case f.Path == aliasesPath:
		v.checkAliases(f)
	case f.Path == columnsPath:
		v.checkArrow(f, schemas.ColumnsTable)
		v.checkColumns()
	case f.Path == edgesPath:
		v.checkEdges(f)
	case isLong(f.Path):
		v.checkLongDistances(f)
	case isPacked(f.Path): // its columns are checked with the sidecar
	case f.Role == distancesDir:
		v.checkArrow(f, schemas.DistancesTable)
	}
}

// checkEntry compares what the manifest says about the kind of a file with what its path says.
func (v *verifier) checkEntry(f FileEntry, k kind) {
	differ(v.report, "media type", f.Path, "", mediaType(f.Path), f.MediaType)
	differ(v.report, "role", f.Path, "", k.Role, f.Role)
	schema := ""
	if f.Schema != nil {
		schema = *f.Schema
	}
	differ(v.report, "schema", f.Path, "", k.Schema, schema)
	differ(v.report, "rows are counted", f.Path, "", k.Rows, f.Rows != nil)
	differ(v.report, "has a logical digest", f.Path, "", k.Table != nil, f.LogicalSHA256 != nil)
}

// table is what files of both table formats have.
type table interface {
	Rows() int64
	Logical() string
}

// checkTable compares rows and logical digest with the manifest.
func (v *verifier) checkTable(f FileEntry, t table) {
	v.checkRows(f, t.Rows())
	if f.LogicalSHA256 != nil {
		differ(v.report, "logical digest", f.Path, "", *f.LogicalSHA256, t.Logical())
	}
}

func (v *verifier) checkRows(f FileEntry, rows int64) {
	if f.Rows != nil {
		differ(v.report, "rows", f.Path, "", *f.Rows, rows)
	}
}

// checkArrow checks the frame of an Arrow file; what its columns mean is checked elsewhere.
func (v *verifier) checkArrow(f FileEntry, t schemas.Table) {
	file, err := arrowio.Open(v.root, f.Path, t, f.digestOf())
	if err != nil {
		v.report.fail("table", f.Path, err)
		return
	}
	v.checkTable(f, file)
	if err := file.Close(); err != nil {
		v.report.fail("table", f.Path, err)
	}
}

// parquet reads a Parquet file and checks its frame; nil if it cannot be read.
func (v *verifier) parquet(f FileEntry, t schemas.Table) *arrowio.Table {
	got, err := arrowio.ReadParquet(v.root, f.Path, t, f.digestOf())
	if err != nil {
		v.report.fail("table", f.Path, err)
		return nil
	}
	v.checkTable(f, got)
	return got
}

// listed returns the entry of a file whose bytes are those of the manifest.
func (v *verifier) listed(name string) (f FileEntry, ok bool) {
	f, ok = v.m.File(name)
	return f, ok && v.intact(f)
}

// once reports whether what is loaded for the first time.
func (v *verifier) once(what string) bool {
	first := !v.loaded[what]
	v.loaded[what] = true
	return first
}

// openGraph returns the graph, or nil if it is damaged: then the damage is among the findings, and
// what needs the graph is skipped.
func (v *verifier) openGraph() *graph.Graph {
	if !v.once(graphPath) {
		return v.graph
	}
	f, ok := v.listed(graphPath)
	if !ok {
		v.report.skip("whatever refers to the graph: it is damaged or missing")
		return nil
	}
	g, err := graph.Open(v.root, graphPath, f.digestOf())
	if err != nil {
		v.report.fail("graph", graphPath, err)
		v.report.skip("whatever refers to the graph: it is damaged")
		return nil
	}
	v.graph = g
	return g
}

// openSet returns the distance columns, or nil like openGraph.
func (v *verifier) openSet() *distances.Set {
	if !v.once(distancesDir) {
		return v.set
	}
	g, intact := v.openGraph(), true
	for _, f := range v.m.Files {
		if parent(f.Path) == distancesDir && !isLong(f.Path) {
			intact = v.intact(f) && intact
		}
	}
	if g == nil || !intact {
		v.report.skip("whatever refers to the distances: they or the graph are damaged")
		return nil
	}
	set, err := distances.Open(v.root, distancesDir, v.m.columnFiles(), g.Len(), v.m.Graph.SHA256)
	if err != nil {
		v.report.fail("distances", columnsPath, err)
		v.report.skip("whatever refers to the distances: they are damaged")
		return nil
	}
	v.set = set
	return set
}
