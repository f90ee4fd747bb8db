package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/store"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/pipeline"
)

func newPrune() *cobra.Command {
	var work string
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Remove the results that no build names",
		Long: `prune removes the results of old parameters and of unfinished builds. What a build names stays,
whatever that build's name; nothing else in the directory is touched.`,
		Example: `  wikinav prune --dry-run
  wikinav prune --work ltg`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := store.Open(work, store.OS{})
			if err != nil {
				return err
			}
			lock, err := dir.Lock()
			if err != nil {
				return err
			}
			defer lock.Release()
			pruned, err := dir.Prune(dryRun)
			return errors.Join(err, printPruned(cmd, pruned, dryRun))
		},
	}
	cmd.Flags().StringVar(&work, "work", defaultWork, "work directory")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "say what would go, and remove nothing")
	cli.AddJSON(cmd.Flags())
	return cmd
}

func printPruned(cmd *cobra.Command, pruned []store.Pruned, dryRun bool) error {
	var total int64
	for _, p := range pruned {
		total += p.Bytes
	}
	return cli.Print(cmd, map[string]any{"results": len(pruned), "bytes": total, "dry_run": dryRun}, func(out io.Writer) error {
		for _, p := range pruned {
			fmt.Fprintf(out, "%s/%s  %s\n", p.Stage, p.Key, pipeline.Bytes(p.Bytes))
		}
		verb := "removed"
		if dryRun {
			verb = "would remove"
		}
		_, err := fmt.Fprintf(out, "%s %d results, %s bytes (%s)\n", verb, len(pruned), cli.Thousands(total), pipeline.Bytes(total))
		return err
	})
}
