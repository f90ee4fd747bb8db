package main

import (
	"context"
	"strings"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/stages/ingest"
)

// showLinks prints every page of the dump with its links before resolution: the same lines as `wikinav links`.
func showLinks(ctx context.Context, v *view) error {
	pages, err := v.table(entryStage, "pages.arrow", schemas.PagesTable)
	if err != nil {
		return err
	}
	links, err := v.table(entryStage, "links.arrow", schemas.LinksTable)
	if err != nil {
		return err
	}
	titles, err := v.table(entryStage, "link-titles.arrow", schemas.LinkTitlesTable)
	if err != nil {
		return err
	}
	targets, err := redirectTargets(v)
	if err != nil {
		return err
	}
	next := &linkCursor{links: links, titles: titles}
	id, ns, title, redirect := 0, 1, 2, 3
	return eachRow(ctx, pages, func(b, i int) error {
		p := ingest.PageLinks{
			ID: pages.Uint32s(b, id)[i], NS: int(pages.Int16s(b, ns)[i]), Title: pages.Strings(b, title).At(i),
			IsRedirect: pages.Bools(b, redirect).At(i),
		}
		p.Redirect = targets[p.ID]
		p.Links = next.of(p.ID)
		return v.out.record(appendLinkLine(nil, p))
	}, v.out.full)
}

// redirectTargets gives the normalised target of each redirect page.
func redirectTargets(v *view) (map[uint32]string, error) {
	f, err := v.table(entryStage, "redirects.arrow", schemas.RedirectsTable)
	if err != nil {
		return nil, err
	}
	out := map[uint32]string{}
	for b := range f.Batches() {
		ids, targets := f.Uint32s(b, 1), f.Strings(b, 2)
		for i, id := range ids {
			out[id] = targets.At(i)
		}
	}
	return out, nil
}

// linkCursor walks links.arrow and link-titles.arrow, which are row by row parallel, beside pages.arrow.
type linkCursor struct {
	links, titles *arrowio.File
	batch, row    int
}

// of gives the links of page id; pages are asked for in ascending order.
func (c *linkCursor) of(id uint32) []string {
	var out []string
	for c.batch < c.links.Batches() {
		if c.row == c.links.BatchRows(c.batch) {
			c.batch, c.row = c.batch+1, 0
			continue
		}
		if c.links.Uint32s(c.batch, 0)[c.row] != id {
			break
		}
		out = append(out, c.titles.Strings(c.batch, 0).At(c.row))
		c.row++
	}
	return out
}

func (v *view) graph() (*graph.Graph, error) {
	f, err := v.file("scc", "graph.arrow")
	if err != nil {
		return nil, err
	}
	g, err := graph.Open(f.Root, f.Name, f.Digest)
	if err != nil {
		return nil, err
	}
	v.open = append(v.open, g)
	return g, nil
}

// showEdges prints source TAB target, ordered by node.
func showEdges(ctx context.Context, v *view) error {
	g, err := v.graph()
	if err != nil {
		return err
	}
	var line []byte
	for u := range uint32(g.Len()) {
		if err := ctx.Err(); err != nil || v.out.full() {
			return err
		}
		for _, to := range g.Succ.Row(u) {
			line = append(append(line[:0], g.Title(u)...), '\t')
			line = append(append(line, g.Title(to)...), '\n')
			if err := v.out.record(line); err != nil {
				return err
			}
		}
	}
	return nil
}

// reasonLine gives a row whose reasons are names, keys in the order of the table's columns: the fixed form of targets.
func reasonLine(f *arrowio.File, t schemas.Table, b, i int) []byte {
	reasons := t.Index("reasons")
	line := []byte{'{'}
	for c, col := range t.Columns {
		if c > 0 {
			line = append(line, ',')
		}
		line = append(canon.AppendString(line, col.Name), ':')
		value := cell(f, col.Type, b, c, i)
		if c == reasons {
			value = schemas.BitNames(f.Uint8s(b, c)[i], schemas.ReasonNames)
		}
		line = append(line, canon.MustMarshal(value)...)
	}
	return append(line, "}\n"...)
}

// showMatrix prints the node titles, and then per target a character for the distance from each node.
func showMatrix(ctx context.Context, v *view) error {
	g, err := v.graph()
	if err != nil {
		return err
	}
	set, err := v.distances(g)
	if err != nil {
		return err
	}
	titles := make([]string, g.Len())
	for u := range titles {
		titles[u] = g.Title(uint32(u))
	}
	if _, err := v.out.w.Write([]byte(strings.Join(titles, "\t") + "\n")); err != nil {
		return err
	}
	for _, c := range set.Columns() {
		if err := ctx.Err(); err != nil || v.out.full() {
			return err
		}
		column, err := set.Column(c.Node)
		if err != nil {
			return err
		}
		if err := v.out.record(matrixLine(c.Title, column)); err != nil {
			return err
		}
	}
	return nil
}

const digits36 = "0123456789abcdefghijklmnopqrstuvwxyz"

func matrixLine(title string, column []uint8) []byte {
	line := append([]byte(title), '\t')
	for _, d := range column {
		switch {
		case d == schemas.Unreached:
			line = append(line, '_')
		case int(d) < len(digits36):
			line = append(line, digits36[d])
		default:
			line = append(line, '+')
		}
	}
	return append(line, '\n')
}

func (v *view) distances(g *graph.Graph) (*distances.Set, error) {
	receipt, err := v.dir.Result("distances", v.build.Stages["distances"]).Receipt()
	if err != nil {
		return nil, err
	}
	files := map[string]digest.Digest{}
	for _, out := range receipt.Outputs {
		files[out.Path] = digest.Digest{SHA256: out.SHA256, XXH64: out.XXH64, Bytes: out.Bytes}
	}
	f, err := v.file("distances", "columns.arrow")
	if err != nil {
		return nil, err
	}
	set, err := distances.Open(f.Root, ".", files, g.Len(), g.SHA256)
	if err != nil {
		return nil, err
	}
	v.open = append(v.open, set)
	return set, nil
}
