package release_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	. "github.com/wikinav/wikinav/artifacts/release"

	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/labels"
)

// croissantOf reads croissant.json.
func croissantOf(t *testing.T, dir string) (doc map[string]any) {
	t.Helper()
	data, err := os.ReadFile(place(dir, "croissant.json"))
	must(t, err)
	must(t, json.Unmarshal(data, &doc))
	return doc
}

// objectsOf lists the objects of a type below a key of a document.
func objectsOf(doc map[string]any, key, typ string) (list []map[string]any) {
	for _, x := range doc[key].([]any) {
		if o := x.(map[string]any); o["@type"] == typ {
			list = append(list, o)
		}
	}
	return list
}

func TestCroissantHasEveryFileTableAndColumn(t *testing.T) {
	dir := newBannedBuild(t).release(WriteOptions{Published: "2027-08-09"})
	doc, m := croissantOf(t, dir), open(t, dir).Manifest()
	if doc["datePublished"] != "2027-08-09" || doc["version"] != "1.0.0" {
		t.Errorf("published %v, version %v", doc["datePublished"], doc["version"])
	}
	files, tables := map[string]bool{}, map[string]map[string]any{}
	for _, o := range objectsOf(doc, "distribution", "cr:FileObject") {
		files[o["@id"].(string)] = true
	}
	for _, o := range objectsOf(doc, "recordSet", "cr:RecordSet") {
		tables[o["@id"].(string)] = o
	}
	for _, f := range m.Files {
		if document := slices.Contains(DocumentNames, f.Path); files[f.Path] == document {
			t.Errorf("%s: a FileObject %v", f.Path, !document)
		}
		id, isTable := strings.CutSuffix(f.Path, ".parquet")
		if !isTable {
			continue
		}
		var want, got []string
		for _, c := range TableOf(f.Path, artifacts.All).Columns {
			want = append(want, id+"/"+c.Name)
		}
		described := 0
		for _, field := range tables[id]["field"].([]any) {
			got = append(got, field.(map[string]any)["@id"].(string))
			if field.(map[string]any)["description"] != nil {
				described++
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: fields %v, want %v", f.Path, got, want)
		}
		if strings.HasPrefix(id, "splits/") && described < len(want)/2 {
			t.Errorf("%s: %d of %d columns are described", f.Path, described, len(want))
		}
	}
	if sets := objectsOf(doc, "distribution", "cr:FileSet"); len(sets) != 1 ||
		sets[0]["includes"] != "distances/distances-*.arrow" {
		t.Errorf("sets of shards: %v", sets)
	}
	purposes := map[string]string{}
	for _, row := range tables["wikinav_splits"]["data"].([]any) {
		r := row.(map[string]any)
		purposes[r["wikinav_splits/name"].(string)] = r["wikinav_splits/url"].(string)
	}
	for split, want := range map[string]string{
		"labels/train": "", "wikirace/easy": "cr:TestSplit", "onestep/train": "cr:TrainingSplit",
		"onestep/validation": "cr:ValidationSplit", "probe/test": "cr:TestSplit",
	} {
		if purposes[split] != want {
			t.Errorf("%s is %q, want %q", split, purposes[split], want)
		}
	}
}

// A packed file is said to be packed, and what is in it.
func TestPackedFilesAreDescribedAsWhatTheyAreAndHold(t *testing.T) {
	dir := newMazes(t).release(WriteOptions{AllowShort: true})
	formats := map[string]any{}
	for _, o := range objectsOf(croissantOf(t, dir), "distribution", "cr:FileObject") {
		formats[o["@id"].(string)] = o["encodingFormat"]
	}
	var described struct {
		Resources []struct{ Path, Format, Mediatype, Compression string }
	}
	must(t, json.Unmarshal([]byte(tree(t, dir)["datapackage.json"]), &described))
	packed := 0
	for _, r := range described.Resources {
		if !strings.HasSuffix(r.Path, ".jsonl.gz") {
			if r.Compression != "" {
				t.Errorf("%+v", r)
			}
			continue
		}
		packed++
		f := entryAt(t, readManifest(t, dir), r.Path)
		want := []any{"application/gzip", "application/jsonlines", "application/jsonl"}
		if r.Format != "jsonl" || r.Mediatype != "application/jsonl" || r.Compression != "gz" ||
			f.MediaType != "application/gzip" || !slices.Equal(formats[r.Path].([]any), want) {
			t.Errorf("%+v, %s, %v", r, f.MediaType, formats[r.Path])
		}
	}
	if packed == 0 {
		t.Error("nothing is packed")
	}
	wantClean(t, dir, VerifyOptions{})
}

// A program without templates finds by the structure alone what croissant.json says that is not so.
func TestTheStructureOfCroissantIsCheckedWithoutTemplates(t *testing.T) {
	b := newBuild(t)
	dir := b.release(WriteOptions{Published: "2027-08-09"})
	digit := regexp.MustCompile(`"sha256": "[0-9a-f]`)
	for name, c := range map[string]struct {
		edit  func(text string) string
		where string
	}{
		"a digest": {
			func(s string) string { return digit.ReplaceAllString(s, `"sha256": "x`) },
			"graph/graph.arrow sha256",
		},
		"a size": {
			func(s string) string { return strings.Replace(s, ` B",`, `1 B",`, 1) },
			"distances/columns.arrow contentSize",
		},
		"another address": {func(s string) string {
			return strings.Replace(s, `"contentUrl": "graph/graph.arrow"`, `"contentUrl": "x"`, 1)
		}, "graph/graph.arrow contentUrl"},
		"an id twice": {
			func(s string) string {
				return strings.Replace(s, `"@id": "graph/nodes"`, `"@id": "graph/aliases"`, 1)
			},
			"graph/aliases",
		},
		"a dead reference": {func(s string) string {
			return strings.Replace(s, `"@id": "splits/easy/id"`, `"@id": "splits/easy/ID"`, 1)
		}, "splits/easy/id"},
		"no description": {
			func(s string) string { return strings.Replace(s, `"license":`, `"licence":`, 1) },
			"license",
		},
		"no date": {
			func(s string) string { return strings.Replace(s, `"datePublished":`, `"date":`, 1) },
			"datePublished",
		},
		"another format": {
			func(s string) string { return strings.Replace(s, `croissant/1.1"`, `croissant/1.0"`, 1) },
			"conformsTo",
		},
		"a file that is no": {func(s string) string {
			return strings.Replace(s, `"@id": "graph/graph.arrow"`, `"@id": "graph/other.arrow"`, 1)
		}, "graph/other.arrow"},
		"no JSON": {func(s string) string { return s[1:] }, ""},
	} {
		copied := copyTree(t, dir)
		edit(t, copied, "croissant.json", func(text []byte) []byte {
			changed := c.edit(string(text))
			if changed == string(text) {
				t.Fatalf("%s: nothing changed", name)
			}
			return []byte(changed)
		})
		reseal(t, copied, nil)
		report, err := Verify(t.Context(), copied, artifacts.All, VerifyOptions{})
		must(t, err)
		if !slices.ContainsFunc(report.Failed, func(f Finding) bool {
			return f.Check == "Croissant" && f.Path == "croissant.json" && f.Where == c.where
		}) {
			t.Errorf("%s: nothing found at %q, but %+v", name, c.where, report.Failed)
		}
	}
	report, err := Verify(t.Context(), dir, artifacts.All, VerifyOptions{})
	must(t, err)
	if err := report.Err(); err != nil {
		t.Error(err)
	}
}

func TestErrataSayWhatPeopleWroteAndWhatIsReplaced(t *testing.T) {
	b := newBuild(t)
	first := tree(t, b.release(WriteOptions{}))["ERRATA.md"]
	if !strings.HasSuffix(first, "\n## Corrections\n\nNone.\n") || !strings.Contains(first, "no other release") {
		t.Errorf("a first release:\n%s", first)
	}
	old := "0123456789abcdef"
	b.in.Supersedes = &old
	dir := b.release(WriteOptions{
		Version: "2.0.0",
		Errata:  "\n- `splits/easy.jsonl`: wr-easy-0002 was wrong.\n\n## Corrections\n\nmore\n\n",
	})
	text := tree(t, dir)["ERRATA.md"]
	for _, want := range []string{
		"id `" + old + "`",
		"## Corrections\n\n- `splits/easy.jsonl`: wr-easy-0002 was wrong.\n\n## Corrections\n\nmore\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	wantClean(t, dir, VerifyOptions{})
	if got, err := Corrections(dir); err != nil || !strings.HasSuffix(got, "more") {
		t.Errorf("corrections %q, %v", got, err)
	}
	reseal(t, dir, func(m *Manifest) { m.Supersedes = nil })
	report, err := verify(t.Context(), dir, VerifyOptions{})
	must(t, err)
	if !slices.ContainsFunc(report.Failed, func(f Finding) bool { return f.Path == "ERRATA.md" }) {
		t.Errorf("a release that no longer takes the place of another: %+v", report.Failed)
	}
}

// A file is under the licence of what it was made from, and so is what repeats its rows.
func TestLicencesFollowWhatFilesAreMadeFrom(t *testing.T) {
	b := newBannedBuild(t)
	at := slices.IndexFunc(b.in.Stages, func(s StageEntry) bool { return s.Stage == "constrained" })
	given := b.in.Stages[0].Inputs["linkgraph"]
	b.in.Stages[at].Inputs = map[string]string{"labels/labels.arrow": given}
	// It says what it wrote.
	b.in.Stages = slices.DeleteFunc(b.in.Stages, func(s StageEntry) bool { return s.Stage == "labels" })
	dir := b.release(WriteOptions{})
	m := open(t, dir).Manifest()
	for path, want := range map[string]string{
		"labels/labels.parquet": "CC-BY-SA-3.0", "constrained/instances.jsonl": "CC-BY-SA-4.0 AND CC-BY-SA-3.0",
		"splits/easy.jsonl": "CC-BY-SA-4.0", "croissant.json": "CC-BY-SA-4.0", "CITATION.cff": "CC-BY-SA-4.0",
	} {
		part, ok := m.Licence.LicenceOf(path)
		if !ok || part.SPDX != want || strings.Contains(want, "3.0") != strings.Contains(part.Attribution, "DBpedia") {
			t.Errorf("%s: %+v, want %s", path, part, want)
		}
	}
	reseal(t, dir, func(m *Manifest) {
		for i := range m.Licence.Parts {
			m.Licence.Parts[i].SPDX = "CC-BY-SA-4.0"
		}
	})
	report, err := verify(t.Context(), dir, VerifyOptions{})
	must(t, err)
	for _, path := range []string{"labels/labels.arrow", "constrained/instances.parquet"} {
		if !slices.ContainsFunc(report.Failed, func(f Finding) bool {
			return f.Check == "licence" && f.Path == path && f.Expected == "under CC-BY-SA-3.0"
		}) {
			t.Errorf("%s under another licence: %+v", path, report.Failed)
		}
	}
}

// What had nothing to publish asks for no licence: the catalogue of a wiki without types reads
// labels, too, of which there are none.
func TestAPartWithoutFilesAsksForNoLicence(t *testing.T) {
	b := newLabelledBuild(t)
	b.in.Labels.Rows = func(u int) labels.Row { return at(labelOf(1), u) }
	b.in.Labels.Report.Typed = 0
	b.in.Stages = append(b.in.Stages, StageEntry{
		Stage: "wikirace", Version: 1, Key: "00fd", Counters: map[string]int64{},
		Inputs: map[string]string{"labels/labels.arrow": b.in.Stages[0].Inputs["linkgraph"]},
	})
	dir := b.release(WriteOptions{})
	if part, ok := open(t, dir).Manifest().Licence.LicenceOf("splits/easy.jsonl"); !ok || part.SPDX != "CC-BY-SA-4.0" {
		t.Errorf("%+v", part)
	}
	wantClean(t, dir, VerifyOptions{})
}

// What the recipe says of a stage is what its parameters say.
func TestARecipeThatIsNotThatOfTheStagesIsFound(t *testing.T) {
	dir := newBuild(t).release(WriteOptions{})
	reseal(t, dir, func(m *Manifest) {
		m.Recipe = json.RawMessage(strings.Replace(string(m.Recipe), `"reuse":"any"`, `"reuse":"none"`, 1))
	})
	report, err := verify(t.Context(), dir, VerifyOptions{})
	must(t, err)
	if !slices.ContainsFunc(report.Failed, func(f Finding) bool {
		return f.Check == "recipe" && f.Where == "recipe.wikirace.reuse"
	}) {
		t.Errorf("got %+v", report.Failed)
	}
}
