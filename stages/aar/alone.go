package aar

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Alone is what a leg is made from without the others: the results of the stages before, and the
// world as this stage wrote it.
type Alone struct {
	World    *aar.World
	Graph    *graph.Graph
	Nodes    *arrowio.File // a row for each node of the graph
	Snapshot schemas.Snapshot
	Cassette *aar.Cassette // of the build, nil for none
}

// Leg makes one leg, which has the bytes that it has among the others.
func (p Params) Leg(ctx context.Context, in Alone, instance string, workers int) (*schemas.AARLeg,
	error,
) {
	x, err := parseID(instance)
	if err != nil {
		return nil, err
	}
	var d drawn
	hopeless := ""
	err = arrowio.Guard(func() error {
		f, err := p.fieldOf(ctx, in, in.Cassette.Answers(), workers)
		if err == nil {
			hopeless = f.hopeless(x.variant)
			d, err = newMaker(ctx, f, p).draw(x)
		}
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case d.made == nil:
		return nil, fault.New(fault.Shortage, "no attempt at %s succeeded: %s", instance,
			cmp.Or(hopeless, reasons(d.failed)))
	}
	return d.made.leg, nil
}

// fieldOf reads a world, with what providers answered.
func (p Params) fieldOf(ctx context.Context, in Alone, tape *aar.Cassette, workers int) (*field,
	error,
) {
	day, err := dayOf(in.Snapshot)
	if err != nil {
		return nil, err
	}
	f, err := newField(ctx, &aar.Tools{World: in.World, Cassette: tape}, in.Graph,
		in.flags(), day, workers, func() {})
	if err == nil {
		f.tape = in.Cassette
		err = f.beginWith(p.Seeds)
	}
	return f, err
}

// parseID reads the id of an instance, as aar-dag-hard-007.
func parseID(instance string) (x id, err error) {
	for _, x.variant = range schemas.AARVariants {
		for _, x.level = range schemas.AARLevels {
			rest, ok := strings.CutPrefix(instance, "aar-"+x.variant+"-"+x.level+"-")
			if n, err := strconv.Atoi(rest); ok && err == nil && n > 0 && pad(n) == rest {
				x.number = n
				return x, nil
			}
		}
	}
	return x, fault.New(fault.Usage, "%s is no id of a leg", fault.Quote(instance)).
		Hint("want aar-VARIANT-LEVEL-NNN, such as aar-dag-hard-007")
}

// flags returns the flags of nodes; without a table no node has any.
func (in Alone) flags() func(u int) uint16 {
	if in.Nodes == nil {
		return func(int) uint16 { return 0 }
	}
	return flagsOf(in.Nodes)
}
