package release

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/schemas"
)

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

// ConfigFile is a table of a config: what viewers call its split, "" for a table that is none, and
// its name in the folder of the part.
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

// card is what the templates see: the manifest, and orders and choices derived from it.
type card struct {
	M         *Manifest
	Title     string
	Slug      string // the same as a name for programs
	CiteKey   string
	Parts     []cardPart
	Configs   []cardConfig
	Quotas    []cardQuota
	Short     []cardQuota
	Empty     []string // tables without rows, which stand in no config
	Data      []cardFile
	Counts    []cardCount
	Holdings  []holding
	Demo      bool
	FromDump  bool
	FromEdges bool

	Corrections string // of ERRATA.md, which people write
	parts       []Part
}

// cardConfig is a config with the paths of its files, and what is theirs to do.
type cardConfig struct {
	Name    string
	Default bool
	Train   bool // all splits are there to learn from
	Files   []cardTable
	Rows    int64
}

// cardTable is a file of a config; Split is "" where a config has no splits.
type cardTable struct{ Split, Path string }

// Folder is where the files of the config are.
func (c cardConfig) Folder() string { return parent(c.Files[0].Path) }

// Purpose says what a split is for, in the words of Croissant; "" for a table that is not a split.
func (c cardConfig) Purpose(split string) string {
	switch {
	case split == "":
		return ""
	case split == "dev" || split == "validation":
		return "ValidationSplit"
	case c.Train || split == "train" || split == "fewshot":
		return "TrainingSplit"
	}
	return "TestSplit"
}

// task is a split that models are scored on.
type task struct{ Config, Split string }

// Tasks lists the splits that models are scored on.
func (c *card) Tasks() (list []task) {
	for _, config := range c.Configs {
		for _, f := range config.Files {
			if config.Purpose(f.Split) == "TestSplit" {
				list = append(list, task{config.Name, f.Split})
			}
		}
	}
	return list
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
	Fresh  bool // its pairs are fresh since the release of Manifest.Since
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

func newCard(m *Manifest) *card {
	c := &card{
		M: m, Title: "wikinav: " + m.Wiki + ", " + m.SnapshotDate,
		CiteKey:   m.Wiki + "_" + strings.ReplaceAll(m.SnapshotDate, "-", ""),
		Demo:      m.Dump.Kind == DumpDemo,
		FromDump:  m.Dump.Kind == DumpClassic || m.Dump.Kind == DumpContentCurrent,
		FromEdges: m.Dump.Kind == DumpEdges,
		Holdings:  newHoldings(m),
	}
	if name := recipeName(m.Recipe); name != "" {
		c.Title += ", recipe " + name
	}
	c.Slug = slug(c.Title)
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

// About says in two sentences what a release is.
func (c *card) About() string {
	from := "one dump of " + c.M.Wiki
	switch {
	case c.Demo:
		from = "the demo snapshot of wikinav, a small synthetic wiki"
	case c.FromEdges:
		from = "an edge list"
	}
	return fmt.Sprintf("Frozen navigation benchmarks for LLM agents, made from %s: "+
		"a graph of %d pages and %d links, exact distances to %d targets, and instances. "+
		"README.md is the data card.", from, c.M.Graph.Nodes, c.M.Graph.Edges, c.M.Graph.ColumnCount)
}

// Maker is who made a release, as far as its files know: the program.
func (c *card) Maker() string { return path.Base(c.M.Generator.Module) }

// URL is where the program is at home. Where a release will lie its files do not know.
func (c *card) URL() string { return "https://" + c.M.Generator.Module }

// Tags are the words under which a release is found.
func (c *card) Tags() []string {
	tags := []string{"navigation", "agents", "benchmark"}
	if c.FromDump {
		tags = append([]string{"wikipedia"}, tags...)
	}
	return tags
}

// CitedLicence is the licence where the format of citations knows it: one of SPDX, and no
// expression.
func (c *card) CitedLicence() string {
	if spdx := c.M.Licence.SPDX; !strings.Contains(spdx, " ") && !strings.HasPrefix(spdx, "LicenseRef-") {
		return spdx
	}
	return ""
}

// Year of the publication; "" before it.
func (c *card) Year() string { year, _, _ := strings.Cut(c.M.Release.Published, "-"); return year }

// Day is the date of the snapshot in the form of the flag --date.
func (c *card) Day() string { return strings.ReplaceAll(c.M.SnapshotDate, "-", "") }

// Listed names the splits whose pairs a file lists.
func (c *card) Listed() (splits []string) {
	for _, s := range c.M.SideInputs {
		if split, ok := strings.CutPrefix(s.Role, schemas.RolePairs); ok {
			splits = append(splits, split)
		}
	}
	return splits
}

// Hatnotes reports whether the build was told to take the links of hatnotes, too: that stands in no
// recipe.
func (c *card) Hatnotes() bool {
	for _, raw := range c.M.Params { // whether there is one
		var said struct {
			Hatnotes bool `json:"hatnotes"`
		}
		if json.Unmarshal(raw, &said) == nil && said.Hatnotes {
			return true
		}
	}
	return false
}

// slug is s as a name for programs: small letters and digits, with dashes between.
func slug(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}), "-")
}

func (c *card) addPart(p Part, f Files) error {
	c.parts = append(c.parts, p)
	section, err := p.Card(f)
	if err != nil {
		return err
	}
	c.Parts = append(c.Parts, cardPart{section, p.Folder(), c.M.FreshSince(p.Source().Name) != ""})
	for _, config := range section.Configs {
		_, train := p.(Contaminator)
		to := cardConfig{Name: config.Name, Default: config.Default, Train: train, Rows: config.Rows}
		for _, file := range config.Files {
			to.Files = append(to.Files, cardTable{file.Split, p.Folder() + "/" + file.Name})
		}
		c.Configs = append(c.Configs, to)
	}
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

// addTables adds a config for each Parquet table that stands in none, so that viewers find all:
// those of one layout in one folder are one config.
func (c *card) addTables() {
	known, byLayout := map[string]bool{}, map[string][]cardTable{}
	for _, config := range c.Configs {
		for _, f := range config.Files {
			known[f.Path] = true
		}
	}
	rows := map[string]int64{}
	for _, f := range c.M.Files {
		if path.Ext(f.Path) == ".parquet" && !known[f.Path] && f.Schema != nil && f.Rows != nil {
			key := parent(f.Path) + " " + *f.Schema
			byLayout[key] = append(byLayout[key], cardTable{Path: f.Path})
			rows[key] += *f.Rows
		}
	}
	for _, key := range slices.Sorted(maps.Keys(byLayout)) {
		files := byLayout[key]
		c.Configs = append(c.Configs, cardConfig{Name: configName(files, c.parts), Files: files, Rows: rows[key]})
	}
}

// dropEmpty takes tables without rows out of the configs, and configs without other tables:
// load_dataset refuses a split of no rows.
func (c *card) dropEmpty() {
	for i := range c.Configs {
		config := &c.Configs[i]
		config.Files = slices.DeleteFunc(config.Files, func(f cardTable) bool {
			entry, ok := c.M.File(f.Path)
			empty := ok && entry.Rows != nil && *entry.Rows == 0
			if empty {
				c.Empty = append(c.Empty, f.Path)
			}
			return empty
		})
	}
	c.Configs = slices.DeleteFunc(c.Configs, func(config cardConfig) bool { return len(config.Files) == 0 })
}

// configName names the config of tables that no part has named.
func configName(files []cardTable, parts []Part) string {
	name := strings.TrimSuffix(path.Base(files[0].Path), ".parquet")
	if len(files) > 1 {
		name = path.Base(parent(files[0].Path))
	}
	if p := partOf(files[0].Path, parts); p != nil {
		return p.Source().Name + "_" + name
	}
	return name
}

// Since is the older release of which the card says that pairs are fresh since it; nil for none.
func (c *card) Since() *SideInput {
	if older, ok := c.M.Since(); ok {
		return &older
	}
	return nil
}

// Default returns the config that viewers open first; nil where there is none.
func (c *card) Default() *cardConfig {
	for i := range c.Configs {
		if c.Configs[i].Default {
			return &c.Configs[i]
		}
	}
	return nil
}

// SizeCategory is the host's word for the number of rows of the default config.
func (c *card) SizeCategory() string {
	var n int64
	if d := c.Default(); d != nil {
		n = d.Rows
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
