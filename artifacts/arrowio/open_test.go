package arrowio

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

func TestOpenRefusesWhatIsNotTheFileThatWasWanted(t *testing.T) {
	t.Parallel()
	data, _ := arrowFile(t, randomRows(1, 10))
	right := digest.Bytes(data)
	other := digest.Bytes([]byte("x"))
	cases := []struct {
		name  string
		open  string
		want  digest.Digest
		kind  *fault.Kind
		texts []string
	}{
		{"wrong digest", "t.arrow", digest.Digest{SHA256: other.SHA256, Bytes: right.Bytes}, fault.Mismatch, []string{"t.arrow", other.SHA256, right.SHA256}},
		{"no digest", "t.arrow", digest.Digest{Bytes: right.Bytes}, fault.Mismatch, []string{"t.arrow"}},
		{"wrong size", "t.arrow", digest.Digest{SHA256: right.SHA256, Bytes: 7}, fault.Mismatch, []string{"t.arrow", "expected 7 bytes"}},
		{"absent", "u.arrow", right, fault.NotFound, []string{"u.arrow"}},
		{"above the root", "../t.arrow", right, fault.Mismatch, []string{`"../t.arrow"`}},
		{"absolute", "/t.arrow", right, fault.Mismatch, []string{`"/t.arrow"`}},
		{"upper case", "T.arrow", right, fault.Mismatch, []string{`"T.arrow"`}},
		{"directory", "d", digest.Digest{SHA256: right.SHA256}, fault.Mismatch, []string{"d", "regular"}},
		{"link", "l.arrow", right, fault.Mismatch, []string{"l.arrow", "regular"}},
	}
	root := dir(t, "t.arrow", data)
	if err := errors.Join(root.Mkdir("d", 0o755), root.Symlink("t.arrow", "l.arrow")); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		_, errArrow := Open(root, c.open, everything, c.want)
		_, errParquet := ReadParquet(root, c.open, everything, c.want)
		for _, err := range []error{errArrow, errParquet} {
			if !errors.Is(err, c.kind) {
				t.Errorf("%s: got %v, want a %v", c.name, err, c.kind)
				continue
			}
			for _, text := range c.texts {
				if !strings.Contains(err.Error(), text) {
					t.Errorf("%s: %q does not say %q", c.name, err, text)
				}
			}
		}
	}
}

func TestClosingTwiceIsHarmless(t *testing.T) {
	t.Parallel()
	data, _ := arrowFile(t, randomRows(1, 10))
	f, err := Open(dir(t, "t.arrow", data), "t.arrow", everything, digest.Bytes(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Close(), f.Close()); err != nil {
		t.Errorf("closing twice: %v", err)
	}
}

func TestOpenRefusesAnotherTable(t *testing.T) {
	t.Parallel()
	data, _ := arrowFile(t, randomRows(1, 10))
	for name, change := range map[string]func(*schemas.Table){
		"id":           func(s *schemas.Table) { s.ID = "test.everything/2" },
		"column name":  func(s *schemas.Table) { s.Columns[3].Name = "x" },
		"signedness":   func(s *schemas.Table) { s.Columns[3].Type = schemas.Int16 },
		"width":        func(s *schemas.Table) { s.Columns[4].Type = schemas.Uint64 },
		"string type":  func(s *schemas.Table) { s.Columns[8].Type = schemas.String },
		"list":         func(s *schemas.Table) { s.Columns[9].Type = schemas.Uint32 },
		"no list":      func(s *schemas.Table) { s.Columns[4].Type = schemas.ListUint32 },
		"fewer fields": func(s *schemas.Table) { s.Columns = s.Columns[:9] },
	} {
		table := schemas.Table{ID: everything.ID, Columns: append([]schemas.Column{}, everything.Columns...)}
		change(&table)
		if _, err := openBytes(t, data, table); !errors.Is(err, fault.Mismatch) || !strings.Contains(err.Error(), "t.arrow") {
			t.Errorf("%s: got %v, want a mismatch that names the file", name, err)
		}
	}
}

func TestAccessorsPanicForAnotherType(t *testing.T) {
	t.Parallel()
	data, _ := arrowFile(t, randomRows(1, 10))
	f, err := openBytes(t, data, everything)
	if err != nil {
		t.Fatal(err)
	}
	wantPanic(t, "column u8", func() { f.Uint32s(0, 1) })
}

func wantPanic(t *testing.T, text string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if p, ok := recover().(string); !ok || !strings.Contains(p, text) {
			t.Errorf("got panic %q, want one about %q", p, text)
		}
	}()
	f()
}

// A hundred megabytes are mapped, not read into memory.
func TestOpenDoesNotAllocateTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "big.arrow")
	d := writeBig(t, path, 100<<20)
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f, err := Open(root, "big.arrow", schemas.DistancesTable, d)
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	defer f.Close()
	if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
		t.Errorf("opening %d bytes allocated %d", d.Bytes, got)
	}
	if d.Bytes < 100<<20 || f.Uint8s(99, 0)[1<<20-1] != 99 {
		t.Errorf("the file of %d bytes does not hold what was written", d.Bytes)
	}
}

func writeBig(t testing.TB, path string, size int) digest.Digest {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	hash := digest.NewHash()
	w, err := NewBatchWriter(tee{file, hash}, schemas.DistancesTable, Options{})
	if err != nil {
		t.Fatal(err)
	}
	column := make([]uint8, 1<<20)
	for b := range size >> 20 {
		for i := range column {
			column[i] = uint8(b)
		}
		if err := w.WriteBatch(column); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return hash.Sum()
}

type tee struct {
	a *os.File
	b *digest.Hash
}

func (w tee) Write(p []byte) (int, error) {
	w.b.Write(p)
	return w.a.Write(p)
}
