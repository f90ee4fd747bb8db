package fetch

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"github.com/wikinav/wikinav/schemas/fault"
)

// download is the way of one file to its name.
type download struct {
	*client
	file  File
	path  string
	meter Meter

	part  *os.File
	state state
	sums  sums  // of the part's first state.Offset bytes
	saved int64 // bytes that the state file vouches for
	best  int64 // bytes that any try reached
	anew  bool  // an answer contradicted an older one before
}

// run gives the file's SHA-256 when it has its name.
func (d *download) run(ctx context.Context) (string, error) {
	if there, err := d.already(ctx); there || err != nil {
		return d.own(), err
	}
	if err := d.load(ctx); err != nil {
		return "", err
	}
	return d.own(), d.finish()
}

// load fills the part. A part without a byte is not kept.
func (d *download) load(ctx context.Context) (err error) {
	d.part, err = os.OpenFile(d.path+partSuffix, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return err
	}
	if err = d.takeUp(ctx); err == nil {
		d.best = d.state.Offset
		err = d.patiently(ctx, d.file.URL, func() (bool, error) { return d.try(ctx) })
	}
	err = errors.Join(err, d.part.Close())
	if err != nil && d.sums != nil && d.state.Offset == 0 {
		err = errors.Join(err, os.RemoveAll(d.path+partSuffix), os.RemoveAll(d.path+stateSuffix))
	}
	return err
}

func (d *download) own() string {
	if d.sums == nil {
		return ""
	}
	return d.sums.hex("sha256")
}

// already compares a file that has its name.
func (d *download) already(ctx context.Context) (bool, error) {
	f, err := os.Open(d.path)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	d.sums = newSums(d.file)
	d.state.Offset, err = io.Copy(d.sums, stoppable{ctx, f})
	if err != nil {
		return false, err
	}
	d.meter.Add(d.state.Offset)
	if err := d.sums.compare(d.file, d.state.Offset); err != nil {
		return false, hint(at(err, d.path), "it was there before; move it away and run again")
	}
	return true, os.RemoveAll(d.path + badSuffix)
}

// stoppable is a reader that a context ends.
type stoppable struct {
	ctx context.Context
	r   io.Reader
}

func (s stoppable) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.r.Read(p)
}

// try asks once for what is missing, and saves what came.
func (d *download) try(ctx context.Context) (further bool, err error) {
	err = d.request(ctx)
	if failed := d.save(); failed != nil {
		return false, errors.Join(failed, ctx.Err())
	}
	further = d.state.Offset > d.best
	d.best = max(d.best, d.state.Offset)
	return further, err
}

func (d *download) request(ctx context.Context) error {
	header := http.Header{}
	if validator := d.state.validator(); d.state.Offset > 0 && validator != "" {
		header.Set("Range", fmt.Sprintf("bytes=%d-", d.state.Offset))
		header.Set("If-Range", validator)
	} else if d.state.Offset > 0 {
		if err := d.reset(); err != nil {
			return err
		}
	}
	a, err := d.ask(ctx, http.MethodGet, d.file.URL, header)
	if err != nil {
		return err
	}
	defer a.Close()
	body := bufio.NewReaderSize(a, 256<<10)
	switch a.StatusCode {
	case http.StatusOK:
		err = d.begin(a, body)
	case http.StatusPartialContent:
		err = d.goOn(a)
	default:
		return d.nothingLeft(a)
	}
	if err != nil {
		return err
	}
	return d.receive(body)
}

// receive writes what comes, up to the size that the file must have.
func (d *download) receive(body *bufio.Reader) error {
	buf := make([]byte, 256<<10)
	for {
		n, err := body.Read(buf)
		if size := d.state.Size; size >= 0 && d.state.Offset+int64(n) > size {
			return d.restart("more than %d bytes came", size)
		}
		if failed := d.write(buf[:n]); failed != nil {
			return failed
		}
		switch {
		case err == io.EOF && d.state.Offset < d.state.Size:
			return &retry{fmt.Errorf("the answer ended after %d of %d bytes", d.state.Offset, d.state.Size), -1}
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

// finish gives a file that has its size and sums its name; any other is kept aside.
func (d *download) finish() error {
	folder := filepath.Dir(d.path)
	if err := d.sums.compare(d.file, d.state.Offset); err != nil {
		kept := os.Rename(d.path+partSuffix, d.path+badSuffix)
		return errors.Join(hint(at(err, d.file.URL), "the file is kept as %s; run again", filepath.Base(d.path+badSuffix)),
			kept, os.Remove(d.path+stateSuffix), syncDir(folder))
	}
	if err := os.Rename(d.path+partSuffix, d.path); err != nil {
		return err
	}
	// A build of the folder would read a wrong file as well; the right one makes it worthless.
	return errors.Join(syncDir(folder), os.Remove(d.path+stateSuffix), os.RemoveAll(d.path+badSuffix))
}

func hint(err error, format string, args ...any) error {
	var e *fault.Error
	if errors.As(err, &e) {
		e.Hint(format, args...)
	}
	return err
}
