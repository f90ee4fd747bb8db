package play

import (
	"errors"
	"os"
	"time"

	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

// luminaDir is a run directory open for more episodes, and locked against other processes.
type luminaDir struct {
	lock, episodes *os.File
	finished       map[episodeKey]bool
}

type episodeKey struct{ instance, config string }

// openLuminaDir starts the run in dir, or goes on with it when dir already holds it.
func openLuminaDir(dir string, run schemas.LuminaRun, now func() time.Time) (*luminaDir, error) {
	lock, err := luminaRun.claim(dir, run, now)
	if err != nil {
		return nil, err
	}
	d := &luminaDir{lock: lock, finished: map[episodeKey]bool{}}
	if err := d.open(dir); err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

func (d *luminaDir) open(dir string) (err error) {
	if d.episodes, err = openLog(dir, trace.EpisodesFile); err != nil {
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

// add appends a finished episode.
func (d *luminaDir) add(e schemas.LuminaEpisode) error {
	if err := appendSynced(d.episodes, appendLines(nil, e)); err != nil {
		return err
	}
	d.finished[episodeKey{e.InstanceID, e.Config}] = true
	return nil
}

func (d *luminaDir) close() error { return closeAll(d.episodes, d.lock) }
