package main

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/eval/game"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/play"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// rules gives the defaults of the family's games.
func (f *releaseFlags) rules() schemas.GameOptions {
	if f.family == schemas.FamilyConstrained {
		return game.BanDefaults()
	}
	return game.Defaults()
}

// playBanned plays games under a ban.
func (f *playFlags) playBanned(cmd *cobra.Command, model *contact) error {
	player, opts, err := f.parse(cmd, model)
	if err != nil {
		return err
	}
	src, err := f.openBanned()
	if err != nil {
		return err
	}
	defer src.Close()
	c, err := f.bannedConfig(src, player, opts, model)
	if err != nil {
		return err
	}
	return f.play(cmd, c, model)
}

func (f *playFlags) bannedConfig(src *bannedSource, player play.Player, opts schemas.GameOptions, model *contact) (c play.Config, err error) {
	if err := f.chooseSets(src.judged, opts); err != nil {
		return c, err
	}
	c = play.Config{World: src.judged.World, Player: player, Workers: f.workers, Limit: f.limit, Again: f.again, Now: time.Now}
	for _, set := range f.splits {
		c.Tasks = append(c.Tasks, src.judged.Tasks(set)...)
	}
	if len(c.Tasks) > 0 {
		// Before the run directory is made: a world without what the options show is a usage error.
		if _, err := game.Start(c.World, c.Tasks[0], opts); err != nil {
			return c, err
		}
	}
	c.Run = play.Describe(f.describe(src.source, player, opts, model))
	if c.Dir = f.out; c.Dir == "" {
		c.Dir = filepath.Join("runs", c.Run.Run)
	}
	return c, nil
}

// chooseSets settles what is played: by default the feasible instances. Infeasible pairs are played by their own protocol alone, in which
// the prompt says that NO_PATH may be answered.
func (f *playFlags) chooseSets(rel judge.BannedRelease, opts schemas.GameOptions) error {
	if len(f.splits) == 0 {
		f.splits = []string{judge.BannedSet}
	}
	for _, set := range f.splits {
		if !slices.Contains(rel.Sets(), set) {
			return fault.New(fault.Usage, "the release has no split %s", fault.Quote(set)).Hint("it has %s", strings.Join(rel.Sets(), ", "))
		}
		if set == judge.InfeasibleSet && opts.NoPath != game.NoPathOn {
			return fault.New(fault.Usage, "pairs without a path are played where NO_PATH may be answered").Hint("add --option no_path=on")
		}
	}
	slices.Sort(f.splits)
	slices.Reverse(f.splits) // instances come first
	f.splits = slices.Compact(f.splits)
	return nil
}
