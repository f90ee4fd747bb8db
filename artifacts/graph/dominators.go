package graph

// Dominators returns the nodes, other than its ends, that lie on every path from the first node of
// path to the last, in path order. path is any path of the graph, such as Witness gives, that
// passes no node twice.
//
// Result:    exact. Nil for a path of fewer than three nodes.
// Idea:      a node on every path is on this one. It can be passed by if and only if some detour, through nodes off the
// path, leaves the path before it and comes back behind it. Looking for detours from one node of the path after another,
// each node off the path is entered once: what an earlier search has seen comes back no further than is known already.
// Encoding:  succ holds the successors.
// Time:      O(n + m). Space: 4 bytes per node, and a stack of up to as many.
// Reference: the idea for the undirected case is in R. Tarjan, A Note on Finding the Bridges of a Graph, Inf. Process.
// Lett. 2(6), 1974, https://doi.org/10.1016/0020-0190(74)90003-9. The checker beside it deletes each node and searches.
func Dominators(succ CSR, path []uint32) []uint32 {
	if len(path) < 3 {
		return nil
	}
	d := detours{succ: succ, place: make([]uint32, succ.Nodes())}
	for i, u := range path {
		d.place[u] = uint32(i) + onPath
	}
	var all []uint32
	for i, u := range path[:len(path)-1] {
		if i > 0 && d.farthest <= i {
			all = append(all, u)
		}
		d.leave(u)
	}
	return all
}

// place of a node: not seen, seen off the path, or its index on the path plus onPath.
const (
	seenOff = 1
	onPath  = 2
)

type detours struct {
	succ     CSR
	place    []uint32
	farthest int // the largest index on the path that was reached
	stack    []uint32
}

// leave follows every detour from u that was not followed yet.
func (d *detours) leave(u uint32) {
	d.stack = append(d.stack[:0], u)
	for len(d.stack) > 0 {
		top := d.stack[len(d.stack)-1]
		d.stack = d.stack[:len(d.stack)-1]
		for _, v := range d.succ.Row(top) {
			switch p := d.place[v]; {
			case p >= onPath:
				d.farthest = max(d.farthest, int(p-onPath))
			case p != seenOff:
				d.place[v] = seenOff
				d.stack = append(d.stack, v)
			}
		}
	}
}
