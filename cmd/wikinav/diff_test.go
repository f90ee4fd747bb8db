package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/diff"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// compared is what diff --json prints.
type compared struct {
	PerSplit  map[string]map[string]int `json:"per_split"`
	Instances []diff.Instance           `json:"instances"`
	Graph     diff.Graph                `json:"graph"`
	Warnings  []string                  `json:"warnings"`
}

func compare(t *testing.T, args ...string) (c compared) {
	t.Helper()
	if err := json.Unmarshal([]byte(must(t, append([]string{"diff", "--json"}, args...)...)), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// wikiPage is a page of a dump: a redirect if its text begins with #.
type wikiPage struct {
	id          int
	title, text string
}

func writeWiki(t *testing.T, path string, pages []wikiPage) {
	t.Helper()
	var b strings.Builder
	b.WriteString(`<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en"><siteinfo><sitename>T</sitename><dbname>twiki</dbname>` +
		`<base>https://t.example/</base><generator>x</generator><case>first-letter</case><namespaces><namespace key="0" case="first-letter"/></namespaces></siteinfo>`)
	for _, p := range pages {
		redirect, text := "", p.text
		if to, ok := strings.CutPrefix(p.text, "#"); ok {
			redirect, text = fmt.Sprintf(`<redirect title="%s"/>`, to), "#REDIRECT [["+to+"]]"
		} else {
			for _, l := range strings.Fields(p.text) {
				text += " [[" + l + "]]"
			}
		}
		fmt.Fprintf(&b, "<page><title>%s</title><ns>0</ns><id>%d</id>%s<revision><id>%d</id><timestamp>2026-01-01T00:00:00Z</timestamp>"+
			`<contributor><username>u</username><id>1</id></contributor><model>wikitext</model><format>text/x-wiki</format><text bytes="%d" xml:space="preserve">%s</text></revision></page>`,
			p.title, p.id, redirect, p.id, len(text), text)
	}
	b.WriteString("</mediawiki>")
	putFile(t, path, []byte(b.String()))
}

// distancesOf searches by the definition: node by node, on names.
func distancesOf(links map[string][]string, source string) map[string]int {
	dist, queue := map[string]int{source: 0}, []string{source}
	for len(queue) > 0 {
		u := queue[0]
		queue = queue[1:]
		for _, v := range links[u] {
			if _, seen := dist[v]; !seen {
				dist[v] = dist[u] + 1
				queue = append(queue, v)
			}
		}
	}
	return dist
}

func isBroken(links map[string][]string, path []string) bool {
	for i := 1; i < len(path); i++ {
		if !slices.Contains(links[path[i-1]], path[i]) {
			return true
		}
	}
	return len(path) == 0
}

// Two snapshots of 16 pages with a case of every state; what each pair must be follows from lists of
// links.
func TestDiffHasEveryState(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	old := []wikiPage{
		{1, "A", "B C D"},
		{2, "B", "C E"},
		{3, "C", "A E F"},
		{4, "D", "B F"},
		{5, "E", "G"},
		{6, "F", "G"},
		{7, "G", "A H W X Y Z"},
		{8, "H", "G T"},
		{9, "T", "A D"},
		{10, "W", "T"},
		{11, "X", "A"},
		{12, "Y", "A"},
		{13, "Z", "A"},
		{14, "R", "A B"},
		{15, "S", "R"},
		{16, "Q", "S"},
	}
	old[8].text += " Q"
	now := []wikiPage{
		{1, "A", "C D"},
		{2, "B", "C E"},
		{3, "C", "A E F"},
		{4, "D", "B F"},
		{5, "E", "G"},
		{6, "F", "G T"},
		{7, "G", "A H W Y Z"},
		{8, "H", "G T"},
		{9, "T", "A D Q"},
		{10, "W", "T"},
		{12, "Y", "#A"},
		{13, "Z", ""},
		{14, "R2", "A B"},
		{15, "S", "R2"},
		{16, "Q", "S"},
		{17, "N", "A"},
	}
	release := func(name string, pages []wikiPage) string {
		dump := at(name + "wiki-20260101-pages-articles.xml")
		writeWiki(t, dump, pages)
		must(t, "build", "--dump", dump, "--wiki", "twiki", "--work", at(name),
			"--split", "whole:600:1,2,3,4,5,6", "--progress", "none", "--set", "wikirace.reuse=any",
			"--set", "graph.component=largest-scc")
		must(t, "release", "--work", at(name), "--out", at(name+"-release"), "--allow-short")
		return at(name + "-release")
	}
	c := compare(t, release("old", old), release("now", now), "--work", at("now"))
	names := map[string]string{}
	for _, p := range old {
		names[strconv.Itoa(p.id)] = p.title
	}
	before, after := map[string][]string{}, map[string][]string{}
	for _, p := range old {
		before[p.title] = strings.Fields(p.text)
	}
	for _, p := range now { // by the titles of before
		if p.text != "" && p.text[0] != '#' && p.title != "N" {
			title := strings.Replace(p.title, "R2", "R", 1)
			for _, l := range strings.Fields(p.text) {
				after[title] = append(after[title], strings.Replace(strings.Replace(l, "R2", "R", 1), "Y", "A", 1))
			}
		}
	}
	witnesses := map[string][]string{} // all pages are nodes, in their order
	lines, err := os.ReadFile(at("old-release/splits/whole.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(lines)) {
		var x schemas.WikiraceInstance
		if err := json.Unmarshal([]byte(line), &x); err != nil {
			t.Fatal(err)
		}
		for _, u := range x.Witness {
			witnesses[x.Key] = append(witnesses[x.Key], old[u].title)
		}
	}
	seen := map[string]int{}
	for _, i := range c.Instances {
		if !strings.HasPrefix(i.Split, "splits/") || i.State == diff.Added {
			continue
		}
		part := strings.Split(i.Key, ":")
		s, tt := names[part[1]], names[part[2]]
		d := distancesOf(before, s)[tt]
		want := diff.Same
		switch e := distancesOf(after, s)[tt]; {
		case s == "X":
			want = diff.MissingSource
		case tt == "X":
			want = diff.MissingTarget
		case s == "Y" || tt == "Y":
			want = diff.NowRedirect
		case s == "Z" || tt == "Z":
			want = diff.LeftGraph
		case d != e:
			want = diff.DistanceChanged
		case isBroken(after, witnesses[i.Key]):
			want = diff.PathBroken
		case s == "R" || tt == "R":
			want = diff.Renamed
		}
		if i.State != want {
			t.Errorf("%s from %s to %s: %s (%s), want %s", i.Key, s, tt, i.State, i.Detail, want)
		}
		seen[i.State]++
	}
	for _, state := range []string{
		diff.MissingSource, diff.MissingTarget, diff.NowRedirect, diff.LeftGraph, diff.DistanceChanged, diff.PathBroken, diff.Renamed, diff.Same,
	} {
		if seen[state] == 0 {
			t.Errorf("no pair is %s: %v", state, seen)
		}
	}
	if c.PerSplit["splits/whole"][diff.Added] == 0 || c.Graph.NodesRemoved != 3 || c.Graph.NodesAdded != 0 {
		t.Errorf("added %v, graph %+v", c.PerSplit["splits/whole"], c.Graph)
	}
	self := compare(t, at("old-release"), at("old-release"))
	for split, states := range self.PerSplit {
		if len(states) != 1 || states[diff.Same] == 0 {
			t.Errorf("with itself, %s: %v", split, states)
		}
	}
}

// farness searches on numbers; -1 is out of reach.
func farness(links [][]int, source int) []int {
	dist := slices.Repeat([]int{-1}, len(links))
	dist[source] = 0
	for queue := []int{source}; len(queue) > 0; queue = queue[1:] {
		for _, v := range links[queue[0]] {
			if dist[v] < 0 {
				dist[v] = dist[queue[0]] + 1
				queue = append(queue, v)
			}
		}
	}
	return dist
}

// pathsIn lists the paths that the pairs of a release come with, as page ids.
func pathsIn(t *testing.T, dir string) (paths [][]int) {
	t.Helper()
	g := graphIn(t, dir)
	files, err := filepath.Glob(filepath.Join(dir, "splits", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		for line := range bytes.Lines(contentOf(t, file)) {
			var x schemas.WikiraceInstance
			if err := json.Unmarshal(line, &x); err != nil {
				t.Fatal(err)
			}
			var path []int
			for _, u := range x.Witness {
				path = append(path, int(g.PageIDs[u]))
			}
			paths = append(paths, path)
		}
	}
	return paths
}

// ways counts the shortest paths from a page to every other.
func ways(links [][]int, source int) []int {
	dist, count := farness(links, source), make([]int, len(links))
	order := []int{}
	for u, d := range dist {
		if d >= 0 {
			order = append(order, u)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return dist[a] - dist[b] })
	count[source] = 1
	for _, u := range order {
		for _, v := range links[u] {
			if dist[v] == dist[u]+1 {
				count[v] += count[u]
			}
		}
	}
	return count
}

// indispensable lists the links that are on every shortest path of a pair, sorted: without one its
// distance is another.
func indispensable(paths, succ, pred [][]int) (list [][2]int) {
	from, to := map[int][]int{}, map[int][]int{}
	of := func(memo map[int][]int, links [][]int, u int) []int {
		if memo[u] == nil {
			memo[u] = ways(links, u)
		}
		return memo[u]
	}
	for _, p := range paths {
		first, last := p[0], p[len(p)-1]
		there, back := of(from, succ, first), of(to, pred, last)
		for i := 1; i < len(p); i++ {
			if there[p[i-1]]*back[p[i]] == there[last] {
				list = append(list, [2]int{p[i-1], p[i]})
			}
		}
	}
	slices.SortFunc(list, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(list)
}

// Of Wikispeedia without 500 links, first those that pairs cannot do without, the pairs whose distance changed
// are those that a search by the definition finds, no more and no less.
func TestDiffNamesExactlyThePairsWhoseDistanceChanged(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds Wikispeedia twice")
	}
	dir := t.TempDir()
	articles := shared(t, "wikispeedia/articles.tsv.gz")
	links := packedRows(t, shared(t, "wikispeedia/links.tsv.gz"))
	nodes := filepath.Join(dir, "nodes.tsv")
	putFile(t, nodes, []byte(unpacked(t, articles)))
	release := func(name string, list []string) string {
		at := func(name string) string { return filepath.Join(dir, name) }
		putFile(t, at(name+".tsv"), []byte(strings.Join(list, "\n")+"\n"))
		must(t, "build", "--edges", at(name+".tsv"), "--nodes", nodes, "--work", at(name), "--progress", "none")
		must(t, "release", "--work", at(name), "--out", at(name+"-release"), "--licence", "CC0-1.0", "--allow-short")
		return at(name + "-release")
	}
	number, id := map[string]int{}, 0 // page ids are lines of the list of nodes, from 1
	for _, line := range packedRows(t, articles) {
		id++
		number[line] = id
	}
	read := func(list []string, back bool) [][]int {
		out := make([][]int, id+1)
		for _, l := range list {
			from, to, _ := strings.Cut(l, "\t")
			if back {
				from, to = to, from
			}
			out[number[from]] = append(out[number[from]], number[to])
		}
		return out
	}
	all, before := release("all", links), read(links, false)
	paths, r := pathsIn(t, all), rng.New(42, "diff", "wikispeedia")
	steps := indispensable(paths, before, read(links, true))
	t.Logf("%d links that pairs cannot do without", len(steps))
	gone := map[[2]int]bool{}
	for len(gone) < min(400, len(steps)) {
		gone[steps[r.Below(len(steps))]] = true
	}
	for len(gone) < 500 {
		p := paths[r.Below(len(paths))]
		i := 1 + r.Below(len(p)-1)
		gone[[2]int{p[i-1], p[i]}] = true
	}
	fewer := slices.DeleteFunc(slices.Clone(links), func(l string) bool {
		from, to, _ := strings.Cut(l, "\t")
		return gone[[2]int{number[from], number[to]}]
	})
	if len(fewer) != len(links)-500 {
		t.Fatalf("%d of %d links are left", len(fewer), len(links))
	}
	c := compare(t, all, release("fewer", fewer))
	after := read(fewer, false)
	// Inside is what Europe reaches and is reached from.
	from, to := farness(after, number["Europe"]), farness(read(fewer, true), number["Europe"])
	changed, counted, memo := 0, 0, map[int][2][]int{}
	for _, i := range c.Instances {
		part := strings.Split(i.Key, ":")
		if i.State == diff.Added || len(part) != 3 {
			continue
		}
		counted++
		s, err1 := strconv.Atoi(part[1])
		target, err2 := strconv.Atoi(part[2])
		if err1 != nil || err2 != nil {
			t.Fatal(i.Key)
		}
		if _, ok := memo[s]; !ok {
			memo[s] = [2][]int{farness(before, s), farness(after, s)}
		}
		isInside := from[s] >= 0 && to[s] >= 0 && from[target] >= 0 && to[target] >= 0
		differs := isInside && memo[s][0][target] != memo[s][1][target]
		if isInside == (i.State == diff.LeftGraph) || differs != (i.State == diff.DistanceChanged) {
			t.Errorf("%s, %s: %s (%s), but inside %v, changed %v", i.Split, i.Key, i.State, i.Detail, isInside, differs)
		}
		if differs {
			changed++
		}
	}
	if changed < 50 || counted < 1000 {
		t.Errorf("%d of %d pairs changed", changed, counted)
	}
	t.Logf("%d of %d pairs changed their distance", changed, counted)
}
