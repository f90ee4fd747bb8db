package arrowio

import (
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"unsafe"

	"github.com/wikinav/wikinav/schemas/fault"
)

// Opened is called with every file that was mapped and found whole. Tests cut it short here, which
// is when somebody else's truncation hurts.
var Opened = func(path string) {}

// Guard runs read, which reads views of mapped files, and turns a memory fault into a
// fault.Mismatch that names the file. A mapping faults where its file was truncated after Open;
// without Guard that ends the process. The guard holds for read's own goroutine, and for those of
// Workers that read waits for; any other panic goes on.
//
// A verb is run within one, and so is each goroutine that may read what a verb has mapped: a guard
// costs nothing until it is needed, where one around each access would cost all the time.
func Guard(read func() error) (err error) {
	before := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(before)
		switch p := recover().(type) {
		case nil:
		case *shortened:
			err = p.err
		default:
			if err = changed(p); err == nil {
				panic(p)
			}
		}
	}()
	return read()
}

// shortened is the panic by which a memory fault goes on from a goroutine to whoever waited for it.
type shortened struct{ err error }

// Workers runs do for each worker in a goroutine of its own, and waits. A memory fault in one of
// them becomes one of the caller's: a Guard around the call returns it.
func Workers(n int, do func(worker int)) {
	errs := make([]error, n)
	var wait sync.WaitGroup
	for worker := range n {
		wait.Go(func() {
			errs[worker] = Guard(func() error { do(worker); return nil })
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			panic(&shortened{err})
		}
	}
}

// changed returns the error for a panic with a fault within a mapped file, nil for any other panic.
func changed(p any) error {
	fallen, ok := p.(runtime.Error)
	if !ok {
		return nil
	}
	at, ok := fallen.(interface{ Addr() uintptr })
	if !ok {
		return nil
	}
	path, ok := mappedAt(at.Addr())
	if !ok {
		return nil
	}
	return fault.New(fault.Mismatch, "the file changed while it was being read").At(path, "").
		Hint("make sure that nothing writes to it, and run again")
}

// mapped are the files mapped now and, in their order, the last of those that were: on the way from
// a fault to its guard, whoever opened the file closes it.
var mapped struct {
	sync.Mutex
	areas []area
}

type area struct {
	first, last uintptr
	path        string
	closed      bool
}

// keptAreas is from how many areas on one that was closed is forgotten for each that comes.
const keptAreas = 1000

func noteMapped(data []byte, path string) {
	mapped.Lock()
	defer mapped.Unlock()
	first := uintptr(unsafe.Pointer(unsafe.SliceData(data)))
	fresh := area{first: first, last: first + uintptr(len(data)) - 1, path: path}
	mapped.areas = slices.DeleteFunc(mapped.areas, func(a area) bool {
		return a.closed && a.first <= fresh.last && fresh.first <= a.last
	})
	oldest := slices.IndexFunc(mapped.areas, func(a area) bool { return a.closed })
	if len(mapped.areas) >= keptAreas && oldest >= 0 {
		mapped.areas = slices.Delete(mapped.areas, oldest, oldest+1)
	}
	mapped.areas = append(mapped.areas, fresh)
}

func noteUnmapped(data []byte) {
	mapped.Lock()
	defer mapped.Unlock()
	first := uintptr(unsafe.Pointer(unsafe.SliceData(data)))
	for i, a := range mapped.areas {
		if a.first == first {
			mapped.areas[i].closed = true
		}
	}
}

// mappedAt returns the file that an address is, or was, a view of. Of a file that is closed by now
// the memory may be another's: its fault is one of the file where the file has become short.
func mappedAt(address uintptr) (path string, ok bool) {
	mapped.Lock()
	defer mapped.Unlock()
	for _, a := range mapped.areas {
		if address < a.first || address > a.last {
			continue
		}
		if !a.closed {
			return a.path, true
		}
		if info, err := os.Stat(a.path); err == nil && info.Size() <= int64(a.last-a.first) {
			return a.path, true
		}
	}
	return "", false
}
