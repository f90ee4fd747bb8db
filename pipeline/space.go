package pipeline

import (
	"bytes"
	"syscall"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// freeSpace tells how many bytes an ordinary user can still write below path.
func freeSpace(path string) (int64, error) {
	var st syscall.Statfs_t
	if err := syscall.Statfs(path, &st); err != nil {
		return 0, err
	}
	return int64(st.Bavail) * st.Bsize, nil
}

func same(a, b schemas.Build) bool {
	return bytes.Equal(canon.MustMarshal(a), canon.MustMarshal(b))
}
