package pagelinks

import (
	"bufio"
	"cmp"
	"container/heap"
	"encoding/binary"
	"io"
	"os"
	"slices"
)

// runLinks is how many links are sorted in memory: 128 MiB.
const runLinks = 16 << 20

// links sorts links, each a page id and below it a target, in bounded memory: sorted runs in
// scratch files, merged when read.
type links struct {
	temp func() (*os.File, error)
	held []uint64
	room int
	runs []*os.File
}

func newLinks(temp func() (*os.File, error), room int) *links { return &links{temp: temp, room: room} }

func (l *links) add(link uint64) error {
	if len(l.held) == l.room {
		if err := l.spill(); err != nil {
			return err
		}
	}
	l.held = append(l.held, link)
	return nil
}

// spill writes what is in memory as one sorted run.
func (l *links) spill() error {
	f, err := l.temp()
	if err != nil {
		return err
	}
	l.runs = append(l.runs, f)
	slices.Sort(l.held)
	w := bufio.NewWriterSize(f, runBuffer)
	var b [8]byte
	for _, link := range l.held {
		binary.LittleEndian.PutUint64(b[:], link)
		w.Write(b[:]) // a bufio.Writer keeps its first error for Flush
	}
	l.held = l.held[:0]
	return w.Flush()
}

// runBuffer is how much of each run is read or written at once.
const runBuffer = 256 << 10

// each visits the links in order, repeated ones as often as they were added.
func (l *links) each(visit func(link uint64) error) error {
	if len(l.runs) == 0 {
		slices.Sort(l.held)
		for _, link := range l.held {
			if err := visit(link); err != nil {
				return err
			}
		}
		return nil
	}
	if err := l.spill(); err != nil {
		return err
	}
	return l.merge(visit)
}

func (l *links) merge(visit func(link uint64) error) error {
	var h runHeap
	for _, f := range l.runs {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		r := &run{in: bufio.NewReaderSize(f, runBuffer)}
		switch err := r.next(); err {
		case nil:
			h = append(h, r)
		case io.EOF:
		default:
			return err
		}
	}
	heap.Init(&h)
	for len(h) > 0 {
		if err := visit(h[0].link); err != nil {
			return err
		}
		switch err := h[0].next(); err {
		case nil:
			heap.Fix(&h, 0)
		case io.EOF:
			heap.Pop(&h)
		default:
			return err
		}
	}
	return nil
}

// Close returns the scratch files back.
func (l *links) Close() {
	for _, f := range l.runs {
		f.Close()
	}
	l.runs, l.held = nil, nil
}

// run is the reading end of one sorted run.
type run struct {
	in   *bufio.Reader
	link uint64
	b    [8]byte
}

func (r *run) next() error {
	_, err := io.ReadFull(r.in, r.b[:])
	r.link = binary.LittleEndian.Uint64(r.b[:])
	return err
}

// runHeap has the run with the smallest link on top. Equal links are the same link: their order
// does not matter.
type runHeap []*run

func (h runHeap) Len() int           { return len(h) }
func (h runHeap) Less(i, j int) bool { return cmp.Less(h[i].link, h[j].link) }
func (h runHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *runHeap) Push(x any)        { *h = append(*h, x.(*run)) }

func (h *runHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}
