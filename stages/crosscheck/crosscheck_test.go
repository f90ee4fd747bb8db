package crosscheck

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages/stagetest"
)

type page struct {
	id       uint32
	ns       int16
	title    string
	redirect string
	kind     schemas.TargetKind
	model    string
}

var inDump = []page{
	{1, 0, "A b", "", 0, "wikitext"},
	{2, 0, "Moved", "", 0, "wikitext"},
	{3, 0, "Now redirect", "A b", schemas.TargetMain, "wikitext"},
	{4, 10, "Template:X", "", 0, "wikitext"},
	{5, 0, "Data", "", 0, "json"},
	{6, 0, "R", "Template:X", schemas.TargetOther, "wikitext"},
	{7, 0, "S", "wikt:entry", schemas.TargetInterwiki, "wikitext"},
	{8, 0, "Fresh", "", 0, "wikitext"},
	{9, 0, "T", "A b", schemas.TargetMain, "wikitext"},
}

const (
	pageColumns     = "page_id page_namespace page_title page_is_redirect page_content_model"
	pageRows        = "(1,0,'A_b',0,'wikitext'),(2,0,'Old_name',0,NULL),(3,0,'Now_redirect',0,'wikitext'),(4,10,'X',0,'wikitext'),(5,0,'Data',0,'wikitext'),(6,0,'R',1,'wikitext'),(7,0,'S',1,'wikitext'),(9,0,'T',1,'wikitext'),(20,0,'Deleted',0,'wikitext'),(21,1,'Talk',0,'wikitext'),(22,0,'\xff',0,'wikitext')"
	redirectColumns = "rd_from rd_namespace rd_title rd_interwiki rd_fragment"
	redirectRows    = "(6,10,'X','',''),(7,0,'entry','wikt',''),(9,0,'Other','',''),(8,0,'A_b','',''),(99,0,'A_b','','')"
)

func sql(name, columns, rows string) []byte {
	var b strings.Builder
	for _, c := range strings.Fields(columns) {
		fmt.Fprintf(&b, "`%s` int,", c)
	}
	return fmt.Appendf(nil, "CREATE TABLE `%s` (%s KEY `k` (`a`));\nINSERT INTO `%s` VALUES %s;\nUNLOCK TABLES;\n", name, b.String(), name, rows)
}

func give(t testing.TB) *stagetest.Env { return giveThese(t, inDump, pageRows) }

func giveThese(t testing.TB, dump []page, rows string) *stagetest.Env {
	t.Helper()
	env := stagetest.New(t)
	write := func(a schemas.Artifact, name string, layout schemas.Table, row func(p page) []any) {
		env.Give(a, name, func(out io.Writer) (arrowio.Summary, error) {
			w, err := arrowio.NewWriter(out, layout, arrowio.Options{})
			if err != nil {
				return arrowio.Summary{}, err
			}
			for _, p := range dump {
				if cells := row(p); cells != nil {
					if err := w.Row(cells...); err != nil {
						return arrowio.Summary{}, err
					}
				}
			}
			return w.Close()
		})
	}
	write(schemas.Pages, "pages.arrow", schemas.PagesTable, func(p page) []any {
		return []any{p.id, p.ns, p.title, p.redirect != "", p.model, uint64(1), "", uint32(0), []byte(nil), uint16(0), uint8(0)}
	})
	write(schemas.Redirects, "redirects.arrow", schemas.RedirectsTable, func(p page) []any {
		if p.redirect == "" {
			return nil
		}
		return []any{p.title, p.id, p.redirect, "", uint8(p.kind)}
	})
	env.GiveBytes(schemas.PageTables, "x-page.sql.gz", sql("page", pageColumns, rows))
	env.GiveBytes(schemas.PageTables, "x-redirect.sql.gz", sql("redirect", redirectColumns, redirectRows))
	return env
}

func TestTheStageKeepsTheContract(t *testing.T) { stagetest.Run(t, New(), give(t)) }

func TestEveryDifferenceIsCountedAndListed(t *testing.T) {
	t.Parallel()
	env := give(t)
	env.MustRun(New())
	for name, want := range map[string]int64{
		"page_rows": 11, "pages_compared": 8, "pages_only_in_table": 1, "pages_only_in_dump": 1, "page_rows_other_namespaces": 1, "page_rows_not_utf8": 1,
		"pages_title_differs": 1, "pages_redirect_differs": 1, "pages_model_differs": 1,
		"redirect_rows": 5, "redirects_compared": 3, "redirects_only_in_table": 1, "redirects_only_in_dump": 1, "redirect_rows_unknown_pages": 1,
		"redirects_target_differs": 1,
	} {
		if got := env.Counters[name]; got != want {
			t.Errorf("%s: got %d, want %d", name, got, want)
		}
	}
	want := []string{
		`{"dump":"Moved","kind":"pages_title_differs","page_id":2,"table":"0:Old name"}`,
		`{"dump":"redirect","kind":"pages_redirect_differs","page_id":3,"table":"no redirect"}`,
		`{"dump":"json","kind":"pages_model_differs","page_id":5,"table":"wikitext"}`,
		`{"dump":"","kind":"pages_only_in_table","page_id":20,"table":"0:Deleted"}`,
		`{"dump":"Fresh","kind":"pages_only_in_dump","page_id":8,"table":""}`,
		`{"dump":"A b","kind":"redirects_target_differs","page_id":9,"table":":0:Other"}`,
		`{"dump":"","kind":"redirects_only_in_table","page_id":8,"table":":0:A b"}`,
		`{"dump":"A b","kind":"redirects_only_in_dump","page_id":3,"table":""}`,
	}
	got := strings.Split(strings.TrimSpace(string(env.Read(schemas.CrosscheckFile))), "\n")
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestPagesInARowThatTheDumpLacksAreWarnedOf: as a stream that was dropped looks. Pages newer than the dump's last are not meant.
func TestPagesInARowThatTheDumpLacksAreWarnedOf(t *testing.T) {
	t.Parallel()
	// Page 20 of pageRows is the first of the row.
	dump := append(slices.Clone(inDump), page{500, 0, "Last", "", 0, "wikitext"})
	for _, c := range []struct {
		first, n int
		warned   bool
	}{{100, 20, true}, {100, 19, false}, {1000, 100, false}} {
		rows := pageRows
		for id := c.first; id < c.first+c.n; id++ {
			rows += fmt.Sprintf(",(%d,0,'P%d',0,'wikitext')", id, id)
		}
		env := giveThese(t, dump, rows)
		env.MustRun(New())
		if got := slices.ContainsFunc(env.Warnings, func(w schemas.Warning) bool { return w.Code == CodeMissing }); got != c.warned {
			t.Errorf("%d pages from %d on: warnings %v", c.n, c.first, env.Warnings)
		}
	}
}
