package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
)

// Schema names the layout of audit.json. 1: first layout.
const Schema = "wikinav.audit/1"

// Report is everything that audit.json says of a release. Real numbers are decimal strings with six
// significant digits, "" where there is none.
type Report struct {
	Schema       string      `json:"schema"`
	Release      Identity    `json:"release"`
	Warnings     []Raised    `json:"warnings"`
	Notes        []string    `json:"notes"` // what could not be told, and why
	Funnel       []Count     `json:"funnel"`
	Laws         []Law       `json:"laws"`
	Graph        *Profile    `json:"graph"`
	Components   Components  `json:"components"`
	Titles       Titles      `json:"titles"`
	Quotas       []Quota     `json:"quotas"`
	Sets         []*Set      `json:"sets"`
	Pairs        []*PairSet  `json:"pairs"`
	Overlaps     []Overlap   `json:"overlaps"`
	Contaminated []string    `json:"contaminated"` // groups that a set to train on has no regard to
	Facts        []PartFacts `json:"facts"`
	Against      []Against   `json:"against"`
	Since        string      `json:"fresh_since"` // id of the older release; "" for none
	Scores       []ScoredSet `json:"scores"`
}

// Identity says which release it is.
type Identity struct {
	ID             string `json:"id"`
	Name           string `json:"name"`
	Version        string `json:"version"`
	Wiki           string `json:"wiki"`
	Language       string `json:"language"`
	SnapshotDate   string `json:"snapshot_date"`
	Recipe         string `json:"recipe"`
	RecipeSHA256   string `json:"recipe_sha256"`
	ManifestSHA256 string `json:"manifest_sha256"`
	GraphSHA256    string `json:"graph_sha256"`
}

// String names the release in a line: under every plot.
func (i Identity) String() string {
	if i.ID == "" {
		return i.Name
	}
	return fmt.Sprintf("%s, %s, recipe %s, release %s", i.Wiki, i.SnapshotDate, i.Recipe,
		i.ID[:min(len(i.ID), 19)])
}

// Components are the strongly connected components before the recipe chose.
type Components struct {
	Count   int    `json:"count"`
	Largest []int  `json:"largest"`
	Nodes   int64  `json:"nodes"` // before the choice; 0 where the release does not say
	Share   string `json:"share"` // of the largest
}

// Titles describes the titles of the graph.
type Titles struct {
	Nodes       int    `json:"nodes"`
	Blank       Share  `json:"with_a_blank"`
	Parentheses Share  `json:"with_parentheses"`
	NonASCII    Share  `json:"with_non_ascii"`
	Longest     string `json:"longest"`
	Runes       int    `json:"longest_characters"`
	Bytes       int    `json:"longest_bytes"`
}

// Quota is what a part was asked for and got.
type Quota struct {
	Part string `json:"part"`
	schemas.Quota
}

// PartFacts is what a part says of itself.
type PartFacts struct {
	Part string `json:"part"`
	release.Facts
}

// Request says what is asked of an audit besides the release.
type Request struct {
	Graph   Options
	Against []*release.Release
	Results []Results
}

type auditor struct {
	ctx   context.Context
	r     *release.Release
	parts []release.Part
	graph *graph.Graph
	flags []uint16
}

// Release audits a release: every number of it that a reader can know without the build. Memory: 8
// bytes for each number of the largest table, 8 for each pair of pages, and what Of needs.
func Release(ctx context.Context, r *release.Release, parts []release.Part, q Request) (
	*Report, error,
) {
	a := &auditor{ctx: ctx, r: r, parts: parts}
	m := r.Manifest()
	c := countersOf(m)
	rep := newReport(identify(r))
	rep.Warnings, rep.Funnel, rep.Laws = raised(m), c.funnel(), c.laws()
	if older, ok := m.Since(); ok {
		rep.Since = older.Version
	}
	for _, step := range []func() error{
		func() error { return a.describeGraph(rep, q.Graph, c["scc"]) },
		func() error { return a.describeParts(rep) },
		func() error { return a.addSets(rep, Tables(r, parts), q.Results) },
		func() error { return a.describePairs(rep) },
		func() error { return a.compareWith(rep, q.Against) },
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	if len(c) == 0 {
		rep.Notes = append(rep.Notes, "the manifest has no counters of stages: there is no funnel")
	}
	return rep, nil
}

// Folder audits tables that are of no release; what only a graph can tell is left out.
func Folder(ctx context.Context, name string, tables []*Table, q Request) (*Report, error) {
	a := &auditor{ctx: ctx}
	rep := newReport(Identity{Name: name})
	rep.Notes = append(rep.Notes,
		"this folder is not a release: nothing is known of a graph, a dump or other sets")
	return rep, a.addSets(rep, tables, q.Results)
}

func newReport(i Identity) *Report {
	return &Report{
		Schema: Schema, Release: i, Warnings: []Raised{}, Notes: []string{}, Funnel: []Count{},
		Laws: []Law{}, Components: Components{Largest: []int{}}, Quotas: []Quota{}, Sets: []*Set{},
		Pairs: []*PairSet{}, Overlaps: []Overlap{}, Contaminated: []string{}, Facts: []PartFacts{},
		Against: []Against{}, Scores: []ScoredSet{},
	}
}

func identify(r *release.Release) Identity {
	m := r.Manifest()
	var recipe struct {
		Name  string `json:"name"`
		Graph struct {
			Name string `json:"name"`
		} `json:"graph"`
	}
	if json.Unmarshal(m.Recipe, &recipe) == nil && recipe.Name == "" {
		recipe.Name = recipe.Graph.Name
	}
	return Identity{
		ID: m.ID, Name: m.Release.Name, Version: m.Release.Version, Wiki: m.Wiki, Language: m.Language,
		SnapshotDate: m.SnapshotDate, Recipe: recipe.Name, RecipeSHA256: m.RecipeSHA256,
		ManifestSHA256: r.ManifestSHA256(), GraphSHA256: m.Graph.SHA256,
	}
}

func (a *auditor) describeGraph(rep *Report, o Options, scc map[string]int64) (err error) {
	if a.graph, err = a.r.Graph(); err != nil {
		return err
	}
	if rep.Graph, err = Of(a.ctx, a.graph, o); err != nil {
		return err
	}
	m := a.r.Manifest()
	rep.Components.Count, rep.Components.Nodes = m.Graph.SCC.Components, scc["nodes_before"]
	rep.Components.Largest = append(rep.Components.Largest, m.Graph.SCC.Largest...)
	if n := rep.Components.Nodes; n > 0 && len(rep.Components.Largest) > 0 {
		rep.Components.Share = number(float64(rep.Components.Largest[0]) / float64(n))
	}
	rep.Titles = titlesOf(a.graph)
	return a.readFlags()
}

func titlesOf(g *graph.Graph) Titles {
	t := Titles{Nodes: g.Len()}
	var blank, parentheses, nonASCII int64
	for u := range g.Len() {
		title := g.Titles.Bytes(u)
		text := string(title)
		if strings.Contains(text, " ") {
			blank++
		}
		if strings.Contains(text, "(") {
			parentheses++
		}
		if utf8.RuneCountInString(text) != len(text) {
			nonASCII++
		}
		if n := utf8.RuneCountInString(text); n > t.Runes {
			t.Longest, t.Runes, t.Bytes = text, n, len(text)
		}
	}
	share := func(n int64) Share {
		return Share{n, int64(g.Len()), number(float64(n) / float64(max(1, g.Len())))}
	}
	t.Blank, t.Parentheses, t.NonASCII = share(blank), share(parentheses), share(nonASCII)
	return t
}

// readFlags reads what kinds of pages the nodes are.
func (a *auditor) readFlags() error {
	const nodes = "nodes.parquet"
	files := a.r.Folder("graph")
	if !files.Has(nodes) {
		return nil
	}
	a.flags = make([]uint16, 0, a.graph.Len())
	flags := schemas.ReleaseNodesTable.Index("flags")
	return files.EachRow(nodes, schemas.ReleaseNodesTable, func(cell func(int) any) error {
		a.flags = append(a.flags, cell(flags).(uint16))
		return nil
	})
}

// describeParts reads what every part was asked for, got and says of itself.
func (a *auditor) describeParts(rep *Report) error {
	for _, p := range a.parts {
		files := a.r.Part(p)
		if len(files.Names()) == 0 {
			continue
		}
		name := p.Source().Name
		quotas, err := files.Quotas()
		if err != nil {
			return err
		}
		for _, q := range quotas {
			rep.Quotas = append(rep.Quotas, Quota{name, q})
		}
		told, ok := p.(release.Told)
		if !ok {
			continue
		}
		facts, err := told.Facts(files)
		if err != nil {
			return err
		}
		for _, f := range facts {
			rep.Facts = append(rep.Facts, PartFacts{name, f})
		}
	}
	return nil
}

func (a *auditor) addSets(rep *Report, tables []*Table, results []Results) error {
	for _, t := range tables {
		s, err := a.set(t)
		if err != nil {
			return err
		}
		rep.Sets = append(rep.Sets, s)
	}
	return rep.addScores(results)
}

func (a *auditor) describePairs(rep *Report) error {
	list, train, err := a.pairSets()
	if err != nil {
		return err
	}
	rep.Pairs = append(rep.Pairs, list...)
	if rep.Overlaps, err = a.overlaps(list, train); err != nil {
		return err
	}
	for _, p := range a.parts {
		c, ok := p.(release.Contaminator)
		if files := a.r.Part(p); ok && len(files.Names()) > 0 {
			groups, err := c.Contaminates(files)
			if err != nil {
				return err
			}
			slices.Sort(groups)
			rep.Contaminated = append(rep.Contaminated, groups...)
		}
	}
	return nil
}

func (a *auditor) compareWith(rep *Report, older []*release.Release) error {
	for _, old := range older {
		if old.Manifest().Wiki != a.r.Manifest().Wiki {
			rep.Notes = append(rep.Notes,
				fmt.Sprintf("release %s is of %s, another wiki: it shares no pairs",
					old.Manifest().ID, old.Manifest().Wiki))
			continue
		}
		list, err := a.against(old)
		if err != nil {
			return err
		}
		rep.Against = append(rep.Against, list...)
	}
	return nil
}
