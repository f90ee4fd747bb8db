package main

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/eval/lumina"
	"github.com/wikinav/wikinav/eval/play"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// playLumina plays the three worlds.
func (f *playFlags) playLumina(cmd *cobra.Command) error {
	model, err := f.model.open(cmd, f.player, f.seed, luminaTemperature)
	if err != nil {
		return err
	}
	player, opts, configs, err := f.parseLumina(model)
	if err != nil {
		return err
	}
	src, err := openLumina(f.dir)
	if err != nil {
		return err
	}
	c := play.LuminaConfig{Book: src.book, Player: player, Workers: f.workers, Limit: f.limit, Again: f.again, Now: time.Now}
	splits, err := src.choose(f.splits)
	if err != nil {
		return err
	}
	for _, s := range splits {
		env, _, _ := strings.Cut(s.Name, "/")
		if !slices.Contains(player.Envs(), env) {
			return fault.New(fault.Usage, "player %s does not play %s", player.Name(), s.Name).
				Hint("name its splits: --split %s", strings.Join(player.Envs(), ","))
		}
		c.Instances = append(c.Instances, s.Instances...)
	}
	c.Run = play.DescribeLumina(schemas.LuminaRun{
		ReleaseID: src.manifest.ID, ManifestSHA256: src.sha, Family: f.family, Splits: splitsOf(splits), Configs: configs, Options: opts,
		Model: play.ModelOf(player), Price: model.priced(), Tool: tool(), Seed: f.seed,
	})
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
func (f *playFlags) parseLumina(model *contact) (player play.LuminaPlayer, opts schemas.LuminaOptions, configs []string, err error) {
	opts, configs, err = luminaOptions(f.options)
	switch {
	case err != nil:
		return nil, opts, nil, err
	case f.attempts != 1:
		return nil, opts, nil, fault.New(fault.Usage, "--attempts %d: an instance of lumina is played once in each configuration", f.attempts)
	case f.workers < 1:
		return nil, opts, nil, fault.New(fault.Usage, "--workers %d: want 1 or more", f.workers)
	case f.limit < 0:
		return nil, opts, nil, fault.New(fault.Usage, "--limit %d: want 0 or more", f.limit)
	case f.player == "":
		return nil, opts, nil, fault.New(fault.Usage, "--player is required").Hint("choose from %s", strings.Join(play.LuminaNames(), ", "))
	}
	player, err = play.Setup{Seed: f.seed, Model: model.as()}.LuminaPlayer(f.player)
	return player, opts, configs, err
}

// luminaOptions reads oracle=NAME,... (base by default, all for the six) and max_format_errors=N.
func luminaOptions(texts []string) (opts schemas.LuminaOptions, configs []string, err error) {
	opts = lumina.Defaults()
	for _, text := range texts {
		name, value, _ := strings.Cut(text, "=")
		switch name {
		case "oracle":
			configs, err = oracleConfigs(configs, value)
		case "max_format_errors":
			opts.MaxFormatErrors, err = strconv.Atoi(value)
			if err != nil {
				err = fault.New(fault.Usage, "--option %s: want a number", fault.Quote(text))
			}
		default:
			err = fault.New(fault.Usage, "--option %s: lumina has oracle=NAME,... and max_format_errors=N", fault.Quote(text))
		}
		if err != nil {
			return opts, nil, err
		}
	}
	if configs == nil {
		configs = []string{lumina.Config{}.String()}
	}
	return opts, configs, lumina.CheckOptions(opts)
}

// oracleConfigs adds the configurations of a list, each once.
func oracleConfigs(configs []string, list string) ([]string, error) {
	names := strings.Split(list, ",")
	if list == "all" {
		names = lumina.ConfigNames()
	}
	for _, name := range names {
		cfg, err := lumina.ParseConfig(name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(configs, cfg.String()) {
			configs = append(configs, cfg.String())
		}
	}
	return configs, nil
}
