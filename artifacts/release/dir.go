package release

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// openRoot opens a release directory; everything that is read of it later is read below this
// handle.
func openRoot(dir string) (*os.Root, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, NoRelease(fault.NotFound, dir, "there is no such release directory")
	}
	return root, nil
}

// NoRelease says why dir is no release, and what was probably meant.
func NoRelease(k *fault.Kind, dir, why string) *fault.Error {
	e := fault.New(k, "%s", why).At(dir, "")
	holds := func(name string) bool { _, err := os.Stat(filepath.Join(dir, name)); return err == nil }
	switch near := fault.Beside(dir); {
	case holds("builds"):
		return e.Hint("this is a work directory; wikinav release --work %s --out DIR makes a release of its build", dir)
	case holds("run.json"):
		return e.Hint("this is the directory of a run, as --trajectories takes; name the one that wikinav release made")
	case near != "":
		return e.Hint("did you mean %s?", near)
	}
	return e.Hint("name the directory that wikinav release made")
}

// readSmall reads a file that must be small enough for memory, whatever its size on disk turns out
// to be.
func readSmall(root *os.Root, name string) ([]byte, error) {
	if _, err := sizeOf(root, name); err != nil {
		return nil, err
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, fault.New(fault.Mismatch, "%w", err).At(name, "")
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, canon.MaxManifest+1))
	if err != nil {
		return nil, fault.New(fault.KindOf(err), "%w", err).At(name, "")
	}
	return data, nil
}

// sizeOf returns the size of the file called name, which must be a regular file without a symbolic
// link in its path.
func sizeOf(root *os.Root, name string) (int64, error) {
	for i := range name {
		if name[i] == '/' {
			if _, err := lstat(root, name[:i], fs.ModeDir); err != nil {
				return 0, err.At(name, "")
			}
		}
	}
	info, err := lstat(root, name, 0)
	if err != nil {
		return 0, err.At(name, "")
	}
	return info.Size(), nil
}

// lstat looks at name, which must be of the given type; the caller places the error.
func lstat(root *os.Root, name string, want fs.FileMode) (fs.FileInfo, *fault.Error) {
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fault.New(fault.Mismatch, "%s is missing", name)
	case err != nil:
		return nil, fault.New(fault.Mismatch, "%w", err)
	case info.Mode().Type() != want:
		return nil, fault.New(fault.Mismatch, "%s is a %s, not a %s", name, modeName(info.Mode()), modeName(want))
	}
	return info, nil
}

func modeName(mode fs.FileMode) string {
	switch mode.Type() {
	case 0:
		return "regular file"
	case fs.ModeDir:
		return "directory"
	case fs.ModeSymlink:
		return "symbolic link"
	}
	return "special file"
}

// walk calls visit for each file below root, and for each directory with a slash at the end of its
// name, in lexical order. It follows no symbolic link.
func walk(root *os.Root, visit func(name string, mode fs.FileMode)) error {
	return fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name == ".":
		case d.IsDir():
			visit(name+"/", d.Type())
		default:
			visit(name, d.Type())
		}
		return nil
	})
}

func (f FileEntry) digestOf() digest.Digest {
	return digest.Digest{SHA256: f.SHA256, XXH64: f.XXH64, Bytes: f.Bytes}
}

// dirsOf lists the directories that the files of a release need, each with a slash at its end.
func dirsOf(files []FileEntry) map[string]bool {
	dirs := map[string]bool{}
	for _, f := range files {
		for dir := parent(f.Path); dir != ""; dir = parent(dir) {
			dirs[dir+"/"] = true
		}
	}
	return dirs
}
