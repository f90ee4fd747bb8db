package games

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/export"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// trial is a folder with what tasks take of the release. Which files these are is found out by
// playing: it begins with the manifest alone, and gets what a game turns out to miss.
type trial struct {
	*Export
	ctx   context.Context
	dir   string
	files []string // by their names in the release
	logs  string   // beside dir
}

func (x *Export) newTrial(ctx context.Context, j export.Job) (*trial, error) {
	data, err := manifestBytes(j, digest.SHA256)
	if err != nil {
		return nil, err
	}
	top, err := os.MkdirTemp("", "wikinav-harbor-")
	if err != nil {
		return nil, err
	}
	t := &trial{Export: x, ctx: ctx, dir: filepath.Join(top, "release"), logs: filepath.Join(top, "log")}
	err = t.add(release.ManifestName, func(out io.Writer) error {
		_, err := out.Write(data)
		return err
	})
	if err != nil {
		t.remove()
		return nil, err
	}
	return t, nil
}

func (t *trial) remove() { _ = os.RemoveAll(filepath.Dir(t.dir)) }

func (t *trial) add(name string, fill func(io.Writer) error) error {
	to := filepath.Join(t.dir, filepath.FromSlash(name))
	err := os.MkdirAll(filepath.Dir(to), 0o755)
	if err != nil {
		return err
	}
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	t.files = append(t.files, name)
	return errors.Join(fill(f), f.Close())
}

// run returns the moves that solve each task, which were played and scored over the folder.
func (t *trial) run(splits []string, tasks []family.Task) ([][]family.Reply, error) {
	for {
		moves, err := t.play(splits, tasks)
		var missing *fault.Error
		if err == nil || !errors.As(err, &missing) || !t.lacks(missing.File) {
			return moves, err
		}
		name := missing.File
		err = t.add(name, func(out io.Writer) error {
			dir := strings.TrimSuffix(path.Dir(name), ".")
			return t.Release.Folder(dir).Copy(t.ctx, path.Base(name), out)
		})
		if err != nil {
			return nil, err
		}
	}
}

func (t *trial) lacks(name string) bool {
	_, listed := t.Release.Manifest().File(name)
	return listed && !slices.Contains(t.files, name)
}

// play plays the tasks as the server of a task does, and scores the log as its verifier does.
func (t *trial) play(splits []string, tasks []family.Task) (moves [][]family.Reply, err error) {
	r, err := open.Open(t.dir)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	set, err := t.Family.Open(r, t.options)
	if err != nil {
		return nil, err
	}
	h := &session.Host{
		Family: t.Family, Set: set, Options: t.options, Fixed: true, Strict: true, Now: time.Now,
		Manner: family.Manner{Interface: schemas.InterfaceHTTP},
	}
	if err := h.Offer(splits, nil); err != nil {
		return nil, err
	}
	if err := os.RemoveAll(t.logs); err != nil {
		return nil, err
	}
	runs := session.NewRuns(t.logs, h, schemas.Run{
		ReleaseID: r.Manifest().ID, ManifestSHA256: r.ManifestSHA256(), Splits: splits, Attempts: 1,
		Model: schemas.Player{Kind: schemas.KindHTTP}, Tool: "wikinav export harbor",
	}, time.Now)
	h.Log = runs
	for _, one := range tasks {
		m, err := t.solve(h, one)
		if err != nil {
			return nil, errors.Join(err, runs.Close())
		}
		moves = append(moves, m)
	}
	if err := runs.Close(); err != nil {
		return nil, err
	}
	return moves, t.score(set, splits, len(tasks))
}

// oracle returns the player that knows what no other may: the last, which knows most.
func oracle(set family.Set) (family.Baseline, error) {
	list := set.Baselines()
	for _, b := range slices.Backward(list) {
		if b.Kind == schemas.KindOracle {
			return b, nil
		}
	}
	return family.Baseline{}, fault.New(fault.Usage, "no player of the family knows a solution")
}

// solve plays a game beside an oracle, after a move that names no link, for which the server reads
// the names of redirects.
func (t *trial) solve(h *session.Host, one family.Task) (moves []family.Reply, err error) {
	b, err := oracle(h.Set)
	if err != nil {
		return nil, err
	}
	e, err := h.Set.Start(one, t.options, h.Manner)
	if err != nil {
		return nil, err
	}
	s, err := h.Start(session.Request{Instance: one.ID})
	if err != nil {
		return nil, err
	}
	nowhere := "\x00"
	var refused *family.Refusal
	if _, err := s.Move(1, family.Reply{Title: &nowhere}); !errors.As(err, &refused) {
		return nil, err
	}
	next := b.Start(e, family.Seat{Task: one, Attempt: 1, Player: b.Name})
	for e.Outcome() == "" {
		step := e.Step()
		m, err := next()
		if err == nil {
			err = t.ctx.Err()
		}
		if err == nil {
			_, err = e.Act(m)
		}
		if err == nil {
			_, err = s.Move(step, m)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", one.ID, err)
		}
		moves = append(moves, m)
	}
	return moves, nil
}

// score plays the log again and refuses tasks whose solution is none.
func (t *trial) score(set family.Set, splits []string, tasks int) error {
	dirs, err := os.ReadDir(t.logs)
	if err != nil || len(dirs) != 1 {
		return fmt.Errorf("the games of %d tasks are %d runs: %w", tasks, len(dirs), err)
	}
	log, err := trace.Open(filepath.Join(t.logs, dirs[0].Name()), t.Family.Layout())
	if err != nil {
		return err
	}
	scores, err := set.Score(log, family.Request{Splits: splits, Partial: true})
	if err != nil {
		return err
	}
	for _, r := range scores.Results {
		if !r.Success {
			return fault.New(fault.Shortage, "%s: a shortest path is no solution: %s", r.Task, r.Outcome).
				Hint("take other instances with --instance")
		}
	}
	won := int64(0)
	for _, row := range scores.Rows {
		if n := row.Metrics[t.metric()].Num; len(row.By) == 0 && n != nil {
			won += *n
		}
	}
	if won != int64(tasks) {
		return fault.New(fault.Shortage, "the solutions of %d tasks win %d games", tasks, won)
	}
	return nil
}
