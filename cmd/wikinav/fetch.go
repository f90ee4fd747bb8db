package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/dumps/fetch"
	"github.com/wikinav/wikinav/pipeline"
)

// contactVariable names the environment variable that stands in for --contact.
const contactVariable = "WIKINAV_CONTACT"

type fetchFlags struct {
	cli.ProgressFlag
	opts   fetch.Options
	Form   string `flag:"articles" oneof:"multistream plain" usage:"form of the classic texts, multistream with its index"`
	DryRun bool   `flag:"dry-run" usage:"list files, sizes and addresses, and get none"`
}

func newFetch() *cobra.Command {
	var f fetchFlags
	cmd := &cobra.Command{
		Use:   "fetch WIKI DATE",
		Short: "Get the files of a dump, verified",
		Long: `fetch gets one dated dump of a wiki from the public dump site, or from --base, and compares every file
with its published size and sums. What was interrupted goes on where it stopped: run the same command again.
Dump sites want to know whom to write to: give --contact, or set ` + contactVariable + `.`,
		Example: `  wikinav fetch ltgwiki 20260101 --contact me@example.org --dry-run
  wikinav fetch ltgwiki 20260101 --contact me@example.org --tables page_props
  wikinav build --dump ltgwiki-20260101 --work ltg`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.opts.Wiki, f.opts.Date = args[0], args[1]
			return f.run(cmd)
		},
	}
	f.add(cmd)
	return cmd
}

func (f *fetchFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.opts.Folder, "out", "", "folder of the files; WIKI-DATE by default")
	flags.StringVar(&f.opts.Contact, "contact", "", "mail address or page that the site may write to; $"+contactVariable+" by default")
	cli.Choice(cmd.Flags(), &f.opts.Source, "source", "the dated tree with dumpstatus.json, or the exports of current content", fetch.Classic, fetch.Content)
	flags.StringSliceVar(&f.opts.Tables, "tables", nil, "SQL tables of the classic tree, too: "+strings.Join(fetch.Tables(), ","))
	flags.StringVar(&f.opts.Base, "base", fetch.Site, "root of the site; https, or http on this machine")
	flags.StringVar(&f.opts.Mirror, "mirror", "", "root of a replica of the classic tree that gives the bytes; sums still come from --base")
	flags.StringSliceVar(&f.opts.Hosts, "hosts", nil, "other hosts that redirects may lead to")
	flags.IntVar(&f.opts.Connections, "connections", 1, "files at a time, 1 to 3")
	flags.Uint64Var(&f.opts.Seed, "seed", 42, "seed of the jitter between tries")
	flags.BoolVar(&f.opts.Latest, "allow-latest", false, "accept latest as DATE; the date that it stands for is recorded")
	cli.Bind(flags, f)
	cli.AddJSON(cmd.Flags())
}

func (f *fetchFlags) run(cmd *cobra.Command) error {
	f.opts.Plain, f.opts.Version = f.Form == "plain", cli.Code().Version
	f.opts.Contact = cmp.Or(f.opts.Contact, os.Getenv(contactVariable))
	f.tell(cli.NewProgress(cmd.ErrOrStderr(), f.Progress))
	list, err := fetch.List(cmd.Context(), f.opts)
	if err != nil {
		return err
	}
	f.opts.Folder = cmp.Or(f.opts.Folder, list.Wiki+"-"+list.Date)
	if f.DryRun {
		return f.printListing(cmd, list)
	}
	got, err := fetch.Get(cmd.Context(), f.opts, list)
	if err != nil {
		return err
	}
	return f.printInputs(cmd, got)
}

// tell lets p tell of bytes and of waits.
func (f *fetchFlags) tell(p *cli.Progress) {
	f.opts.Meter = func(total int64) fetch.Meter { return p.Meter("fetch", "files", "bytes", total) }
	f.opts.Note = func(format string, args ...any) {
		note := fmt.Sprintf(format, args...)
		p.Say(map[string]any{"stage": "fetch", "note": note}, "fetch: "+note)
	}
}

func (f *fetchFlags) printListing(cmd *cobra.Command, l fetch.Listing) error {
	files := []any{}
	for _, file := range l.Files {
		files = append(files, map[string]any{"name": file.Name, "bytes": file.Bytes, "url": file.URL, "published": file.Sums})
	}
	return cli.Print(cmd, map[string]any{
		"wiki": l.Wiki, "date": l.Date, "source": l.Source, "bytes": l.Bytes(), "files": files,
	}, func(out io.Writer) error {
		for _, file := range l.Files {
			size := "size unknown"
			if file.Bytes >= 0 {
				size = cli.Thousands(file.Bytes) + " bytes"
			}
			fmt.Fprintf(out, "%s  %s  %s\n", file.Name, size, file.URL)
		}
		_, err := fmt.Fprintf(out, "would get %d files, %s bytes (%s), into %s\n", len(l.Files), cli.Thousands(l.Bytes()), pipeline.Bytes(l.Bytes()), f.opts.Folder)
		return err
	})
}

func (f *fetchFlags) printInputs(cmd *cobra.Command, in fetch.Inputs) error {
	return cli.Print(cmd, in, func(out io.Writer) error {
		var total int64
		for _, file := range in.Files {
			total += file.Bytes
			fmt.Fprintf(out, "%s  %s  %s bytes\n", file.SHA256, file.Name, cli.Thousands(file.Bytes))
		}
		_, err := fmt.Fprintf(out, "%d files, %s bytes (%s), verified, in %s\n", len(in.Files), cli.Thousands(total), pipeline.Bytes(total), f.opts.Folder)
		return err
	})
}
