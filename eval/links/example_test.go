package links_test

import (
	"fmt"
	"os"

	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/eval/wikirace/racetest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// A game is played turn by turn, kept as a run directory, and scored by playing it again. Whoever has a
// release gets the set from its family: eval.Find, then Open.
func Example() {
	w := gametest.G9()
	set := setOf(w, free, racetest.TaskOf(racetest.Instance(w, "wr-easy-0001", 0, 8)))
	tasks, _ := set.Tasks("easy", 1)
	task, manner := tasks[0], family.Manner{Interface: schemas.InterfaceLines}
	options, _ := free.Options([]string{"max_steps=10", "order=title"})

	e, err := set.Start(task, options, manner)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, title := range []string{"B", "E", "G", "H", "T"} {
		seen := e.Observe().(game.Observation)
		fmt.Println(seen.Current.Title, seen.Titles())
		if _, err := e.Act(family.Reply{Title: &title}); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(e.Outcome())

	run := schemas.Run{
		Schema: schemas.RunSchema, Run: "example", ReleaseID: "id", ManifestSHA256: "sum", Family: "test", Splits: []string{"easy"}, Attempts: 1,
		Rules: schemas.Rules{Options: options.JSON, Interface: manner.Interface}, Model: schemas.Player{Name: "me", Kind: schemas.KindHuman},
	}
	run.RulesSHA256 = family.RulesSHA256(run.Rules)
	dir, err := keepRun(run, e, free.Layout(), task)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	log, err := trace.Open(dir, free.Layout())
	if err != nil {
		fmt.Println(err)
		return
	}
	scores, err := set.Score(log, family.Request{})
	if err != nil {
		fmt.Println(err)
		return
	}
	success := scores.Rows[0].Metrics[judge.MetricSuccess]
	fmt.Printf("success %d/%d\n", *success.Num, success.Den)
	// Output:
	// A [B C D]
	// B [C E]
	// E [G]
	// G [A H]
	// H [G T]
	// success
	// success 1/1
}

// keepRun writes the run directory of one game. Command play does it for many, with locks and resumption.
func keepRun(run schemas.Run, e family.Episode, l trace.Layout, task family.Task) (dir string, err error) {
	if dir, err = os.MkdirTemp("", "run"); err != nil {
		return "", err
	}
	rec := e.Record(family.Recording{Run: &run, Item: l.Item(task.ID, 1), Attempt: 1})
	for name, lines := range map[string][]any{trace.RunFile: {run}, l.Main: {rec.Main}, l.Side: rec.Side} {
		var data []byte
		for _, line := range lines {
			data = append(append(data, canon.MustMarshal(line)...), '\n')
		}
		if err := whole.WriteFile(dir, name, data); err != nil {
			return "", err
		}
	}
	return dir, nil
}
