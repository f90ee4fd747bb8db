package mango

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/wikinav/wikinav/artifacts/mango/maze"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/family/familytest"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

func TestQuestionsAboutMazesAreAFamily(t *testing.T) {
	m := importOf(t, map[string][]schemas.MangoEdge{"big": worked(), "small": worked()[:3]}).publish(t)
	familytest.Check(t, m.subject(t))
	familytest.Check(t, m.subject(t, "prefix=12", "rule=released"))
}

// The prompts are those of the release, or what wikinav mango questions writes for that prefix.
func TestAQuestionIsAskedAsItIsPublishedOrCutAtAPrefix(t *testing.T) {
	m := importOf(t, map[string][]schemas.MangoEdge{"905": worked()}).publish(t)
	for _, n := range []int{0, 3, 12, 19, walkTo} {
		sub := m.subject(t, fmt.Sprintf("prefix=%d", n))
		prompts := map[string]string{}
		for _, q := range m.questions(t, n) {
			prompts[idOf(q.MazeID, q.QuestionID, n)] = q.Prompt
		}
		tasks := append(familytest.Tasks(t, sub.Set, "df"), familytest.Tasks(t, sub.Set, "rf")...)
		if len(tasks) != len(prompts) {
			t.Errorf("prefix %d: %d tasks, want %d", n, len(tasks), len(prompts))
		}
		for _, task := range tasks {
			e, err := sub.Set.Start(task, sub.Options, family.Manner{})
			if err != nil {
				t.Fatal(err)
			}
			if got := e.Messages(); len(got) != 1 || got[0].Role != schemas.RoleUser || got[0].Content != prompts[task.ID] {
				t.Errorf("prefix %d, %s: got %q, want %q", n, task.ID, got, prompts[task.ID])
			}
		}
	}
	for _, bad := range []string{"-1", "9999", "x", ""} {
		if _, err := Family.Options([]string{"prefix=" + bad}); !errors.Is(err, fault.Usage) {
			t.Errorf("prefix %q: %v", bad, err)
		}
	}
}

func TestAPromptThatShowsAnotherWalkIsRefused(t *testing.T) {
	m := importOf(t, map[string][]schemas.MangoEdge{"905": worked()}).publish(t)
	path := filepath.Join(m.dir, "905", "905"+questionsFile)
	q := m.questions(t, walkTo)[0]
	q.Prompt = "Where are you?"
	put(t, path, lines(q))
	if _, err := openFolder(m.dir, nil); !errors.Is(err, fault.Mismatch) {
		t.Errorf("got %v", err)
	}
}

// The published mazes: every question on them that their walk answers.
func TestGoldenAnswersOfThePublishedMazesScoreOneInEveryMetric(t *testing.T) {
	root := os.Getenv("WIKINAV_SHARED")
	for dir := ".."; root == "" && len(dir) < 40; dir = filepath.Join("..", dir) {
		if _, err := os.Stat(filepath.Join(dir, "shared", "data", "mango")); err == nil {
			root = filepath.Join(dir, "shared")
		}
	}
	if _, err := os.Stat(filepath.Join(root, "data", "mango", maze.Shipped)); root == "" || err != nil {
		t.Skip("no published mazes (set WIKINAV_SHARED to the folder that holds data/mango)")
	}
	edges := map[string][]schemas.MangoEdge{}
	for _, game := range []string{"905", "zork1", "infidel", "advent", "night"} {
		paths, err := filepath.Glob(filepath.Join(root, "data", "mango", maze.Shipped, "*", game+maze.EdgesFile))
		if flat, _ := filepath.Glob(filepath.Join(root, "data", "mango", maze.Shipped, game+maze.EdgesFile)); len(paths) == 0 {
			paths = flat
		}
		if err != nil || len(paths) != 1 {
			t.Fatalf("%s: %v, %v", game, paths, err)
		}
		data, err := os.ReadFile(paths[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, edges[game], err = maze.DecodeEdges(game, data); err != nil {
			t.Fatal(err)
		}
	}
	sub := importOf(t, edges).publish(t).subject(t)
	golden := baseline(t, sub, "golden")
	dir := sub.Play(t, append(familytest.Tasks(t, sub.Set, "df"), familytest.Tasks(t, sub.Set, "rf")...), golden.Name, golden.Kind, golden.Start)
	s, err := sub.Score(t, dir, family.Request{})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Rows) < 4 {
		t.Errorf("%d rows", len(s.Rows))
	}
	for _, r := range s.Rows {
		for _, score := range scores {
			if got := text(r, score); got != "1.0000/1.0000 1.0000/1.0000" {
				t.Errorf("%s %v: %s %s", r.Split, r.By, score, got)
			}
		}
	}
}

func baseline(t *testing.T, sub familytest.Subject, name string) family.Baseline {
	t.Helper()
	for _, b := range sub.Set.Baselines() {
		if b.Name == name {
			return b
		}
	}
	t.Fatalf("there is no %s", name)
	return family.Baseline{}
}

func TestAQuestionSaysHowHardItIsToThoseWhoDoNotPlay(t *testing.T) {
	m := importOf(t, map[string][]schemas.MangoEdge{"905": worked()}).publish(t)
	d := m.subject(t).Set.(family.Described)
	id := idOf("905", m.find(t, "905", "df", "driveway", "bathroom"), walkTo)
	got, ok := d.Difficulty(id)
	const want = `{"Called":"moves","Features":[{"Name":"class","Value":"hard"},` +
		`{"Name":"prefix_step","Value":"20"},{"Name":"answerable_from","Value":"17"},` +
		`{"Name":"diff_shortest","Value":"0"},{"Name":"confusing_names","Value":"0"},` +
		`{"Name":"imputed_edges","Value":"2"},{"Name":"path_length","Value":"3"}],"Length":3}`
	if !ok || string(canon.MustMarshal(got)) != want {
		t.Errorf("got %s", canon.MustMarshal(got))
	}
	if _, ok := d.Difficulty("nobody"); ok {
		t.Error("an instance that there is not is described")
	}
}

func TestNamesThatAreEasilyTakenForEachOther(t *testing.T) {
	got := confusing([]string{"Attic", "East of House", "Great Hall", "Hall", "Hallway", "Kitchen", "West of House"})
	want := map[string]bool{"Great Hall": true, "Hall": true, "East of House": true, "West of House": true}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestAMazeIsMeasuredAsAWhole(t *testing.T) {
	m := importOf(t, map[string][]schemas.MangoEdge{"905": worked()}).publish(t)
	set := m.subject(t).Set
	clusters, err := set.(family.Clustered).Clusters()
	if err != nil || len(clusters) != 1 || clusters[0].Name != "905" {
		t.Fatalf("clusters %+v, %v", clusters, err)
	}
	tasks, way := 0, 0
	for _, split := range set.Splits() {
		for _, task := range familytest.Tasks(t, set, split.Name) {
			d, _ := set.(family.Described).Difficulty(task.Instance)
			tasks, way = tasks+1, way+d.Length
		}
	}
	measures := map[string]float64{}
	for _, f := range clusters[0].Measures {
		measures[f.Name] = judge.Number(f.Value)
	}
	places, imputed := map[string]bool{}, 0
	for _, e := range worked() {
		places[e.SrcNode], places[e.DstNode] = true, true
		imputed += judge.One(e.SeenInForward == schemas.MangoNever)
	}
	if len(clusters[0].Instances) != tasks || measures["locations"] != float64(len(places)) ||
		measures["moves"] != float64(len(worked())) || measures["imputed_edges"] != float64(imputed) ||
		math.Abs(measures["path_length"]-float64(way)/float64(tasks)) > 1e-4 ||
		measures["words_per_scene"] <= 0 {
		t.Errorf("%d instances of %d, measures %v", len(clusters[0].Instances), tasks, measures)
	}
}
