package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// olderLinks writes the links of Wikispeedia, and the same without 500 of them: of pages with so
// many links that both have the same largest component. It returns those that are left out.
func olderLinks(t *testing.T) (now, then string, cut map[[2]string]bool) {
	t.Helper()
	var links [][2]string
	out, in := map[string]int{}, map[string]int{}
	for _, line := range packedRows(t, shared(t, "wikispeedia/links.tsv.gz")) {
		source, target, _ := strings.Cut(line, "\t")
		links = append(links, [2]string{source, target})
		out[source]++
		in[target]++
	}
	cut = map[[2]string]bool{}
	for i, l := range links {
		if i%113 == 5 && len(cut) < 500 && out[l[0]] > 8 && in[l[1]] > 8 {
			cut[l] = true
		}
	}
	if len(cut) != 500 {
		t.Fatalf("%d links to leave out, want 500", len(cut))
	}
	var all, some strings.Builder
	for _, l := range links {
		line := l[0] + "\t" + l[1] + "\n"
		all.WriteString(line)
		if !cut[l] {
			some.WriteString(line)
		}
	}
	dir := t.TempDir()
	now, then = filepath.Join(dir, "now.tsv"), filepath.Join(dir, "then.tsv")
	for path, text := range map[string]string{now: all.String(), then: some.String()} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return now, then, cut
}

// needsCut reports whether every shortest path between two pages has one of the links that are cut:
// by walking from the source, level by level, over all links and over those that are left.
func needsCut(links [][2]string, cut map[[2]string]bool, source, target string) bool {
	length := func(all bool) int {
		from := map[string][]string{}
		for _, l := range links {
			if all || !cut[l] {
				from[l[0]] = append(from[l[0]], l[1])
			}
		}
		dist := map[string]int{source: 0}
		for queue := []string{source}; len(queue) > 0; queue = queue[1:] {
			for _, v := range from[queue[0]] {
				if _, seen := dist[v]; !seen {
					dist[v] = dist[queue[0]] + 1
					queue = append(queue, v)
				}
			}
		}
		if d, ok := dist[target]; ok {
			return d
		}
		return 1 << 30
	}
	return length(true) < length(false)
}

func TestFreshPairsOfWikispeediaNeedTheLinksThatTheOlderReleaseLacks(t *testing.T) {
	t.Parallel()
	now, then, cut := olderLinks(t)
	dir := t.TempDir()
	old, fresh := filepath.Join(dir, "old"), filepath.Join(dir, "fresh")
	args := []string{"--wiki", "wikispeedia", "--split", "near:30:2,3", "--split", "far:20:6,7"}
	licence := []string{"--licence", "CC-BY-SA-3.0", "--attribution", "schools-wikipedia.org", "--allow-short"}
	build := func(work, edges, date, release string, more ...string) {
		all := append([]string{"build", "--work", work, "--edges", edges, "--date", date}, args...)
		must(t, append(all, more...)...)
		must(t, append([]string{"release", "--work", work, "--out", release}, licence...)...)
	}
	build(filepath.Join(dir, "w1"), then, "20080101", old)
	build(filepath.Join(dir, "w2"), now, "20090101", fresh, "--fresh-since", old)

	var links [][2]string
	data, err := os.ReadFile(now)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		source, target, _ := strings.Cut(strings.TrimSpace(line), "\t")
		links = append(links, [2]string{source, target})
	}
	names := map[string]string{} // of pages, as the file has them
	for _, l := range links {
		for _, name := range l {
			names[plainName(t, name)] = name
		}
	}
	checked := 0
	for _, file := range []string{"splits/near.jsonl", "splits/far.jsonl"} {
		lines, err := os.ReadFile(filepath.Join(fresh, filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(lines) {
			var x struct {
				ID             string
				Source, Target struct{ Title string }
			}
			if err := json.Unmarshal(line, &x); err != nil {
				t.Fatal(err)
			}
			checked++
			if !needsCut(links, cut, names[x.Source.Title], names[x.Target.Title]) {
				t.Errorf("%s: a shortest path from %s to %s needs none of the 500 links", x.ID, x.Source.Title,
					x.Target.Title)
			}
		}
	}
	if checked < 30 {
		t.Errorf("%d instances, want 30 or more", checked)
	}
	proved := must(t, "verify", fresh, "--fresh-since", old)
	for _, want := range []string{"covered: splits/: that ", "covered: probe/: that "} {
		if !strings.Contains(proved, want) {
			t.Errorf("verify does not say %q:\n%s", want, proved)
		}
	}
	if said := must(t, "verify", fresh); !strings.Contains(said, "wikinav verify --fresh-since OLD proves it") {
		t.Errorf("verify without the older release:\n%s", said)
	}
	quotas, err := os.ReadFile(filepath.Join(fresh, "splits", "quotas.json"))
	if err != nil || !bytes.Contains(quotas, []byte(`"status":"short"`)) {
		t.Errorf("the split of distances 6 and 7 is not short: %s %v", quotas, err)
	}
	card, err := os.ReadFile(filepath.Join(fresh, "README.md"))
	if err != nil || !bytes.Contains(card, []byte("**fresh since release ")) {
		t.Errorf("the card does not say since when pairs are fresh (%v)", err)
	}
	if code, _, errs := wikinav(t, "verify", old, "--fresh-since", fresh); code != 2 {
		t.Errorf("a release that is not fresh: exit %d: %s", code, errs)
	}
	code, _, errs := wikinav(t, "build", "--work", filepath.Join(dir, "w3"), "--edges", now, "--fresh-since", old,
		"--wiki", "other")
	if code != 2 || !strings.Contains(errs, `"other"`) {
		t.Errorf("another wiki: exit %d: %s", code, errs)
	}
}

func TestFreshPairsOfADumpAreThoseOfPagesWithTheSameIDs(t *testing.T) {
	t.Parallel()
	dump, dir := smallDump(t), t.TempDir()
	old, fresh := filepath.Join(dir, "old"), filepath.Join(dir, "fresh")
	for _, b := range [][]string{
		{old, "--set", "graph.link_parts=body"},
		{fresh, "--fresh-since", old},
	} {
		work := filepath.Join(dir, "work-"+filepath.Base(b[0]))
		must(t, append([]string{"build", "--work", work, "--dump", dump, "--split", "two:5:2", "--texts", "off"},
			b[1:]...)...)
		must(t, "release", "--work", work, "--out", b[0], "--allow-short")
	}
	report := must(t, "verify", fresh, "--fresh-since", old)
	if !strings.Contains(report, "covered: splits/: that 5 pairs") ||
		!strings.Contains(report, "covered: constrained/: that ") {
		t.Errorf("not proved:\n%s", report)
	}
	manifest, err := os.ReadFile(filepath.Join(fresh, "manifest.json"))
	if err != nil || !bytes.Contains(manifest, []byte("W_FRESH_RECIPE")) ||
		!bytes.Contains(manifest, []byte(`"match":"page_id"`)) {
		t.Errorf("the manifest does not warn of another recipe, or pages were not matched by ids (%v)", err)
	}
	again := must(t, "verify", fresh, "--rebuild", dump, "--fresh-since", old)
	if !strings.Contains(again, "rebuilt byte for byte") {
		t.Errorf("another build has other bytes:\n%s", again)
	}
	if code, _, errs := wikinav(t, "verify", fresh, "--rebuild", dump); code != 2 ||
		!strings.Contains(errs, "--fresh-since") {
		t.Errorf("without the older release: exit %d: %s", code, errs)
	}
}
