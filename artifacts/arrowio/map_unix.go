//go:build unix

package arrowio

import (
	"os"
	"path/filepath"
	"syscall"

	"github.com/wikinav/wikinav/schemas/fault"
)

// mapping is a file's bytes, mapped read-only.
type mapping struct{ data []byte }

// mapFile maps a regular file of size bytes. The mapping outlives the descriptor.
func mapFile(root *os.Root, name string, size int64) (*mapping, error) {
	f, err := openRegular(root, name, size)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size == 0 {
		return &mapping{}, nil // which the system refuses to map
	}
	if size != int64(int(size)) {
		return nil, fault.New(fault.Failure, "%d bytes do not fit the address space of this build", size).At(name, "")
	}
	data, err := syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, fault.New(fault.Failure, "map: %w", err).At(name, "")
	}
	noteMapped(data, filepath.Join(root.Name(), filepath.FromSlash(name)))
	return &mapping{data: data}, nil
}

func (m *mapping) close() error {
	if m.data == nil {
		return nil
	}
	data := m.data
	m.data = nil
	noteUnmapped(data)
	return syscall.Munmap(data)
}
