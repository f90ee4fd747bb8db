package play

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"sync"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/internal/lock"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// journal is a run directory open for more items. Several processes may hold it open: whatever
// reads or writes the logs does so in a moment of its own, under a lock on the directory, and by
// then every line of a process that died in its moment has been removed. Which item is whose is
// settled by leases.
//
// The order of the logs is that in which items were finished. tidy restores the order of play.
type journal struct {
	layout trace.Layout
	dir    string
	place  map[string]int // key -> place in the order of play, as far as it is known
	lock   *os.File       // the directory
	leases *os.File

	more func() (keys []string, err error) // lists the whole order of play; nil where place has it

	note func(line []byte) error // of an item that is new in main; nil for nobody to tell

	again map[string]bool // keys of items that failed for no fault of the player, and are played once more

	mu   sync.Mutex
	done map[string]bool // keys in main, up to seen
	seen mark
}

// mark is how much of a log was read. The file is held open: then no other file, such as tidy
// writes, can be taken for it.
type mark struct {
	file *os.File
	size int64
}

// open makes the logs if they are not there, and has them checked. The directory must be locked,
// and hold a run.json.
func (j *journal) open() (err error) {
	if j.leases, err = os.OpenFile(j.path(trace.RunFile), os.O_RDWR, 0); err != nil {
		return err
	}
	for _, name := range j.names() {
		f, err := os.OpenFile(j.path(name), os.O_CREATE|os.O_RDWR, 0o644)
		if err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	check := func() error { return j.layout.Check(j.dir) }
	for _, step := range []func() error{j.repair, check, j.readOn, j.dropLoose, j.readAgain} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (j *journal) path(name string) string { return filepath.Join(j.dir, name) }

// names lists the logs, side first: the order in which they are written.
func (j *journal) names() []string {
	if j.layout.Side == "" {
		return []string{j.layout.Main}
	}
	return []string{j.layout.Side, j.layout.Main}
}

// holds reports whether the item is in the log, whoever wrote it there.
func (j *journal) holds(key string) (bool, error) {
	var known bool
	err := j.alone(func() error {
		known = j.done[key]
		return nil
	})
	return known, err
}

// count returns the number of items in the log as far as it was read.
func (j *journal) count() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.done)
}

type finished struct {
	key        string
	side, line []byte
}

func lines(key string, r family.Record) finished {
	return finished{key, appendLines(nil, r.Side...), appendLines(nil, r.Main)}
}

// append adds finished items, but for those that somebody added before.
func (j *journal) append(items ...finished) error {
	return j.alone(func() error { return j.appendAlone(items) })
}

// appendAlone is append for who is alone: side is on disk before the lines that make it count.
func (j *journal) appendAlone(items []finished) error {
	var side, main []byte
	for _, it := range items {
		if !j.done[it.key] {
			side, main = append(side, it.side...), append(main, it.line...)
		}
	}
	if len(main) == 0 {
		return nil
	}
	if j.layout.Side != "" {
		if err := appendSynced(j.path(j.layout.Side), side); err != nil {
			return err
		}
	}
	if err := appendSynced(j.path(j.layout.Main), main); err != nil {
		return err
	}
	return j.readOn()
}

// alone does what must not meet another process, with all that others wrote known.
func (j *journal) alone(do func() error) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := lock.Wait(j.lock); err != nil {
		return err
	}
	err := j.catchUp()
	if err == nil {
		err = do()
	}
	return errors.Join(err, lock.Release(j.lock))
}

// repair removes what a process left of the line that it was writing when it died.
func (j *journal) repair() error {
	for _, name := range j.names() {
		if err := cutTornLine(j.path(name)); err != nil {
			return err
		}
	}
	return nil
}

// catchUp removes all that a process left that died while it appended, and reads what is new.
func (j *journal) catchUp() error {
	if err := j.repair(); err != nil {
		return err
	}
	if err := j.readOn(); err != nil {
		return err
	}
	if j.layout.Side == "" {
		return nil
	}
	return cutLoose(j.path(j.layout.Side), func(line []byte) bool {
		key, err := j.layout.Key(line)
		return err == nil && !j.done[key] // what is no record is not ours to remove
	})
}

// readOn reads the lines of main that were added since it was last read.
func (j *journal) readOn() error {
	size, err := j.reopen()
	if err != nil {
		return err
	}
	fresh := make([]byte, size-j.seen.size)
	if _, err := j.seen.file.ReadAt(fresh, j.seen.size); err != nil {
		return err
	}
	for line := range bytes.Lines(fresh) {
		key, err := j.layout.Key(line)
		if err == nil {
			j.done[key] = true
			if j.note != nil {
				err = j.note(line)
			}
		}
		if err != nil {
			return fault.New(fault.Malformed, "%w", err).At(j.path(j.layout.Main), "")
		}
	}
	j.seen.size = size
	return nil
}

// reopen returns the size of main. If that is another file by now, all is to be read anew.
func (j *journal) reopen() (int64, error) {
	now, err := os.Stat(j.path(j.layout.Main))
	if err != nil {
		return 0, err
	}
	if j.seen.file != nil {
		old, err := j.seen.file.Stat()
		if err != nil {
			return 0, err
		}
		if os.SameFile(old, now) && now.Size() >= j.seen.size {
			return now.Size(), nil
		}
	}
	f, err := os.Open(j.path(j.layout.Main))
	if err != nil {
		return 0, err
	}
	err = closeFile(j.seen.file)
	j.seen, j.done = mark{file: f}, map[string]bool{}
	return now.Size(), err
}

func (j *journal) close() error {
	return errors.Join(closeFile(j.seen.file), closeFile(j.leases), closeFile(j.lock))
}

// closeFile closes what was opened.
func closeFile(f *os.File) error {
	if f == nil {
		return nil
	}
	return f.Close()
}

func appendLines(dst []byte, records ...any) []byte {
	for _, r := range records {
		dst = append(append(dst, canon.MustMarshal(r)...), '\n')
	}
	return dst
}

func appendSynced(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err = f.Write(data); err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
