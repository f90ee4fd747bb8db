package release

import (
	"path"

	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/schemas"
)

// What the tests of other packages' parts need of this one.
var (
	Sums          = sums
	DocumentNames = documentNames
	Templates     = templateFiles
	ParentOf      = parent
	RequiredPaths = requiredPaths
)

// TableOf returns the columns of a file of a release with parts; nil for a file that is not a table.
func TableOf(p string, parts []Part) *schemas.Table {
	k, _ := kindOf(p, parts)
	return k.Table
}

// FieldsOf returns what is known of the columns of a file of a release with parts.
func FieldsOf(p string, parts []Part) []flat.Field {
	k, _ := kindOf(p, parts)
	var fields []flat.Field
	if k.Fields != nil {
		fields = k.Fields()
	}
	if k.Table != nil {
		for _, c := range k.Table.Columns {
			fields = append(fields, flat.Field{Name: k.Table.ID + " " + c.Name})
		}
	}
	return fields
}

// RenderCard renders the data card of m with these quotas of a part.
func RenderCard(m *Manifest, part string, quotas []schemas.Quota) ([]byte, error) {
	c := newCard(m)
	c.addQuotas(part, quotas)
	c.Configs = append(c.Configs, cardConfig{Name: "x", Default: true, Rows: 20_000, Files: []cardTable{{"a", "x/a.parquet"}}})
	return render("README.md", c)
}

// LicenceOf returns the part of a licence that covers a file.
func (l Licence) LicenceOf(p string) (LicencePart, bool) { return l.partOf(path.Clean(p)) }
