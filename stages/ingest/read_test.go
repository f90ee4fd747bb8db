package ingest

import (
	"fmt"
	"testing"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// lines returns every row of an output as text.
func lines(t testing.TB, env *stagetest.Env, name string, table schemas.Table) []string {
	t.Helper()
	f := open(t, env, name, table)
	defer f.Close()
	out := []string{}
	for b := range f.Batches() {
		for i := range f.BatchRows(b) {
			line := ""
			for c := range table.Columns {
				line += "|" + cell(f, b, c, i)
			}
			out = append(out, line[1:])
		}
	}
	return out
}

func open(t testing.TB, env *stagetest.Env, name string, table schemas.Table) *arrowio.File {
	t.Helper()
	file, err := env.Written(name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := file.Open(table)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func cell(f *arrowio.File, b, c, i int) string {
	if v, ok := f.Cell(b, c, i).([]byte); ok {
		return fmt.Sprintf("%x", v)
	}
	return fmt.Sprint(f.Cell(b, c, i))
}

// checkBooks holds the counters of a run to what must balance.
func checkBooks(t testing.TB, n map[string]int64) {
	t.Helper()
	sum := func(names ...string) (total int64) {
		for _, name := range names {
			total += n[name]
		}
		return total
	}
	var ns int64
	for name, v := range n {
		if len(name) > 9 && name[:9] == "pages_ns_" {
			ns += v
		}
	}
	for _, b := range []struct {
		what      string
		got, want int64
	}{
		{"links found", n["links_found"], sum("links_kept", "links_interwiki", "links_interlanguage", "links_file",
			"links_category", "links_other_ns", "links_self", "links_invalid", "links_unterminated")},
		{"links kept", n["links_kept"], sum("links_in_body", "links_in_template_args", "links_in_tables", "links_in_refs", "links_in_captions")},
		{"pages by namespace", ns, n["pages"]},
		{"pages kept", n["pages_kept"], n["pages"]},
		{"pages read", n["pages_read"], sum("pages_kept", "pages_skipped")},
	} {
		if b.got != b.want {
			t.Errorf("%s: %d, their parts are %d", b.what, b.got, b.want)
		}
	}
}
