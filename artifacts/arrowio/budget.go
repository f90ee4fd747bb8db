package arrowio

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow/memory"
)

// parquetBudget is far above what 65,536 rows of ours take, a few MiB, and below what a machine has.
const parquetBudget = 2 << 30

// budget is an allocator that panics rather than hand out more than parquetBudget for one column of one row group. Page sizes
// in a Parquet file are claims that the library allocates before it checks them.
type budget struct {
	memory.Allocator
	left int64
}

func newBudget() *budget {
	return &budget{Allocator: memory.NewGoAllocator(), left: parquetBudget}
}

// renew begins the next column. What the library forgot to free is the garbage collector's by now.
func (b *budget) renew() { b.left = parquetBudget }

func (b *budget) Allocate(size int) []byte {
	b.take(int64(size))
	return b.Allocator.Allocate(size)
}

func (b *budget) Reallocate(size int, p []byte) []byte {
	b.take(int64(size) - int64(len(p)))
	return b.Allocator.Reallocate(size, p)
}

func (b *budget) Free(p []byte) {
	b.left += int64(len(p))
	b.Allocator.Free(p)
}

func (b *budget) take(n int64) {
	if n > b.left {
		panic(fmt.Sprintf("a buffer of %d bytes is over the limit of memory", n))
	}
	b.left -= n
}
