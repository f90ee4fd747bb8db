//go:build !linux

package graph

func hugeRows(words int) []uint64 { return make([]uint64, words) }
