//go:build linux && amd64

package arrowio

import (
	"bytes"
	"math"
	"strings"
	"syscall"
	"testing"

	"github.com/wikinav/wikinav/schemas"
)

// More edges than 32-bit offsets reach are refused before anything is written. The values are pages that nobody touches.
func TestMoreThanTwoThousandMillionEdgesAreRefused(t *testing.T) {
	t.Parallel()
	const n = math.MaxInt32 + 1
	raw, err := syscall.Mmap(-1, 0, 4*n, syscall.PROT_READ, syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_NORESERVE)
	if err != nil {
		t.Skip("no address space for the test:", err)
	}
	defer syscall.Munmap(raw)
	table := schemas.Table{ID: "demo/1", Columns: []schemas.Column{{Name: "successors", Type: schemas.ListUint32}}}
	var out bytes.Buffer
	_, err = WriteTable(&out, table, Options{}, Lists{Offsets: []int32{0, math.MaxInt32}, Values: numbersOf[uint32](raw)})
	if err == nil || !strings.Contains(err.Error(), "2147483648 values") || out.Len() != 0 {
		t.Errorf("got %v after %d bytes", err, out.Len())
	}
}

func TestBatchWithMoreTextThanOffsetsReachIsAnError(t *testing.T) {
	t.Parallel()
	r := newRows(titles, nil)
	if !r.fits(0, math.MaxInt32-5, 5) || r.err != nil {
		t.Errorf("the last bytes do not fit: %v", r.err)
	}
	if r.fits(0, math.MaxInt32-5, 6) || r.err == nil || !strings.Contains(r.err.Error(), "column title") {
		t.Errorf("got %v, want an error that names the column", r.err)
	}
}
