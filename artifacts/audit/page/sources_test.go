package page

import (
	"os"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/artifacts/audit"
	"github.com/wikinav/wikinav/artifacts/dag"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/release"
)

// drawnFiles draws the ids of each file.
type drawnFiles map[string][]string

func (d drawnFiles) EachDrawn(_ *release.Scene, _ release.Files, name string,
	visit release.Visit,
) error {
	for _, id := range d[name] {
		if err := visit(id, func() (dag.Drawing, error) { return dag.Drawing{}, nil }); err != nil {
			return err
		}
	}
	return nil
}

// TestDrawingsComeInTheOrderOfTheRecords: the records of a table may stand in several files, whose
// names have another order than the table, among files of other records.
func TestDrawingsComeInTheOrderOfTheRecords(t *testing.T) {
	t.Parallel()
	var rows []audit.Row
	for _, id := range []string{"x1", "x2", "y1", "y2"} {
		rows = append(rows, audit.Row{ID: id, Record: struct{}{}})
	}
	table, err := audit.TableOf("f", "all", release.Audit{}, rows)
	if err != nil {
		t.Fatal(err)
	}
	rep, err := audit.Folder(t.Context(), "n", []*audit.Table{table}, audit.Request{})
	if err != nil {
		t.Fatal(err)
	}
	drawn := drawnFiles{
		"a.jsonl": {"other", "y1", "y2"}, "b.jsonl": {"x1", "x2"}, "c.jsonl": {"z"},
		"d.parquet": {"x1"},
	}
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	var files release.Files
	for name := range drawn { // a set
		files.Add(name, root, name, digest.Digest{}, -1, "")
	}
	l := (&Book{Report: rep}).list(rep.Sets[0], map[string]string{}, nil)
	names, err := l.sources(drawn, files)
	if err != nil || !slices.Equal(names, []string{"b.jsonl", "a.jsonl"}) {
		t.Errorf("got %v, %v", names, err)
	}
	files.Add("all.jsonl", root, "all.jsonl", digest.Digest{}, -1, "")
	if names, err := l.sources(drawn, files); err != nil ||
		!slices.Equal(names, []string{"all.jsonl"}) {
		t.Errorf("the file of the set's name: got %v, %v", names, err)
	}
}
