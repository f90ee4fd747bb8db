// Package demo writes the demo snapshot: a synthetic wiki as a real MediaWiki dump (XML 0.11, multistream bzip2 and
// its index) with the SQL tables beside it, so that everything downstream can be built, tried and tested with no download.
//
// It owns the invented world: a geography (country, region, district, settlement, building), a taxonomy (kingdom down
// to species), people and their works, events and years; and the wikitext that describes it, with the spots where link
// extractors and fact readers usually go wrong. The graph of its links is deep: what a page names is mostly above it
// (its country, years, general topics), so that far pages are reached only by going down level by level.
//
// It promises that equal Options give equal bytes, on any machine and at any time; that titles are valid and unique,
// and sums and lengths true; that memory holds the plan and one stream of pages, never the dump.
//
// Beside the dump it can write what a DBpedia of this world would say of its pages, with gaps and a few errors.
//
// Its words and numbers lie in world.toml, which is embedded. It never reads anything else: no clock, no file, no network. All names
// and facts are invented.
package demo

import (
	"context"
	"fmt"
	"io"

	"github.com/wikinav/wikinav/schemas/fault"
)

// The identity of the demo snapshot. Seed is its own: the samplers' root seed does not touch it.
const (
	Wiki = "demowiki"
	Date = "20260101" // a label: no timestamp in the dump is later
	Seed = 20260101
)

const (
	defaultPages = 20_000
	minPages     = 300
	maxPages     = 1_000_000
)

// Options say which world is written. The zero value is not the demo snapshot: set Seed to the constant for that.
type Options struct {
	Seed  uint64
	Pages int // wanted pages of all namespaces, met within 10 % from 2,000 up, exceeded below; 0: 20,000

	Meter func(phase, unit string, total int64) Meter // shows how far the writing is; nil for none
}

// Meter counts what is written, in units of its phase.
type Meter interface {
	Add(n int64)
	Done()
}

type silence struct{}

func (silence) Add(int64) {}
func (silence) Done()     {}

// Summary counts what was written.
type Summary struct {
	Pages           int // all of the following together
	Articles        int // namespace 0, wikitext, neither redirect nor disambiguation
	Redirects       int // of any namespace, the one without its <redirect> element included
	Disambiguations int
	Categories      int
	Templates       int
	Other           int // other namespaces, and content models other than wikitext
	Streams         int // compressed streams of the dump, head and closing tag included
}

// Write writes the dump and its index, both compressed. It neither closes nor syncs the writers. Their contents are
// worthless after an error: a failed write, a cancelled ctx (noticed between two streams of 100 pages), or options out
// of range (fault.Usage).
func Write(ctx context.Context, dump, index io.Writer, opts Options) (Summary, error) {
	if err := opts.check(); err != nil {
		return Summary{}, err
	}
	pages := plan(newWorld(opts.Seed, opts.Pages))
	sum := summarise(pages)
	streams, err := writeMultistream(ctx, dump, index, pages, opts.Meter("writing", "pages", int64(len(pages))))
	if err != nil {
		return Summary{}, fmt.Errorf("write demo dump: %w", err)
	}
	sum.Streams = streams
	return sum, nil
}

// check puts in the defaults, and refuses what is out of range.
func (o *Options) check() error {
	if o.Pages == 0 {
		o.Pages = defaultPages
	}
	if o.Meter == nil {
		o.Meter = func(string, string, int64) Meter { return silence{} }
	}
	if o.Pages < minPages || o.Pages > maxPages {
		return fault.New(fault.Usage, "demo world of %d pages: want %d to %d", o.Pages, minPages, maxPages)
	}
	return nil
}

func summarise(pages []page) Summary {
	s := Summary{Pages: len(pages)}
	for _, p := range pages {
		switch {
		case p.redirect != "":
			s.Redirects++
		case p.model != wikitext:
			s.Other++
		case p.disambiguation:
			s.Disambiguations++
		case p.ns == nsMain:
			s.Articles++
		case p.ns == nsCategory:
			s.Categories++
		case p.ns == nsTemplate:
			s.Templates++
		default:
			s.Other++
		}
	}
	return s
}
