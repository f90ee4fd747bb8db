package lock_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/wikinav/wikinav/eval/internal/lock"
)

func TestADirectoryHasOneHolderAtATime(t *testing.T) {
	dir := t.TempDir()
	first, err := lock.TryDir(dir)
	if first == nil || err != nil {
		t.Fatalf("the first: %v, %v", first, err)
	}
	if second, err := lock.TryDir(dir); second != nil || err != nil {
		t.Fatalf("the second, of a held lock: %v, %v", second, err)
	}
	must(t, lock.Release(first))
	third, err := lock.OpenDir(dir)
	must(t, err)
	must(t, lock.Wait(third))
	must(t, third.Close())
	must(t, first.Close())
	if _, err := lock.TryDir(filepath.Join(dir, "none")); err == nil {
		t.Error("a directory that is not there was locked")
	}
}

func TestAByteHasOneHolderAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.json")
	must(t, os.WriteFile(path, []byte("{}"), 0o644))
	var files [2]*os.File
	for i := range files {
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		must(t, err)
		defer f.Close()
		files[i] = f
	}
	const far = 1 << 40
	for _, c := range []struct {
		file int
		at   int64
		want bool
	}{{0, far, true}, {1, far, false}, {1, far + 1, true}, {0, far + 1, false}} {
		if got, err := lock.TryByte(files[c.file], c.at); got != c.want || err != nil {
			t.Errorf("file %d, byte %d: %v, %v, want %v", c.file, c.at, got, err, c.want)
		}
	}
	must(t, lock.ReleaseByte(files[0], far))
	if got, err := lock.TryByte(files[1], far); !got || err != nil {
		t.Errorf("a byte that was released: %v, %v", got, err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
