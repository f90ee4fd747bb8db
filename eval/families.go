// Package eval lists the families that the evaluator knows. The list is the only place on this side
// that names them; everything else asks it.
package eval

import (
	"slices"

	"github.com/wikinav/wikinav/eval/aar"
	"github.com/wikinav/wikinav/eval/constrained"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/lumina"
	"github.com/wikinav/wikinav/eval/mango"
	"github.com/wikinav/wikinav/eval/onestep"
	"github.com/wikinav/wikinav/eval/probe"
	"github.com/wikinav/wikinav/eval/wikirace"
	"github.com/wikinav/wikinav/schemas/fault"
)

// All are the families in the order of documents and messages; the first is played where none is named.
var All = []family.Family{
	wikirace.Family,
	probe.Family,
	onestep.Family,
	constrained.Family,
	mango.Family,
	lumina.Family{},
	aar.Family{},
}

// Names lists the names of all families in their order.
func Names() []string {
	names := make([]string, len(All))
	for i, f := range All {
		names[i] = f.Name()
	}
	return names
}

// Find returns the family called name, or a fault.Usage that lists them.
func Find(name string) (family.Family, error) {
	i := slices.IndexFunc(All, func(f family.Family) bool { return f.Name() == name })
	if i < 0 {
		return nil, fault.New(fault.Usage, "--family %s: there is no such family", fault.Quote(name)).
			Choose(name, Names())
	}
	return All[i], nil
}
