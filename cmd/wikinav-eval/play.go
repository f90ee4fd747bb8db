package main

import (
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/oldplay"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

type playFlags struct {
	releaseFlags
	model    modelFlags
	player   string
	out      string
	options  []string
	attempts int
	workers  int
	seed     int64
	parser   string
	resume   bool
	progress cli.ProgressKind
	json     bool
	limit    int
	again    bool
}

func newPlay() *cobra.Command {
	f := &playFlags{}
	cmd := &cobra.Command{
		Use:   "play",
		Short: "Let a player play the games of a release",
		Long: `play plays every instance of a release and keeps each turn in a run directory: run.json,
steps.jsonl and games.jsonl. After an interruption the same command goes on where it stopped.
The files depend on release, options, player and seed alone, the times in them apart.

Players: random follows a link of the menu drawn at random; greedy-degree goes to the page with
the most links to it, greedy-degree-out to the one with the most links from it; shortest asks the
oracle for each move, and so bounds what any player can reach. human is you: the prompts of a model
are shown, and the number of a link is read, or back, or quit. lines is another program: it reads
an observation a line on standard output, and writes the number of a link a line on standard input.
openai is any model behind an OpenAI-compatible endpoint, the only player for which connections are
opened. Its key comes from the environment's WIKINAV_API_KEY or from --api-key-file.

With --family constrained pages of a banned category must not be entered. There shortest ignores the ban, and
shortest-legal keeps to it; human takes a title of the list, and lines also NO_PATH or a reply in JSON.

With --family probe and onestep openai and lines answer the questions of the companion sets, in words; lines
reads {"messages":[...],"prompt_sha256":"..."} a line. Their replies stand in replies.jsonl, which score takes.
The probe has random, too.

Several processes may play one run at the same time: give them the same command.`,
		Example: `  wikinav-eval play --release demo-release --player random --out runs/random
  wikinav-eval play --release demo-release --player shortest --split hard --out runs/bound
  wikinav-eval play --release demo-release --player random --option pruning=random --out runs/pruned
  wikinav-eval play --release demo-release --player human --split easy --out runs/me
  wikinav-eval play --release demo-release --player openai --base-url http://localhost:8000/v1 --model my-model \\
      --temperature 0 --parallel 16 --max-cost 5 --price-prompt 0.15 --price-output 0.60 --out runs/my-model`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.releaseFlags.add(cmd)
	f.model.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.player, "player", "", "player: "+strings.Join(play.Names(), ", ")+" (required)")
	flags.StringVar(&f.out, "out", "", "run directory (default runs/<run id>)")
	flags.StringArrayVar(&f.options, "option", nil, "a rule of the game as NAME=VALUE, repeatable")
	flags.IntVar(&f.attempts, "attempts", 1, "games of each instance")
	flags.IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0), "games at a time, also --parallel; changes no byte")
	flags.Int64Var(&f.seed, "seed", 42, "seed of the player's own draws")
	flags.IntVar(&f.limit, "limit", 0, "play only the first so many games of the order of play; 0: all")
	flags.BoolVar(&f.again, "retry-infra", false, "play once more the games on which the endpoint failed")
	flags.StringVar(&f.parser, "parser", "strict", "how replies in words are read: strict or lenient")
	flags.BoolVar(&f.resume, "resume", false, "go on with a run; refuse to start one")
	f.progress.Add(cmd)
	flags.BoolVar(&f.json, "json", false, "print the result as one JSON object")
	flags.IntVar(&f.workers, "parallel", f.workers, "the same as --workers")
	_ = flags.MarkHidden("parallel") // defined the line above
	return cmd
}

func (f *playFlags) run(cmd *cobra.Command) error {
	switch f.family {
	case familyLumina:
		return f.playLumina(cmd)
	case familyProbe, familyOneStep:
		return f.playProbe(cmd)
	}
	model, err := f.model.open(cmd, f.player, f.seed, f.temperature())
	if err != nil {
		return err
	}
	player, opts, err := f.parse(cmd, model)
	if err != nil {
		return err
	}
	a, err := f.arena(opts)
	if err != nil {
		return err
	}
	defer a.Close()
	c, err := f.config(a, player, opts, model)
	if err != nil {
		return err
	}
	return f.play(cmd, c, model)
}

// config says what to play in a.
func (f *playFlags) config(a *arena, player play.Player, opts schemas.GameOptions, model *contact) (c play.Config, err error) {
	c = play.Config{World: a.world, Tasks: a.tasks, Player: player, Workers: f.workers, Limit: f.limit, Again: f.again, Now: time.Now}
	if len(c.Tasks) > 0 {
		// Before the run directory is made: a world without what the options show is a usage error.
		if _, err := game.Start(c.World, c.Tasks[0], opts); err != nil {
			return c, err
		}
	}
	c.Run = play.Describe(f.describe(a.source, player, opts, model))
	if c.Dir = f.out; c.Dir == "" {
		c.Dir = filepath.Join("runs", c.Run.Run)
	}
	return c, nil
}

// describe says what run is played; f.splits are its splits.
func (f *playFlags) describe(src *source, player play.Player, opts schemas.GameOptions, model *contact) schemas.GameRun {
	run := schemas.GameRun{
		ReleaseID: src.Manifest().ID, ManifestSHA256: src.ManifestSHA256(), Family: f.family, Splits: f.splits,
		Attempts: f.attempts, Options: opts, Model: play.ModelOf(player), Price: model.priced(), Tool: tool(), Seed: f.seed,
	}
	if r, ok := player.(play.Reader); ok {
		wording, parser := r.Reads(opts)
		run.Prompt, run.Parser = &wording, &parser
	}
	return run
}

// parse checks all that can be checked before a release is opened.
func (f *playFlags) parse(cmd *cobra.Command, model *contact) (play.Player, schemas.GameOptions, error) {
	opts, err := setOptions(f.rules(), f.options)
	if err != nil {
		return nil, opts, err
	}
	switch {
	case f.parser != "strict" && f.parser != "lenient":
		return nil, opts, fault.New(fault.Usage, "--parser %s: want strict or lenient", fault.Quote(f.parser))
	case f.attempts < 1 || f.attempts > trace.MaxAttempts:
		return nil, opts, fault.New(fault.Usage, "--attempts %d: want 1 to %d", f.attempts, trace.MaxAttempts)
	case f.workers < 1:
		return nil, opts, fault.New(fault.Usage, "--workers %d: want 1 or more", f.workers)
	case f.limit < 0:
		return nil, opts, fault.New(fault.Usage, "--limit %d: want 0 or more", f.limit)
	case f.player == "":
		return nil, opts, fault.New(fault.Usage, "--player is required").Hint("choose from %s", strings.Join(play.Names(), ", "))
	}
	setup := play.Setup{Seed: f.seed, In: cmd.InOrStdin(), Out: cmd.OutOrStdout(), Lenient: f.parser == "lenient", Model: model.as()}
	player, err := setup.Player(f.player)
	return player, opts, err
}

// setOptions changes opts by texts of the form NAME=VALUE.
func setOptions(opts schemas.GameOptions, texts []string) (schemas.GameOptions, error) {
	for _, text := range texts {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return opts, fault.New(fault.Usage, "--option %s: want NAME=VALUE", fault.Quote(text))
		}
		if err := game.SetOption(&opts, name, value); err != nil {
			return opts, err
		}
	}
	return opts, game.CheckOptions(opts)
}

func (f *playFlags) checkResume(dir string) error {
	if f.resume && !trace.HasRun(dir) {
		return fault.New(fault.NotFound, "holds no run to go on with").At(dir, "")
	}
	return nil
}

func (f *playFlags) play(cmd *cobra.Command, c play.Config, model *contact) error {
	return f.sitting(cmd, model, c.Run.Run, c.Dir, "games", c.Plan(), func(meter *cli.Meter) (int, error) {
		c.Progress = meter.Reach
		return play.Run(cmd.Context(), c)
	})
}

// sitting plays with progress and tells what came of it.
func (f *playFlags) sitting(cmd *cobra.Command, model *contact, run, dir, unit string, plan []string, playing func(*cli.Meter) (int, error)) error {
	if err := f.checkResume(dir); err != nil {
		return err
	}
	s := &sitting{f, model, run, dir, unit, plan}
	meter := cli.NewProgress(cmd.ErrOrStderr(), f.progress).Meter("play", "games", "games", int64(len(plan)))
	if model != nil {
		if err := s.begin(); err != nil {
			return err
		}
		meter.Watch(model.status)
	}
	n, err := playing(meter)
	meter.Done()
	if model != nil {
		return s.end(cmd, err)
	}
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	if f.player == "lines" {
		out = cmd.ErrOrStderr() // a program reads the other
	}
	if f.json {
		key := "games"
		if unit == "replies" {
			key = unit
		}
		_, err = fmt.Fprintf(out, "%s\n", canon.MustMarshal(map[string]any{"run": run, "out": dir, key: n}))
		return err
	}
	_, err = fmt.Fprintf(out, "run %s: %d %s in %s\n", run, n, unit, dir)
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
