package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/store"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/pipeline"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// publishedNodes is how many nodes the graph of LLM-WikiRace has, as its paper says. How it came
// out of the dump, the paper does not say; that its pages are those without a blank in the title
// fits every title that it prints, and is a hypothesis.
const publishedNodes = 549_232

const compatRecipe = "llm-wikirace-compat"

type recipeSize struct {
	Titles         string `json:"titles"`
	Redirects      string `json:"redirects"`
	Disambiguation string `json:"disambiguation"`
	Nodes          int64  `json:"nodes"`       // before the choice of a component
	LargestSCC     int64  `json:"largest_scc"` // nodes
}

type recipeSizes struct {
	Sizes     []recipeSize `json:"sizes"`
	Published int64        `json:"published_nodes"`
}

// policies are the eight that the sizes are of; all else is as in the recipe that follows the
// paper.
func policies(b *schemas.Build) ([]schemas.Recipe, error) {
	base, err := pipeline.LoadRecipe(compatRecipe, pipeline.Input{})
	if err != nil {
		return nil, err
	}
	g := base.Graph
	g.LinkSource, g.LinkParts = b.Recipe.LinkSource, b.Recipe.LinkParts
	var list []schemas.Recipe
	for _, titles := range []string{"any", schemas.TitlesOneToken} {
		for _, redirects := range []string{schemas.RedirectsResolve, schemas.RedirectsNodes} {
			for _, dab := range []string{schemas.ClassKeep, schemas.ClassDrop} {
				g.TitleFilter, g.Redirects, g.Dab = titles, redirects, dab
				list = append(list, g)
			}
		}
	}
	return list, nil
}

// recipes makes the graph of a build under eight policies, and prints how large each is.
func (v *view) recipes(cmd *cobra.Command) error {
	if v.build.Recipe.LinkSource == schemas.SourceEdges {
		return fault.New(fault.Usage,
			"--recipes compares policies on redirects and kinds of pages, which edge lists lack").
			Hint("name the build of a dump with --work")
	}
	list, err := policies(v.build)
	if err != nil {
		return err
	}
	tell := &reporter{Progress: cli.NewProgress(cmd.ErrOrStderr(), "auto"), stop: func() {}}
	out := recipeSizes{Published: publishedNodes}
	for _, g := range list {
		s := recipeSize{Titles: g.TitleFilter, Redirects: g.Redirects, Disambiguation: g.Dab}
		if s.Nodes, s.LargestSCC, err = v.sizeUnder(cmd.Context(), g, tell); err != nil {
			return err
		}
		out.Sizes = append(out.Sizes, s)
	}
	return cli.Print(cmd, out, out.print)
}

// sizeUnder makes one graph in a folder that is gone afterwards.
func (v *view) sizeUnder(ctx context.Context, g schemas.Recipe, tell pipeline.Reporter) (
	nodes, largest int64, err error,
) {
	temp, err := os.MkdirTemp("", "wikinav-recipes-")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(temp)
	scratch, err := store.Open(temp, store.OS{})
	if err != nil {
		return 0, 0, err
	}
	opts := pipeline.Options{Workers: runtime.GOMAXPROCS(0), Fast: true, Code: cli.Code(), Reporter: tell}
	receipt, err := pipeline.Graph(ctx, v.dir, v.build, g, scratch, opts)
	if err != nil {
		return 0, 0, err
	}
	return receipt.Counters["nodes_before"], receipt.Counters["component_01"], nil
}

func (r recipeSizes) print(out io.Writer) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "titles\tredirects\tdisambiguation\tnodes\tlargest SCC")
	for _, s := range r.Sizes {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", s.Titles, s.Redirects, s.Disambiguation,
			cli.Thousands(s.Nodes), cli.Thousands(s.LargestSCC))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, `
The graph of LLM-WikiRace has %s nodes. That its pages are those whose titles have no blank is a
hypothesis: the paper does not say how its graph was made.
`, cli.Thousands(r.Published))
	return err
}
