package play

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// luminaDir is a run directory open for more episodes, and locked against other processes.
type luminaDir struct {
	lock, episodes *os.File
	finished       map[episodeKey]bool
}

type episodeKey struct{ instance, config string }

// openLuminaDir starts the run in dir, or goes on with it when dir already holds it.
func openLuminaDir(dir string, run schemas.LuminaRun, now func() time.Time) (*luminaDir, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	lock, err := lockDir(dir)
	if err != nil {
		return nil, err
	}
	d := &luminaDir{lock: lock, finished: map[episodeKey]bool{}}
	if err := d.open(dir, run, now); err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

func (d *luminaDir) open(dir string, run schemas.LuminaRun, now func() time.Time) error {
	if err := claimLumina(dir, run, now); err != nil {
		return err
	}
	var err error
	if d.episodes, err = appendTo(dir, trace.EpisodesFile); err != nil {
		return err
	}
	if err := cutTornLine(filepath.Join(dir, trace.EpisodesFile)); err != nil {
		return err
	}
	log, err := trace.OpenLumina(dir)
	if err != nil {
		return err
	}
	for _, e := range log.Episodes {
		d.finished[episodeKey{e.InstanceID, e.Config}] = true
	}
	return nil
}

// claimLumina writes run.json first; a directory with another run, or with a log without one, is refused.
func claimLumina(dir string, run schemas.LuminaRun, now func() time.Time) error {
	if !trace.HasRun(dir) {
		if _, err := os.Lstat(filepath.Join(dir, trace.EpisodesFile)); err == nil {
			return fault.New(fault.Usage, "a log without a %s", trace.RunFile).At(filepath.Join(dir, trace.EpisodesFile), "").Hint("name another directory")
		}
		run.CreatedAt = stamp(now())
		return trace.WriteFile(dir, trace.RunFile, append(canon.MustMarshal(run), '\n'))
	}
	old, err := trace.ReadLuminaRun(dir)
	if err != nil {
		return err
	}
	run.CreatedAt = old.CreatedAt
	if !bytes.Equal(canon.MustMarshal(run), canon.MustMarshal(old)) {
		return fault.New(fault.Usage, "directory holds another run, %s by %s", old.Run, fault.Quote(old.Tool)).
			At(filepath.Join(dir, trace.RunFile), "").Hint("this one is %s by %q; give it a directory of its own", run.Run, run.Tool)
	}
	return nil
}

// cutTornLine removes what an interruption left after the last whole line.
func cutTornLine(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.Truncate(path, int64(bytes.LastIndexByte(data, '\n')+1))
}

// add appends a finished episode.
func (d *luminaDir) add(e schemas.LuminaEpisode) error {
	if err := appendSynced(d.episodes, appendLines(nil, e)); err != nil {
		return err
	}
	d.finished[episodeKey{e.InstanceID, e.Config}] = true
	return nil
}

func (d *luminaDir) close() error {
	var errs []error
	for _, f := range []*os.File{d.episodes, d.lock} {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}
