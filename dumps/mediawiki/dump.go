// Package mediawiki turns the files of a MediaWiki dump into verified pages.
//
// It owns the dump as a whole: which of its pages are given, skipped and counted. Finding, checking and opening files is package
// files; reading one of them is package pages, with the bzip2 streams (package streams) and the guard over the XML (package guard)
// below it.
//
// It promises that no page is lost silently. Next returns the pages in file order whatever the number of workers; the first
// problem in file order is the error, and it is final; io.EOF comes only after every structural check passed: checksums of
// the packing, the end of the XML, and with an index the number, order, ids and titles of the pages. Every error is a
// *fault.Error that names file and place. Counts and Skipped account for every page element of the file.
//
// It never guesses: damage is not repaired, and malformed pages are passed over only as Options.Tolerate allows, each listed.
// It never resolves redirects, never reads wikitext beyond titles, and never needs the network.
//
// A dump is read once, in a pipeline: bzip2 blocks are unpacked by several goroutines, one scans the XML, several check the pages,
// their SHA-1 included, and examine them for the caller; with an index each worker does all of it for a stream of its own. What is
// delivered is in file order. Memory does not depend on the dump: 12 MiB a worker for unpacking, and four batches a worker in
// flight, each of 64 pages or a MiB of text (a page has at most Options.PageText, 2 MiB).
//
// Two readers take pages from the guard, a byte scanner that enforces limits and the form of the document. The native one uses
// what the guard read. The other has go-wikiparse decode what the guard let through, and pairs the results field by field: a second
// opinion, many times slower.
package mediawiki

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/wikinav/wikinav/dumps/mediawiki/files"
	"github.com/wikinav/wikinav/dumps/mediawiki/pages"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/schemas/fault"
)

type Page = pages.Page

// Values of Options.VerifyText.
const (
	VerifyCount  = "count"  // more than 1 in 1,000 wrong sums is an error at the end of the dump
	VerifyStrict = "strict" // the first wrong sum is an error
	VerifyOff    = "off"    // wrong sums are counted only
)

// Values of Options.Reader. They agree page by page on every well-formed file.
const (
	ReaderNative    = "native"              // the guard's byte scanner alone
	ReaderWikiparse = pages.ReaderWikiparse // go-wikiparse behind the guard, many times slower: a second opinion
)

// IndexNone as Options.Index reads a multistream dump without its index.
const IndexNone = pages.IndexNone

// Options say how to read a dump.
type Options = pages.Options

// check refuses values that are none, and fills in the number of workers.
func check(o Options) (Options, error) {
	if !slices.Contains([]string{"", VerifyCount, VerifyStrict, VerifyOff}, o.VerifyText) {
		return o, fault.New(fault.Usage, "verify-text is %s, expected count, strict or off", fault.Quote(o.VerifyText))
	}
	if !slices.Contains([]string{"", ReaderNative, ReaderWikiparse}, o.Reader) {
		return o, fault.New(fault.Usage, "reader is %s, expected native or wikiparse", fault.Quote(o.Reader))
	}
	if o.Tolerate < 0 || o.Workers < 0 {
		return o, fault.New(fault.Usage, "tolerate is %d and workers %d, expected no negative number", o.Tolerate, o.Workers)
	}
	o.Workers = cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
	return o, nil
}

// Dump is an open dump: one document, or several that are read one after another. Its methods are for one goroutine, except Progress.
type Dump struct {
	ctx     context.Context // of Open: documents are opened when it is their turn
	opts    Options
	doc     *pages.Document // the one that is read
	later   []files.Part    // those that follow it
	site    *titles.Site
	examine func(*Page) (any, error)

	size     int64                          // of all files, 0 when it is not known
	finished atomic.Int64                   // bytes of the documents before doc
	now      atomic.Pointer[pages.Document] // doc, for Progress; nil at the end of the dump

	indexed  bool
	spans    []span // of the documents before doc, and doc's
	warnings []files.Warning
	ids      idSet
	counts   counts
	skipped  []Skipped
	newest   string
	err      error // final answer of Next
}

// Open opens the dump in one file and reads up to its siteinfo. The Dump lives until ctx ends or Close is called.
// Kinds of errors: NotFound, Usage (options; packings that are not read), Malformed, Interrupted, Failure (the disk).
func Open(ctx context.Context, path string, opts Options) (*Dump, error) {
	return open(ctx, opts, func(opts Options) (*pages.Document, error) { return pages.Open(ctx, path, opts) })
}

// OpenReader opens a dump that comes from r, as from standard input; name is what errors call it. An index cannot be used. After Close
// a call of r.Read that still waits is left alone; nobody else may read from r.
func OpenReader(ctx context.Context, name string, r io.Reader, opts Options) (*Dump, error) {
	return open(ctx, opts, func(opts Options) (*pages.Document, error) { return pages.OpenReader(ctx, name, r, opts) })
}

// OpenAll opens several files, or all dumps in folders (see files.Dumps), as one dump: shards or parts by page range, each a document
// of its own. They are read in order of their first page ids. Files of different wikis are Malformed unless Options.Mixed, as are
// page ranges that overlap, two packings of the same pages among them; what shows only after the last page of a file is an error of
// Next. Kinds of errors as of Open.
func OpenAll(ctx context.Context, paths []string, opts Options) (*Dump, error) {
	var parts []files.Part
	var size int64
	d, err := open(ctx, opts, func(opts Options) (doc *pages.Document, err error) {
		if parts, size, err = files.List(ctx, paths, opts.Mixed); err != nil {
			return nil, err
		}
		if len(parts) > 1 && opts.Index != "" && opts.Index != IndexNone {
			return nil, fault.New(fault.Usage, "one index for %d dump files", len(parts)).Hint("put each index beside its dump")
		}
		return pages.Open(ctx, parts[0].Path, opts)
	})
	if err != nil {
		return nil, err
	}
	d.size, d.later, d.warnings = size, parts[1:], files.Gaps(parts)
	return d, nil
}

func open(ctx context.Context, opts Options, first func(Options) (*pages.Document, error)) (*Dump, error) {
	opts, err := check(opts)
	if err != nil {
		return nil, err
	}
	doc, err := first(opts)
	if err != nil {
		return nil, err
	}
	d := &Dump{ctx: ctx, opts: opts, size: doc.Size, site: doc.Site, indexed: true, ids: idSet{}}
	d.begin(doc)
	return d, nil
}

func (d *Dump) begin(doc *pages.Document) {
	doc.Examine = d.examine
	d.doc = doc
	d.now.Store(doc)
	d.indexed = d.indexed && doc.Indexed
	d.spans = append(d.spans, span{path: doc.Path})
}

// Examine has the workers call f for each page, after its checks and before Next returns it with what f returned in Page.Examined. f
// may change the page. It may be called for pages that Next never returns, when the dump ends in an error. Examine must be called
// before Next.
func (d *Dump) Examine(f func(*Page) (any, error)) {
	d.examine, d.doc.Examine = f, f
}

// Next returns the next page in file order; the caller owns it. io.EOF comes only after every structural check passed. Any other
// error is a *fault.Error, is the first in file order, and is final. Malformed pages within Options.Tolerate and
// pages of negative namespaces are passed over and listed by Skipped.
func (d *Dump) Next(ctx context.Context) (*Page, error) {
	for d.err == nil {
		page, err := d.advance(ctx)
		if err != nil {
			d.err = err
		} else if page != nil {
			return page, nil
		}
	}
	return nil, d.err
}

// advance takes one page element; a nil page without error is one that is passed over.
func (d *Dump) advance(ctx context.Context) (*Page, error) {
	if err := ctx.Err(); err != nil {
		return nil, files.Place(err, d.doc.Path, "")
	}
	e, err := d.doc.Next(ctx)
	d.counts.foreign = d.doc.Foreign
	if err == io.EOF {
		return nil, d.follow()
	}
	if err != nil {
		return nil, err
	}
	d.counts.read++
	if e.ID != 0 && !d.ids.add(e.ID) {
		return nil, fault.New(fault.Malformed, "page id %d for the second time", e.ID).At(d.doc.Path, e.Where)
	}
	if e.Page == nil {
		return nil, d.skip(&e)
	}
	d.spans[len(d.spans)-1].add(e.ID)
	return e.Page, d.admit(&e)
}

// skip counts and lists an element that is no page, or says why it may not be skipped.
func (d *Dump) skip(e *pages.Element) error {
	s := Skipped{Offset: e.Offset, Reason: e.Malformed}
	if e.ID != 0 {
		s.PageID = &e.ID
	}
	if e.Malformed == "" {
		s.Reason = "negative namespace"
		d.counts.negativeNS++
	} else {
		d.counts.malformed++
		if d.counts.malformed > int64(d.opts.Tolerate) {
			return e.Fault(d.doc.Path)
		}
	}
	d.skipped = append(d.skipped, s)
	return nil
}

func (d *Dump) admit(e *pages.Element) error {
	d.counts.kept++
	d.counts.found.Add(e.Found)
	if d.opts.VerifyText == VerifyStrict && e.Found.Has(pages.FoundSumMismatch) {
		return fault.New(fault.Malformed, "page id %d: its text has not the sha1 %s that the dump declares", e.ID, fault.Quote(e.Page.SHA1)).
			At(d.doc.Path, e.Where)
	}
	d.newest = max(d.newest, e.Page.RevTime)
	return nil
}

// follow goes to the next document; after the last it returns io.EOF, or the error that only the whole dump shows.
func (d *Dump) follow() error {
	if err := d.endSpan(); err != nil {
		return err
	}
	if n := d.doc.Unlisted(); n > 0 {
		d.warnings = append(d.warnings, files.NoIndex(d.doc.Path, n))
	}
	if len(d.later) == 0 {
		return d.end()
	}
	d.finished.Add(d.doc.Size)
	d.now.Store(nil)
	if err := d.doc.Close(); err != nil {
		return err
	}
	next, err := pages.Open(d.ctx, d.later[0].Path, d.opts)
	if err != nil {
		return err
	}
	d.later = d.later[1:]
	d.counts.passed += d.counts.foreign
	d.counts.foreign = 0
	d.begin(next)
	return nil
}

func (d *Dump) end() error {
	wrong, mode := d.counts.found[pages.FoundSumMismatch], d.opts.VerifyText
	if (mode == "" || mode == VerifyCount) && wrong*1000 > d.counts.kept {
		return fault.New(fault.Malformed, "the text of %d of %d pages has not the sha1 that the dump declares, more than 1 in 1,000",
			wrong, d.counts.kept).At(d.doc.Path, "end of the dump").Hint("a dump that was edited can be read with --verify-text off")
	}
	d.finished.Store(d.size)
	d.now.Store(nil)
	return io.EOF
}

// Close stops all goroutines, waits for them and closes the file. It may be called at any time, and again.
func (d *Dump) Close() error {
	if err := d.doc.Close(); err != nil {
		return err
	}
	if d.err == nil {
		d.err = fault.New(fault.Failure, "the dump is closed").At(d.doc.Path, "")
	}
	return nil
}

// span is the page ids that a document was found to hold.
type span struct {
	path        string
	first, last uint32 // 0 before the first page
}

func (s *span) add(id uint32) {
	if s.first == 0 {
		s.first, s.last = id, id
	}
	s.first, s.last = min(s.first, id), max(s.last, id)
}

// endSpan compares the pages of the document that ended with those of the documents before it. Pages need not be in order in a
// document, so only its end shows what it holds.
func (d *Dump) endSpan() error {
	now := d.spans[len(d.spans)-1]
	for _, s := range d.spans[:len(d.spans)-1] {
		if now.first != 0 && s.first != 0 && now.first <= s.last && s.first <= now.last {
			return files.Overlap(now.path, fmt.Sprintf("pages %d to %d", now.first, now.last), s.path, fmt.Sprintf("%d to %d", s.first, s.last))
		}
	}
	return nil
}
