// Package harbor writes legs as tasks of Harbor, each with the pages that it needs, and is the tool
// server, the client and the verifier of such a task. No connection is opened here: a caller hands
// over what is read and written.
package harbor

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/aar/reader"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/whole"
	evalaar "github.com/wikinav/wikinav/eval/aar"
	tasks "github.com/wikinav/wikinav/eval/harbor"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Modes of a task.
const (
	Sidecar = "sidecar" // the tools run in a second container, with store and log
	Single  = "single"  // all is in the agent's container
)

// Distractors is how many pages a store has that its leg does not need.
const Distractors = 200

// Export is what tasks are made from, and how.
type Export struct {
	World       *aar.World
	Cassette    *aar.Cassette // nil for none
	Tape        []byte        // the cassette as a file
	Release     string        // name of the release
	Version     string
	Snapshot    string // digest of the snapshot
	Mode        string
	Schema      string
	Distractors int
	Binary      string // wikinav-eval for the containers
	Out         string

	placed string // the first copy of Binary
}

// Failed is a leg that is no task, and why.
type Failed struct {
	ID  string   `json:"id"`
	Why []string `json:"why"`
}

// Task writes the task of a leg. A leg that fails a gate over the pages of its own store is none,
// and Failed says why.
func (x *Export) Task(ctx context.Context, variant string, l *schemas.AARLeg) (*Failed, error) {
	id := aar.LegIDIn(variant, l)
	w, err := x.store(ctx, l)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", id, err)
	}
	t := &aar.Tools{World: w, Cassette: x.Cassette}
	if why := x.failures(ctx, t, variant, l); len(why) > 0 {
		return &Failed{id, why}, nil
	}
	dir := filepath.Join(x.Out, id)
	store := filepath.Join(dir, "environment", "store")
	if err := writeStore(filepath.Join(store, aar.StoreFile), w, l); err != nil {
		return nil, err
	}
	if x.Cassette != nil {
		if err := os.WriteFile(filepath.Join(store, cassetteFile), x.Tape, 0o644); err != nil {
			return nil, err
		}
	}
	sum, err := storeDigest(ctx, store)
	if err != nil {
		return nil, err
	}
	line := append(aar.EncodeLine(l), '\n')
	task := &task{Export: x, id: id, variant: variant, leg: l, store: sum, digest: digest.SHA256(line)}
	for name, text := range task.files(t) {
		if err := write(filepath.Join(dir, filepath.FromSlash(name)), text); err != nil {
			return nil, err
		}
	}
	if err := write(filepath.Join(dir, "tests", "leg.json"), string(line)); err != nil {
		return nil, err
	}
	return nil, x.place(filepath.Join(dir, "environment", program))
}

// failures lists the gates that a leg fails over its store, and what is wrong with its scores.
func (x *Export) failures(ctx context.Context, t *aar.Tools, variant string, l *schemas.AARLeg) []string {
	why := reader.Over(t).Failures(ctx, variant, l)
	mode := logs[x.Mode]
	right := fmt.Sprint(l.Passcode)
	if n := evalaar.JudgeHarbor(l, &right, nil, t, mode).Numbers["reward"]; n != 1 {
		why = append(why, fmt.Sprintf("the solution scores %v", n))
	}
	if n := evalaar.JudgeHarbor(l, nil, nil, t, mode).Numbers["reward"]; n != 0 {
		why = append(why, fmt.Sprintf("no answer scores %v", n))
	}
	return why
}

var logs = map[string]string{Sidecar: evalaar.LogSidecar, Single: evalaar.LogContainer}

// store returns the world of a task: the pages that its leg needs, those that they link to, and
// those that a search for its clues finds.
func (x *Export) store(ctx context.Context, l *schemas.AARLeg) (*aar.World, error) {
	t := &aar.Tools{World: x.World, Cassette: x.Cassette}
	pages, err := t.Needed(ctx, l)
	if err != nil {
		return nil, err
	}
	have := map[int]bool{}
	take := func(page int) bool {
		fresh := !have[page]
		have[page] = true
		return fresh
	}
	for _, page := range pages {
		take(page)
	}
	for _, s := range l.Stops {
		if s.Type == schemas.AARPage && s.PageURL != nil {
			if page, ok := x.World.Page(*s.PageURL); ok {
				for _, to := range x.World.Links(page) {
					take(to)
				}
			}
		}
	}
	x.distract(l, take)
	pages = pages[:0]
	for page := range have { // sorted by Part
		pages = append(pages, page)
	}
	return x.World.Part(pages), nil
}

// results is how many results of a search an agent is shown at most.
const results = 10

// distract takes the pages that the agents' search ranks highest for the clues of a leg: the first
// results for each phrase, and then one for each clue in turn, in any case as many of each as the
// gate paste looks at. They rank in the store as in the release, so that it finds the same there.
func (x *Export) distract(l *schemas.AARLeg, take func(page int) bool) {
	left := x.Distractors
	var lists [][]aar.Hit
	for _, text := range aar.SplitRiddle(l.Riddle) {
		for _, c := range aar.ReadClue(text) {
			if c.Slot != aar.SlotSearch {
				continue
			}
			for _, h := range x.World.Search(c.Phrase, results) {
				if take(h.Page) {
					left--
				}
			}
		}
		lists = append(lists, x.World.Search(text, results+x.Distractors))
	}
	for k, more := 0, true; more && (left > 0 || k < reader.PasteResults); k++ {
		more = false
		for _, list := range lists {
			if k < len(list) && (left > 0 || k < reader.PasteResults) {
				more = true
				if take(list[k].Page) {
					left--
				}
			}
		}
	}
}

func writeStore(path string, w *aar.World, l *schemas.AARLeg) error {
	var out bytes.Buffer
	err := w.WriteStore(&out, evalaar.HarborBudget(len(l.Stops)))
	if err == nil {
		err = write(path, out.String())
	}
	return err
}

// cassetteFile holds the recorded answers of providers in a store.
const cassetteFile = "cassette.jsonl"

// storeDigest returns the SHA-256 of the listing of a store, as sha256sum writes it.
func storeDigest(ctx context.Context, dir string) (string, error) {
	var list strings.Builder
	for _, name := range []string{cassetteFile, aar.StoreFile} {
		sum, err := digest.SHA256File(ctx, filepath.Join(dir, name))
		if os.IsNotExist(err) && name == cassetteFile {
			continue
		}
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&list, "%s  %s\n", sum, name)
	}
	return digest.SHA256([]byte(list.String())), nil
}

// Finish writes registry.json, the index of the tasks, and the page that describes them.
func (x *Export) Finish(list []tasks.Task) error {
	index, err := tasks.Registry{
		Name: "wikinav-aar", Version: x.Version, Description: describe(x), Tasks: list,
	}.JSON()
	if err != nil {
		return err
	}
	if err := write(filepath.Join(x.Out, "registry.json"), index); err != nil {
		return err
	}
	return write(filepath.Join(x.Out, "README.md"), fmt.Sprintf(readme, describe(x), trusts[x.Mode]))
}

// write writes a file, and the folders above it; scripts can be run.
func write(path, text string) error {
	mode := os.FileMode(0o644)
	if strings.HasPrefix(text, "#!") {
		mode = 0o755
	}
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, []byte(text), mode)
	}
	return err
}

// program is the name of wikinav-eval in a task.
const program = "wikinav-eval"

// place puts the program into a task: as another name of the copy in the first one where the file
// system can, for there are many tasks. The program itself gets no other name: what writes over it
// would change the tasks.
func (x *Export) place(to string) error {
	if x.placed != "" && os.Link(x.placed, to) == nil {
		return nil
	}
	x.placed = to
	in, err := os.Open(x.Binary)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return cmp.Or(err, out.Close())
}

// Size returns how many bytes were written, without the program, and how many the program has.
func (x *Export) Size() (bytes, binary int64, err error) {
	err = filepath.WalkDir(x.Out, func(_ string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		switch {
		case err != nil:
		case d.Name() == program:
			binary = info.Size()
		default:
			bytes += info.Size()
		}
		return err
	})
	return bytes, binary, err
}

// Beside lets fill write a folder under a temporary name next to out and then gives it its own, so
// that nobody sees half of it. What an earlier attempt left under the temporary name is removed.
func Beside(out string, fill func(dir string) error) error {
	begun := false
	_, err := os.Stat(filepath.Dir(filepath.Clean(out)))
	if err == nil {
		err = whole.MakeDir(out, func(string) error { return os.ErrExist }, func(t *whole.Dir) error {
			begun = true
			return fill(t.Temp)
		})
	}
	if err != nil && !begun {
		return fault.New(fault.Usage, "--out: %w", err).Hint("name a folder in one that is there and can be written")
	}
	return err
}

// Check refuses choices that mean nothing.
func (x *Export) Check() error {
	switch {
	case logs[x.Mode] == "":
		return fault.New(fault.Usage, "--harbor-mode %s: want %s or %s", fault.Quote(x.Mode), Sidecar, Single)
	case x.Distractors < 0:
		return fault.New(fault.Usage, "--distractors %d: want 0 or more", x.Distractors)
	}
	return tasks.CheckSchema(x.Schema)
}
