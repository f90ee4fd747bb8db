package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/store"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/stages/ingest"
)

// showLinks prints every page of the dump with its links before resolution: the same lines as
// `wikinav links`.
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
	column, next := schemas.PagesTable.Index, &linkCursor{links: links, titles: titles}
	return eachRow(ctx, pages, func(b, i int) error {
		p := ingest.PageLinks{
			ID: pages.Uint32s(b, column("page_id"))[i], NS: int(pages.Int16s(b, column("ns"))[i]),
			Title: pages.Strings(b, column("title")).At(i), IsRedirect: pages.Bools(b, column("is_redirect")).At(i),
		}
		p.Redirect, p.Links = targets[p.ID], next.of(p.ID)
		return v.out.record(appendLinkLine(nil, p))
	}, v.out.full)
}

// redirectTargets returns the normalised target of each redirect page.
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

// linkCursor walks links.arrow and link-titles.arrow, which are row by row parallel, beside
// pages.arrow.
type linkCursor struct {
	links, titles *arrowio.File
	batch, row    int
}

// of returns the links of page id; pages are asked for in ascending order.
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
	return kept(v, g, err)
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

// reasonLine returns a row whose reasons are names, keys in the order of the table's columns: the
// fixed form of targets.
func reasonLine(f *arrowio.File, t schemas.Table, b, i int) []byte {
	reasons := t.Index("reasons")
	line := []byte{'{'}
	for c, col := range t.Columns {
		if c > 0 {
			line = append(line, ',')
		}
		line = append(canon.AppendString(line, col.Name), ':')
		value := cell(f, b, c, i)
		if c == reasons {
			value = schemas.BitNames(f.Uint8s(b, c)[i], schemas.ReasonNames)
		}
		line = append(line, canon.MustMarshal(value)...)
	}
	return append(line, "}\n"...)
}

// showMatrix prints the node titles, and then per target a character for the distance from each
// node.
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
	r, err := v.receipt("distances")
	if err != nil {
		return nil, err
	}
	root, err := v.root(r)
	if err != nil {
		return nil, err
	}
	set, err := distances.Open(root, ".", digests(r), g.Len(), g.SHA256)
	return kept(v, set, err)
}

// digests gives those of a result's files by their names.
func digests(r *schemas.Receipt) map[string]digest.Digest {
	out := map[string]digest.Digest{}
	for _, o := range r.Outputs {
		out[o.Path] = store.DigestOf(o)
	}
	return out
}

// lines shows a text file as it is, line by line.
func lines(stage, name string) forms {
	return forms{formatJSONL: func(_ context.Context, v *view) error {
		f, err := v.file(stage, name)
		if err != nil {
			return err
		}
		data, err := f.Read()
		if err != nil {
			return err
		}
		return v.printLines(data)
	}}
}

func (v *view) printLines(data []byte) error {
	for line := range bytes.Lines(data) {
		if err := v.out.record(line); err != nil {
			return err
		}
	}
	return nil
}

// table shows any table: its columns under their names.
func table(stage, name string, t schemas.Table) forms { return rows(stage, name, t, rowLine) }

// rows shows a table by lines of its own.
func rows(stage, name string, t schemas.Table, lineOf func(f *arrowio.File, t schemas.Table, b, i int) []byte) forms {
	return forms{formatJSONL: func(ctx context.Context, v *view) error {
		f, err := v.table(stage, name, t)
		if err != nil {
			return err
		}
		if f.Metadata(schemas.KeyAnchors) == schemas.AnchorsOff {
			fmt.Fprintf(v.notes, "%s has no rows because anchors are off in this build; wikinav build --set ingest.anchors=on reads them\n", name)
		}
		if f.Metadata(schemas.KeyTexts) == schemas.TextsOff {
			fmt.Fprintf(v.notes, "%s has no rows because page texts are off in this build; wikinav build --texts on reads them\n", name)
		}
		return eachRow(ctx, f, func(b, i int) error { return v.out.record(lineOf(f, t, b, i)) }, v.out.full)
	}}
}

func (v *view) table(stage, name string, t schemas.Table) (*arrowio.File, error) {
	file, err := v.file(stage, name)
	if err != nil {
		return nil, err
	}
	f, err := file.Open(t)
	return kept(v, f, err)
}

// eachRow visits rows in order until done says that it is enough.
func eachRow(ctx context.Context, f *arrowio.File, visit func(b, i int) error, done func() bool) error {
	for b := range f.Batches() {
		if err := ctx.Err(); err != nil {
			return err
		}
		for i := range f.BatchRows(b) {
			if done() {
				return nil
			}
			if err := visit(b, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// rowLine gives one row as a canonical object.
func rowLine(f *arrowio.File, t schemas.Table, b, i int) []byte {
	record := map[string]any{}
	for c, col := range t.Columns {
		record[col.Name] = cell(f, b, c, i)
	}
	return append(canon.MustMarshal(record), '\n')
}

// cell returns a value as canonical JSON has it: 64-bit hashes and binary values in hex, because
// numbers end at 2^53, and doubles as text.
func cell(f *arrowio.File, b, c, i int) any {
	switch v := f.Cell(b, c, i).(type) {
	case uint64:
		return number64(v)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case []byte:
		return hex.EncodeToString(v)
	default:
		return v
	}
}

func number64(v uint64) any {
	if v <= canon.MaxInt {
		return v
	}
	return fmt.Sprintf("0x%016x", v)
}
