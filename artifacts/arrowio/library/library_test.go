package library

import (
	"bytes"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
)

func TestArrowLeaksNothing(t *testing.T) {
	t.Parallel()
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	w, err := newArrowIn(mem, new(bytes.Buffer), schemas.GraphTable, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 20 {
		numbers, ends, none := make([]byte, 4*n), make([]int32, n+1), make([]int32, n+1)
		for i := range ends {
			ends[i] = int32(i)
		}
		err := w.Write([]arrowio.Values{
			{Rows: n, Data: numbers},
			{Rows: n, Offsets: ends, Data: numbers[:n]},
			{Rows: n, Offsets: ends, Data: numbers},
			{Rows: n, Offsets: none},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}
