package main

import (
	"compress/gzip"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheWholeMatrixOfWikispeediaEqualsASearchOverItsLinks(t *testing.T) {
	t.Parallel()
	edges, nodes := shared(t, "wikispeedia/links.tsv.gz"), shared(t, "wikispeedia/articles.tsv.gz")
	work := t.TempDir()
	must(t, "build", "--edges", edges, "--nodes", nodes, "--recipe", wholeGraph(t), "--work", work, "--only", "distances")
	header, rows, _ := strings.Cut(must(t, "inspect", "distances", "--format", "matrix", "--work", work), "\n")
	titles := strings.Split(header, "\t")
	if len(titles) != 4604 || strings.Count(rows, "\n") != 4604 {
		t.Fatalf("%d nodes, %d columns; want 4604 of each", len(titles), strings.Count(rows, "\n"))
	}
	into := linksInto(t, edges, titles)
	target := 0
	for row := range strings.Lines(rows) {
		title, got, _ := strings.Cut(strings.TrimSuffix(row, "\n"), "\t")
		if want := string(searchFrom(into, target)); title != titles[target] || got != want {
			t.Fatalf("column %d is %q, want %q; or its distances differ:\n%.80s\n%.80s", target, title, titles[target], got, want)
		}
		target++
	}
}

// wholeGraph writes the default recipe with every page in the graph, reachable or not.
func wholeGraph(t *testing.T) string {
	t.Helper()
	strict, err := os.ReadFile(filepath.Join("..", "..", "pipeline", "recipes", "strict.toml"))
	if err != nil {
		t.Fatal(err)
	}
	whole := strings.Replace(string(strict), `component = "largest-scc"`, `component = "none"`, 1)
	if whole == string(strict) {
		t.Fatal("the default recipe names no component to replace")
	}
	path := filepath.Join(t.TempDir(), "whole.toml")
	if err := os.WriteFile(path, []byte(whole), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// linksInto reads links.tsv by itself, and lists for each title the pages that link to it.
func linksInto(t *testing.T, path string, titles []string) [][]int {
	t.Helper()
	number := map[string]int{}
	for i, title := range titles {
		number[title] = i
	}
	into, rows := make([][]int, len(titles)), 0
	for _, line := range packedRows(t, path) {
		source, target, _ := strings.Cut(line, "\t")
		from, known := number[plainName(t, source)]
		to, known2 := number[plainName(t, target)]
		if !known || !known2 {
			t.Fatalf("no node is called %s or %s", source, target)
		}
		into[to] = append(into[to], from)
		rows++
	}
	if rows != 119882 {
		t.Fatalf("%d rows of links, want 119882", rows)
	}
	return into
}

func plainName(t *testing.T, name string) string {
	t.Helper()
	text, err := url.PathUnescape(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer("__", " ", "_", " ").Replace(text)
}

func unpacked(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// packedRows returns the rows of a packed table, without its comments.
func packedRows(t *testing.T, path string) []string {
	t.Helper()
	var out []string
	for line := range strings.Lines(unpacked(t, path)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			out = append(out, line)
		}
	}
	return out
}

// searchFrom gives the distance from every page to target, a digit a page; the longest path of Wikispeedia has 9 links.
func searchFrom(into [][]int, target int) []byte {
	row := []byte(strings.Repeat("_", len(into)))
	row[target] = '0'
	for queue := []int{target}; len(queue) > 0; queue = queue[1:] {
		for _, u := range into[queue[0]] {
			if row[u] == '_' {
				row[u] = row[queue[0]] + 1
				queue = append(queue, u)
			}
		}
	}
	return row
}
