package pipeline_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/wikinav/wikinav/pipeline"
)

// familyNames lists the files that still hold the name of a family outside its places. It only shrinks; -update writes it.
const familyNames = "testdata/family_names.txt"

// TestNobodyElseKnowsAFamilysName is the design of docs/decisions: a family is one folder of its name on each side, and three
// lines in three registries. Whatever else names a family is a branch or a list that the next one has to be entered in.
func TestNobodyElseKnowsAFamilysName(t *testing.T) {
	found := namings(t, "..", pipeline.Families())
	files := slices.Sorted(maps.Keys(found))
	if *update {
		must(t, os.WriteFile(familyNames, []byte(strings.Join(append(files, ""), "\n")), 0o644))
	}
	data, err := os.ReadFile(familyNames)
	must(t, err)
	listed := strings.Fields(string(data))
	for _, file := range files {
		if !slices.Contains(listed, file) {
			t.Errorf("%s, and in %d more places: ask the registry, or let the family say it through its contract", found[file][0], len(found[file])-1)
		}
	}
	for _, file := range listed {
		if found[file] == nil {
			t.Errorf("%s names no family any more: take it out of %s", file, familyNames)
		}
	}
}

func TestEveryFamilyHasItsRecordAndItsStage(t *testing.T) {
	for _, family := range pipeline.Families() {
		for _, file := range []string{"schemas/" + family + ".go", "stages/" + family + "/" + family + ".go"} {
			if _, err := os.Stat("../" + file); err != nil {
				t.Errorf("family %s lacks %s: CONTRIBUTING.md says what a family needs", family, file)
			}
		}
	}
}

// The only files that hold the names of all families.
var registries = []string{"pipeline/registry.go", "artifacts/parts.go", "eval/families.go"}

// owns reports whether a file is one of the family's own places.
func owns(family, file string) bool {
	for _, side := range []string{"artifacts/", "stages/", "eval/"} {
		if within(file, side+family) {
			return true
		}
	}
	dir, name := path.Split(file)
	return dir == "schemas/" && strings.HasPrefix(name, family) || strings.HasPrefix(dir, "cmd/") && (name == family+".go" || strings.HasPrefix(name, family+"_"))
}

// namings lists by file where the Go code below root, tests apart, names a family that does not own the place.
func namings(t *testing.T, root string, families []string) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	must(t, filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != root && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".")) {
			return fs.SkipDir
		}
		rel, err := filepath.Rel(root, name)
		file := filepath.ToSlash(rel)
		if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || slices.Contains(registries, file) {
			return err
		}
		strange := slices.DeleteFunc(slices.Clone(families), func(f string) bool { return owns(f, file) })
		list, err := namesIn(name, file, strange)
		if len(list) > 0 {
			found[file] = list
		}
		return err
	}))
	return found
}

// namesIn lists the identifiers and string literals of a file that hold one of the names.
func namesIn(name, file string, families []string) ([]string, error) {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var out []string
	look := func(pos token.Pos, text string) {
		for _, word := range wordsOf(text) {
			if slices.Contains(families, word) {
				out = append(out, fmt.Sprintf("%s:%d: %s holds the name of %s", file, fset.Position(pos).Line, text, word))
				return
			}
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			look(n.Pos(), n.Name)
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
				look(n.Pos(), text)
			}
		}
		return true
	})
	return out, nil
}

var notInWords = regexp.MustCompile(`[^\pL\pN]+`)

// wordsOf lists the words of a text in lower case: those between signs, their camel-case parts, and what neighbouring parts
// make together, because OneStep is onestep.
func wordsOf(text string) []string {
	var words []string
	for _, token := range notInWords.Split(text, -1) {
		parts := camel(token)
		for i := range parts {
			for j := i + 1; j <= len(parts); j++ {
				words = append(words, strings.ToLower(strings.Join(parts[i:j], "")))
			}
		}
	}
	return words
}

// camel cuts before a capital that follows a small letter, and before the last capital of several if a small letter follows.
func camel(word string) []string {
	var parts []string
	runes, start := []rune(word), 0
	for i := 1; i < len(runes); i++ {
		up := unicode.IsUpper(runes[i])
		if up && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			parts, start = append(parts, string(runes[start:i])), i
		}
	}
	return append(parts, string(runes[start:]))
}

// TestTheSearchForNamesBites plants one violation of each kind in a small tree, next to what is allowed.
func TestTheSearchForNamesBites(t *testing.T) {
	root := t.TempDir()
	for file, text := range map[string]string{
		// Wrong.
		"a/variable.go":          "package a\n\nvar mangoCount int\n",
		"a/middle.go":            "package a\n\nfunc HasMangoRows() {}\n",
		"a/acronym.go":           "package a\n\ntype MANGORow struct{}\n",
		"a/together.go":          "package a\n\nfunc OneStepOnly() {}\n",
		"a/field.go":             "package a\n\ntype t struct{ x struct{ OneStep int } }\n",
		"a/tag.go":               "package a\n\ntype u struct {\n\tX int `json:\"mango\"`\n}\n",
		"a/literal.go":           "package a\n\nconst file = \"splits/mango.jsonl\"\n",
		"a/code.go":              "package a\n\nconst code = \"W_MANGO_SHORT\"\n",
		"a/import.go":            "package a\n\nimport _ \"example.org/stages/mango\"\n",
		"mango/package.go":       "package mango\n",
		"stages/onestep/rule.go": "package onestep\n\nconst other = \"mango\"\n",
		"stages/mangofruit/f.go": "package f\n\nvar mango int\n",
		"schemas/other.go":       "package schemas\n\ntype Mango struct{}\n",
		"cmd/x/play.go":          "package main\n\nfunc playMango() {}\n",
		"pipeline/other.go":      "package pipeline\n\nvar onestep int\n",
		// Right.
		"a/clean.go":               "package a\n\n// Mango and OneStep may stand in a comment.\nvar mangle, stepOne = \"mangos, one step\", 'm'\n",
		"a/a_test.go":              "package a\n\nvar mango int\n",
		"a/testdata/x.go":          "package a\n\nvar mango int\n",
		"artifacts/mango/x.go":     "package mango\n",
		"stages/mango/prompt/x.go": "package prompt\n\nvar mango int\n",
		"eval/onestep/x.go":        "package onestep\n",
		"schemas/mango_params.go":  "package schemas\n\ntype MangoParams struct{}\n",
		"cmd/x/mango.go":           "package main\n\nvar mango int\n",
		"cmd/x/mango_maze.go":      "package main\n\nvar mangoMaze int\n",
		"pipeline/registry.go":     "package pipeline\n\nvar mango, onestep int\n",
		"artifacts/parts.go":       "package artifacts\n\nvar mango int\n",
		"eval/families.go":         "package eval\n\nvar mango int\n",
	} {
		must(t, os.MkdirAll(filepath.Join(root, filepath.Dir(file)), 0o755))
		must(t, os.WriteFile(filepath.Join(root, file), []byte(text), 0o644))
	}
	want := []string{
		"a/acronym.go", "a/code.go", "a/field.go", "a/import.go", "a/literal.go", "a/middle.go", "a/tag.go", "a/together.go", "a/variable.go",
		"cmd/x/play.go", "mango/package.go", "pipeline/other.go", "schemas/other.go", "stages/mangofruit/f.go", "stages/onestep/rule.go",
	}
	found := namings(t, root, []string{"mango", "onestep"})
	if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, want) {
		t.Errorf("found names in %v, want %v", got, want)
	}
	for file, list := range found {
		if len(list) != 1 || !strings.HasPrefix(list[0], file+":") {
			t.Errorf("%s: found %q, want one place", file, list)
		}
	}
}
