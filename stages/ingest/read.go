package ingest

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/wikinav/wikinav/dumps/mediawiki"
	"github.com/wikinav/wikinav/dumps/wikitext"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// chunkPages is how many pages travel together: enough that handing over costs nothing beside parsing.
const chunkPages = 64

// chunk is a run of pages on its way through a worker. Its done channel is closed when facts are complete.
type chunk struct {
	pages []*mediawiki.Page
	facts []fact
	done  chan struct{}
}

// read takes every page through the extractors and hands the facts to add in file order. In flight are at most four
// chunks a worker. It returns the books of all links.
func read(ctx context.Context, dump *mediawiki.Dump, workers int, meter stages.Meter, add func(*fact) error) (wikitext.Counts, error) {
	g, ctx := errgroup.WithContext(ctx)
	work, order := make(chan *chunk), make(chan *chunk, 4*workers)
	g.Go(func() error {
		defer close(work)
		defer close(order)
		return produce(ctx, dump, work, order)
	})
	extractors := make([]*wikitext.Extractor, workers)
	for i := range extractors {
		extractors[i] = wikitext.NewExtractor(dump.Site())
		g.Go(func() error { return extract(work, dump.Site(), extractors[i]) })
	}
	g.Go(func() error { return collect(ctx, dump, order, meter, add) })
	if err := g.Wait(); err != nil {
		return wikitext.Counts{}, err
	}
	var total wikitext.Counts
	for _, x := range extractors {
		total.Add(x.Counts())
	}
	return total, nil
}

// produce cuts the dump into chunks; each goes to a worker and, in file order, to the collector.
func produce(ctx context.Context, dump *mediawiki.Dump, work, order chan<- *chunk) error {
	for {
		c := &chunk{done: make(chan struct{})}
		var err error
		for len(c.pages) < chunkPages && err == nil {
			var page *mediawiki.Page
			if page, err = dump.Next(ctx); err == nil {
				c.pages = append(c.pages, page)
			}
		}
		if err != nil && err != io.EOF {
			return err
		}
		for _, to := range []chan<- *chunk{order, work} {
			select {
			case to <- c:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

func extract(work <-chan *chunk, site *wikitext.Site, x *wikitext.Extractor) error {
	for c := range work {
		for _, page := range c.pages {
			f, err := examine(page, site, x)
			if err != nil {
				return err
			}
			c.facts = append(c.facts, f)
		}
		close(c.done)
	}
	return nil
}

func collect(ctx context.Context, dump *mediawiki.Dump, order <-chan *chunk, meter stages.Meter, add func(*fact) error) error {
	var seen int64
	for c := range order {
		select {
		case <-c.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		for i := range c.facts {
			if err := add(&c.facts[i]); err != nil {
				return err
			}
		}
		done, _ := dump.Progress()
		meter.Add(done - seen)
		seen = done
	}
	return nil
}

// fact is what ingest keeps of a page.
type fact struct {
	id         uint32
	ns         int16
	title      string
	model      string
	revID      uint64
	revTime    string
	textBytes  uint32
	textSHA256 [sha256.Size]byte
	flags      uint16
	isRedirect bool
	fromText   bool // the redirect was found in the text only
	disagree   bool // text and <redirect> name different targets
	redirect   wikitext.Redirect
	links      []wikitext.Link
}

// examine takes from a page what the stage keeps. Its text is not needed afterwards.
func examine(page *mediawiki.Page, site *wikitext.Site, x *wikitext.Extractor) (fact, error) {
	own, err := site.ParsePageTitle(page.Title)
	if err != nil {
		return fact{}, fmt.Errorf("page %d: title passed the reader's check but not ours: %w", page.ID, err)
	}
	f := fact{
		id: page.ID, ns: int16(page.NS), title: site.FullTitle(own), model: page.Model, revID: page.RevID,
		revTime: page.RevTime, textBytes: uint32(len(page.Text)), textSHA256: sha256.Sum256([]byte(page.Text)),
	}
	if own.NS != page.NS { // the dump's number wins over the prefix, which is then part of the title
		own = wikitext.Title{NS: page.NS, Text: f.title}
	}
	if page.TextDeleted {
		f.flags |= schemas.FlagTextDeleted
	}
	text := page.Text
	if page.Model != schemas.ModelWikitext {
		f.flags |= schemas.FlagNonWikitext
		text = "" // what it says, a redirect included, is in no language of ours
	}
	f.redirect, f.fromText, f.disagree, f.isRedirect = site.Redirect(page.RedirectTitle, text)
	if page.Model == schemas.ModelWikitext {
		f.flags |= site.Flags(own, text)
		f.links = slices.Clone(x.Links(own, text))
	}
	return f, nil
}
