package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/arrowio/library"
	"github.com/wikinav/wikinav/artifacts/export"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	families "github.com/wikinav/wikinav/eval"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/eval/train"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

type trainFlags struct {
	cli.ProgressFlag
	Release  string     `flag:"release" usage:"release directory (required)"`
	Out      string     `flag:"out" usage:"directory of the data (required)"`
	Force    bool       `flag:"force" usage:"replace the data that the directory holds"`
	Families cli.Commas `flag:"family" usage:"family, repeatable; by default all that can"`
	Kinds    cli.Commas `flag:"kind" usage:"optimal, recovery or step, repeatable; all by default"`
	N        int        `flag:"n" usage:"walks of each family and kind; 0 for all of --tasks"`
	Seed     int64      `flag:"seed" usage:"seed of all that is drawn"`
	Wrong    int        `flag:"wrong" usage:"wrong moves in a row of a recovery walk"`
	Distance string     `flag:"distance" usage:"distances of the pairs that are posed, as 2-6"`
	Exclude  []string   `flag:"exclude" usage:"another release to share nothing with, repeatable"`
	Tasks    string     `flag:"tasks" usage:"release by another --seed, whose tasks are walked"`
	Options  []string   `flag:"option" usage:"rule of the one family named, as NAME=VALUE, repeatable"`
}

func newTrain() *cobra.Command {
	f := trainFlags{N: 1000, Seed: 42, Wrong: 1, Distance: "3-8"}
	cmd := &cobra.Command{
		Use:   "train",
		Short: "Write data to train on that shares nothing with what is frozen",
		Long: `train writes walks of optimal players, walks that go wrong and come back, and single
moves, as the messages that a model reads when it is evaluated: JSON lines, and Parquet whose column
messages is a list of {role, content}. Pairs of pages are drawn from the graph of the release; none
is, turned or not, a pair of a frozen split, and none has the target of one, whatever the family.
Legs, mazes and worlds are taken from another release (--tasks), less what is frozen. train.json
says what was left out and why; equal input gives equal bytes.`,
		Example: `  wikinav train --release demo-release --out demo-train --n 100
  wikinav train --release demo-release --out moves --kind step --n 500 --distance 2-6
  wikinav train --release demo-release --tasks other-release --out walks --n 0
  wikinav train audit demo-train --against demo-release`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	cmd.AddCommand(newTrainAudit())
	cli.Bind(cmd.Flags(), &f)
	cli.AddJSON(cmd.Flags())
	return cmd
}

func (f *trainFlags) run(cmd *cobra.Command) error {
	if err := cli.Required("release", f.Release, "out", f.Out); err != nil {
		return err
	}
	t := &trainer{trainFlags: f, progress: cli.NewProgress(cmd.ErrOrStderr(), f.Progress)}
	defer t.close()
	if err := t.open(); err != nil {
		return err
	}
	job := export.Job{Release: t.release.Release, From: f.Release, Out: f.Out, Force: f.Force}
	if _, err := job.Make(cmd.Context(), "train", t.fill); err != nil {
		return err
	}
	return cli.Print(cmd, t.doc, t.summary)
}

// trainer is the data that comes into being.
type trainer struct {
	*trainFlags
	progress *cli.Progress
	release  *open.Release
	tasks    *open.Release // nil where pairs are posed
	opened   []*open.Release
	lessons  []train.Lesson
	frozen   []*train.Frozen
	span     train.Distances
	ends     func(u uint32) bool // pages that may be ends of pairs that are posed; nil where none are
	doc      trainDoc
}

func (t *trainer) close() {
	for _, r := range t.opened {
		r.Close()
	}
}

func (t *trainer) openRelease(dir string) (*open.Release, error) {
	r, err := open.Open(dir)
	if err == nil {
		t.opened = append(t.opened, r)
	}
	return r, err
}

// open checks the flags, and reads what is frozen.
func (t *trainer) open() (err error) {
	if err := t.check(); err != nil {
		return err
	}
	if t.release, err = t.openRelease(t.Release); err != nil {
		return err
	}
	from := t.release
	if t.Tasks != "" {
		if t.tasks, err = t.openRelease(t.Tasks); err != nil {
			return err
		}
		from = t.tasks
		if got, want := from.Manifest().Wiki, t.release.Manifest().Wiki; got != want {
			return fault.New(fault.Usage, "--tasks %s: a release of %s, --release is of %s",
				fault.Quote(t.Tasks), fault.Quote(got), fault.Quote(want)).
				Hint("build one of the same dump with another --seed")
		}
	}
	if err := t.choose(from); err != nil {
		return err
	}
	against := []*open.Release{t.release}
	for _, dir := range t.Exclude {
		r, err := t.openRelease(dir)
		if err != nil {
			return err
		}
		against = append(against, r)
	}
	for _, r := range against {
		frozen, err := train.Freeze(r, from.Manifest().Wiki, families.All)
		if err != nil {
			return err
		}
		t.frozen = append(t.frozen, frozen)
	}
	t.begin(from)
	return t.openEnds()
}

func (t *trainer) openEnds() error {
	if t.tasks != nil {
		return nil
	}
	may, err := t.release.Endpoints()
	t.ends = func(u uint32) bool { return int64(u) < int64(len(may)) && may[u] }
	return err
}

func (t *trainer) check() (err error) {
	for _, kind := range t.Kinds {
		if !slices.Contains(train.KindNames, kind) {
			return fault.New(fault.Usage, "--kind %s: there is no such kind", fault.Quote(kind)).
				Choose(kind, train.KindNames)
		}
	}
	switch {
	case t.N < 0, t.N == 0 && t.Tasks == "":
		return fault.New(fault.Usage, "--n %d: want 1 or more, or with --tasks 0 for all", t.N)
	case t.Wrong < 1:
		return fault.New(fault.Usage, "--wrong %d: want 1 or more", t.Wrong)
	case len(t.Options) > 0 && len(t.Families) != 1:
		return fault.New(fault.Usage, "--option %s: of which family?", fault.Quote(t.Options[0])).
			Hint("name one with --family")
	}
	least, most, ok := strings.Cut(t.Distance, "-")
	if !ok {
		most = least
	}
	t.span.Least, err = strconv.Atoi(least)
	if err == nil {
		t.span.Most, err = strconv.Atoi(most)
	}
	if err != nil || t.span.Least < 1 || t.span.Most < t.span.Least ||
		t.span.Most > int(schemas.MaxDistance) {
		return fault.New(fault.Usage, "--distance %s: want a distance, or two as 2-6, from 1 to %d",
			fault.Quote(t.Distance), schemas.MaxDistance)
	}
	return nil
}

// choose opens the families that are named, or all from which data can be made.
func (t *trainer) choose(from *open.Release) error {
	list := families.All
	if len(t.Families) > 0 {
		list = nil
		for _, name := range t.Families {
			f, err := families.Find(name)
			if err != nil {
				return err
			}
			list = append(list, f)
		}
	}
	for _, f := range list {
		lesson, err := train.Open(f, from, t.Options)
		if fault.KindOf(err) == fault.NotFound && len(t.Families) == 0 {
			continue
		}
		if err != nil {
			return err
		}
		if err := lesson.Can(t.tasks != nil); err == nil {
			t.lessons = append(t.lessons, lesson)
		} else if len(t.Families) > 0 {
			return err
		}
	}
	if len(t.lessons) == 0 {
		return fault.New(fault.NotFound, "the release has nothing that data to train on is made from").
			At(from.Name(), "")
	}
	return nil
}

// trainSchema names the layout of train.json. 1: first layout.
const (
	trainSchema = "wikinav.train/1"
	trainFile   = "train.json"
)

// trainDoc is train.json: what the data are, and what was left out of them.
type trainDoc struct {
	Schema    string                   `json:"schema"`
	Release   trainSource              `json:"release"` // nothing may be shared with it
	Tasks     *trainSource             `json:"tasks"`   // null where pairs were posed
	Wiki      string                   `json:"wiki"`
	Seed      int64                    `json:"seed"`
	Wrong     int                      `json:"wrong"`
	Distances [2]int                   `json:"distances"` // of posed pairs, both included
	Rules     map[string]schemas.Rules `json:"rules"`     // by family: options, prompt and parser
	Forbidden []string                 `json:"forbidden"` // kinds of overlap that no walk has
	Against   []*train.Frozen          `json:"against"`   // whose instances nothing may be shared with
	Made      []*train.Made            `json:"made"`
}

type trainSource struct {
	Name           string `json:"name"`
	ManifestID     string `json:"manifest_id"`
	ManifestSHA256 string `json:"manifest_sha256"`
	GraphSHA256    string `json:"graph_sha256"`
}

func sourceOf(r *open.Release) trainSource {
	m := r.Manifest()
	return trainSource{m.Release.Name, m.ID, r.ManifestSHA256(), m.Graph.SHA256}
}

func (t *trainer) begin(from *open.Release) {
	t.doc = trainDoc{
		Schema: trainSchema, Release: sourceOf(t.release), Wiki: from.Manifest().Wiki, Seed: t.Seed,
		Wrong: t.Wrong, Distances: [2]int{t.span.Least, t.span.Most}, Rules: map[string]schemas.Rules{},
		Forbidden: train.Forbidden(), Against: t.frozen, Made: []*train.Made{},
	}
	if t.tasks != nil {
		tasks := sourceOf(t.tasks)
		t.doc.Tasks = &tasks
	}
}

// fill writes the files of each family and kind, then what they are.
func (t *trainer) fill(d *export.Dir) error {
	for _, lesson := range t.lessons {
		rules, err := lesson.Rules()
		if err != nil {
			return err
		}
		t.doc.Rules[lesson.Family.Name()] = rules
		kinds, err := lesson.Kinds(t.Kinds)
		if err != nil {
			return err
		}
		for _, kind := range kinds {
			if err := t.fillKind(d, lesson, kind); err != nil {
				return err
			}
		}
	}
	text := append(canon.MustMarshal(t.doc), '\n')
	if err := d.Text(trainFile, string(text)); err != nil {
		return err
	}
	return d.Text("README.md", t.readme())
}

// fillKind writes the rows of a kind twice, and its walks.
func (t *trainer) fillKind(d *export.Dir, lesson train.Lesson, kind string) error {
	name := lesson.Family.Name() + "-" + kind
	total := int64(t.N)
	if total == 0 {
		total = -1 // nobody knows
	}
	meter := t.progress.Meter("train", name, "walks", total)
	defer meter.Done()
	done := int64(0)
	job := train.Job{
		Lesson: lesson, N: t.N, Seed: t.Seed, Wrong: t.Wrong, Span: t.span, Tasks: t.tasks != nil,
		Frozen: t.frozen, Ends: t.ends, Tell: func(n int64) { meter.Add(n - done); done = n },
	}
	s := &trainFiles{}
	return d.Create(name+".jsonl", func(out io.Writer) (int64, error) {
		s.lines = bufio.NewWriterSize(out, 1<<20)
		err := d.Create(name+".parquet", func(out io.Writer) (int64, error) {
			s.rows = library.NewDialogues(out)
			err := d.Create("walks/"+name+".jsonl", func(out io.Writer) (int64, error) {
				s.walks = bufio.NewWriterSize(out, 1<<20)
				return t.make(d.Context(), &job, kind, s)
			})
			if err == nil {
				err = s.rows.Close()
			}
			return s.written, err
		})
		if err == nil {
			err = s.lines.Flush()
		}
		return s.written, err
	})
}

func (t *trainer) make(
	ctx context.Context, job *train.Job, kind string, s *trainFiles,
) (int64, error) {
	made, err := job.Make(ctx, kind, s)
	if err != nil {
		return 0, err
	}
	t.doc.Made = append(t.doc.Made, made)
	return int64(made.Walks), s.walks.Flush()
}

// trainFiles are the files of a kind while they are written.
type trainFiles struct {
	lines, walks *bufio.Writer
	rows         *library.Dialogues
	written      int64
}

func (s *trainFiles) Row(r *train.Row) error {
	s.written++
	if _, err := fmt.Fprintf(s.lines, "%s\n", canon.MustMarshal(r)); err != nil {
		return err
	}
	return s.rows.Add(r)
}

func (s *trainFiles) Walk(w *train.Walk) error {
	_, err := fmt.Fprintf(s.walks, "%s\n", canon.MustMarshal(w))
	return err
}

// summary is what the verb prints: a line for each kind, and what fell short.
func (t *trainer) summary(out io.Writer) error {
	for _, m := range t.doc.Made {
		fmt.Fprintf(out, "%-11s %-8s  %s walks, %s rows, %s replies to be learnt; left out %s\n",
			m.Family, m.Kind, cli.Thousands(int64(m.Walks)), cli.Thousands(int64(m.Rows)),
			cli.Thousands(int64(m.Learnt)), counted(m.Forbidden, m.Left))
		if m.Short() && t.tasks == nil {
			fmt.Fprintf(out, "  short: %d of %d walks; there are no more such pairs at distances %s\n",
				m.Walks, m.Asked, t.Distance)
		}
	}
	_, err := fmt.Fprintf(out, "%s: nothing shared in the kinds %s with %s\n", t.Out,
		strings.Join(t.doc.Forbidden, ", "), t.against())
	return err
}

func (t *trainer) against() string {
	var names []string
	for _, f := range t.frozen {
		names = append(names, f.ManifestID)
	}
	return strings.Join(names, ", ")
}

// counted lists the counts of maps by name; "nothing" where there are none.
func counted(maps ...map[string]int) string {
	var list []string
	for _, m := range maps {
		for name, n := range m { // sorted below
			list = append(list, fmt.Sprintf("%s %d", name, n))
		}
	}
	slices.Sort(list)
	if list == nil {
		return "nothing"
	}
	return strings.Join(list, ", ")
}
