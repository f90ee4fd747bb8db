// Package edgelist is the stage that takes a graph from text files of edges and nodes, in the place
// of ingest: it writes the same artifacts, so that every later stage works on any graph.
//
// Every name is a page of namespace 0; there are no redirects, and every link has the provenance
// `body`. Links from a page to itself are dropped and counted, as ingest does; repeated ones are
// merged. List and date pages are known by their titles.
//
// Memory: the names once, 16 bytes per edge.
package edgelist

import (
	"cmp"
	"context"
	"crypto/sha256"
	"slices"
	"unicode"

	"github.com/cespare/xxhash/v2"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/dumps/edges"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

// Roles of the input files.
const (
	RoleEdges = "edges"
	RoleNodes = "nodes"
)

// Params of the stage. Empty values stand for the defaults of an edge list.
type Params struct {
	Wiki     string `json:"wiki"`
	Date     string `json:"date"`
	Language string `json:"language"`
}

// What an edge list is called that nobody named.
const (
	defaultWiki     = "edges"
	defaultDate     = "00000000"
	defaultLanguage = "en"
)

func New(p Params) stages.Stage {
	p = Params{Wiki: cmp.Or(p.Wiki, defaultWiki), Date: cmp.Or(p.Date, defaultDate), Language: cmp.Or(p.Language, defaultLanguage)}
	return stages.Make(stages.Spec{
		Name: "edgelist", Version: 3,
		Inputs: []schemas.Artifact{schemas.EdgeList},
		Outputs: []schemas.Artifact{
			schemas.SnapshotArtifact, schemas.Pages, schemas.Redirects, schemas.Links, schemas.LinkAnchors,
			schemas.Leads, schemas.Facts, schemas.Infoboxes, schemas.Texts,
		},
		Params: p,
	}, p.run)
}

// run reads the files and writes what ingest would write of a wiki with these links.
func (p Params) run(ctx context.Context, env *stages.Run) error {
	g, err := read(ctx, env)
	if err != nil {
		return err
	}
	env.Count("pages", int64(len(g.Titles)))
	env.Count("pages_article", int64(len(g.Titles)))
	env.Count("links_found", int64(len(g.Edges)))
	if err := p.writePages(env, g); err != nil {
		return err
	}
	if err := writeLinks(env, g); err != nil {
		return err
	}
	for name, t := range map[string]schemas.Table{ // files of their own
		"redirects.arrow": schemas.RedirectsTable, "leads.arrow": schemas.LeadsTable, "facts.arrow": schemas.FactsTable,
		"infoboxes.arrow": schemas.InfoboxesTable,
	} {
		if err := stages.WriteRows(env, name, t, func(*arrowio.Writer) error { return nil }); err != nil {
			return err
		}
	}
	if err := writeNoTexts(env); err != nil {
		return err
	}
	return p.writeSnapshot(env)
}

func read(ctx context.Context, env stages.Env) (*edges.Graph, error) {
	files, err := env.Input(schemas.EdgeList)
	if err != nil {
		return nil, err
	}
	paths := map[string]string{}
	for _, f := range files {
		paths[f.Role] = f.Path()
	}
	if paths[RoleEdges] == "" {
		return nil, fault.New(fault.NotFound, "no file of edges")
	}
	return edges.Read(ctx, paths[RoleEdges], paths[RoleNodes])
}

func (p Params) writePages(env stages.Env, g *edges.Graph) error {
	site := titles.NewSite(titles.SiteInfo{Lang: p.Language})
	empty, self := sha256.Sum256(nil), selfLinks(g)
	err := stages.WriteRows(env, "pages.arrow", schemas.PagesTable, func(w *arrowio.Writer) error {
		for i, title := range g.Titles {
			flags := site.TitleFlags(titles.Title{Text: title}) &^ schemas.FlagDisambiguation
			err := w.Row(
				uint32(i+1), int16(0), title, false, schemas.ModelWikitext, uint64(0), "", uint32(0), empty[:], flags, self[i],
			)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return env.Write("skipped.jsonl", stages.Bytes(nil))
}

// selfLinks gives, for each page, the provenance of its edges to itself.
func selfLinks(g *edges.Graph) []schemas.Provenance {
	self := make([]schemas.Provenance, len(g.Titles))
	for _, e := range g.Edges {
		if e.From == e.To {
			self[e.From] = schemas.ProvBody
		}
	}
	return self
}

// writeLinks writes the edges by source, those of a source in the order of the file.
func writeLinks(env stages.Env, g *edges.Graph) error {
	order := slices.Clone(g.Edges)
	slices.SortStableFunc(order, func(a, b edges.Edge) int { return cmp.Compare(a.From, b.From) })
	return stages.WriteRows(env, "links.arrow", schemas.LinksTable, func(links *arrowio.Writer) error {
		return stages.WriteRows(env, "link-titles.arrow", schemas.LinkTitlesTable, func(titles *arrowio.Writer) error {
			seen := map[uint32]bool{}
			for i, e := range order {
				if i == 0 || order[i-1].From != e.From {
					clear(seen)
				}
				if e.From == e.To {
					env.Count("links_self", 1)
					continue
				}
				env.Count("links_kept", 1)
				if seen[e.To] {
					continue
				}
				seen[e.To] = true
				if err := links.Row(e.From+1, xxhash.Sum64String(g.Titles[e.To]), schemas.ProvBody); err != nil {
					return err
				}
				if err := titles.Row(g.Titles[e.To]); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// writeNoTexts says that there are neither anchors nor texts of pages: an edge has no text.
func writeNoTexts(env stages.Env) error {
	fill := func(*arrowio.Writer) error { return nil }
	if err := env.Write("texts.arrow", stages.Rows(schemas.TextsTable, stages.TextOptions(env, false), fill)); err != nil {
		return err
	}
	return env.Write("link-anchors.arrow", stages.Rows(schemas.LinkAnchorsTable, stages.AnchorOptions(env, false), fill))
}

func (p Params) writeSnapshot(env stages.Env) error {
	info := titles.SiteInfo{Lang: p.Language}
	record := schemas.Snapshot{
		Schema: schemas.SnapshotSchema, Wiki: p.Wiki, Date: p.Date, Language: p.Language,
		SiteInfoSHA256: digest.SHA256(canon.MustMarshal(info)), Unicode: unicode.Version,
	}
	return env.Write("snapshot.json", stages.JSONDocument(record))
}
