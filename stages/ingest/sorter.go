package ingest

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"io"
	"os"
	"slices"

	"github.com/wikinav/wikinav/stages/internal/runs"
)

// sorterBudget is how many bytes a sorter holds before it spills a sorted run to disk.
const sorterBudget = 128 << 20

// sorter orders records by key, bytewise, in bounded memory: sorted runs in scratch files, merged
// when read. Records of equal key come in the order in which they were added. What it holds lies in
// blocks, so that it can grow without a copy.
type sorter struct {
	budget int
	blocks [][]byte // filled one after another
	filled int      // blocks before the one that is being filled
	held   int      // bytes of records and their items
	items  []item
	runs   runs.Runs[entry]
}

// item is one record: the key lies at [key, payload) of its block, the payload at [payload, end).
type item struct{ block, key, payload, end uint32 }

// itemBytes is what an item costs beside its bytes.
const itemBytes = 16

// blockBytes is the size of a block, unless one record takes more.
const blockBytes = 1 << 20

func newSorter(temp func() (*os.File, error), budget int) *sorter {
	return &sorter{budget: budget, runs: runs.Runs[entry]{Temp: temp, Read: readEntry, Compare: compareKeys}}
}

func (s *sorter) add(key, payload []byte) error {
	size := len(key) + len(payload)
	if len(s.items) > 0 && s.held+size > s.budget {
		if err := s.spill(); err != nil {
			return err
		}
	}
	b := s.room(size)
	start := uint32(len(*b))
	*b = append(append(*b, key...), payload...)
	s.items = append(s.items, item{uint32(s.filled), start, start + uint32(len(key)), uint32(len(*b))})
	s.held += size + itemBytes
	return nil
}

// room returns the block to which size bytes can be appended.
func (s *sorter) room(size int) *[]byte {
	for ; s.filled < len(s.blocks); s.filled++ {
		if b := &s.blocks[s.filled]; cap(*b)-len(*b) >= size {
			return b
		}
	}
	s.blocks = append(s.blocks, make([]byte, 0, max(size, blockBytes)))
	return &s.blocks[s.filled]
}

func (s *sorter) key(it item) []byte     { return s.blocks[it.block][it.key:it.payload] }
func (s *sorter) payload(it item) []byte { return s.blocks[it.block][it.payload:it.end] }

// sort leaves records of equal key in the order of the blocks, which is that of add.
func (s *sorter) sort() {
	slices.SortFunc(s.items, func(a, b item) int {
		return cmp.Or(bytes.Compare(s.key(a), s.key(b)), cmp.Compare(a.block, b.block), cmp.Compare(a.key, b.key))
	})
}

// spill writes what is in memory as one sorted run.
func (s *sorter) spill() error {
	s.sort()
	err := s.runs.Spill(func(w *bufio.Writer) {
		var head []byte
		for _, it := range s.items {
			head = binary.AppendUvarint(head[:0], uint64(it.payload-it.key))
			head = binary.AppendUvarint(head, uint64(it.end-it.payload))
			w.Write(head)
			w.Write(s.blocks[it.block][it.key:it.end])
		}
	})
	s.blocks = slices.DeleteFunc(s.blocks, func(b []byte) bool { return cap(b) > blockBytes })
	for i := range s.blocks {
		s.blocks[i] = s.blocks[i][:0]
	}
	s.items, s.filled, s.held = s.items[:0], 0, 0
	return err
}

// each visits the records in order; key and payload are valid during the call.
func (s *sorter) each(visit func(key, payload []byte) error) error {
	if len(s.runs.Files) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
		return s.runs.Merge(func(e *entry) error { return visit(e.key, e.payload) })
	}
	s.sort()
	for _, it := range s.items {
		if err := visit(s.key(it), s.payload(it)); err != nil {
			return err
		}
	}
	return nil
}

// Close returns the scratch files back.
func (s *sorter) Close() {
	s.runs.Close()
	s.blocks, s.items = nil, nil
}

// entry is a record of a run.
type entry struct{ key, payload []byte }

func compareKeys(a, b *entry) int { return bytes.Compare(a.key, b.key) }

func readEntry(from *bufio.Reader, to *entry) error {
	k, err := binary.ReadUvarint(from)
	if err != nil {
		return err
	}
	p, err := binary.ReadUvarint(from)
	if err != nil {
		return io.ErrUnexpectedEOF
	}
	to.key, to.payload = resize(to.key, k), resize(to.payload, p)
	for _, part := range [][]byte{to.key, to.payload} {
		if _, err := io.ReadFull(from, part); err != nil {
			return io.ErrUnexpectedEOF
		}
	}
	return nil
}

func resize(b []byte, n uint64) []byte { return slices.Grow(b[:0], int(n))[:n] }
