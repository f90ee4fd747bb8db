package cli

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas/fault"
)

func NewVerify(program string) *cobra.Command {
	var opts release.VerifyOptions
	cmd := &cobra.Command{
		Use:   "verify DIR",
		Short: "Check a release: every byte, and what the files say",
		Long: `verify checks a release directory without the pipeline and without the dump, and lists everything that is wrong;
then the exit code is 3.
Level 1: every listed file, its size and digests, and no other file.
Level 2: schemas, counts, the graph, the distances, the splits, and that they agree.
Levels 3 (meaning recomputed) and 4 (rebuild from the dump) come with later versions.`,
		Example: fmt.Sprintf("  %[1]s verify demo-release\n  %[1]s verify demo-release --level 1 --json", program),
		Args:    cobra.ExactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return verify(cmd, args[0], opts) },
	}
	cmd.Flags().IntVar(&opts.Level, "level", release.LevelStructure, "how deep to look: 1 or 2")
	cmd.Flags().StringVar(&opts.Subset, "subset", "", "check the k-th of n parts, as k/n")
	AddJSON(cmd.Flags())
	return cmd
}

func verify(cmd *cobra.Command, dir string, opts release.VerifyOptions) error {
	if opts.Level < release.LevelDigests {
		return fault.New(fault.Usage, "--level %d: there is no such level", opts.Level).Hint("levels are 1 and 2")
	}
	start := time.Now()
	r, err := release.Verify(cmd.Context(), dir, artifacts.All, opts)
	if err != nil {
		return err
	}
	took := time.Since(start)
	err = Print(cmd, map[string]any{
		"level": r.Level, "checked": r.Checked, "failed": r.Failed, "skipped": r.Skipped, "seconds": int64(took.Seconds()),
	}, func(out io.Writer) error {
		for _, f := range r.Failed {
			fmt.Fprintf(out, "%s: %s: %s: expected %s, found %s\n", f.Path, f.Where, f.Check, f.Expected, f.Found)
		}
		for _, s := range r.Skipped {
			fmt.Fprintf(out, "skipped: %s\n", s)
		}
		_, err := fmt.Fprintf(out, "%s: level %d, %d files checked, %d findings, %.1f s\n", dir, r.Level, r.Checked, len(r.Failed), took.Seconds())
		return err
	})
	if err != nil {
		return err
	}
	return r.Err()
}
