package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/store"
	"github.com/wikinav/wikinav/pipeline"
	"github.com/wikinav/wikinav/schemas/canon"
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
			printPruned(cmd, pruned, dryRun)
			return err
		},
	}
	cmd.Flags().StringVar(&work, "work", defaultWork, "work directory")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "say what would go, and remove nothing")
	cmd.Flags().Bool("json", false, "print one JSON object")
	return cmd
}

func printPruned(cmd *cobra.Command, pruned []store.Pruned, dryRun bool) {
	out := cmd.OutOrStdout()
	var total int64
	for _, p := range pruned {
		total += p.Bytes
	}
	if asJSON, _ := cmd.Flags().GetBool("json"); asJSON {
		fmt.Fprintf(out, "%s\n", canon.MustMarshal(map[string]any{"results": len(pruned), "bytes": total, "dry_run": dryRun}))
		return
	}
	for _, p := range pruned {
		fmt.Fprintf(out, "%s/%s  %s\n", p.Stage, p.Key, pipeline.Bytes(p.Bytes))
	}
	verb := "removed"
	if dryRun {
		verb = "would remove"
	}
	fmt.Fprintf(out, "%s %d results, %s bytes (%s)\n", verb, len(pruned), thousands(total), pipeline.Bytes(total))
}
