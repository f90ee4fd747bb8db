// Package releases keeps index.jsonl, the list of the releases that lie next to it: one line each,
// in the order in which they came, with what supersedes what. A frozen directory cannot know what
// will supersede it, so that stands here.
//
// It promises that a reader finds a whole list, and that writers of several processes lose no line.
package releases

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Folder is the name of folders that have an index.
const Folder = "releases"

// Index is its file.
const (
	Index    = "index.jsonl"
	lockFile = ".index.lock"
)

// Entry is a line.
type Entry struct {
	ID           string  `json:"id"`
	Name         string  `json:"name"`
	Directory    string  `json:"directory"` // in the folder
	Version      string  `json:"version"`
	Published    string  `json:"published"`
	SHA256       string  `json:"sha256"` // of manifest.json
	Supersedes   *string `json:"supersedes"`
	SupersededBy *string `json:"superseded_by"`
}

// List reads the index of a folder; none for a folder without.
func List(folder string) ([]Entry, error) {
	data, err := os.ReadFile(filepath.Join(folder, Index))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.Opening(filepath.Join(folder, Index), err)
	}
	return jsonl.Decode[Entry](data, filepath.Join(folder, Index), "")
}

// Add enters the release in dir into the index of its folder, and into the line of the one that it
// supersedes. A line of another release that lay in dir goes.
func Add(dir string) error {
	r, err := release.Open(dir)
	if err != nil {
		return err
	}
	defer r.Close()
	folder, m := filepath.Dir(dir), r.Manifest()
	e := Entry{
		ID: m.ID, Name: m.Release.Name, Directory: filepath.Base(dir),
		Version: m.Release.Version, Published: m.Release.Published,
		SHA256: r.ManifestSHA256(), Supersedes: m.Supersedes,
	}
	unlock, err := lock(folder)
	if err != nil {
		return err
	}
	defer unlock()
	list, err := List(folder)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(x Entry) bool { return x.Directory == e.Directory })
	for i := range list {
		if e.Supersedes != nil && list[i].ID == *e.Supersedes {
			list[i].SupersededBy = &e.ID
		}
	}
	if err := whole.WriteFile(folder, Index, jsonl.Encode(append(list, e))); err != nil {
		return fault.New(fault.KindOf(err), "%w", err).At(filepath.Join(folder, Index), "")
	}
	return nil
}

// lock waits for other writers. The lock dies with the process.
func lock(folder string) (unlock func(), err error) {
	path := filepath.Join(folder, lockFile)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fault.New(fault.KindOf(err), "%w", err).At(path, "")
	}
	for err = syscall.EINTR; errors.Is(err, syscall.EINTR); {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
	}
	if err != nil {
		f.Close()
		return nil, fault.New(fault.Failure, "lock: %w", err).At(path, "")
	}
	return func() { f.Close() }, nil
}
