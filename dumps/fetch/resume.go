package fetch

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/schemas/fault"
)

// begin reads an answer that is the file from its start. What is there is given up only after the first bytes were looked at.
func (d *download) begin(a answer, body *bufio.Reader) error {
	if known := d.file.Bytes; known >= 0 && a.ContentLength >= 0 && a.ContentLength != known {
		return d.restart("the answer has %d bytes, the site says %d", a.ContentLength, known)
	}
	want := magic(d.file.Name)
	first, err := body.Peek(max(len(want), 1))
	if len(first) > 0 && !strings.HasPrefix(want, string(first[:min(len(first), len(want))])) {
		first, _ = body.Peek(min(body.Buffered(), 40))
		return fault.New(fault.Failure, "it begins with %s, want %q: this is another kind of file", fault.Quote(first), want).
			Hint("a page with an error, it may be: open the address in a browser")
	}
	if err != nil && err != io.EOF {
		return err
	}
	if err := d.reset(); err != nil {
		return err
	}
	d.state.ETag, d.state.LastModified = a.Header.Get("ETag"), a.Header.Get("Last-Modified")
	if d.state.Size < 0 {
		d.state.Size = a.ContentLength
	}
	return nil
}

// goOn checks that an answer is the rest of the file that is there.
func (d *download) goOn(a answer) error {
	start, total, ok := contentRange(a.Header.Get("Content-Range"))
	s := d.state
	switch {
	case !ok || s.Offset == 0 || start != s.Offset:
		return d.restart("the answer is the range %s, want it from %d", fault.Quote(a.Header.Get("Content-Range")), s.Offset)
	case s.Size >= 0 && total != s.Size:
		return d.restart("the file has %d bytes now, it had %d", total, s.Size)
	case changed(s.ETag, a.Header.Get("ETag")) || changed(s.LastModified, a.Header.Get("Last-Modified")):
		return d.restart("the rest of another file came")
	}
	return nil
}

func changed(before, now string) bool { return before != "" && now != "" && before != now }

// nothingLeft looks whether the file is complete, when the site has no byte after those that are there.
func (d *download) nothingLeft(a answer) error {
	text, _ := strings.CutPrefix(a.Header.Get("Content-Range"), "bytes */")
	total, err := strconv.ParseInt(text, 10, 64)
	if err == nil && d.state.Offset > 0 && total == d.state.Offset && (d.state.Size < 0 || d.state.Size == total) {
		return nil
	}
	return d.restart("the site has nothing after byte %d and says %s", d.state.Offset, fault.Quote(a.Header.Get("Content-Range")))
}

// restart begins anew after an answer that contradicts what is known; the second such answer is final.
func (d *download) restart(format string, args ...any) error {
	why := fmt.Errorf(format, args...)
	if d.anew {
		return fault.New(fault.Checksum, "%w, for the second time", why).Hint("the file changes while it is read, or the site is broken: run again later")
	}
	d.anew = true
	if err := d.reset(); err != nil {
		return err
	}
	return &retry{err: why, wait: 0}
}

// contentRange reads `bytes start-end/total`.
func contentRange(text string) (start, total int64, ok bool) {
	span, all, found := strings.Cut(strings.TrimPrefix(text, "bytes "), "/")
	first, _, dash := strings.Cut(span, "-")
	start, err1 := strconv.ParseInt(first, 10, 64)
	total, err2 := strconv.ParseInt(all, 10, 64)
	return start, total, found && dash && err1 == nil && err2 == nil
}
