package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/play"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// playProbe puts the questions of the knowledge probe to a player.
func (f *playFlags) playProbe(cmd *cobra.Command) error {
	player, err := f.parseProbe(cmd)
	if err != nil {
		return err
	}
	games := f.releaseFlags
	games.family = wikirace // the probe is one of that family's release
	src, err := games.open()
	if err != nil {
		return err
	}
	defer src.Close()
	c := play.ProbeConfig{Player: player, Now: time.Now}
	list, err := companion[schemas.ProbeInstance](src, "probe", "probe")
	if err != nil {
		return err
	}
	c.Questions = play.ProbeQuestions(list)
	wording := judge.ProbePrompt()
	c.Run = play.Describe(schemas.Run{
		ReleaseID: src.Manifest().ID, ManifestSHA256: src.ManifestSHA256(), Family: f.family, Splits: []string{}, Attempts: 1,
		Prompt: &wording, Model: schemas.Model{Name: player.Name(), Kind: player.Kind()}, Tool: tool(), Seed: f.seed,
	})
	c.Dir = cmp.Or(f.out, filepath.Join("runs", c.Run.Run))
	return f.runProbe(cmd, c)
}

// parseProbe refuses what means nothing to the probe: it has one set, one attempt, and no rules to choose.
func (f *playFlags) parseProbe(cmd *cobra.Command) (play.ProbePlayer, error) {
	switch {
	case len(f.options) > 0:
		return nil, fault.New(fault.Usage, "--option %s: the probe has no rules to choose", fault.Quote(f.options[0]))
	case len(f.splits) > 0:
		return nil, fault.New(fault.Usage, "--split %s: the probe has no splits", fault.Quote(f.splits[0]))
	case f.attempts != 1:
		return nil, fault.New(fault.Usage, "--attempts %d: a question of the probe is asked once", f.attempts)
	case f.player == "":
		return nil, fault.New(fault.Usage, "--player is required").Hint("choose from %s", strings.Join(play.ProbeNames(), ", "))
	}
	if err := checkProgress(f.progress); err != nil {
		return nil, err
	}
	return play.Setup{Seed: f.seed, In: cmd.InOrStdin(), Out: cmd.OutOrStdout()}.ProbePlayer(f.player)
}

func (f *playFlags) runProbe(cmd *cobra.Command, c play.ProbeConfig) error {
	if err := f.checkResume(c.Dir); err != nil {
		return err
	}
	meter := newMeter(cmd.ErrOrStderr(), f.progress, len(c.Questions))
	c.Progress = meter.show
	n, err := play.RunProbe(cmd.Context(), c)
	meter.finish()
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	if c.Run.Model.Kind == schemas.KindPipe {
		out = cmd.ErrOrStderr() // a program reads the other
	}
	if f.json {
		_, err = fmt.Fprintf(out, "%s\n", canon.MustMarshal(map[string]any{"run": c.Run.Run, "out": c.Dir, "replies": n}))
		return err
	}
	_, err = fmt.Fprintf(out, "run %s: %d replies in %s\n", c.Run.Run, n, c.Dir)
	return err
}
