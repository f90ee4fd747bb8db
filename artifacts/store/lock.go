package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/wikinav/wikinav/schemas/fault"
)

// Lock is a held lock. It dies with the process, so there is no stale lock and no pid file.
type Lock struct{ file *os.File }

// Lock takes the directory for a writer; Share takes it for a reader. Neither waits.
func (d *Dir) Lock() (*Lock, error) { return d.flock(syscall.LOCK_EX) }

// Share is documented at Lock.
func (d *Dir) Share() (*Lock, error) { return d.flock(syscall.LOCK_SH) }

func (d *Dir) flock(how int) (*Lock, error) {
	f, err := d.openLock(how)
	if err != nil {
		return nil, fault.New(fault.KindOf(err), "cannot open the lock: %w", err).At(d.path, "")
	}
	err = syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
	if err == nil && how == syscall.LOCK_EX {
		err = f.Truncate(0) // what a writer left there who died
	}
	if err == nil {
		return &Lock{f}, nil
	}
	f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, fault.New(fault.Locked, "another wikinav is at work in this directory").At(d.path, "").
			Hint("wait for it (wikinav status says how far it is), or use another --work")
	}
	return nil, fault.New(fault.Failure, "lock: %w", err).At(d.path, "")
}

// openLock lets a reader lock a directory that it cannot write.
func (d *Dir) openLock(how int) (*os.File, error) {
	path := filepath.Join(d.path, ".lock")
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil && how == syscall.LOCK_SH {
		return os.Open(path)
	}
	return f, err
}

func (l *Lock) Release() { l.file.Close() }

// NameLog writes into the lock which run log its holder writes, for Writer.
func (l *Lock) NameLog(name string) error {
	_, err := l.file.WriteAt([]byte(name), 0)
	return err
}

// Writer returns the path of the run log of the writer who holds the lock, "" if he keeps none. It
// means nothing unless Share just was refused.
func (d *Dir) Writer() string {
	name, err := os.ReadFile(filepath.Join(d.path, ".lock"))
	if err != nil || len(name) == 0 {
		return ""
	}
	return filepath.Join(d.LogDir(), filepath.Base(string(name)))
}

// LockShard takes one shard of a result for a process that computes shards only; such processes
// hold the directory shared. Busy is fault.Locked. The empty file that carries the lock goes with
// the next full build.
func (r *Result) LockShard(number int) (*Lock, error) {
	if err := r.dir.fs.MkdirAll(r.path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(r.path, fmt.Sprintf(".lock-%04d", number)), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, fault.New(fault.Locked, "shard %d is being computed by another process", number)
	}
	return &Lock{f}, nil
}
