package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/wikinav/wikinav/schemas/canon"
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
