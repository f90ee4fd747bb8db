package arrowio

import (
	"io"
	"os"

	"github.com/wikinav/wikinav/schemas/fault"
)

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
