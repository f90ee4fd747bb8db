// Command wikinav-eval plays and scores the benchmarks of a release. A release directory is all that it needs.
//
// One file per verb. Results go to standard output, progress and errors to standard error; exit codes are those of
// schemas/fault. It opens no connection but for play --player openai and judge, accepts those of serve alone, and runs without cgo.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"slices"
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
	// A second signal ends the program at once: not every verb looks at the first between two steps.
	defer context.AfterFunc(ctx, stop)()
	return runContext(ctx, args, stdin, stdout, stderr)
}

func runContext(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return 0
	}
	// Read from the arguments, because flags after a bad one were never parsed.
	return explain(cmd.Name(), err, slices.Contains(args, "--json-errors"), stderr)
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "wikinav-eval",
		Short: "Play and score the benchmarks of a wikinav release",
		Long: `wikinav-eval plays the games of a release, scores what players did by playing it again, and
verifies releases. A score holds what the release's graph says, never what a log claims.`,
		Example: `  wikinav-eval play --release demo-release --player random --out runs/random
  wikinav-eval score --release demo-release --trajectories runs/random
  wikinav-eval report --release demo-release --trajectories runs/random --trajectories runs/bound --out plots
  wikinav-eval mcp --release demo-release --log runs
  wikinav-eval verify demo-release`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fault.New(fault.Usage, "unknown command %s", fault.Quote(args[0])).Hint("choose from import, judge, mcp, play, report, score, serve, verify")
			}
			return nil
		},
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	root.PersistentFlags().Bool("json-errors", false, "print an error as one JSON object")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return fault.New(fault.Usage, "%w", err) })
	root.AddCommand(newImport(), newJudge(), newMCP(), newPlay(), newReport(), newScore(), newServe(), newVerify())
	return root
}

// exactly accepts n arguments.
func exactly(n int) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != n {
			return fault.New(fault.Usage, "%d arguments, want %d", len(args), n)
		}
		return nil
	}
}
