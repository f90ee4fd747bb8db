package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/artifacts/releases"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/pipeline"
	"github.com/wikinav/wikinav/schemas/fault"
)

func newRelease() *cobra.Command {
	var f workFlags
	var carry carryFlags
	var out, previous string
	var opts release.WriteOptions
	var licence, attribution, errata string
	var long []string
	cmd := &cobra.Command{
		Use:   "release",
		Short: "Freeze a build in a directory that anybody can verify",
		Long: `release writes what a build holds into a directory of its own: graph, distances, splits, manifest,
checksums, and documents that are made from these: data card, data sheet, citation, licence,
recipe, errata, and descriptions for programs (Croissant, Data Package). The directory is complete
or not there. A split with fewer instances than were asked for is refused, unless --allow-short
accepts and marks it.

With --previous OLD it supersedes the release OLD, and its version is the least that may follow:
PATCH for the same records, MINOR for more files of them, MAJOR for a record that is another or
gone.

With --carry OLD it takes records of the release OLD over, an older snapshot of the same wiki: those
that the graph of the build still answers as before keep their ids and all that they say, and only
the slots of the others are filled with pairs of the build, which are numbered on. Build with
--targets OLD. It supersedes OLD, unless --previous names another release.

A folder called releases has an index of what lies in it, releases/index.jsonl, which
wikinav releases lists.`,
		Example: `  wikinav release --out demo-release
  wikinav release --work ltg --allow-short
  wikinav release --work ltg --distances packed --parquet edges,distances --out ltg-small
  wikinav release --work ltg --published 2026-11-20 --version 1.0.1 --out ltg-1.0.1
  wikinav release --work ltg --previous releases/ltgwiki-20170901-strict-v1.0.0
  wikinav release --work ltg-2018 --carry releases/ltgwiki-20170901-strict-v1.0.0
  wikinav release --work ltg --version 2.0.0 --errata corrections.md`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.look(func(v *view) error {
				in, err := v.releaseInput()
				if err != nil {
					return err
				}
				defer in.Root.Close()
				if licence != "" {
					in.Licence = in.DataLicence(licence, attribution)
				}
				if opts.Parquet, err = longTables(long); err != nil {
					return err
				}
				if opts.Previous, err = manifestOf(previous); err != nil {
					return err
				}
				if err := carry.open(cmd, &opts); err != nil {
					return err
				}
				defer carry.close()
				if out == "" {
					opts.Folder = releases.Folder
					version := opts.Version
					if version == "" && opts.Previous != nil {
						version = "next" // until it follows from the files
					}
					out = filepath.Join(opts.Folder, release.DefaultName(in, version))
				}
				if opts.Errata, err = readErrata(errata); err != nil {
					return err
				}
				m, err := release.Write(cmd.Context(), out, in, opts)
				if err != nil {
					return err
				}
				if opts.Folder != "" {
					out = filepath.Join(opts.Folder, m.Release.Name)
				}
				if err := enter(out); err != nil {
					return err
				}
				return printRelease(cmd, out, m)
			})
		},
	}
	f.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&out, "out", "", "directory of the release; releases/<wiki>-<date>-<recipe>-v<version> by default")
	flags.BoolVar(&opts.AllowShort, "allow-short", false, "accept splits with fewer instances than requested, and mark them")
	flags.BoolVar(&opts.AllTargets, "all-targets", false, "carry the distances of all targets, not only those of instances")
	flags.StringVar(&opts.Distances, "distances", release.Arrow,
		"form of the distances: arrow, a byte for each, or packed, about two bits")
	flags.StringSliceVar(&long, "parquet", []string{longEdges},
		"what to publish as Parquet, too, for engines that read no Arrow files: edges, distances, none")
	flags.StringVar(&opts.Published, "published", "", "day of publication as YYYY-MM-DD")
	flags.StringVar(&opts.Version, "version", "",
		"version of the release; 1.0.0 by default, or the least that may follow --previous")
	flags.StringVar(&previous, "previous", "", "release that this one supersedes, from which its version follows")
	cli.Bind(flags, &carry)
	flags.StringVar(&licence, "licence", "", "SPDX id of the data's licence; that of Wikipedia for a dump, to be named for an edge list")
	flags.StringVar(&attribution, "attribution", "", "whom the licence asks to name")
	flags.StringVar(&errata, "errata", "",
		"Markdown file for ERRATA.md: which files and instances of which earlier release this one corrects")
	cli.AddJSON(cmd.Flags())
	return cmd
}

// maxErrata is far above what people write.
const maxErrata = 1 << 20

// readErrata reads the file of --errata, which must say something; "" for no file.
func readErrata(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	f, err := os.Open(name)
	if err != nil {
		return "", fault.Opening(name, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxErrata+1))
	switch {
	case err != nil:
		return "", fault.New(fault.Failure, "%w", err).At(name, "")
	case len(text) > maxErrata:
		return "", fault.New(fault.Usage, "--errata %s: more than %d bytes", fault.Quote(name), maxErrata).
			Hint("name the file with the corrections")
	case strings.TrimSpace(string(text)) == "":
		return "", fault.New(fault.Usage, "--errata %s: the file is empty", fault.Quote(name)).
			Hint("write what this release corrects, or leave the flag out")
	}
	return string(text), nil
}

// Words of --parquet.
const (
	longEdges     = "edges"
	longDistances = "distances"
	longNone      = "none"
)

func longTables(words []string) (l release.Long, err error) {
	for _, word := range words {
		switch {
		case word == longEdges:
			l.Edges = true
		case word == longDistances:
			l.Distances = true
		case word != longNone || len(words) > 1:
			return l, fault.New(fault.Usage, "--parquet %s: want %s, %s, both with a comma between, or %s",
				fault.Quote(strings.Join(words, ",")), longEdges, longDistances, longNone)
		}
	}
	return l, nil
}

// manifestOf reads the manifest of a release; nil for none.
func manifestOf(dir string) (*release.Manifest, error) {
	if dir == "" {
		return nil, nil
	}
	r, err := release.Open(dir)
	if err != nil {
		return nil, err
	}
	return r.Manifest(), r.Close()
}

// enter puts a release into the index of a folder of releases.
func enter(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil || filepath.Base(filepath.Dir(dir)) != releases.Folder {
		return err
	}
	return releases.Add(dir)
}

func newReleases() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "releases [DIR]",
		Short:   "List the releases of a folder, and what supersedes what",
		Long:    "releases prints the index that release keeps in a folder called releases.",
		Example: "  wikinav releases\n  wikinav releases data/releases --json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			folder := append(args, releases.Folder)[0]
			if _, err := os.Stat(filepath.Join(folder, releases.Index)); err != nil {
				return fault.New(fault.NotFound, "the index of releases is missing").
					At(filepath.Join(folder, releases.Index), "").
					Hint("wikinav release keeps one in folders called %s", releases.Folder)
			}
			list, err := releases.List(folder)
			if err != nil {
				return err
			}
			return cli.Print(cmd, map[string]any{"releases": list}, func(out io.Writer) error {
				for _, e := range list {
					line := fmt.Sprintf("%s  %s  %s  %s", e.ID, e.Directory, e.Version,
						cmp.Or(e.Published, "unpublished"))
					if e.SupersededBy != nil {
						line += "  superseded by " + *e.SupersededBy
					}
					if _, err := fmt.Fprintln(out, line); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	cli.AddJSON(cmd.Flags())
	return cmd
}

// filesOf is the noun of a number of files.
func filesOf(n int) string {
	if n == 1 {
		return "file"
	}
	return "files"
}

func printRelease(cmd *cobra.Command, dir string, m *release.Manifest) error {
	var total int64
	for _, f := range m.Files {
		total += f.Bytes
	}
	return cli.Print(cmd, map[string]any{
		"id": m.ID, "name": m.Release.Name, "files": len(m.Files), "bytes": total, "splits": m.Splits,
		"warnings": m.Warnings, "sizes": m.Sizes(),
	}, func(out io.Writer) error {
		fmt.Fprintf(out, "%s: release %s, %d files, %s\n", dir, m.ID, len(m.Files), pipeline.Bytes(total))
		for _, s := range m.Sizes() {
			fmt.Fprintf(out, "  %-20s %6d %-5s  %12s  %10d rows\n", cmp.Or(s.Folder, "in no folder"), s.Files,
				filesOf(s.Files), pipeline.Bytes(s.Bytes), s.Rows)
		}
		for _, w := range m.Warnings {
			fmt.Fprintf(out, "WARNING %s\n", w.Code)
		}
		_, err := fmt.Fprintf(out, "check it with: wikinav verify %s\n", dir)
		return err
	})
}
