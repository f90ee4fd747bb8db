// Package linkgraph is the stage that turns pages, redirects and unresolved links into one directed
// graph, under the rules of a graph recipe.
//
// It owns what a redirect, a missing page, a disambiguation page or a repeated link means, and
// nothing of the text: links come as hashes of normalised titles. Every link that it reads is
// counted under exactly one outcome, and the funnel of counts in its receipt adds up (books.go).
//
// Beside the graph it writes each page's ordered list of links with their anchors (anchors.go), if
// ingest read any.
//
// Memory: 9 bytes per page of the dump; 16 per page of namespace 0 for the title table; 10 per node
// and 8 per redirect; 4 per edge. Titles are read in the mapping, links and anchors streamed. Two
// pages whose titles have the same xxhash64 are told apart by their titles (pages.go); that a
// missing title collides with a page has a probability of about 1e-4 for all of English Wikipedia.
package linkgraph

import (
	"context"
	"io"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// Params is the part of the graph recipe that decides about nodes and edges, and the thresholds of
// the warnings.
type Params struct {
	Recipe     schemas.Recipe `json:"recipe"`
	Thresholds Thresholds     `json:"thresholds"`
}

// Thresholds beyond which a ratio of the funnel is implausible. Small wikis break several of them
// legitimately.
type Thresholds struct {
	SingleToken   schemas.Ratio `json:"single_token"`   // share of nodes with a blank in the title, at least
	RedLinks      schemas.Ratio `json:"red_links"`      // share of links without a page, at most
	EdgesPerPage  schemas.Ratio `json:"edges_per_page"` // at least
	RedirectsLost schemas.Ratio `json:"redirects_lost"` // share of redirects that lead nowhere, at most
}

// DefaultThresholds are those of the wikirace specification, 3.2.
func DefaultThresholds() Thresholds {
	return Thresholds{
		SingleToken: schemas.Ratio{Num: 5, Den: 100}, RedLinks: schemas.Ratio{Num: 40, Den: 100},
		EdgesPerPage: schemas.Ratio{Num: 2, Den: 1}, RedirectsLost: schemas.Ratio{Num: 5, Den: 100},
	}
}

func New(p Params) stages.Stage {
	return stages.Make(stages.Spec{
		Name: "linkgraph", Version: 2,
		Inputs:  append([]schemas.Artifact{schemas.Pages, schemas.Redirects}, sourceOf(p.Recipe).artifacts...),
		Outputs: []schemas.Artifact{schemas.LinkGraph, schemas.Aliases, schemas.Anchors},
		Params:  p,
	}, p.run)
}

// source is where unresolved links are read from, in files of the first artifact. Anchors are those of links in texts.
type source struct {
	artifacts     []schemas.Artifact
	links, titles string
}

func sourceOf(r schemas.Recipe) source {
	if r.LinkSource == schemas.SourcePagelinks {
		return source{[]schemas.Artifact{schemas.PageLinks}, schemas.PageLinksFile, schemas.PageLinkTitlesFile}
	}
	return source{[]schemas.Artifact{schemas.Links, schemas.LinkAnchors}, "links.arrow", "link-titles.arrow"}
}

// run finds the nodes, resolves every redirect, then streams the links into edges.
func (p Params) run(ctx context.Context, env *stages.Run) error {
	pages, err := openPages(env, p.Recipe)
	if err != nil {
		return err
	}
	redirects, err := openRedirects(env, pages, p.Recipe.RedirectHops)
	if err != nil {
		return err
	}
	anchors, err := openAnchors(env, p.Recipe)
	if err != nil {
		return err
	}
	books := newBooks(pages, redirects)
	res := &resolver{pages: pages, redirects: redirects, books: books, anchors: anchors, recipe: p.Recipe}
	if err := anchors.write(env, func() error { return readLinks(ctx, env, res) }); err != nil {
		return err
	}
	anchors.count(env)
	if err := writeGraph(env, pages, res.edges); err != nil {
		return err
	}
	if err := redirects.write(env, p.Recipe); err != nil {
		return err
	}
	books.close(env, pages, p)
	return nil
}

func writeGraph(env stages.Env, pages *pages, edges arrowio.Lists) error {
	return env.Write("linkgraph.arrow", func(w io.Writer) (arrowio.Summary, error) {
		return arrowio.WriteTable(w, schemas.LinkGraphTable, stages.Options(env),
			pages.nodeIDs, pages.nodeTitles(), pages.nodeFlags, edges)
	})
}
