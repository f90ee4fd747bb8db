package release

import (
	"path"

	"github.com/wikinav/wikinav/schemas"
)

// What the tests of other packages' parts need of this one.
var (
	Sums          = sums
	DocumentNames = documentNames
	ParentOf      = parent
	RequiredPaths = requiredPaths
)

// TableOf returns the columns of a file of a release with parts; nil for a file that is not a table.
func TableOf(p string, parts []Part) *schemas.Table {
	k, _ := kindOf(p, parts)
	return k.Table
}

// RenderCard renders the data card of m with these quotas of a part.
func RenderCard(m *Manifest, part string, quotas []schemas.Quota) ([]byte, error) {
	c := newCard(m)
	c.addQuotas(part, quotas)
	c.Configs = append(c.Configs,
		cardConfig{Name: "x", Default: true, Rows: 20_000, Files: []cardTable{{"a", "x/a.parquet"}}})
	return render("README.md", c)
}

// LicenceOf returns the part of a licence that covers a file.
func (l Licence) LicenceOf(p string) (LicencePart, bool) { return l.partOf(path.Clean(p)) }
