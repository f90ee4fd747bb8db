// Package order sorts.
package order

import "sort"

// Sort sorts a list by a comparison and leaves equal elements in their order, as
// slices.SortStableFunc does. It is one function for all types, where those of package slices are
// compiled for each: about 5 KB a type, which a small program feels.
func Sort[T any](list []T, compare func(a, b T) int) {
	sort.SliceStable(list, func(i, j int) bool { return compare(list[i], list[j]) < 0 })
}
