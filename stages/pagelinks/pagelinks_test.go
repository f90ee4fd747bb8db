package pagelinks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// somePages are two articles and a redirect of namespace 0, and one of another.
var somePages = map[uint32]int16{3: 0, 5: 0, 30: 0, 12: 1}

// give makes a world of pages and of tables by name: the text of their columns and of their rows.
func give(t testing.TB, tables map[string][2]string) *stagetest.Env {
	t.Helper()
	env := stagetest.New(t)
	env.Give(schemas.Pages, "pages.arrow", func(out io.Writer) (arrowio.Summary, error) {
		w, err := arrowio.NewWriter(out, schemas.PagesTable, arrowio.Options{})
		if err != nil {
			return arrowio.Summary{}, err
		}
		for _, id := range []uint32{3, 5, 12, 30} {
			if err := w.Row(id, somePages[id], fmt.Sprint("Page ", id), false, schemas.ModelWikitext, uint64(1), "", uint32(0), []byte(nil), uint16(0), uint8(0)); err != nil {
				return arrowio.Summary{}, err
			}
		}
		return w.Close()
	})
	for name, t := range tables {
		env.GiveBytes(schemas.LinkTables, "x-"+name+".sql.gz", []byte(sql(name, t[0], t[1])))
	}
	return env
}

func sql(name, columns, rows string) string {
	var b strings.Builder
	for _, c := range strings.Fields(columns) {
		fmt.Fprintf(&b, "`%s` int,", c)
	}
	return fmt.Sprintf("CREATE TABLE `%s` (%s KEY `k` (`a`));\nINSERT INTO `%s` VALUES %s;\nUNLOCK TABLES;\n", name, b.String(), name, rows)
}

const (
	newColumns    = "pl_from pl_from_namespace pl_target_id"
	targetColumns = "lt_id lt_namespace lt_title"
)

var newTables = map[string][2]string{
	"pagelinks":  {newColumns, "(30,0,7),(3,0,9),(3,0,7),(3,0,8),(12,1,7),(4,0,7),(5,0,99),(5,0,6),(3,0,9),(12,0,7),(5,0,10)"},
	"linktarget": {targetColumns, "(9,0,'A_),(_b'),(7,0,'It\\'s_Zürich'),(8,1,'Talk_page'),(6,0,'\xff'),(10,0,'Never_written'),(11,0,'Unused')"},
}

func linkLines(t testing.TB, env *stagetest.Env) []string {
	t.Helper()
	ids, titles := open2(t, env)
	var out []string
	for b := range ids.Batches() {
		page, hash, mask, title := ids.Uint32s(b, 0), ids.Uint64s(b, 1), ids.Uint8s(b, 2), titles.Strings(b, 0)
		for i := range page {
			if hash[i] != xxhash.Sum64(title.Bytes(i)) || mask[i] != schemas.ProvBody {
				t.Errorf("%s: hash %d, provenance %d", title.At(i), hash[i], mask[i])
			}
			out = append(out, fmt.Sprintf("%d %s", page[i], title.At(i)))
		}
	}
	return out
}

func open2(t testing.TB, env *stagetest.Env) (ids, titles *arrowio.File) {
	t.Helper()
	for name, to := range map[string]**arrowio.File{schemas.PageLinksFile: &ids, schemas.PageLinkTitlesFile: &titles} {
		file, err := env.Written(name)
		if err != nil {
			t.Fatal(err)
		}
		layout := schemas.LinksTable
		if to == &titles {
			layout = schemas.LinkTitlesTable
		}
		if *to, err = file.Open(layout); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { (*to).Close() })
	}
	return ids, titles
}

func TestTheStageKeepsTheContract(t *testing.T) { stagetest.Run(t, New(), give(t, newTables)) }

func TestRowsAreJoinedByTargetNumberAndTheBooksBalance(t *testing.T) {
	t.Parallel()
	env := give(t, newTables)
	env.MustRun(New())
	want := []string{"3 A ),( b", "3 It's Zürich", "5 Never written", "30 It's Zürich"}
	if got := linkLines(t, env); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	checkCounters(t, env, map[string]int64{
		"rows": 11, "rows_from_unknown_page": 1, "rows_from_other_namespace": 2, "rows_to_unknown_target": 2, "rows_to_other_namespace": 1,
		"rows_repeated": 1, "links": 4, "pages_with_links": 3, "target_rows": 6, "targets_other_namespace": 1, "targets_not_utf8": 1, "targets": 4,
	})
}

func checkCounters(t *testing.T, env *stagetest.Env, want map[string]int64) {
	t.Helper()
	for name, n := range want {
		if got := env.Counters[name]; got != n {
			t.Errorf("%s: got %d, want %d", name, got, n)
		}
	}
	c := env.Counters
	if sum := c["rows_from_unknown_page"] + c["rows_from_other_namespace"] + c["rows_to_unknown_target"] + c["rows_to_other_namespace"] + c["rows_repeated"] + c["links"]; sum != c["rows"] {
		t.Errorf("rows: %d, their outcomes sum to %d", c["rows"], sum)
	}
	if sum := c["targets_other_namespace"] + c["targets_not_utf8"] + c["targets"]; c["target_rows"] > 0 && sum != c["target_rows"] {
		t.Errorf("target rows: %d, their outcomes sum to %d", c["target_rows"], sum)
	}
}

func TestTheLayoutBefore2024NeedsNoLinktarget(t *testing.T) {
	t.Parallel()
	env := give(t, map[string][2]string{"pagelinks": {
		"pl_from pl_namespace pl_title", "(5,0,'B'),(3,0,'B'),(3,0,'A_),(_b'),(3,1,'B'),(3,0,'\xff'),(12,0,'B'),(4,0,'B')",
	}})
	env.MustRun(New())
	if got, want := linkLines(t, env), []string{"3 B", "3 A ),( b", "5 B"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	checkCounters(t, env, map[string]int64{"rows": 7, "rows_from_other_namespace": 1, "rows_from_unknown_page": 1, "rows_to_other_namespace": 1, "rows_to_unknown_target": 1})
}

func TestTheTargetNumberWinsWhereBothLayoutsAreThere(t *testing.T) {
	t.Parallel()
	env := give(t, map[string][2]string{
		"pagelinks":  {"pl_from pl_namespace pl_title pl_from_namespace pl_target_id", "(3,0,'Wrong',0,7),(3,0,'Old',0,NULL)"},
		"linktarget": {targetColumns, "(7,0,'Right')"},
	})
	env.MustRun(New())
	if got, want := linkLines(t, env), []string{"3 Right"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWhatIsMissingIsNamed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tables map[string][2]string
		kind   error
		says   string
	}{
		"linktarget":        {map[string][2]string{"pagelinks": newTables["pagelinks"]}, fault.NotFound, "x-linktarget.sql.gz"},
		"pagelinks":         {map[string][2]string{"linktarget": newTables["linktarget"]}, fault.NotFound, "pagelinks"},
		"column of links":   {map[string][2]string{"pagelinks": {"pl_from pl_namespace", "(3,0)"}}, fault.Malformed, "pl_title"},
		"column of targets": {map[string][2]string{"pagelinks": newTables["pagelinks"], "linktarget": {"lt_id lt_title", "(3,'A')"}}, fault.Malformed, "lt_namespace"},
		"number":            {map[string][2]string{"pagelinks": {newColumns, "(3,0,'x')"}, "linktarget": newTables["linktarget"]}, fault.Malformed, "row 1"},
		"unique target":     {map[string][2]string{"pagelinks": newTables["pagelinks"], "linktarget": {targetColumns, "(3,0,'A'),(3,0,'B')"}}, fault.Malformed, "twice"},
	} {
		err := give(t, c.tables).Run(context.Background(), New())
		if !errors.Is(err, c.kind) || !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("no %s: got %v, want %v naming %s", name, err, c.kind, c.says)
		}
	}
}

func TestSpillingChangesNoByte(t *testing.T) {
	t.Parallel()
	whole, small := give(t, newTables), give(t, newTables)
	whole.MustRun(New())
	small.MustRun(stage{budget: 2})
	for name, out := range whole.Outputs {
		if out != small.Outputs[name] {
			t.Errorf("%s: %+v and %+v", name, out, small.Outputs[name])
		}
	}
}

// TestTitlesThatShareAKeyAreToldApart puts many titles into the table, of which pairs have the same hash.
func TestTitlesThatShareAKeyAreToldApart(t *testing.T) {
	t.Parallel()
	table := newTargets()
	for i := range 5000 {
		if err := table.add(uint64(i/2), fmt.Appendf(nil, "T%d", i)); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 5000 {
		if rank, ok := table.find(uint64(i/2), fmt.Appendf(nil, "T%d", i)); !ok || int(rank) != i {
			t.Fatalf("title %d: got %d, %t", i, rank, ok)
		}
	}
	if _, ok := table.find(7, []byte("none")); ok {
		t.Error("a title that was never added was found")
	}
}

func TestLinksComeInOrderThroughAnyNumberOfRuns(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for _, room := range []int{1, 7, 100, 10_000} {
		l := newLinks(func() (*os.File, error) { return os.CreateTemp(t.TempDir(), "run") }, room)
		var want, got []uint64
		for range 500 {
			v := r.Uint64N(300)
			want = append(want, v)
			if err := l.add(v); err != nil {
				t.Fatal(err)
			}
		}
		slices.SortFunc(want, cmp.Compare[uint64])
		if err := l.each(func(v uint64) error { got = append(got, v); return nil }); err != nil || !slices.Equal(got, want) {
			t.Errorf("room for %d: %v; %d links in order: %t", room, err, len(got), slices.IsSorted(got))
		}
		l.Close()
	}
}
