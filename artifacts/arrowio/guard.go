package arrowio

import (
	"runtime"
	"runtime/debug"

	"github.com/wikinav/wikinav/schemas/fault"
)

// Guard runs read, which reads views of mapped files, and turns a memory fault into a
// fault.Mismatch. A mapping faults where its file was truncated after Open; without Guard that ends
// the process. The guard holds for read's own goroutine alone, and any other panic goes on.
func Guard(read func() error) (err error) {
	before := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(before)
		if p := recover(); p != nil {
			if !isMemoryFault(p) {
				panic(p)
			}
			err = fault.New(fault.Mismatch, "a file changed while it was being read").Hint("make sure that nothing writes to the files, and run again")
		}
	}()
	return read()
}

// isMemoryFault tells faults at an address, which SetPanicOnFault makes, from other runtime errors
// such as nil pointers.
func isMemoryFault(p any) bool {
	e, ok := p.(runtime.Error)
	if !ok {
		return false
	}
	_, ok = e.(interface{ Addr() uintptr })
	return ok
}
