package linkgraph

import (
	"slices"

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

// openRedirects finds the record of every redirect page and follows each, at most hops redirects in a row.
func openRedirects(env *stages.Run, p *pages, hops int) (*redirects, error) {
	file, err := env.Table(schemas.Redirects, "redirects.arrow", schemas.RedirectsTable)
	if err != nil {
		return nil, err
	}
	r := &redirects{file: file, pages: p, aliases: make([]alias, file.Rows())}
	if err := r.number(); err != nil {
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
		row, ok := r.pages.titles.find(r.text(i, redirectTitle))
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

// resolve follows the redirect of record i, at most hops redirects in a row. It ends on any
// redirects, in O(hops^2) steps, and looks at nothing but the chain itself, so that no order of
// pages matters.
func (r *redirects) resolve(i, hops int) alias {
	var room [9]int // enough for the greatest redirect_hops, 8
	chain := append(room[:0], i)
	for step := uint8(1); int(step) <= hops; step++ {
		last := chain[len(chain)-1]
		if s := outside(r.kind(last)); s != aliasOK {
			return alias{status: s, hops: step}
		}
		row, ok := r.pages.titles.find(r.text(last, redirectTarget))
		if !ok {
			return alias{status: aliasMissing, hops: step}
		}
		if r.pages.kinds[row] != kindRedirect {
			return ending(r.pages.kinds[row], row, step)
		}
		next := int(r.pages.number[row])
		if slices.Contains(chain, next) {
			return alias{status: circle(len(chain)), hops: step}
		}
		chain = append(chain, next)
	}
	return alias{status: aliasTooLong, hops: uint8(hops)}
}

// circle is the status of a chain of n redirects that comes back to one of its own.
func circle(n int) status {
	if n == 1 {
		return aliasSelf
	}
	return aliasLoop
}

// outside returns the status of a target that is no title of namespace 0.
func outside(k schemas.TargetKind) status {
	switch k {
	case schemas.TargetMain:
		return aliasOK
	case schemas.TargetOther:
		return aliasNonMain
	case schemas.TargetInterwiki:
		return aliasInterwiki
	}
	return aliasBadTarget
}

// ending is a chain that reached a page. One of another content model can be no target.
func ending(k kind, row uint32, step uint8) alias {
	if k == kindNonNode {
		return alias{status: aliasBadTarget, hops: step}
	}
	return alias{status: aliasOK, row: row, hops: step}
}

// status is what became of a redirect.
type status uint8

const (
	aliasOK status = iota
	aliasMissing
	aliasLoop
	aliasTooLong
	aliasNonMain
	aliasInterwiki
	aliasSelf
	aliasBadTarget
	statuses
)

// statusNames stand in aliases.arrow and end the names of counters.
var statusNames = [statuses]string{
	schemas.AliasOK, schemas.AliasMissing, schemas.AliasLoop, schemas.AliasTooLong,
	schemas.AliasNonMain, schemas.AliasInterwiki, schemas.AliasSelf, schemas.AliasBadTarget,
}

func (s status) String() string { return statusNames[s] }

// of returns what became of the redirect page in that row of pages.arrow.
func (r *redirects) of(row uint32) alias { return r.aliases[r.pages.number[row]] }

// Columns of redirects.arrow.
var (
	redirectTitle    = schemas.RedirectsTable.Index("title")
	redirectPage     = schemas.RedirectsTable.Index("page_id")
	redirectTarget   = schemas.RedirectsTable.Index("target_title")
	redirectFragment = schemas.RedirectsTable.Index("fragment")
	redirectKind     = schemas.RedirectsTable.Index("kind")
)

func (r *redirects) text(i, col int) []byte {
	return r.file.Strings(i/schemas.BatchRows, col).Bytes(i % schemas.BatchRows)
}

func (r *redirects) kind(i int) schemas.TargetKind {
	return schemas.TargetKind(r.file.Uint8s(i/schemas.BatchRows, redirectKind)[i%schemas.BatchRows])
}

func (r *redirects) pageID(i int) uint32 {
	return r.file.Uint32s(i/schemas.BatchRows, redirectPage)[i%schemas.BatchRows]
}

// write writes aliases.arrow; the records are in order of their titles already. A redirect is an
// alias only where the recipe resolves redirects: else it is a node with its own title, or lost.
func (r *redirects) write(env stages.Env, recipe schemas.Recipe) error {
	return stages.WriteRows(env, "aliases.arrow", schemas.AliasesTable, func(t *arrowio.Writer) error {
		if recipe.Redirects != schemas.RedirectsResolve {
			return nil
		}
		for i := range r.aliases {
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
	return t.Row(r.text(i, redirectTitle), r.pageID(i), title, id, r.text(i, redirectFragment), a.hops, a.status.String())
}
