package release_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/artifacts/jsonl/jsonltest"
	. "github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/artifacts/wikirace"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/release/releasetest"
	"github.com/wikinav/wikinav/schemas"
)

// damages are things that happen to single files.
var damages = map[string]func(t *testing.T, dir, path string){
	"first byte flipped":  func(t *testing.T, dir, path string) { edit(t, dir, path, flip(func(n int) int { return 0 })) },
	"middle byte flipped": func(t *testing.T, dir, path string) { edit(t, dir, path, flip(func(n int) int { return n / 2 })) },
	"last byte flipped":   func(t *testing.T, dir, path string) { edit(t, dir, path, flip(func(n int) int { return n - 1 })) },
	"truncated": func(t *testing.T, dir, path string) {
		edit(t, dir, path, func(b []byte) []byte { return b[:len(b)/2] })
	},
	"emptied": func(t *testing.T, dir, path string) { edit(t, dir, path, func([]byte) []byte { return nil }) },
	"longer": func(t *testing.T, dir, path string) {
		edit(t, dir, path, func(b []byte) []byte { return append(b, 0) })
	},
	"deleted": func(t *testing.T, dir, path string) { must(t, os.Remove(place(dir, path))) },
	"a directory": func(t *testing.T, dir, path string) {
		must(t, os.Remove(place(dir, path)))
		must(t, os.Mkdir(place(dir, path), 0o755))
	},
	"a symbolic link to the same bytes": func(t *testing.T, dir, path string) {
		elsewhere := filepath.Join(t.TempDir(), "file")
		must(t, os.Rename(place(dir, path), elsewhere))
		must(t, os.Symlink(elsewhere, place(dir, path)))
	},
}

func place(dir, path string) string { return filepath.Join(dir, filepath.FromSlash(path)) }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func flip(at func(n int) int) func([]byte) []byte {
	return func(b []byte) []byte {
		b[at(len(b))] ^= 1
		return b
	}
}

// edit rewrites a file of a release; it fails the test if the edit changed nothing.
func edit(t *testing.T, dir, path string, change func([]byte) []byte) {
	t.Helper()
	before, err := os.ReadFile(place(dir, path))
	must(t, err)
	after := change(bytes.Clone(before))
	if bytes.Equal(before, after) {
		t.Fatalf("the mutation of %s changes nothing", path)
	}
	must(t, os.WriteFile(place(dir, path), after, 0o644))
}

func replaceIn(t *testing.T, dir, path, old, new string) {
	t.Helper()
	edit(t, dir, path, func(b []byte) []byte {
		changed := strings.Replace(string(jsonltest.Unpack(path, b)), old, new, 1)
		return jsonltest.Pack(path, []byte(changed))
	})
}

// reseal does what a forger would: it brings every size, digest and row count of the manifest, its id and SHA256SUMS in line
// with the files, then lets change edit the manifest, and derives the id again.
func reseal(t *testing.T, dir string, change func(m *Manifest)) {
	t.Helper()
	data, err := os.ReadFile(place(dir, ManifestName))
	must(t, err)
	old, err := Decode(data)
	must(t, err)
	m, err := Decode(data)
	must(t, err)
	root, err := os.OpenRoot(dir)
	must(t, err)
	defer root.Close()
	for i := range m.Files {
		resealFile(t, root, &m.Files[i])
	}
	for name, s := range m.Splits {
		if f, ok := m.File(splitPath(name, ".jsonl")); ok {
			s.SHA256 = f.SHA256
		}
		if f, ok := m.File(constrainedPath); ok && strings.HasPrefix(name, "constrained") {
			s.SHA256 = f.SHA256
		}
		if f, ok := m.File(splitPath(name, ".ids")); ok {
			s.IDsSHA256 = f.SHA256
		}
		m.Splits[name] = s
	}
	if change != nil {
		change(m)
	}
	releasetest.Redescribe(t, dir, old, m, artifacts.All)
	m.ID = ID(m)
	data = Encode(m)
	must(t, os.WriteFile(place(dir, ManifestName), data, 0o644))
	must(t, os.WriteFile(place(dir, SumsName), []byte(Sums(m, data)), 0o644))
}

func resealFile(t *testing.T, root *os.Root, f *FileEntry) {
	data, err := root.ReadFile(f.Path)
	must(t, err)
	sum := digest.Bytes(data)
	f.Bytes, f.SHA256, f.XXH64 = sum.Bytes, sum.SHA256, sum.XXH64
	table := TableOf(f.Path, artifacts.All)
	switch {
	case table != nil && strings.HasSuffix(f.Path, ".parquet"):
		if table, err := arrowio.ReadParquet(root, f.Path, *table, sum); err == nil {
			*f.Rows, *f.LogicalSHA256 = table.Rows(), table.Logical()
		}
	case table != nil:
		if file, err := arrowio.Open(root, f.Path, *table, sum); err == nil {
			*f.Rows, *f.LogicalSHA256 = file.Rows(), file.Logical()
			must(t, file.Close())
		}
	case strings.HasSuffix(f.Path, ".ids"), strings.HasSuffix(f.Path, ".jsonl"):
		*f.Rows = int64(bytes.Count(data, []byte("\n")))
	}
}

// rewrite writes a file of the release anew with a writer of the package or of the test.
func rewrite(t *testing.T, dir, path string, fill func(io.Writer) (arrowio.Summary, error)) {
	t.Helper()
	edit(t, dir, path, func([]byte) []byte {
		var out bytes.Buffer
		if _, err := fill(&out); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		return out.Bytes()
	})
}

// rewriteSplit changes the instances of a split in those of its files that exts name.
func rewriteSplit(t *testing.T, dir, split string, change func([]schemas.WikiraceInstance) []schemas.WikiraceInstance, exts ...string) {
	t.Helper()
	data, err := os.ReadFile(place(dir, splitPath(split, ".jsonl")))
	must(t, err)
	list, err := jsonl.Decode[schemas.WikiraceInstance](data, split, schemas.WikiraceInstanceSchema)
	must(t, err)
	list = change(list)
	for _, ext := range exts {
		var out bytes.Buffer
		switch ext {
		case ".jsonl":
			out.Write(jsonLines(list))
		case ".ids":
			out.Write(wikirace.IDs(list))
		case ".parquet":
			if _, err := wikirace.Table.WriteParquet(&out, list); err != nil {
				continue // a record that cannot be laid flat: the table stays as it was
			}
		}
		must(t, os.WriteFile(place(dir, splitPath(split, ext)), out.Bytes(), 0o644))
	}
}

// copyTree gives a copy of a release.
func copyTree(t *testing.T, dir string) string {
	t.Helper()
	to := t.TempDir()
	must(t, os.CopyFS(to, os.DirFS(dir)))
	return to
}
