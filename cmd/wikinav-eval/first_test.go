package main

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/jsonl/jsonltest"
	"github.com/wikinav/wikinav/artifacts/mango/maze"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	mazes "github.com/wikinav/wikinav/stages/mango"
)

// addMazes adds three mazes of one edge, with the questions on them, to a release; again has the
// second line of each question file stand twice.
func addMazes(t *testing.T, dir string, again bool) {
	t.Helper()
	in, out, files := t.TempDir(), t.TempDir(), map[string]string{}
	for _, game := range []string{"a", "b", "c"} {
		writeText(t, filepath.Join(in, game+".edges.json"), "["+mangoRow+"]")
		var walk []maze.WalkStep
		var steps strings.Builder
		for i := range 5 {
			s := maze.WalkStep{Act: "go", Observation: fmt.Sprintf("place %d", i)}
			walk = append(walk, s)
			fmt.Fprintf(&steps, "%s\n", canon.MustMarshal(schemas.MangoStep{
				Step: i, Act: s.Act, Exits: []string{}, Observation: s.Observation,
			}))
		}
		text := maze.NewWalkthrough(walk).Text
		writeText(t, filepath.Join(in, game+maze.WalkthroughFile), string(text))
		must(t, os.MkdirAll(filepath.Join(out, game), 0o755))
		writeText(t, filepath.Join(out, game, game+maze.StepsFile), steps.String())
		files[game+maze.StepsFile] = steps.String()
	}
	_, err := mazes.Import{Dir: in, Out: out}.Run(t.Context())
	must(t, err)
	must(t, mazes.OpenAll(out, 0, func(o *mazes.Opened) error {
		list, err := o.Questions(mazes.Ask{Steps: 4, Rule: schemas.MangoRulePaper})
		if again && err == nil {
			list = append(list, list[1])
		}
		for _, q := range list {
			files[q.MazeID+maze.QuestionsFile] += string(canon.MustMarshal(q)) + "\n"
		}
		return err
	}))
	for _, game := range []string{"a", "b", "c"} {
		for _, suffix := range []string{maze.EdgesFile, maze.DFFile, maze.RFFile, maze.ExtraFile} {
			data, err := os.ReadFile(filepath.Join(out, game, game+suffix))
			must(t, err)
			files[game+suffix] = string(data)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text := jsonltest.Pack(name, []byte(files[name]))
		addFile(t, dir, path.Join("mango", name), string(text), nil)
	}
}

// first plays games of a family at random, all if limit is 0.
func first(t *testing.T, dir, family string, limit int) result {
	t.Helper()
	return eval("play", "--release", dir, "--family", family, "--player", "random",
		"--limit", fmt.Sprint(limit), "--out", filepath.Join(t.TempDir(), "run"))
}

// Of the files of a family, the first game reads the listed ones; a run without a limit reads all,
// and names the one that is damaged.
func TestTheFirstGameReadsNoFileThatItDoesNotNeed(t *testing.T) {
	dir := newWorlds(t)
	addMazes(t, dir, false)
	for family, want := range map[string]string{
		"lumina": "grid-fewshot.jsonl list-fewshot.jsonl list-test.jsonl tree-fewshot.jsonl",
		"mango":  "a.all2all.jsonl a.edges.json a.questions.jsonl.gz a.steps.jsonl",
	} {
		first(t, dir, family, 1).want(t, 0)
		r, err := release.Open(dir)
		must(t, err)
		names := r.Names(family)
		must(t, r.Close())
		var read []string
		for _, name := range names {
			file := filepath.Join(dir, family, name)
			data, err := os.ReadFile(file)
			must(t, err)
			damaged := slices.Clone(data)
			damaged[len(data)/2] ^= 1
			must(t, os.WriteFile(file, damaged, 0o644))
			if got := first(t, dir, family, 1); got.code != 0 {
				got.want(t, 3)
				read = append(read, name)
			}
			got := first(t, dir, family, 0).want(t, 3)
			if !strings.Contains(got.stderr, family+"/"+name) {
				t.Errorf("all games with %s damaged: %s", name, got.stderr)
			}
			must(t, os.WriteFile(file, data, 0o644))
		}
		if got := strings.Join(read, " "); got != want {
			t.Errorf("%s: the first game reads %s, want %s", family, got, want)
		}
	}
}

// The second line of a file is refused by whoever comes to it, and by no other.
func TestTheFirstGameReadsNoRecordThatItDoesNotNeed(t *testing.T) {
	dir := newWorlds(t)
	file := schemas.LuminaPath(schemas.LuminaGrid, schemas.LuminaTest)
	addMazes(t, dir, true)
	data, err := os.ReadFile(filepath.Join(dir, file))
	must(t, err)
	line, _, _ := strings.Cut(string(data), "\n")
	replaceFile(t, dir, file, line+"\n"+line+"\n")
	for family, place := range map[string]string{
		"lumina --split grid/test": "lumina/grid-test.jsonl: line 2",
		"mango --split df":         "mango/a.questions.jsonl.gz: line 3",
	} {
		args := []string{"play", "--release", dir, "--player", "random", "--family"}
		args = append(args, strings.Fields(family)...)
		eval(append(args, "--limit", "1", "--out", filepath.Join(t.TempDir(), "run"))...).want(t, 0)
		got := eval(append(args, "--out", filepath.Join(t.TempDir(), "run"))...).want(t, 14)
		if !strings.Contains(got.stderr, place) {
			t.Errorf("all games of %s: %s", family, got.stderr)
		}
	}
}

// replaceFile puts another text in place of a file of a release.
func replaceFile(t *testing.T, dir, name, text string) {
	t.Helper()
	addFile(t, dir, name, text, func(m *release.Manifest) {
		old := slices.IndexFunc(m.Files, func(f release.FileEntry) bool { return f.Path == name })
		m.Files = slices.Delete(m.Files, old, old+1)
	})
}
