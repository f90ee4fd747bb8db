package pages

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/wikinav/wikinav/dumps/mediawiki/files"
	"github.com/wikinav/wikinav/dumps/mediawiki/guard"
	"github.com/wikinav/wikinav/schemas/fault"
)

// indexEntry is one line of a multistream index: a page and the stream that holds it.
type indexEntry struct {
	offset int64
	id     uint32
	title  string
}

// maxGroup bounds the pages of one stream; the dump site writes 100.
const maxGroup = 100_000

// group is one page stream of a multistream dump: bytes [offset, end) of the file, and the pages it must hold.
type group struct {
	offset, end int64
	entries     []indexEntry
	last        bool // then end is that of the file, and the footer follows the stream
}

// index reads a multistream index group by group, so that memory does not grow with the wiki.
// That its ids are unique follows from those of the pages, which must equal them.
type index struct {
	path  string
	file  io.Closer
	lines *bufio.Reader
	line  int
	size  int64      // of the dump
	ahead indexEntry // first entry of the next group
	more  bool       // ahead is one
}

// openIndex opens the index of a dump of size bytes and reads its first line.
func openIndex(path string, size int64) (*index, error) {
	f, err := files.OpenBeside(path)
	if err != nil {
		return nil, files.Place(err, path, "")
	}
	ix := &index{path: path, file: f, lines: bufio.NewReaderSize(f, guard.DefaultLimits.Tag), size: size}
	if err = ix.advance(); err == nil && !ix.more {
		err = fault.New(fault.Malformed, "the index has no line")
	}
	if err != nil {
		f.Close()
		return nil, files.Place(err, path, "")
	}
	return ix, nil
}

// groups reads the index to its end.
func (ix *index) groups(_ context.Context, yield func(group) bool) error {
	for {
		g, err := ix.next()
		if err != nil || !yield(g) {
			return err
		}
	}
}

// next returns the next group, io.EOF after the last. The first begins behind the head, so at ahead.offset.
func (ix *index) next() (group, error) {
	if !ix.more {
		return group{}, io.EOF
	}
	g := group{offset: ix.ahead.offset}
	for ix.more && ix.ahead.offset == g.offset {
		if len(g.entries) == maxGroup {
			return group{}, ix.wrong("more than %d pages in the stream at %d", maxGroup, g.offset)
		}
		g.entries = append(g.entries, ix.ahead)
		if err := ix.advance(); err != nil {
			return group{}, err
		}
	}
	g.end, g.last = ix.ahead.offset, !ix.more
	if g.last {
		g.end = ix.size
	}
	return g, nil
}

// advance reads the next line into ahead and checks that offsets rise from above 0 to below the size of the dump.
func (ix *index) advance() error {
	before := ix.ahead.offset
	line, err := ix.lines.ReadSlice('\n')
	ix.line++
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return ix.wrong("line longer than %d bytes", guard.DefaultLimits.Tag)
	case err == io.EOF && len(line) == 0:
		ix.more = false
		return nil
	case err != nil && err != io.EOF:
		return files.Place(err, ix.path, fmt.Sprintf("line %d", ix.line))
	}
	e, ok := parseIndexLine(bytes.TrimSuffix(line, []byte("\n")))
	if !ok {
		return ix.wrong("found %s, expected offset:id:title", fault.Quote(line))
	}
	if e.offset <= 0 || e.offset < before || e.offset >= ix.size {
		return ix.wrong("offset %d after %d in a dump of %d bytes, expected them to rise from above 0", e.offset, before, ix.size)
	}
	ix.ahead, ix.more = e, true
	return nil
}

func (ix *index) wrong(format string, args ...any) error {
	return fault.New(fault.Malformed, format, args...).At(ix.path, fmt.Sprintf("line %d", ix.line))
}

// parseIndexLine splits at the first two colons only: titles hold colons.
func parseIndexLine(line []byte) (e indexEntry, ok bool) {
	offset, rest, ok1 := bytes.Cut(line, []byte(":"))
	id, title, ok2 := bytes.Cut(rest, []byte(":"))
	if !ok1 || !ok2 || len(title) == 0 {
		return e, false
	}
	at, err1 := strconv.ParseInt(string(offset), 10, 64)
	number, err2 := strconv.ParseUint(string(id), 10, 32)
	if err1 != nil || err2 != nil || number == 0 {
		return e, false
	}
	return indexEntry{at, uint32(number), guard.Unescape(title)}, true
}
