package release_test

import (
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/arrowio"
	. "github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
	race "github.com/wikinav/wikinav/stages/aar"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// town is the text of every page: a place one degree further east than the page before.
func town(u int) string {
	return "# " + titleOf(u) + "\n\n| Infobox | settlement |\n| --- | --- |\n| Coordinates | 1°S " + string(rune('1'+u)) + "°E |\n" +
		"| Elevation (m) | 893 |\n| Population total | 2,385 |\n\n[next](/wiki/Other_" + string(rune('0'+u)) + ")"
}

// newTexts is newBuild with the texts of its pages, of which each has a redirect, or with none.
func newTexts(t *testing.T, on bool) *build {
	t.Helper()
	b := newBuild(t)
	env := stagetest.New(t)
	w := stagetest.Wiki{Succ: b.succ, Flags: make([]uint16, b.succ.Nodes())}
	for u := range b.succ.Nodes() {
		w.Titles, w.PageIDs = append(w.Titles, titleOf(u)), append(w.PageIDs, pageID(u))
	}
	env.GiveGraph(w)
	env.GiveNodes(w)
	env.GiveSnapshot()
	env.GiveNone(schemas.AARCassette)
	give := func(a schemas.Artifact, name string, table schemas.Table, row func(out *arrowio.Writer, u int) error) {
		env.Give(a, name, stages.Rows(table, arrowio.Options{}, func(out *arrowio.Writer) error {
			for u := range b.succ.Nodes() {
				if err := row(out, u); on && err != nil {
					return err
				}
			}
			return nil
		}))
	}
	give(schemas.Texts, "texts.arrow", schemas.TextsTable, func(out *arrowio.Writer, u int) error {
		if !on {
			return nil
		}
		return out.Row(pageID(u), titleOf(u), "A town", town(u), uint32(len([]rune(town(u)))), false)
	})
	give(schemas.Aliases, "aliases.arrow", schemas.AliasesTable, func(out *arrowio.Writer, u int) error {
		return out.Row("Other "+string(rune('0'+u)), uint32(900+u), titleOf(u), pageID(u), "", uint8(1), schemas.AliasOK)
	})
	b.in.Aliases = b.table("aliases.arrow", schemas.AliasesTable, b.succ.Nodes(), func(w *arrowio.Writer, u int) error {
		return w.Row("Other "+string(rune('0'+u)), uint32(900+u), titleOf(u), pageID(u), "", uint8(1), schemas.AliasOK)
	})
	p := race.Default()
	p.Legs = 0 // newLegs adds some
	params, err := json.Marshal(p)
	must(t, err)
	b.in.Params["aar"] = params
	b.in.More = []Built{ran(t, race.New(p), env)}
	return b
}

func TestAWorldOfTextsIsReleased(t *testing.T) {
	dir := newTexts(t, true).release(WriteOptions{})
	wantClean(t, dir, VerifyOptions{})
	files := tree(t, dir)
	for name, want := range map[string]string{
		"README.md": "| pages with coordinates |", "LICENSE.md": "| `aar/*` | CC-BY-SA-4.0 |", "ATTRIBUTION.md": "| `aar/*` | titles, ids and texts of pages",
	} {
		if !strings.Contains(files[name], want) {
			t.Errorf("%s lacks %s", name, want)
		}
	}
	w, err := aar.OpenWorld(open(t, dir).Part(aar.Part))
	must(t, err)
	defer w.Close()
	if i, ok := w.Page("https://test.example/wiki/Other_0"); !ok || w.Title(i) != titleOf(0) {
		t.Errorf("got page %d (%t)", i, ok)
	}
}

func TestAReleaseWithoutTextsSaysNothingOfThem(t *testing.T) {
	files := tree(t, newTexts(t, false).release(WriteOptions{}))
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.HasPrefix(name, "aar/") {
			t.Errorf("%s is there", name)
		}
	}
	if want := "No other text of a page is part of this release."; !strings.Contains(files["ATTRIBUTION.md"], want) {
		t.Errorf("ATTRIBUTION.md lacks %q", want)
	}
}

// TestVerifyCatchesWhatAWorldCannotHold changes one row of a table, with all digests in line.
func TestVerifyCatchesWhatAWorldCannotHold(t *testing.T) {
	dir := newTexts(t, true).release(WriteOptions{})
	replace := func(column, old, new string, table schemas.Table) func([]any) bool {
		return func(row []any) bool {
			cell := &row[table.Index(column)]
			*cell = strings.Replace((*cell).(string), old, new, 1)
			return true
		}
	}
	for _, c := range []struct {
		name, file, about string
		table             schemas.Table
		at                int
		change            func(row []any) bool // false drops it
	}{
		{"a link that opens nothing", aar.TextsFile, aar.TextsFile, schemas.TextsTable, 2, replace("text", "Other_2", "Other_x", schemas.TextsTable)},
		{"a text that is longer than said", aar.TextsFile, aar.TextsFile, schemas.TextsTable, 2, replace("text", "[next]", "[next one]", schemas.TextsTable)},
		{"a title that is not the node's", aar.TextsFile, aar.TextsFile, schemas.TextsTable, 2, replace("title", titleOf(2), "Elsewhere", schemas.TextsTable)},
		{"a title twice", aar.TextsFile, aar.TextsFile, schemas.TextsTable, 2, replace("title", titleOf(2), titleOf(3), schemas.TextsTable)},
		{"another elevation in the text", aar.TextsFile, aar.PlacesFile, schemas.TextsTable, 2, replace("text", "893", "894", schemas.TextsTable)},
		{"another description", aar.TextsFile, aar.IndexFile, schemas.TextsTable, 2, replace("short_description", "town", "city", schemas.TextsTable)},
		{"a page id out of order", aar.TextsFile, aar.TextsFile, schemas.TextsTable, 2, func(row []any) bool { row[0] = uint32(1); return true }},
		{"another elevation", aar.PlacesFile, aar.PlacesFile, schemas.AARPlacesTable, 2, replace("elevation", "893", "894", schemas.AARPlacesTable)},
		{"another kind", aar.PlacesFile, aar.PlacesFile, schemas.AARPlacesTable, 2, replace("kind", "", "parks", schemas.AARPlacesTable)},
		{"a place that is missing", aar.PlacesFile, aar.PlacesFile, schemas.AARPlacesTable, 2, func([]any) bool { return false }},
		{"a place of no page", aar.PlacesFile, aar.PlacesFile, schemas.AARPlacesTable, 2, func(row []any) bool { row[0] = uint32(1); return true }},
		{"another count", aar.IndexFile, aar.IndexFile, schemas.AARIndexTable, 2, func(row []any) bool { row[2].([]uint32)[0]++; return true }},
		{"a token that is missing", aar.IndexFile, aar.IndexFile, schemas.AARIndexTable, 2, func([]any) bool { return false }},
		{"an alias of no page", aar.AliasesFile, aar.AliasesFile, schemas.AARAliasesTable, 2, func(row []any) bool { row[1] = uint32(1); return true }},
		{"an alias that is a title", aar.AliasesFile, aar.AliasesFile, schemas.AARAliasesTable, 0, replace("alias", "Other 0", titleOf(0), schemas.AARAliasesTable)},
		{"a redirect that is missing", aar.AliasesFile, aar.AliasesFile, schemas.AARAliasesTable, 2, func([]any) bool { return false }},
		{"a redirect to another page", aar.AliasesFile, aar.AliasesFile, schemas.AARAliasesTable, 2, func(row []any) bool { row[1] = pageID(3); return true }},
		{"a name that is no redirect", aar.AliasesFile, aar.AliasesFile, schemas.AARAliasesTable, 2, replace("alias", "Other 2", "Other 2x", schemas.AARAliasesTable)},
		{"an alias that is missing", aar.AliasesFile, aar.IndexFile, schemas.AARAliasesTable, 2, func([]any) bool { return false }},
	} {
		copied := copyTree(t, dir)
		changeRow(t, copied, c.file, c.table, c.at, c.change)
		reseal(t, copied, nil)
		report, err := verify(t.Context(), copied, VerifyOptions{Level: 2})
		must(t, err)
		if !slices.ContainsFunc(report.Failed, func(f Finding) bool { return f.Path == "aar/"+c.about }) {
			t.Errorf("%s: no finding about %s, got %+v", c.name, c.about, report.Failed)
		}
	}
}

// changeRow writes a table of the part again, with one row changed or dropped.
func changeRow(t *testing.T, dir, name string, table schemas.Table, at int, change func(row []any) bool) {
	t.Helper()
	f, err := open(t, dir).Part(aar.Part).Arrow(name, table)
	must(t, err)
	var rows [][]any
	for i := range f.BatchRows(0) {
		var row []any
		for col := range table.Columns {
			row = append(row, f.Cell(0, col, i))
		}
		if i != at || change(row) {
			rows = append(rows, row)
		}
	}
	opts := arrowio.Options{ParamsSHA256: f.Metadata(arrowio.KeyParams)}
	if name == aar.TextsFile {
		opts.Metadata = aar.Site{Base: "https://test.example/wiki/", Language: "en", Year: 2026}.Metadata()
	}
	must(t, f.Close())
	rewrite(t, dir, "aar/"+name, func(w io.Writer) (arrowio.Summary, error) {
		return stages.Rows(table, opts, func(out *arrowio.Writer) error {
			for _, row := range rows {
				if err := out.Row(row...); err != nil {
					return err
				}
			}
			return nil
		})(w)
	})
}
