package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas/canon"
)

func newVerify() *cobra.Command {
	var opts release.VerifyOptions
	cmd := &cobra.Command{
		Use:   "verify DIR",
		Short: "Check a release: every byte, and what the files say",
		Long: `verify checks a release directory without the pipeline and without the dump.
Level 1: every listed file, its size and digests, and no other file.
Level 2: schemas, counts, the graph, the distances, the splits, and that they agree.
Levels 3 (meaning recomputed) and 4 (rebuild from the dump) come with later versions.`,
		Example: `  wikinav verify demo-release
  wikinav verify demo-release --level 1 --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			start := time.Now()
			r, err := release.Verify(cmd.Context(), args[0], opts)
			if err != nil {
				return err
			}
			if err := printReport(cmd, r, time.Since(start)); err != nil {
				return err
			}
			return r.Err()
		},
	}
	cmd.Flags().IntVar(&opts.Level, "level", release.LevelStructure, "how deep to look: 1 or 2")
	cmd.Flags().StringVar(&opts.Subset, "subset", "", "check the k-th of n parts, as k/n")
	cmd.Flags().Bool("json", false, "print one JSON object")
	return cmd
}

func printReport(cmd *cobra.Command, r *release.Report, took time.Duration) error {
	out := cmd.OutOrStdout()
	if asJSON, _ := cmd.Flags().GetBool("json"); asJSON {
		_, err := fmt.Fprintf(out, "%s\n", canon.MustMarshal(map[string]any{
			"level": r.Level, "checked": r.Checked, "failed": r.Failed, "skipped": r.Skipped, "seconds": int64(took.Seconds()),
		}))
		return err
	}
	for _, f := range r.Failed {
		fmt.Fprintf(out, "%s: %s: %s: expected %s, found %s\n", f.Check, f.Path, f.Where, f.Expected, f.Found)
	}
	for _, s := range r.Skipped {
		fmt.Fprintf(out, "skipped: %s\n", s)
	}
	_, err := fmt.Fprintf(out, "level %d: %d files checked, %d findings, %.1f s\n", r.Level, r.Checked, len(r.Failed), took.Seconds())
	return err
}
