package linkgraph

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	extract "github.com/wikinav/wikinav/dumps/wikitext/links"
	wiki "github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// page is one page as ingest leaves it.
type page struct {
	id       uint32
	ns       int16
	title    string
	redirect *wiki.Redirect // nil for none
	model    string         // "" for wikitext
	flags    uint16
	self     schemas.Provenance
	links    []extract.Link
	anchors  []extract.Anchor // nil for the targets' titles, once for each part in which they are
}

// to is a redirect to a title of namespace 0.
func to(title string) *wiki.Redirect { return &wiki.Redirect{Target: title} }

func toKind(kind schemas.TargetKind) *wiki.Redirect {
	return &wiki.Redirect{Target: "Elsewhere", Kind: kind}
}

// body returns links in body text.
func body(targets ...string) []extract.Link { return in(schemas.ProvBody, targets...) }

func in(p schemas.Provenance, targets ...string) []extract.Link {
	var links []extract.Link
	for _, t := range targets {
		links = append(links, extract.Link{Target: t, Provenance: p})
	}
	return links
}

// give writes what ingest would, whose order is by id, and by title for redirects.
func give(t testing.TB, env *stagetest.Env, pages ...page) {
	t.Helper()
	pages = slices.SortedFunc(slices.Values(pages), func(a, b page) int { return cmp.Compare(a.id, b.id) })
	giveTable(env, schemas.Pages, "pages.arrow", schemas.PagesTable, pages, func(w *arrowio.Writer, p page) error {
		return w.Row(p.id, p.ns, p.title, p.redirect != nil, cmp.Or(p.model, schemas.ModelWikitext), uint64(1), "2026-01-01T00:00:00Z", uint32(0), []byte(nil), p.flags, p.self)
	})
	for name, layout := range map[string]schemas.Table{"links.arrow": schemas.LinksTable, "link-titles.arrow": schemas.LinkTitlesTable} {
		giveTable(env, schemas.Links, name, layout, pages, func(w *arrowio.Writer, p page) error { return writeLinks(w, layout.ID, p) })
	}
	giveAnchors(env, schemas.AnchorsOn, pages)
	pages = slices.DeleteFunc(pages, func(p page) bool { return p.redirect == nil })
	slices.SortFunc(pages, func(a, b page) int { return cmp.Compare(a.title, b.title) })
	giveTable(env, schemas.Redirects, "redirects.arrow", schemas.RedirectsTable, pages, func(w *arrowio.Writer, p page) error {
		return w.Row(p.title, p.id, p.redirect.Target, p.redirect.Fragment, uint8(p.redirect.Kind))
	})
}

// giveAnchors returns the anchors of pages, or none under another mode.
func giveAnchors(env *stagetest.Env, mode string, pages []page) {
	env.Give(schemas.LinkAnchors, "link-anchors.arrow", func(out io.Writer) (arrowio.Summary, error) {
		w, err := arrowio.NewWriter(out, schemas.LinkAnchorsTable, arrowio.Options{Metadata: map[string]string{schemas.KeyAnchors: mode}})
		if err != nil {
			return arrowio.Summary{}, err
		}
		row := 0
		for _, p := range pages {
			for _, a := range p.anchorsOrTitles() {
				if mode != schemas.AnchorsOn {
					break
				}
				if err := w.Row(uint64(row)+uint64(a.Link), a.At, a.Provenance, a.Text); err != nil {
					return arrowio.Summary{}, err
				}
			}
			row += len(p.links)
		}
		return w.Close()
	})
}

func (p page) anchorsOrTitles() (list []extract.Anchor) {
	if p.anchors != nil {
		return p.anchors
	}
	for i, l := range p.links {
		for bit := uint8(1); bit != 0; bit <<= 1 {
			if l.Provenance&bit != 0 {
				list = append(list, extract.Anchor{Link: uint32(i), At: uint32(len(list)), Provenance: bit, Text: l.Target})
			}
		}
	}
	return list
}

func writeLinks(w *arrowio.Writer, layout string, p page) error {
	for _, l := range p.links {
		row := []any{p.id, hashTitle([]byte(l.Target)), l.Provenance}
		if layout == schemas.LinkTitlesTable.ID {
			row = []any{l.Target}
		}
		if err := w.Row(row...); err != nil {
			return err
		}
	}
	return nil
}

func giveTable(env *stagetest.Env, a schemas.Artifact, name string, layout schemas.Table, pages []page, row func(*arrowio.Writer, page) error) {
	env.Give(a, name, func(out io.Writer) (arrowio.Summary, error) {
		w, err := arrowio.NewWriter(out, layout, arrowio.Options{})
		if err != nil {
			return arrowio.Summary{}, err
		}
		for _, p := range pages {
			if err := row(w, p); err != nil {
				return arrowio.Summary{}, err
			}
		}
		return w.Close()
	})
}

// strict is the recipe that keeps every page and every part.
func strict() schemas.Recipe {
	return schemas.Recipe{
		Name: "test", Version: 1, Namespaces: []int{0}, LinkSource: schemas.SourceWikitext, LinkParts: schemas.ProvenanceNames,
		Redirects: schemas.RedirectsResolve, RedirectHops: 5, Dab: schemas.ClassKeep, Lists: schemas.ClassKeep, Dates: schemas.ClassKeep,
		SelfLoops: schemas.LoopsDropAfter, TitleFilter: schemas.TitlesAny, Component: schemas.ComponentSCC,
	}
}

// result is what a run left, by title.
type result struct {
	env     *stagetest.Env
	nodes   []string
	edges   []string // "A->B", in the order of the file
	aliases map[string]string
}

// build runs the stage over pages and holds its books to the balance.
func build(t testing.TB, recipe schemas.Recipe, pages ...page) result {
	t.Helper()
	env := stagetest.New(t)
	give(t, env, pages...)
	if err := env.Run(context.Background(), New(Params{Recipe: recipe, Thresholds: DefaultThresholds()})); err != nil {
		t.Fatal(err)
	}
	checkBooks(t, env.Counters)
	r := result{env: env, aliases: aliasesOf(t, env)}
	f := openOutput(t, env, "linkgraph.arrow", schemas.LinkGraphTable)
	defer f.Close()
	if f.Rows() == 0 {
		return r
	}
	titles, succ := f.Strings(0, 1), f.Lists(0, 3)
	for u := range titles.Len() {
		r.nodes = append(r.nodes, titles.At(u))
		for _, v := range succ.At(u) {
			r.edges = append(r.edges, titles.At(u)+"->"+titles.At(int(v)))
		}
	}
	return r
}

func openOutput(t testing.TB, env *stagetest.Env, name string, layout schemas.Table) *arrowio.File {
	t.Helper()
	file, err := env.Written(name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := file.Open(layout)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// aliasesOf returns "status hops target#fragment" by title.
func aliasesOf(t testing.TB, env *stagetest.Env) map[string]string {
	t.Helper()
	f := openOutput(t, env, "aliases.arrow", schemas.AliasesTable)
	defer f.Close()
	out := map[string]string{}
	for b := range f.Batches() {
		for i := range f.BatchRows(b) {
			line := fmt.Sprintf("%s %d", f.Strings(b, 6).At(i), f.Uint8s(b, 5)[i])
			if target, fragment := f.Strings(b, 2).At(i), f.Strings(b, 4).At(i); target+fragment != "" {
				line += " " + target + "#" + fragment
			}
			out[f.Strings(b, 0).At(i)] = strings.TrimSuffix(line, "#")
		}
	}
	return out
}

// checkBooks holds the counters of a run to their balance.
func checkBooks(t testing.TB, n map[string]int64) {
	t.Helper()
	sum := func(names ...string) (total int64) {
		for _, name := range names {
			total += n[name]
		}
		return total
	}
	for _, b := range []struct {
		what      string
		got, want int64
	}{
		{"links read", n["links_read"], sum("links_resolved", "links_red", "links_non_node", "links_to_dropped_page",
			"links_self_after_redirect", "links_from_non_nodes", "links_redirect_missing", "links_redirect_loop", "links_redirect_too_long",
			"links_redirect_non_main", "links_redirect_interwiki", "links_redirect_self", "links_redirect_bad_target", "links_to_redirect")},
		{"links resolved", sum("links_resolved", "links_self_kept"), sum("edges", "links_duplicate", "links_in_other_parts")},
		{"edges and anchors", n["edges"], sum("anchors", "edges_without_anchor")},
		{"edges", n["edges"], sum("edges_only_body", "edges_only_template_args", "edges_only_tables", "edges_only_refs",
			"edges_only_captions", "edges_mixed_parts")},
	} {
		if b.got != b.want {
			t.Errorf("%s: %d, their parts are %d", b.what, b.got, b.want)
		}
	}
}

// wantCounts compares some counters.
func wantCounts(t testing.TB, env *stagetest.Env, want map[string]int64) {
	t.Helper()
	for name, n := range want {
		if got := env.Counters[name]; got != n {
			t.Errorf("%s: got %d, want %d", name, got, n)
		}
	}
}
