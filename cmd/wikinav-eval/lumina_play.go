package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/eval/lumina"
	"github.com/wikinav/wikinav/eval/play"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// playLumina plays the three worlds.
func (f *playFlags) playLumina(cmd *cobra.Command) error {
	player, opts, configs, err := f.parseLumina()
	if err != nil {
		return err
	}
	src, err := openLumina(f.dir)
	if err != nil {
		return err
	}
	c := play.LuminaConfig{Book: src.book, Player: player, Workers: f.workers, Now: time.Now}
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
		Model: schemas.Model{Name: player.Name(), Kind: player.Kind()}, Tool: tool(), Seed: f.seed,
	})
	if c.Dir = f.out; c.Dir == "" {
		c.Dir = filepath.Join("runs", c.Run.Run)
	}
	return f.runLumina(cmd, c)
}

func (f *playFlags) runLumina(cmd *cobra.Command, c play.LuminaConfig) error {
	if err := f.checkResume(c.Dir); err != nil {
		return err
	}
	meter := newMeter(cmd.ErrOrStderr(), f.progress, len(c.Instances)*len(c.Run.Configs))
	c.Progress = meter.show
	n, err := play.RunLumina(cmd.Context(), c)
	meter.finish()
	if err != nil {
		return err
	}
	if f.json {
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s\n", canon.MustMarshal(map[string]any{"run": c.Run.Run, "out": c.Dir, "games": n}))
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "run %s: %d episodes in %s\n", c.Run.Run, n, c.Dir)
	return err
}

// parseLumina checks all that can be checked before a release is opened.
func (f *playFlags) parseLumina() (player play.LuminaPlayer, opts schemas.LuminaOptions, configs []string, err error) {
	opts, configs, err = luminaOptions(f.options)
	switch {
	case err != nil:
		return nil, opts, nil, err
	case f.attempts != 1:
		return nil, opts, nil, fault.New(fault.Usage, "--attempts %d: an instance of lumina is played once in each configuration", f.attempts)
	case f.workers < 1:
		return nil, opts, nil, fault.New(fault.Usage, "--workers %d: want 1 or more", f.workers)
	case f.player == "":
		return nil, opts, nil, fault.New(fault.Usage, "--player is required").Hint("choose from %s", strings.Join(play.LuminaNames(), ", "))
	}
	if err := checkProgress(f.progress); err != nil {
		return nil, opts, nil, err
	}
	player, err = play.NewLumina(f.player, f.seed)
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
