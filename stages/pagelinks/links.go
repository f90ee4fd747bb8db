package pagelinks

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"io"
	"os"
	"slices"

	"github.com/wikinav/wikinav/stages/internal/runs"
)

// runLinks is how many links are sorted in memory: 128 MiB.
const runLinks = 16 << 20

// links sorts links, each a page id and below it a target, in bounded memory: sorted runs in
// scratch files, merged when read.
type links struct {
	held []uint64
	room int
	runs runs.Runs[uint64]
}

func newLinks(temp func() (*os.File, error), room int) *links {
	var b [8]byte
	read := func(from *bufio.Reader, link *uint64) error {
		_, err := io.ReadFull(from, b[:])
		*link = binary.LittleEndian.Uint64(b[:])
		return err
	}
	compare := func(a, b *uint64) int { return cmp.Compare(*a, *b) }
	return &links{room: room, runs: runs.Runs[uint64]{Temp: temp, Read: read, Compare: compare}}
}

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
	slices.Sort(l.held)
	err := l.runs.Spill(func(w *bufio.Writer) {
		var b [8]byte
		for _, link := range l.held {
			binary.LittleEndian.PutUint64(b[:], link)
			w.Write(b[:])
		}
	})
	l.held = l.held[:0]
	return err
}

// each visits the links in order, repeated ones as often as they were added.
func (l *links) each(visit func(link uint64) error) error {
	if len(l.runs.Files) > 0 {
		if err := l.spill(); err != nil {
			return err
		}
		return l.runs.Merge(func(link *uint64) error { return visit(*link) })
	}
	slices.Sort(l.held)
	for _, link := range l.held {
		if err := visit(link); err != nil {
			return err
		}
	}
	return nil
}

// Close gives the scratch files back.
func (l *links) Close() {
	l.runs.Close()
	l.held = nil
}
