package release_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	. "github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/artifacts/wikirace"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas/fault"
)

func open(t *testing.T, dir string) *Release {
	t.Helper()
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func TestAnOpenReleaseGivesBackWhatWasWritten(t *testing.T) {
	b := newBuild(t)
	dir := b.release(WriteOptions{})
	r := open(t, dir)
	if got := wikirace.Splits(r); !slices.Equal(got, []string{"easy", "medium", "tiny"}) {
		t.Errorf("splits %v", got)
	}
	for _, s := range b.in.Splits {
		got, err := wikirace.Instances(r, s.Name)
		if err != nil || !bytes.Equal(jsonLines(got), jsonLines(s.Instances)) {
			t.Errorf("%s: %v, got %+v", s.Name, err, got)
		}
	}
	g, err := r.Graph()
	if err != nil || g.Len() != 9 || g.Edges() != 18 || g.Title(4) != "Éé" {
		t.Errorf("graph %v, %v", g, err)
	}
	aliases, err := r.Aliases()
	if want := map[string]uint32{"Aa": 0, "Tee": 8}; err != nil || !maps.Equal(aliases, want) {
		t.Errorf("aliases %v, %v, want %v", aliases, err, want)
	}
	if want := digest.SHA256([]byte(tree(t, dir)[ManifestName])); r.ManifestSHA256() != want {
		t.Errorf("manifest SHA-256 %s, want %s", r.ManifestSHA256(), want)
	}
	if _, err := wikirace.Instances(r, "none"); !errors.Is(err, fault.NotFound) {
		t.Errorf("a split that is not there: %v", err)
	}
}

func TestGraphAndDistancesAreLoadedOnceForAllWhoAsk(t *testing.T) {
	r := open(t, newBuild(t).release(WriteOptions{}))
	first, err := r.Distances()
	must(t, err)
	its, err := r.Graph()
	must(t, err)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			set, err := r.Distances()
			g, gerr := r.Graph()
			if err != nil || gerr != nil || set != first || g != its {
				t.Errorf("%v, %v", err, gerr)
			}
		})
	}
	wg.Wait()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Graph(); err == nil {
		t.Error("a closed release gave its graph")
	}
}

// counted counts how often it was closed.
type counted int

func (c *counted) Close() error { *c++; return nil }

func TestAReleaseClosesWhatWasOpenedOfIt(t *testing.T) {
	r := open(t, newBuild(t).release(WriteOptions{}))
	var before, after counted
	must(t, r.Keep(&before))
	if before != 0 {
		t.Error("closed at once")
	}
	for range 2 {
		must(t, r.Close())
	}
	if err := r.Keep(&after); err == nil || before != 1 || after != 1 {
		t.Errorf("%v, closed %d and %d times, want once each, the second with an error", err, before, after)
	}
}

// Evaluation verbs open single files: each must notice its own damage.
func TestADamagedFileIsNotRead(t *testing.T) {
	whole := newBuild(t).release(WriteOptions{})
	for path, read := range map[string]func(r *Release) error{
		"splits/easy.jsonl":              func(r *Release) error { _, err := wikirace.Instances(r, "easy"); return err },
		"graph/graph.arrow":              func(r *Release) error { _, err := r.Graph(); return err },
		"graph/aliases.parquet":          func(r *Release) error { _, err := r.Aliases(); return err },
		"distances/distances-0001.arrow": func(r *Release) error { _, err := r.Distances(); return err },
		"distances/columns.arrow":        func(r *Release) error { _, err := r.Distances(); return err },
	} {
		for name, damage := range damages {
			dir := copyTree(t, whole)
			damage(t, dir, path)
			r, err := Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			if err := read(r); !errors.Is(err, fault.Mismatch) || !strings.Contains(err.Error(), path) {
				t.Errorf("%s, %s: got %v", path, name, err)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestOpenRefusesADirectoryThatIsNoRelease(t *testing.T) {
	if _, err := Open(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fault.NotFound) {
		t.Errorf("no directory: %v", err)
	}
	if _, err := Open(t.TempDir()); !errors.Is(err, fault.Mismatch) {
		t.Errorf("no manifest: %v", err)
	}
}

func TestDecodeRefusesHostilePathsBeforeAnythingIsOpened(t *testing.T) {
	_, m := sealed(t)
	for _, path := range []string{
		"../x", "/etc/passwd", "a/../b", ".", "..", "", "a//b", "a/./b", "./a", "a/", "a\x00b", `a\b`, `c:\x`, "c:/x", "con:", "A", "é", "a b", "-a", ".a", "a/.b",
		"Readme.md", "readme.MD", "graph/README.md", "SHA256SUMS", "manifest.json", "leaderboard/x.jsonl", "manifest.json.minisig",
		"graph", "readme.md", "splits/easy.ids/x", "graph/graph.arrow",
	} {
		bad := *m
		bad.Files = append(slices.Clone(m.Files), FileEntry{Path: path, SHA256: digest.SHA256(nil), XXH64: m.Files[0].XXH64})
		slices.SortFunc(bad.Files, func(a, b FileEntry) int { return strings.Compare(a.Path, b.Path) })
		bad.ID = ID(&bad)
		if _, err := Decode(Encode(&bad)); !errors.Is(err, fault.Mismatch) {
			t.Errorf("path %q: got %v", path, err)
		}
	}
}

// sealed gives the manifest of a fresh release.
func sealed(t *testing.T) (data []byte, m *Manifest) {
	t.Helper()
	data = []byte(tree(t, newBuild(t).release(WriteOptions{}))[ManifestName])
	m, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return data, m
}

func TestDecodeRefusesWhatIsNoManifest(t *testing.T) {
	data, m := sealed(t)
	replace := func(old, new string) []byte {
		out := bytes.Replace(data, []byte(old), []byte(new), 1)
		if bytes.Equal(out, data) {
			t.Fatalf("no %s in the manifest", old)
		}
		return out
	}
	for name, in := range map[string][]byte{
		"nothing":           nil,
		"no JSON":           []byte("PK\x03\x04"),
		"another version":   replace(`"wikinav.manifest/1"`, `"wikinav.manifest/2"`),
		"unknown field":     replace(`"seed":42`, `"seed":42,"speed":1`),
		"field twice":       replace(`"seed":42`, `"seed":42,"seed":42`),
		"case variant":      replace(`"seed":42`, `"Seed":42`),
		"missing field":     replace(`"seed":42,`, ``),
		"float":             replace(`"seed":42`, `"seed":42.0`),
		"2^53+1":            replace(`"seed":42`, `"seed":9007199254740993`),
		"1e400":             replace(`"seed":42`, `"seed":1e400`),
		"null list":         replace(`"side_inputs":[]`, `"side_inputs":null`),
		"space":             replace(`"seed":42`, `"seed": 42`),
		"line end":          append(slices.Clone(data), '\n'),
		"trailing data":     append(slices.Clone(data), '{', '}'),
		"cut":               data[:len(data)/2],
		"17 MiB":            append(slices.Clone(data), bytes.Repeat([]byte(" "), 17<<20)...),
		"deep":              bytes.Repeat([]byte("["), 100_000),
		"bad hex":           replace(m.Graph.SHA256, strings.ToUpper(m.Graph.SHA256)),
		"invalid UTF-8":     replace(`"language":"en"`, "\"language\":\"\xff\""),
		"recipe is no map":  replace(`"recipe":{`, `"recipe":[],"x":{`),
		"negative size":     replace(`"bytes":12`, `"bytes":"12"`),
		"path in the dump":  replace(`"demowiki-20260101-pages.xml.bz2"`, `"/home/me/pages.xml.bz2"`),
		"version of a word": replace(`"version":"1.0.0"`, `"version":"one"`),
	} {
		if _, err := Decode(in); !errors.Is(err, fault.Malformed) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := Decode(replace(`"seed":42`, `"seed":43`)); !errors.Is(err, fault.Mismatch) {
		t.Errorf("an id that does not follow: %v", err)
	}
	if _, err := Decode(replace(`wikinav.manifest/1`, `wikinav.manifest/9`)); err == nil || !strings.Contains(err.Error(), Schema) {
		t.Errorf("the message does not name the version that is supported: %v", err)
	}
}

// smallManifest gives the least that Decode accepts.
func smallManifest() *Manifest {
	m := &Manifest{
		Schema: Schema, Wiki: "w", SnapshotDate: "2026-01-01", Dump: Dump{Files: []DumpFile{}}, SideInputs: []SideInput{},
		Recipe: []byte(`{"a":[1]}`), RecipeSHA256: digest.SHA256(nil), Params: map[string]json.RawMessage{"s": []byte(`{}`)},
		Stages: []StageEntry{}, Counts: map[string]int64{}, Splits: map[string]SplitEntry{}, Warnings: []Warning{},
		Graph:   GraphEntry{SHA256: digest.SHA256(nil), SCC: SCC{Largest: []int{}}},
		Files:   []FileEntry{{Path: "README.md", SHA256: digest.SHA256(nil), XXH64: "0123456789abcdef"}},
		Licence: Licence{Parts: []LicencePart{}}, Release: Label{Version: "1.0.0"},
	}
	m.ID = ID(m)
	return m
}

func FuzzDecodeNeverPanicsAndAcceptsItsOwnFormOnly(f *testing.F) {
	f.Add([]byte(`{"schema":"wikinav.manifest/1"}`))
	f.Add([]byte(`{"counts":{},"schema":"wikinav.manifest/1","files":[{"path":"../x"}]}`))
	f.Add([]byte(`[]`))
	f.Add(Encode(smallManifest()))
	if _, err := Decode(Encode(smallManifest())); err != nil {
		f.Fatalf("the seed is no manifest: %v", err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Decode(data)
		if err == nil && !bytes.Equal(Encode(m), data) {
			t.Errorf("accepted another form: %q", data)
		}
		if k := fault.KindOf(err); err != nil && k != fault.Malformed && k != fault.Mismatch {
			t.Errorf("%v is of kind %v", err, k)
		}
	})
}
