package pipeline

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Recipe is everything that a user decides about a snapshot, besides the dump itself: the graph, and one table for each
// stage that has one. Which stages have one, and what is in it, the registry knows. A recipe file states what differs
// from the defaults. The zero Recipe has no graph and the defaults of all stages.
type Recipe struct {
	Graph  schemas.Recipe
	tables map[string]table // those that differ from their defaults
}

// DefaultRecipe is the preset that is taken if none is named.
const DefaultRecipe = "strict"

//go:embed recipes/*.toml
var presets embed.FS

// demoGround is what lies under every recipe of the demo snapshot, in place of the defaults.
//
//go:embed demo.toml
var demoGround []byte

const presetFolder, presetSuffix = "recipes", ".toml"

// Presets lists the names of the recipes that come with the program.
func Presets() []string {
	entries, err := presets.ReadDir(presetFolder)
	if err != nil {
		panic(err) // the folder is compiled in
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), presetSuffix))
	}
	return names
}

// LoadRecipe reads a preset, or a file, as a build of in follows it.
func LoadRecipe(nameOrFile string, in Input) (Recipe, error) {
	data, err := presets.ReadFile(path.Join(presetFolder, nameOrFile+presetSuffix))
	if err != nil {
		data, err = os.ReadFile(nameOrFile)
	}
	if err != nil {
		return Recipe{}, noRecipe(nameOrFile, err)
	}
	var r Recipe
	if in.Demo() {
		if err := r.lay(ofGround, demoGround); err != nil {
			panic(err) // it is compiled in
		}
	}
	if err = r.lay(ofFile, data); err == nil {
		err = r.Validate()
	}
	return r, inFile(nameOrFile, err)
}

// noRecipe says why what names neither a preset nor a file is no recipe.
func noRecipe(name string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.Usage, "%w", err).At(name, "").Hint("want a preset or a TOML file")
	}
	e := fault.New(fault.Usage, "--recipe %s: neither a preset nor a file", fault.Quote(name)).Choose(name, Presets())
	return e.Hint("%s, or name a TOML file", e.Remedy)
}

func inFile(name string, err error) error {
	var e *fault.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e):
		return e.At(name, e.Where)
	}
	return fault.New(fault.Usage, "%w", err).At(name, "")
}

// lay lays a file over the recipe. It goes through JSON, so that one set of field names and one
// strict decoder serve files and flags.
func (r *Recipe) lay(from layer, file []byte) error {
	var tree map[string]any
	if err := toml.Unmarshal(file, &tree); err != nil {
		return notTOML(err)
	}
	for _, name := range sortedKeys(tree) {
		keys, ok := tree[name].(map[string]any)
		if !ok {
			return fault.New(fault.Usage, "%s is not a table: a recipe has nothing but tables", name)
		}
		if err := r.change(name, from, keys); err != nil {
			return err
		}
	}
	return nil
}

// notTOML says in which line a file is no TOML.
func notTOML(err error) error {
	var wrong *toml.DecodeError
	if !errors.As(err, &wrong) {
		return fault.New(fault.Usage, "this is no TOML: %w", err)
	}
	line, column := wrong.Position()
	return fault.New(fault.Usage, "this is no TOML: %s", strings.TrimPrefix(wrong.Error(), "toml: ")).
		At("", fmt.Sprintf("line %d, column %d", line, column)).
		Hint("want tables such as [graph] with lines KEY = VALUE below them")
}

// Set lays one value over the recipe, given as TABLE.KEY=VALUE.
func (r *Recipe) Set(text string) error {
	place, value, ok := strings.Cut(text, "=")
	name, key, dotted := strings.Cut(strings.TrimSpace(place), ".")
	if !ok || !dotted {
		return fault.New(fault.Usage, "--set %s: want TABLE.KEY=VALUE", fault.Quote(text)).
			Hint("for example %s", "graph.link_parts=body,tables")
	}
	t, err := r.table(name)
	if err != nil {
		return fault.New(fault.Usage, "--set %s: %w", text, err)
	}
	raw, err := t.parse(key, strings.TrimSpace(value))
	if err != nil {
		return fault.New(fault.Usage, "--set %s: %w", text, err)
	}
	return r.change(name, ofFlags, map[string]any{key: raw})
}

// SetValues lays values over a table, by their keys.
func (r *Recipe) SetValues(name string, values map[string]any) error {
	return r.change(name, ofFlags, values)
}

// SetLinkSource takes links from elsewhere. A recipe whose links come from elsewhere has another name.
func (r *Recipe) SetLinkSource(source string) error {
	if r.Graph.LinkSource == source {
		return nil
	}
	return r.SetValues(graphTable, map[string]any{"name": r.Graph.Name + "+" + source, "link_source": source})
}

// SetSeed lays the root seed over the tables of all families.
func (r *Recipe) SetSeed(seed int64) error {
	for _, name := range Families() {
		if err := r.SetValues(name, map[string]any{seedKey: seed}); err != nil {
			return err
		}
	}
	return nil
}

// Split is a split of a user's own, in place of the recipe's.
type Split struct {
	Name      string `json:"name"`
	Size      int    `json:"size"`
	Distances []int  `json:"distances"`
}

// SetSplits lays splits over the tables of the families whose splits users choose.
func (r *Recipe) SetSplits(list []Split) error {
	for _, e := range registry {
		if !e.splits {
			continue
		}
		if err := r.SetValues(e.name, map[string]any{"splits": list}); err != nil {
			return err
		}
	}
	return nil
}

const seedKey = "seed"

// rootSeed is the seed of the first family: that of all unless a recipe or a flag names one of its own.
func (r Recipe) rootSeed() int64 {
	t, err := r.table(Families()[0])
	if err != nil {
		panic(err)
	}
	field, err := t.field(seedKey)
	if err != nil {
		panic(err)
	}
	return field.Int()
}

// graphTable is the table that no stage has to itself: linkgraph, scc and all that draw pages follow it.
const graphTable = "graph"

func (r Recipe) table(name string) (table, error) {
	if t, ok := r.tables[name]; ok {
		return t, nil
	}
	known := map[string]func() any{graphTable: func() any { return &schemas.Recipe{} }}
	names := []string{graphTable}
	for _, e := range registry {
		if e.defaults != nil {
			known[e.name], names = e.defaults, append(names, e.name)
		}
	}
	if known[name] == nil {
		return table{}, fault.New(fault.Usage, "a recipe has no table %s", fault.Quote(name)).
			Choose(name, names)
	}
	return table{name: name, defaults: known[name], value: known[name]()}, nil
}

// change lays values over a table. The recipe's copies keep theirs.
func (r *Recipe) change(name string, from layer, values map[string]any) error {
	t, err := r.table(name)
	if err != nil {
		return err
	}
	if t, err = t.with(from, values); err != nil {
		return err
	}
	tables := map[string]table{}
	maps.Copy(tables, r.tables)
	tables[name], r.tables = t, tables
	if name == graphTable {
		r.Graph = *t.value.(*schemas.Recipe)
	}
	return nil
}

// params fills a stage's table anew and tells it what the graph table decides. Nobody else holds the result.
func (r Recipe) params(name string) any {
	t, err := r.table(name)
	if err == nil {
		t, err = t.filled()
	}
	if err != nil {
		panic(err) // what is laid over a table was decoded before
	}
	if d, ok := t.value.(drawer); ok {
		d.Under(r.Graph)
	}
	return t.value
}

// Validate refuses values that mean nothing. Each stage's package knows what is wrong with its own table.
func (r Recipe) Validate() error {
	if err := validateGraph(r.Graph); err != nil {
		return err
	}
	for _, e := range registry {
		if e.defaults == nil {
			continue
		}
		if v, ok := r.params(e.name).(validator); ok {
			if err := v.Validate(); err != nil {
				return err
			}
		}
	}
	return nil
}

// sdowLike is the preset that takes links from the pagelinks table if there is one.
const sdowLike = "sdow-like"

// withoutTables takes the preset's other source of links, and says so in its name.
func (r *Recipe) withoutTables() {
	if g := &r.Graph; g.Name == sdowLike && g.LinkSource == schemas.SourcePagelinks {
		g.Name, g.LinkSource = sdowLike+"+"+schemas.SourceWikitext, schemas.SourceWikitext
	}
}

const maxRedirectHops = 8

func validateGraph(g schemas.Recipe) error {
	switch {
	case g.Name == "" || g.Version < 1:
		return fault.New(fault.Usage, "recipe: [graph] needs a name and a version from 1 on")
	case !slices.Equal(g.Namespaces, []int{0}):
		return fault.New(fault.Usage, "recipe: [graph] namespaces = %v, only [0] is available", g.Namespaces)
	case g.RedirectHops < 1 || g.RedirectHops > maxRedirectHops:
		return fault.New(fault.Usage, "recipe: [graph] redirect_hops = %d, want 1 to %d", g.RedirectHops, maxRedirectHops)
	case len(g.LinkParts) == 0:
		return fault.New(fault.Usage, "recipe: [graph] link_parts is empty, no link would be kept")
	}
	for _, part := range schemas.ProvenanceNames {
		if g.LinkSource == schemas.SourcePagelinks && !slices.Contains(g.LinkParts, part) {
			return fault.New(fault.Usage, "recipe: [graph] link_parts leaves out %s, and pagelinks does not tell where a link stands", part).
				Hint("name all of %v, or take link_source = %q", schemas.ProvenanceNames, schemas.SourceWikitext)
		}
	}
	for _, part := range g.LinkParts {
		if !slices.Contains(schemas.ProvenanceNames, part) {
			return fault.New(fault.Usage, "recipe: [graph] link_parts holds %s", fault.Quote(part)).
				Choose(part, schemas.ProvenanceNames)
		}
	}
	return nil
}
