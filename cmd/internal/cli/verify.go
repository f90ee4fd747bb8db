package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/minisign"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas/fault"
)

// levelRebuild is the level that needs the pipeline.
const levelRebuild = 4

// Verify is the verb verify of a program, and what its flags say.
type Verify struct {
	ProgressFlag
	Key    string `flag:"key" usage:"public key of minisign that must have signed the release, file or text: level 0"`
	Level  int    `flag:"level" usage:"how deep to look: 1, 2, 3, or 4 with what it was built from"`
	Subset string `flag:"subset" usage:"check the k-th of n parts of the files, as k/n"`
	All    bool   `flag:"all" usage:"level 3 proves every distance column of a large release, and not 32 of them"`
	Seed   int64  `flag:"seed" usage:"seed that these 32 are drawn by"`

	// Document renders a document anew, in a program that carries the templates: level 2 compares
	// them.
	Document release.Renderer
	// Catalog compares the rows of the catalogue, in a program that can read it: level 2.
	Catalog func(cmd *cobra.Command, dir string, report *release.Report) error
	// Fresh returns what proves that pairs are fresh, in a program that can; nil where no flag asks
	// for it.
	Fresh func() release.FreshProver
	// Carried returns what proves that records were taken over, likewise.
	Carried func() release.CarriedProver
	// Rebuild is level 4 of a program that has the pipeline: it lists in the report what differs
	// from a release that is built anew. Asked reports whether the flags name what to build from,
	// and Prepare refuses what it was not built from, before anything is verified.
	Asked   func() bool
	Prepare func(cmd *cobra.Command, dir string) error
	Rebuild func(cmd *cobra.Command, dir string, report *release.Report, p *Progress) error
}

const verifyLong = `verify checks a release directory without the pipeline and without the dump, and lists everything that is wrong;
then the exit code is 3. A level includes those below it.
Level 0, with --key: the signatures of manifest.json and SHA256SUMS; one that is missing or wrong makes the exit code 4.
Level 1: every listed file, its size and digests, and no other file but those of leaderboard/, which it counts.
Level 2: schemas, counts, the graph, the splits, the documents, and that they agree; every distance against the graph,
where that takes seconds (columns x links up to 2^31).
Level 3: what records say is computed anew by code that shares nothing with what made them; 32 distance columns
of a larger release, or --all. It begins only where level 2 found nothing wrong but sums of records.
Level 4: the release is built again from its dump, and every file is compared%s.
What was computed anew is listed as covered, and what was not checked as skipped: that is not passed.`

// Command makes the verb.
func (v *Verify) Command(program string) *cobra.Command {
	v.Level, v.Seed = release.LevelStructure, 42
	where := ": wikinav verify --rebuild DUMP does that"
	if v.Rebuild != nil {
		where = " (--rebuild)"
	}
	cmd := &cobra.Command{
		Use:   "verify DIR",
		Short: "Check a release: every byte, what the files say, and whether it is true",
		Long:  fmt.Sprintf(verifyLong, where),
		Example: fmt.Sprintf("  %[1]s verify demo-release\n  %[1]s verify demo-release --level 1 --json\n"+
			"  %[1]s verify ltg-release --level 3 --all\n  %[1]s verify ltg-release --key release.pub", program),
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return v.run(cmd, args[0]) },
	}
	Bind(cmd.Flags(), v)
	AddJSON(cmd.Flags())
	return cmd
}

func (v *Verify) run(cmd *cobra.Command, dir string) error {
	if err := v.settle(); err != nil {
		return err
	}
	key, err := v.publicKey(cmd)
	if err != nil {
		return err
	}
	if err := looksLikeRelease(dir); err != nil {
		return err
	}
	if v.Level == levelRebuild {
		if err := v.Prepare(cmd, dir); err != nil {
			return err
		}
	}
	start, progress := time.Now(), NewProgress(cmd.ErrOrStderr(), v.Progress)
	r, err := release.Verify(cmd.Context(), dir, artifacts.All, release.VerifyOptions{
		Level: min(v.Level, release.LevelMeaning), Key: key, Subset: v.Subset, All: v.All, Seed: v.Seed,
		Code: Code(), Document: v.Document, Fresh: v.fresh(), Carried: v.carried(),
		Meter: func(phase, unit string, total int64) release.Meter {
			return progress.Meter("verify", phase, unit, total)
		},
	})
	if err != nil {
		return err
	}
	if err := v.catalog(cmd, dir, r); err != nil {
		return err
	}
	if v.Level == levelRebuild {
		if r.Level = levelRebuild; len(r.Failed) > 0 {
			r.Skip("level 4: the levels below it found something wrong")
		} else if err := v.Rebuild(cmd, dir, r, progress); err != nil {
			return err
		}
	}
	if err := printReport(cmd, dir, r, time.Since(start)); err != nil {
		return err
	}
	return r.Err()
}

// publicKey reads what --key says. An empty value, as an unset variable leaves it, does not do
// without a key.
func (v *Verify) publicKey(cmd *cobra.Command) (*minisign.Key, error) {
	if !cmd.Flags().Changed("key") {
		return nil, nil
	}
	key, err := minisign.ParseKey(v.Key)
	if err == nil {
		return &key, nil
	}
	const form = "want the .pub file of minisign, or its second line, which begins with RW"
	data, gone := os.ReadFile(v.Key)
	if gone != nil {
		return nil, fault.New(fault.Usage, "--key %s: it is neither a file nor a public key of minisign",
			fault.Quote(v.Key)).Hint(form)
	}
	if key, err = minisign.ParseKey(string(data)); err != nil {
		return nil, fault.New(fault.Usage, "--key %s: %w", fault.Quote(v.Key), err).Hint(form)
	}
	return &key, nil
}

// looksLikeRelease refuses a folder that has none of the two files that every release has: it is no
// damaged release, but none.
func looksLikeRelease(dir string) error {
	for _, name := range []string{release.ManifestName, "SHA256SUMS"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return nil
		}
	}
	return release.NoRelease(fault.NotFound, dir, "no release is here: neither "+release.ManifestName+" nor SHA256SUMS")
}

// catalog looks into the catalogue of a release that is sound otherwise.
func (v *Verify) catalog(cmd *cobra.Command, dir string, r *release.Report) error {
	switch {
	case r.Level < release.LevelStructure || v.Subset != "":
	case v.Catalog == nil:
		r.Skip("rows of catalog.sqlite, if it is there: wikinav verify compares them")
	case len(r.Failed) > 0:
		r.Skip("rows of catalog.sqlite, if it is there: what they repeat is wrong")
	default:
		return v.Catalog(cmd, dir, r)
	}
	return nil
}

func (v *Verify) fresh() release.FreshProver {
	if v.Fresh == nil {
		return nil
	}
	return v.Fresh()
}

func (v *Verify) carried() release.CarriedProver {
	if v.Carried == nil {
		return nil
	}
	return v.Carried()
}

// settle refuses levels that there are not, and takes --rebuild for level 4.
func (v *Verify) settle() error {
	asked := v.Rebuild != nil && v.Asked()
	switch {
	case v.fresh() != nil && v.Level == release.LevelDigests:
		return fault.New(fault.Usage, "--fresh-since: level 1 reads no pairs").Hint("leave --level out")
	case v.carried() != nil && v.Level == release.LevelDigests:
		return fault.New(fault.Usage, "--carried: level 1 reads no records").Hint("leave --level out")
	case v.Level < release.LevelDigests || v.Level > levelRebuild:
		return fault.New(fault.Usage, "--level %d: an unknown level", v.Level).
			Hint("levels are 1 to 4; --key adds level 0, the signatures")
	case v.Level == levelRebuild && v.Rebuild == nil:
		return fault.New(fault.Usage, "--level 4: this program cannot build").Hint("wikinav verify DIR --rebuild DUMP")
	case v.Level == levelRebuild && !asked:
		return fault.New(fault.Usage, "--level 4: nothing to build from").Hint("name it with --rebuild DUMP, or --rebuild demo for the demo snapshot")
	case asked && v.Subset != "":
		return fault.New(fault.Usage, "--rebuild compares all files: not with --subset")
	case asked:
		v.Level = levelRebuild
	}
	return nil
}

func printReport(cmd *cobra.Command, dir string, r *release.Report, took time.Duration) error {
	return Print(cmd, map[string]any{
		"level": r.Level, "checked": r.Checked, "failed": r.Failed, "covered": r.Covered, "skipped": r.Skipped, "seconds": int64(took.Seconds()),
	}, func(out io.Writer) error {
		for _, f := range r.Failed {
			fmt.Fprintf(out, "%s: %s: %s: expected %s, found %s\n", f.Path, f.Where, f.Check, f.Expected, f.Found)
		}
		for _, s := range r.Covered {
			fmt.Fprintf(out, "covered: %s\n", s)
		}
		for _, s := range r.Skipped {
			fmt.Fprintf(out, "skipped: %s\n", s)
		}
		_, err := fmt.Fprintf(out, "%s: level %d, %d files checked, %d findings, %.1f s\n", dir, r.Level, r.Checked, len(r.Failed), took.Seconds())
		return err
	})
}
