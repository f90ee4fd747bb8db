package pipeline_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/pipeline"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// load reads a recipe as a build of some dump follows it.
func load(t *testing.T, name string) pipeline.Recipe {
	t.Helper()
	r, err := pipeline.LoadRecipe(name, pipeline.Input{Dump: "some"})
	must(t, err)
	return r
}

// params returns the parameters of a stage of the demo snapshot under r.
func params(r pipeline.Recipe, stage string) string {
	for _, s := range pipeline.Registry(r, pipeline.Source{}) {
		if s.Spec().Name == stage {
			return string(canon.MustMarshal(s.Spec().Params))
		}
	}
	return ""
}

func TestValuesLieOverTheRecipe(t *testing.T) {
	for _, c := range []struct{ set, stage, want string }{
		{"graph.link_parts=body,tables", "linkgraph", `"link_parts":["body","tables"]`},
		{`graph.link_parts=["body"]`, "linkgraph", `"link_parts":["body"]`},
		{"ingest.anchors=off", "ingest", `"anchors":"off"`},
		{"targets.max_store=2KiB", "targets", `"max_store":2048`},
		{"targets.seed=-7", "targets", `"seed":-7`},
		{"labels.policy=false", "labels", `"policy":false`},
		{"wikirace.game_seed=5", "wikirace", `"game_seed":5`},
		{`wikirace.splits=[{name="x", size=3, distances=[2]}]`, "wikirace", `"splits":[{"distances":[2],"name":"x","size":3}]`},
		{"wikirace.exclude_title_re=^A=B", "wikirace", `"exclude_title_re":"^A=B"`},
		{"constrained.max_share_per_class={num=1, den=2}", "constrained", `"max_share_per_class":{"den":2,"num":1}`},
		{"constrained.preset=small", "constrained", `"n":20`},
	} {
		r := load(t, "strict")
		before, changed := params(r, c.stage), r
		must(t, changed.Set(c.set))
		must(t, changed.Validate())
		if got := params(changed, c.stage); !strings.Contains(got, c.want) || strings.Contains(before, c.want) {
			t.Errorf("%s: the parameters of %s are %s, want %s in them", c.set, c.stage, got, c.want)
		}
		if got := params(r, c.stage); got != before {
			t.Errorf("%s changed the recipe that was copied: %s, was %s", c.set, got, before)
		}
	}
}

// TestAListMayComeFromAFile reads titles a line, from a recipe and from a flag; without quotes a
// text is the one element of a list.
func TestAListMayComeFromAFile(t *testing.T) {
	file, mine := filepath.Join(t.TempDir(), "seeds.txt"), filepath.Join(t.TempDir(), "mine.toml")
	must(t, os.WriteFile(file, []byte("Zar, village\r\n\nÖl (\"x\")\n"), 0o644))
	good, err := os.ReadFile("recipes/strict.toml")
	must(t, err)
	must(t, os.WriteFile(mine, fmt.Appendf(good, "\n[aar]\nseeds = %q\n", file), 0o644))
	list := `"seeds":["Zar, village","Öl (\"x\")"]`
	fromFile, err := pipeline.LoadRecipe(mine, pipeline.Input{Dump: "some"})
	must(t, err)
	fromFlag, one := load(t, "strict"), load(t, "strict")
	must(t, fromFlag.Set(fmt.Sprintf("aar.seeds=%q", file)))
	must(t, one.Set("aar.seeds="+file))
	for _, c := range []struct {
		r    pipeline.Recipe
		want string
	}{{fromFile, list}, {fromFlag, list}, {one, `"seeds":["` + file + `"]`}} {
		if got := params(c.r, "aar"); !strings.Contains(got, c.want) {
			t.Errorf("the parameters are %s, want %s in them", got, c.want)
		}
	}
	err = one.Set(`aar.seeds="none.txt"`)
	if !errors.Is(err, fault.Usage) || !strings.Contains(err.Error(), "none.txt") {
		t.Errorf("a file that is not there: %v, want a usage error that names it", err)
	}
}

func TestAWrongValueIsAUsageErrorThatSaysWhatIsRight(t *testing.T) {
	for set, says := range map[string]string{
		"wikirace":                     "want TABLE.KEY=VALUE",
		"wikirace=3":                   "want TABLE.KEY=VALUE",
		"wiki.x=3":                     "choose from graph, ingest, labels, targets, distances, wikirace",
		"wikirace.max_link=3":          "max_attempts, max_links, max_steps",
		"wikirace.recipe_sha256=":      "has no key \"recipe_sha256\" (choose from", // follows from the graph, and is nobody's to choose
		"wikirace.max_links=many":      "max_links=many: want a whole number",
		"wikirace.max_links=3.5":       "max_links=3.5: want a whole number",
		"labels.policy=maybe":          "want true or false",
		"wikirace.splits=[1]":          "a table with distances, name, size",
		"wikirace.splits=[{a=1}]":      "a table with distances, name, size",
		"lumina.test=9007199254740993": "lumina.test=9007199254740993: want a whole number",
	} {
		r := load(t, "strict")
		if err := r.Set(set); !errors.Is(err, fault.Usage) || !strings.Contains(err.Error(), says) {
			t.Errorf("--set %s: %v, want a usage error with %q", set, err, says)
		}
	}
}

func TestAPresetIsTheGroundOfTheOtherValues(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.toml")
	writeOver(t, path, "[constrained]\npreset = \"small\"\nn = 7\nmax_attempts = 9\n")
	of := func(sets ...string) string {
		r := load(t, path)
		for _, set := range sets {
			must(t, r.Set(set))
		}
		return params(r, "constrained")
	}
	for _, c := range []struct {
		got  string
		want []string
	}{
		{of(), []string{`"n":7`, `"max_attempts":9`, `"source_min_out":5`}},
		{of("constrained.preset=paper"), []string{`"n":100`, `"max_attempts":100000`, `"source_min_out":50`}},
		{of("constrained.n=8", "constrained.preset=paper"), []string{`"n":8`, `"source_min_out":50`}},
		{of("constrained.n=8"), []string{`"n":8`, `"max_attempts":9`, `"source_min_out":5`}},
	} {
		for _, want := range c.want {
			if !strings.Contains(c.got, want+",") {
				t.Errorf("%s lacks %s", c.got, want)
			}
		}
	}
}

// writeOver writes a recipe of its own to path: strict, and then text.
func writeOver(t *testing.T, path, text string) {
	t.Helper()
	strict, err := os.ReadFile("recipes/strict.toml")
	must(t, err)
	must(t, os.WriteFile(path, append(strict, "\n"+text...), 0o644))
}

func TestTheDemoHasTheSamePagesUnderABanWithAndWithoutARecipe(t *testing.T) {
	own := filepath.Join(t.TempDir(), "own.toml")
	writeOver(t, own, "")
	paper := filepath.Join(t.TempDir(), "paper.toml")
	writeOver(t, paper, "[constrained]\npreset = \"paper\"\n")
	some := filepath.Join(t.TempDir(), "some.toml")
	writeOver(t, some, "[constrained]\nn = 50\n")
	for _, c := range []struct{ recipe, set, onDemo, onDump string }{
		{"strict", "", `"n":20`, `"n":100`},
		{"sdow-like", "", `"n":20`, `"n":100`},
		{own, "", `"n":20`, `"n":100`},
		{some, "", `"n":50`, `"n":50`},
		{paper, "", `"n":100`, `"n":100`},
		{"strict", "constrained.preset=paper", `"n":100`, `"n":100`},
		{paper, "constrained.preset=small", `"n":20`, `"n":20`},
	} {
		for in, want := range map[string]string{"": c.onDemo, "some.xml": c.onDump} {
			r, err := pipeline.LoadRecipe(c.recipe, pipeline.Input{Dump: in})
			must(t, err)
			if c.set != "" {
				must(t, r.Set(c.set))
			}
			if got := params(r, "constrained"); !strings.Contains(got, want+",") {
				t.Errorf("--dump %q --recipe %s --set %q: %s, want %s", in, c.recipe, c.set, got, want)
			}
		}
	}
}

func TestTheRootSeedIsThatOfEveryFamilyAndOfNothingElse(t *testing.T) {
	r := load(t, "strict")
	must(t, r.SetSeed(7))
	seeded := 0
	for _, s := range pipeline.Registry(r, pipeline.Source{}) {
		if strings.Contains(string(canon.MustMarshal(s.Spec().Params)), `"seed":7`) {
			seeded++
		}
	}
	if want := len(pipeline.Families()); seeded != want || want == 0 {
		t.Errorf("%d stages follow the root seed, want those of %v", seeded, pipeline.Families())
	}
}

func TestAWrongRecipeFileIsNamedWithTableAndKey(t *testing.T) {
	good, err := os.ReadFile("recipes/strict.toml")
	must(t, err)
	for add, says := range map[string]string{
		"[race]\nx = 1\n":     "a recipe has no table \"race\"",
		"[wiki]\n":            "choose from graph",
		"[x]\n[x.y]\nz = 1\n": "a recipe has no table \"x\"",
		"x = 1\n":             "[lumina] has no key \"x\"",
		"[targets.seed]\n":    "this is no TOML: key seed",
		"\x00":                "toml: ",
		"test = 1\n":          "toml: ",
	} {
		path := filepath.Join(t.TempDir(), "mine.toml")
		must(t, os.WriteFile(path, append(good, add...), 0o644))
		_, err := pipeline.LoadRecipe(path, pipeline.Input{Dump: "some"})
		if !errors.Is(err, fault.Usage) || !strings.HasPrefix(err.Error(), path+": ") || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q of %s", add, err, says, path)
		}
	}
}
