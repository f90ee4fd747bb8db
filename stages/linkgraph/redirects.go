package linkgraph

import (
	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

// redirects is redirects.arrow, and what became of each of its records.
type redirects struct {
	file    *arrowio.File
	pages   *pages
	aliases []alias // by record
}

// alias is what became of a redirect.
type alias struct {
	row    uint32 // of the page at the end, when status is ok
	status status
	hops   uint8 // redirects followed until the end or the stop
}

var (
	redTitle    = schemas.RedirectsTable.Index("title")
	redID       = schemas.RedirectsTable.Index("page_id")
	redTarget   = schemas.RedirectsTable.Index("target_title")
	redFragment = schemas.RedirectsTable.Index("fragment")
	redKind     = schemas.RedirectsTable.Index("kind")
)

// openRedirects finds the record of every redirect page and follows each, at most hops redirects in a row.
func openRedirects(env stages.Env, p *pages, hops int) (*redirects, error) {
	file, err := stages.OpenTable(env, schemas.Redirects, "redirects.arrow", schemas.RedirectsTable)
	if err != nil {
		return nil, err
	}
	r := &redirects{file: file, pages: p, aliases: make([]alias, file.Rows())}
	if err := r.number(); err != nil {
		file.Close()
		return nil, err
	}
	for i := range r.aliases {
		r.aliases[i] = r.resolve(i, hops)
	}
	return r, nil
}

// number tells every redirect page of namespace 0 its record. One without would be taken for another's.
func (r *redirects) number() error {
	without := 0
	for _, k := range r.pages.kinds {
		if k == kindRedirect {
			without++
		}
	}
	for i := range r.aliases {
		row, ok := r.pages.titles.find(r.text(i, redTitle))
		if ok && r.pages.kinds[row] == kindRedirect && r.pages.ids[row] == r.pageID(i) {
			r.pages.number[row] = uint32(i)
			without--
		}
	}
	if without != 0 {
		return fault.New(fault.Mismatch, "%d redirect pages too many for their records", without).At("redirects.arrow", "")
	}
	return nil
}

// Close unmaps the table.
func (r *redirects) Close() { r.file.Close() }

// of gives what became of the redirect page in that row of pages.arrow.
func (r *redirects) of(row uint32) alias { return r.aliases[r.pages.number[row]] }

func (r *redirects) text(i, col int) []byte {
	return r.file.Strings(i/schemas.BatchRows, col).Bytes(i % schemas.BatchRows)
}

func (r *redirects) kind(i int) schemas.TargetKind {
	return schemas.TargetKind(r.file.Uint8s(i/schemas.BatchRows, redKind)[i%schemas.BatchRows])
}

func (r *redirects) pageID(i int) uint32 {
	return r.file.Uint32s(i/schemas.BatchRows, redID)[i%schemas.BatchRows]
}

// write writes aliases.arrow; the records are in order of their titles already. A redirect is an alias only where
// the recipe resolves redirects: else it is a node with its own title, or lost.
func (r *redirects) write(env stages.Env, recipe schemas.Recipe) error {
	return stages.WriteRows(env, "aliases.arrow", schemas.AliasesTable, func(t *arrowio.Writer) error {
		for i := range r.aliases {
			if recipe.Redirects != schemas.RedirectsResolve {
				break
			}
			if err := r.writeAlias(t, i); err != nil {
				return err
			}
		}
		return nil
	})
}

func (r *redirects) writeAlias(t *arrowio.Writer, i int) error {
	a, title, id := r.aliases[i], "", uint32(0)
	if a.status == aliasOK {
		title, id = string(r.pages.title(a.row)), r.pages.ids[a.row]
	}
	t.String(0, string(r.text(i, redTitle)))
	t.Uint32(1, r.pageID(i))
	t.String(2, title)
	t.Uint32(3, id)
	t.String(4, string(r.text(i, redFragment)))
	t.Uint8(5, a.hops)
	t.String(6, a.status.String())
	return t.EndRow()
}
