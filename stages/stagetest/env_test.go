package stagetest

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

func TestAWriteThatFailsLeavesNoFile(t *testing.T) {
	env := New(t)
	err := env.Write("first.txt", func(w io.Writer) (arrowio.Summary, error) {
		if _, err := w.Write(bytes.Repeat([]byte{'x'}, 100)); err != nil {
			return stages.NoRows, err
		}
		return stages.NoRows, ErrDisk
	})
	if err == nil || len(env.Outputs) > 0 {
		t.Fatalf("error %v, outputs %v", err, env.OutputNames())
	}
	if _, err := env.Written("first.txt"); err == nil {
		t.Error("a file that failed counts as written")
	}
	if err := env.Write("first.txt", text([]byte("whole"))); err != nil {
		t.Fatal(err)
	}
	if got := string(env.Read("first.txt")); got != "whole" {
		t.Errorf("read %q, want %q", got, "whole")
	}
}

func TestParseWikiGivesG9(t *testing.T) {
	w := ParseWiki(G9)
	if names := strings.Fields("A B C D E F G H T"); !slices.Equal(w.Titles, names) {
		t.Errorf("titles %v, want %v", w.Titles, names)
	}
	const a, b, c, d, e, f, g, h, z = 0, 1, 2, 3, 4, 5, 6, 7, 8
	want := []graphtest.Edge{
		{a, b},
		{a, c},
		{a, d},
		{b, c},
		{b, e},
		{c, a},
		{c, e},
		{c, f},
		{d, b},
		{d, f},
		{e, g},
		{f, g},
		{g, a},
		{g, h},
		{h, g},
		{h, z},
		{z, a},
		{z, d},
	}
	if got := graphtest.Edges(w.Succ); !slices.Equal(got, want) {
		t.Errorf("edges %v, want %v", got, want)
	}
}

func TestGivenTablesOpen(t *testing.T) {
	env, w := New(t), ParseWiki(G9)
	env.GiveNodes(w)
	for _, c := range []struct {
		artifact schemas.Artifact
		file     string
		table    schemas.Table
	}{
		{schemas.Nodes, "nodes.arrow", schemas.NodesTable},
	} {
		f, err := stages.OpenTable(env, c.artifact, c.file, c.table)
		if err != nil {
			t.Fatal(err)
		}
		titles := f.Strings(0, c.table.Index("title"))
		if got := titles.At(8); titles.Len() != 9 || got != "T" {
			t.Errorf("%s has %d rows, of which the last is %s; want 9 and T", c.file, titles.Len(), got)
		}
		f.Close()
	}
}

func TestGivenGraphAndDistancesBelongTogether(t *testing.T) {
	env, w := New(t), ParseWiki(G9)
	env.GiveGraph(w)
	env.GiveDistances(w, []uint32{0, 5, w.Node("T")}, 2)
	g, err := stages.OpenGraph(env)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if u, ok := g.NodeByTitle("T"); !ok || u != w.Node("T") || g.PageIDs[u] != w.PageIDs[u] {
		t.Errorf("page T is node %d (%v)", u, ok)
	}
	in := env.inputs[schemas.Distances.Name]
	set, err := distances.Open(in.root, ".", in.files, g.Len(), g.SHA256)
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	var got strings.Builder
	for u := range uint32(9) {
		d, err := set.At(u, w.Node("T"))
		if err != nil {
			t.Fatal(err)
		}
		got.WriteByte('0' + d)
	}
	if want := "544433210"; got.String() != want {
		t.Errorf("distances of A..T to T %s, want %s", got.String(), want)
	}
}
