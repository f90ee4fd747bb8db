package main

import (
	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

type scoreFlags struct {
	releaseFlags
	trajectories string
	attempts     int
	partial      bool
	maxInfra     int
	seed         int64
	format       string
	json         bool
	reward       string
	mango        mangoFlags
}

func newScore() *cobra.Command {
	f := &scoreFlags{}
	cmd := &cobra.Command{
		Use:   "score",
		Short: "Score trajectories by playing them again",
		Long: `score replays every game on the release's graph and prints what came of it. Wherever the log
says something else, the place is listed and the exit code is 3.

PATH is a run directory, a file of one, or a JSON-lines file with a game a line, for example
  {"instance":"wr-easy-0001","path":["A","B","T"]}
with pages as titles or as node numbers, and attempt, outcome and usage where they are known.

With --family probe or onestep PATH holds a reply a line, for example
  {"id":"pr-d2-0001","reply":"\\boxed{no}"}
or is the run directory of such a play, and what is scored is the knowledge probe, or the one-step set that --split names.`,
		Example: `  wikinav-eval score --release demo-release --trajectories runs/random
  wikinav-eval score --release demo-release --trajectories mine.jsonl --split easy --partial
  wikinav-eval score --release demo-release --trajectories runs/random --json
  wikinav-eval score --release demo-release --trajectories runs/random --format markdown
  wikinav-eval score --family mango --mazes mazes --trajectories answers.jsonl`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.checkFormat(); err != nil {
				return err
			}
			if f.family == mango {
				return f.scoreMango(cmd)
			}
			return f.run(cmd)
		},
	}
	f.releaseFlags.add(cmd)
	f.mango.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.trajectories, "trajectories", "", "what was played (required)")
	flags.IntVar(&f.attempts, "attempts", 0, "games expected of each instance (default: those of the run, or 1)")
	flags.BoolVar(&f.partial, "partial", false, "leave missing games out instead of counting them as failures")
	flags.IntVar(&f.maxInfra, "max-infra-errors", 0, "games of a split that may have failed for no fault of the player")
	flags.Int64Var(&f.seed, "seed", 42, "seed of the bootstrap")
	flags.StringVar(&f.reward, "reward", "exact", "reward of --family onestep: exact or graded")
	flags.StringVar(&f.format, "format", formatTable, "what is printed: table, markdown or json")
	flags.BoolVar(&f.json, "json", false, "the same as --format json")
	return cmd
}

func (f *scoreFlags) run(cmd *cobra.Command) error {
	if err := f.checkFlags(); err != nil {
		return err
	}
	if f.family == familyLumina {
		return f.scoreLumina(cmd)
	}
	if f.family == schemas.FamilyConstrained {
		return f.scoreBanned(cmd)
	}
	if f.isCompanion() {
		return f.scoreCompanion(cmd)
	}
	src, err := f.open()
	if err != nil {
		return err
	}
	defer src.Close()
	log, err := trace.OpenGames(f.trajectories)
	if err != nil {
		return err
	}
	rel, err := src.judged(log)
	if err != nil {
		return err
	}
	scores, fail := judge.Score(rel, log, judge.Request{
		Splits: f.splits, Attempts: f.attempts, Partial: f.partial, MaxInfra: f.maxInfra, Seed: f.seed,
	})
	if scores == nil {
		return fail
	}
	if err := f.publish(cmd, scores, log.Dir, func() report.Sheet { return sheetOf(scores) }); err != nil {
		return err
	}
	return fail
}

// Forms in which scores are printed.
const (
	formatTable    = "table"
	formatMarkdown = "markdown"
	formatJSON     = "json"
)

func (f *scoreFlags) checkFormat() error {
	if f.json {
		f.format = formatJSON
	}
	return checkFormat(f.format)
}

func checkFormat(format string) error {
	switch format {
	case formatTable, formatMarkdown, formatJSON:
		return nil
	}
	return fault.New(fault.Usage, "--format %s: want table, markdown or json", fault.Quote(format))
}

func (f *scoreFlags) checkFlags() error {
	switch {
	case f.trajectories == "":
		return fault.New(fault.Usage, "--trajectories is required")
	case f.attempts < 0 || f.attempts > trace.MaxAttempts:
		return fault.New(fault.Usage, "--attempts %d: want 1 to %d", f.attempts, trace.MaxAttempts)
	case f.maxInfra < 0:
		return fault.New(fault.Usage, "--max-infra-errors %d: want 0 or more", f.maxInfra)
	}
	return nil
}

// judged gives what the judge needs of the release to score log.
func (s *source) judged(log *trace.GameLog) (judge.Release, error) {
	splits, err := s.splits()
	if err != nil {
		return judge.Release{}, err
	}
	resolve, err := s.resolver(log.NamesTitles())
	if err != nil {
		return judge.Release{}, err
	}
	rel := s.named()
	rel.Resolve, rel.Splits = resolve, splits
	if log.Run != nil {
		rel.World, err = s.worldFor(log.Run.Options)
	}
	return rel, err
}

// named gives the release without its splits.
func (s *source) named() judge.Release {
	m := s.Manifest()
	return judge.Release{Name: m.Release.Name, ID: m.ID, ManifestSHA256: s.ManifestSHA256(), World: s.world}
}

// publish prints the scores and leaves them in the run directory if there is one.
func (f *scoreFlags) publish(cmd *cobra.Command, scores any, dir string, sheet func() report.Sheet) error {
	data, err := canon.Marshal(scores)
	if err != nil {
		return err
	}
	data = append(data, '\n')
	if dir != "" {
		if err := whole.WriteFile(dir, trace.SummaryFile, data); err != nil {
			return err
		}
	}
	switch f.format {
	case formatMarkdown:
		data = sheet().Markdown()
	case formatTable:
		data = sheet().Text()
	}
	_, err = cmd.OutOrStdout().Write(data)
	return err
}
