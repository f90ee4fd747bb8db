// Package releasetest writes the files of a part as its stage does, for tests of releases. Nothing but tests imports it.
package releasetest

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// Fill writes a file and returns its rows, -1 for none, and its logical digest.
type Fill func(io.Writer) (arrowio.Summary, error)

// Folder is the files of a part that comes into being.
type Folder struct {
	t     testing.TB
	dir   string
	root  *os.Root
	Files release.Files
}

// NewFolder returns an empty folder, which goes with the test.
func NewFolder(t testing.TB) *Folder {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return &Folder{t: t, dir: dir, root: root}
}

// Write adds the file called name.
func (f *Folder) Write(name string, fill Fill) {
	f.t.Helper()
	path := filepath.Join(f.dir, name)
	out, err := os.Create(path)
	if err != nil {
		f.t.Fatal(err)
	}
	sum, err := fill(out)
	if err == nil {
		err = out.Close()
	}
	if err != nil {
		f.t.Fatalf("%s: %v", name, err)
	}
	d, err := digest.File(f.t.Context(), path)
	if err != nil {
		f.t.Fatal(err)
	}
	f.Files.Add(name, f.root, name, d, sum.Rows, sum.Logical)
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
	f.Write(name+".parquet", Table(c, list))
}

// Table writes records as Parquet.
func Table[T any](c *flat.Codec[T], list []T) Fill {
	return func(w io.Writer) (arrowio.Summary, error) {
		p, err := arrowio.NewParquetWriter(w, c.Table())
		if err != nil {
			return arrowio.Summary{}, err
		}
		return c.WriteParquet(p, list)
	}
}
