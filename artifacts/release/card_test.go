package release_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts"
	. "github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/artifacts/release/releasetest"
	"github.com/wikinav/wikinav/schemas"
)

func TestTheCardsFrontMatterNamesFilesThatAreThereAndOneDefault(t *testing.T) {
	dir := newBannedBuild(t).release(WriteOptions{})
	card := tree(t, dir)["README.md"]
	_, front, _ := strings.Cut(card, "---\n")
	front, _, _ = strings.Cut(front, "\n---\n")
	var keys []string
	paths := 0
	for _, line := range strings.Split(front, "\n") {
		if key, _, ok := strings.Cut(line, ":"); ok && !strings.ContainsAny(line[:1], " -") {
			keys = append(keys, key)
		}
		path := regexp.MustCompile(`\S+\.parquet$`).FindString(line)
		if (strings.Contains(line, "path:") || strings.HasPrefix(line, "  - graph/")) && path == "" {
			t.Errorf("no Parquet file: %q", line)
		}
		if path != "" {
			paths++
			if _, err := os.Stat(place(dir, path)); err != nil {
				t.Error(err)
			}
		}
	}
	if got, want := strings.Join(keys, " "), "language license pretty_name tags size_categories source_datasets task_categories configs"; got != want {
		t.Errorf("keys %s, want %s", got, want)
	}
	if want := "Of 9 pages on the paths of the instances 8 have one"; !strings.Contains(card, want) {
		t.Errorf("no %q in the card", want)
	}
	if n := strings.Count(front, "default: true"); n != 1 || paths != 10 {
		t.Errorf("%d defaults, %d paths, want 1 and 10:\n%s", n, paths, front)
	}
}

func TestEveryNumberInTheDocumentsHasASource(t *testing.T) {
	for name, b := range map[string]*build{
		"short": newBuild(t), "companions": newBannedBuild(t),
		"labels": newLabelledBuild(t), "texts": newTexts(t, true),
	} {
		if name == "short" {
			b.shorten()
		}
		dir := b.release(WriteOptions{AllowShort: true, Version: "3.14.15", Published: "2027-08-09"})
		releasetest.Trace(t, dir, artifacts.All)
	}
}

func TestTheCardFollowsTheManifest(t *testing.T) {
	_, m := sealed(t)
	m.Graph = GraphEntry{Nodes: 71001, Edges: 71002, SCC: SCC{Components: 71003, Largest: []int{71004, 71005}}, TargetCount: 71006, ColumnCount: 71007}
	m.Counts = map[string]int64{"red": 71008}
	m.Seed = 71009
	quotas := []schemas.Quota{quota("hard", 71012, 71011, 71010)}
	m.Warnings = []Warning{{Code: "W_X", Measured: &schemas.Ratio{Num: 71013, Den: 71014}, Threshold: &schemas.Ratio{Num: 71015, Den: 71016}}}
	m.Generator.VCSRevision = "71017"
	m.Recipe = json.RawMessage(`{"name":"71018"}`)
	card, err := RenderCard(m, "test", quotas)
	must(t, err)
	for n := 71001; n <= 71018; n++ {
		if !strings.Contains(string(card), fmt.Sprint(n)) {
			t.Errorf("%d of the manifest is not in the card", n)
		}
	}
	if !strings.Contains(string(card), "10K<n<100K") || !strings.Contains(string(card), "--allow-short") {
		t.Error("size category or flag is missing")
	}
}

func TestTheDocumentsOfARealDumpNameItsSource(t *testing.T) {
	b := newBuild(t)
	b.in.Wiki, b.in.Dump.Kind, b.in.Dump.BaseURL = "demowiki", DumpClassic, "https://dumps.example.org/demowiki/20260101/"
	b.in.SideInputs = []SideInput{{Role: "types", Name: "instance|types.ttl", Version: "2022.12", SHA256: "ff", Licence: "CC-BY-SA-3.0"}}
	files := tree(t, b.release(WriteOptions{}))
	for _, want := range []string{"<https://dumps.example.org/demowiki/20260101/>", `instance\|types.ttl`, "CC-BY-SA-3.0", "contributors of demowiki"} {
		if !strings.Contains(files["ATTRIBUTION.md"], want) {
			t.Errorf("%s is not in ATTRIBUTION.md:\n%s", want, files["ATTRIBUTION.md"])
		}
	}
	if !strings.Contains(files["LICENSE.md"], "Wikipedia contributors (demowiki, dump of 2026-01-01)") || strings.Contains(files["LICENSE.md"], "catalog") {
		t.Errorf("LICENSE.md:\n%s", files["LICENSE.md"])
	}
	if !strings.Contains(files["README.md"], "--dump DIR") || strings.Contains(files["README.md"], "demo snapshot") {
		t.Error("the card takes a dump for the demo")
	}
}

// The attribution is made from what is inside: leads are text of pages, and every folder has its line.
func TestTheAttributionSaysOfEveryFolderWhatTextOfPagesItHolds(t *testing.T) {
	dir := newBannedBuild(t).release(WriteOptions{})
	if text := tree(t, dir)["ATTRIBUTION.md"]; strings.Contains(text, "leads") {
		t.Errorf("a release without leads:\n%s", text)
	}
	r, err := Open(dir)
	must(t, err)
	defer r.Close()
	m, rows := *r.Manifest(), int64(7)
	m.Files = append(slices.Clone(m.Files), FileEntry{Path: "graph/leads.parquet", Rows: &rows})
	root, err := os.OpenRoot(dir)
	must(t, err)
	defer root.Close()
	inside := slices.DeleteFunc(slices.Clone(artifacts.All), func(p Part) bool {
		_, err := os.Stat(place(dir, p.Folder()))
		return err != nil
	})
	text, err := Document(&m, "ATTRIBUTION.md", root, inside)
	must(t, err)
	if !strings.Contains(string(text), "beginning of 7 pages") {
		t.Errorf("a release with leads:\n%s", text)
	}
	for _, f := range m.Files {
		if folder, _, ok := strings.Cut(f.Path, "/"); ok && !strings.Contains(string(text), "| `"+folder+"/*` |") {
			t.Errorf("nothing about %s", f.Path)
		}
	}
}
