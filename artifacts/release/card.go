package release

import (
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"text/template"

	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

//go:embed templates/*.tmpl
var templateFiles embed.FS

// Card is the section of a part in the data card.
type Card struct {
	Configs []Config // for viewers of tables
	Text    string   // Markdown, with its heading
	Flags   string   // that build needs to make the part again, where it reads something else than a demo
}

// Config is a set of tables of one layout that viewers load together.
type Config struct {
	Name    string
	Default bool // the one that viewers open first
	Files   []ConfigFile
	Rows    int64 // of all files
}

// ConfigFile is a table of a config: what viewers call its split, and its name in the folder of the
// part.
type ConfigFile struct{ Split, Name string }

// Config returns the config of the sets that f has as NAME.parquet.
func (f Files) Config(name string, sets ...string) Config {
	c := Config{Name: name}
	for _, set := range sets {
		c.Files = append(c.Files, ConfigFile{set, set + ".parquet"})
		c.Rows += f.Rows(set + ".parquet")
	}
	return c
}

// FieldTable is the Markdown table of the columns of a file.
func FieldTable(file string, fields []flat.Field) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| column of `%s` | type | meaning |\n| --- | --- | --- |\n", file)
	for _, f := range fields {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.Name, f.Type, tableCell(f.Doc))
	}
	return b.String()
}

// documentNames lists the documents of a release. All are made from the manifest and the parts,
// before the manifest has its entries for them.
var documentNames = []string{"ATTRIBUTION.md", "LICENSE.md", "README.md"}

// card is what the templates see: the manifest, and orders and choices derived from it.
type card struct {
	M         *Manifest
	Title     string
	CiteKey   string
	Recipe    string
	Parts     []cardPart
	Quotas    []cardQuota
	Short     []cardQuota
	Data      []cardFile
	Counts    []cardCount
	Holdings  []holding
	Demo      bool
	FromDump  bool
	FromEdges bool
}

// holding says what of the dump's pages some files of a release have in them.
type holding struct{ Glob, What string }

// newHoldings lists those of the files that are in every release. The leads stand first, because
// their folder holds others.
func newHoldings(m *Manifest) (list []holding) {
	if f, ok := m.File(leadsPath); ok && f.Rows != nil {
		what := fmt.Sprintf("leads: the text at the beginning of %d pages, without markup, cut where it is long", *f.Rows)
		list = append(list, holding{leadsPath, what})
	}
	list = append(list, holding{"graph/*", "titles and ids of pages, and which links to which"},
		holding{distancesDir + "/*", "ids of pages"})
	if _, ok := m.File(catalogPath); ok {
		list = append(list, holding{catalogPath, "titles and ids of pages"})
	}
	return list
}

// cardPart is the section of a part, and its folder.
type cardPart struct {
	Card
	Folder string
}

// cardQuota is what a part got of one set, over all distances.
type cardQuota struct {
	Part, Of       string
	Distances      []int
	Requested, Got int
	Status         string
}

type cardFile struct {
	Path  string
	Count int64
}

type cardCount struct {
	Name string
	N    int64
}

// Renderer is what Document is: programs that name neither carry none of text/template, which keeps
// every method of every type.
type Renderer func(m *Manifest, name string, root *os.Root, parts []Part) ([]byte, error)

// Document renders one of the documents of a release from the manifest as it is without them, and
// the files of the parts below root.
func Document(m *Manifest, name string, root *os.Root, parts []Part) ([]byte, error) {
	data := *m
	data.Files = slices.DeleteFunc(slices.Clone(m.Files), func(f FileEntry) bool { return slices.Contains(documentNames, f.Path) })
	c := newCard(&data)
	for _, p := range parts {
		if err := c.addPart(p, data.filesOf(root, p)); err != nil {
			return nil, err
		}
	}
	return render(name, c)
}

func render(name string, c *card) ([]byte, error) {
	t := template.New("").Funcs(template.FuncMap{
		"quote": func(s string) string { return string(canon.AppendString(nil, s)) }, // a JSON string is a YAML string
		"lower": strings.ToLower,
		"cell":  tableCell,
		"join":  joinInts,
		"ratio": ratioText,
	})
	var b strings.Builder
	if err := template.Must(t.ParseFS(templateFiles, "templates/*.tmpl")).ExecuteTemplate(&b, name+".tmpl", c); err != nil {
		return nil, fmt.Errorf("%s cannot be rendered: %w", name, err)
	}
	return []byte(b.String()), nil
}

func newCard(m *Manifest) *card {
	c := &card{
		M: m, Title: "wikinav: " + m.Wiki + ", " + m.SnapshotDate,
		CiteKey:   m.Wiki + "_" + strings.ReplaceAll(m.SnapshotDate, "-", ""),
		Recipe:    recipeText(m.Recipe),
		Demo:      m.Dump.Kind == DumpDemo,
		FromDump:  m.Dump.Kind == DumpClassic || m.Dump.Kind == DumpContentCurrent,
		FromEdges: m.Dump.Kind == DumpEdges,
		Holdings:  newHoldings(m),
	}
	if name := recipeName(m.Recipe); name != "" {
		c.Title += ", recipe " + name
	}
	for _, name := range []string{graphPath, nodesPath, aliasesPath, leadsPath} {
		if f, ok := m.File(name); ok && f.Rows != nil {
			c.Data = append(c.Data, cardFile{f.Path, *f.Rows})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Counts)) {
		c.Counts = append(c.Counts, cardCount{name, m.Counts[name]})
	}
	return c
}

func (c *card) addPart(p Part, f Files) error {
	section, err := p.Card(f)
	if err != nil {
		return err
	}
	c.Parts = append(c.Parts, cardPart{section, p.Folder()})
	what, err := p.Holds(f)
	if err != nil {
		return err
	}
	c.Holdings = append(c.Holdings, holding{p.Folder() + "/*", what})
	quotas, err := f.Quotas()
	if err != nil {
		return err
	}
	c.addQuotas(p.Source().Name, quotas)
	return nil
}

// addQuotas adds up the quotas of a part by set.
func (c *card) addQuotas(part string, quotas []schemas.Quota) {
	first := len(c.Quotas)
	for _, q := range quotas {
		at := first + slices.IndexFunc(c.Quotas[first:], func(have cardQuota) bool { return have.Of == q.Of })
		if at < first {
			at = len(c.Quotas)
			c.Quotas = append(c.Quotas, cardQuota{Part: part, Of: q.Of, Status: schemas.StatusOK})
		}
		all := &c.Quotas[at]
		all.Requested, all.Got = all.Requested+q.Requested, all.Got+q.Got
		if q.Distance > 0 {
			all.Distances = append(all.Distances, q.Distance)
		}
		if q.Short() {
			all.Status = schemas.StatusShort
		}
	}
	for _, q := range c.Quotas[first:] {
		if q.Status == schemas.StatusShort {
			c.Short = append(c.Short, q)
		}
	}
}

// Default returns the part whose config viewers open first, with that config alone; nil where there
// is none.
func (c *card) Default() *cardPart {
	for _, p := range c.Parts {
		for _, config := range p.Configs {
			if config.Default {
				return &cardPart{Card{Configs: []Config{config}}, p.Folder}
			}
		}
	}
	return nil
}

// SizeCategory is the host's word for the number of rows of the default config.
func (c *card) SizeCategory() string {
	var n int64
	if d := c.Default(); d != nil {
		n = d.Configs[0].Rows
	}
	switch {
	case n < 1_000:
		return "n<1K"
	case n < 10_000:
		return "1K<n<10K"
	case n < 100_000:
		return "10K<n<100K"
	}
	return "100K<n<1M"
}

func recipeText(recipe json.RawMessage) string { return string(canon.MustMarshal(recipe)) }

// tableCell keeps a value inside its cell of a Markdown table.
func tableCell(s string) string {
	return strings.NewReplacer("|", "\\|", "\n", " ", "\r", " ").Replace(s)
}

func joinInts(list []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ", "), "[]")
}

func ratioText(r *schemas.Ratio) string {
	if r == nil {
		return "-"
	}
	return fmt.Sprintf("%d/%d", r.Num, r.Den)
}
