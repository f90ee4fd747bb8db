package main

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

func newPage() *cobra.Command {
	var f workFlags
	cmd := &cobra.Command{
		Use:   "page TITLE",
		Short: "Print the text of a page as its readers see it",
		Long: `page prints the text of an article from a build that has texts (wikinav build --texts on):
infobox, headings, paragraphs, lists and tables as plain lines, links with their targets.
TITLE is a title, the title of a redirect, or a page id.`,
		Example: `  wikinav build --texts on --only linkgraph --work demo
  wikinav page "Sajumar Bridge" --work demo`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.look(func(v *view) error {
				text, err := v.text(args[0])
				if err != nil {
					return err
				}
				return cli.Print(cmd, map[string]any{
					"page_id": text.PageID, "title": text.Title, "short_description": text.ShortDescription, "text": text.Text,
					"chars": text.Chars, "truncated": text.Truncated,
				}, func(w io.Writer) error {
					_, err := fmt.Fprintln(w, text.Text)
					return err
				})
			})
		},
	}
	f.add(cmd)
	cli.AddJSON(cmd.Flags())
	return cmd
}

// textRow is a row of texts.arrow.
type textRow struct{ batch, row int }

// text finds the text of a page by its title, by the title of a redirect to it, or by its page id.
func (v *view) text(name string) (t schemas.Text, err error) {
	f, err := v.table(entryStage, "texts.arrow", schemas.TextsTable)
	if err != nil {
		return t, err
	}
	if f.Metadata(schemas.KeyTexts) == schemas.TextsOff {
		return t, fault.New(fault.NotFound, "the build has no page texts").Hint("wikinav build --texts on reads them")
	}
	at, found := textTitled(f, name)
	if !found {
		id, err := v.textID(name)
		if err != nil {
			return t, err
		}
		at, found = textOf(f, id)
	}
	if !found {
		return t, noPage(fault.New(fault.NotFound, "the build has no text of a page %s", fault.Quote(name)), name,
			titlesOf(f, schemas.TextsTable))
	}
	b, i, column := at.batch, at.row, schemas.TextsTable.Index
	return schemas.Text{
		PageID: f.Uint32s(b, column("page_id"))[i], Title: f.Strings(b, column("title")).At(i),
		ShortDescription: f.Strings(b, column("short_description")).At(i), Text: f.Strings(b, column("text")).At(i),
		Chars: f.Uint32s(b, column("chars"))[i], Truncated: f.Bools(b, column("truncated")).At(i),
	}, nil
}

// textID returns the id of the page that name redirects to, or that it is the number of; 0 for
// neither.
func (v *view) textID(name string) (uint32, error) {
	n, _ := strconv.ParseUint(name, 10, 32)
	if v.build.Stages["linkgraph"] == "" { // a build that stopped before redirects were followed
		return uint32(n), nil
	}
	aliases, err := v.table("linkgraph", "aliases.arrow", schemas.AliasesTable)
	if err != nil {
		return 0, err
	}
	return cmp.Or(stages.AliasTarget(aliases, name), uint32(n)), nil
}

// textOf finds the text of the page with that id; ids ascend.
func textOf(f *arrowio.File, id uint32) (at textRow, found bool) {
	for b := range f.Batches() {
		if i, found := slices.BinarySearch(f.Uint32s(b, schemas.TextsTable.Index("page_id")), id); found {
			return textRow{b, i}, true
		}
	}
	return at, false
}

func textTitled(f *arrowio.File, title string) (at textRow, found bool) {
	for b := range f.Batches() {
		titles := f.Strings(b, schemas.TextsTable.Index("title"))
		for i := range titles.Len() {
			if string(titles.Bytes(i)) == title {
				return textRow{b, i}, true
			}
		}
	}
	return at, false
}

// noPage adds the titles next to name to the error of a page that is not there.
func noPage(e *fault.Error, name string, titles iter.Seq[string]) error {
	if near := fault.Near(name, titles, 3); len(near) > 0 {
		return e.Hint("did you mean %s?", strings.Join(near, ", "))
	}
	return e.Hint("want the title of an article or of a redirect to one, or a page id; it may be missing in the dump, " +
		"dropped by the recipe, or outside the largest component")
}

// titlesOf goes through the column of titles of a table.
func titlesOf(f *arrowio.File, t schemas.Table) iter.Seq[string] {
	return func(yield func(string) bool) {
		for b := range f.Batches() {
			titles := f.Strings(b, t.Index("title"))
			for i := range titles.Len() {
				if !yield(titles.At(i)) {
					return
				}
			}
		}
	}
}
