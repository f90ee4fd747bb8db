package mediawiki

import (
	"context"

	"github.com/wikinav/wikinav/schemas/fault"
)

// Ratio limit: any 16 MiB of output must take more than 1/2,000 of it as input. It is measured in steps of 1 MiB.
const (
	ratioLimit = 2000
	ratioStep  = 1 << 20
	ratioSteps = 16
)

// bounded refuses decompression bombs and stops when its context ends.
type bounded struct {
	content
	ctx   context.Context // of the run that reads
	limit int64           // most bytes of output, 0 for no limit
	out   int64
	marks [ratioSteps]int64 // taken() at the last steps
}

func (b *bounded) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	next := (b.out/ratioStep + 1) * ratioStep
	p = p[:min(int64(len(p)), next-b.out)]
	n, err := b.content.Read(p)
	b.out += int64(n)
	switch {
	case b.limit > 0 && b.out > b.limit:
		return 0, fault.New(fault.Malformed, "stream unpacks to more than %d bytes", b.limit)
	case b.out == next && !b.ratioHolds():
		return 0, fault.New(fault.Malformed, "compression ratio above %d:1 over 16 MiB", ratioLimit)
	}
	return n, err
}

// ratioHolds is called at each full step of output.
func (b *bounded) ratioHolds() bool {
	step := b.out / ratioStep
	mark := &b.marks[step%ratioSteps]
	before := *mark
	*mark = b.content.taken()
	if step < ratioSteps {
		return true
	}
	return (*mark-before)*ratioLimit >= ratioSteps*ratioStep
}
