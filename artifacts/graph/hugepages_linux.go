package graph

import (
	"syscall"
	"unsafe"
)

// hugeRows allocates words that are read at random, and asks for huge pages: with small ones every
// row would cost a walk through the page table. It is a wish; where it is not granted, only time is
// lost.
func hugeRows(words int) []uint64 {
	const huge = 2 << 20
	rows := make([]uint64, words)
	if 8*words < 4*huge {
		return rows
	}
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&rows[0])), 8*words)
	skip := -uintptr(unsafe.Pointer(&rows[0])) % huge
	_ = syscall.Madvise(bytes[skip:], syscall.MADV_HUGEPAGE)
	return rows
}
