package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// k7Recipe asks nothing of the pages of the worked example.
const k7Recipe = `
[graph]
name = "k7"
version = 1
namespaces = [0]
link_source = "edges"
link_parts = ["body"]
redirects = "resolve"
redirect_hops = 1
dab = "keep"
lists = "keep"
dates = "keep"
self_loops = "drop-after"
title_filter = "any"
component = "largest-scc"

[wikirace]
splits = [{ name = "tiny", size = 2, distances = [2] }]

[constrained]
preset = "small"
n = 1
source_min_out = 1
target_min_in = 2
baseline_min = 3
max_attempts = 500
`

// k7Files writes the worked example of the constrained specification (4.6); its pages are numbered A B C D S T X from 1.
func k7Files(t *testing.T) (edges, labels, recipe string) {
	t.Helper()
	folder := t.TempDir()
	edges, labels, recipe = filepath.Join(folder, "k7.tsv"), filepath.Join(folder, "labels.tsv"), filepath.Join(folder, "k7.toml")
	for path, text := range map[string]string{
		edges: "S\tA\nA\tB\nA\tC\nB\tT\nC\tD\nD\tT\nT\tS\nT\tX\nX\tB\n", labels: "1\tEvent\n2\tWork\n3\tPlace\n4\tPlace\n", recipe: k7Recipe,
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return edges, labels, recipe
}

func TestTheConstrainedSetGoesFromBuildToRelease(t *testing.T) {
	t.Parallel()
	edges, labels, recipe := k7Files(t)
	work, out := filepath.Join(t.TempDir(), "work"), filepath.Join(t.TempDir(), "release")
	said := must(t, "build", "--edges", edges, "--manual-labels", labels, "--recipe", recipe, "--work", work)
	if !strings.Contains(said, "constrained, preset small, changed") || !strings.Contains(said, "1 of 1\n") || !strings.Contains(said, "  pages: nodes 7, labelled 4, min_in ") {
		t.Errorf("the summary:\n%s", said)
	}
	if got := must(t, "inspect", "constrained", "--work", work); strings.Count(got, "\n") != 1 || !strings.Contains(got, `"id":"cw-0001"`) {
		t.Errorf("inspect constrained: %s", got)
	}
	must(t, "release", "--work", work, "--out", out, "--licence", "CC0-1.0", "--allow-short")
	must(t, "verify", out)
	for name, want := range map[string]string{
		"manifest.json": `"constrained_custom":{"distances":[`, "README.md": "config_name: constrained", "constrained/funnel.json": `"label":"constrained-custom"`,
	} {
		if data, err := os.ReadFile(filepath.Join(out, name)); err != nil || !strings.Contains(string(data), want) {
			t.Errorf("%s has no %s: %v", name, want, err)
		}
	}
}

func TestAPresetReplacesTheRecipesAndAShortSetIsRefused(t *testing.T) {
	t.Parallel()
	edges, labels, recipe := k7Files(t)
	work := filepath.Join(t.TempDir(), "work")
	said := must(t, "build", "--edges", edges, "--manual-labels", labels, "--recipe", recipe, "--work", work, "--set", "constrained.preset=paper")
	if !strings.Contains(said, "preset paper") || !strings.Contains(said, "0 of 100  SHORT") || !strings.Contains(said, "no page passes pages.min_in") {
		t.Errorf("the summary:\n%s", said)
	}
	code, _, errs := wikinav(t, "release", "--work", work, "--out", filepath.Join(work, "r"), "--licence", "CC0-1.0")
	if code != 15 || !strings.Contains(errs, "constrained instances 0/100") {
		t.Errorf("release: exit %d, %s", code, errs)
	}
	if code, _, errs := wikinav(t, "build", "--edges", edges, "--work", work, "--set", "constrained.preset=huge"); code != 2 {
		t.Errorf("an unknown preset: exit %d, %s", code, errs)
	}
}

func TestWithoutLabelsThereIsNoConstrainedSet(t *testing.T) {
	edges, _, recipe := k7Files(t)
	work, out := filepath.Join(t.TempDir(), "work"), filepath.Join(t.TempDir(), "release")
	if said := must(t, "build", "--edges", edges, "--recipe", recipe, "--work", work); !strings.Contains(said, "constrained: not made, because no page has a label") {
		t.Errorf("the summary:\n%s", said)
	}
	must(t, "release", "--work", work, "--out", out, "--licence", "CC0-1.0", "--allow-short")
	if _, err := os.Stat(filepath.Join(out, "constrained")); err == nil {
		t.Error("a release without labels has a constrained set")
	}
}
