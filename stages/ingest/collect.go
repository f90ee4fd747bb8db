package ingest

import (
	"context"
	"encoding/binary"

	"github.com/wikinav/wikinav/dumps/mediawiki"
	"github.com/wikinav/wikinav/stages"
)

// collector takes facts in file order and sorts them: by page id for pages and links, by title for redirects and
// for the check that no title stands twice in a namespace.
type collector struct {
	env     stages.Env
	byID    *sorter
	byTitle *sorter
	books   books

	key, payload []byte // scratch of add
}

// newCollector returns a collector whose two sorters hold budget bytes each.
func newCollector(env stages.Env, budget int) *collector {
	return &collector{env: env, byID: newSorter(env.Temp, budget), byTitle: newSorter(env.Temp, budget)}
}

func (c *collector) Close() {
	c.byID.Close()
	c.byTitle.Close()
}

// read takes in the whole dump.
func (c *collector) read(ctx context.Context, dump *mediawiki.Dump) error {
	_, total := dump.Progress()
	meter := c.env.Meter("reading", "bytes", total)
	defer meter.Done()
	links, err := read(ctx, dump, c.env.Workers(), meter, c.add)
	if err != nil {
		return err
	}
	c.books.close(c.env)
	closeLinks(c.env, links)
	return nil
}

func (c *collector) add(f *fact) error {
	c.books.count(f)
	c.key = binary.BigEndian.AppendUint32(c.key[:0], f.id)
	c.payload = appendFact(c.payload[:0], f)
	if err := c.byID.add(c.key, c.payload); err != nil {
		return err
	}
	c.key = appendTitleKey(c.key[:0], f)
	c.payload = appendRedirect(c.payload[:0], f)
	return c.byTitle.add(c.key, c.payload)
}
