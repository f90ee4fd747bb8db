package main

import (
	"cmp"
	"slices"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/items"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/schemas/fault"
)

// playerFlags name runs, one for each player, whose results are taken together.
type playerFlags struct {
	releaseFlags
	partialFlag
	infraFlag
	printFlags
	Trajectories []string `flag:"trajectories" usage:"the run of a player, repeatable (required)"`
	Model        string   `flag:"model" usage:"1pl, 2pl, or auto for that of the smaller BIC"`
	Out          string   `flag:"out" usage:"directory for the same as files"`
}

func newPlayerFlags() playerFlags {
	return playerFlags{printFlags: printFlags{Format: formatTable}, Model: modelAuto}
}

const modelAuto = "auto"

func newItems() *cobra.Command {
	f := newPlayerFlags()
	cmd := &cobra.Command{
		Use:   "items",
		Short: "Estimate how able players are, and how hard instances are",
		Long: `items replays the runs of several players on the same instances and fits item response models: the
ability of each player, the difficulty of each instance and how sharply it tells the able from the
others, with 95 % intervals and its features; which model fits better; and the suspects,
instances that the strong lose and the weak win.

Every run is a player. Runs may differ in how they were asked, not in the options of the family.
What was not played is left out, and so are instances that one player alone played. --out gets
items.json, items.md, items.csv and players.csv.`,
		Example: `  wikinav-eval play --release demo-release --player noisy-shortest-30 --out runs/n30
  wikinav-eval report items --release demo-release --trajectories runs/random --trajectories runs/n30
  wikinav-eval report items --release demo-release --trajectories runs/random --trajectories runs/n30 \
    --model 1pl --out items`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd, nil, f.analyse) },
	}
	f.add(cmd)
	cli.Bind(cmd.Flags(), &f)
	return cmd
}

func (f *playerFlags) analyse(s *items.Source, name items.ModelName, _ []report.Run) (printed, error) {
	a, err := items.Analyse(s, name)
	if err == nil && f.Wide {
		a.Width = 0
	}
	return a, err
}

type subsetFlags struct {
	playerFlags
	N     int      `flag:"n" usage:"how many instances to choose"`
	Check []string `flag:"check" usage:"the run of another player, on whom the subset is checked; repeatable"`
}

func newSubset() *cobra.Command {
	f := subsetFlags{playerFlags: newPlayerFlags(), N: 50}
	cmd := &cobra.Command{
		Use:   "subset",
		Short: "Choose the few instances that predict the score on all",
		Long: `subset fits an item response model to the runs of several players and chooses the instances whose
results predict the score on all of them best. From four players on it says what error they leave:
each player is held out in turn, the instances are chosen without it, and its score is predicted.

--check names runs of players that had no part in the choice. One that played everything shows the
error; for one that played the chosen instances alone the score on all is predicted.

--out gets subset.json, subset.md and subset.txt, the ids, a line each.`,
		Example: `  wikinav-eval report subset --n 50 --release demo-release --trajectories runs/n10 --trajectories runs/n50 \
    --trajectories runs/n70 --trajectories runs/random --out subset
  wikinav-eval play --release demo-release --player greedy-degree --out runs/few \
    $(sed 's/^/--instance /' subset/subset.txt)
  wikinav-eval report subset --n 50 --release demo-release --trajectories runs/n10 --trajectories runs/n50 \
    --trajectories runs/n70 --trajectories runs/random --check runs/few`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd, f.Check, f.choose) },
	}
	f.add(cmd)
	cli.Bind(cmd.Flags(), &f)
	return cmd
}

func (f *subsetFlags) choose(s *items.Source, name items.ModelName, check []report.Run) (printed, error) {
	r, err := items.Select(s, name, f.N, check)
	if err == nil && f.Wide {
		r.Width = 0
	}
	return r, err
}

// printed is a record that is shown in words and kept as files.
type printed interface {
	shown
	Files() []report.File
}

// run reads the runs, and those to check by, has them taken together, and prints what comes of it.
func (f *playerFlags) run(
	cmd *cobra.Command, check []string, take func(*items.Source, items.ModelName, []report.Run) (printed, error),
) error {
	name, err := f.check()
	if err != nil {
		return err
	}
	d, err := f.open()
	if err != nil {
		return err
	}
	defer d.Close()
	req := family.Request{Splits: f.splits, Partial: f.Partial, MaxInfra: f.MaxInfra}
	runs, fail, err := d.scoreAll(f.Trajectories, req)
	if err != nil {
		return err
	}
	req.Partial = true // what is to be predicted need not be played
	others, failToo, err := d.scoreAll(check, req)
	if err != nil {
		return err
	}
	source, err := items.Collect(runs)
	if err != nil {
		return err
	}
	record, err := take(source, name, others)
	if err != nil {
		return err
	}
	if f.Out != "" {
		if err := writeFiles(f.Out, record.Files()); err != nil {
			return err
		}
	}
	return cmp.Or(printForm(cmd.OutOrStdout(), f.Format, record, record), fail, failToo)
}

// check looks at the flags and returns the model, "" for the better one.
func (f *playerFlags) check() (items.ModelName, error) {
	if err := cmp.Or(f.printFlags.check(), f.infraFlag.check()); err != nil {
		return "", err
	}
	models := []string{modelAuto, string(items.OneParameter), string(items.TwoParameters)}
	switch {
	case !slices.Contains(models, f.Model):
		return "", fault.New(fault.Usage, "--model %s: there is no such model", fault.Quote(f.Model)).
			Choose(f.Model, models)
	case len(f.Trajectories) == 0:
		return "", fault.New(fault.Usage, "--trajectories is required").
			Hint("name a run of each of two players or more, for example --trajectories runs/random")
	case f.Model == modelAuto:
		return "", nil
	}
	return items.ModelName(f.Model), nil
}
