package pairlist_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/dumps/pairlist"
	"github.com/wikinav/wikinav/schemas/fault"
)

// read returns the rows of a text as `line source>target reason`.
func read(t testing.TB, text string) (rows []string, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pairs")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	err = pairlist.Read(t.Context(), path, func(r pairlist.Row) error {
		said := fmt.Sprintf("%d %s>%s", r.Line, r.Source.Text, r.Target.Text)
		if r.Source.PageID+r.Target.PageID > 0 {
			said += fmt.Sprintf(" %s:%d:%d", r.Source.Wiki, r.Source.PageID, r.Target.PageID)
		}
		rows = append(rows, strings.TrimSpace(said+" "+r.Reason))
		return nil
	})
	return rows, err
}

func TestTheFirstRowDecidesHowAllAreRead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"two columns": {
			"# of the house\n\nA\tB\r\nC\tD\tE\nA_b\t \nF\tG",
			"3 A>B; 4 C\tD\tE> field_count; 5 A_b>  bad_text; 6 F>G",
		},
		"named columns": {
			"\ufeffdate\ttarget\tstart\n1 May\tB\tA\n2 May\tC\nx\tB\tA\n",
			"2 A>B; 3 2 May\tC> field_count; 4 A>B",
		},
		"JSON lines": {
			`{"start":"A","target":"B","n":1}` + "\n" + `{"from":"C","to":"D"}` + "\n" + `{"start":"A"}` + "\n" +
				`{"start":1,"target":"B"}` + "\n{x\n" + `{"start":"","target":"B"}`,
			"1 A>B; 2 C>D; 3 A> field_count; 4 >B field_count; 5 > bad_text; 6 >B field_count",
		},
		"records of a release": {
			`{"id":"x","key":"awiki:7:9","source":{"node":1,"page_id":7,"title":"A"},"target":{"page_id":9,"title":"B"}}`,
			"1 A>B awiki:7:9",
		},
		"paths": {
			"A;B;C\nA\n;B\n<;A\nA;B;<\n",
			"1 A>C; 2 A>A; 3 > empty_path; 4 > empty_path; 5 A>B",
		},
		"finished games": {
			"h\t1\t2\tA;B;<;C\tNULL\nh\t1\t2\t\t3\nh\t1\t2\tA;B\n",
			"1 A>C; 2 > empty_path; 3 > field_count",
		},
		"unfinished games": {
			"h\t1\t2\tA;B\tC\ttimeout\nh\t1\t2\tA\t \trestart",
			"1 A>C; 2 A>  bad_text",
		},
		"invalid bytes":  {"A\tB\n\xff\tC\nD\tE", "1 A>B; 2 > bad_text; 3 D>E"},
		"a giant's line": {"A\tB\n" + strings.Repeat("x", 2<<20) + "\tC\nD\tE", "1 A>B; 2 > bad_text; 3 D>E"},
		"nothing":        {"# nothing\n\n", ""},
	} {
		rows, err := read(t, c.text)
		if got := strings.Join(rows, "; "); err != nil || got != c.want {
			t.Errorf("%s: %v\n got %s\nwant %s", name, err, got, c.want)
		}
	}
}

func TestColumnsThatNobodyNamesAreRefused(t *testing.T) {
	t.Parallel()
	_, err := read(t, "1\tA\tB\n")
	if !errors.Is(err, fault.Malformed) || !strings.Contains(err.Error(), "3 columns") || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("got %v", err)
	}
}

// FuzzRead looks for files whose rows get lost, or that crash the reader.
func FuzzRead(f *testing.F) {
	for _, text := range []string{"A\tB\nC\tD", "start\ttarget\nA\tB", `{"start":"A","target":"B"}`, "A;B\n", "h\t1\t2\tA;B\tNULL"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := read(t, text)
		if err == nil && len(rows) > strings.Count(text, "\n")+1 {
			t.Errorf("%d rows of %q", len(rows), text)
		}
	})
}
