package release_test

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	. "github.com/wikinav/wikinav/artifacts/release"

	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/dag"
)

func TestEveryInstanceIsDrawn(t *testing.T) {
	legs, _ := newLegs(t)
	drawn, files := map[string]bool{}, []string{}
	for _, dir := range []string{newBannedBuild(t).release(WriteOptions{}), newMazes(t).release(WriteOptions{}), legs} {
		r, err := Open(dir)
		must(t, err)
		defer r.Close()
		scene := NewScene(r)
		for _, p := range artifacts.All {
			d, ok := p.(Drawn)
			if !ok {
				continue
			}
			f := r.Part(p)
			for _, name := range f.Names() {
				var ids []string
				must(t, d.EachDrawn(scene, f, name, func(id string, draw func() (dag.Drawing, error)) error {
					x, err := draw()
					if err != nil {
						return err
					}
					checkDrawing(t, name+" "+id, x)
					ids, drawn[p.Folder()] = append(ids, id), true
					return nil
				}))
				if len(ids) > 0 {
					files = append(files, name)
				}
				if n := len(ids); n > 0 && int64(n) != f.Rows(name) {
					t.Errorf("%s: %d of %d instances are drawn", name, n, f.Rows(name))
				}
				slices.Sort(ids)
				if len(slices.Compact(ids)) != len(ids) {
					t.Errorf("%s: an id is drawn twice", name)
				}
			}
		}
	}
	for _, name := range []string{
		"easy.jsonl", "probe.jsonl", "train.jsonl", "instances.jsonl", "infeasible.jsonl", "mazes.jsonl",
		"list-test.jsonl", "tree-test.jsonl", "grid-test.jsonl", legsName,
	} {
		if !slices.Contains(files, name) {
			t.Errorf("nothing of %s was drawn, only of %v", name, files)
		}
	}
	for _, p := range artifacts.All {
		if _, ok := p.(Drawn); ok && !drawn[p.Folder()] {
			t.Errorf("nothing of %s was drawn", p.Folder())
		}
	}
}

func checkDrawing(t *testing.T, what string, d dag.Drawing) {
	t.Helper()
	if len(d.Nodes) == 0 || d.Width == 0 || d.Title == "" || d.Says == "" {
		t.Errorf("%s: %d nodes in a drawing %d wide, %q: %q", what, len(d.Nodes), d.Width, d.Title, d.Says)
	}
	for dec := xml.NewDecoder(strings.NewReader(string(d.SVG(dag.Alone)))); ; {
		if _, err := dec.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
}
