// Package releasetest writes the files of a part as its stage does, for tests of releases. Nothing but tests imports it.
package releasetest

import (
	"bytes"
	"io"
	"os"
	"path"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	_ "github.com/wikinav/wikinav/artifacts/arrowio/library" // tests write tables
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// Folder is the files of a part that comes into being.
type Folder struct {
	t     testing.TB
	root  *os.Root
	Files release.Files
}

// NewFolder returns an empty folder, which goes with the test.
func NewFolder(t testing.TB) *Folder {
	t.Helper()
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return &Folder{t: t, root: root}
}

// Write adds a file that fill writes, which returns its rows, -1 for none, and its logical digest.
func (f *Folder) Write(name string, fill func(io.Writer) (arrowio.Summary, error)) {
	f.t.Helper()
	var out bytes.Buffer
	sum, err := fill(&out)
	if err == nil {
		err = f.root.WriteFile(name, out.Bytes(), 0o644)
	}
	if err != nil {
		f.t.Fatalf("%s: %v", name, err)
	}
	f.Files.Add(name, f.root, name, digest.Bytes(out.Bytes()), sum.Rows, sum.Logical)
}

// Text adds a file of text with so many rows.
func (f *Folder) Text(name string, text []byte, rows int) {
	f.t.Helper()
	f.Write(name, func(w io.Writer) (arrowio.Summary, error) {
		_, err := w.Write(text)
		return arrowio.Summary{Rows: int64(rows)}, err
	})
}

// Document adds a canonical JSON document.
func (f *Folder) Document(name string, v any) {
	f.t.Helper()
	f.Text(name, canon.MustMarshal(v), -1)
}

// Quotas adds quotas.json.
func (f *Folder) Quotas(list []schemas.Quota) {
	f.t.Helper()
	f.Text(schemas.QuotasFile, canon.MustMarshal(append([]schemas.Quota{}, list...)), len(list))
}

// Lines adds a file of JSON lines.
func Lines[T any](f *Folder, name string, list []T) {
	f.t.Helper()
	f.Text(name, jsonl.Encode(list), len(list))
}

// Records adds NAME.jsonl and NAME.parquet.
func Records[T any](f *Folder, name string, c *flat.Codec[T], list []T) {
	f.t.Helper()
	Lines(f, name+".jsonl", list)
	f.Write(name+".parquet", func(w io.Writer) (arrowio.Summary, error) { return c.WriteParquet(w, list) })
}

// Redescribe brings the documents that repeat sizes and digests in line with m, as a forger does
// who knows of them, and more that repeat what was changed. Those that were edited since old, and
// what cannot be described, stay.
func Redescribe(t testing.TB, dir string, old, m *release.Manifest, parts []release.Part, more ...string) {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	inside := slices.DeleteFunc(slices.Clone(parts), func(p release.Part) bool {
		return !slices.ContainsFunc(m.Files, func(f release.FileEntry) bool { return path.Dir(f.Path) == p.Folder() })
	})
	for _, name := range append([]string{"croissant.json", "datapackage.json"}, more...) {
		data, err := root.ReadFile(name)
		before, ok := old.File(name)
		if err != nil || !ok || digest.Bytes(data).SHA256 != before.SHA256 {
			continue
		}
		text, err := release.Document(m, name, root, inside)
		if err != nil {
			continue
		}
		if err := root.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(m.Files, func(f release.FileEntry) bool { return f.Path == name })
		if at >= 0 {
			sum := digest.Bytes(text)
			m.Files[at].Bytes, m.Files[at].SHA256, m.Files[at].XXH64 = sum.Bytes, sum.SHA256, sum.XXH64
		}
	}
}
