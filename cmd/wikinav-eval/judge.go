package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/eval/endpoint"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/play"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/eval/verdict"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// judgeNone is the judge that is asked elsewhere.
const judgeNone = "none"

type judgeFlags struct {
	releaseFlags
	Trajectories  string `flag:"trajectories" usage:"run directory (required)"`
	Judge         string `flag:"judge" usage:"none: write the questions for a judge elsewhere"`
	URL           string `flag:"judge-url" usage:"base URL of an OpenAI-compatible endpoint; its key comes from the environment's WIKINAV_API_KEY"`
	Name          string `flag:"judge-model" usage:"name of the model there"`
	Temperature   string `flag:"judge-temperature" usage:"its temperature, or none to leave it to the endpoint"`
	MaxTokenField string `flag:"judge-max-tokens-field" usage:"how the endpoint is told, max_tokens or max_completion_tokens"`
	MaxTokens     int64  `flag:"judge-max-tokens" usage:"tokens of a verdict at most"`
	Format        string `flag:"judge-response-format" usage:"how verdicts are asked for: auto (as the endpoint takes it), json_schema, json_object or none"`
	Extra         string `flag:"judge-extra-body" usage:"JSON object of further fields of each request"`
	Context       bool   `flag:"judge-context" usage:"show the judge a page's true categories and the beginning of its text"`
	Retry         bool   `flag:"retry-errors" usage:"ask again where the judge gave no verdict"`
	Workers       int    `flag:"workers" usage:"questions at a time; changes no verdict"`
	Seed          int64  `flag:"seed" usage:"seed of the bootstrap"`
	Least         int    `flag:"min-coverage" usage:"percent of the moves to judge that need a verdict for a rate"`
}

func newJudge() *cobra.Command {
	f := &judgeFlags{
		Format: formatAuto, Temperature: "0", MaxTokens: 1000, MaxTokenField: endpoint.FieldMaxTokens,
		Workers: 4, Seed: 42, Least: 95,
	}
	cmd := &cobra.Command{
		Use:   "judge",
		Short: "Have the reasons of moves judged",
		Long: `judge replays a run of games with a ban and has the reason of each move judged by a model: whether the
reason for an allowed page is sound (type II), and whether the reason for a banned one contradicts itself
(type III). Verdicts stand in verdicts.jsonl of the run directory, and none is asked for twice.

Without --judge-url the verdicts that stand there are summed up. A judge that left more than 5 % of its moves
without a verdict has no rate, and the exit code is 1 (--min-coverage). --judge none writes judge-requests.jsonl, the
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
	cli.Bind(flags, f)
	cli.AddJSON(flags)
	cmd.AddCommand(&cobra.Command{
		Use:   "import FILE",
		Short: "Add verdicts that were given elsewhere, by models or people",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.with(cmd, func(run *judgedRun) error {
				run.unfinished = true
				return run.take(args[0])
			})
		},
	}, &cobra.Command{
		Use:   "check",
		Short: "Ask the judge about 40 fixed reasonings whose verdicts are known",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return f.check40(cmd) },
	})
	return cmd
}

func (f *judgeFlags) run(cmd *cobra.Command) error {
	if f.Judge != "" && f.Judge != judgeNone {
		return fault.New(fault.Usage, "--judge %s: want none, or --judge-url and --judge-model for an endpoint", fault.Quote(f.Judge))
	}
	return f.with(cmd, func(run *judgedRun) error {
		switch {
		case f.Judge == judgeNone:
			run.unfinished = true
			return whole.WriteFile(run.dir, verdict.RequestsFile, verdict.Requests(run.reasons.Statements, run.rubrics))
		case f.URL == "":
			return nil
		}
		asking, err := f.asking(cmd, run.rubrics)
		if err != nil {
			return err
		}
		_, err = asking.Run(cmd.Context(), run.reasons.Statements, run.record)
		return err
	})
}

// asking returns the model that is asked by the flags.
func (f *judgeFlags) asking(cmd *cobra.Command, rubrics map[string]verdict.Rubric) (verdict.Asking, error) {
	if f.Workers < 1 {
		return verdict.Asking{}, fault.New(fault.Usage, "--workers %d: want 1 or more", f.Workers)
	}
	c, err := f.model(cmd)
	if err != nil {
		return verdict.Asking{}, err
	}
	return verdict.Asking{
		Judge: f.as(c), Model: voice{c, 1}, Rubrics: rubrics, Workers: f.Workers, Retry: f.Retry, Now: time.Now,
		Meet: func(ctx context.Context, first play.Prompt) (schemas.Judge, error) {
			err := c.fit(ctx, first)
			return f.as(c), err
		},
	}, nil
}

// as returns the judge as it stands in verdicts, with how it is asked.
func (f *judgeFlags) as(c *contact) schemas.Judge {
	j := schemas.Judge{Model: f.Name, EndpointKind: schemas.KindOpenAI, Params: map[string]string{
		"temperature": "none", c.who.MaxTokensField: strconv.FormatInt(f.MaxTokens, 10),
	}}
	if t := c.asked.Temperature; t != nil {
		j.Params["temperature"] = *t
	}
	if put := c.put(true); put != nil {
		for name, value := range map[string]string{
			"response_format": put.ResponseFormat, "system": put.System, "extra_body": string(put.ExtraBody),
		} {
			if value != "" {
				j.Params[name] = value
			}
		}
	}
	return j
}

// model returns the model that judges. Nothing is asked yet.
func (f *judgeFlags) model(cmd *cobra.Command) (*contact, error) {
	switch {
	case f.URL == "" || f.Name == "":
		return nil, fault.New(fault.Usage, "a judge needs --judge-url and --judge-model").Hint("or --judge none, for one elsewhere")
	case f.MaxTokens < 1:
		return nil, fault.New(fault.Usage, "--judge-max-tokens %d: want 1 or more", f.MaxTokens)
	}
	f.Temperature = cmp.Or(f.Temperature, "0")
	m := modelFlags{
		BaseURL: f.URL, Name: f.Name, Temperature: f.Temperature, MaxTokens: f.MaxTokens, MaxTokenField: f.MaxTokenField,
		Format: f.Format, Extra: f.Extra, prefix: "judge-",
	}
	m.wishes(cmd)
	return m.connect(0, "")
}

func (f *judgeFlags) check40(cmd *cobra.Command) error {
	asking, err := f.asking(cmd, rubrics(nil))
	if err != nil {
		return err
	}
	c, err := asking.SelfCheck(cmd.Context())
	if err != nil {
		return err
	}
	return cli.Print(cmd, c, func(out io.Writer) error {
		for _, line := range c.Wrong {
			fmt.Fprintf(out, "  %s\n", report.Printable(line))
		}
		_, err := fmt.Fprintf(out, "%d/%d as expected, %d of them of the expected type; %d errors\n", c.Flag, c.N, c.Type, c.Errors)
		return err
	})
}

// rubrics are the two wordings; lead is nil without context.
func rubrics(lead func(u uint32) string) map[string]verdict.Rubric {
	return map[string]verdict.Rubric{
		schemas.PoolII:  {Pool: schemas.PoolII, Context: lead},
		schemas.PoolIII: {Pool: schemas.PoolIII, Context: lead},
	}
}

type judgedRun struct {
	dir     string
	reasons family.Reasons
	rubrics map[string]verdict.Rubric
	record  *verdict.Record

	unfinished bool // verdicts are still to come from elsewhere, so that a report without rates is no failure
}

// with replays the run, lets do add to its verdicts, and prints what they say.
func (f *judgeFlags) with(cmd *cobra.Command, do func(*judgedRun) error) error {
	switch {
	case f.Trajectories == "":
		return fault.New(fault.Usage, "--trajectories is required").
			Hint("name a run directory, for example --trajectories runs/random")
	case f.Least < 0 || f.Least > 100:
		return fault.New(fault.Usage, "--min-coverage %d: want 0 to 100", f.Least)
	}
	if run, err := trace.ReadRun(f.Trajectories); err == nil && !cmd.Flags().Changed("family") {
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
	of := run.reasons
	r := verdict.NewReport(d.release.Name(), of.Statements, of.Games, run.record.Verdicts(), f.Seed, f.Least)
	err = cli.Print(cmd, r, func(out io.Writer) error {
		_, err := out.Write(verdictSheet(r).Text())
		return err
	})
	if err != nil || run.unfinished {
		return err
	}
	return uncovered(r, f.Trajectories)
}

// uncovered is the failure of a report that lacks a rate because too few moves were judged.
func uncovered(r *verdict.Report, path string) error {
	list := r.Uncovered()
	if len(list) == 0 {
		return nil
	}
	return fault.New(fault.Failure, "no rate of pool %s by %s: %s", list[0].Pool, fault.Quote(list[0].Judge), list[0].Reason).
		At(path, "").Hint("ask again with --judge-url and --retry-errors, import more verdicts, or lower --min-coverage")
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

// replay refuses a run that the release contradicts: its moves would be judged for what they were
// not.
func (f *judgeFlags) replay(d *door) (*judgedRun, error) {
	log, set, err := d.log(f.Trajectories)
	if err != nil {
		return nil, err
	}
	if log.Dir == "" {
		return nil, fault.New(fault.Usage, "only a run directory has reasons to judge").At(f.Trajectories, "")
	}
	reasoned, ok := set.(family.Reasoned)
	if !ok {
		return nil, family.NotOffered(d.Family, "reasons to judge", having(d.reasoned))
	}
	run := &judgedRun{dir: log.Dir}
	if run.reasons, err = reasoned.Reasons(log, f.Seed); err != nil {
		return nil, err
	}
	var lead func(u uint32) string
	if of := run.reasons.Lead; f.Context {
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

func (r *judgedRun) take(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return fault.Opening(path, err)
	}
	list, err := verdict.Decode(data, path)
	if err != nil {
		return err
	}
	_, _, err = r.record.Import(list, r.reasons.Statements, r.rubrics)
	return err
}

func verdictSheet(r *verdict.Report) report.Sheet {
	t := report.Table{Rows: [][]string{strings.Fields("pool judge asked template sha256 moves judged errors missing coverage rate types")}}
	for _, x := range r.Rates {
		t.Rows = append(t.Rows, []string{
			x.Pool, x.Judge, cmp.Or(report.Printable(x.Asked), "-"), x.Template, cmp.Or(x.TemplateSHA256[:min(8, len(x.TemplateSHA256))], "-"),
			strconv.Itoa(x.Pooled), strconv.Itoa(x.Judged), strconv.Itoa(x.Errors), strconv.Itoa(x.Missing), report.Cell(x.Coverage), report.Cell(x.Rate),
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
	for _, x := range r.Uncovered() {
		say("pool %s, %s: no rate: %s", x.Pool, x.Judge, x.Reason)
	}
	for _, w := range r.Warnings {
		say("warning: %s", w)
	}
	n.Text = "pools and judges:"
	return report.Sheet{
		Title: "Reasons", Head: [][2]string{{"release", r.Release}, {"run", cmp.Or(r.Run, "-")}}, Tables: []report.Table{t}, Notes: []report.Note{n},
	}
}
