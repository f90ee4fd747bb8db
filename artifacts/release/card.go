package release

import (
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

//go:embed templates/*.tmpl
var templateFiles embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"quote": func(s string) string { return string(canon.AppendString(nil, s)) }, // a JSON string is a YAML string
	"lower": strings.ToLower,
	"cell":  tableCell,
	"join":  joinInts,
	"ratio": ratioText,
}).ParseFS(templateFiles, "templates/*.tmpl"))

// documentNames lists the documents of a release. All are made from the manifest alone, before it has its entries for them.
var documentNames = []string{"ATTRIBUTION.md", "LICENSE.md", "README.md"}

// card is what the templates see: the manifest, and orders and choices derived from it.
type card struct {
	M          *Manifest
	Title      string
	CiteKey    string
	Recipe     string
	Splits     []cardSplit
	Short      []cardSplit
	FirstSplit string
	Probe      *cardSet // nil when there is none
	OneStep    []cardSet
	Labels     bool
	Banned     *cardSplit // nil when there is none
	OnPaths    []int64    // pages on paths of Banned, with a label and all; nil where there is none
	Data       []cardFile
	Counts     []cardCount
	Demo       bool
	FromDump   bool
	FromEdges  bool
	instances  int
}

type cardSplit struct {
	Name string
	SplitEntry
}

// cardSet is a companion set.
type cardSet struct {
	Name string
	N    int64
}

type cardFile struct {
	Path  string
	Count int64
}

type cardCount struct {
	Name string
	N    int64
}

// document renders one of documentNames.
func document(name string, m *Manifest) ([]byte, error) {
	var b strings.Builder
	if err := templates.ExecuteTemplate(&b, name+".tmpl", newCard(m)); err != nil {
		return nil, fmt.Errorf("%s cannot be rendered: %w", name, err)
	}
	return []byte(b.String()), nil
}

func newCard(m *Manifest) card {
	c := card{
		M: m, Title: "wikinav: " + m.Wiki + ", " + m.SnapshotDate,
		CiteKey:   m.Wiki + "_" + strings.ReplaceAll(m.SnapshotDate, "-", ""),
		Recipe:    recipeText(m.Recipe),
		Demo:      m.Dump.Kind == DumpDemo,
		FromDump:  m.Dump.Kind == DumpClassic || m.Dump.Kind == DumpContentCurrent,
		FromEdges: m.Dump.Kind == DumpEdges,
	}
	if name := recipeName(m.Recipe); name != "" {
		c.Title += ", recipe " + name
	}
	for _, name := range m.races() {
		c.addSplit(cardSplit{name, m.Splits[name]})
	}
	if name := m.banned(); name != "" {
		c.Banned = &cardSplit{name, m.Splits[name]}
		c.noteShort(*c.Banned)
		c.OnPaths = m.coverage()
	}
	if f, ok := m.File(probePath); ok {
		c.Probe = &cardSet{"probe", *f.Rows}
	}
	_, c.Labels = m.File(labelsPath)
	for _, set := range m.oneStepSets() {
		f, _ := m.File(oneStepPath(set, ".jsonl"))
		c.OneStep = append(c.OneStep, cardSet{set, *f.Rows})
	}
	for _, f := range m.Files {
		if f.Rows != nil && f.Role == "graph" {
			c.Data = append(c.Data, cardFile{f.Path, *f.Rows})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Counts)) {
		c.Counts = append(c.Counts, cardCount{name, m.Counts[name]})
	}
	return c
}

func (c *card) addSplit(s cardSplit) {
	if c.FirstSplit == "" {
		c.FirstSplit = s.Name
	}
	c.Splits = append(c.Splits, s)
	c.instances += s.N
	c.noteShort(s)
}

func (c *card) noteShort(s cardSplit) {
	if s.Status == schemas.StatusShort {
		c.Short = append(c.Short, s)
	}
}

// coverage reads from the receipt of the set under bans how far labels reach on its paths.
func (m *Manifest) coverage() []int64 {
	i := slices.IndexFunc(m.Stages, func(s StageEntry) bool { return s.Stage == constrainedDir })
	if i < 0 || m.Stages[i].Counters["pages_on_paths"] == 0 {
		return nil
	}
	return []int64{m.Stages[i].Counters["labelled_on_paths"], m.Stages[i].Counters["pages_on_paths"]}
}

// BanPreset names the preset of the constrained set, where it is not the default one and its values were not changed.
func (c card) BanPreset() string {
	if c.Banned == nil || strings.HasSuffix(c.Banned.Name, "_custom") {
		return ""
	}
	return strings.TrimPrefix(strings.TrimPrefix(c.Banned.Name, constrainedDir), "_")
}

// SizeCategory is the host's word for the number of rows of the default config.
func (c card) SizeCategory() string {
	switch n := c.instances; {
	case n < 1_000:
		return "n<1K"
	case n < 10_000:
		return "1K<n<10K"
	case n < 100_000:
		return "10K<n<100K"
	}
	return "100K<n<1M"
}

// splitOrder gives the names of splits: the published three first, then the others by name.
func splitOrder(splits map[string]SplitEntry) []string {
	names := slices.Sorted(maps.Keys(splits))
	slices.SortStableFunc(names, func(a, b string) int { return splitRank(a) - splitRank(b) })
	return names
}

func splitRank(name string) int {
	known := []string{"easy", "medium", "hard"}
	if i := slices.Index(known, name); i >= 0 {
		return i
	}
	return len(known)
}

func recipeText(recipe json.RawMessage) string { return string(canon.MustMarshal(recipe)) }

// tableCell keeps a value inside its cell of a Markdown table.
func tableCell(s string) string {
	return strings.NewReplacer("|", "\\|", "\n", " ", "\r", " ").Replace(s)
}

func joinInts(list []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ", "), "[]")
}

func ratioText(r *Ratio) string {
	if r == nil {
		return "-"
	}
	return fmt.Sprintf("%d/%d", r.Num, r.Den)
}
