package release

import (
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
)

// sums gives SHA256SUMS of a release: one line for each file of m and for the manifest itself, in the text form of coreutils,
// sorted bytewise by path.
func sums(m *Manifest, manifest []byte) string {
	list := map[string]string{ManifestName: digest.SHA256(manifest)}
	paths := []string{ManifestName}
	for _, f := range m.Files {
		list[f.Path] = f.SHA256
		paths = append(paths, f.Path)
	}
	slices.Sort(paths)
	var b strings.Builder
	for _, p := range paths {
		b.WriteString(list[p] + "  " + p + "\n")
	}
	return b.String()
}
