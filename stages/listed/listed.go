// Package listed is the stage that finds the pages of the pairs that users list in files, before
// any page has a distance column: their targets must get one.
//
// It reads the files (package dumps/pairlist), the graph, redirects and pages of the snapshot, and
// its name; it writes NAME.jsonl for each file: its rows in their order, each with the nodes of its
// two pages or the reason why it has none.
//
// It promises that every row of a file has a row in what it writes, and that a name is looked for
// as import looks for those of recorded games: as it stands, then with percent codes, blanks and
// underscores read as in an edge list, each exactly, as a redirect, and with its first letter in
// upper case. A record of a release that names its wiki is looked for by page id first.
//
// Memory: 8 to 16 bytes per node for the index of titles, and the rows: some 200 bytes and their
// names each.
package listed

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/dumps/pairlist"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/names"
	"github.com/wikinav/wikinav/stages"
)

// New returns the stage.
func New() stages.Stage {
	return stages.Make(stages.Spec{
		Name: "listed", Version: 1,
		Inputs: []schemas.Artifact{
			schemas.PairFiles, schemas.SnapshotArtifact, schemas.Pages, schemas.Aliases, schemas.Graph,
		},
		Outputs: []schemas.Artifact{schemas.Listed},
		Params:  struct{}{},
	}, run)
}

func run(ctx context.Context, env *stages.Run) error {
	files, err := env.Input(schemas.PairFiles)
	if err != nil {
		return err
	}
	f, err := open(env)
	if err != nil {
		return err
	}
	for _, file := range files {
		split := strings.TrimPrefix(file.Role, schemas.RolePairs)
		rows, err := f.rows(ctx, split, file)
		if err != nil {
			return err
		}
		env.Count("rows_"+split, int64(len(rows)))
		if err := env.Write(split+".jsonl", stages.JSONLines(rows)); err != nil {
			return err
		}
	}
	return nil
}

// finder finds pages by their names.
type finder struct {
	wiki    string
	graph   *graph.Graph
	aliases *arrowio.File
	pages   *arrowio.File // of the snapshot
}

func open(env *stages.Run) (*finder, error) {
	snapshot, err := stages.ReadSnapshot(env)
	if err != nil {
		return nil, err
	}
	f := &finder{wiki: snapshot.Wiki}
	if f.graph, err = env.Graph(); err != nil {
		return nil, err
	}
	if f.aliases, err = env.Table(schemas.Aliases, "aliases.arrow", schemas.AliasesTable); err != nil {
		return nil, err
	}
	f.pages, err = env.Table(schemas.Pages, "pages.arrow", schemas.PagesTable)
	return f, err
}

// rows returns what became of the rows of a file. A file of which no row lists a pair of the graph
// is refused: it is of another wiki, or of another form than it looks.
func (f *finder) rows(ctx context.Context, split string, file stages.File) ([]schemas.ListedRow, error) {
	rows, usable := []schemas.ListedRow{}, 0
	err := pairlist.Read(ctx, file.Path(), func(r pairlist.Row) error {
		row := f.row(r)
		row.Split = split
		if rows = append(rows, row); row.Reason == "" {
			usable++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := f.tellOutside(rows); err != nil {
		return nil, err
	}
	if usable == 0 {
		return nil, nonePairs(file.Name, rows)
	}
	return rows, nil
}

func nonePairs(name string, rows []schemas.ListedRow) error {
	if len(rows) == 0 {
		return fault.New(fault.Malformed, "lists no pair of pages").At(name, "")
	}
	first := rows[0]
	return fault.New(fault.Malformed, "none of its %d rows lists a pair of pages of the graph; the first is %s: %s, %s",
		len(rows), first.Reason, fault.Quote(first.Source), fault.Quote(first.Target)).
		At(name, fmt.Sprintf("line %d", first.Line)).
		Hint("give titles of this wiki, or redirects to them, as source TAB target or in another form of --pairs")
}

// row finds the pages of a row.
func (f *finder) row(r pairlist.Row) schemas.ListedRow {
	out := schemas.ListedRow{
		Schema: schemas.ListedRowSchema, Line: r.Line, Source: valid(r.Source.Text), Target: valid(r.Target.Text),
		Nodes: []uint32{}, Reason: r.Reason,
	}
	if r.Reason != "" {
		return out
	}
	source, ok := f.find(r.Source)
	target, ok2 := f.find(r.Target)
	switch {
	case !ok || !ok2:
		out.Reason = schemas.RowUnknownTitle
	case source == target:
		out.Nodes, out.Reason = []uint32{source, target}, schemas.RowSame
	default:
		out.Nodes = []uint32{source, target}
	}
	return out
}

// valid returns a text that JSON can hold.
func valid(text string) string { return strings.ToValidUTF8(text, string(utf8.RuneError)) }

func (f *finder) find(n pairlist.Name) (node uint32, ok bool) {
	if n.PageID != 0 && n.Wiki == f.wiki {
		if u, ok := f.graph.Node(n.PageID); ok {
			return u, true
		}
	}
	for _, title := range readings(n.Text) {
		if u, ok := f.titled(title); ok {
			return u, true
		}
	}
	return 0, false
}

// titled finds a page of the graph by its title or that of a redirect to it.
func (f *finder) titled(title string) (node uint32, ok bool) {
	if u, ok := f.graph.NodeByTitle(title); ok {
		return u, true
	}
	if id := stages.AliasTarget(f.aliases, title); id != 0 {
		return f.graph.Node(id)
	}
	return 0, false
}

// readings lists the titles that a name may stand for, the likeliest first.
func readings(name string) (list []string) {
	for _, title := range append([]string{name}, names.Readings(name)...) {
		first, size := utf8.DecodeRuneInString(title)
		for _, title := range []string{title, string(unicode.ToUpper(first)) + title[size:]} {
			if !slices.Contains(list, title) {
				list = append(list, title)
			}
		}
	}
	return list
}

// tellOutside tells of the rows with a name that was not found which of them name pages of the
// snapshot that the graph does not have.
func (f *finder) tellOutside(rows []schemas.ListedRow) error {
	wanted := map[string]bool{} // whether there is such a page
	for _, r := range rows {
		if r.Reason == schemas.RowUnknownTitle {
			for _, title := range append(readings(r.Source), readings(r.Target)...) {
				wanted[title] = stages.AliasTarget(f.aliases, title) != 0
			}
		}
	}
	column := schemas.PagesTable.Index("title")
	for b := range f.pages.Batches() {
		titles := f.pages.Strings(b, column)
		for i := range titles.Len() {
			if _, ok := wanted[titles.At(i)]; ok {
				wanted[titles.At(i)] = true
			}
		}
	}
	is := func(title string) bool { return wanted[title] }
	for i, r := range rows {
		if r.Reason == schemas.RowUnknownTitle && slices.ContainsFunc(readings(r.Source), is) &&
			slices.ContainsFunc(readings(r.Target), is) {
			rows[i].Reason = schemas.RowOutside
		}
	}
	return nil
}
