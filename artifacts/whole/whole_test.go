package whole_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/store/storetest"
	"github.com/wikinav/wikinav/artifacts/whole"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// wantFile checks that folder holds the file "a" with that content and nothing else.
func wantFile(t *testing.T, folder, want string) {
	t.Helper()
	got, err := os.ReadFile(filepath.Join(folder, "a"))
	if err != nil || string(got) != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 1 {
		t.Errorf("got entries %v, %v, want a alone", entries, err)
	}
}

func TestWriteReplacesAndTellsTheDigest(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "new", "folder")
	if err := whole.WriteFile(folder, "a", []byte("old")); err != nil {
		t.Fatal(err)
	}
	wantFile(t, folder, "old")
	sum, err := whole.Write(whole.OS{}, folder, "a", text("new"))
	if err != nil || sum != digest.Bytes([]byte("new")) {
		t.Errorf("got %v, %v", sum, err)
	}
	wantFile(t, folder, "new")
}

// Every operation fails once, in turn: the old bytes stay until the rename, and the new ones after it.
func TestAnyFailureLeavesTheOldOrTheNewFile(t *testing.T) {
	t.Parallel()
	for n := 1; ; n++ {
		folder := t.TempDir()
		if err := whole.WriteFile(folder, "a", []byte("old")); err != nil {
			t.Fatal(err)
		}
		fs := storetest.FailsFrom(n, syscall.ENOSPC)
		_, err := whole.Write(fs, folder, "a", text("new"))
		if !fs.Broke() {
			if err != nil || n != 7 { // create, write, sync, close, rename, sync of the folder
				t.Errorf("operation %d was not reached: %v", n, err)
			}
			return
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("operation %d fails: got %v", n, err)
		}
		if n < 6 {
			wantFile(t, folder, "old")
		} else {
			wantFile(t, folder, "new")
		}
	}
}

func TestAWriterThatFailsLeavesTheOldFile(t *testing.T) {
	t.Parallel()
	folder, want := t.TempDir(), errors.New("no more rows")
	if err := whole.WriteFile(folder, "a", []byte("old")); err != nil {
		t.Fatal(err)
	}
	_, err := whole.Write(whole.OS{}, folder, "a", func(w io.Writer) error {
		return errors.Join(text("half")(w), want)
	})
	if !errors.Is(err, want) {
		t.Errorf("got %v, want %v", err, want)
	}
	wantFile(t, folder, "old")
}

// unsyncable is a file system whose files cannot be synced.
type unsyncable struct {
	whole.OS
	err error
}

type unsyncableFile struct {
	whole.File
	err error
}

func (u unsyncable) Create(path string) (whole.File, error) {
	f, err := u.OS.Create(path)
	return unsyncableFile{f, u.err}, err
}

func (u unsyncableFile) Sync() error { return u.err }

func TestFileSystemsThatCannotSyncAreUsedAllTheSame(t *testing.T) {
	t.Parallel()
	for err, forgiven := range map[error]bool{syscall.ENOTSUP: true, syscall.EINVAL: true, syscall.ENOTTY: true, syscall.EIO: false} {
		folder := t.TempDir()
		if _, got := whole.Write(unsyncable{err: err}, folder, "a", text("new")); (got == nil) != forgiven {
			t.Errorf("sync fails with %v: got %v", err, got)
		}
	}
}
