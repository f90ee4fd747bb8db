package linkgraph

import (
	"cmp"
	"context"
	"slices"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

// edge is one resolved link of the page at hand.
type edge struct {
	to   uint32
	mask schemas.Provenance
}

// resolver turns links into edges, page by page.
type resolver struct {
	pages     *pages
	redirects *redirects
	books     *books
	anchors   *anchors
	recipe    schemas.Recipe
	parts     schemas.Provenance     // the provenance that the recipe keeps
	exact     func(row int64) []byte // title of a link's target; nil where no two titles share a hash
	edges     arrowio.Lists
	page      []edge // of the source at hand
}

// readLinks streams links.arrow or pagelinks.arrow, in which the links of a page stand together and
// page ids ascend, into the successors of every node.
func readLinks(ctx context.Context, env *stages.Run, res *resolver) error {
	p, from := res.pages, sourceOf(res.recipe)
	file, err := env.Table(from.artifacts[0], from.links, schemas.LinksTable)
	if err != nil {
		return err
	}
	res.parts = partsMask(res.recipe.LinkParts)
	// Room for every link: what is not filled is never touched, and growing would hold the edges twice.
	res.edges = arrowio.Lists{
		Offsets: make([]int32, 1, len(p.nodeIDs)+1), Values: make([]uint32, 0, min(file.Rows(), graph.MaxEdges)),
	}
	if len(p.titles.twins) > 0 {
		names, err := env.Table(from.artifacts[0], from.titles, schemas.LinkTitlesTable)
		if err != nil {
			return err
		}
		res.exact = func(row int64) []byte {
			return names.Strings(int(row/schemas.BatchRows), 0).Bytes(int(row % schemas.BatchRows))
		}
	}
	meter := env.Meter("resolving", "links", file.Rows())
	defer meter.Done()
	return res.run(ctx, file, meter)
}

func partsMask(parts []string) schemas.Provenance {
	var mask schemas.Provenance
	for i, name := range schemas.ProvenanceNames {
		if slices.Contains(parts, name) {
			mask |= 1 << i
		}
	}
	return mask
}

func (r *resolver) run(ctx context.Context, file *arrowio.File, meter stages.Meter) error {
	source, id, row := -1, uint32(0), int64(0) // the page whose links are being read
	for b := range file.Batches() {
		if err := ctx.Err(); err != nil {
			return err
		}
		col := schemas.LinksTable.Index
		ids, masks := file.Uint32s(b, col("page_id")), file.Uint8s(b, col("provenance"))
		targets := file.Uint64s(b, col("target"))
		for i := range ids {
			if source < 0 || ids[i] != id {
				next, err := r.pages.rowOf(ids[i], max(source, 0))
				if err != nil {
					return err
				}
				if err := r.finish(source); err != nil {
					return err
				}
				source, id = next, ids[i]
			}
			if err := r.link(source, targets[i], masks[i], row); err != nil {
				return err
			}
			row++
		}
		meter.Add(int64(len(ids)))
	}
	if err := r.finish(source); err != nil {
		return err
	}
	return r.closeUpTo(len(r.pages.nodeIDs))
}

// link resolves one link of the page in row source.
func (r *resolver) link(source int, target uint64, mask schemas.Provenance, row int64) error {
	if r.pages.kinds[source] != kindNode {
		r.books.count(fromElsewhere)
		return r.anchors.link(row, noNode, 0, nil)
	}
	named, to, outcome := r.resolve(target, row)
	if outcome == resolved && int(to) == source && r.dropsLoop(source, target) {
		outcome = selfLoop
	}
	r.books.count(outcome)
	if outcome != resolved {
		return r.anchors.link(row, noNode, 0, nil)
	}
	node := r.pages.number[to]
	r.page = append(r.page, edge{node, mask})
	var via []byte
	if r.anchors.on && named != to {
		via = r.pages.title(named)
	}
	return r.anchors.link(row, int64(node), r.parts, via)
}

// dropsLoop reports whether the recipe drops a link that leads back to its page. Links of the
// wikitext to the page's own title are not met here, ingest keeps them apart; those of pagelinks
// are.
func (r *resolver) dropsLoop(source int, target uint64) bool {
	switch r.recipe.SelfLoops {
	case schemas.LoopsDropAfter:
		return true
	case schemas.LoopsDropBefore:
		return target == hashTitle(r.pages.title(uint32(source)))
	}
	return false
}

// resolve returns the rows of the page that a target names and of the page that it means, through its
// redirect if it is one.
func (r *resolver) resolve(target uint64, row int64) (named, to uint32, what outcome) {
	named, ok := r.pages.titles.byHash(target, func() []byte { return r.exact(row) })
	if !ok {
		return 0, 0, red
	}
	to = named
	if r.pages.kinds[to] == kindRedirect {
		if r.recipe.Redirects == schemas.RedirectsDrop {
			return named, to, toRedirect
		}
		a := r.redirects.of(to)
		if a.status != aliasOK {
			return named, to, a.status.outcome()
		}
		r.books.throughRedirect++
		to = a.row
	}
	switch r.pages.kinds[to] {
	case kindNonNode:
		return named, to, nonNode
	case kindDropped:
		return named, to, dropped
	}
	return named, to, resolved
}

// finish turns the links of the page in row source into its row of successors.
func (r *resolver) finish(source int) error {
	if source < 0 || r.pages.kinds[source] != kindNode {
		return nil
	}
	node := r.pages.number[source]
	if err := r.closeUpTo(int(node)); err != nil {
		return err
	}
	err := r.row(node, r.page, r.anchors.page)
	r.page, r.anchors.page = r.page[:0], r.anchors.page[:0]
	return err
}

// closeUpTo writes the rows of the nodes before node: none of them has a link to another page.
func (r *resolver) closeUpTo(node int) error {
	for next := len(r.edges.Offsets) - 1; next < node; next++ {
		if err := r.row(uint32(next), nil, nil); err != nil {
			return err
		}
	}
	return nil
}

// row writes the successors of a node from the resolved links of its page, and its list from their
// occurrences.
func (r *resolver) row(node uint32, links []edge, found []occurrence) error {
	if self := r.pages.nodeSelf[node]; self != 0 && r.keepsOwn() {
		r.books.direct++
		links = append(links, edge{node, self})
	}
	kept := r.kept(r.merged(links))
	for _, e := range kept {
		r.books.edge(e.mask)
		r.edges.Values = append(r.edges.Values, e.to)
	}
	if err := r.anchors.finish(r.pages, node, kept, found); err != nil {
		return err
	}
	return r.pad(int(node) + 1)
}

// kept leaves the edges in parts that the recipe keeps, in place.
func (r *resolver) kept(edges []edge) []edge {
	out := edges[:0]
	for _, e := range edges {
		if e.mask&r.parts == 0 {
			r.books.otherParts++
			continue
		}
		out = append(out, e)
	}
	return out
}

// keepsOwn reports whether the links that a page's own text has to itself are edges.
func (r *resolver) keepsOwn() bool {
	return r.recipe.SelfLoops == schemas.LoopsKeep && r.recipe.LinkSource != schemas.SourcePagelinks
}

// merged sorts a page's edges in place and merges those of one target, whose provenance adds up.
func (r *resolver) merged(links []edge) []edge {
	slices.SortFunc(links, func(a, b edge) int { return cmp.Compare(a.to, b.to) })
	out := links[:0]
	for _, e := range links {
		if n := len(out); n > 0 && out[n-1].to == e.to {
			out[n-1].mask |= e.mask
			r.books.duplicates++
			continue
		}
		out = append(out, e)
	}
	return out
}

func (r *resolver) pad(node int) error {
	if len(r.edges.Values) > graph.MaxEdges {
		return fault.New(fault.Failure, "the graph has more than %d edges, which its offsets cannot hold", graph.MaxEdges)
	}
	for len(r.edges.Offsets) < node+1 {
		r.edges.Offsets = append(r.edges.Offsets, int32(len(r.edges.Values)))
	}
	return nil
}
