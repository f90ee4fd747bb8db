package store

import (
	"bufio"
	"errors"
	"io"
	"path/filepath"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas/fault"
)

// commit writes the file called name into folder: a temporary file beside it, flushed and synced, renamed, and
// the folder synced. On any error the temporary file is removed and nothing is visible under the final name.
func commit(fs FS, folder, name string, write func(io.Writer) error) (digest.Digest, error) {
	temp := filepath.Join(folder, tempPrefix+name)
	sum, err := writeTemp(fs, temp, write)
	if err == nil {
		err = fs.Rename(temp, filepath.Join(folder, name))
	}
	if err != nil {
		return digest.Digest{}, inFile(name, errors.Join(err, removeQuietly(fs, temp)))
	}
	if err := fs.SyncDir(folder); err != nil {
		return digest.Digest{}, inFile(name, err)
	}
	return sum, nil
}

func writeTemp(fs FS, temp string, write func(io.Writer) error) (digest.Digest, error) {
	f, err := fs.Create(temp)
	if err != nil {
		return digest.Digest{}, err
	}
	sum, err := writeHashed(f, write)
	if err == nil {
		err = f.Sync()
	}
	return sum, errors.Join(err, f.Close())
}

func writeHashed(f io.Writer, write func(io.Writer) error) (digest.Digest, error) {
	h := digest.NewHash()
	buf := bufio.NewWriterSize(io.MultiWriter(f, h), 1<<20)
	if err := write(buf); err != nil {
		return digest.Digest{}, err
	}
	err := buf.Flush()
	return h.Sum(), err
}

// removeQuietly cleans up after a failure: that the file was never made is no second failure.
func removeQuietly(fs FS, path string) error {
	if err := fs.Remove(path); err != nil && !isNotExist(err) {
		return err
	}
	return nil
}

// inFile places an error that does not say yet in which file it happened.
func inFile(name string, err error) error {
	var placed *fault.Error
	if errors.As(err, &placed) {
		return err
	}
	return fault.New(fault.KindOf(err), "cannot be written: %w", err).At(name, "")
}
