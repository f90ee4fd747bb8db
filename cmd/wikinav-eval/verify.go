package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

type verifyFlags struct {
	level  int
	subset string
	json   bool
}

func newVerify() *cobra.Command {
	f := &verifyFlags{}
	cmd := &cobra.Command{
		Use:   "verify DIR",
		Short: "Verify a release",
		Long: `verify checks a release directory and lists everything that is wrong; then the exit code is 3.
Level 1 compares every byte with the manifest, level 2 also checks what the files say.`,
		Example: `  wikinav-eval verify demo-release
  wikinav-eval verify demo-release --level 1 --json`,
		Args: exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	flags := cmd.Flags()
	flags.IntVar(&f.level, "level", release.LevelStructure, "how deep to look")
	flags.StringVar(&f.subset, "subset", "", "the k-th of n parts of the files, as k/n")
	flags.BoolVar(&f.json, "json", false, "print the report as one JSON object")
	return cmd
}

func (f *verifyFlags) run(cmd *cobra.Command, dir string) error {
	if f.level < release.LevelDigests {
		return fault.New(fault.Usage, "there is no level %d of verify", f.level)
	}
	rep, err := release.Verify(cmd.Context(), dir, release.VerifyOptions{Level: f.level, Subset: f.subset})
	if err != nil {
		return err
	}
	if err := f.print(cmd, dir, rep); err != nil {
		return err
	}
	return rep.Err()
}

func (f *verifyFlags) print(cmd *cobra.Command, dir string, rep *release.Report) error {
	out := cmd.OutOrStdout()
	if f.json {
		_, err := fmt.Fprintf(out, "%s\n", canon.MustMarshal(rep))
		return err
	}
	for _, d := range rep.Failed {
		if _, err := fmt.Fprintf(out, "%s: %s: %s: expected %s, found %s\n", d.Path, d.Where, d.Check, d.Expected, d.Found); err != nil {
			return err
		}
	}
	for _, s := range rep.Skipped {
		if _, err := fmt.Fprintf(out, "skipped: %s\n", s); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(out, "%s: level %d, %d files checked, %d findings\n", dir, rep.Level, rep.Checked, len(rep.Failed))
	return err
}
