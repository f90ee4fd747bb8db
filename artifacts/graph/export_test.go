package graph

// Plain returns a Many of its own on the same graph that runs no vector code.
func (m *Many) Plain() *Many {
	plain := NewMany(m.pred, m.Lanes(), m.workers)
	plain.vector = false
	return plain
}
