package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
)

// labPairs lists pairs of the nine pages: one of a drawn split may be among them, one is there
// twice, one page is none, and one row says nothing.
const labPairs = "A\tT\nB\tT\nA\tT\nE\tA\nE\tE\nNowhere\tA\nD\n"

// listedFolder has the files of a build of nine pages with two splits of listed pairs, that build,
// and its release.
func listedFolder(t *testing.T) (at func(name string) string) {
	t.Helper()
	dir := t.TempDir()
	at = func(name string) string { return filepath.Join(dir, name) }
	putFile(t, at("g9.tsv"), []byte(g9))
	putFile(t, at("lab.tsv"), []byte(labPairs))
	putFile(t, at("day.jsonl"), []byte(`{"start":"T","target":"G","day":1}`+"\n"))
	must(t, listedBuild(at, "work")...)
	must(t, "release", "--work", at("work"), "--out", at("release"), "--licence", "CC0-1.0", "--allow-short")
	return at
}

func listedBuild(at func(string) string, work string, more ...string) []string {
	return append([]string{
		"build", "--edges", at("g9.tsv"), "--work", at(work), "--split", "tiny:4:2,3", "--progress", "none",
		"--pairs", "lab=" + at("lab.tsv"), "--pairs", "day=" + at("day.jsonl"),
	}, more...)
}

func TestListedPairsGoThroughEveryVerb(t *testing.T) {
	t.Parallel()
	at := listedFolder(t)
	edges, lab, day := at("g9.tsv"), "lab="+at("lab.tsv"), "day="+at("day.jsonl")
	for _, c := range []struct {
		says string
		args []string
	}{
		{"lab at distance 5", listedBuild(at, "work")},
		{"split lab: 7 rows are 3 pairs, 1 field_count, 1 unknown_title, 1 source_is_target, 1 duplicate", listedBuild(at, "work")},
		{"nothing to do", listedBuild(at, "work")},
		{"the same", listedBuild(at, "work", "--check")},
		{"listed       fresh", append([]string{"plan"}, listedBuild(at, "work")[1:]...)},
		{"listed ", []string{"status", "--work", at("work")}},
		{`"line":6,"nodes":[],"reason":"unknown_title"`, []string{"inspect", "listed", "--work", at("work")}},
		{`"id":"wr-day-0001"`, []string{"inspect", "wikirace", "--work", at("work")}},
		{"level 3, ", []string{"verify", at("release"), "--level", "3"}},
		{"rebuilt byte for byte", []string{"verify", at("release"), "--rebuild", edges, "--pairs", day, "--pairs", lab}},
		{"splits/lab     3", []string{"diff", at("release"), at("release")}},
		{"lab", []string{"audit", at("release")}},
	} {
		if c.args[0] == "plan" {
			c.args = slices.DeleteFunc(c.args, func(a string) bool { return a == "--progress" || a == "none" })
		}
		if out := must(t, c.args...); !strings.Contains(out, c.says) {
			t.Errorf("%v: no %q in\n%s", c.args, c.says, out)
		}
	}
	for name, says := range map[string][]string{
		"splits/lab.rows": {`"instance":"wr-lab-0001","line":3`, `"reason":"field_count"`},
		"README.md":       {"split lab: 7 rows are 3 pairs", "The pairs of these splits were not drawn"},
		"recipe.toml":     {"--pairs day=FILE --pairs lab=FILE"},
		"ATTRIBUTION.md":  {"pairs-lab", "lab.tsv"},
	} {
		text, err := os.ReadFile(filepath.Join(at("release"), name))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range says {
			if !strings.Contains(string(text), s) {
				t.Errorf("%s: no %q in\n%s", name, s, text)
			}
		}
	}
}

// TestAnotherFileOfPairsIsAnotherBuild: what counts is the content of the file and the name of the
// split, not the file's name.
func TestAnotherFileOfPairsIsAnotherBuild(t *testing.T) {
	t.Parallel()
	at := listedFolder(t)
	putFile(t, at("moved/other.txt"), []byte(labPairs))
	args := listedBuild(at, "work")
	moved := slices.Clone(args)
	moved[slices.Index(moved, "lab="+at("lab.tsv"))] = "lab=" + at("moved/other.txt")
	if out := must(t, moved...); !strings.Contains(out, "nothing to do") {
		t.Errorf("a file of another name: %s", out)
	}
	renamed := slices.Clone(args)
	renamed[slices.Index(renamed, "lab="+at("lab.tsv"))] = "lab2=" + at("lab.tsv")
	silent := func(arg string) bool { return arg == "--progress" || arg == "none" }
	out := must(t, append([]string{"plan"}, slices.DeleteFunc(renamed[1:], silent)...)...)
	if !strings.Contains(out, "pair_files/pairs-lab2 changed") ||
		!strings.Contains(out, "pair_files/pairs-lab is no input any more") {
		t.Errorf("a split of another name: %s", out)
	}
}

// TestABuildOfListedPairsAloneIsReleased: without a drawn split, and without the other families.
func TestABuildOfListedPairsAloneIsReleased(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	putFile(t, at("g9.tsv"), []byte(g9))
	putFile(t, at("lab.tsv"), []byte(labPairs))
	must(t, "build", "--edges", at("g9.tsv"), "--work", at("work"), "--only", "wikirace", "--set", "wikirace.splits=[]",
		"--pairs", "lab="+at("lab.tsv"), "--progress", "none")
	must(t, "release", "--work", at("work"), "--out", at("release"), "--licence", "CC0-1.0")
	if out := must(t, "verify", at("release"), "--level", "3"); !strings.Contains(out, "0 findings") {
		t.Error(out)
	}
}

func TestMistakesWithListedPairsAreTold(t *testing.T) {
	t.Parallel()
	at := listedFolder(t)
	putFile(t, at("empty.tsv"), nil)
	putFile(t, at("other.tsv"), []byte("Xa\tYb\n"))
	edges, lab := at("g9.tsv"), "lab="+at("lab.tsv")
	build := func(pairs ...string) (args []string) {
		args = []string{"build", "--edges", edges, "--work", at("new"), "--split", "tiny:4:2,3", "--progress", "none"}
		for _, p := range pairs {
			args = append(args, "--pairs", p)
		}
		return args
	}
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{2, "want NAME=FILE", build("lab.tsv")},
		{2, "want NAME=FILE", build("=" + at("lab.tsv"))},
		{2, "there is a split lab already", build(lab, "lab="+at("day.jsonl"))},
		{2, "as a split that is drawn", build("tiny=" + at("lab.tsv"))},
		{2, "as a split that is drawn", build("hard=" + at("lab.tsv"))},
		{2, "does not match", build("a-b=" + at("lab.tsv"))},
		{2, "load_dataset keeps", build("all=" + at("lab.tsv"))},
		{10, "none.tsv", build("lab=" + at("none.tsv"))},
		{14, "lists no pair of pages", build("lab=" + at("empty.tsv"))},
		{14, "unknown_title", build("lab=" + at("other.tsv"))},
		{2, "name it with --pairs day=FILE", []string{"verify", at("release"), "--rebuild", edges, "--pairs", lab}},
		{3, "as the pairs of split day", []string{
			"verify", at("release"), "--rebuild", edges,
			"--pairs", "lab=" + at("day.jsonl"), "--pairs", "day=" + at("lab.tsv"),
		}},
		{2, "which are not taken over", []string{
			"release", "--work", at("work"), "--out", at("later"), "--licence", "CC0-1.0", "--allow-short",
			"--carry", at("release"),
		}},
	} {
		if code, _, errs := wikinav(t, c.args...); code != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("%v: exit %d, want %d with %q: %s", c.args, code, c.code, c.says, errs)
		}
	}
}

// TestForgedRowsOfAListAreFound: in releases whose manifest has the digests of what was forged.
func TestForgedRowsOfAListAreFound(t *testing.T) {
	t.Parallel()
	at := listedFolder(t)
	type rows = []schemas.ListedRow
	for name, c := range map[string]struct {
		says   string
		change func(r rows) rows
	}{
		"a reason of one's own": {"reason", func(r rows) rows { r[0].Reason = "dull"; return r }},
		"another instance":      {"nodes", func(r rows) rows { r[0].Instance = "wr-lab-0002"; return r }},
		"no such instance":      {"one of the split", func(r rows) rows { r[0].Instance = "wr-lab-0009"; return r }},
		"an instance too many":  {"instance", func(r rows) rows { r[1].Instance = "wr-lab-0001"; return r }},
		"another order":         {"above", func(r rows) rows { r[0], r[1] = r[1], r[0]; return r }},
		"a row less":            {"listed_lab.", func(r rows) rows { return r[1:] }},
		"another split":         {"split", func(r rows) rows { r[0].Split = "day"; return r }},
	} {
		dir := filepath.Join(t.TempDir(), "forged")
		if err := os.CopyFS(dir, os.DirFS(at("release"))); err != nil {
			t.Fatal(err)
		}
		forgeRows(t, dir, c.change)
		code, out, errs := wikinav(t, "verify", dir)
		if code != 3 || !strings.Contains(out+errs, "lab.rows") || !strings.Contains(out+errs, c.says) {
			t.Errorf("%s: exit %d, want %q of lab.rows: %s%s", name, code, c.says, out, errs)
		}
	}
}

// forgeRows changes the rows of split lab and seals the release again.
func forgeRows(t *testing.T, dir string, change func([]schemas.ListedRow) []schemas.ListedRow) {
	t.Helper()
	path := filepath.Join(dir, "splits", "lab.rows")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var rows []schemas.ListedRow
	for line := range strings.Lines(string(text)) {
		var r schemas.ListedRow
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	rows = change(rows)
	var forged bytes.Buffer
	if err := jsonl.Write(&forged, rows); err != nil {
		t.Fatal(err)
	}
	putFile(t, path, forged.Bytes())
	sum, err := digest.File(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	sealAgain(t, dir, func(m *release.Manifest) {
		for i := range m.Files {
			if f := &m.Files[i]; f.Path == "splits/lab.rows" {
				n := int64(len(rows))
				f.Bytes, f.SHA256, f.XXH64, f.Rows = sum.Bytes, sum.SHA256, sum.XXH64, &n
			}
		}
	})
}

// TestASplitMayBeCalledAsACounter: the stage that draws pairs counts the pages of that name.
func TestASplitMayBeCalledAsACounter(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	edges, work, out := filepath.Join(dir, "g9.tsv"), filepath.Join(dir, "work"), filepath.Join(dir, "release")
	putFile(t, edges, []byte(g9))
	must(t, "build", "--edges", edges, "--work", work, "--split", "targets:4:2,3", "--progress", "none")
	must(t, "release", "--work", work, "--out", out, "--licence", "CC0-1.0", "--allow-short")
	must(t, "verify", out)
}
