package graph

// BuildUpTo is Build with a limit that a test can reach.
var BuildUpTo = build

// Plain gives a Many of its own on the same graph that runs no vector code.
func (m *Many) Plain() *Many {
	plain := NewMany(m.pred, m.Lanes(), m.workers)
	plain.vector = false
	return plain
}
