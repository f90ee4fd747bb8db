package release_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	. "github.com/wikinav/wikinav/artifacts/release"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// tree returns the content of every file below dir by its path.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// sameTree reports every file in which got differs from want.
func sameTree(t *testing.T, got, want map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] != want[name] {
			t.Errorf("%s differs", name)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
}

func TestAReleaseHoldsTheFilesOfItsLayoutAndNoOther(t *testing.T) {
	got := slices.Sorted(maps.Keys(tree(t, newBannedBuild(t).release(WriteOptions{}))))
	want := []string{
		"ATTRIBUTION.md", "CITATION.bib", "CITATION.cff", "DATASHEET.md", "ERRATA.md", "LICENSE.md",
		"README.md", "SHA256SUMS",
		"constrained/funnel.json", "constrained/infeasible.jsonl", "constrained/instances.jsonl", "constrained/instances.parquet", "constrained/quotas.json",
		"croissant.json", "datapackage.json",
		"distances/columns.arrow", "distances/distances-0000.arrow", "distances/distances-0001.arrow",
		"distances/distances-0002.arrow", "eval.yaml",
		"graph/aliases.parquet", "graph/graph.arrow", "graph/nodes.parquet", "labels/labels.arrow", "labels/labels.json", "labels/labels.parquet", "manifest.json",
		"onestep/overlap.json", "onestep/quotas.json", "onestep/train.jsonl", "onestep/train.parquet", "onestep/validation.jsonl",
		"onestep/validation.parquet", "probe/probe.jsonl", "probe/probe.parquet", "probe/quotas.json", "recipe.toml",
		"splits/easy.ids", "splits/easy.jsonl", "splits/easy.parquet", "splits/medium.ids", "splits/medium.jsonl", "splits/medium.parquet",
		"splits/quotas.json", "splits/tiny.ids", "splits/tiny.jsonl", "splits/tiny.parquet",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestTheCatalogueIsCopiedWhenThereIsOne(t *testing.T) {
	b := newBuild(t)
	if err := os.WriteFile(filepath.Join(b.dir, "catalog.sqlite"), []byte("SQLite format 3\x00 and so on"), 0o644); err != nil {
		t.Fatal(err)
	}
	b.in.Catalog = &File{Path: "catalog.sqlite", Digest: digest.Bytes([]byte("SQLite format 3\x00 and so on"))}
	dir := b.release(WriteOptions{})
	if got := tree(t, dir)["catalog.sqlite"]; got != "SQLite format 3\x00 and so on" {
		t.Errorf("catalogue is %q", got)
	}
	wantClean(t, dir, VerifyOptions{})
}

func TestTheSumsPassSha256sum(t *testing.T) {
	tool, err := exec.LookPath("sha256sum")
	if err != nil {
		t.Skip("no sha256sum on this machine")
	}
	cmd := exec.Command(tool, "-c", "--strict", "SHA256SUMS")
	cmd.Dir = newBuild(t).release(WriteOptions{})
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// The id is derived here as a stranger would do it, without our canonical JSON.
func TestTheIDFollowsFromTheManifestWithoutIDAndRelease(t *testing.T) {
	data := tree(t, newBuild(t).release(WriteOptions{}))[ManifestName]
	var m map[string]any
	if err := json.Unmarshal([]byte(data), &m); err != nil {
		t.Fatal(err)
	}
	id := m["id"]
	delete(m, "id")
	delete(m, "release")
	plain, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if want := digest.SHA256(plain)[:16]; id != want {
		t.Errorf("id %v, want %s", id, want)
	}
}

// The id covers what a release says, and four documents say its version and date.
func TestNameVersionAndDateChangeOnlyTheDocumentsThatSayThem(t *testing.T) {
	b := newBuild(t)
	one := tree(t, b.release(WriteOptions{}))
	named := tree(t, b.release(WriteOptions{Name: "another"}))
	two := tree(t, b.release(WriteOptions{Version: "2.10.0", Published: "2026-02-03", Name: "another"}))
	labelled := []string{ManifestName, SumsName, "CITATION.bib", "CITATION.cff", "croissant.json", "datapackage.json"}
	for _, name := range slices.Sorted(maps.Keys(one)) {
		says := slices.Contains(labelled, name)
		if same := one[name] == two[name]; same == says {
			t.Errorf("%s: same bytes %v, want %v", name, same, !says)
		}
		if same := one[name] == named[name]; same == slices.Contains(labelled[:2], name) {
			t.Errorf("%s under another name: same bytes %v", name, same)
		}
		if says && name != SumsName && !strings.Contains(two[name], "2.10.0") {
			t.Errorf("%s does not say the version", name)
		}
	}
	id := regexp.MustCompile(`"id":"([0-9a-f]{16})"`)
	if a, b := id.FindString(one[ManifestName]), id.FindString(named[ManifestName]); a != b || a == "" {
		t.Errorf("ids %s and %s under another name", a, b)
	}
	if want := `"release":{"name":"another","published":"2026-02-03","version":"2.10.0"}`; !strings.Contains(two[ManifestName], want) {
		t.Errorf("no %s in the manifest", want)
	}
}

func TestAReleaseCarriesTheColumnsThatItsInstancesUse(t *testing.T) {
	b := newBuild(t)
	used := map[uint32]bool{}
	for _, s := range b.in.Splits {
		for _, inst := range s.Instances {
			used[inst.Target.Node] = true
		}
	}
	for _, all := range []bool{false, true} {
		want := len(used)
		if all {
			want = 9
		}
		r := open(t, b.release(WriteOptions{AllTargets: all}))
		set, err := r.Distances()
		if err != nil {
			t.Fatal(err)
		}
		if got := len(set.Columns()); got != want || r.Manifest().Graph.ColumnCount != want || want == 9 && !all {
			t.Errorf("all=%v: %d columns, %d in the manifest, want %d", all, got, r.Manifest().Graph.ColumnCount, want)
		}
		for _, c := range set.Columns() {
			if got, err := set.Column(c.Node); err != nil || !slices.Equal(got, b.dist[c.Node]) {
				t.Errorf("all=%v: column of %d is %v, %v, want %v", all, c.Node, got, err, b.dist[c.Node])
			}
		}
		for node := range uint32(9) {
			if _, err := set.Column(node); !all && !used[node] && !errors.Is(err, distances.ErrNoTarget) {
				t.Errorf("node %d is no target of an instance, got %v", node, err)
			}
		}
	}
}

// shorten makes the split medium short by two.
func (b *build) shorten() {
	b.in.Splits[2].Instances = b.in.Splits[2].Instances[:1]
	b.in.Shortage = b.shortage()
}

func TestAShortSplitIsRefusedUnlessItIsAllowed(t *testing.T) {
	b := newBuild(t)
	b.shorten()
	b.in.Splits[0].Instances = nil
	b.in.Shortage = b.shortage()
	dir := filepath.Join(t.TempDir(), "out")
	_, err := b.writeTo(t.Context(), dir, WriteOptions{})
	if !errors.Is(err, fault.Shortage) || !strings.Contains(err.Error(), "wikirace tiny at distance 1 0/2, wikirace medium at distance 4 1/3") {
		t.Fatalf("got %v, want every short split and distance", err)
	}
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something was written: %v", err)
	}
	dir = b.release(WriteOptions{AllowShort: true})
	wantClean(t, dir, VerifyOptions{})
	for name, want := range map[string]string{"tiny": schemas.StatusShort, "medium": schemas.StatusShort, "easy": schemas.StatusOK} {
		if got := open(t, dir).Manifest().Splits[name].Status; got != want {
			t.Errorf("%s has status %s, want %s", name, got, want)
		}
	}
	if card := tree(t, dir)["README.md"]; !strings.Contains(card, "**Short:** wikirace tiny 0/2, wikirace medium 1/3.") {
		t.Errorf("the card does not name the short splits:\n%s", card)
	}
}

func TestBuildsOfUnknownSourceAreReleasedWithAWarningAndNeverPublished(t *testing.T) {
	for name, c := range map[string]struct {
		g    schemas.Code
		code string
	}{
		"dirty":                          {schemas.Code{VCSRevision: "abc", Dirty: true}, "W_DIRTY_BUILD"},
		"unknown":                        {schemas.Code{}, "W_UNKNOWN_BUILD"},
		"devel":                          {schemas.Code{Version: "devel"}, "W_UNKNOWN_BUILD"},
		"a modified tree by its version": {schemas.Code{Version: "v0.0.0-20260101000000-0123456789ab+dirty"}, "W_UNKNOWN_BUILD"},
		"a modified tree of a version":   {schemas.Code{Version: "v1.2.3", Dirty: true}, "W_DIRTY_BUILD"},
	} {
		b := newBuild(t)
		b.in.Generator = c.g
		if _, err := b.writeTo(t.Context(), filepath.Join(t.TempDir(), "r"), WriteOptions{Published: "2026-02-03"}); fault.KindOf(err) != fault.Failure || err == nil {
			t.Errorf("%s: published, got %v", name, err)
		}
		codes := ""
		for _, w := range open(t, b.release(WriteOptions{})).Manifest().Warnings {
			codes += w.Code + " "
		}
		if want := c.code + " W_SCC_SHARE "; codes != want && codes != "W_SCC_SHARE "+c.code+" " {
			t.Errorf("%s: warnings %s, want %s", name, codes, want)
		}
	}
}

func TestAModulesVersionIsEnoughToPublish(t *testing.T) {
	for _, version := range []string{"v1.2.3", "v0.4.0-rc.1", "v0.0.0-20260101000000-0123456789ab"} {
		b := newBuild(t)
		b.in.Generator = schemas.Code{Module: "github.com/wikinav/wikinav", Version: version, Go: "go1.26.8"}
		r := open(t, b.release(WriteOptions{Published: "2026-02-03"}))
		for _, w := range r.Manifest().Warnings {
			if w.Code == "W_UNKNOWN_BUILD" || w.Code == "W_DIRTY_BUILD" {
				t.Errorf("%s: warning %s", version, w.Code)
			}
		}
		must(t, r.Close())
	}
}

func TestWriteRefusesWhatCannotBeARelease(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*input, *WriteOptions)
		want   *fault.Kind
	}{
		"edges of unknown licence": {func(in *input, _ *WriteOptions) { in.Dump.Kind = DumpEdges }, fault.Failure},
		"side input of no licence": {func(in *input, _ *WriteOptions) { in.SideInputs = []SideInput{{Name: "types"}} }, fault.Failure},
		"a file outside all parts": {func(in *input, _ *WriteOptions) {
			in.Licence = Licence{SPDX: "X", Parts: []LicencePart{{"graph/*", "X", ""}}}
		}, fault.Failure},
		"bad version":                {func(_ *input, o *WriteOptions) { o.Version = "1.0" }, fault.Usage},
		"bad date":                   {func(_ *input, o *WriteOptions) { o.Published = "yesterday" }, fault.Usage},
		"no split":                   {func(in *input, _ *WriteOptions) { in.Splits = nil }, fault.NotFound},
		"split name for no host":     {func(in *input, _ *WriteOptions) { in.Splits[0].Name, in.Shortage[0].Of = "a.b", "a.b" }, fault.Usage},
		"path of a machine":          {func(in *input, _ *WriteOptions) { in.Dump.Files[0].Name = "/home/me/dump" }, fault.Failure},
		"URL of a machine":           {func(in *input, _ *WriteOptions) { in.Dump.BaseURL = "file:///home/me" }, fault.Failure},
		"recipe that is no object":   {func(in *input, _ *WriteOptions) { in.Recipe = json.RawMessage(`[]`) }, fault.Failure},
		"number that JSON rounds":    {func(in *input, _ *WriteOptions) { in.Seed = 1 << 60 }, fault.Failure},
		"artifact outside the root":  {func(in *input, _ *WriteOptions) { in.Catalog = &File{Path: "../x"} }, fault.Usage},
		"artifact that is not there": {func(in *input, _ *WriteOptions) { in.Catalog = &File{Path: "x"} }, fault.NotFound},
		"graph of another digest":    {func(in *input, _ *WriteOptions) { in.Graph.Digest.SHA256 = digest.SHA256(nil) }, fault.Mismatch},
		"instances of another graph": {func(in *input, _ *WriteOptions) { in.Splits[0].Instances[0].GraphSHA256 = digest.SHA256(nil) }, fault.Mismatch},
		"wrong distance":             {func(in *input, _ *WriteOptions) { in.Splits[1].Instances[0].Distance++ }, fault.Mismatch},
		"target without a column":    {func(in *input, _ *WriteOptions) { in.Splits[0].Instances[0].Target.Node = 77 }, fault.Mismatch},
		"shortage of another draw":   {func(in *input, _ *WriteOptions) { in.Shortage = in.Shortage[1:] }, fault.Mismatch},
		"shards beyond Arrow":        {func(in *input, _ *WriteOptions) { in.ShardBytes = 5 << 30 }, fault.Usage},
	} {
		b, opts := newBuild(t), WriteOptions{}
		c.change(&b.in, &opts)
		parent := t.TempDir()
		_, err := b.writeTo(t.Context(), filepath.Join(parent, "out"), opts)
		if err == nil || fault.KindOf(err) != c.want {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
		if left, _ := os.ReadDir(parent); len(left) > 0 {
			t.Errorf("%s: %s is left", name, left[0].Name())
		}
	}
}

func TestWriteTakesAnEmptyDirectoryAndLeavesAnyOtherAlone(t *testing.T) {
	b, dir := newBuild(t), t.TempDir()
	if err := os.MkdirAll(filepath.Join(filepath.Dir(dir), ".tmp-"+filepath.Base(dir), "left", "over"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := b.writeTo(t.Context(), dir, WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	before := tree(t, dir)
	if _, err := b.writeTo(t.Context(), dir, WriteOptions{}); err == nil || fault.KindOf(err) != fault.Failure {
		t.Errorf("a release was written over another: %v", err)
	}
	sameTree(t, tree(t, dir), before)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := b.writeTo(t.Context(), file, WriteOptions{}); err == nil {
		t.Error("a file was replaced")
	}
}

func TestACancelledWriteLeavesNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	parent := t.TempDir()
	_, err := newBuild(t).writeTo(ctx, filepath.Join(parent, "out"), WriteOptions{})
	if fault.KindOf(err) != fault.Interrupted {
		t.Errorf("got %v", err)
	}
	if left, _ := os.ReadDir(parent); len(left) > 0 {
		t.Errorf("%s is left", left[0].Name())
	}
}

func TestDefaultNameNamesWikiDateRecipeAndVersion(t *testing.T) {
	in := Input{Manifest: Manifest{Wiki: "enwiki", SnapshotDate: "2025-06-20", Recipe: json.RawMessage(recipeG9)}}
	if got := DefaultName(in, ""); got != "enwiki-20250620-strict-v1.0.0" {
		t.Errorf("got %s", got)
	}
	in.Recipe = json.RawMessage(`{}`)
	if got := DefaultName(in, "2.0.1"); got != "enwiki-20250620-v2.0.1" {
		t.Errorf("got %s", got)
	}
}
