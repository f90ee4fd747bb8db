// Command wikinav turns one Wikipedia dump into navigation benchmarks for LLM agents. One file per
// verb.
package main

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/schemas/fault"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the whole program as a function.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Run(newRoot(), args, stdin, stdout, stderr)
}

// familyVerbs makes the verbs that only one family has. The file named for the family adds them: no
// other may know its name.
var familyVerbs []func() *cobra.Command

// needC refuses a program that lacks SQLite, which is written in C, before any stage has run in
// vain.
func needC(has bool) error {
	if has {
		return nil
	}
	return fault.New(fault.Failure, "this wikinav was compiled without cgo, which catalog.sqlite needs").
		Hint("compile it anew with CGO_ENABLED=1 and a C compiler")
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "wikinav",
		Short: "Navigation benchmarks for LLM agents from one Wikipedia dump",
		Long: `wikinav reads a Wikipedia dump, keeps the largest strongly connected part of its link
graph, computes distances, draws benchmark instances, and freezes them in a release
that anybody can verify. Without a dump it builds a small synthetic demo wiki.`,
		Example: `  wikinav build                                # the demo snapshot, in ./wikinav-work
  wikinav build --dump ltgwiki-20170901-pages-articles.xml.bz2 --work ltg
  wikinav release --work ltg --out ltg-release
  wikinav verify ltg-release`,
	}
	root.PersistentPreRunE = func(*cobra.Command, []string) error { return needC(withC) }
	for _, verb := range familyVerbs {
		root.AddCommand(verb())
	}
	return cli.Root(root, newBuild(), newPlan(), newStatus(), newPrune(), newLinks(), newInspect(), newRelease(),
		newSign(), newDiff(), newReleases(), newVerify(), newExport(), newAudit(), newFigures(),
		newPath(), newPage(), newFetch(), newTrain())
}
