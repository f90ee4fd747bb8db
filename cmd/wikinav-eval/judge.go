package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/eval/verdict"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// judgeNone is the judge that is asked elsewhere.
const judgeNone = "none"

type judgeFlags struct {
	releaseFlags
	trajectories string
	judge        string
	model        judgeModel
	context      bool
	retry        bool
	workers      int
	seed         int64
	json         bool
}

func newJudge() *cobra.Command {
	f := &judgeFlags{}
	cmd := &cobra.Command{
		Use:   "judge",
		Short: "Have the reasons of moves judged",
		Long: `judge replays a run of games with a ban and has the reason of each move judged by a model: whether the
reason for an allowed page is sound (type II), and whether the reason for a banned one contradicts itself
(type III). Verdicts stand in verdicts.jsonl of the run directory, and none is asked for twice.

Without --judge-url the verdicts that stand there are summed up. --judge none writes judge-requests.jsonl, the
questions for a judge elsewhere; judge import takes its verdicts, and people's, in the form of verdict/1.
judge check asks the model about 40 fixed reasonings whose verdicts are known.`,
		Example: `  wikinav-eval judge --release demo-release --trajectories runs/model --judge none
  wikinav-eval judge import verdicts.jsonl --release demo-release --trajectories runs/model
  wikinav-eval judge --release demo-release --trajectories runs/model`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.PersistentFlags()
	f.addFamily(flags)
	flags.StringVar(&f.trajectories, "trajectories", "", "run directory (required)")
	flags.StringVar(&f.judge, "judge", "", "none: write the questions for a judge elsewhere")
	f.model.add(flags)
	flags.BoolVar(&f.context, "judge-context", false, "show the judge a page's true categories and the beginning of its text")
	flags.BoolVar(&f.retry, "retry-errors", false, "ask again where the judge gave no verdict")
	flags.IntVar(&f.workers, "workers", 4, "questions at a time; changes no verdict")
	flags.Int64Var(&f.seed, "seed", 42, "seed of the bootstrap")
	flags.BoolVar(&f.json, "json", false, "print the result as one JSON object")
	cmd.AddCommand(f.newImport(), f.newCheck())
	return cmd
}

func (f *judgeFlags) newImport() *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE",
		Short: "Add verdicts that were given elsewhere, by models or people",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.with(cmd, func(run *judgedRun) error { return run.take(args[0]) })
		},
	}
}

func (f *judgeFlags) newCheck() *cobra.Command {
	return &cobra.Command{
		Use:   "check",
		Short: "Ask the judge about 40 fixed reasonings whose verdicts are known",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return f.check40(cmd) },
	}
}

func (f *judgeFlags) run(cmd *cobra.Command) error {
	if f.judge != "" && f.judge != judgeNone {
		return fault.New(fault.Usage, "--judge %s: want none, or --judge-url and --judge-model for an endpoint", fault.Quote(f.judge))
	}
	return f.with(cmd, func(run *judgedRun) error {
		switch {
		case f.judge == judgeNone:
			return whole.WriteFile(run.dir, verdict.RequestsFile, verdict.Requests(run.reasons.Statements, run.rubrics))
		case f.model.url == "":
			return nil
		}
		asking, err := f.asking(run.rubrics)
		if err != nil {
			return err
		}
		_, err = asking.Run(cmd.Context(), run.reasons.Statements, run.record)
		return err
	})
}

// asking gives the model that is asked by the flags.
func (f *judgeFlags) asking(rubrics map[string]verdict.Rubric) (verdict.Asking, error) {
	if f.workers < 1 {
		return verdict.Asking{}, fault.New(fault.Usage, "--workers %d: want 1 or more", f.workers)
	}
	model, who, err := f.model.open()
	return verdict.Asking{Judge: who, Model: model, Rubrics: rubrics, Workers: f.workers, Retry: f.retry, Now: time.Now}, err
}

func (f *judgeFlags) check40(cmd *cobra.Command) error {
	asking, err := f.asking(rubrics(nil))
	if err != nil {
		return err
	}
	c, err := asking.SelfCheck(cmd.Context())
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	if f.json {
		_, err = fmt.Fprintf(out, "%s\n", canon.MustMarshal(c))
		return err
	}
	for _, line := range c.Wrong {
		fmt.Fprintf(out, "  %s\n", report.Printable(line))
	}
	_, err = fmt.Fprintf(out, "%d/%d as expected, %d of them of the expected type; %d errors\n", c.Flag, c.N, c.Type, c.Errors)
	return err
}

// rubrics are the two wordings; lead is nil without context.
func rubrics(lead func(u uint32) string) map[string]verdict.Rubric {
	return map[string]verdict.Rubric{
		schemas.PoolII:  {Pool: schemas.PoolII, Context: lead},
		schemas.PoolIII: {Pool: schemas.PoolIII, Context: lead},
	}
}

// judgedRun is a run with its verdicts.
type judgedRun struct {
	dir     string
	reasons family.Reasons
	rubrics map[string]verdict.Rubric
	record  *verdict.Record
}

// with replays the run, lets do add to its verdicts, and prints what they say.
func (f *judgeFlags) with(cmd *cobra.Command, do func(*judgedRun) error) error {
	if f.trajectories == "" {
		return fault.New(fault.Usage, "--trajectories is required")
	}
	if run, err := trace.ReadRun(f.trajectories); err == nil && !cmd.Flags().Changed("family") {
		f.family = run.Family
	}
	d, err := f.open()
	if err != nil {
		return err
	}
	defer d.Close()
	run, err := f.replay(d)
	if err != nil {
		return err
	}
	defer run.record.Close()
	if err := do(run); err != nil {
		return err
	}
	r := verdict.NewReport(d.release.Name(), run.reasons.Statements, run.reasons.Games, run.record.Verdicts(), f.seed)
	return f.print(cmd.OutOrStdout(), r)
}

// reasoned reports whether players of the family give reasons on this release.
func (d *door) reasoned(f family.Family) bool {
	o, err := f.Options(nil)
	if err != nil {
		return false
	}
	set, err := f.Open(d.release, o)
	_, ok := set.(family.Reasoned)
	return err == nil && ok
}

// replay refuses a run that the release contradicts: its moves would be judged for what they were not.
func (f *judgeFlags) replay(d *door) (*judgedRun, error) {
	log, set, err := d.log(f.trajectories)
	if err != nil {
		return nil, err
	}
	if log.Dir == "" {
		return nil, fault.New(fault.Usage, "only a run directory has reasons to judge").At(f.trajectories, "")
	}
	reasoned, ok := set.(family.Reasoned)
	if !ok {
		return nil, family.NotOffered(d.Family, "reasons to judge", having(d.reasoned))
	}
	run := &judgedRun{dir: log.Dir}
	if run.reasons, err = reasoned.Reasons(log, f.seed); err != nil {
		return nil, err
	}
	var lead func(u uint32) string
	if of := run.reasons.Lead; f.context {
		lead = func(u uint32) string {
			if of == nil {
				return ""
			}
			text, _ := of(u)
			return text
		}
	}
	run.rubrics = rubrics(lead)
	run.record, err = verdict.OpenRecord(log.Dir)
	return run, err
}

// take imports verdicts from a file.
func (r *judgedRun) take(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return fault.New(fault.NotFound, "%w", err)
	}
	list, err := verdict.Decode(data, path)
	if err != nil {
		return err
	}
	_, _, err = r.record.Import(list, r.reasons.Statements, r.rubrics)
	return err
}

func (f *judgeFlags) print(out io.Writer, r *verdict.Report) error {
	if f.json {
		_, err := fmt.Fprintf(out, "%s\n", canon.MustMarshal(r))
		return err
	}
	_, err := out.Write(verdictSheet(r).Text())
	return err
}

func verdictSheet(r *verdict.Report) report.Sheet {
	t := report.Table{Rows: [][]string{strings.Fields("pool judge template sha256 moves judged errors missing rate types")}}
	for _, x := range r.Rates {
		t.Rows = append(t.Rows, []string{
			x.Pool, x.Judge, x.Template, cmp.Or(x.TemplateSHA256[:min(8, len(x.TemplateSHA256))], "-"),
			strconv.Itoa(x.Pooled), strconv.Itoa(x.Judged), strconv.Itoa(x.Errors), strconv.Itoa(x.Missing), report.Cell(x.Rate),
			cmp.Or(report.Counts("", x.Types), "-"),
		})
	}
	var n report.Note
	say := func(format string, args ...any) { n.Lines = append(n.Lines, fmt.Sprintf(format, args...)) }
	for _, p := range r.Pools {
		say("pool %s: %d moves, %d of them judged by rule", p.Pool, p.Moves, p.ByRule)
	}
	for _, p := range r.Pairs {
		say("pool %s, %s and %s: agreement %s, kappa %s, n %d", p.Pool, p.A, p.B, report.Cell(p.Share), report.Cell(judge.Metric{Value: p.Kappa}), p.N)
	}
	for _, p := range r.People {
		say("pool %s, %s against %s: accuracy %s, of types %s, n %d", p.Pool, p.Judge, p.Human, report.Cell(p.Flag), report.Cell(p.Type), p.N)
	}
	for _, w := range r.Warnings {
		say("warning: %s", w)
	}
	n.Text = "pools and judges:"
	return report.Sheet{
		Title: "Reasons", Head: [][2]string{{"release", r.Release}, {"run", cmp.Or(r.Run, "-")}}, Tables: []report.Table{t}, Notes: []report.Note{n},
	}
}
