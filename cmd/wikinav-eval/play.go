package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/cmd/internal/cli"
	families "github.com/wikinav/wikinav/eval"
	"github.com/wikinav/wikinav/eval/endpoint"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/play"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

type playFlags struct {
	releaseFlags
	cli.ProgressFlag
	budgetFlags
	model     modelFlags
	rules     ruleFlags
	Player    string   `flag:"player" usage:"player: human, lines, openai, or a baseline of the family (required)"`
	Out       string   `flag:"out" usage:"run directory (default runs/<run id>); with --models the folder of them"`
	Models    string   `flag:"models" usage:"play all models of this TOML file, one after another"`
	Options   []string `flag:"option" usage:"a rule of the family as NAME=VALUE, repeatable"`
	Instances []string `flag:"instance" usage:"play this instance alone, repeatable"`
	Attempts  int      `flag:"attempts" usage:"games of each instance"`
	Workers   int      `flag:"workers" usage:"games at a time, also --parallel; changes no byte"`
	Seed      int64    `flag:"seed" usage:"seed of the player's own draws"`
	Prompt    string   `flag:"prompt" usage:"file with a prompt of your own, a template with named fields (default: the family's words)"`
	Parser    string   `flag:"parser" usage:"how replies in words are read (default: the family's)"`
	Resume    bool     `flag:"resume" usage:"go on with a run; refuse to start one"`
	Limit     int      `flag:"limit" usage:"play only the first so many games of the order of play; 0: all"`
	Again     bool     `flag:"retry-infra" usage:"play once more the games on which the endpoint failed"`

	tell func(account) // takes the summary instead of standard output; nil for nobody
}

func newPlay() *cobra.Command {
	cmd, _ := playCommand()
	return cmd
}

func playCommand() (*cobra.Command, *playFlags) {
	f := &playFlags{
		Attempts: 1, Workers: runtime.GOMAXPROCS(0), Seed: 42,
		model: modelFlags{Format: formatAuto, MaxTokens: 4096, MaxTokenField: endpoint.FieldMaxTokens, Timeout: 10 * time.Minute, Currency: "USD"},
	}
	cmd := &cobra.Command{
		Use:   "play",
		Short: "Let a player play the instances of a release",
		Long: `play lets a player play every instance of a release, of any family, and keeps each turn in a run directory. After an
interruption the same command goes on where it stopped. The files depend on release, rules, player and seed alone, the
times in them apart.

Every family has three players. openai is any model behind an OpenAI-compatible endpoint, the only player for which
connections are opened; its key comes from the environment's WIKINAV_API_KEY or from --api-key-file. human is you: the
prompts of a model are shown, and a reply is read, or quit. lines is another program: it reads an observation a line on
standard output, and writes the number of a choice, back, quit, or a reply in words, a line on standard input; after the
last turn it reads the observation of the end.

--prompt puts the games in your own words: a text with fields such as {{target}} and {{links}}. A wrong field is
answered with a list of those of the family.

The other players are baselines that a family brings along, such as random: a wrong name is answered with a list of
them, and the page of the family says what they do.

--models plays several models, one after another, each into a directory of its own below --out: a TOML file with a
table [[model]] for each, whose settings are these flags by their names (docs/evaluator/models.md).

--option changes a rule of the family; a wrong one is answered with a list of those that it has. Several processes may
play one run at the same time: give them the same command.`,
		Example: `  wikinav-eval play --release demo-release --player random --out runs/random
  wikinav-eval play --release demo-release --player shortest --split hard --out runs/bound
  wikinav-eval play --release demo-release --player random --option pruning=random --out runs/pruned
  wikinav-eval play --release demo-release --player random --option titles=pseudonym --out runs/twin
  wikinav-eval play --release demo-release --player human --split easy --out runs/me
  wikinav-eval play --release demo-release --player openai --base-url http://localhost:8000/v1 --model my-model \\
      --temperature 0 --parallel 16 --max-cost 5 --price-prompt 0.15 --price-output 0.60 --out runs/my-model
  wikinav-eval play --release demo-release --player openai --base-url http://localhost:8000/v1 --model my-model \\
      --prompt my-prompt.txt --out runs/my-prompt
  wikinav-eval play --models models.toml --out runs`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.releaseFlags.add(cmd)
	flags := cmd.Flags()
	cli.Bind(flags, f)
	f.rules = addRuleFlags(flags, false)
	cli.Bind(flags, &f.model)
	cli.AddJSON(flags)
	flags.IntVar(&f.Workers, "parallel", f.Workers, "the same as --workers")
	_ = flags.MarkHidden("parallel") // defined the line above
	cmd.SetFlagErrorFunc(explainFlag)
	return cmd, f
}

// ready is a player and a release that were checked. Nothing was asked yet.
type ready struct {
	*door
	opts   family.Options
	manner family.Manner
	model  *contact // nil where no model is asked
}

func (f *playFlags) run(cmd *cobra.Command) error {
	if f.Models != "" {
		return f.playModels(cmd)
	}
	r, err := f.ready(cmd)
	if err != nil {
		return err
	}
	defer r.Close()
	return f.begin(cmd, r)
}

// begin plays what is ready.
func (f *playFlags) begin(cmd *cobra.Command, r *ready) error {
	c, err := f.config(cmd, r)
	if err != nil {
		return err
	}
	return f.play(cmd, c, r.model)
}

// ready checks the flags and opens the release.
func (f *playFlags) ready(cmd *cobra.Command) (*ready, error) {
	fam, err := families.Find(f.family)
	if err != nil {
		return nil, err
	}
	texts, err := f.rules.options(fam, f.Options)
	if err != nil {
		return nil, err
	}
	r := &ready{manner: family.Manner{Interface: interfaceOf(f.Player), Parser: f.Parser}}
	if r.opts, err = fam.Options(texts); err != nil {
		return nil, err
	}
	if r.manner.Prompt, err = template(fam, f.Prompt); err != nil {
		return nil, err
	}
	words, err := family.WordsOf(fam, r.opts, r.manner)
	if err != nil {
		return nil, err
	}
	if err := f.check(fam); err != nil {
		return nil, err
	}
	if r.model, err = f.model.open(cmd, f.Player, f.Seed, words.Temperature); err != nil {
		return nil, err
	}
	if r.door, err = f.open(); err != nil {
		return nil, err
	}
	if r.opts, err = family.Settle(fam, r.release, r.opts); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

func interfaceOf(player string) string {
	switch player {
	case play.OpenAI:
		return schemas.InterfaceChat
	case play.Lines:
		return schemas.InterfaceLines
	case play.Human:
		return schemas.InterfaceHuman
	}
	return schemas.InterfaceBuiltin
}

// check looks at all that can be checked before a release is opened.
func (f *playFlags) check(fam family.Family) error {
	switch {
	case f.Attempts < 1 || f.Attempts > trace.MaxAttempts:
		return fault.New(fault.Usage, "--attempts %d: want 1 to %d", f.Attempts, trace.MaxAttempts)
	case f.Workers < 1:
		return fault.New(fault.Usage, "--workers %d: want 1 or more", f.Workers)
	case f.Limit < 0:
		return fault.New(fault.Usage, "--limit %d: want 0 or more", f.Limit)
	case f.Player != "":
		return f.budgetFlags.check()
	default:
		return fault.New(fault.Usage, "--player is required").
			Hint("want %s, %s, %s, or a baseline of family %s such as random", play.Human, play.Lines, play.OpenAI, fam.Name())
	}
}

// config says what is played, after the endpoint was asked how it takes questions.
func (f *playFlags) config(cmd *cobra.Command, r *ready) (c play.Config, err error) {
	c, err = f.settle(cmd, r)
	if err == nil && r.model != nil {
		err = f.meet(cmd.Context(), &c, r.model, &c.Run.Rules)
	}
	if err != nil {
		return c, err
	}
	c.Run = play.Describe(schemas.Run{
		ReleaseID: r.release.Manifest().ID, ManifestSHA256: r.release.ManifestSHA256(), Family: r.Name(),
		Splits: c.Run.Splits, Instances: f.Instances, Attempts: f.Attempts, Rules: c.Run.Rules,
		Model: c.Player.Player, Price: r.model.priced(), Tool: tool(), Seed: f.Seed,
	})
	c.Dir = cmp.Or(f.Out, filepath.Join("runs", c.Run.Run))
	return c, nil
}

// settle says what is played, as far as nobody need be asked; it refuses what cannot be before a
// directory is made.
func (f *playFlags) settle(cmd *cobra.Command, r *ready) (c play.Config, err error) {
	set, err := r.set(r.opts)
	if err != nil {
		return c, err
	}
	c = play.Config{
		Family: r.Family, Set: set, Options: r.opts, Manner: r.manner, Workers: f.Workers,
		Limit: f.Limit, Again: f.Again, Now: time.Now,
	}
	setup := play.Setup{In: cmd.InOrStdin(), Out: cmd.OutOrStdout(), Model: r.model.as()}
	if c.Player, err = setup.Player(set, f.Player); err != nil {
		return c, err
	}
	if c.Run.Splits, c.Tasks, err = play.Choose(set, f.splits, f.Instances, f.Limit); err != nil {
		return c, err
	}
	if f.Limit > 0 {
		c.All = func() (tasks []family.Task, err error) {
			_, tasks, err = play.Choose(set, f.splits, f.Instances, 0)
			return tasks, err
		}
	}
	c.Run.Attempts = f.Attempts
	if err := c.Check(); err != nil {
		return c, err
	}
	if c.Run.Rules, err = play.RulesOf(r.Family, r.opts, r.manner, c.Player.Asked); err != nil {
		return c, err
	}
	c.Run.Rules.Budget, err = f.game(r.model.priced())
	return c, err
}

// meet settles the form in which the endpoint is asked, which is part of the rules: that of the run
// that goes on, or else what the endpoint takes of the first question.
func (f *playFlags) meet(ctx context.Context, c *play.Config, model *contact, rules *schemas.Rules) error {
	flag := model.given[endpoint.TraitFormat]
	if rules.ResponseFormat == nil && (model.format == schemas.FormatSchema || model.format == schemas.FormatObject) {
		return fault.New(fault.Usage, "%s: family %s asks for replies of no form", flag, c.Family.Name()).Hint("leave the flag out")
	}
	old, err := trace.ReadRun(f.Out)
	switch {
	case f.Out != "" && err == nil:
		model.rejoin(old)
	case f.Resume && f.Out != "":
		return fault.New(fault.NotFound, "holds no run to go on with").At(f.Out, "")
	default:
		prompt, err := c.First()
		if err == nil {
			err = f.model.budget(model, schemas.Usage{})
		}
		if err == nil {
			err = model.fit(ctx, prompt)
		}
		if err != nil {
			return err
		}
	}
	c.Player = model.as().Seat()
	rules.Sampling, rules.Request = c.Player.Asked, model.put(rules.ResponseFormat != nil)
	if rules.Request != nil && rules.Request.ResponseFormat != "" {
		rules.ResponseFormat = nil
	}
	return nil
}

// play plays with progress and tells what came of it.
func (f *playFlags) play(cmd *cobra.Command, c play.Config, model *contact) error {
	if f.Resume && !trace.HasRun(c.Dir) {
		return fault.New(fault.NotFound, "holds no run to go on with").At(c.Dir, "")
	}
	layout := c.Family.Layout()
	s := &sitting{f, model, c, layout, c.Plan()}
	meter := cli.NewProgress(cmd.ErrOrStderr(), f.Progress).Meter("play", layout.Unit, layout.Unit, int64(len(s.plan)))
	c.Progress = meter.Reach
	var before play.Tally
	if model != nil || f.MaxTurns > 0 {
		var err error
		if before, err = play.Count(c.Dir, layout, nil); err != nil { // what the directory's games took counts
			return err
		}
	}
	c.Limits = f.limits(before, time.Now())
	if model != nil {
		if err := f.model.budget(model, before.Usage); err != nil {
			return err
		}
		meter.Watch(model.status)
	}
	n, err := play.Run(cmd.Context(), c)
	meter.Done()
	switch {
	case model != nil || f.tell != nil:
		return s.end(cmd, err)
	case errors.Is(err, play.ErrStop):
		return stopped(c.Dir, layout.Unit, len(s.plan)-n, len(s.plan), err)
	case err != nil:
		return err
	}
	out := cmd.OutOrStdout()
	if f.Player == play.Lines {
		out = cmd.ErrOrStderr() // a program reads the other
	}
	if cli.AsJSON(cmd) {
		_, err = fmt.Fprintf(out, "%s\n", canon.MustMarshal(map[string]any{"run": c.Run.Run, "out": c.Dir, layout.Unit: n}))
		return err
	}
	_, err = fmt.Fprintf(out, "run %s: %d %s in %s\n", c.Run.Run, n, layout.Unit, c.Dir)
	return err
}

// tool names the program that played, with its version where the build knows one.
func tool() string {
	version := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		version = info.Main.Version
	}
	return "wikinav-eval " + version
}
