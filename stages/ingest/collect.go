package ingest

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/wikinav/wikinav/dumps/mediawiki"
	"github.com/wikinav/wikinav/dumps/wikitext/links"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// collector takes records in file order and sorts them: by page id for pages and links, by title
// for redirects and for the check that no title stands twice in a namespace.
type collector struct {
	env     stages.Env
	byID    *sorter
	byTitle *sorter
	books   books
	what    needs

	marked    []string          // templates that mark disambiguation pages, without prefix
	redirects map[string]string // of templates, without prefix

	key, payload []byte // scratch of add
}

// newCollector returns a collector whose two sorters hold budget bytes each.
func newCollector(env stages.Env, budget int) *collector {
	return &collector{
		env: env, byID: newSorter(env.Temp, budget), byTitle: newSorter(env.Temp, budget), redirects: map[string]string{},
	}
}

func (c *collector) Close() {
	c.byID.Close()
	c.byTitle.Close()
}

// read takes in the whole dump.
func (c *collector) read(ctx context.Context, dump *mediawiki.Dump, what needs) error {
	c.what = what
	_, total := dump.Progress()
	meter := c.env.Meter("reading", "bytes", total)
	defer meter.Done()
	x := examiners{site: dump.Site(), needs: what}
	if err := x.eachRecord(ctx, dump, meter, c.add); err != nil {
		return err
	}
	c.books.close(c.env)
	x.close(c.env)
	return nil
}

func (c *collector) add(f *record) error {
	c.books.count(f)
	c.what.anchors.seen(c.books.pages)
	c.what.texts.seen(c.books.pages)
	c.keepTemplate(f)
	c.key = binary.BigEndian.AppendUint32(c.key[:0], f.id)
	if err := c.byID.add(c.key, f.payload); err != nil {
		return err
	}
	c.key = appendTitleKey(c.key[:0], f)
	c.payload = appendRedirect(c.payload[:0], f)
	return c.byTitle.add(c.key, c.payload)
}

// keepTemplate remembers the templates that decide which pages are disambiguation pages.
func (c *collector) keepTemplate(f *record) {
	if f.ns != namespaceTemplate {
		return
	}
	name := withoutPrefix(f.title)
	if f.isRedirect {
		c.redirects[name] = withoutPrefix(f.redirect.Target)
		return
	}
	if f.marksDab {
		c.marked = append(c.marked, name)
	}
}

func withoutPrefix(title string) string {
	_, name, _ := strings.Cut(title, ":")
	return name
}

// dabTemplates returns the hashes of all templates that mark disambiguation pages, once the whole
// dump is read.
func (c *collector) dabTemplates(site *titles.Site) map[uint64]bool {
	hashes := map[uint64]bool{}
	for name := range links.DisambiguationTemplates(site, c.marked, c.redirects) { // into a set
		hashes[xxhash.Sum64String(name)] = true
	}
	return hashes
}

// books counts the pages by what they are. The counters of a receipt go by name; names are for the
// end of the dump and not for each of its pages.
type books struct {
	pages, redirects, nonWikitext, articles int64
	lists, dates                            int64
	fromText, disagree                      int64
	ns                                      map[int16]int64
}

func (b *books) count(f *record) {
	if b.ns == nil {
		b.ns = map[int16]int64{}
	}
	b.pages++
	b.ns[f.ns]++
	switch {
	case f.isRedirect:
		b.redirects++
	case f.model != schemas.ModelWikitext:
		b.nonWikitext++
	case f.ns == 0:
		b.articles++
	}
	b.lists += one(f.flags&schemas.FlagList != 0)
	b.dates += one(f.flags&schemas.FlagDate != 0)
	b.fromText += one(f.fromText)
	b.disagree += one(f.disagree)
}

func one(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

// close writes the counters. The namespaces' sum to pages; pages_redirect, pages_non_wikitext and
// pages_article share no page.
func (b *books) close(env stages.Env) {
	for ns, n := range b.ns { // order is lost in the receipt's own map
		env.Count(fmt.Sprintf("pages_ns_%d", ns), n)
	}
	stages.Counts(env, map[string]int64{
		"pages": b.pages, "pages_redirect": b.redirects, "pages_non_wikitext": b.nonWikitext, "pages_article": b.articles,
		"pages_list": b.lists, "pages_date": b.dates,
		"redirect_from_text": b.fromText, "redirect_text_disagrees": b.disagree,
	})
}

// PageLinks is one page with its links as the stage sees them, before any resolution.
type PageLinks struct {
	ID         uint32
	NS         int
	Title      string
	IsRedirect bool
	Redirect   string   // normalised target; "" if it is no valid title
	Links      []string // ordered, unique, normalised, main namespace
}

// List reads dump and calls visit for every page in page-id order: what `wikinav links` prints. It
// visits no page of a dump that the stage would refuse, and returns how many texts it read in part:
// see CodeTextCut. Nothing is written but scratch files in the folder for temporary files, when the
// dump is large.
func List(ctx context.Context, dump *mediawiki.Dump, hatnotes bool, meter stages.Meter, visit func(PageLinks) error) (cut int64, err error) {
	defer limitHeap(runtime.GOMAXPROCS(0))()
	byID, byTitle := newSorter(scratch, sorterBudget), newSorter(scratch, sorterBudget)
	defer byID.Close()
	defer byTitle.Close()
	var buf, key []byte
	x := examiners{site: dump.Site(), needs: needs{hatnotes: hatnotes}}
	err = x.eachRecord(ctx, dump, meter, func(f *record) error {
		c := coder{out: buf[:0]}
		c.strings(&f.redirect.Target)
		buf = append(c.out, f.payload...)
		if err := byID.add(binary.BigEndian.AppendUint32(nil, f.id), buf); err != nil {
			return err
		}
		key, buf = appendTitleKey(key[:0], f), appendRedirect(buf[:0], f)
		return byTitle.add(key, buf)
	})
	if err == nil {
		err = eachTitle(byTitle, func([]byte, uint32, bool, titles.Redirect) error { return nil })
	}
	if err != nil {
		return 0, err
	}
	return x.cut(), byID.each(func(key, payload []byte) error {
		var f record
		c := reader(payload)
		c.strings(&f.redirect.Target)
		c.record(&f)
		p := PageLinks{
			ID: binary.BigEndian.Uint32(key), NS: int(f.ns), Title: f.title, IsRedirect: f.isRedirect, Redirect: f.redirect.Target,
			Links: []string{},
		}
		for _, l := range f.links {
			p.Links = append(p.Links, l.Target)
		}
		return visit(p)
	})
}

// scratch opens a file that has no name any more.
func scratch() (*os.File, error) {
	f, err := os.CreateTemp("", "wikinav-links-*")
	if err != nil {
		return nil, err
	}
	return f, os.Remove(f.Name())
}
