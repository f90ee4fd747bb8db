// Package samples writes what can be played of a release as samples of Inspect, a line each, which
// its reader of JSON lines loads without a map of fields.
//
// It promises that a sample has the very words that a model reads in the first turn of a task under
// the family's default options, and that every family has its files: it knows none by name.
package samples

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/export"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Sample is a line of a file.
type Sample struct {
	ID       string         `json:"id"`
	Input    string         `json:"input"`  // of the user, in the first turn
	Target   string         `json:"target"` // "" where a family does not tell
	Choices  []string       `json:"choices,omitempty"`
	Metadata map[string]any `json:"metadata"`
}

// file is a split of a family, as a file of samples.
type file struct {
	family.Family
	family.Set
	options family.Options
	name    string
	tasks   []family.Task
}

// Write writes FAMILY/SPLIT.jsonl for each split that is played without being named, and a README.
func Write(
	d *export.Dir, r *open.Release, families []family.Family,
	meter func(unit string, total int64) func(int64),
) error {
	var files []file
	total := 0
	for _, f := range families {
		of, err := filesOf(r, f)
		if err != nil {
			return err
		}
		for _, one := range of {
			total += len(one.tasks)
		}
		files = append(files, of...)
	}
	add := meter("samples", int64(total))
	var rows strings.Builder
	last := "FILE"
	for _, f := range files {
		err := d.Create(f.name, func(out io.Writer) (int64, error) { return f.write(d, r, out, add) })
		if err != nil {
			return err
		}
		last = f.name
		fmt.Fprintf(&rows, "| `%s` | %d |\n", f.name, len(f.tasks))
	}
	m := r.Manifest()
	return d.Text("README.md", fmt.Sprintf(readme, m.Release.Name, m.ID, rows.String(), last))
}

// filesOf lists the files of a family; none where the release has nothing of it.
func filesOf(r *open.Release, f family.Family) (files []file, err error) {
	options, err := f.Options(nil)
	if err != nil {
		return nil, err
	}
	set, err := f.Open(r, options)
	if fault.KindOf(err) == fault.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	splits, err := family.Choose(set, nil)
	for _, s := range splits {
		tasks, err := set.Tasks(s.Name, 0)
		if err != nil {
			return nil, err
		}
		if len(tasks) > 0 {
			name := f.Name() + "/" + strings.ReplaceAll(s.Name, "/", "-") + ".jsonl"
			files = append(files, file{f, set, options, name, tasks})
		}
	}
	return files, err
}

const readme = `# Samples of %s for Inspect

Of the release with manifest id ` + "`%s`" + `: one file a split, one sample a line.

| file | samples |
| --- | --- |
%s
` + "```python" + `
from inspect_ai import Task, eval
from inspect_ai.dataset import json_dataset
from inspect_ai.scorer import includes
from inspect_ai.solver import generate, system_message

eval(Task(dataset=json_dataset("%s"), solver=generate(), scorer=includes()), model="mockllm/model")
` + "```" + `

` + "`input`" + ` is the first message that a model reads of a task, under the default rules of its
family; the system message beside it, where there is one, is ` + "`metadata.system`" + `:
` + "`system_message(\"{system}\")`" + ` puts it in front. ` + "`target`" + ` is where a game leads,
or what is right to say; where several are, ` + "`metadata.targets`" + ` lists all. Questions whose
answers are listed have ` + "`choices`" + `. ` + "`metadata`" + ` also holds what an oracle alone
knows, such as the distance: show it to no model.

A game has more turns than the first: ` + "`wikinav-eval mcp --release DIR`" + ` is a server over
standard input that Inspect plays whole games with, and ` + "`wikinav-eval score`" + ` scores them
by replay.
`

func (f file) write(d *export.Dir, r *open.Release, out io.Writer, add func(int64)) (n int64, err error) {
	for _, t := range f.tasks {
		s, err := f.sample(r, t)
		if err == nil {
			err = d.Context().Err()
		}
		if err == nil {
			_, err = fmt.Fprintf(out, "%s\n", canon.MustMarshal(s))
		}
		if err != nil {
			return n, err
		}
		n++
		add(1)
	}
	return n, nil
}

// sample makes the sample of a task: what players are told of it, what its first turn says, and the
// key.
func (f file) sample(r *open.Release, t family.Task) (*Sample, error) {
	e, err := f.Start(t, f.options, family.Manner{Interface: schemas.InterfaceChat})
	if err != nil {
		return nil, err
	}
	s := &Sample{ID: t.Instance, Metadata: map[string]any{}}
	if t.Variant != "" {
		s.ID = t.ID
	}
	if err := json.Unmarshal(canon.MustMarshal(t.Info), &s.Metadata); err != nil {
		return nil, fmt.Errorf("what is told of %s is not an object: %w", t.ID, err)
	}
	for key, value := range s.Metadata { // independent of each other
		if number, ok := value.(float64); ok {
			s.Metadata[key] = int64(number)
		}
	}
	m := r.Manifest()
	for key, value := range map[string]any{
		"family": f.Name(), "split": t.Split, "instance": t.Instance, "release": m.Release.Name,
		"manifest_id": m.ID, "options_sha256": digest.SHA256(f.options.JSON),
	} {
		s.Metadata[key] = value
	}
	delete(s.Metadata, "id")
	s.say(e)
	return s, s.unlock(f.Set, t)
}

// say adds the words of the first turn, and the tools that may be called in it.
func (s *Sample) say(e family.Episode) {
	var said, system []string
	for _, m := range e.Messages() {
		if m.Role == schemas.RoleSystem {
			system = append(system, m.Content)
		} else {
			said = append(said, m.Content)
		}
	}
	s.Input = strings.Join(said, "\n\n")
	if system != nil {
		s.Metadata["system"] = strings.Join(system, "\n\n")
	}
	names := []string{}
	for _, t := range e.Tools() {
		names = append(names, t.Name)
	}
	if len(names) > 0 {
		s.Metadata["tools"] = names
	}
}

// unlock adds what no player may see, as far as the set tells it.
func (s *Sample) unlock(set family.Set, t family.Task) error {
	if described, ok := set.(family.Described); ok {
		if d, known := described.Difficulty(t.Instance); known {
			s.Metadata[strings.ReplaceAll(d.Called, " ", "_")] = d.Length
		}
	}
	keyed, ok := set.(family.Keyed)
	if !ok {
		return nil
	}
	k, err := keyed.Key(t)
	if err != nil {
		return err
	}
	s.Target, s.Choices = k.Target, k.Choices
	if k.Targets != nil {
		s.Metadata["targets"] = k.Targets
	}
	return nil
}
