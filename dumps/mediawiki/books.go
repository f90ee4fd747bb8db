package mediawiki

import (
	"slices"

	"github.com/wikinav/wikinav/dumps/mediawiki/files"
	"github.com/wikinav/wikinav/dumps/mediawiki/pages"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
)

// Skipped is a page of the dump that Next did not return.
type Skipped struct {
	PageID *uint32 // nil when it could not be read
	Offset int64   // as Page.Offset
	Reason string
}

// SiteInfo is what the dump, or Options.SiteInfoFile, says of the wiki; of several files that of the first. The caller must not change
// its namespaces.
func (d *Dump) SiteInfo() titles.SiteInfo { return d.site.Info() }

// Site holds the naming rules of the wiki; it is safe for concurrent use.
func (d *Dump) Site() *titles.Site { return d.site }

// Progress returns compressed bytes read and in all, 0 where that is not known, as of standard input. It may be called from any
// goroutine at any time.
func (d *Dump) Progress() (done, total int64) {
	done = d.finished.Load()
	if doc := d.now.Load(); doc != nil {
		done += doc.Done()
	}
	if d.size == 0 {
		return done, 0
	}
	return min(done, d.size), d.size
}

// Warnings lists what the user should look at: gaps between the page ranges that the names of several files declare; and, of the files
// that are read, those of several streams without an index.
func (d *Dump) Warnings() []files.Warning { return slices.Clone(d.warnings) }

// Skipped lists the page elements that Next passed over, in file order.
func (d *Dump) Skipped() []Skipped { return slices.Clone(d.skipped) }

// NewestRevision is the largest RevTime returned so far, "" before the first page.
func (d *Dump) NewestRevision() string { return d.newest }

// IndexChecked says whether the pages so far are compared with a multistream index. Without one a stream that is missing between
// others cannot be noticed.
func (d *Dump) IndexChecked() bool { return d.indexed }

// counts accounts for the page elements delivered so far.
type counts struct {
	read, kept, malformed, negativeNS int64
	foreign, passed                   int64 // elements that are no pages: of the document that is read, of those before it
	found                             pages.Tally
}

// Counts accounts for the page elements that Next went through; complete once Next returned io.EOF. pages_read is the sum of
// pages_kept and pages_skipped, that of pages_malformed and negative_ns. Each kept page has one of sha1_ok, sha1_crlf,
// sha1_mismatch, sha1_absent (none, or not one) and sha1_withheld (the text is deleted, its sum is not).
func (d *Dump) Counts() map[string]int64 {
	c := &d.counts
	m := c.found.ByName()
	m["pages_read"], m["pages_kept"] = c.read, c.kept
	m["pages_skipped"], m["pages_malformed"], m["negative_ns"] = c.malformed+c.negativeNS, c.malformed, c.negativeNS
	m["elements_ignored"] = c.foreign + c.passed
	return m
}

// idSet is a set of page ids. Ids of a wiki are dense up to its largest, so it is made of small bitmaps.
type idSet map[uint32]*[64]uint64

// add reports whether id was new.
func (s idSet) add(id uint32) bool {
	bits := s[id>>12]
	if bits == nil {
		bits = new([64]uint64)
		s[id>>12] = bits
	}
	word, bit := &bits[id>>6&63], uint64(1)<<(id&63)
	if *word&bit != 0 {
		return false
	}
	*word |= bit
	return true
}
