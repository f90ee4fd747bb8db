package release

import (
	"path"
	"slices"
)

// Text gives the bytes of a text file of the release, which are those of the manifest: fault.Mismatch otherwise, also for a file that
// the manifest does not list.
func (r *Release) Text(name string) ([]byte, error) { return r.read(name) }

// Names lists the files of a directory of the release by their names in it, sorted; nothing for a directory that it has not.
func (r *Release) Names(dir string) []string {
	var names []string
	for _, f := range r.m.Files {
		if parent(f.Path) == dir {
			names = append(names, path.Base(f.Path))
		}
	}
	slices.Sort(names)
	return names
}
