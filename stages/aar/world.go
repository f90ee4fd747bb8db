package aar

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// wholeSnapshot is the number of articles up to which all of them are the world.
const wholeSnapshot = 1_000_000

// world is W before it is written: rows of the texts of ingest.
type world struct {
	aar.Site
	snapshot       schemas.Snapshot
	texts, aliases *arrowio.File
	graph          *graph.Graph
	nodes          *arrowio.File
	rows           []int           // of the texts, ascending
	ids            map[uint32]bool // of the pages
	titles         map[string]bool
}

func openWorld(env *stages.Run, whole, size int) (w *world, err error) {
	w = &world{}
	w.snapshot, err = stages.ReadSnapshot(env)
	if err == nil {
		w.Site = aar.SiteOf(w.snapshot)
		w.texts, err = env.Table(schemas.Texts, "texts.arrow", schemas.TextsTable)
	}
	if err == nil {
		w.aliases, err = env.Table(schemas.Aliases, "aliases.arrow", schemas.AliasesTable)
	}
	if err == nil {
		w.graph, err = env.Graph()
	}
	if err == nil {
		w.nodes, err = env.PerNode(schemas.Nodes, "nodes.arrow", schemas.NodesTable, w.graph)
	}
	if err != nil {
		return nil, err
	}
	w.choose(whole, size)
	return w, nil
}

var (
	textID    = schemas.TextsTable.Index("page_id")
	textTitle = schemas.TextsTable.Index("title")
)

// choose takes all pages, or the size pages of more than whole to which most pages link, the
// first by id among equals.
func (w *world) choose(whole, size int) {
	var all []uint32
	for b := range w.texts.Batches() {
		all = append(all, w.texts.Uint32s(b, textID)...)
	}
	w.rows = make([]int, len(all))
	for row := range all {
		w.rows[row] = row
	}
	if len(all) > whole {
		slices.SortStableFunc(w.rows, func(a, b int) int {
			return cmp.Compare(w.linked(all[b]), w.linked(all[a]))
		})
		w.rows = slices.Sorted(slices.Values(w.rows[:min(size, len(all))]))
	}
	w.ids, w.titles = make(map[uint32]bool, len(w.rows)), make(map[string]bool, len(w.rows))
	for _, row := range w.rows {
		w.ids[all[row]] = true
		w.titles[w.texts.Strings(row/schemas.BatchRows, textTitle).At(row%schemas.BatchRows)] = true
	}
}

// linked returns how many pages of the graph link to a page; 0 for one outside it.
func (w *world) linked(id uint32) int {
	if u, ok := w.graph.Node(id); ok {
		return w.graph.Pred.Degree(u)
	}
	return 0
}

// opens reports whether a title is that of a page of W, or of a redirect to one.
func (w *world) opens(title string) bool {
	return w.titles[title] || w.ids[stages.AliasTarget(w.aliases, title)]
}

// write writes the texts and aliases, and what follows from them as they are written.
func (w *world) write(ctx context.Context, env *stages.Run) error {
	opts := stages.Options(env)
	opts.Metadata = w.Metadata()
	err := env.Write(aar.TextsFile, stages.Rows(schemas.TextsTable, opts, func(t *arrowio.Writer) error {
		return w.writeTexts(ctx, env, t)
	}))
	if err == nil {
		err = stages.WriteRows(env, aar.AliasesFile, schemas.AARAliasesTable, func(t *arrowio.Writer) error {
			return w.writeAliases(env, t)
		})
	}
	if err != nil {
		return err
	}
	files, err := writtenFiles(env, aar.TextsFile, aar.AliasesFile)
	if err != nil {
		return err
	}
	written, err := aar.OpenTexts(files)
	if written, err = stages.Keep(env, written, err); err != nil {
		return err
	}
	return w.derive(ctx, env, written)
}

// writtenFiles returns files that this run wrote as a reader of a release sees them.
func writtenFiles(env stages.Env, names ...string) (files release.Files, err error) {
	for _, name := range names {
		f, err := env.Written(name)
		if err != nil {
			return files, err
		}
		files.Add(name, f.Root, f.Name, f.Digest, -1, "")
	}
	return files, nil
}

// writeTexts copies the texts, with the links that lead out of W replaced by their labels.
func (w *world) writeTexts(ctx context.Context, env stages.Env, t *arrowio.Writer) error {
	meter := env.Meter("copying texts", "pages", int64(len(w.rows)))
	defer meter.Done()
	dropped := 0
	for _, row := range w.rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		page := aar.TextAt(w.texts, row/schemas.BatchRows, row%schemas.BatchRows)
		text, n := w.Relink(page.Text, w.opens)
		gone := uint32(len([]rune(page.Text)) - len([]rune(text)))
		err := t.Row(page.PageID, page.Title, page.ShortDescription, text, page.Chars-gone, page.Truncated)
		if err != nil {
			return err
		}
		dropped += n
		meter.Add(1)
	}
	env.Count("links_replaced", int64(dropped))
	return nil
}

// writeAliases copies the redirects that end at a page of W. They are in the order of their titles.
func (w *world) writeAliases(env stages.Env, t *arrowio.Writer) error {
	title, target := schemas.AliasesTable.Index("title"), schemas.AliasesTable.Index("target_page_id")
	n := int64(0)
	for b := range w.aliases.Batches() {
		titles := w.aliases.Strings(b, title)
		for i, id := range w.aliases.Uint32s(b, target) {
			if !w.ids[id] {
				continue
			}
			if err := t.Row(titles.At(i), id); err != nil {
				return err
			}
			n++
		}
	}
	env.Count("aliases", n)
	return nil
}

// derive writes the places and the index of the world as it was written, and counts what its
// texts offer.
func (w *world) derive(ctx context.Context, env stages.Env, written *aar.World) error {
	survey, err := aar.SurveyOf(ctx, written, env.Workers())
	if err != nil {
		return err
	}
	stages.Counts(env, survey.Counters())
	env.Count("scc_located_with_elevation", w.elevated(written, survey))
	err = stages.WriteRows(env, aar.PlacesFile, schemas.AARPlacesTable, func(t *arrowio.Writer) error {
		for _, i := range slices.Sorted(maps.Keys(survey.Places)) {
			if err := survey.Places[i].Write(t, written.ID(i)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return stages.WriteRows(env, aar.IndexFile, schemas.AARIndexTable, func(t *arrowio.Writer) error {
		for _, p := range aar.IndexOf(written) {
			if err := t.Row(p.Token, p.Docs, p.Count); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
}

// elevated counts the located pages of the largest component that state an elevation.
func (w *world) elevated(written *aar.World, survey aar.Survey) (n int64) {
	inside := schemas.NodesTable.Index("in_scc")
	for i, p := range survey.Places { // a sum
		u, ok := w.graph.Node(written.ID(i))
		if ok && p.Located && p.Elevation != "" &&
			w.nodes.Bools(int(u)/schemas.BatchRows, inside).At(int(u)%schemas.BatchRows) {
			n++
		}
	}
	return n
}
