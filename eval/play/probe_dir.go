package play

import (
	"errors"
	"os"
	"time"

	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

// probeDir is a run directory open for more replies, and locked against other processes.
type probeDir struct {
	lock, replies *os.File
	finished      map[string]trace.Reply
}

// openProbeDir starts the run in dir, or goes on with it when dir already holds it.
func openProbeDir(dir string, run schemas.Run, now func() time.Time) (*probeDir, error) {
	lock, err := gameRun.claim(dir, run, now)
	if err != nil {
		return nil, err
	}
	d := &probeDir{lock: lock}
	if err := d.open(dir); err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

func (d *probeDir) open(dir string) (err error) {
	if d.replies, err = openLog(dir, trace.RepliesFile); err != nil {
		return err
	}
	d.finished, err = trace.OpenReplies(dir)
	return err
}

// add appends a reply.
func (d *probeDir) add(r trace.Reply) error {
	if err := appendSynced(d.replies, appendLines(nil, r)); err != nil {
		return err
	}
	d.finished[r.ID] = r
	return nil
}

func (d *probeDir) close() error { return closeAll(d.replies, d.lock) }
