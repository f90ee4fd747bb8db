package page

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/audit"
	"github.com/wikinav/wikinav/artifacts/dag"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/artifacts/webpage"
)

// Files of an audit.
const (
	JSONFile     = "audit.json"
	MarkdownFile = "audit.md"
	HTMLFile     = "audit.html"
)

// Book is an audit as pages.
type Book struct {
	Report  *audit.Report
	Release *release.Release // whose instances are drawn; nil for a folder
	Parts   []release.Part
	PerPage int // records of a list on one page, at most; 0 for 500
	Room    int // bytes that lists may take in the first page, and in each other; 0 for 1.5 MB

	stage *release.Scene
}

// scene is where instances are drawn: one for all lists, for it keeps columns.
func (b *Book) scene() *release.Scene {
	if b.stage == nil {
		b.stage = release.NewScene(b.Release)
	}
	return b.stage
}

// Bounds of pages.
const (
	perPage = 500
	room    = 1_500_000
)

// Write hands every page to put: those of lists that do not fit into the first one, as they come,
// then HTMLFile, and MarkdownFile, which has no lists. Memory: a page.
func (b *Book) Write(ctx context.Context, put func(name string, data []byte) error) error {
	plots := draw(b.Report)
	var inline []webpage.Section
	left := b.room()
	for _, s := range b.Report.Sets {
		l := b.list(s, plots.places, put)
		section, err := l.write(ctx, left)
		if err != nil {
			return err
		}
		if section != nil {
			inline, left = append(inline, *section), left-l.size
		}
	}
	for _, name := range slices.Sorted(maps.Keys(plots.files)) {
		if err := put(name+".svg", plots.files[name].SVG); err != nil {
			return err
		}
	}
	p := Of(b.Report, plots)
	if err := putPage(put, MarkdownFile, p.WriteMarkdown); err != nil {
		return err
	}
	p.Style, p.Sections = dag.Style, append(p.Sections, inline...)
	return putPage(put, HTMLFile, p.WriteHTML)
}

func (b *Book) room() int {
	if b.Room > 0 {
		return b.Room
	}
	return room
}

// list is the records of a set on their way to pages.
type list struct {
	b      *Book
	set    *audit.Set
	id     string
	names  map[string]string // where records stand, of those that the first page links to
	wanted map[string]bool
	put    func(name string, data []byte) error
	per    int

	rows  [][]webpage.Cell
	drawn []webpage.Block
	seen  map[string]bool // names of records on this page: records of two prefixes may have one
	size  int             // bytes of what has come for this page, about
	pages int
}

func (b *Book) list(s *audit.Set, places map[string]string, put func(string, []byte) error) *list {
	l := &list{
		b: b, set: s, id: slug(s.Family, s.Set), names: places, wanted: map[string]bool{},
		seen: map[string]bool{}, put: put, per: b.PerPage,
	}
	if l.per == 0 {
		l.per = perPage
	}
	for _, r := range append(slices.Clone(s.Easiest), s.Hardest...) {
		l.wanted[r.ID] = true
	}
	for _, r := range s.Suspicious {
		l.wanted[r.ID] = true
	}
	return l
}

// write returns the list as a section of the first page, if it fits into so many bytes; else it
// has written pages.
func (l *list) write(ctx context.Context, left int) (*webpage.Section, error) {
	err := l.each(ctx, func(r *audit.Record, d *dag.Drawing) error {
		if len(l.rows) == l.per || l.size > l.b.room() {
			if err := l.flush(true); err != nil {
				return err
			}
		}
		return l.add(r, d)
	})
	switch {
	case err != nil || l.set.N == 0:
		return nil, err
	case l.pages == 0 && l.size <= left:
		s := l.section()
		l.names[l.id] = "#" + s.ID
		return &s, nil
	}
	return nil, l.flush(false)
}

// flush writes a page with the records that have come.
func (l *list) flush(more bool) error {
	l.pages++
	p := webpage.Page{
		Title:    fmt.Sprintf("%s: %s, page %d", l.set.Family, l.set.Set, l.pages),
		Subtitle: l.b.Report.Release.String(), Style: dag.Style, Sections: []webpage.Section{l.section()},
		Pages: []webpage.Link{{Text: "the audit", Href: HTMLFile}},
	}
	if l.pages > 1 {
		p.Pages = append(p.Pages, webpage.Link{Text: "first page", Href: l.page(1)},
			webpage.Link{Text: "previous page", Href: l.page(l.pages - 1)})
	}
	if more {
		p.Pages = append(p.Pages, webpage.Link{Text: "next page", Href: l.page(l.pages + 1)})
	}
	name := l.page(l.pages)
	l.names[l.id] = l.page(1)
	for _, row := range l.rows {
		if id := row[0].Text; l.wanted[id] {
			l.names[slug(l.set.Family, l.set.Set, id)] = name
		}
	}
	l.rows, l.drawn, l.seen, l.size = nil, nil, map[string]bool{}, 0
	return putPage(l.put, name, p.WriteHTML)
}

func (l *list) page(n int) string { return fmt.Sprintf("audit-%s-%d.html", l.id, n) }

// section is the records that have come: a table, and below it their drawings.
func (l *list) section() webpage.Section {
	t := webpage.Table{
		ID: l.id + "-list", Search: true, Columns: []webpage.Column{{Name: "record"}}, Rows: l.rows,
		Caption: fmt.Sprintf("%d of %d records", len(l.rows), l.set.N),
	}
	columns := l.set.Table().Columns
	for _, i := range l.set.Shown() {
		t.Columns = append(t.Columns, webpage.Column{Name: columns[i].Name, Doc: columns[i].Doc})
	}
	for _, name := range l.set.Features {
		i := slices.IndexFunc(columns, func(c audit.Column) bool { return c.Name == name })
		t.Columns = append(t.Columns, webpage.Column{Name: name, Number: true, Doc: columns[i].Doc})
	}
	s := webpage.Section{
		ID:    l.id + "-records",
		Title: "Records of " + l.set.Family + ": " + l.set.Set, Blocks: []webpage.Block{t},
	}
	if len(l.drawn) > 0 {
		s.Blocks = append(s.Blocks, webpage.Heading{Words: "Drawings"})
		s.Blocks = append(s.Blocks, l.drawn...)
	}
	return s
}

// add makes a line of a record, and folds its drawing.
func (l *list) add(r *audit.Record, d *dag.Drawing) error {
	t, id := l.set.Table(), slug(l.set.Family, l.set.Set, r.ID)
	first := webpage.Cell{Text: r.ID}
	if !l.seen[id] {
		l.seen[id], first.ID = true, id
	}
	if d != nil {
		first.Href = "#draw-" + id
		html, err := webpage.Details{
			ID: "draw-" + id, Summary: r.ID + "  " + arrow(t.Titles(r)),
			Blocks: []webpage.Block{webpage.Drawing{Title: d.Says, SVG: d.SVG(dag.Inline), Notes: d.Notes}},
		}.HTML()
		if err != nil {
			return err
		}
		l.drawn, l.size = append(l.drawn, webpage.Ready(html)), l.size+len(html)
	}
	row := []webpage.Cell{first}
	for _, i := range l.set.Shown() {
		row = append(row, webpage.Cell{Text: fmt.Sprint(r.Cells[i]), Title: true})
	}
	for _, name := range l.set.Features {
		row = append(row, numberOf(t.At(r, name)))
	}
	for _, c := range row {
		l.size += len(c.Text) + perCell
	}
	l.rows = append(l.rows, row)
	return nil
}

// perCell is about how many bytes of markup a cell has.
const perCell = 25

// each visits the records of the set in their order, with their drawings where there are any.
func (l *list) each(ctx context.Context, visit func(r *audit.Record, d *dag.Drawing) error) error {
	next, stop := iter.Pull2(l.records())
	defer stop()
	upTo := func(id string, drawn *dag.Drawing) error {
		for {
			r, err, ok := next()
			switch {
			case !ok || err != nil:
				return err
			case r.ID == id:
				return visit(r, drawn)
			}
			if err := visit(r, nil); err != nil {
				return err
			}
		}
	}
	err := l.eachDrawn(func(id string, draw func() (dag.Drawing, error)) error {
		if _, ours := l.set.Row(id); !ours {
			return ctx.Err()
		}
		d, err := draw()
		if err != nil {
			return err
		}
		return errors.Join(upTo(id, &d), ctx.Err())
	})
	if err == nil {
		err = upTo("", nil)
	}
	return err
}

// records pulls the records of the set, each a copy.
func (l *list) records() iter.Seq2[*audit.Record, error] {
	return func(yield func(*audit.Record, error) bool) {
		err := l.set.Table().Each(func(r *audit.Record) error {
			if !yield(&audit.Record{ID: r.ID, Cells: slices.Clone(r.Cells)}, nil) {
				return errStopped
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStopped) {
			yield(nil, err)
		}
	}
}

var errStopped = errors.New("enough records were read")

// eachDrawn visits the drawings of the set: those of the file of its name, or of all files of the
// part where there is none.
func (l *list) eachDrawn(visit release.Visit) error {
	if l.b.Release == nil {
		return nil
	}
	for _, p := range l.b.Parts {
		drawn, ok := p.(release.Drawn)
		if !ok || p.Source().Name != l.set.Family {
			continue
		}
		files := l.b.Release.Part(p)
		names, err := l.sources(drawn, files)
		if err != nil {
			return err
		}
		for _, name := range names {
			if err := drawn.EachDrawn(l.b.scene(), files, name, visit); err != nil {
				return err
			}
		}
	}
	return nil
}

// sources lists the files that draw the records of the set, in the order of these: the file of the
// set's name, or those of the part that hold some of them.
func (l *list) sources(drawn release.Drawn, files release.Files) (names []string, err error) {
	if own := l.set.Set + ".jsonl"; files.Has(own) {
		return []string{own}, nil
	}
	first := map[string]int{}
	for _, name := range files.Names() {
		if !strings.Contains(name, ".jsonl") {
			continue
		}
		err := drawn.EachDrawn(l.b.scene(), files, name,
			func(id string, _ func() (dag.Drawing, error)) error {
				row, ours := l.set.Row(id)
				if !ours {
					return nil
				}
				first[name], names = row, append(names, name)
				return release.ErrEnough
			})
		if err != nil && !errors.Is(err, release.ErrEnough) {
			return nil, err
		}
	}
	slices.SortFunc(names, func(a, b string) int { return first[a] - first[b] })
	return names, nil
}

// putPage writes a page and hands it to put.
func putPage(put func(name string, data []byte) error, name string,
	write func(io.Writer) error,
) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return put(name, b.Bytes())
}
