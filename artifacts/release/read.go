package release

import (
	"maps"
	"path"
	"slices"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// file returns the entry of a file after a look at its kind and size on disk; the digest is the reader's to compare.
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

// folder returns the digests of the files that m lists in dir, by name.
func (m *Manifest) folder(dir string) map[string]digest.Digest {
	files := map[string]digest.Digest{}
	for _, f := range m.Files {
		if parent(f.Path) == dir {
			files[path.Base(f.Path)] = f.digestOf()
		}
	}
	return files
}

func (r *Release) Part(p Part) Files { return r.m.filesOf(r.root, p) }

// Text returns the bytes of a text file of the release, which are those of the manifest: fault.Mismatch otherwise, also for a file
// that the manifest does not list.
func (r *Release) Text(name string) ([]byte, error) {
	f, err := r.file(name)
	if err != nil {
		return nil, err
	}
	return readWhole(r.root, f.Path, f.digestOf())
}

// Names lists the files of a directory of the release by their names in it, sorted; nothing for a directory that it does not have.
func (r *Release) Names(dir string) []string { return slices.Sorted(maps.Keys(r.m.folder(dir))) }

// Folder returns the files of a directory of the release by their names in it; none for one that it
// does not have.
func (r *Release) Folder(dir string) Files { return r.m.folderBelow(r.root, dir) }

// Layout returns the columns of the table at name, by the parts that there are; false for a file
// that is not a table.
func Layout(name string, parts []Part) (schemas.Table, bool) {
	k, _ := kindOf(name, parts)
	if k.Table == nil {
		return schemas.Table{}, false
	}
	return *k.Table, true
}
