package releases

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/wikinav/wikinav/artifacts/release"
)

// put writes a directory that has a manifest and nothing else.
func put(t *testing.T, folder, name string, supersedes *string, seed int64) string {
	t.Helper()
	m := release.Manifest{
		Schema: release.Schema, Wiki: "w", SnapshotDate: "2026-01-01", Recipe: []byte(`{}`),
		RecipeSHA256: sha, Seed: seed, Supersedes: supersedes,
		Release: release.Label{Name: name, Version: "1.0.0"},
	}
	m.Graph.SHA256, m.Graph.SCC.Largest = sha, []int{}
	m.SideInputs, m.Stages, m.Files, m.Warnings, m.Dump.Files, m.Licence.Parts =
		[]release.SideInput{}, []release.StageEntry{}, []release.FileEntry{},
		[]release.Warning{}, []release.DumpFile{}, []release.LicencePart{}
	m.Counts, m.Splits = map[string]int64{}, map[string]release.SplitEntry{}
	m.Params = map[string]json.RawMessage{}
	m.ID = release.ID(&m)
	must(t, os.Mkdir(filepath.Join(folder, name), 0o755))
	must(t, os.WriteFile(filepath.Join(folder, name, release.ManifestName), release.Encode(&m), 0o644))
	return m.ID
}

const sha = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheIndexSaysWhatSupersedesWhat(t *testing.T) {
	folder := t.TempDir()
	if list, err := List(folder); len(list) != 0 || err != nil {
		t.Errorf("no index: %v, %v", list, err)
	}
	first := put(t, folder, "a", nil, 1)
	must(t, Add(filepath.Join(folder, "a")))
	second := put(t, folder, "b", &first, 2)
	must(t, Add(filepath.Join(folder, "b")))
	must(t, Add(filepath.Join(folder, "b"))) // made again
	list, err := List(folder)
	must(t, err)
	if len(list) != 2 || list[0].SupersededBy == nil || *list[0].SupersededBy != second ||
		list[1].Supersedes == nil || *list[1].Supersedes != first {
		t.Errorf("%+v", list)
	}
}

func TestWritersAtOnceLoseNoLine(t *testing.T) {
	folder := t.TempDir()
	var all sync.WaitGroup
	for i := range 20 {
		name := fmt.Sprint("r", i)
		put(t, folder, name, nil, int64(i))
		all.Go(func() {
			if err := Add(filepath.Join(folder, name)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if list, err := List(folder); len(list) != 20 || err != nil {
		t.Errorf("%d lines, %v", len(list), err)
	}
}
