package graph

import (
	"errors"
	"fmt"

	"github.com/wikinav/wikinav/schemas/fault"
)

// MaxFindings is how many findings are listed per file (robustness specification, section 3).
const MaxFindings = 1000

// Findings gathers what is wrong with one file of an artifact, up to MaxFindings.
type Findings struct {
	file string
	list []error
}

// NewFindings starts the findings of a file, named as in messages.
func NewFindings(file string) *Findings { return &Findings{file: file} }

// Row adds a finding about a row of the file.
func (f *Findings) Row(row int, format string, args ...any) {
	f.At(fmt.Sprintf("row %d", row), format, args...)
}

// At adds a finding about a place in the file, "" for the file as a whole.
func (f *Findings) At(where, format string, args ...any) {
	f.Add(fault.New(fault.Mismatch, format, args...).At(f.file, where))
}

// Add adds a finding that has its file and place already.
func (f *Findings) Add(finding error) {
	if !f.Full() {
		f.list = append(f.list, finding)
	}
}

// Full tells that further findings would not be listed.
func (f *Findings) Full() bool { return len(f.list) >= MaxFindings }

// Err joins the findings, each a *fault.Error of kind Mismatch; nil where there is none.
func (f *Findings) Err() error { return errors.Join(f.list...) }
