package main

import (
	"cmp"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/oldplay"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// playProbe puts the questions of a companion set to a player: those of the knowledge probe, or of the one-step sets.
func (f *playFlags) playProbe(cmd *cobra.Command) error {
	model, err := f.model.open(cmd, f.player, f.seed, "")
	if err != nil {
		return err
	}
	player, err := f.parseProbe(cmd, model)
	if err != nil {
		return err
	}
	games := f.releaseFlags
	games.family = wikirace // the sets are of that family's release
	src, err := games.open()
	if err != nil {
		return err
	}
	defer src.Close()
	c := play.ProbeConfig{Player: player, Workers: f.workers, Limit: f.limit, Again: f.again, Now: time.Now}
	wording, sets, err := f.questions(src, &c)
	if err != nil {
		return err
	}
	c.Run = play.Describe(schemas.GameRun{
		ReleaseID: src.Manifest().ID, ManifestSHA256: src.ManifestSHA256(), Family: f.family, Splits: sets, Attempts: 1,
		Prompt: &wording, Model: play.ModelOf(player), Price: model.priced(), Tool: tool(), Seed: f.seed,
	})
	c.Dir = cmp.Or(f.out, filepath.Join("runs", c.Run.Run))
	return f.sitting(cmd, model, c.Run.Run, c.Dir, "replies", c.Plan(), func(meter *cli.Meter) (int, error) {
		c.Progress = meter.Reach
		return play.RunProbe(cmd.Context(), c)
	})
}

// questions reads what is asked: the probe, which has no sets to choose from, or one-step sets, all by default.
func (f *playFlags) questions(src *source, c *play.ProbeConfig) (wording schemas.Versioned, sets []string, err error) {
	if f.family == familyProbe {
		list, err := companion[schemas.ProbeInstance](src, "probe", "probe")
		c.Questions = play.ProbeQuestions(list)
		return judge.ProbePrompt(), []string{}, err
	}
	if sets = f.splits; len(sets) == 0 {
		sets = setsOf(src, "onestep")
	}
	if len(sets) == 0 {
		return wording, nil, fault.New(fault.Usage, "the release has no one-step set")
	}
	for _, set := range sets {
		list, err := companion[schemas.OneStepInstance](src, "onestep", set)
		if err != nil {
			return wording, nil, err
		}
		c.Questions = append(c.Questions, play.OneStepQuestions(list)...)
	}
	return schemas.Versioned{Version: prompt.Version, SHA256: prompt.SHA256}, sets, nil
}

// parseProbe refuses what means nothing to a companion set: it has one attempt, and no rules to choose.
func (f *playFlags) parseProbe(cmd *cobra.Command, model *contact) (play.ProbePlayer, error) {
	switch {
	case len(f.options) > 0:
		return nil, fault.New(fault.Usage, "--option %s: family %s has no rules to choose", fault.Quote(f.options[0]), f.family)
	case len(f.splits) > 0 && f.family == familyProbe:
		return nil, fault.New(fault.Usage, "--split %s: the probe has no splits", fault.Quote(f.splits[0]))
	case f.attempts != 1:
		return nil, fault.New(fault.Usage, "--attempts %d: a question of family %s is asked once", f.attempts, f.family)
	case f.workers < 1:
		return nil, fault.New(fault.Usage, "--workers %d: want 1 or more", f.workers)
	case f.limit < 0:
		return nil, fault.New(fault.Usage, "--limit %d: want 0 or more", f.limit)
	case f.player == "":
		return nil, fault.New(fault.Usage, "--player is required").Hint("choose from %s", strings.Join(play.ProbeNames(), ", "))
	case f.player == "random" && f.family == familyOneStep:
		return nil, fault.New(fault.Usage, "player random says yes or no, and this family asks for a link").Hint("choose lines or %s", playerOpenAI)
	}
	return play.Setup{Seed: f.seed, In: cmd.InOrStdin(), Out: cmd.OutOrStdout(), Model: model.as()}.ProbePlayer(f.player)
}
