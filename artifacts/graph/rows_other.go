//go:build !amd64

package graph

// This machine has no vector code: everything goes through Go.
const (
	vectors      = false
	vectorPlanes = 0
)

type bases struct{}

func (m *Many) bind() {}

func gatherVector(*bases, uint32, []uint32) (isNew, whole bool) { panic("graph: no vector code here") }

type vectorRoom struct{}

func newVectorRoom([][]uint8) *vectorRoom { return nil }

func (w *tileWriter) vectorTiles(int, int) { panic("graph: no vector code here") }
