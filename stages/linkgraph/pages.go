package linkgraph

import (
	"bytes"
	"math/bits"

	"github.com/cespare/xxhash/v2"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

// kind of a page of namespace 0: what a link to it means.
type kind uint8

const (
	kindOther   kind = iota // another namespace: no link of ours leads there
	kindNode                // a page of the graph
	kindDropped             // an article that the recipe leaves out
	kindRedirect
	kindNonNode // another content model
	kinds
)

// pages is what is known of every page of the dump, by its row in pages.arrow.
type pages struct {
	file   *arrowio.File
	ids    []uint32 // ascending
	kinds  []kind
	number []uint32 // of kindNode: its node; of kindRedirect: its record in redirects.arrow
	titles *titles  // of namespace 0

	nodeIDs   []uint32 // by node
	nodeRows  []uint32
	nodeFlags []uint16
	nodeSelf  []schemas.Provenance // of the page's links to itself
	spaced    int64                // nodes with a blank in the title
}

func openPages(env *stages.Run, r schemas.Recipe) (*pages, error) {
	file, err := env.Table(schemas.Pages, "pages.arrow", schemas.PagesTable)
	if err != nil {
		return nil, err
	}
	p := &pages{file: file}
	n := int(file.Rows())
	p.ids, p.kinds, p.number = make([]uint32, 0, n), make([]kind, 0, n), make([]uint32, n)
	p.titles = newTitles(mainPages(file), p.title)
	for b := range file.Batches() {
		p.readBatch(b, r)
	}
	return p, nil
}

// mainPages counts the pages of namespace 0: in a dump of all pages the fewest are.
func mainPages(file *arrowio.File) int {
	n := 0
	for b := range file.Batches() {
		for _, ns := range file.Int16s(b, schemas.PagesTable.Index("ns")) {
			if ns == 0 {
				n++
			}
		}
	}
	return n
}

func (p *pages) readBatch(b int, r schemas.Recipe) {
	col := schemas.PagesTable.Index
	ids, ns := p.file.Uint32s(b, col("page_id")), p.file.Int16s(b, col("ns"))
	titles, models := p.file.Strings(b, col("title")), p.file.Strings(b, col("model"))
	flags, self := p.file.Uint16s(b, col("flags")), p.file.Uint8s(b, col("self_links"))
	redirects := p.file.Bools(b, col("is_redirect"))
	for i, id := range ids {
		row := len(p.ids)
		k := classify(ns[i], redirects.At(i), string(models.Bytes(i)), flags[i], titles.Bytes(i), r)
		p.ids, p.kinds = append(p.ids, id), append(p.kinds, k)
		if k == kindOther {
			continue
		}
		p.titles.add(titles.Bytes(i), uint32(row))
		if k == kindNode {
			p.addNode(row, id, flags[i], titles.Bytes(i))
			p.nodeSelf = append(p.nodeSelf, self[i])
		}
	}
}

func classify(ns int16, redirect bool, model string, flags uint16, title []byte, r schemas.Recipe) kind {
	switch {
	case ns != 0:
		return kindOther
	case redirect && r.Redirects != schemas.RedirectsNodes:
		return kindRedirect
	case model != schemas.ModelWikitext:
		return kindNonNode
	case flags&r.DropFlags() != 0, r.TitleFilter == schemas.TitlesOneToken && bytes.IndexByte(title, ' ') >= 0:
		return kindDropped
	}
	return kindNode
}

func (p *pages) addNode(row int, id uint32, flags uint16, title []byte) {
	p.number[row] = uint32(len(p.nodeIDs))
	p.nodeIDs = append(p.nodeIDs, id)
	p.nodeRows = append(p.nodeRows, uint32(row))
	p.nodeFlags = append(p.nodeFlags, flags)
	if bytes.IndexByte(title, ' ') >= 0 {
		p.spaced++
	}
}

var pageTitle = schemas.PagesTable.Index("title")

// title returns the title in a row of pages.arrow, a view of the mapping.
func (p *pages) title(row uint32) []byte {
	return p.file.Strings(int(row/schemas.BatchRows), pageTitle).Bytes(int(row % schemas.BatchRows))
}

// nodeTitles copies the nodes' titles together, in node order.
func (p *pages) nodeTitles() arrowio.Strings {
	s := arrowio.Strings{Offsets: make([]int32, 1, len(p.nodeRows)+1)}
	for _, row := range p.nodeRows {
		s.Data = append(s.Data, p.title(row)...)
		s.Offsets = append(s.Offsets, int32(len(s.Data)))
	}
	return s
}

// rowOf finds the row of a page id from row from on. Page ids ascend in pages and in links alike,
// so that a pass over all links makes one pass over the pages.
func (p *pages) rowOf(id uint32, from int) (int, error) {
	for row := from; row < len(p.ids) && p.ids[row] <= id; row++ {
		if p.ids[row] == id {
			return row, nil
		}
	}
	return 0, fault.New(fault.Mismatch, "page %d is not in pages.arrow, or is out of order", id).At("links.arrow", "")
}

// hashTitle is the hash under which links name their targets; a test puts a worse one in its place.
var hashTitle = xxhash.Sum64

// titles finds a page's row by the hash of its title: open addressing, three quarters full, 16
// bytes a title. Titles of which two have the same hash are kept aside and told apart by their
// bytes, so that a collision between pages costs time and never an edge.
type titles struct {
	title  func(row uint32) []byte
	hashes []uint64
	rows   []uint32 // row + 1; 0 is a free slot
	twins  map[uint64][]uint32
}

func newTitles(n int, title func(row uint32) []byte) *titles {
	size := n + n/3 + 1
	return &titles{
		title: title, hashes: make([]uint64, size), rows: make([]uint32, size), twins: map[uint64][]uint32{},
	}
}

// add enters a title that no other page has.
func (t *titles) add(title []byte, row uint32) {
	h := hashTitle(title)
	slot := t.slot(h)
	if t.rows[slot] == 0 {
		t.hashes[slot], t.rows[slot] = h, row+1
		return
	}
	if t.twins[h] == nil {
		t.twins[h] = []uint32{t.rows[slot] - 1}
	}
	t.twins[h] = append(t.twins[h], row)
}

// slot returns the place of h, or the free place where it belongs; newTitles leaves one free at
// least. The search begins at h's share of the table: a product in place of a remainder.
func (t *titles) slot(h uint64) int {
	high, _ := bits.Mul64(h, uint64(len(t.rows)))
	s := int(high)
	for t.rows[s] != 0 && t.hashes[s] != h {
		if s++; s == len(t.rows) {
			s = 0
		}
	}
	return s
}

// byHash finds the page whose title has hash h. exact gives the title that is meant; it is asked only where
// several pages share the hash.
func (t *titles) byHash(h uint64, exact func() []byte) (row uint32, ok bool) {
	slot := t.slot(h)
	if t.rows[slot] == 0 {
		return 0, false
	}
	if len(t.twins) > 0 {
		if twins := t.twins[h]; twins != nil {
			return t.among(twins, exact())
		}
	}
	return t.rows[slot] - 1, true
}

func (t *titles) among(rows []uint32, title []byte) (uint32, bool) {
	for _, row := range rows {
		if bytes.Equal(t.title(row), title) {
			return row, true
		}
	}
	return 0, false
}

// find finds the page with exactly that title.
func (t *titles) find(title []byte) (row uint32, ok bool) {
	row, ok = t.byHash(hashTitle(title), func() []byte { return title })
	return row, ok && bytes.Equal(t.title(row), title)
}
