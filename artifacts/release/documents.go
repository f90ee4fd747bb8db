package release

import (
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/template"

	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/order"
)

//go:embed templates/*.tmpl
var templateFiles embed.FS

// Names of documents that are more than words.
const (
	citationFile    = "CITATION.bib"
	croissantFile   = "croissant.json"
	dataPackageFile = "datapackage.json"
	errataFile      = "ERRATA.md"
	recipeFile      = "recipe.toml"
)

// documentNames lists the documents of a release. All are made from the manifest and the parts,
// before the manifest has its entries for them.
var documentNames = []string{
	"ATTRIBUTION.md", citationFile, "CITATION.cff", "DATASHEET.md", errataFile, "LICENSE.md",
	"README.md", croissantFile, dataPackageFile, "eval.yaml", recipeFile,
}

// Renderer is what Document is: programs that name neither carry none of text/template, which keeps
// every method of every type.
type Renderer func(m *Manifest, name string, root *os.Root, parts []Part) ([]byte, error)

// Document renders one of the documents of a release from the manifest as it is without them, and
// the files of the parts below root. The corrections of ERRATA.md, which people wrote, are those
// that stand there.
func Document(m *Manifest, name string, root *os.Root, parts []Part) ([]byte, error) {
	corrections := ""
	if name == errataFile {
		corrections = correctionsBelow(root)
	}
	return document(m, name, root, parts, corrections)
}

func document(m *Manifest, name string, root *os.Root, parts []Part, corrections string) ([]byte, error) {
	data := *m
	data.Files = slices.DeleteFunc(slices.Clone(m.Files),
		func(f FileEntry) bool { return slices.Contains(documentNames, f.Path) })
	order.Sort(data.Files, func(a, b FileEntry) int { return strings.Compare(a.Path, b.Path) })
	c := newCard(&data)
	c.Corrections = corrections
	for _, p := range parts {
		if err := c.addPart(p, data.filesOf(root, p)); err != nil {
			return nil, err
		}
	}
	c.addTables()
	c.dropEmpty()
	return render(name, c)
}

func render(name string, c *card) ([]byte, error) {
	switch name {
	case croissantFile:
		return c.croissant()
	case dataPackageFile:
		return c.dataPackage()
	}
	return c.fill(name)
}

// fill fills the template of a document.
func (c *card) fill(name string) ([]byte, error) {
	t := template.New("").Funcs(template.FuncMap{
		"quote": func(s string) string { return string(canon.AppendString(nil, s)) }, // a JSON string is a YAML string
		"lower": strings.ToLower,
		"cell":  tableCell,
		"join":  joinInts,
		"ratio": ratioText,
	})
	var b strings.Builder
	if err := template.Must(t.ParseFS(templateFiles, "templates/*.tmpl")).
		ExecuteTemplate(&b, name+".tmpl", c); err != nil {
		return nil, fmt.Errorf("%s cannot be rendered: %w", name, err)
	}
	return []byte(b.String()), nil
}

// correctionsBegin stands before the corrections in ERRATA.md, and nowhere above them.
const correctionsBegin = "\n## Corrections\n\n"

// noCorrections stands in ERRATA.md in the place of corrections.
const noCorrections = "None."

// Corrections returns what the release in dir says that it corrects; "" for nothing.
func Corrections(dir string) (string, error) {
	root, err := openRoot(dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	return correctionsBelow(root), nil
}

// correctionsBelow reads the corrections that stand in the ERRATA.md of a release; "" for none.
func correctionsBelow(root *os.Root) string {
	text, err := root.ReadFile(errataFile)
	if err != nil {
		return ""
	}
	_, list, _ := strings.Cut(string(text), correctionsBegin)
	return correctionsOf(list)
}

// correctionsOf returns corrections as they are published: without blank lines around them.
func correctionsOf(text string) string {
	text = strings.TrimSpace(text)
	if text == noCorrections {
		return ""
	}
	return text
}

// indented is JSON that people read, too: sorted keys, one value on a line.
func indented(v any) ([]byte, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(v)
	return []byte(b.String()), err
}
