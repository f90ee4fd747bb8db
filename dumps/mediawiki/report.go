package mediawiki

import (
	"slices"

	"github.com/wikinav/wikinav/dumps/wikitext"
)

// SiteInfo is what the dump, or Options.SiteInfoFile, says of the wiki; of several files that of the first. The caller must not change its namespaces.
func (d *Dump) SiteInfo() wikitext.SiteInfo { return d.info }

// Site holds the naming rules of the wiki; it is safe for concurrent use.
func (d *Dump) Site() *wikitext.Site { return d.site }

// Progress gives compressed bytes read and in all, 0 where that is not known, as of standard input. It may be called from any
// goroutine at any time.
func (d *Dump) Progress() (done, total int64) {
	done = d.now.Load().Load() + d.finished.Load()
	if d.size == 0 {
		return done, 0
	}
	return min(done, d.size), d.size
}

// Warnings lists what the user should look at: gaps between the page ranges that the names of several files declare.
func (d *Dump) Warnings() []Warning { return slices.Clone(d.warnings) }

// Counts accounts for the page elements that Next went through; complete once Next gave io.EOF. pages_read is the sum of
// pages_kept and pages_skipped, that of pages_malformed and negative_ns. Each kept page has one of sha1_ok, sha1_crlf,
// sha1_mismatch, sha1_absent (none, or not one) and sha1_withheld (the text is deleted, its sum is not).
func (d *Dump) Counts() map[string]int64 { return d.counts.byName() }

// Skipped lists the page elements that Next passed over, in file order.
func (d *Dump) Skipped() []Skipped { return slices.Clone(d.skipped) }

// LikeInterwiki lists, in file order, the first 1,000 titles of pages that begin with an interwiki prefix: links to them
// will be taken for links to another wiki. The counter title_like_interwiki has all.
func (d *Dump) LikeInterwiki() []string { return slices.Clone(d.interwiki) }

// NewestRevision is the largest RevTime given so far, "" before the first page.
func (d *Dump) NewestRevision() string { return d.newest }

// IndexChecked says whether the pages so far are compared with a multistream index. Without one a stream that is missing between
// others cannot be noticed.
func (d *Dump) IndexChecked() bool { return d.indexed }
