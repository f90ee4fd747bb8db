package release

import (
	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
)

// rowAt is row i of batch b of a table; its cells go by the names of their columns.
type rowAt struct {
	t     *arrowio.Table
	table schemas.Table
	b, i  int
}

func (r rowAt) text(column string) string   { return r.t.Strings(r.b, r.table.Index(column)).At(r.i) }
func (r rowAt) number(column string) uint32 { return r.t.Uint32s(r.b, r.table.Index(column))[r.i] }
func (r rowAt) byte(column string) uint8    { return r.t.Uint8s(r.b, r.table.Index(column))[r.i] }
func (r rowAt) large(column string) uint64  { return r.t.Uint64s(r.b, r.table.Index(column))[r.i] }
func (r rowAt) signed(column string) int64  { return r.t.Int64s(r.b, r.table.Index(column))[r.i] }
func (r rowAt) bool(column string) bool     { return r.t.Bools(r.b, r.table.Index(column)).At(r.i) }

// list gives a copy that is never nil: JSON then has [] and not null.
func (r rowAt) list(column string) []uint32 {
	return append([]uint32{}, r.t.Lists(r.b, r.table.Index(column)).At(r.i)...)
}

func (r rowAt) page(prefix string) schemas.PageRef {
	return schemas.PageRef{Node: r.number(prefix + "node"), PageID: r.number(prefix + "page_id"), Title: r.text(prefix + "title")}
}
