// Command wikinav-eval plays and scores the benchmarks of a release. A release directory is all
// that it needs.
//
// One file per verb. It opens no connection but for play --player openai and judge, accepts those
// of serve alone, and runs without cgo.
package main

import (
	"io"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/cmd/internal/cli"
)

func main() {
	collectLater()
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// collectLater keeps the collector still until the process holds 32 MiB, of which it takes the
// usual share from then on: one game is over before, and collecting would be a sixth of its time.
func collectLater() {
	const quiet = 32 << 20
	if debug.SetMemoryLimit(-1) < quiet {
		return
	}
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(quiet)
	runtime.SetFinalizer(&struct{ _ *int }{}, func(any) { // called after the first collection
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	})
}

// run is the whole program as a function.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Run(newRoot(), args, stdin, stdout, stderr)
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
  wikinav-eval show --release demo-release runs/random
  wikinav-eval view --release demo-release --run runs/random
  wikinav-eval submit runs/random --release demo-release --out random.tar
  wikinav-eval board add random.tar --release demo-release --submitted 2026-01-31 --unfrozen
  wikinav-eval mcp --release demo-release --log runs
  wikinav-eval verify demo-release`,
	}
	return cli.Root(root, newBoard(), newEnv(), newHarbor(), newImport(), newJudge(), newMCP(), newPlay(), newReport(),
		newScore(), newServe(), newShow(), newSubmit(), newTools(), newView(), new(cli.Verify).Command("wikinav-eval"))
}
