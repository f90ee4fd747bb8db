package release

import (
	"maps"
	"os"
	"path"
	"slices"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas/fault"
)

// file gives the entry of a file after a look at its kind and size on disk; the digest is the reader's to compare.
func (r *Release) file(name string) (FileEntry, error) {
	f, ok := r.m.File(name)
	if !ok {
		return f, fault.New(fault.Mismatch, "is not in the manifest").At(name, "")
	}
	size, err := sizeOf(r.root, name)
	if err == nil && size != f.Bytes {
		err = fault.New(fault.Mismatch, "has %d bytes, the manifest says %d", size, f.Bytes).At(name, "")
	}
	return f, err
}

// folder gives the digests of the files in a directory, by name.
func (r *Release) folder(dir string) (map[string]digest.Digest, error) {
	files := r.m.folder(dir)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if _, err := r.file(path.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// folder gives the digests of the files that m lists in dir, by name.
func (m *Manifest) folder(dir string) map[string]digest.Digest {
	files := map[string]digest.Digest{}
	for _, f := range m.Files {
		if parent(f.Path) == dir {
			files[path.Base(f.Path)] = f.digestOf()
		}
	}
	return files
}

// read gives the bytes of a file of text, which are those of the manifest.
func (r *Release) read(name string) ([]byte, error) {
	f, err := r.file(name)
	if err != nil {
		return nil, err
	}
	return readWhole(r.root, f)
}

// maxTextBytes bounds what is read into memory on a manifest's word: a split of a million instances.
const maxTextBytes = 1 << 30

// readWhole reads a file into memory and compares the very bytes that it gives with the manifest.
func readWhole(root *os.Root, f FileEntry) ([]byte, error) {
	if f.Bytes > maxTextBytes {
		return nil, fault.New(fault.Mismatch, "%d bytes of text, at most %d are read", f.Bytes, maxTextBytes).At(f.Path, "")
	}
	data, err := root.ReadFile(f.Path)
	if err != nil {
		return nil, fault.New(fault.Mismatch, "%w", err).At(f.Path, "")
	}
	if got := digest.Bytes(data); got != f.digestOf() {
		return nil, fault.New(fault.Mismatch, "SHA-256 is %s, the manifest says %s", got.SHA256, f.SHA256).At(f.Path, "")
	}
	return data, nil
}
