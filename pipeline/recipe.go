package pipeline

import (
	"cmp"
	"embed"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages/constrained"
	"github.com/wikinav/wikinav/stages/distances"
	"github.com/wikinav/wikinav/stages/labels"
	"github.com/wikinav/wikinav/stages/lumina"
	"github.com/wikinav/wikinav/stages/mango"
	"github.com/wikinav/wikinav/stages/onestep"
	"github.com/wikinav/wikinav/stages/probe"
	"github.com/wikinav/wikinav/stages/targets"
	"github.com/wikinav/wikinav/stages/wikirace"
)

// Recipe is everything that a user decides about a snapshot, beside the dump itself: one table per part. A recipe
// file states what differs from the defaults.
type Recipe struct {
	Ingest      Reading            `json:"ingest"`
	Graph       schemas.Recipe     `json:"graph"`
	Labels      labels.Params      `json:"labels"`
	Targets     targets.Params     `json:"targets"`
	Distances   distances.Params   `json:"distances"`
	Wikirace    wikirace.Params    `json:"wikirace"`
	Probe       probe.Params       `json:"probe"`
	OneStep     onestep.Params     `json:"onestep"`
	Constrained constrained.Params `json:"constrained"`
	Mango       mango.Params       `json:"mango"`
	Lumina      lumina.Params      `json:"lumina"`
}

// Reading says what is taken from texts beside links, leads and facts.
type Reading struct {
	Anchors string `json:"anchors"` // on, off, or auto: on for small wikis
}

// DefaultRecipe is the name of the preset that is taken where none is named.
const DefaultRecipe = "strict"

//go:embed recipes/*.toml
var presets embed.FS

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

// LoadRecipe reads a preset by its name, or a file.
func LoadRecipe(nameOrFile string) (Recipe, error) {
	data, err := presets.ReadFile(path.Join(presetFolder, nameOrFile+presetSuffix))
	if err != nil {
		data, err = os.ReadFile(nameOrFile)
	}
	if err != nil {
		return Recipe{}, unknownRecipe(nameOrFile, err)
	}
	r, err := parseRecipe(data)
	if err != nil {
		return Recipe{}, fault.New(fault.Usage, "%w", err).At(nameOrFile, "")
	}
	return r, r.Validate()
}

// sdowLike is the preset that takes links from the pagelinks table if there is one.
const sdowLike = "sdow-like"

// withoutTables takes the preset's other source of links, and says so in its name.
func (r *Recipe) withoutTables() {
	if g := &r.Graph; g.Name == sdowLike && g.LinkSource == schemas.SourcePagelinks {
		g.Name, g.LinkSource = sdowLike+"+"+schemas.SourceWikitext, schemas.SourceWikitext
	}
}

func unknownRecipe(name string, err error) error {
	if pe, ok := err.(*fs.PathError); ok {
		err = pe.Err
	}
	return fault.New(fault.Usage, "no such recipe: %w", err).At(name, "").
		Hint("presets: %s; or name a TOML file", strings.Join(Presets(), ", "))
}

// parseRecipe goes through JSON, so that one set of field names and one strict decoder serve both forms.
func parseRecipe(data []byte) (Recipe, error) {
	var tree map[string]any
	if err := toml.Unmarshal(data, &tree); err != nil {
		return Recipe{}, err
	}
	text, err := canon.Marshal(tree)
	if err != nil {
		return Recipe{}, err
	}
	r := Recipe{Ingest: Reading{Anchors: schemas.AnchorsAuto}, Labels: labels.Default(), Targets: targets.Default(), Distances: distances.Default(), Wikirace: wikirace.Default(), Probe: probe.Default(), OneStep: onestep.Default(), Mango: mango.Default(), Lumina: lumina.Default()}
	if r.Constrained, err = constrainedPreset(text); err != nil {
		return Recipe{}, err
	}
	r.Wikirace.Splits, r.OneStep.Splits = nil, nil // a list in a file replaces the default, element by element would mix them
	if err := canon.Decode(text, canon.MaxManifest, &r); err != nil {
		return Recipe{}, err
	}
	if r.Wikirace.Splits == nil {
		r.Wikirace.Splits = wikirace.PublishedSplits()
	}
	if r.OneStep.Splits == nil {
		r.OneStep.Splits = onestep.DefaultSets()
	}
	return r, nil
}

// constrainedPreset gives the values that a recipe's own lie over: those of the preset that it names.
func constrainedPreset(recipe []byte) (constrained.Params, error) {
	var named struct {
		Constrained struct {
			Preset string `json:"preset"`
		} `json:"constrained"`
	}
	if err := json.Unmarshal(recipe, &named); err != nil {
		return constrained.Params{}, err
	}
	return constrained.Preset(cmp.Or(named.Constrained.Preset, constrained.PresetPaper))
}

// GraphSHA256 is the digest of the graph recipe: what instances and manifests call recipe_sha256.
func (r Recipe) GraphSHA256() string { return digest.SHA256(canon.MustMarshal(r.Graph)) }

// Validate refuses values that mean nothing.
func (r Recipe) Validate() error {
	g := r.Graph
	rules := []struct {
		field, value string
		known        []string
	}{
		{"link_source", g.LinkSource, linkSources},
		{"redirects", g.Redirects, redirects},
		{"dab", g.Dab, classes},
		{"lists", g.Lists, classes},
		{"dates", g.Dates, classes},
		{"self_loops", g.SelfLoops, selfLoops},
		{"title_filter", g.TitleFilter, titleFilters},
		{"component", g.Component, components},
		{"anchors", r.Ingest.Anchors, schemas.AnchorsModes},
	}
	for _, rule := range rules {
		if !slices.Contains(rule.known, rule.value) {
			return fault.New(fault.Usage, "recipe: %s = %q, want one of %v", rule.field, rule.value, rule.known)
		}
	}
	if err := r.validateNumbers(); err != nil {
		return err
	}
	return r.validateStages()
}

var (
	linkSources  = []string{schemas.SourceWikitext, schemas.SourcePagelinks, schemas.SourceEdges}
	classes      = []string{schemas.ClassKeep, schemas.ClassNoEndpoint, schemas.ClassDrop}
	titleFilters = []string{schemas.TitlesAny, schemas.TitlesOneToken}
	selfLoops    = []string{schemas.LoopsDropAfter, schemas.LoopsDropBefore, schemas.LoopsKeep}
	redirects    = []string{schemas.RedirectsResolve, schemas.RedirectsNodes, schemas.RedirectsDrop}
	components   = []string{schemas.ComponentSCC, schemas.ComponentNone}
)

// maxRedirectHops is the specification's bound.
const maxRedirectHops = 8

func (r Recipe) validateNumbers() error {
	switch g := r.Graph; {
	case g.Name == "" || g.Version < 1:
		return fault.New(fault.Usage, "recipe: [graph] needs a name and a version from 1 on")
	case !slices.Equal(g.Namespaces, []int{0}):
		return fault.New(fault.Usage, "recipe: namespaces = %v, only [0] is available", g.Namespaces)
	case g.RedirectHops < 1 || g.RedirectHops > maxRedirectHops:
		return fault.New(fault.Usage, "recipe: redirect_hops = %d, want 1 to %d", g.RedirectHops, maxRedirectHops)
	case len(g.LinkParts) == 0:
		return fault.New(fault.Usage, "recipe: link_parts is empty, no link would be kept")
	case r.Distances.ShardBytes < 1 || r.Distances.ShardBytes > 4<<30:
		return fault.New(fault.Usage, "recipe: shard_bytes = %d, want 1 to 4 GiB", r.Distances.ShardBytes)
	}
	for _, part := range schemas.ProvenanceNames {
		if r.Graph.LinkSource == schemas.SourcePagelinks && !slices.Contains(r.Graph.LinkParts, part) {
			return fault.New(fault.Usage, "recipe: link_parts leaves out %s, and pagelinks does not tell where a link stands", part).
				Hint("name all of %v, or take link_source = %q", schemas.ProvenanceNames, schemas.SourceWikitext)
		}
	}
	for _, part := range r.Graph.LinkParts {
		if !slices.Contains(schemas.ProvenanceNames, part) {
			return fault.New(fault.Usage, "recipe: link_parts holds %q, want some of %v", part, schemas.ProvenanceNames)
		}
	}
	return nil
}

func (r Recipe) validateStages() error {
	if err := r.Targets.Validate(); err != nil {
		return err
	}
	if err := r.Mango.Validate(); err != nil {
		return err
	}
	if err := r.Lumina.Validate(); err != nil {
		return err
	}
	if err := r.probeParams().Validate(); err != nil {
		return err
	}
	if err := r.oneStepParams().Validate(); err != nil {
		return err
	}
	if err := r.constrainedParams().Validate(); err != nil {
		return err
	}
	return r.wikiraceParams().Validate()
}

// wikiraceParams adds what follows from the graph recipe.
func (r Recipe) wikiraceParams() wikirace.Params {
	p := r.Wikirace
	p.ExcludeFlags |= r.Graph.NoEndpointFlags()
	p.RecipeSHA256 = r.GraphSHA256()
	return p
}

// probeParams, constrainedParams and oneStepParams do the same for pairs drawn elsewhere.
func (r Recipe) probeParams() probe.Params {
	p := r.Probe
	p.ExcludeFlags |= r.Graph.NoEndpointFlags()
	return p
}

func (r Recipe) constrainedParams() constrained.Params {
	p := r.Constrained
	p.ExcludeFlags |= r.Graph.NoEndpointFlags()
	return p
}

func (r Recipe) oneStepParams() onestep.Params {
	p := r.OneStep
	p.ExcludeFlags |= r.Graph.NoEndpointFlags()
	return p
}
