package graph

// Reach counts the nodes that source reaches along c, itself included: all of them, from any node, in both
// directions, exactly when the graph is strongly connected.
//
// Result: exact. Idea: search with a stack; order does not matter. Encoding: c is CSR. Time: O(n + m).
// Space: one bit and up to 4 bytes per node. It shares nothing with SCC, whose result it checks.
func Reach(c CSR, source uint32) int {
	seen := make([]uint64, (c.Nodes()+63)/64)
	seen[source/64] |= 1 << (source % 64)
	stack, reached := []uint32{source}, 1
	for len(stack) > 0 {
		u := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, v := range c.Row(u) {
			if seen[v/64]&(1<<(v%64)) != 0 {
				continue
			}
			seen[v/64] |= 1 << (v % 64)
			stack = append(stack, v)
			reached++
		}
	}
	return reached
}
