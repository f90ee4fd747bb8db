//go:build unix

package arrowio

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

func TestTruncationUnderneathIsAnErrorAndNotDeath(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "t.arrow")
	d := writeBig(t, path, 4<<20)
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	f, err := Open(root, "t.arrow", schemas.DistancesTable, d)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	sum := 0 // keeps the compiler from dropping a read
	reads := map[string]func() error{
		"one value": func() error { sum += int(f.Uint8s(3, 0)[1000]); return nil },
		"a copy":    func() error { copy(make([]byte, 1<<20), f.Uint8s(1, 0)); return nil },
		"a digest":  func() error { return checkDigest("t.arrow", f.mapping.data, d) },
		"a logical": func() error { f.Logical(); return nil },
		"a worker":  func() error { Workers(3, func(int) { f.Logical() }); return nil },
	}
	for name, read := range reads {
		if err := Guard(read); !errors.Is(err, fault.Mismatch) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: got %v (sum %d), want a mismatch that names %s", name, err, sum, path)
		}
	}
	closedOnTheWay := func() error { defer f.Close(); f.Logical(); return nil }
	if err := Guard(closedOnTheWay); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("closed on the way out: got %v, want %s", err, path)
	}
}

func TestAFaultOutsideEveryFileIsABug(t *testing.T) {
	data, err := syscall.Mmap(-1, 0, 1<<16, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a fault in memory that is no file's was taken for a truncated file")
		}
	}()
	_ = Guard(func() error { data[0]++; return nil })
}

func TestGuardPassesErrorsAndOtherPanics(t *testing.T) {
	t.Parallel()
	want := errors.New("mine")
	if err := Guard(func() error { return want }); err != want {
		t.Errorf("got %v, want %v", err, want)
	}
	if err := Guard(func() error { return nil }); err != nil {
		t.Errorf("got %v, want none", err)
	}
	wantPanic(t, "a bug", func() { _ = Guard(func() error { panic("a bug") }) })
	defer func() {
		if recover() == nil {
			t.Error("a nil pointer was taken for a truncated file")
		}
	}()
	var p *File
	_ = Guard(func() error { _ = p.Metadata("x"); return nil })
}
