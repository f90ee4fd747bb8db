// Package store keeps the results of stages in a work directory.
//
//	.lock                              carries the lock; names the run log of its writer
//	stages/<stage>/<key>/<outputs>     the files of one result; <key> is the first 32 hex digits of its key
//	stages/<stage>/<key>/receipt.json  the receipt, written last
//	stages/<stage>/<key>/receipt-<shard>.json
//	stages/<stage>/<key>/.tmp-*        unfinished files, removed when that result is next attempted
//	builds/<name>.json                 stage -> key of the newest build of that name
//	logs/                              run logs: the only place for clocks and hosts
//
// Promise: a receipt on disk implies that every output it lists was complete and synced before it.
// So a process may die at any moment, and the next one repairs by itself. Nothing finished is
// overwritten, and no file is ever written under its final name (package whole); that the receipt
// comes last is the work of pipeline/run.go.
package store

import (
	"os"
	"path/filepath"

	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/schemas/fault"
)

// keyDigits is how much of a key names its directory.
const keyDigits = 32

// Dir is a work directory.
type Dir struct {
	path string
	fs   FS
}

// Create opens the work directory at path and makes it if it is not there. A release is none, and
// would be none any more.
func Create(path string, fs FS) (*Dir, error) {
	if err := fs.MkdirAll(path); err != nil {
		return nil, fault.New(fault.Failure, "cannot make the work directory: %w", err).At(path, "").
			Hint("name another with --work")
	}
	return Open(path, fs)
}

// Open opens the work directory at path.
func Open(path string, fs FS) (*Dir, error) {
	switch info, err := os.Stat(path); {
	case err == nil && !info.IsDir():
		return nil, fault.New(fault.NotFound, "this is a file, no work directory").At(path, "").
			Hint("name the directory that wikinav build made with --work")
	case err != nil:
		return nil, fault.New(fault.NotFound, "no such work directory").At(path, "").
			Hint("name one with --work, or make one with wikinav build")
	}
	if isRelease(path) {
		return nil, fault.New(fault.NotFound, "this is a release, no work directory").At(path, "").
			Hint("name the directory of its build with --work; wikinav-eval plays a release")
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	return &Dir{path: abs, fs: fs}, nil
}

// isRelease reports whether a folder has the two files that every release has.
func isRelease(path string) bool {
	for _, name := range []string{"manifest.json", "SHA256SUMS"} {
		if _, err := os.Lstat(filepath.Join(path, name)); err != nil {
			return false
		}
	}
	return true
}

// Path is the absolute path of the directory.
func (d *Dir) Path() string { return d.path }

// LogDir is the directory of the run logs.
func (d *Dir) LogDir() string { return filepath.Join(d.path, "logs") }

// Result returns the place of the result of a stage under a key, which may not exist yet.
func (d *Dir) Result(stage, key string) *Result {
	return &Result{dir: d, stage: stage, key: key, path: filepath.Join(d.path, "stages", stage, key[:keyDigits])}
}

// WriteTest proves that the directory can be written before hours of work depend on it.
func (d *Dir) WriteTest() error {
	test := filepath.Join(d.path, whole.TempPrefix+"write-test")
	f, err := d.fs.Create(test)
	if err != nil {
		return fault.New(fault.KindOf(err), "the work directory cannot be written: %w", err).At(d.path, "")
	}
	if err := f.Close(); err != nil {
		return err
	}
	return d.fs.Remove(test)
}
