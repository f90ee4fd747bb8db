// Package runs keeps sorted runs of records in scratch files and merges them when they are read: what the stages that sort more
// than fits into memory share. How records lie in memory and in a run is theirs to say.
//
// Memory: 256 KiB per run while they are merged. A record read costs a binary search among the runs.
package runs

import (
	"bufio"
	"cmp"
	"io"
	"os"
	"slices"
)

// Runs are runs of records of one kind.
type Runs[T any] struct {
	Temp    func() (*os.File, error)              // opens a scratch file
	Read    func(from *bufio.Reader, to *T) error // the next record over the one before; io.EOF behind the last
	Compare func(a, b *T) int
	Files   []*os.File
}

// buffer is how much of each run is read or written at once.
const buffer = 256 << 10

// Spill adds a run; write writes its records in order. A bufio.Writer keeps its first error for later.
func (r *Runs[T]) Spill(write func(*bufio.Writer)) error {
	f, err := r.Temp()
	if err != nil {
		return err
	}
	r.Files = append(r.Files, f)
	w := bufio.NewWriterSize(f, buffer)
	write(w)
	return w.Flush()
}

// Merge visits the records of all runs in order; of equal ones that of the earlier run comes first. A record is valid during the call.
func (r *Runs[T]) Merge(visit func(*T) error) error {
	var open []*run[T] // the one with the smallest record first
	take := func(next *run[T]) error {
		err := r.Read(next.from, &next.record)
		if err == io.EOF {
			return nil
		}
		at, _ := slices.BinarySearchFunc(open, next, func(a, b *run[T]) int {
			return cmp.Or(r.Compare(&a.record, &b.record), cmp.Compare(a.number, b.number))
		})
		open = slices.Insert(open, at, next)
		return err
	}
	for i, f := range r.Files {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		if err := take(&run[T]{number: i, from: bufio.NewReaderSize(f, buffer)}); err != nil {
			return err
		}
	}
	for len(open) > 0 {
		first := open[0]
		if err := visit(&first.record); err != nil {
			return err
		}
		open = slices.Delete(open, 0, 1)
		if err := take(first); err != nil {
			return err
		}
	}
	return nil
}

// run is the reading end of one run.
type run[T any] struct {
	number int
	from   *bufio.Reader
	record T
}

// Close gives the scratch files back.
func (r *Runs[T]) Close() {
	for _, f := range r.Files {
		f.Close()
	}
	r.Files = nil
}
