// Package storetest breaks the file system under a work directory at the n-th operation, so that
// tests can go through every n: SQLite's way of testing what a crash or a full disk leaves.
package storetest

import (
	"errors"
	"sync"

	"github.com/wikinav/wikinav/artifacts/whole"
)

// ErrDead is what every operation gives after the process has "died".
var ErrDead = errors.New("storetest: the process is dead")

// FS passes operations on to the real file system until it breaks one. It is safe for concurrent use.
type FS struct {
	mu   sync.Mutex
	at   int // the first operation that breaks, 1-based; 0 breaks none
	seen int
	err  error
}

// Dies returns a file system under which the process dies just before its n-th operation: that one
// and all later ones, cleaning up included, do nothing and fail.
func Dies(n int) *FS { return &FS{at: n, err: ErrDead} }

// FailsFrom returns a file system that fails with err from its n-th operation on; removing still
// works, as on a full disk. A failing write takes half of its bytes.
func FailsFrom(n int, err error) *FS { return &FS{at: n, err: err} }

// Broke reports whether the operation was reached.
func (f *FS) Broke() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.at > 0 && f.seen >= f.at
}

// step counts an operation and tells how it fails.
func (f *FS) step(removes bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen++
	if f.at == 0 || f.seen < f.at || removes && !errors.Is(f.err, ErrDead) {
		return nil
	}
	return f.err
}

// do makes an operation, unless it breaks.
func (f *FS) do(operation func() error) error {
	if err := f.step(false); err != nil {
		return err
	}
	return operation()
}

// Create is an operation, and so is each Write, Sync and Close of the file.
func (f *FS) Create(path string) (file whole.File, err error) {
	err = f.do(func() error { file, err = whole.OS{}.Create(path); return err })
	return &openFile{f, file}, err
}

func (f *FS) Rename(from, to string) error {
	return f.do(func() error { return whole.OS{}.Rename(from, to) })
}

// Remove is an operation; it works on a disk that is merely full.
func (f *FS) Remove(path string) error {
	if err := f.step(true); err != nil {
		return err
	}
	return whole.OS{}.Remove(path)
}

func (f *FS) MkdirAll(path string) error {
	return f.do(func() error { return whole.OS{}.MkdirAll(path) })
}

func (f *FS) SyncDir(path string) error {
	return f.do(func() error { return whole.OS{}.SyncDir(path) })
}

type openFile struct {
	fs   *FS
	file whole.File
}

func (o *openFile) Write(p []byte) (int, error) {
	if err := o.fs.step(false); err != nil {
		n, _ := o.file.Write(p[:len(p)/2])
		return n, err
	}
	return o.file.Write(p)
}

func (o *openFile) Sync() error { return o.fs.do(o.file.Sync) }

// Close frees the descriptor even when it fails.
func (o *openFile) Close() error {
	err := o.fs.step(false)
	return errors.Join(err, o.file.Close())
}
