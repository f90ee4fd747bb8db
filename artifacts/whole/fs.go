package whole

import (
	"io"
	"os"
)

// FS is the set of operations that change a folder. Tests replace it to fail or to stop at the n-th one.
type FS interface {
	Create(path string) (File, error) // truncates
	Rename(from, to string) error
	Remove(path string) error // a file or an empty directory
	MkdirAll(path string) error
	SyncDir(path string) error
}

// File is a file being written.
type File interface {
	io.Writer
	Sync() error
	Close() error
}

// OS is the real file system.
type OS struct{}

// Create opens path for writing, empty.
func (OS) Create(path string) (File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644)
}

func (OS) Rename(from, to string) error { return os.Rename(from, to) }

// Remove deletes a file or an empty directory.
func (OS) Remove(path string) error { return os.Remove(path) }

// MkdirAll makes path and what it needs above.
func (OS) MkdirAll(path string) error { return os.MkdirAll(path, 0o755) }

// SyncDir makes the entries of a directory durable.
func (OS) SyncDir(path string) error { return SyncDir(path) }
