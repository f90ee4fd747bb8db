package ingest

import (
	"bufio"
	"bytes"
	"container/heap"
	"encoding/binary"
	"io"
	"slices"
)

// runBuffer is how much of each run is read or written at once.
const runBuffer = 256 << 10

// merge visits the records of all runs in order.
func (s *sorter) merge(visit func(key, payload []byte) error) error {
	h, err := s.openRuns()
	if err != nil {
		return err
	}
	for len(h) > 0 {
		r := h[0]
		if err := visit(r.key, r.payload); err != nil {
			return err
		}
		switch err := r.next(); err {
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

// openRuns reads the first record of each run that has one.
func (s *sorter) openRuns() (runHeap, error) {
	var h runHeap
	for i, f := range s.runs {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		r := &run{number: i, r: bufio.NewReaderSize(f, runBuffer)}
		switch err := r.next(); err {
		case nil:
			h = append(h, r)
		case io.EOF:
		default:
			return nil, err
		}
	}
	heap.Init(&h)
	return h, nil
}

// run is the reading end of one sorted run.
type run struct {
	number       int
	r            *bufio.Reader
	key, payload []byte
}

func (r *run) next() error {
	k, err := binary.ReadUvarint(r.r)
	if err != nil {
		return err
	}
	p, err := binary.ReadUvarint(r.r)
	if err != nil {
		return io.ErrUnexpectedEOF
	}
	r.key, r.payload = resize(r.key, k), resize(r.payload, p)
	if _, err := io.ReadFull(r.r, r.key); err != nil {
		return io.ErrUnexpectedEOF
	}
	if _, err := io.ReadFull(r.r, r.payload); err != nil {
		return io.ErrUnexpectedEOF
	}
	return nil
}

func resize(b []byte, n uint64) []byte { return slices.Grow(b[:0], int(n))[:n] }

// runHeap has the run with the smallest key on top; of equal keys the earlier run.
type runHeap []*run

func (h runHeap) Len() int { return len(h) }
func (h runHeap) Less(i, j int) bool {
	if c := bytes.Compare(h[i].key, h[j].key); c != 0 {
		return c < 0
	}
	return h[i].number < h[j].number
}
func (h runHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *runHeap) Push(x any)   { *h = append(*h, x.(*run)) }

func (h *runHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}
