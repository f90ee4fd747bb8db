package pagelinks

import (
	"path/filepath"
	"strings"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// sibling is how a dump site calls the linktarget table that belongs to a pagelinks table.
func sibling(path string) string {
	if name := filepath.Base(path); strings.Contains(name, Pagelinks) {
		return strings.Replace(name, Pagelinks, Linktarget, 1)
	}
	return "<wiki>-<date>-linktarget.sql.gz"
}

// set is a set of numbers, a bit for each up to the largest.
type set []uint64

func (s *set) add(n uint32) {
	word := int(n / 64)
	for word >= len(*s) {
		*s = append(*s, 0)
	}
	(*s)[word] |= 1 << (n % 64)
}

func (s set) has(n uint32) bool {
	word := int(n / 64)
	return word < len(s) && s[word]>>(n%64)&1 == 1
}

// pages says of which namespace a page of the dump is: 0, or another.
type pages struct{ main, other set }

func readPages(env stages.Env) (pages, error) {
	var p pages
	file, err := stages.OpenTable(env, schemas.Pages, "pages.arrow", schemas.PagesTable)
	if err != nil {
		return p, err
	}
	defer file.Close()
	id, ns := schemas.PagesTable.Index("page_id"), schemas.PagesTable.Index("ns")
	for b := range file.Batches() {
		ids, spaces := file.Uint32s(b, id), file.Int16s(b, ns)
		for i := range ids {
			if spaces[i] == 0 {
				p.main.add(ids[i])
			} else {
				p.other.add(ids[i])
			}
		}
	}
	return p, nil
}
