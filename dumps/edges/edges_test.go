package edges

import (
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/schemas/fault"
)

func file(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file.tsv")
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestNamesOfEdgesAreSorted(t *testing.T) {
	for name, c := range map[string]struct {
		edges  string
		titles []string
		list   []Edge
	}{
		"by bytes":        {"b\ta\nA\tb\n", []string{"A", "a", "b"}, []Edge{{2, 1}, {0, 2}}},
		"by number":       {"10\t9\n9\t100\n", []string{"9", "10", "100"}, []Edge{{1, 0}, {0, 2}}},
		"comments, CRLF":  {"# x\r\n\r\nb\ta\tmore\r\n", []string{"a", "b"}, []Edge{{1, 0}}},
		"percent, blanks": {"S%C3%A3o_Paulo\tx  y\n", []string{"São Paulo", "x y"}, []Edge{{0, 1}}},
	} {
		g, err := Read(t.Context(), file(t, c.edges), "")
		if err != nil || !slices.Equal(g.Titles, c.titles) || !slices.Equal(g.Edges, c.list) {
			t.Errorf("%s: got %+v, %v", name, g, err)
		}
	}
}

func TestNodesKeepTheirOrder(t *testing.T) {
	g, err := Read(t.Context(), file(t, "b\ta\n"), file(t, "b\nlonely\na\n"))
	if err != nil || !slices.Equal(g.Titles, []string{"b", "lonely", "a"}) || !slices.Equal(g.Edges, []Edge{{0, 2}}) {
		t.Errorf("got %+v, %v", g, err)
	}
}

func TestWhatCannotBeReadIsSaidWithItsLine(t *testing.T) {
	for name, c := range map[string][3]string{ // edges, nodes, part of the message
		"no target":       {"a\tb\nc\n", "", "line 2"},
		"empty target":    {"a\t\n", "", "line 1"},
		"invalid UTF-8":   {"a\tb\n\xff\tb\n", "", "line 2"},
		"no node":         {"a\tb\na\tc\n", "a\nb\n", "line 2"},
		"a node twice":    {"a\tb\n", "a\nb\na\n", "line 3"},
		"one title":       {"a_b\tc\na b\tc\n", "", "line 2"},
		"no title":        {"_\tc\n", "", "line 1"},
		"a line too long": {strings.Repeat("x", maxLine+1), "", "line 1"},
	} {
		nodes := ""
		if c[1] != "" {
			nodes = file(t, c[1])
		}
		_, err := Read(t.Context(), file(t, c[0]), nodes)
		if !errors.Is(err, fault.Malformed) || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := Read(t.Context(), "nowhere", ""); !errors.Is(err, fault.NotFound) {
		t.Errorf("a missing file: %v", err)
	}
}

func TestAPackedFileCutShortIsNoShorterGraph(t *testing.T) {
	path := filepath.Join(t.TempDir(), "e.gz")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	for i := range 10_000 {
		if _, err := z.Write([]byte(strings.Repeat("x", i%7+1) + "\ty\n")); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	if g, err := Read(t.Context(), path, ""); err != nil || len(g.Edges) != 10_000 {
		t.Fatalf("the whole file: %v", err)
	}
	info, _ := os.Stat(path)
	if err := os.Truncate(path, info.Size()/2); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(t.Context(), path, ""); !errors.Is(err, fault.Malformed) {
		t.Errorf("half of it: %v", err)
	}
}

func FuzzReadNeverPanics(f *testing.F) {
	f.Add([]byte("a\tb\nb\tc\n"), []byte("a\nb\nc\n"))
	f.Fuzz(func(t *testing.T, edges, nodes []byte) {
		g, err := Read(t.Context(), file(t, string(edges)), file(t, string(nodes)))
		if err != nil {
			return
		}
		for _, e := range g.Edges {
			if int(e.From) >= len(g.Titles) || int(e.To) >= len(g.Titles) {
				t.Fatalf("edge %v of %d titles", e, len(g.Titles))
			}
		}
	})
}
