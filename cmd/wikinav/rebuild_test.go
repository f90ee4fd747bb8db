package main

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/artifacts/release/releasetest"
)

// A release that is built again is the same, byte for byte; what was changed where only the dump can tell is found.
func TestRebuildReproducesAReleaseAndFindsWhatOnlyTheDumpContradicts(t *testing.T) {
	t.Parallel()
	dump, dir := smallDump(t), t.TempDir()
	work, out := filepath.Join(dir, "work"), filepath.Join(dir, "release")
	must(t, "build", "--dump", dump, "--work", work, "--split", "tiny:6:2,3", "--seed", "7", "--progress", "none")
	must(t, "release", "--work", work, "--out", out, "--allow-short")
	text := must(t, "verify", out, "--rebuild", dump, "--work", dir, "--progress", "none")
	if !strings.Contains(text, "rebuilt byte for byte") || !strings.Contains(text, "level 4") {
		t.Errorf("rebuild: %s", text)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "wikinav-rebuild-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}

	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--rebuild", smallerDump(t)}, 3, "which is no input of the release"},
		{[]string{"--rebuild", "demo"}, 2, "the release is of kind classic"},
		{[]string{"--level", "4"}, 2, "--rebuild DUMP"},
		{[]string{"--rebuild", dump, "--subset", "1/2"}, 2, "--subset"},
		{[]string{"--rebuild", filepath.Join(dir, "none.xml")}, 10, "none.xml"},
	} {
		if code, _, errs := wikinav(t, append([]string{"verify", out}, c.args...)...); code != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("%v: exit %d, want %d: %s", c.args, code, c.code, errs)
		}
	}

	code, found, _ := wikinav(t, "verify", editCatalog(t, out))
	if code != 3 || !strings.Contains(found, "catalog.sqlite: pages, row 77, in_degree: ") {
		t.Errorf("an edited catalogue: exit %d: %s", code, found)
	}

	forgeCounter(t, out)
	must(t, "verify", out, "--progress", "none") // nothing in the release contradicts it
	code, text, _ = wikinav(t, "verify", out, "--rebuild", dump, "--progress", "none")
	if code != 3 || !strings.Contains(text, "manifest.json: stages: rebuilt: expected") {
		t.Errorf("a counter of a dump's reader: exit %d: %s", code, text)
	}
}

// The recipe of a release is a file that makes it again, whatever flags the first build had.
func TestTheRecipeOfAReleaseBuildsItAgain(t *testing.T) {
	t.Parallel()
	dump, dir := smallDump(t), t.TempDir()
	releases := [2]string{filepath.Join(dir, "one"), filepath.Join(dir, "two")}
	must(t, "build", "--dump", dump, "--work", filepath.Join(dir, "w1"), "--split", "tiny:6:2,3", "--seed", "7",
		"--set", "probe.seed=9", "--set", "mango.mazes=1", "--set", "graph.link_parts=body,tables",
		"--hatnotes", "--progress", "none")
	errata := filepath.Join(dir, "errata.md")
	if err := os.WriteFile(errata, []byte("- nothing much\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	must(t, "release", "--work", filepath.Join(dir, "w1"), "--out", releases[0], "--allow-short", "--errata", errata)
	recipe := filepath.Join(releases[0], "recipe.toml")
	must(t, "build", "--dump", dump, "--work", filepath.Join(dir, "w2"), "--hatnotes", "--recipe", recipe,
		"--progress", "none")
	must(t, "release", "--work", filepath.Join(dir, "w2"), "--out", releases[1], "--allow-short", "--errata", errata)
	var sums [2]string
	for i, r := range releases {
		text, err := os.ReadFile(filepath.Join(r, release.SumsName))
		if err != nil {
			t.Fatal(err)
		}
		sums[i] = string(text)
	}
	if sums[0] != sums[1] {
		t.Errorf("sums of the first release:\n%s\nof that by its recipe:\n%s", sums[0], sums[1])
	}
	text, err := os.ReadFile(recipe)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"wikinav build --dump DIR --hatnotes --recipe recipe.toml", "wikinav release --out DIR",
		"seed = 9\n", `link_parts = ["body", "tables"]`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	code, _, says := wikinav(t, "release", "--work", filepath.Join(dir, "w1"), "--out", dir+"/three",
		"--errata", dir+"/none")
	if code != 10 || !strings.Contains(says, "none") {
		t.Errorf("no file of corrections: exit %d: %s", code, says)
	}
}

// smallerDump is a dump of another name and content.
func smallerDump(t *testing.T) string {
	data, err := os.ReadFile(smallDump(t))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "smallwiki-20260101-pages-articles.xml.bz2")
	if err := os.WriteFile(path, append(data, data...), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// forgeCounter changes what the reader of the dump counted, and seals the release again.
func forgeCounter(t *testing.T, dir string) {
	t.Helper()
	sealAgain(t, dir, func(m *release.Manifest) {
		for _, s := range m.Stages {
			if s.Stage == "ingest" {
				s.Counters["infoboxes"]++
			}
		}
	})
}

// sealAgain brings the digest of the catalogue and of the manifest in line, after change.
func sealAgain(t *testing.T, dir string, change func(m *release.Manifest)) {
	t.Helper()
	path, sums := filepath.Join(dir, release.ManifestName), filepath.Join(dir, release.SumsName)
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := release.Decode(old)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(sums)
	if err != nil {
		t.Fatal(err)
	}
	sealed := string(text)
	for i := range m.Files {
		if f := &m.Files[i]; f.Path == catalogFile {
			d, err := digest.File(t.Context(), filepath.Join(dir, f.Path))
			if err != nil {
				t.Fatal(err)
			}
			sealed = strings.Replace(sealed, f.SHA256, d.SHA256, 1)
			f.Bytes, f.SHA256, f.XXH64 = d.Bytes, d.SHA256, d.XXH64
		}
	}
	change(m)
	before, err := release.Decode(old)
	if err != nil {
		t.Fatal(err)
	}
	releasetest.Redescribe(t, dir, before, m, artifacts.All)
	for _, f := range before.Files {
		if now, _ := m.File(f.Path); f.Path != catalogFile {
			sealed = strings.Replace(sealed, f.SHA256, now.SHA256, 1)
		}
	}
	m.ID = release.ID(m)
	sealed = strings.Replace(sealed, digest.SHA256(old), digest.SHA256(release.Encode(m)), 1)
	for name, data := range map[string][]byte{path: release.Encode(m), sums: []byte(sealed)} {
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// editCatalog changes one number of a copy of a release, in the one file that no other refers to, with every digest in line.
func editCatalog(t *testing.T, dir string) (edited string) {
	t.Helper()
	edited = t.TempDir()
	if err := os.CopyFS(edited, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite3", filepath.Join(edited, catalogFile))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("UPDATE pages SET in_degree = in_degree + 1 WHERE node = 77"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	sealAgain(t, edited, func(m *release.Manifest) {
		f, _ := m.File(catalogFile)
		for _, s := range m.Stages {
			if s.Stage == "catalog" {
				s.Outputs[catalogFile] = f.SHA256
			}
		}
	})
	return edited
}
