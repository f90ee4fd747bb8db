// Command wikinav turns one Wikipedia dump into navigation benchmarks for LLM agents.
//
// One file per verb. Results go to standard output, progress and errors to standard error; exit codes are those of
// schemas/fault.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/schemas/fault"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the whole program as a function.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second signal ends the program at once: a batch of distances does not look at the first before it is done.
	defer context.AfterFunc(ctx, stop)()
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return 0
	}
	return report(cmd, err, stderr)
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
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	root.PersistentFlags().Bool("json-errors", false, "print an error as one JSON object")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return fault.New(fault.Usage, "%w", err) })
	root.AddCommand(newBuild(), newPlan(), newStatus(), newPrune(), newLinks(), newInspect(), newMango(), newRelease(), newVerify(), newAudit(), newPath(), newFetch())
	return root
}
