package release

import (
	"cmp"
	"slices"
	"strings"
)

// Size is how much of a release one of its folders is. Rows are those of tables and JSON lines, of
// which many are there in two forms.
type Size struct {
	Folder string `json:"folder"` // "" for files outside of folders
	Files  int    `json:"files"`
	Bytes  int64  `json:"bytes"`
	Rows   int64  `json:"rows"`
}

// Sizes adds up the files of m by folder, the largest first, without the documents: these say how
// large the rest is.
func (m *Manifest) Sizes() (list []Size) {
	for _, f := range m.Files {
		if slices.Contains(documentNames, f.Path) {
			continue
		}
		i := slices.IndexFunc(list, func(s Size) bool { return s.Folder == parent(f.Path) })
		if i < 0 {
			i, list = len(list), append(list, Size{Folder: parent(f.Path)})
		}
		s := &list[i]
		s.Files, s.Bytes = s.Files+1, s.Bytes+f.Bytes
		if f.Rows != nil {
			s.Rows += *f.Rows
		}
	}
	slices.SortFunc(list, func(a, b Size) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), strings.Compare(a.Folder, b.Folder))
	})
	return list
}
