package ingest

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"encoding/binary"
	"io"
	"os"
	"slices"
)

// sorterBudget is how many bytes a sorter holds before it spills a sorted run to disk. While its arena grows, old and
// new one take up to twice that.
const sorterBudget = 128 << 20

// sorter orders records by key, bytewise, in bounded memory: sorted runs in scratch files, merged when read. Records of
// equal key come in the order in which they were added.
type sorter struct {
	temp   func() (*os.File, error)
	budget int
	arena  []byte
	items  []item
	runs   []*os.File
}

// item is one record in the arena: the key lies at [key, payload), the payload at [payload, end).
type item struct{ key, payload, end int }

// itemBytes is what an item costs beside its bytes.
const itemBytes = 24

func newSorter(temp func() (*os.File, error), budget int) *sorter {
	return &sorter{temp: temp, budget: budget}
}

func (s *sorter) add(key, payload []byte) error {
	if len(s.items) > 0 && len(s.arena)+len(key)+len(payload)+itemBytes*len(s.items) > s.budget {
		if err := s.spill(); err != nil {
			return err
		}
	}
	start := len(s.arena)
	s.arena = append(append(s.arena, key...), payload...)
	s.items = append(s.items, item{start, start + len(key), len(s.arena)})
	return nil
}

func (s *sorter) key(it item) []byte     { return s.arena[it.key:it.payload] }
func (s *sorter) payload(it item) []byte { return s.arena[it.payload:it.end] }

// sort leaves records of equal key in the order of the arena, which is that of add.
func (s *sorter) sort() {
	slices.SortFunc(s.items, func(a, b item) int {
		return cmp.Or(bytes.Compare(s.key(a), s.key(b)), cmp.Compare(a.key, b.key))
	})
}

// spill writes what is in memory as one sorted run.
func (s *sorter) spill() error {
	f, err := s.temp()
	if err != nil {
		return err
	}
	s.runs = append(s.runs, f)
	s.sort()
	w := bufio.NewWriterSize(f, runBuffer)
	var head []byte
	for _, it := range s.items {
		head = binary.AppendUvarint(head[:0], uint64(it.payload-it.key))
		head = binary.AppendUvarint(head, uint64(it.end-it.payload))
		w.Write(head) // a bufio.Writer keeps its first error for Flush
		w.Write(s.arena[it.key:it.end])
	}
	s.arena, s.items = s.arena[:0], s.items[:0]
	return w.Flush()
}

// each visits the records in order; key and payload are valid during the call.
func (s *sorter) each(visit func(key, payload []byte) error) error {
	if len(s.runs) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
		return s.merge(visit)
	}
	s.sort()
	for _, it := range s.items {
		if err := visit(s.key(it), s.payload(it)); err != nil {
			return err
		}
	}
	return nil
}

// Close gives the scratch files back.
func (s *sorter) Close() {
	for _, f := range s.runs {
		f.Close()
	}
	s.runs, s.arena, s.items = nil, nil, nil
}

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
