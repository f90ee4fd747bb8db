package pipeline_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Map order is random, so ranging over a map in a stage needs its reason in a comment on the line.
func TestStagesRangeOverMapsForAStatedReasonOnly(t *testing.T) {
	exports := map[string]string{}
	var targets []exported
	for _, p := range listExported(t, "./stages/...", "./artifacts/...", "./pipeline") {
		exports[p.ImportPath] = p.Export
		if name := ours(p.ImportPath); within(name, "stages") || within(name, "artifacts") || name == "pipeline" {
			targets = append(targets, p)
		}
	}
	for _, p := range targets {
		for _, where := range silentMapRanges(t, p, exports) {
			t.Errorf("%s: ranges over a map without a comment that says why order does not matter", where)
		}
	}
}

// exported is what `go list -export` says of a package.
type exported struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
}

func listExported(t *testing.T, patterns ...string) []exported {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles"}, patterns...)...)
	cmd.Dir, cmd.Stderr = "..", os.Stderr
	out, err := cmd.Output()
	must(t, err)
	var list []exported
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p exported
		err := dec.Decode(&p)
		if err == io.EOF {
			return list
		}
		must(t, err)
		list = append(list, p)
	}
}

func silentMapRanges(t *testing.T, p exported, exports map[string]string) []string {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.ParseComments)
		must(t, err)
		files = append(files, f)
	}
	lookup := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	conf := types.Config{Importer: importer.ForCompiler(fset, "gc", lookup)}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	_, err := conf.Check(p.ImportPath, fset, files, info)
	must(t, err)
	var out []string
	for _, f := range files {
		out = append(out, silentIn(fset, f, info)...)
	}
	return out
}

func silentIn(fset *token.FileSet, f *ast.File, info *types.Info) []string {
	commented := map[int]bool{}
	for _, group := range f.Comments {
		for _, c := range group.List {
			commented[fset.Position(c.Pos()).Line] = true
		}
	}
	var out []string
	ast.Inspect(f, func(n ast.Node) bool {
		r, ok := n.(*ast.RangeStmt)
		if !ok {
			return true
		}
		_, isMap := info.TypeOf(r.X).Underlying().(*types.Map)
		// A literal spans lines; its comment may stand where the statement begins.
		if isMap && !commented[fset.Position(r.For).Line] && !commented[fset.Position(r.X.End()).Line] {
			out = append(out, fset.Position(r.For).String())
		}
		return true
	})
	return out
}
