//go:build !unix

package arrowio

import (
	"io"
	"os"

	"github.com/wikinav/wikinav/schemas/fault"
)

// mapping is a file's bytes, read into memory where there is no portable way to map them.
type mapping struct{ data []byte }

func mapFile(root *os.Root, name string, size int64) (*mapping, error) {
	data, err := readFile(root, name, size)
	if err != nil {
		return nil, err
	}
	return &mapping{data: data}, nil
}

func (m *mapping) close() error { return nil }

// readFile reads a regular file of size bytes into memory.
func readFile(root *os.Root, name string, size int64) ([]byte, error) {
	f, err := openRegular(root, name, size)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := make([]byte, size)
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, fault.New(fault.Failure, "read: %w", err).At(name, "")
	}
	return data, nil
}
