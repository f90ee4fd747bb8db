package release

import (
	"context"
	"errors"
	"io"
	"os"
	"path"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/schemas/fault"
)

// writer writes the files of one release and keeps the entry of each.
type writer struct {
	ctx  context.Context
	in   *Input
	opts WriteOptions
	root *os.Root
	dir  string // of root
	m    *Manifest
}

// create writes the file called name, hashed on its way and synced, and adds its entry to the manifest. The logical digest of a file
// that is no table is "".
func (w *writer) create(name string, fill func(io.Writer) (arrowio.Summary, error)) error {
	got, sum, err := w.store(name, fill)
	if err != nil {
		return inFile(name, err)
	}
	w.m.Files = append(w.m.Files, entryOf(name, w.parts(), sum, got))
	return nil
}

func writeAll(data []byte) func(io.Writer) (arrowio.Summary, error) {
	return func(out io.Writer) (arrowio.Summary, error) {
		_, err := out.Write(data)
		return arrowio.Summary{}, err
	}
}

// store is create without an entry.
func (w *writer) store(name string, fill func(io.Writer) (arrowio.Summary, error)) (got arrowio.Summary, sum digest.Digest, err error) {
	if err := w.ctx.Err(); err != nil {
		return got, sum, err
	}
	if err := w.root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return got, sum, err
	}
	f, err := w.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return got, sum, err
	}
	sum, err = whole.Fill(f, func(out io.Writer) (err error) {
		got, err = fill(out)
		return err
	})
	return got, sum, err
}

// copyOf gives a writer of the bytes of the artifact f, which must be those of its digest.
func (w *writer) copyOf(f File) func(io.Writer) (arrowio.Summary, error) {
	return w.copyFrom(f, w.in.open)
}

func (w *writer) copyFrom(f File, open func(File) (*os.File, error)) func(io.Writer) (arrowio.Summary, error) {
	return func(out io.Writer) (arrowio.Summary, error) {
		src, err := open(f)
		if err != nil {
			return arrowio.Summary{}, err
		}
		defer src.Close()
		return arrowio.Summary{}, copyChecked(w.ctx, out, src, path.Base(f.Path), f.Digest)
	}
}

// copyTo copies the file called name to out.
func (f Files) copyTo(ctx context.Context, name string, out io.Writer) (arrowio.Summary, error) {
	l := f.files[name]
	src, err := l.root.Open(l.path)
	if err != nil {
		return arrowio.Summary{}, fault.New(fault.NotFound, "%w", err).At(name, "")
	}
	defer src.Close()
	return arrowio.Summary{Rows: max(0, l.rows), Logical: l.logical}, copyChecked(ctx, out, src, name, l.sum)
}

func copyChecked(ctx context.Context, out io.Writer, src io.Reader, name string, want digest.Digest) error {
	sum, err := digest.Reader(ctx, io.TeeReader(src, out))
	if err == nil && sum != want {
		err = fault.New(fault.Mismatch, "the artifact has SHA-256 %s, its receipt says %s", sum.SHA256, want.SHA256).
			At(name, "").Hint("run build again: it repairs what was changed")
	}
	return err
}

// entryOf gives the entry of a file whose kind says which of rows and digests it has.
func entryOf(name string, parts []Part, sum digest.Digest, got arrowio.Summary) FileEntry {
	k, ok := kindOf(name, parts)
	if !ok {
		panic("release: no kind for " + name)
	}
	e := FileEntry{
		Path: name, Bytes: sum.Bytes, SHA256: sum.SHA256, XXH64: sum.XXH64,
		MediaType: mediaType(name), Role: k.Role,
	}
	if k.Rows {
		e.Rows = &got.Rows
	}
	if k.Schema != "" {
		e.Schema = &k.Schema
	}
	if k.Table != nil {
		e.LogicalSHA256 = &got.Logical
	}
	return e
}

// inFile places an error that does not say yet in which file it happened.
func inFile(name string, err error) error {
	var placed *fault.Error
	if errors.As(err, &placed) && placed.File != "" {
		return err
	}
	return fault.New(fault.KindOf(err), "%w", err).At(name, "")
}
