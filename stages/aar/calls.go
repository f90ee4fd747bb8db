package aar

import (
	"cmp"
	"context"
	"slices"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
)

// Calls lists calls of providers that legs could use and the cassette lacks, most at most: those of
// the pages that are considered while the legs are drawn, the first leg of every variant and level
// first. With their answers legs are drawn otherwise, and want the answers of other pages.
func (p Params) Calls(ctx context.Context, in Alone, most int) (list []aar.MadeCall, err error) {
	tape := cmp.Or(in.Cassette.Answers(), aar.NewCassette())
	if p.Verbalizer == VerbalizerLLM && in.Cassette.Answers() == nil {
		tape = nil // the riddles are those of legs without providers
	}
	err = arrowio.Guard(func() error {
		f, err := p.fieldOf(ctx, in, tape, 1)
		if err != nil {
			return err
		}
		m, listed := newMaker(ctx, f, p), map[string]bool{}
		m.wants = func(c aar.MadeCall) {
			key := c.Tool + string(c.Args)
			if len(list) < most && !listed[key] && !tape.Has(c) {
				listed[key], list = true, append(list, c)
			}
		}
		m.missed = func(template string, chain []schemas.AARCall) {
			if c, ok := aar.Unanswered(chain); ok && slices.Contains(aar.Provided(), template) {
				m.wants(c)
			}
		}
		for _, x := range p.byNumber() {
			if _, err := m.draw(x); err != nil || len(list) == most {
				return err
			}
		}
		return nil
	})
	return list, err
}

// byNumber lists the legs that are asked for, the first of each variant and level first.
func (p Params) byNumber() []id {
	list := p.ids()
	slices.SortStableFunc(list, func(a, b id) int { return cmp.Compare(a.number, b.number) })
	return list
}
