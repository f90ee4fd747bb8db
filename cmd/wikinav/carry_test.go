package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/artifacts/release/releasetest"
	"github.com/wikinav/wikinav/artifacts/wikirace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// record is what the tests read of a record.
type record struct {
	ID             string
	Key            string
	Source, Target schemas.PageRef
	Distance       int
	Witness        []uint32
	line           string
}

func recordsOf(t *testing.T, path string) (list []record) {
	t.Helper()
	for line := range bytes.Lines(contentOf(t, path)) {
		x := record{line: string(line)}
		if err := json.Unmarshal(line, &x); err != nil {
			t.Fatal(err)
		}
		list = append(list, x)
	}
	return list
}

func byID(list []record) map[string]record {
	out := map[string]record{}
	for _, x := range list {
		out[x.ID] = x
	}
	return out
}

// carriedPair builds two releases of Wikispeedia, the later one without 500 links, which takes over
// what it can of the older one.
func carriedPair(t *testing.T) (old, carried, work string, links map[string][]string, args []string) {
	t.Helper()
	now, then, _ := olderLinks(t)
	dir := t.TempDir()
	old, carried, work = filepath.Join(dir, "old"), filepath.Join(dir, "carried"), filepath.Join(dir, "w2")
	splits := []string{"--wiki", "wikispeedia", "--split", "near:60:2,3", "--split", "far:40:4,5", "--progress", "none"}
	args = []string{"--licence", "CC-BY-SA-3.0", "--attribution", "schools-wikipedia.org", "--allow-short"}
	w1 := filepath.Join(dir, "w1")
	must(t, append([]string{"build", "--work", w1, "--edges", now, "--date", "20080101"}, splits...)...)
	must(t, append([]string{"release", "--work", w1, "--out", old}, args...)...)
	must(t, append([]string{
		"build", "--work", work, "--edges", then, "--date", "20090101", "--targets", old,
	}, splits...)...)
	must(t, append([]string{"release", "--work", work, "--out", carried, "--carry", old}, args...)...)
	links = map[string][]string{}
	for line := range strings.Lines(string(contentOf(t, then))) {
		source, target, _ := strings.Cut(strings.TrimSpace(line), "\t")
		source, target = plainName(t, source), plainName(t, target)
		links[source] = append(links[source], target)
	}
	return old, carried, work, links, args
}

func TestACarriedReleaseKeepsWhatHoldsByteForByte(t *testing.T) {
	old, carried, work, links, args := carriedPair(t)
	states := map[string][]string{}
	for _, i := range compare(t, old, carried).Instances {
		if i.State != "added" {
			states[i.Split] = append(states[i.Split], i.State)
		}
	}
	kept, drawn, titles := 0, 0, titlesIn(t, carried)
	for _, file := range []string{"splits/near", "splits/far", "probe/probe"} {
		was, is := recordsOf(t, filepath.Join(old, file+".jsonl")), recordsOf(t, filepath.Join(carried, file+".jsonl"))
		now := byID(is)
		for i, x := range was {
			later, there := now[x.ID]
			if holds := states[file][i] == "same"; holds != there || holds && later.line != x.line {
				t.Errorf("%s, which is %s, is carried: %t\n%s%s", x.ID, states[file][i], there, x.line, later.line)
			}
			if there {
				kept++
			}
			delete(now, x.ID)
		}
		drawn += len(now)
		for id := range now {
			last := was[len(was)-1].ID
			if len(id) == len(last) && strings.HasPrefix(id, last[:len(last)-4]) && id <= last {
				t.Errorf("%s is a number that the older release has used", id)
			}
		}
		if len(is) != len(was) {
			t.Errorf("%s: %d records, want the %d of the older release", file, len(is), len(was))
		}
		for _, x := range is {
			if d := distancesOf(links, x.Source.Title)[x.Target.Title]; d != x.Distance {
				t.Errorf("%s: distance %d, it is %d", x.ID, x.Distance, d)
			}
			var path []string
			for _, u := range x.Witness {
				path = append(path, titles[u])
			}
			if len(path) > 0 && isBroken(links, path) {
				t.Errorf("%s: its witness %v has a link that is none", x.ID, path)
			}
		}
	}
	if kept < 1000 || drawn < 5 {
		t.Errorf("%d records kept and %d drawn, want some of both", kept, drawn)
	}
	t.Logf("%d records are carried, %d newly drawn", kept, drawn)
	trainsOnNothingScored(t, old, carried)
	wantCarried(t, old, carried)
	again := filepath.Join(t.TempDir(), "again")
	must(t, append([]string{"release", "--work", work, "--out", again, "--carry", old}, args...)...)
	if sums(t, carried) != sums(t, again) {
		t.Error("a second release has other bytes")
	}
	if m := releaseManifest(t, carried); m.Release.Version != "2.0.0" || m.Supersedes == nil ||
		*m.Supersedes != releaseManifest(t, old).ID || m.Carried.Renumbered {
		t.Errorf("version %s supersedes %v, renumbered %t", m.Release.Version, m.Supersedes, m.Carried.Renumbered)
	}
	if said := must(t, "diff", old, carried); !strings.Contains(said, "version: MAJOR, because ") {
		t.Errorf("diff says no MAJOR:\n%s", said)
	}
	playsAndScores(t, carried)
	t.Run("edits", func(t *testing.T) { editsAreFound(t, old, carried) })
	t.Run("killed", func(t *testing.T) { leavesNothingWhenKilled(t, old, work, args) })
}

func releaseManifest(t *testing.T, dir string) *release.Manifest {
	t.Helper()
	r, err := release.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	return r.Manifest()
}

// graphIn opens the graph of a release until the test ends.
func graphIn(t *testing.T, dir string) *graph.Graph {
	t.Helper()
	r, err := release.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	g, err := r.Graph()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// titlesIn lists the titles of a graph by node.
func titlesIn(t *testing.T, dir string) (titles []string) {
	t.Helper()
	g := graphIn(t, dir)
	for u := range g.Len() {
		titles = append(titles, strings.Clone(g.Title(uint32(u))))
	}
	return titles
}

// wantCarried verifies a carried release at every level, and that its records are those of the
// older one.
func wantCarried(t *testing.T, old, carried string) {
	t.Helper()
	said := must(t, "verify", carried, "--level", "3")
	for _, want := range []string{"skipped: features of ", "wikinav verify --carried OLD proves it"} {
		if !strings.Contains(said, want) {
			t.Errorf("verify does not say %q:\n%s", want, said)
		}
	}
	proved := must(t, "verify", carried, "--carried", old)
	if !strings.Contains(proved, "covered: splits/: that ") || strings.Contains(proved, "--carried OLD") {
		t.Errorf("verify --carried:\n%s", proved)
	}
}

// trainsOnNothingScored compares first moves up to what they share with others, and looks for
// targets that are scored.
func trainsOnNothingScored(t *testing.T, old, carried string) {
	t.Helper()
	scored := map[uint32]bool{}
	for _, file := range []string{"splits/near", "splits/far", "probe/probe"} {
		for _, x := range recordsOf(t, filepath.Join(carried, file+".jsonl")) {
			scored[x.Target.Node] = true
		}
	}
	was, same := byID(recordsOf(t, filepath.Join(old, "onestep", "train.jsonl"))), 0
	for _, x := range recordsOf(t, filepath.Join(carried, "onestep", "train.jsonl")) {
		if scored[x.Target.Node] {
			t.Errorf("%s has the target of an instance that is scored", x.ID)
		}
		before, _, _ := strings.Cut(was[x.ID].line, `"overlap":`)
		now, _, _ := strings.Cut(x.line, `"overlap":`)
		if was[x.ID].ID != "" && before != now {
			t.Errorf("%s is another: %s%s", x.ID, was[x.ID].line, x.line)
		} else if was[x.ID].ID != "" {
			same++
		}
	}
	if same < 700 {
		t.Errorf("%d first moves are carried, want most", same)
	}
}

// playsAndScores plays carried and new instances with the other program, as anybody would.
func playsAndScores(t *testing.T, dir string) {
	t.Helper()
	home := t.TempDir()
	shell := newShell(t, t.TempDir(), home)
	shell(fmt.Sprintf("ln -s %s release", dir))
	shell("wikinav-eval verify release > /dev/null")
	shell("wikinav-eval play --release release --split near --player shortest --out runs/a > /dev/null")
	shell("wikinav-eval score --release release --trajectories runs/a --json > score.json")
	score := contentOf(t, filepath.Join(home, "score.json"))
	if !bytes.Contains(score, []byte(`"value":"1.00000e+00"`)) {
		t.Errorf("the shortest paths do not all succeed: %.600s", score)
	}
	undeclared := filepath.Join(home, "undeclared")
	f := &forger{t, undeclared, nil}
	f.check(os.CopyFS(undeclared, os.DirFS(dir)))
	m := releaseManifest(t, undeclared)
	m.Carried = nil
	m.ID = release.ID(m)
	f.write(release.ManifestName, release.Encode(m))
	shell("! wikinav-eval play --release undeclared --split near --player shortest --out runs/b 2> refused")
	if said := contentOf(t, filepath.Join(home, "refused")); !bytes.Contains(said, []byte("not of this release's")) {
		t.Errorf("records that nobody declared are played: %s", said)
	}
}

// editsAreFound edits a carried record: the digests find it, and where they are in line, the older
// release.
func editsAreFound(t *testing.T, old, carried string) {
	edit := func(change func(f *forger, list []schemas.WikiraceInstance), seal bool) string {
		f := &forger{t, filepath.Join(t.TempDir(), "edited"), rng.New(1, "edits")}
		f.check(os.CopyFS(f.dir, os.DirFS(carried)))
		list, err := jsonl.Decode[schemas.WikiraceInstance](f.read("splits/near.jsonl"), "near",
			schemas.WikiraceInstanceSchema)
		f.check(err)
		change(f, list)
		f.write("splits/near.jsonl", jsonl.Encode(list))
		if seal {
			f.write("splits/near.ids", wikirace.IDs(list))
			f.fill("splits/near.parquet", func(out io.Writer) (arrowio.Summary, error) {
				return wikirace.Table.WriteParquet(out, list)
			})
			f.reseal()
		}
		return f.dir
	}
	walk := func(_ *forger, list []schemas.WikiraceInstance) { list[7].Features.RWFull = "5.00000e-01" }
	code, out, _ := wikinav(t, "verify", edit(walk, false), "--level", "1")
	if code != 3 || !strings.Contains(out, "splits/near.jsonl") {
		t.Errorf("an edit under the old digests: exit %d\n%s", code, out)
	}
	for name, change := range map[string]func(*forger, []schemas.WikiraceInstance){
		"a feature": walk,
		"a graph that the manifest does not have": func(_ *forger, list []schemas.WikiraceInstance) {
			list[7].GraphSHA256 = strings.Repeat("a", 64)
		},
		"another pair under the id": func(_ *forger, list []schemas.WikiraceInstance) {
			id := list[7].ID
			list[7] = list[len(list)-1]
			list[7].ID = id
		},
	} {
		code, out, errs := wikinav(t, "verify", edit(change, true), "--carried", old)
		if code != 3 || !strings.Contains(out, "near.jsonl: line 8:") && !strings.Contains(out, "near.jsonl, line 8") {
			t.Errorf("%s: exit %d, and its place is not named: %s\n%s", name, code, errs, out)
		}
	}
	code, _, errs := wikinav(t, "verify", carried, "--carried", carried)
	if code != 3 || !strings.Contains(errs, "records are carried from release") {
		t.Errorf("another older release: exit %d: %s", code, errs)
	}
	code, _, errs = wikinav(t, "verify", old, "--carried", carried)
	if code != 2 || !strings.Contains(errs, "took no records over") {
		t.Errorf("a release that carries nothing: exit %d: %s", code, errs)
	}
}

// leavesNothingWhenKilled kills the program at some moments: there is a whole release or none.
func leavesNothingWhenKilled(t *testing.T, old, work string, args []string) {
	out := filepath.Join(t.TempDir(), "out")
	command := append([]string{"release", "--work", work, "--out", out, "--carry", old}, args...)
	for range 4 {
		cmd := process(t, command...)
		time.Sleep(rand.N(1500 * time.Millisecond))
		cmd.Process.Kill()
		if err := cmd.Wait(); err == nil {
			break
		}
		if entries, err := os.ReadDir(out); err == nil && len(entries) > 0 {
			must(t, "verify", out) // it was there before the kill
			break
		}
	}
	if entries, err := os.ReadDir(out); err != nil || len(entries) == 0 {
		must(t, command...)
	}
	must(t, "verify", out, "--carried", old)
}

// snapshot writes a dump of 160 pages that link to some neighbours each, without the pages that are
// gone, and with other titles for some.
func snapshot(t *testing.T, path string, gone []int, renamed map[int]string) {
	t.Helper()
	r, pages := rng.New(7, "snapshot"), []wikiPage{}
	title := func(id int) string {
		if name := renamed[id]; name != "" {
			return name
		}
		return fmt.Sprintf("P%03d", id)
	}
	for id := 1; id <= 160; id++ {
		text := title(id%160 + 1)
		for range 2 + r.Below(4) {
			text += " " + title((id+r.Below(30)+145)%160+1)
		}
		if !slices.Contains(gone, id) {
			pages = append(pages, wikiPage{id, title(id), text})
		}
	}
	writeWiki(t, path, pages)
}

func TestCarriedRecordsOfADumpFollowTheNumberingOfItsPages(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	args := []string{"--split", "tiny:40:2,3", "--set", "wikirace.reuse=any", "--wiki", "twiki", "--progress", "none"}
	make := func(name, day string, gone []int, renamed map[int]string, build, release []string) {
		dump := at("twiki-" + day + "-pages-articles.xml")
		snapshot(t, dump, gone, renamed)
		must(t, slices.Concat([]string{"build", "--dump", dump, "--work", at("work-" + name)}, args, build)...)
		must(t, slices.Concat([]string{
			"release", "--work", at("work-" + name), "--out", at(name), "--allow-short",
		}, release)...)
	}
	make("one", "20260101", nil, nil, nil, nil)
	make("two", "20260201", []int{3, 40}, map[int]string{60: "Renamed", 90: "Called_otherwise"},
		[]string{"--targets", at("one")}, []string{"--carry", at("one")})
	make("three", "20260301", []int{3, 40, 5}, map[int]string{60: "Renamed", 90: "P090"},
		[]string{"--targets", at("two")}, []string{"--carry", at("two")})
	wantCarried(t, at("one"), at("two"))
	wantCarried(t, at("two"), at("three"))
	if m := releaseManifest(t, at("three")); !m.Carried.Renumbered || len(m.Carried.Graphs) != 2 {
		t.Errorf("renumbered %t, of %d graphs; want pages that are, and two",
			m.Carried.Renumbered, len(m.Carried.Graphs))
	}
	releasetest.Trace(t, at("three"), artifacts.All)
	pairs := map[string]string{}
	for i, name := range []string{"one", "two", "three"} {
		if i > 0 {
			sameButForNames(t, at([]string{"one", "two"}[i-1]), at(name))
		}
		for _, x := range recordsOf(t, filepath.Join(at(name), "splits", "tiny.jsonl")) {
			if before, used := pairs[x.ID]; used && before != x.Key {
				t.Errorf("%s: %s was %s", name, x.ID, before)
			}
			pairs[x.ID] = x.Key
		}
	}
	dump := at("twiki-20260201-pages-articles.xml")
	said := must(t, "verify", at("two"), "--rebuild", dump, "--carried", at("one"))
	if !strings.Contains(said, "rebuilt byte for byte") {
		t.Errorf("another build has other bytes:\n%s", said)
	}
	code, _, errs := wikinav(t, "verify", at("two"), "--rebuild", dump)
	if code != 2 || !strings.Contains(errs, "--carried") {
		t.Errorf("a rebuild without the older release: exit %d: %s", code, errs)
	}
}

// sameButForNames compares carried records field by field: nodes by the pages that they are, and
// titles by nothing.
func sameButForNames(t *testing.T, old, now string) {
	t.Helper()
	then, since := pageIDsOf(t, old), pageIDsOf(t, now)
	was, kept, moved := byID(recordsOf(t, filepath.Join(old, "splits", "tiny.jsonl"))), 0, false
	for _, x := range recordsOf(t, filepath.Join(now, "splits", "tiny.jsonl")) {
		before, carried := was[x.ID]
		if !carried {
			continue
		}
		kept++
		moved = moved || before.Source.Node != x.Source.Node
		a, b := unnamed(t, before.line, then), unnamed(t, x.line, since)
		if a != b {
			t.Errorf("%s is another:\n%s\n%s", x.ID, a, b)
		}
	}
	if kept < 20 || !moved {
		t.Errorf("%d records are carried, with other nodes: %t", kept, moved)
	}
}

func pageIDsOf(t *testing.T, dir string) []uint32 {
	t.Helper()
	return slices.Clone(graphIn(t, dir).PageIDs)
}

// unnamed is a record with page ids in place of nodes, and without titles.
func unnamed(t *testing.T, line string, ids []uint32) string {
	t.Helper()
	var x schemas.WikiraceInstance
	if err := json.Unmarshal([]byte(line), &x); err != nil {
		t.Fatal(err)
	}
	for _, p := range []*schemas.PageRef{&x.Source, &x.Target} {
		if ids[p.Node] != p.PageID {
			t.Errorf("%s: node %d is page %d, not %d", x.ID, p.Node, ids[p.Node], p.PageID)
		}
		p.Node, p.Title = 0, ""
	}
	for _, list := range [][]uint32{x.Witness, x.Features.Bottlenecks, x.Features.Dominators} {
		for i, u := range list {
			list[i] = ids[u]
		}
	}
	return string(jsonl.Encode([]schemas.WikiraceInstance{x}))
}

func TestWhatCannotBeCarriedIsRefused(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	snapshot(t, at("twiki-20260101-pages-articles.xml"), nil, nil)
	build := func(work string, more ...string) {
		must(t, append([]string{
			"build", "--dump", at("twiki-20260101-pages-articles.xml"), "--wiki", "twiki",
			"--work", at(work), "--progress", "none",
			"--set", "wikirace.reuse=any",
		}, more...)...)
	}
	build("work", "--split", "tiny:40:2,3")
	must(t, "release", "--work", at("work"), "--out", at("old"), "--allow-short")
	build("few", "--split", "tiny:40:2,3", "--targets", "random:12", "--seed", "7")
	build("other", "--split", "tiny:20:2,3")
	build("once", "--split", "tiny:40:2,3", "--set", "wikirace.reuse=targets")
	putFile(t, at("g9.tsv"), []byte(g9))
	must(t, "build", "--edges", at("g9.tsv"), "--work", at("foreign"), "--split", "tiny:4:2,3", "--progress", "none")
	if err := os.CopyFS(at("damaged"), os.DirFS(at("old"))); err != nil {
		t.Fatal(err)
	}
	lines := contentOf(t, filepath.Join(at("old"), "splits", "tiny.jsonl"))
	putFile(t, filepath.Join(at("damaged"), "splits", "tiny.jsonl"),
		bytes.Replace(lines, []byte("P0"), []byte("P1"), 1))
	for _, c := range []struct {
		work string
		code int
		says []string
		more []string
	}{
		{
			"foreign", 2,
			[]string{"its wiki is twiki", "older snapshot"},
			[]string{"--licence", "CC0-1.0", "--carry", at("old")},
		},
		{"work", 3, []string{"tiny.jsonl", "SHA-256"}, []string{"--carry", at("damaged")}},
		{"few", 10, []string{"no distance column", "--targets"}, []string{"--carry", at("old")}},
		{"other", 2, []string{"asks for 10 of tiny at distance 2", "--recipe"}, []string{"--carry", at("old")}},
		{"once", 2, []string{`"any"`, "--set wikirace.reuse=any"}, []string{"--carry", at("old")}},
		{"work", 10, []string{"nowhere"}, []string{"--carry", at("nowhere")}},
		{"work", 2, []string{"--redraw", "no such family"}, []string{"--carry", at("old"), "--redraw", "mazes"}},
		{"work", 2, []string{"needs --carry"}, []string{"--redraw", "probe"}},
	} {
		args := append([]string{"release", "--work", at(c.work), "--out", at("out"), "--allow-short"}, c.more...)
		code, _, errs := wikinav(t, args...)
		for _, says := range c.says {
			if code != c.code || !strings.Contains(errs, says) {
				t.Errorf("%v: exit %d, want %d and %q: %s", args, code, c.code, says, errs)
			}
		}
		if _, err := os.Stat(at("out")); err == nil {
			t.Fatalf("%v left a release", args)
		}
	}
}

func TestAFamilyThatCannotBeCarriedIsDrawnAnewWhenAsked(t *testing.T) {
	old := townRelease(t)
	work, out := filepath.Join(filepath.Dir(old), "work"), filepath.Join(filepath.Dir(old), "again")
	args := []string{"release", "--work", work, "--out", out, "--licence", "CC0-1.0", "--allow-short", "--carry", old}
	code, _, errs := wikinav(t, args...)
	if code != 2 || !strings.Contains(errs, "constrained cannot be carried: ") ||
		!strings.Contains(errs, "--redraw constrained") {
		t.Errorf("exit %d: %s", code, errs)
	}
	must(t, append(args, "--redraw", "constrained", "--redraw", "probe")...)
	must(t, "verify", out, "--level", "3", "--carried", old)
	was := byID(recordsOf(t, filepath.Join(old, "probe", "probe.jsonl")))
	for _, x := range recordsOf(t, filepath.Join(out, "probe", "probe.jsonl")) {
		if _, used := was[x.ID]; used {
			t.Errorf("%s is drawn anew under a number that was used", x.ID)
		}
	}
	if m := releaseManifest(t, out); m.Release.Version != "2.0.0" || !m.Carried.Parts["probe"].Redrawn {
		t.Errorf("version %s, %+v", m.Release.Version, m.Carried.Parts["probe"])
	}
}
