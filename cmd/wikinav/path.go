package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

func newPath() *cobra.Command {
	var f workFlags
	var avoid []string
	var limit int
	cmd := &cobra.Command{
		Use:   "path A B",
		Short: "Print the shortest paths from one page to another",
		Long: `path counts all shortest paths from A to B and prints up to --limit of them, in the order of their
nodes. A page is a title, the title of a redirect, or a page id. With --avoid the paths go round pages, with
--avoid label:NAME round all pages of that label but A and B.`,
		Example: `  wikinav path Berlin Tokyo --work enwiki
  wikinav path Berlin Tokyo --avoid Germany --avoid Japan --limit 20 --json
  wikinav path Berlin Tokyo --avoid label:Place`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 0 {
				return fault.New(fault.Usage, "--limit %d: want a number from 0 on", limit)
			}
			return f.look(func(v *view) error {
				r, err := v.route(args[0], args[1], avoid)
				if err != nil {
					return err
				}
				return r.print(cmd, limit)
			})
		},
	}
	f.add(cmd)
	cmd.Flags().StringArrayVar(&avoid, "avoid", nil, "a page that no path may pass, or label:NAME for all of a label; repeatable")
	cmd.Flags().IntVar(&limit, "limit", 10, "print at most so many paths")
	cli.AddJSON(cmd.Flags())
	return cmd
}

// route is the shortest paths between two nodes: the DAG that holds all of them, and their number.
type route struct {
	g              *graph.Graph
	source, target uint32
	layers         [][]uint32
	count          uint64
}

func (v *view) route(from, to string, avoid []string) (*route, error) {
	g, err := v.graph()
	if err != nil {
		return nil, err
	}
	r := &route{g: g}
	if r.source, err = v.page(g, from); err != nil {
		return nil, err
	}
	if r.target, err = v.page(g, to); err != nil {
		return nil, err
	}
	out, err := v.avoided(g, r.source, r.target, avoid)
	if err != nil {
		return nil, err
	}
	// Milliseconds, and the same whether the target has a column or not; nor is a column exact beyond 253.
	dist := make([]uint32, g.Len())
	graph.DistancesAvoiding(g.Pred, r.target, out, dist, nil)
	r.layers = graph.Layers(g.Succ, dist, r.source)
	if r.layers != nil {
		r.count = graph.CountPaths(g.Succ, r.layers)[0][0]
	}
	return r, nil
}

// avoided marks the pages that no path may pass.
func (v *view) avoided(g *graph.Graph, source, target uint32, avoid []string) ([]bool, error) {
	out := make([]bool, g.Len())
	for _, name := range avoid {
		if label, ok := strings.CutPrefix(name, "label:"); ok {
			if err := v.closeLabel(label, out, source, target); err != nil {
				return nil, err
			}
			continue
		}
		u, err := v.page(g, name)
		if err != nil {
			return nil, err
		}
		out[u] = true
	}
	return out, nil
}

// closeLabel marks all pages of a label but the two ends, as a constrained game does.
func (v *view) closeLabel(label string, out []bool, source, target uint32) error {
	bit, ok := schemas.LabelBit(label)
	if !ok {
		return fault.New(fault.Usage, "--avoid label:%s: there is no such label", label).
			Choose(label, schemas.LabelNames)
	}
	f, err := v.table("labels", "labels.arrow", schemas.LabelsTable)
	if err != nil {
		return err
	}
	mask, u := schemas.LabelsTable.Index("mask"), uint32(0)
	for b := range f.Batches() {
		for _, m := range f.Uint32s(b, mask) {
			if m&(1<<bit) != 0 && u != source && u != target {
				out[u] = true
			}
			u++
		}
	}
	return nil
}

// page finds a page by its title, by the title of a redirect to it, or by its page id.
func (v *view) page(g *graph.Graph, name string) (uint32, error) {
	if u, ok := g.NodeByTitle(name); ok {
		return u, nil
	}
	aliases, err := v.table("linkgraph", "aliases.arrow", schemas.AliasesTable)
	if err != nil {
		return 0, err
	}
	id := stages.AliasTarget(aliases, name)
	if n, err := strconv.ParseUint(name, 10, 32); id == 0 && err == nil {
		id = uint32(n)
	}
	if u, ok := g.Node(id); ok && id != 0 {
		return u, nil
	}
	titles := func(yield func(string) bool) {
		for u := range uint32(g.Len()) {
			if !yield(g.Title(u)) {
				return
			}
		}
	}
	return 0, noPage(fault.New(fault.NotFound, "the graph has no page %s", fault.Quote(name)), name, titles)
}

// paths lists up to limit paths in the order of their nodes, by titles.
func (r *route) paths(limit int) [][]string {
	out := [][]string{}
	var walk func(path []uint32)
	walk = func(path []uint32) {
		if len(out) == limit {
			return
		}
		if len(path) == len(r.layers) {
			titles := make([]string, len(path))
			for i, u := range path {
				titles[i] = r.g.Title(u)
			}
			out = append(out, titles)
			return
		}
		for _, next := range r.g.Succ.Row(path[len(path)-1]) {
			if _, nearer := slices.BinarySearch(r.layers[len(path)], next); nearer {
				walk(append(path, next))
			}
		}
	}
	if r.layers != nil {
		walk([]uint32{r.source})
	}
	return out
}

func (r *route) print(cmd *cobra.Command, limit int) error {
	paths := r.paths(limit)
	return cli.Print(cmd, map[string]any{
		"source": r.g.Title(r.source), "target": r.g.Title(r.target), "distance": len(r.layers) - 1,
		"paths": r.count, "saturated": r.count == graph.MaxPaths, "shown": paths,
	}, func(w io.Writer) error {
		out := bufio.NewWriter(w)
		if r.layers == nil {
			fmt.Fprintf(out, "no path from %s to %s\n", r.g.Title(r.source), r.g.Title(r.target))
			return out.Flush()
		}
		more := ""
		if r.count == graph.MaxPaths {
			more = " or more"
		}
		fmt.Fprintf(out, "distance %d, shortest paths: %s%s\n", len(r.layers)-1, cli.Thousands(int64(r.count)), more)
		for _, p := range paths {
			fmt.Fprintln(out, strings.Join(p, " -> "))
		}
		return out.Flush()
	})
}
