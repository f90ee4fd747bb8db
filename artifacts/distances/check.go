package distances

import (
	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
)

// Check finds what Open leaves out: columns with a value that never occurs, whose target is not at distance 0 from
// itself, or with other counts than the sidecar says. It reads every byte and returns all findings joined, each a
// *fault.Error of kind Mismatch with file and row, at most graph.MaxFindings. Whether the distances are those of the
// graph is CheckColumn's business.
func (s *Set) Check() error {
	return arrowio.Guard(func() error {
		found := graph.NewFindings(s.sidecar)
		for i := 0; i < len(s.columns) && !found.Full(); i++ {
			if err := s.scan(i); err != nil {
				found.Add(err)
				continue
			}
			s.checkCounts(i, found)
		}
		return found.Err()
	})
}

func (s *Set) checkCounts(i int, found *graph.Findings) {
	c := &s.columns[i]
	if s.dist[i][c.Node] != 0 {
		found.Add(s.wrong(i, c.Node, "want 0"))
	}
	at, unreached := Count(s.dist[i])
	for d := range at {
		if at[d] != c.At[d] {
			found.Row(i, "%d nodes at distance %d%s, the column of node %d has %d", c.At[d], d, orMore(d), c.Node, at[d])
		}
	}
	if unreached != c.Unreached {
		found.Row(i, "%d nodes unreached, the column of node %d has %d", c.Unreached, c.Node, unreached)
	}
}

func orMore(d int) string {
	if d == schemas.CountedDepth {
		return " or more"
	}
	return ""
}
