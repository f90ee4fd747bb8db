// Package games writes games of links as tasks of Harbor, for every family that is played on links.
//
// A task is played through the doors that the evaluator has: `serve` in a container of its own, and
// `score` as the verifier, over the files of the release that a game takes. The package promises
// that each task's solution was played and scored over these very files, and that nothing of the
// release is in what the agent's container holds. It knows no family by name.
package games

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/wikinav/wikinav/artifacts/export"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/harbor"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/eval/play"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Export is what tasks are made from.
type Export struct {
	Release   *open.Release
	Family    family.Family
	Splits    []string // none for all that are played without being named
	Instances []string // none for all of the splits
	Limit     int      // at most so many tasks; 0 for all
	Schema    string   // of task.toml
	Binary    string   // wikinav-eval for the containers

	options family.Options
	set     family.Set
}

// program is the name of wikinav-eval in a task.
const program = "wikinav-eval"

// Write writes a folder for each task, registry.json, which lists them, and README.md.
func (x *Export) Write(d *export.Dir, j export.Job) error {
	splits, tasks, err := x.choose()
	if err != nil {
		return err
	}
	t, err := x.newTrial(d.Context(), j)
	if err != nil {
		return err
	}
	defer t.remove()
	moves, err := t.run(splits, tasks)
	if err != nil {
		return err
	}
	add := j.Meter("tasks", int64(len(tasks)))
	for i, one := range tasks {
		if err := x.task(d, t, one, moves[i], tasks[0].Instance); err != nil {
			return err
		}
		add(1)
	}
	return x.index(d, tasks)
}

// choose opens the games and finds those that are asked for.
func (x *Export) choose() (splits []string, tasks []family.Task, err error) {
	if x.options, err = x.Family.Options(nil); err == nil {
		x.options, err = family.Settle(x.Family, x.Release, x.options)
	}
	if err == nil {
		x.set, err = x.Family.Open(x.Release, x.options)
	}
	if err != nil {
		return nil, nil, err
	}
	if _, ok := x.set.(family.Charted); !ok {
		return nil, nil, fault.New(fault.Usage, "--family %s: it is not played on links", x.Family.Name()).
			Hint("name a family of games of links; legs are written by wikinav-eval harbor export")
	}
	splits, tasks, err = play.Choose(x.set, x.Splits, x.Instances, x.Limit)
	if err == nil && len(tasks) == 0 {
		err = fault.New(fault.NotFound, "there are no instances of %s to be played", x.Family.Name())
	}
	return splits, tasks, err
}

// metric is the one that ranks, whose numerator is 1 for a game that is a success.
func (x *Export) metric() string { return x.Family.Columns()[0].Metric }

// task writes the folder of a task. What all tasks share is written for the first.
func (x *Export) task(
	d *export.Dir, trial *trial, t family.Task, moves []family.Reply, first string,
) error {
	says, err := x.says(t)
	if err != nil {
		return err
	}
	for name, text := range x.texts(t, moves, says) { // sorted where they are listed
		name = t.Instance + "/" + name
		if err := d.Text(name, text); err != nil {
			return err
		}
		if strings.HasPrefix(text, "#!") {
			if err := d.MakeExecutable(name); err != nil {
				return err
			}
		}
	}
	for _, file := range trial.files {
		from := filepath.Join(trial.dir, filepath.FromSlash(file))
		if err := shared(d, from, "release/"+file, t.Instance, first); err != nil {
			return err
		}
	}
	if err := shared(d, x.Binary, program, t.Instance, first); err != nil {
		return err
	}
	return d.MakeExecutable(t.Instance + "/environment/" + program)
}

// shared puts a file into the folders of the server and of the verifier.
func shared(d *export.Dir, from, name, task, first string) error {
	original := first + "/environment/" + name
	for _, folder := range []string{"/environment/", "/tests/"} {
		to := task + folder + name
		var err error
		if to == original {
			err = copied(d, from, to)
		} else {
			err = d.Same(to, original)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func copied(d *export.Dir, from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	return d.Copy(to, in)
}

// says returns the game and its rules in words, as agents with tools are told.
func (x *Export) says(t family.Task) (string, error) {
	e, err := x.set.Start(t, x.options, family.Manner{Interface: schemas.InterfaceMCP})
	if err != nil {
		return "", err
	}
	var told struct{ Task string }
	err = json.Unmarshal(canon.MustMarshal(e.Observe()), &told)
	return told.Task, err
}

// index writes registry.json and README.md.
func (x *Export) index(d *export.Dir, tasks []family.Task) error {
	list := make([]harbor.Task, len(tasks))
	for i, t := range tasks {
		list[i] = harbor.Task{Name: t.Instance, Path: t.Instance}
	}
	m := x.Release.Manifest()
	text, err := harbor.Registry{
		Name: "wikinav-" + x.Family.Name(), Version: m.Release.Version,
		Description: "Games of links of the release " + m.Release.Name + ".", Tasks: list,
	}.JSON()
	if err == nil {
		err = d.Text("registry.json", text)
	}
	if err == nil {
		err = d.Text("README.md", x.describe())
	}
	return err
}

// manifestBytes returns manifest.json as it was opened.
func manifestBytes(j export.Job, sum func([]byte) string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(j.From, release.ManifestName))
	if err == nil && sum(data) != j.Release.ManifestSHA256() {
		err = fault.New(fault.Mismatch, "it changed while it was read").At(j.From, release.ManifestName)
	}
	return data, err
}
