package main

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/lumina"
	"github.com/wikinav/wikinav/eval/oldplay"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// playLumina plays the three worlds.
func (f *playFlags) playLumina(cmd *cobra.Command) error {
	model, err := f.model.open(cmd, f.player, f.seed, luminaTemperature)
	if err != nil {
		return err
	}
	player, opts, err := f.parseLumina(model)
	if err != nil {
		return err
	}
	r, set, err := openLumina(f.dir, opts)
	if err != nil {
		return err
	}
	defer r.Close()
	c := play.LuminaConfig{
		Book: set.Book(), Options: opts.Value.(schemas.LuminaOptions), Player: player, Workers: f.workers, Limit: f.limit, Again: f.again, Now: time.Now,
	}
	splits, err := family.Choose(set, f.splits)
	if err != nil {
		return err
	}
	for _, s := range splits {
		env, _, _ := strings.Cut(s.Name, "/")
		if !slices.Contains(player.Envs(), env) {
			return fault.New(fault.Usage, "player %s does not play %s", player.Name(), s.Name).
				Hint("name its splits: --split %s", strings.Join(player.Envs(), ","))
		}
		c.Instances = append(c.Instances, set.Instances(s.Name)...)
	}
	run := schemas.Run{
		ReleaseID: r.Manifest().ID, ManifestSHA256: r.ManifestSHA256(), Family: f.family, Splits: namesOf(splits),
		Rules: schemas.Rules{Options: opts.JSON, Interface: schemas.InterfaceBuiltin},
		Model: schemas.Player{Name: player.Name(), Kind: player.Kind()}, Price: model.priced(), Tool: tool(), Seed: f.seed,
	}
	if m := play.ModelOf(player).Sampling; m != nil {
		run.Rules.Interface = schemas.InterfaceChat
		run.Rules.Sampling = &schemas.Asked{Temperature: m.Temperature, TopP: m.TopP, MaxTokens: m.MaxTokens, ReasoningEffort: m.ReasoningEffort}
		run.Model.SamplingSeed, run.Model.MaxTokensField = m.Seed, m.MaxTokensField
	}
	words, err := lumina.Family{}.Words(opts, family.Manner{Interface: run.Rules.Interface})
	if err != nil {
		return err
	}
	run.Rules.Prompt, run.Rules.Parser = words.Prompt, words.Parser
	c.Run = play.DescribeLumina(run)
	if c.Dir = f.out; c.Dir == "" {
		c.Dir = filepath.Join("runs", c.Run.Run)
	}
	return f.runLumina(cmd, c, model)
}

// luminaTemperature is that of the lumina specification, 7.3.
const luminaTemperature = "0.7"

func (f *playFlags) runLumina(cmd *cobra.Command, c play.LuminaConfig, model *contact) error {
	return f.sitting(cmd, model, c.Run.Run, c.Dir, "episodes", c.Plan(), func(meter *cli.Meter) (int, error) {
		c.Progress = meter.Reach
		return play.RunLumina(cmd.Context(), c)
	})
}

// parseLumina checks all that can be checked before a release is opened.
func (f *playFlags) parseLumina(model *contact) (player play.LuminaPlayer, opts family.Options, err error) {
	opts, err = lumina.Family{}.Options(f.options)
	switch {
	case err != nil:
		return nil, opts, err
	case f.attempts != 1:
		return nil, opts, fault.New(fault.Usage, "--attempts %d: an instance of lumina is played once in each configuration", f.attempts)
	case f.workers < 1:
		return nil, opts, fault.New(fault.Usage, "--workers %d: want 1 or more", f.workers)
	case f.limit < 0:
		return nil, opts, fault.New(fault.Usage, "--limit %d: want 0 or more", f.limit)
	case f.player == "":
		return nil, opts, fault.New(fault.Usage, "--player is required").Hint("choose from %s", strings.Join(play.LuminaNames(), ", "))
	}
	player, err = play.Setup{Seed: f.seed, Model: model.as()}.LuminaPlayer(f.player)
	return player, opts, err
}
