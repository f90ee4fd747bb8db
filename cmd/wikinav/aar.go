package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/audit"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	stage "github.com/wikinav/wikinav/stages/aar"
)

func init() {
	familyVerbs = append(familyVerbs, newAAR)
	audited = append(audited, auditLegs)
}

func newAAR() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "aar",
		Short: "Legs of The Amazing Agent Race: read, validate, audit, unpack, make",
		Example: `  wikinav aar audit my-legs
  wikinav aar validate my-legs --released`,
	}
	cmd.AddCommand(newAARRoundtrip(), newAARValidate(), newAARAudit(), newAARUnpack(), newAARLeg(), newAARCalls())
	return cmd
}

// output is how a verb prints: a table, or one JSON object.
type output struct{ format string }

func (o *output) add(cmd *cobra.Command) {
	o.format = "table"
	cli.Choice(cmd.Flags(), &o.format, "format", "how to print", "table", "json")
	cli.AddJSON(cmd.Flags())
}

// print writes an object as JSON, which may hold floats, or in the words of table.
func (o *output) print(cmd *cobra.Command, object any, table func(io.Writer)) error {
	out := bufio.NewWriter(cmd.OutOrStdout())
	if o.format != "json" && !cli.AsJSON(cmd) {
		table(out)
		return out.Flush()
	}
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return errors.Join(enc.Encode(object), out.Flush())
}

const legFolders = `DIR is a tree <variant>/<level>/sample_NNN.json, any folder of legs, or a release.`

func newAARRoundtrip() *cobra.Command {
	var o output
	cmd := &cobra.Command{
		Use:   "roundtrip DIR",
		Short: "Read every leg, write it in memory, and compare the bytes",
		Long: `roundtrip names the legs that are written otherwise than they were read. ` + legFolders + `
The exit code is 3 if any differs, and 14 if one cannot be read.`,
		Example: `  wikinav aar roundtrip my-legs
  wikinav aar roundtrip my-release --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return roundtrip(cmd, args[0], &o) },
	}
	o.add(cmd)
	return cmd
}

func roundtrip(cmd *cobra.Command, dir string, o *output) error {
	report := struct {
		Legs       int         `json:"legs"`
		Same       int         `json:"same"`
		Differ     []string    `json:"differ"`
		Unreadable []aar.Issue `json:"unreadable"`
	}{Differ: []string{}, Unreadable: []aar.Issue{}}
	var failed error
	err := aar.ReadFiles(dir, func(f aar.File) error {
		report.Legs++
		switch {
		case f.Err != nil:
			report.Unreadable = append(report.Unreadable, aar.Unreadable(f.Path, f.Err))
			if failed == nil || fault.KindOf(failed) == fault.Mismatch {
				failed = f.Reason(dir)
			}
		case f.Same():
			report.Same++
		default:
			report.Differ = append(report.Differ, f.Path)
			if failed == nil {
				failed = fault.New(fault.Mismatch, "the leg is written otherwise than it was read").At(filepath.Join(dir, f.Path), "")
			}
		}
		return cmd.Context().Err()
	})
	if err != nil {
		return err
	}
	err = o.print(cmd, report, func(out io.Writer) {
		for _, path := range report.Differ {
			fmt.Fprintf(out, "%s\tdiffers\n", path)
		}
		for _, issue := range report.Unreadable {
			fmt.Fprintf(out, "%s\tunreadable\t%s\t%s\n", issue.File, issue.Code, cli.OneLine(issue.Message))
		}
		fmt.Fprintf(out, "%d of %d legs are byte-identical\n", report.Same, report.Legs)
	})
	return errors.Join(err, failed)
}

func newAARValidate() *cobra.Command {
	var o output
	var released bool
	cmd := &cobra.Command{
		Use:   "validate DIR",
		Short: "List what is wrong with each leg, by file, stop and rule",
		Long: `validate checks form, counts, references, values and leaks of titles. ` + legFolders + `
The exit code is 3 if any issue is critical.`,
		Example: `  wikinav aar validate my-legs
  wikinav aar validate my-legs --released --format json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return validateLegs(cmd, args[0], released, &o) },
	}
	o.add(cmd)
	cmd.Flags().BoolVar(&released, "released", false, "every URL must be one of the English Wikipedia")
	return cmd
}

func validateLegs(cmd *cobra.Command, dir string, released bool, o *output) error {
	report := struct {
		Legs     int         `json:"legs"`
		Critical int         `json:"critical"`
		Warnings int         `json:"warnings"`
		Issues   []aar.Issue `json:"issues"`
	}{Issues: []aar.Issue{}}
	err := aar.ReadFiles(dir, func(f aar.File) error {
		report.Legs++
		for _, issue := range f.Issues(released) {
			report.Issues = append(report.Issues, issue)
			if issue.Severity == aar.Critical {
				report.Critical++
			} else {
				report.Warnings++
			}
		}
		return cmd.Context().Err()
	})
	if err != nil {
		return err
	}
	err = o.print(cmd, report, func(out io.Writer) {
		for _, i := range report.Issues {
			fmt.Fprintf(out, "%s\t%d\t%s\t%s\t%s\n", i.File, i.Stop, i.Severity, i.Code, cli.OneLine(i.Message))
		}
		fmt.Fprintf(out, "%d legs: %d critical issues, %d warnings\n", report.Legs, report.Critical, report.Warnings)
	})
	if err == nil && report.Critical > 0 {
		err = fault.New(fault.Mismatch, "%d critical issues in %d legs", report.Critical, report.Legs).At(dir, "")
	}
	return err
}

func newAARAudit() *cobra.Command {
	var o output
	cmd := &cobra.Command{
		Use:   "audit DIR",
		Short: "Count every known defect of legs, per leg, per variant and level, and in total",
		Long: `audit prints a row per leg, a row per variant and level, and how many legs have each flag.
` + legFolders + ` docs/families/aar.md defines the flags.`,
		Example: `  wikinav aar audit my-legs
  wikinav aar audit my-legs --format json | jq .totals`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var rows []aar.AuditLeg
			err := aar.ReadFiles(args[0], func(f aar.File) error {
				if f.Err != nil {
					return f.Reason(args[0])
				}
				rows = append(rows, aar.AuditOf(f))
				return cmd.Context().Err()
			})
			if err != nil {
				return err
			}
			report := aar.NewAudit(rows)
			return o.print(cmd, report, func(out io.Writer) { printTables(out, report.Tables()) })
		},
	}
	o.add(cmd)
	return cmd
}

// printTables prints tables with tabs between cells and an empty line between tables.
func printTables(out io.Writer, tables [][][]string) {
	for i, rows := range tables {
		if i > 0 {
			fmt.Fprintln(out)
		}
		for _, row := range rows {
			fmt.Fprintln(out, strings.Join(row, "\t"))
		}
	}
}

func newAARUnpack() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "unpack RELEASE",
		Short: "Write the legs of a release as a tree with a file per leg",
		Long: `unpack writes <variant>/<level>/sample_NNN.json of every line of aar/legs-*.jsonl. The folder of --out
is made, and must be empty if it is there.`,
		Example: `  wikinav aar unpack my-release --out my-legs
  wikinav aar roundtrip my-legs`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if dir == "" {
				return fault.New(fault.Usage, "--out is missing").Hint("want --out DIR, the folder for the tree")
			}
			if list, err := os.ReadDir(dir); err == nil && len(list) > 0 {
				return fault.New(fault.Usage, "--out %s: the folder is not empty", fault.Quote(dir)).Hint("name another one")
			}
			n, err := unpack(cmd, args[0], dir)
			if err == nil {
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "unpacked %d legs\n", n)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&dir, "out", "", "folder for the tree (required)")
	return cmd
}

func unpack(cmd *cobra.Command, release, dir string) (n int, err error) {
	err = aar.ReadFiles(release, func(f aar.File) error {
		switch {
		case !f.Line:
			return fault.New(fault.NotFound, "no aar/legs-*.jsonl, so it is no release with legs").At(release, "")
		case f.Err != nil:
			return f.Reason(release)
		}
		path, err := f.TreePath()
		if err != nil {
			return err
		}
		full := filepath.Join(dir, path)
		if _, err := os.Lstat(full); err == nil {
			return fault.New(fault.Malformed, "sample_id %s stands twice", f.Sample).At(filepath.Join(release, f.Path), "metadata.sample_id")
		}
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			return err
		}
		n++
		return errors.Join(whole.WriteFile(filepath.Dir(full), filepath.Base(full), aar.EncodeLeg(f.Leg, true)), cmd.Context().Err())
	})
	return n, err
}

// tapeFlag is the cassette of a build, or what was recorded for the next one.
type tapeFlag struct {
	Cassette string `flag:"aar-cassette" usage:"answers of providers that were recorded"`
}

// open reads the cassette, nil for none. A build with one wants it again.
func (f *tapeFlag) open(cmd *cobra.Command, v *view, same bool) (*aar.Cassette, error) {
	want := ""
	for _, src := range v.build.Source {
		if src.Role == "aar-cassette" {
			want = src.SHA256
		}
	}
	switch {
	case f.Cassette == "" && want != "" && same:
		return nil, fault.New(fault.Usage, "the build has a cassette of SHA-256 %s", want).
			Hint("name it with --aar-cassette FILE")
	case f.Cassette == "":
		return nil, nil
	}
	sum, err := digest.SHA256File(cmd.Context(), f.Cassette)
	switch {
	case err != nil:
		return nil, fault.Opening(f.Cassette, err)
	case same && sum != want:
		return nil, fault.New(fault.Mismatch, "has SHA-256 %s, the cassette of the build %s", sum,
			cmp.Or(want, "none")).At(f.Cassette, "").Hint("name the file that was built with")
	}
	return aar.OpenCassette(f.Cassette)
}

func newAARCalls() *cobra.Command {
	var f workFlags
	var tape tapeFlag
	most := 1000
	cmd := &cobra.Command{
		Use:   "calls",
		Short: "List the calls of providers that legs of a build could use, to be recorded",
		Long: `calls draws the legs of a build and lists what they would ask providers, a call a line, in the form of
wikinav-eval tools record --calls: the first leg of every variant and level first, at most --limit
calls, none that the cassette has. With the answers legs are drawn otherwise and may want others:
record, and list again with the cassette, until nothing is listed or you have enough.`,
		Example: `  wikinav aar calls --limit 500 > calls.jsonl
  wikinav-eval tools record --provider NAME --calls calls.jsonl --cassette live.jsonl
  wikinav aar calls --aar-cassette live.jsonl > more.jsonl
  wikinav build --texts on --aar-cassette live.jsonl`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if most < 1 {
				return fault.New(fault.Usage, "--limit %d: want a number from 1 on", most)
			}
			return f.look(func(v *view) error {
				c, err := tape.open(cmd, v, false)
				if err != nil {
					return err
				}
				p, in, err := v.alone(c)
				if err != nil {
					return err
				}
				calls, err := p.Calls(cmd.Context(), in, most)
				if err != nil {
					return err
				}
				out := bufio.NewWriter(cmd.OutOrStdout())
				for _, c := range calls {
					fmt.Fprintf(out, "{\"tool\":%q,\"args\":%s}\n", c.Tool, c.Args)
				}
				return out.Flush()
			})
		},
	}
	f.add(cmd)
	cli.Bind(cmd.Flags(), &tape)
	cmd.Flags().IntVar(&most, "limit", most, "how many calls are listed at most")
	return cmd
}

func newAARLeg() *cobra.Command {
	var f workFlags
	var tape tapeFlag
	cmd := &cobra.Command{
		Use:   "leg ID",
		Short: "Make one leg of a build alone and print it",
		Long: `leg makes a leg from the world of a build, with the parameters of that build, and prints it
as a file of a tree. Its bytes are those that it has among the others. A build with a cassette of
providers wants it again.`,
		Example: `  wikinav aar leg aar-dag-hard-007
  wikinav aar leg aar-linear-easy-001 --work ltg --aar-cassette live.jsonl`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.look(func(v *view) error {
				c, err := tape.open(cmd, v, true)
				if err != nil {
					return err
				}
				l, err := v.leg(cmd.Context(), args[0], c)
				if err == nil {
					_, err = cmd.OutOrStdout().Write(aar.EncodeLeg(l, true))
				}
				return err
			})
		},
	}
	f.add(cmd)
	cli.Bind(cmd.Flags(), &tape)
	return cmd
}

// leg makes a leg alone.
func (v *view) leg(ctx context.Context, instance string, c *aar.Cassette) (*schemas.AARLeg, error) {
	p, in, err := v.alone(c)
	if err != nil {
		return nil, err
	}
	return p.Leg(ctx, in, instance, runtime.GOMAXPROCS(0))
}

// alone returns what the legs of a build are made from, besides a cassette.
func (v *view) alone(c *aar.Cassette) (p stage.Params, in stage.Alone, err error) {
	p, in.Cassette = stage.Default(), c
	files, err := v.partFiles(aar.Part)
	if err != nil {
		return p, in, err
	}
	if !files.Has(aar.TextsFile) {
		return p, in, fault.New(fault.NotFound, "the build has no page texts, and so no legs").
			Hint("run wikinav build --texts on")
	}
	if err := json.Unmarshal(files.Params, &p); err != nil {
		return p, in, err
	}
	world, err := aar.OpenWorld(files)
	if in.World, err = kept(v, world, err); err != nil {
		return p, in, err
	}
	if in.Graph, err = v.graph(); err != nil {
		return p, in, err
	}
	if in.Nodes, err = v.table("scc", "nodes.arrow", schemas.NodesTable); err != nil {
		return p, in, err
	}
	snapshot, err := v.file(entryStage, "snapshot.json")
	if err == nil {
		err = snapshot.Decode(&in.Snapshot)
	}
	return p, in, err
}

// auditLegs audits a folder of legs: each with its defects.
func auditLegs(ctx context.Context, dir string) ([]*audit.Table, error) {
	if !hasLegs(dir) {
		return nil, nil
	}
	var legs []aar.AuditLeg
	err := aar.ReadFiles(dir, func(f aar.File) error {
		if f.Err != nil {
			return f.Reason(dir)
		}
		legs = append(legs, aar.AuditOf(f))
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	legs = aar.NewAudit(legs).Legs
	rows := make([]audit.Row, len(legs))
	for i := range legs {
		rows[i] = audit.Row{ID: legs[i].File, Record: &legs[i], Reasons: legs[i].Defects()}
	}
	t, err := audit.TableOf(schemas.AAR.Name, "legs", release.Audit{
		By: []string{"variant", "level"}, Hardness: "stops", Skip: []string{"passcode"},
	}, rows)
	return []*audit.Table{t}, err
}

// hasLegs reports whether a file below dir has the name of one with legs.
func hasLegs(dir string) (has bool) {
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		name := ""
		if err == nil {
			name = d.Name()
		}
		sample := strings.HasPrefix(name, "sample_") && strings.HasSuffix(name, ".json")
		if lines, bad := filepath.Match("legs-*.jsonl", name); sample || lines && bad == nil {
			has = true
			return fs.SkipAll
		}
		return err
	})
	return has && err == nil
}
