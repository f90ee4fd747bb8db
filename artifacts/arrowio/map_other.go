//go:build !unix

package arrowio

import "os"

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
