package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/audit"
	"github.com/wikinav/wikinav/artifacts/store"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/pipeline"
	"github.com/wikinav/wikinav/schemas"
)

// printSummary ends a build: what ran, the funnel from pages to graph nodes, what each split got,
// and every warning.
func printSummary(cmd *cobra.Command, dir *store.Dir, res *pipeline.Result, took time.Duration) error {
	s, err := summarise(dir, res)
	if err != nil {
		return err
	}
	return cli.Print(cmd, s, func(out io.Writer) error { return s.print(out, dir.Path(), took) })
}

// summary is what a build tells at its end. Nothing in it differs between two runs but Ran.
type summary struct {
	Snapshot schemas.Snapshot            `json:"snapshot"`
	Recipe   string                      `json:"recipe"`
	Stages   int                         `json:"stages"`
	Ran      []string                    `json:"ran"`
	Counters map[string]map[string]int64 `json:"counters"` // by stage
	Parts    []summaryPart               `json:"parts"`    // those of the build that a release would carry
	Warnings []schemas.Warning           `json:"warnings"`
}

// summaryPart is what a part was asked for and got, and what else there is to say of it.
type summaryPart struct {
	Part   string          `json:"part"`
	Quotas []schemas.Quota `json:"quotas"`
	Notes  []string        `json:"notes"`
}

func summarise(dir *store.Dir, res *pipeline.Result) (*summary, error) {
	s := &summary{
		Recipe: res.Build.Recipe.Name, Stages: len(res.Outcomes), Ran: []string{}, Counters: map[string]map[string]int64{},
		Parts: []summaryPart{}, Warnings: []schemas.Warning{},
	}
	for _, o := range res.Outcomes {
		if o.Ran {
			s.Ran = append(s.Ran, o.Stage)
		}
		s.Counters[o.Stage] = o.Receipt.Counters
		s.Warnings = append(s.Warnings, o.Receipt.Warnings...)
	}
	v := &view{dir: dir, build: &res.Build}
	defer v.Close()
	if v.build.Stages[pipeline.Entry(v.build.Stages)] != "" { // else only stages before it were built
		f, err := v.file(entryStage, "snapshot.json")
		if err != nil {
			return nil, err
		}
		if err := f.Decode(&s.Snapshot); err != nil {
			return nil, err
		}
	}
	return s, s.addParts(v)
}

func (s *summary) addParts(v *view) error {
	for _, p := range artifacts.All {
		if v.build.Stages[p.Source().Name] == "" {
			continue
		}
		files, err := v.partFiles(p)
		if err != nil {
			return err
		}
		quotas := []schemas.Quota{}
		published, err := p.Published(files)
		if err == nil && published {
			quotas, err = files.Quotas()
		}
		if err != nil {
			return err
		}
		notes, err := p.Tell(files)
		if err != nil {
			return err
		}
		s.Parts = append(s.Parts, summaryPart{p.Source().Name, quotas, append([]string{}, notes...)})
	}
	return nil
}

func (s *summary) print(out io.Writer, work string, took time.Duration) error {
	if len(s.Ran) == 0 {
		fmt.Fprintf(out, "nothing to do: all %d stages are there (%s, %.1f s)\n", s.Stages, work, took.Seconds())
	} else {
		fmt.Fprintf(out, "ran %d of %d stages in %.1f s: %s\n", len(s.Ran), s.Stages, took.Seconds(), work)
	}
	fmt.Fprintf(out, "snapshot %s %s, recipe %s\n\n", s.Snapshot.Wiki, s.Snapshot.Date, s.Recipe)
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, l := range audit.Brief() {
		printStep(t, l, s.counters)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	s.printTables(out)
	s.printParts(out)
	s.printWarnings(out)
	return nil
}

// counters gives those of a stage; the entry stage stands for the one that wrote pages and links.
func (s *summary) counters(stage string) map[string]int64 {
	if stage == entryStage && s.Counters[stage] == nil {
		return s.Counters["edgelist"]
	}
	return s.Counters[stage]
}

func printStep(w io.Writer, l audit.Step, counters func(stage string) map[string]int64) {
	n, ok := counters(l.Stage)[l.Counter]
	if !ok {
		return
	}
	share := ""
	fromTables := l.Counter == "links_read" && counters("pagelinks") != nil // then they are no share of the text's
	if whole := counters(l.OfStage)[l.Of]; whole > 0 && !fromTables {
		share = fmt.Sprintf("%.1f %%", 100*float64(n)/float64(whole))
	}
	fmt.Fprintf(w, "%s\t  %s\t\t%s\n", cli.Thousands(n), share, audit.Named(l.Label, counters("scc")))
}

// printTables says how far the SQL tables agree with the dump.
func (s *summary) printTables(out io.Writer) {
	c, props := s.Counters["crosscheck"], s.Counters[entryStage]
	if n := c["pages_compared"]; n > 0 {
		fmt.Fprintf(out, "table page: %s pages compared, %s titles, %s redirects and %s models differ; only in the dump %s, only in the table %s\n",
			cli.Thousands(n), cli.Thousands(c["pages_title_differs"]), cli.Thousands(c["pages_redirect_differs"]), cli.Thousands(c["pages_model_differs"]),
			cli.Thousands(c["pages_only_in_dump"]), cli.Thousands(c["pages_only_in_table"]))
	}
	if n := c["redirects_compared"]; n > 0 {
		fmt.Fprintf(out, "table redirect: %s redirects compared, %s targets differ; only in the dump %s, only in the table %s\n",
			cli.Thousands(n), cli.Thousands(c["redirects_target_differs"]), cli.Thousands(c["redirects_only_in_dump"]), cli.Thousands(c["redirects_only_in_table"]))
	}
	if n, ok := props["pages_disambiguation_in_both"]; ok {
		byText := schemas.Ratio{Num: n, Den: props["pages_disambiguation_by_text"]}
		byProps := schemas.Ratio{Num: n, Den: props["pages_disambiguation_by_props"]}
		fmt.Fprintf(out, "disambiguation pages by the text against page_props: precision %s, recall %s\n", ratio(byText), ratio(byProps))
	}
}

func (s *summary) printParts(out io.Writer) {
	fmt.Fprintln(out)
	short := false
	for _, p := range s.Parts {
		for _, q := range p.Quotas {
			short = printQuota(out, p.Part, q) || short
		}
	}
	if short {
		fmt.Fprintln(out, "short: reuse = \"any\", smaller sizes, other distances (--split) or more targets (--targets all) may help;")
		fmt.Fprintln(out, "wikinav release refuses a short build unless told --allow-short")
	}
	for _, p := range s.Parts {
		for _, line := range p.Notes {
			fmt.Fprintln(out, line)
		}
	}
}

// printQuota tells what one quota got, and whether it fell short.
func printQuota(out io.Writer, part string, q schemas.Quota) (short bool) {
	mark := ""
	if q.Short() {
		mark = "  SHORT: " + q.Why
		if bound, known := q.Counts["matching_bound"]; known {
			mark += fmt.Sprintf(" (at most %d under reuse = none)", bound)
		}
	}
	fmt.Fprintf(out, "%-12s %-24s %d of %d%s\n", part, q.What(), q.Got, q.Requested, mark)
	return q.Short()
}

func (s *summary) printWarnings(out io.Writer) {
	for _, w := range s.Warnings {
		if w.Threshold.Den == 0 { // a warning of something that is there or not
			fmt.Fprintf(out, "WARNING %s\n", w.Code)
			continue
		}
		fmt.Fprintf(out, "WARNING %s: %s measured, threshold %s\n", w.Code, ratio(w.Measured), ratio(w.Threshold))
	}
}

func ratio(r schemas.Ratio) string {
	return fmt.Sprintf("%d/%d = %.3g", r.Num, r.Den, float64(r.Num)/float64(max(1, r.Den)))
}
