// Package edges reads a graph that is given as text: a file of edges and, if the user has one, a
// file of nodes.
//
// Both are UTF-8, plain or packed with gzip or bzip2, with LF or CR LF; blank lines and lines that
// begin with # are skipped. An edge is `source TAB target`, a node one name a line; further columns
// are ignored. The package promises that two different names never become one page, and that no
// line is skipped in silence: what it cannot read is an error with file and line. It never guesses.
//
// Memory: the names once, 8 bytes per edge.
package edges

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wikinav/wikinav/dumps/packed"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/names"
)

// Graph is what the files say. Page id = index in Titles + 1.
type Graph struct {
	Titles []string
	Edges  []Edge // in the order of the file, repeated ones included
}

// Edge leads from one index in Titles to another.
type Edge struct{ From, To uint32 }

// Read reads the edges at path, and the nodes at nodes unless that is "". Without nodes the pages
// are the names of the edges: in numeric order if all are unsigned decimal integers, else bytewise.
func Read(ctx context.Context, path, nodes string) (*Graph, error) {
	r := &reader{ctx: ctx, ids: map[string]uint32{}, titles: map[string]string{}}
	if nodes != "" {
		if err := r.readNodes(nodes); err != nil {
			return nil, err
		}
	}
	if err := r.readEdges(path, nodes == ""); err != nil {
		return nil, err
	}
	if nodes == "" {
		r.sort()
	}
	return &r.graph, nil
}

type reader struct {
	ctx    context.Context
	graph  Graph
	names  []string          // by id, as in the file
	ids    map[string]uint32 // name -> id
	titles map[string]string // title -> the name that gave it
}

func (r *reader) readNodes(path string) error {
	return eachLine(r.ctx, path, func(number int64, fields []string) error {
		if _, ok := r.ids[fields[0]]; ok {
			return packed.Malformed(path, number, "node %s stands twice", fault.Quote(fields[0]))
		}
		return r.add(path, number, fields[0])
	})
}

func (r *reader) readEdges(path string, open bool) error {
	return eachLine(r.ctx, path, func(number int64, fields []string) error {
		if len(fields) < 2 || fields[1] == "" {
			return packed.Malformed(path, number, "an edge needs a source, a tab and a target, found %s", fault.Quote(fields[0]))
		}
		for _, name := range fields[:2] {
			if _, ok := r.ids[name]; ok {
				continue
			}
			if !open {
				return packed.Malformed(path, number, "%s is no node", fault.Quote(name))
			}
			if err := r.add(path, number, name); err != nil {
				return err
			}
		}
		r.graph.Edges = append(r.graph.Edges, Edge{r.ids[fields[0]], r.ids[fields[1]]})
		return nil
	})
}

// add returns a name the next id.
func (r *reader) add(path string, number int64, name string) error {
	title, err := names.Title(name)
	if err != nil {
		return packed.Malformed(path, number, "%s is no title: %v", fault.Quote(name), err)
	}
	if other, ok := r.titles[title]; ok {
		return packed.Malformed(path, number, "%s and %s are one title, %s", fault.Quote(other), fault.Quote(name), fault.Quote(title))
	}
	r.titles[title] = name
	r.ids[name] = uint32(len(r.names))
	r.names = append(r.names, name)
	r.graph.Titles = append(r.graph.Titles, title)
	return nil
}

// sort renumbers the pages by their names.
func (r *reader) sort() {
	order := make([]uint32, len(r.names))
	for i := range order {
		order[i] = uint32(i)
	}
	less := strings.Compare
	if !slices.ContainsFunc(r.names, func(n string) bool { return !isInteger(n) }) {
		less = byNumber
	}
	slices.SortFunc(order, func(a, b uint32) int { return less(r.names[a], r.names[b]) })
	titles, rank := make([]string, len(order)), make([]uint32, len(order))
	for i, old := range order {
		titles[i], rank[old] = r.graph.Titles[old], uint32(i)
	}
	r.graph.Titles = titles
	for i, e := range r.graph.Edges {
		r.graph.Edges[i] = Edge{rank[e.From], rank[e.To]}
	}
}

// byNumber compares decimal integers of any length; of equal values the shorter text comes first.
func byNumber(a, b string) int {
	x, y := strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y), cmp.Compare(len(a), len(b)))
}

func isInteger(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// maxLine bounds a line, so that a file without line ends does not fill memory.
const maxLine = 1 << 20

// eachLine visits the lines of a file that hold something, split at tabs; numbers count all lines
// from 1.
func eachLine(ctx context.Context, path string, visit func(number int64, fields []string) error) error {
	return packed.Lines(ctx, path, maxLine, func(l packed.Line) error {
		if l.Number == 1 {
			l.Text = strings.TrimPrefix(l.Text, "\ufeff")
		}
		switch {
		case l.TooLong:
			return fmt.Errorf("longer than %d bytes", maxLine)
		case !utf8.ValidString(l.Text):
			return errors.New("invalid UTF-8")
		case strings.TrimSpace(l.Text) == "" || l.Comment():
			return nil
		}
		return visit(l.Number, strings.Split(l.Text, "\t"))
	})
}
