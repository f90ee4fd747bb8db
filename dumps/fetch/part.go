package fetch

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Suffixes of a file that is not yet vouched for, of what is known about it, and of one that is wrong.
const (
	partSuffix  = ".part"
	stateSuffix = ".part.json"
	badSuffix   = ".bad"
)

// state is NAME.part.json: the answer that NAME.part comes from, and how much of it is safely there.
type state struct {
	URL          string `json:"url"`
	ETag         string `json:"etag"`
	LastModified string `json:"last_modified"`
	Size         int64  `json:"size"` // -1 where nobody says
	Offset       int64  `json:"offset"`
}

// validator is what If-Range compares; "" means that the rest of another file might come.
func (s state) validator() string {
	if s.ETag != "" && !strings.HasPrefix(s.ETag, "W/") {
		return s.ETag
	}
	return s.LastModified
}

// takeUp goes on with a part where that is possible, or begins one. What is there is hashed again.
func (d *download) takeUp(ctx context.Context) error {
	old, ok := readState(d.path + stateSuffix)
	info, err := d.part.Stat()
	if err != nil {
		return err
	}
	fits := ok && old.URL == d.file.URL && old.validator() != "" && old.Offset >= 0 && old.Offset <= info.Size() &&
		(d.file.Bytes < 0 || old.Size == d.file.Bytes)
	if !fits {
		return d.reset()
	}
	d.state, d.sums = old, newSums(d.file)
	d.saved = old.Offset
	if _, err := io.CopyN(d.sums, stoppable{ctx, d.part}, old.Offset); err != nil {
		return err
	}
	d.meter.Add(old.Offset)
	return d.part.Truncate(old.Offset)
}

// readState gives what is known of a part; a state that is torn or absent is none.
func readState(path string) (s state, ok bool) {
	raw, err := os.ReadFile(path)
	return s, err == nil && json.Unmarshal(raw, &s) == nil
}

// reset begins the part anew.
func (d *download) reset() error {
	d.meter.Add(-d.state.Offset)
	d.state = state{URL: d.file.URL, Size: d.file.Bytes}
	d.sums, d.saved = newSums(d.file), 0
	if err := d.part.Truncate(0); err != nil {
		return err
	}
	_, err := d.part.Seek(0, io.SeekStart)
	return err
}

// saveEvery is how much a kill may cost.
const saveEvery = 64 << 20

// write appends to the part.
func (d *download) write(p []byte) error {
	if _, err := d.part.Write(p); err != nil {
		return err
	}
	d.sums.Write(p)
	d.state.Offset += int64(len(p))
	d.meter.Add(int64(len(p)))
	if d.state.Offset-d.saved < saveEvery {
		return nil
	}
	return d.save()
}

// save brings the part to the disk, and then says so.
func (d *download) save() error {
	if err := d.part.Sync(); err != nil {
		return err
	}
	d.saved = d.state.Offset
	return writeFile(d.path+stateSuffix, canon.MustMarshal(d.state))
}

// writeFile replaces a small file in one step.
func writeFile(path string, data []byte) error {
	folder, name := filepath.Split(path)
	temp := filepath.Join(folder, ".tmp-"+name)
	f, err := os.OpenFile(temp, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return syncDir(folder)
}

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
