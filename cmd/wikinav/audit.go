package main

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/audit"
	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

func newAudit() *cobra.Command {
	var f workFlags
	var graphOnly bool
	var svg string
	opts := audit.Defaults()
	cmd := &cobra.Command{
		Use:   "audit --graph",
		Short: "Describe the graph of a build: degrees, distances, eccentricities, components",
		Long: `audit --graph describes the published graph. Up to 8,192 nodes every pair is counted; of a larger
graph a sample of sources is searched, and each estimate carries its 95 % interval.`,
		Example: `  wikinav audit --graph
  wikinav audit --graph --work ltg --json
  wikinav audit --graph --work ltg --svg plots`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !graphOnly {
				return fault.New(fault.Usage, "the audit report is not available yet; wikinav audit --graph is")
			}
			return f.look(func(v *view) error { return v.audit(cmd, opts, svg) })
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&graphOnly, "graph", false, "describe the graph")
	cmd.Flags().IntVar(&opts.Sources, "sources", opts.Sources, "sources that are searched of a large graph")
	cmd.Flags().Uint64Var(&opts.Seed, "seed", opts.Seed, "seed of the sample of sources")
	cmd.Flags().IntVar(&opts.Workers, "workers", runtime.GOMAXPROCS(0), "parallel workers")
	cmd.Flags().StringVar(&svg, "svg", "", "directory for plots: out-degree.svg, in-degree.svg, distance.svg")
	cli.AddJSON(cmd.Flags())
	return cmd
}

// graphAudit is the profile with what the receipt says of components.
type graphAudit struct {
	*audit.Profile
	Components int64   `json:"components"`
	Largest    []int64 `json:"largest_components"`
}

func (v *view) audit(cmd *cobra.Command, opts audit.Options, svg string) error {
	g, err := v.graph()
	if err != nil {
		return err
	}
	receipt, err := v.receipt("scc")
	if err != nil {
		return err
	}
	p, err := audit.Of(cmd.Context(), g, opts)
	if err != nil {
		return err
	}
	a := graphAudit{Profile: p, Components: receipt.Counters["components"], Largest: largest(receipt.Counters)}
	if svg != "" {
		of, err := v.subtitle()
		if err != nil {
			return err
		}
		if err := errors.Join(
			whole.WriteFile(svg, "out-degree.svg", audit.DegreeChart("Pages by the number of their links", "links", of, p.Out)),
			whole.WriteFile(svg, "in-degree.svg", audit.DegreeChart("Pages by the number of links to them", "links to a page", of, p.In)),
			whole.WriteFile(svg, "distance.svg", audit.DistanceChart(of, p.Distances)),
		); err != nil {
			return err
		}
	}
	return cli.Print(cmd, a, a.print)
}

// subtitle names the wiki and the recipe of the build.
func (v *view) subtitle() (string, error) {
	f, err := v.file(entryStage, "snapshot.json")
	if err != nil {
		return "", err
	}
	var s schemas.Snapshot
	if err := f.Decode(&s); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %s, recipe %s", s.Wiki, dashed(s.Date), v.build.Recipe.Name), nil
}

// largest lists the sizes of the largest components, as far as the receipt has them.
func largest(counters map[string]int64) []int64 {
	list := []int64{}
	for i := 1; counters[fmt.Sprintf("component_%02d", i)] > 0; i++ {
		list = append(list, counters[fmt.Sprintf("component_%02d", i)])
	}
	return list
}

func (a graphAudit) print(out io.Writer) error {
	fmt.Fprintf(out, "%s nodes, %s edges, %s components before the choice, the largest %v\n",
		cli.Thousands(int64(a.Nodes)), cli.Thousands(int64(a.Edges)), cli.Thousands(a.Components), a.Largest)
	fmt.Fprintf(out, "%s of %s pages have fewer than 50 links\n\n", cli.Thousands(a.Under50.Num), cli.Thousands(a.Under50.Den))
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "degree\tmedian\tp90\tp99\tmax\tpage")
	fmt.Fprintf(t, "out\t%d\t%d\t%d\t%d\t%s\n", a.Out.Median, a.Out.P90, a.Out.P99, a.Out.Max, a.Out.MaxTitle)
	fmt.Fprintf(t, "in\t%d\t%d\t%d\t%d\t%s\n\n", a.In.Median, a.In.P90, a.In.P99, a.In.Max, a.In.MaxTitle)
	fmt.Fprintln(t, "distance\tshare of pairs\tlow\thigh")
	for i, s := range a.Distances.Shares {
		fmt.Fprintf(t, "%d\t%s\t%s\t%s\n", i+1, s.Value, s.Low, s.High)
	}
	fmt.Fprintf(t, "unreached\t%s\t%s\t%s\n", a.Distances.Unreached.Value, a.Distances.Unreached.Low, a.Distances.Unreached.High)
	fmt.Fprintf(t, "mean\t%s\t%s\t%s\n", a.Distances.Mean.Value, a.Distances.Mean.Low, a.Distances.Mean.High)
	if err := t.Flush(); err != nil {
		return err
	}
	kind := "every node was a source"
	if !a.Distances.Exact {
		kind = fmt.Sprintf("from a sample of %d sources", a.Distances.Sources)
	}
	_, err := fmt.Fprintf(out, "%s; %s\n", diameter(a.Distances), kind)
	return err
}

// diameter says how far pages can be from each other.
func diameter(d audit.Distances) string {
	if d.DiameterMax < 0 {
		return fmt.Sprintf("no diameter: not every page reaches every other; the largest distance seen is %d", d.DiameterMin)
	}
	return fmt.Sprintf("diameter at least %d, at most %d", d.DiameterMin, d.DiameterMax)
}
