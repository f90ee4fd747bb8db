package cli

import (
	"encoding/binary"
	"os"
	"path/filepath"

	"github.com/wikinav/wikinav/schemas/fault"
)

// Static returns the path of the program that goes into containers, which have no loader; this
// program for "".
func Static(path string) (string, error) {
	if path == "" {
		var err error
		if path, err = os.Executable(); err != nil {
			return "", err
		}
	}
	data, err := os.ReadFile(path)
	switch {
	case err != nil:
		return "", fault.New(fault.NotFound, "%w", err).At(path, "")
	case len(data) < elfHeader || string(data[:5]) != "\x7fELF\x02":
		return "", fault.New(fault.Usage, "it is not a program for 64-bit Linux").At(path, "").
			Hint("name one with --binary")
	case loaded(data):
		return "", fault.New(fault.Usage, "the program is not static").At(path, "").
			Hint("build it with CGO_ENABLED=0, or name another one with --binary")
	}
	return filepath.Abs(path)
}

const elfHeader = 64 // bytes

// loaded reports whether a program names a loader, in its table of segments.
func loaded(data []byte) bool {
	at := binary.LittleEndian.Uint64(data[32:])
	size := uint64(binary.LittleEndian.Uint16(data[54:]))
	for range binary.LittleEndian.Uint16(data[56:]) {
		const interpreter = 3
		if at > uint64(len(data)-4) || binary.LittleEndian.Uint32(data[at:]) == interpreter {
			return true
		}
		at += size
	}
	return false
}
