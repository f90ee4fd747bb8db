package main

import (
	"bufio"
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/dumps/mediawiki"
	"github.com/wikinav/wikinav/pipeline"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages/ingest"
)

func newLinks() *cobra.Command {
	var d dumpFlags
	var pageText string
	r := runFlags{Workers: runtime.GOMAXPROCS(0)}
	cmd := &cobra.Command{
		Use:   "links FILE",
		Short: "Print the links of every page of a dump, before resolution",
		Long: `links prints one JSON object a line for every page of the dump, in page-id order:
  {"id":12,"ns":0,"title":"A","redirect":null,"links":["B","C"]}
links are the ordered unique main-namespace targets, normalised, before redirects are resolved.`,
		Example: `  wikinav links ltgwiki-20170901-pages-articles.xml.bz2 > links.jsonl`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := r.check(); err != nil {
				return err
			}
			d.in.Dump = args[0]
			if err := d.check(); err != nil {
				return err
			}
			longest, err := pipeline.ParseBytes(pageText)
			if err != nil {
				return err
			}
			if longest < 1 || longest > ingest.MaxPageText {
				return fault.New(fault.Usage, "--page-text %s: want 1B to %dMiB, which is all that a stream of a dump may unpack to", pageText, ingest.MaxPageText>>20)
			}
			return printLinks(cmd, &d, &r, int(longest))
		},
	}
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	cli.Bind(all, &d.in)
	for _, name := range oneDump {
		cmd.Flags().AddFlag(all.Lookup(name))
	}
	cli.Bind(cmd.Flags(), &r)
	cmd.Flags().StringVar(&pageText, "page-text", "2MiB", "longest text of a page that is read, at most 64MiB")
	return cmd
}

// openDump opens the dump of links through the same checks as build, so that a damaged file is
// found in the same way.
func (d *dumpFlags) openDump(cmd *cobra.Command, workers, longest int) (*mediawiki.Dump, error) {
	opts := mediawiki.Options{
		Index: d.in.Index, SiteInfoFile: d.in.SiteInfo, VerifyText: d.in.VerifyText, Tolerate: d.in.Tolerate, Workers: workers,
		Reader: d.in.Reader, PageText: longest,
	}
	if d.in.Dump == pipeline.StandardInput {
		return mediawiki.OpenReader(cmd.Context(), "standard input", cmd.InOrStdin(), opts)
	}
	src, err := pipeline.Open(cmd.Context(), d.in)
	if err != nil {
		return nil, err
	}
	src.Close()
	return mediawiki.OpenAll(cmd.Context(), []string{d.in.Dump}, opts)
}

func printLinks(cmd *cobra.Command, d *dumpFlags, r *runFlags, longest int) error {
	dump, err := d.openDump(cmd, r.Workers, longest)
	if err != nil {
		return err
	}
	defer dump.Close()
	_, total := dump.Progress()
	meter := cli.NewProgress(cmd.ErrOrStderr(), r.Progress).Meter("links", "reading "+filepath.Base(d.in.Dump), "bytes", total)
	defer meter.Done()
	out := bufio.NewWriterSize(cmd.OutOrStdout(), 1<<20)
	var line []byte
	cut, err := ingest.List(cmd.Context(), dump, d.in.Hatnotes, meter, func(p ingest.PageLinks) error {
		line = appendLinkLine(line[:0], p)
		_, err := out.Write(line)
		return err
	})
	if err != nil {
		return err
	}
	if cut > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "wikinav: links: %s: %s\n", ingest.CodeTextCut, doubts[ingest.CodeTextCut])
	}
	for _, w := range dump.Warnings() {
		fmt.Fprintf(cmd.ErrOrStderr(), "wikinav: links: %s: %s\n", w.Code, w.Text)
	}
	if err := out.Flush(); err != nil {
		return fault.New(fault.KindOf(err), "standard output: %w", err)
	}
	return nil
}

// appendLinkLine writes the fixed form of a page's links; its key order is part of the form.
func appendLinkLine(b []byte, p ingest.PageLinks) []byte {
	b = strconv.AppendUint(append(b, `{"id":`...), uint64(p.ID), 10)
	b = strconv.AppendInt(append(b, `,"ns":`...), int64(p.NS), 10)
	b = canon.AppendString(append(b, `,"title":`...), p.Title)
	b = append(b, `,"redirect":`...)
	if p.IsRedirect {
		b = canon.AppendString(b, p.Redirect)
	} else {
		b = append(b, "null"...)
	}
	b = append(b, `,"links":[`...)
	for i, l := range p.Links {
		if i > 0 {
			b = append(b, ',')
		}
		b = canon.AppendString(b, l)
	}
	return append(b, "]}\n"...)
}
