package arrowio

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// File is an Arrow file mapped into memory. Columns are views of the mapping, valid until Close;
// whoever reads one from a file that others may truncate does so within Guard. A File may be read
// by many goroutines at once.
type File struct {
	views
	metadata map[string]string
	mapping  *mapping // nil for bytes in memory
}

// Metadata returns a value of the schema's metadata, "" where the key is absent.
func (f *File) Metadata(key string) string { return f.metadata[key] }

// BufferOffset returns the position in the file of the first value of a column in batch b. Distance
// files state it for readers that have no Arrow library.
func (f *File) BufferOffset(b, col int) int64 { return f.batches[b].positions[col] }

// Close unmaps the file and ends the life of its views.
func (f *File) Close() error {
	if f.mapping == nil {
		return nil
	}
	m := f.mapping
	f.mapping, f.batches = nil, nil
	return m.close()
}

// Open maps the file called name below root, which must be a regular file of the size and SHA-256
// that want says, and gives its columns. The digest is taken over the very mapping that is then
// parsed against t, so one pass over the file is made. Rows and the values of metadata are for the
// caller to compare with what it expects.
//
// A file that is absent is a fault.NotFound, one that is not as it should be a fault.Mismatch.
func Open(root *os.Root, name string, t schemas.Table, want digest.Digest) (*File, error) {
	m, err := mapFile(root, name, want.Bytes)
	if err != nil {
		return nil, err
	}
	var f *File
	err = Guard(func() error {
		if err := checkDigest(name, m.data, want); err != nil {
			return err
		}
		f, err = parse(m.data, t)
		return err
	})
	if err != nil {
		return nil, errors.Join(located(name, err), m.close())
	}
	f.mapping = m
	Opened(filepath.Join(root.Name(), filepath.FromSlash(name)))
	return f, nil
}

// Map maps a file of another form than that of a table, as Open does: data was compared with the
// digest, and lives until it is unmapped.
func Map(root *os.Root, name string, want digest.Digest) (data []byte, unmap func() error, err error) {
	m, err := mapFile(root, name, want.Bytes)
	if err != nil {
		return nil, nil, err
	}
	if err := Guard(func() error { return checkDigest(name, m.data, want) }); err != nil {
		return nil, nil, errors.Join(err, m.close())
	}
	Opened(filepath.Join(root.Name(), filepath.FromSlash(name)))
	return m.data, m.close, nil
}

// located names the file in an error about its form.
func located(name string, err error) error {
	if e, ok := err.(*fault.Error); ok && e.File != "" {
		return e
	}
	return fault.New(fault.Mismatch, "%w", err).At(name, "").Hint("the file is damaged or of another version; fetch or build it again")
}

func checkDigest(name string, data []byte, want digest.Digest) error {
	if got := digest.SHA256(data); got != want.SHA256 {
		return fault.New(fault.Mismatch, "sha256: expected %s, found %s", want.SHA256, got).
			At(name, "").Hint("fetch or build the file again")
	}
	return nil
}

// openRegular opens a regular file of size bytes. Links are not followed: what a manifest lists is
// the file itself.
func openRegular(root *os.Root, name string, size int64) (*os.File, error) {
	if !schemas.ValidPath(name) {
		return nil, fault.New(fault.Mismatch, "%s is no valid name of an artifact's file", fault.Quote(name))
	}
	if info, err := root.Lstat(name); err != nil {
		return nil, openFailed(name, err)
	} else if err := checkInfo(name, info, size); err != nil {
		return nil, err
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, openFailed(name, err)
	}
	info, err := f.Stat() // again: the name may mean another file by now
	if err == nil {
		err = checkInfo(name, info, size)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func checkInfo(name string, info fs.FileInfo, size int64) error {
	if !info.Mode().IsRegular() {
		return fault.New(fault.Mismatch, "not a regular file but %s", info.Mode().Type()).At(name, "")
	}
	if info.Size() != size {
		return fault.New(fault.Mismatch, "size: expected %d bytes, found %d", size, info.Size()).
			At(name, "").Hint("fetch or build the file again")
	}
	return nil
}

func openFailed(name string, err error) error {
	kind := fault.Failure
	if errors.Is(err, fs.ErrNotExist) {
		kind = fault.NotFound
	}
	return fault.New(kind, "%w", err).At(name, "")
}
