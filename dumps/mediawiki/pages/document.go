package pages

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"github.com/wikinav/wikinav/dumps/mediawiki/files"
	"github.com/wikinav/wikinav/dumps/mediawiki/guard"
	"github.com/wikinav/wikinav/dumps/ordered"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/schemas/fault"
)

// IndexNone as Options.Index reads a multistream dump without its index.
const IndexNone = "none"

// ReaderWikiparse as Options.Reader has go-wikiparse decode the pages that the guard let through.
const ReaderWikiparse = "wikiparse"

// Options say how to read a dump, of which a document is one file. The zero value is right for a
// file from the dump site.
type Options struct {
	Index        string // path of the multistream index; "" looks beside the dump, IndexNone uses none. For one file only
	SiteInfoFile string // a dump or siteinfo element that stands in for the dump's, or a siteinfo-namespaces.json that adds to it
	Reader       string // native or ReaderWikiparse; "" is native
	VerifyText   string // count, strict or off; "" is count. The dump's, as the next: a document only tells
	Tolerate     int    // how many malformed pages are skipped before one is an error
	Workers      int    // goroutines that unpack and check; 0, to a dump only, is one per core. No result depends on it
	Mixed        bool   // files of one dump may name different wikis
	PageText     int    // bytes of a page's text at most; 0 is guard.PageText. A longer one makes its page malformed
}

// limits are those of the guard.
func (o *Options) limits() guard.Limits {
	lim := guard.DefaultLimits
	lim.Text = cmp.Or(o.PageText, lim.Text)
	return lim
}

// batchesPerWorker bounds how many batches are read ahead of the one that is delivered.
const batchesPerWorker = 4

// Document is one file of a dump, open behind its siteinfo. Its methods are for one goroutine,
// except Done.
type Document struct {
	Path    string // as errors name it
	Size    int64  // 0 for standard input
	Site    *titles.Site
	Indexed bool  // pages are compared with an index
	Foreign int64 // elements so far that are no pages

	// Examine is called by the workers for each page after its checks, and may change it; what it
	// returns is Page.Examined. It must be set before the first Next.
	Examine func(*Page) (any, error)

	opts     Options
	file     *os.File // nil for standard input
	done     atomic.Int64
	check    *checker
	turns    turns
	cancel   context.CancelFunc         // ends the reading of standard input; nil else
	start    func() *ordered.Map[batch] // called by the first Next
	release  func()                     // ends what start needs; nil before it is opened
	run      *ordered.Map[batch]        // nil before start
	unlisted func() int64               // streams of pages that no index lists; nil with an index
	stream   func() (offset int64)      // where the stream begins in which run failed; nil if its errors say so

	now  batch  // the one that is being delivered
	err  error  // what comes after it
	read int64  // page elements so far
	last uint32 // id of the last good page
}

// batch is some page elements that stand behind each other.
type batch struct {
	elements []Element
	foreign  int64 // elements between them that are no pages
	end      int64 // how far into the file it reaches; 0 where that is measured elsewhere
}

// Open opens a file of a dump and reads up to its siteinfo. Errors name it.
func Open(ctx context.Context, path string, opts Options) (*Document, error) {
	f, kind, err := files.Open(path)
	if err != nil {
		return nil, err
	}
	doc := &Document{Path: path, opts: opts, file: f, turns: make(turns, 1)}
	if err := doc.openFile(ctx, kind); err != nil {
		doc.Close()
		return nil, files.Place(err, path, "")
	}
	return doc, nil
}

func (doc *Document) openFile(ctx context.Context, kind files.Kind) error {
	stat, err := doc.file.Stat()
	if err != nil {
		return err
	}
	doc.Size = stat.Size()
	extra, err := files.FindExtra(doc.Path, doc.opts.SiteInfoFile)
	if err != nil {
		return err
	}
	index := doc.opts.Index
	switch {
	case index != "" && index != IndexNone && kind != files.KindBzip2:
		return fault.New(fault.Usage, "an index belongs to a bzip2 multistream dump, and this file is none")
	case index == "" && kind == files.KindBzip2:
		index, _ = files.FindIndex(doc.Path)
	}
	if index == "" || index == IndexNone {
		return doc.openWhole(ctx, doc.file, kind, extra)
	}
	return doc.openGroups(ctx, index, extra)
}

// OpenReader opens a dump that comes from r, which must be read by nobody else until the document
// is closed. A call of r.Read that still waits then is left alone.
func OpenReader(ctx context.Context, name string, r io.Reader, opts Options) (*Document, error) {
	ctx, cancel := context.WithCancel(ctx)
	doc := &Document{Path: name, opts: opts, cancel: cancel, turns: make(turns, 1)}
	if err := doc.openInput(ctx, r); err != nil {
		doc.Close()
		return nil, files.Place(err, name, "")
	}
	return doc, nil
}

func (doc *Document) openInput(ctx context.Context, r io.Reader) error {
	if doc.opts.Index != "" && doc.opts.Index != IndexNone {
		return fault.New(fault.Usage, "an index needs a dump in a file")
	}
	in := bufio.NewReaderSize(detach(ctx, r), files.SniffLen)
	first, err := in.Peek(files.SniffLen)
	if err != nil && err != io.EOF {
		return err
	}
	if len(first) == 0 {
		return fault.New(fault.Malformed, "the input is empty")
	}
	kind := files.Sniff(first)
	if err := kind.Refuse(); err != nil {
		return err
	}
	extra, err := files.FindExtra("", doc.opts.SiteInfoFile)
	if err != nil {
		return err
	}
	return doc.openWhole(ctx, in, kind, extra)
}

// begin reads what stands in front of the first page.
func (doc *Document) begin(pages *guard.Pages, extra files.Extra) error {
	info, err := files.ReadIntro(pages, extra)
	if err == io.EOF {
		return fault.New(fault.Malformed, "the dump ends before its first page")
	}
	if err == nil {
		info, err = extra.Apply(info, doc.opts.Mixed)
	}
	if err != nil {
		return err
	}
	doc.Site = titles.NewSite(info)
	doc.check = newChecker(doc.Site, doc.opts.limits().Text)
	return nil
}

// Done returns how many bytes of the file are read. Any goroutine may call it at any time.
func (doc *Document) Done() int64 { return doc.done.Load() }

// Next returns the next page element in file order; io.EOF comes after every structural check
// passed. Errors are *fault.Error, and final.
func (doc *Document) Next(ctx context.Context) (Element, error) {
	if doc.run == nil {
		doc.run = doc.start()
	}
	for len(doc.now.elements) == 0 {
		if doc.err != nil {
			return Element{}, doc.wrong(doc.err)
		}
		doc.now, doc.err = doc.run.Next(ctx)
		doc.Foreign += doc.now.foreign
		if doc.now.end > 0 {
			doc.done.Store(doc.now.end)
		}
	}
	e := doc.now.elements[0]
	doc.now.elements[0] = Element{} // the page is the caller's now
	doc.now.elements = doc.now.elements[1:]
	doc.read++
	if e.Page != nil {
		doc.last = e.ID
	}
	return e, nil
}

// wrong places an error between the last page and the next, unless it has a place. io.EOF and ends
// of a context stay what they are. The stream is asked for only where the reading itself has ended,
// and so nobody else uses it.
func (doc *Document) wrong(err error) error {
	var known *fault.Error
	if err == io.EOF {
		return err
	}
	where := ""
	if doc.stream != nil && !stopped(err) && !(errors.As(err, &known) && known.Where != "") {
		where = fmt.Sprintf("%s: page %d", streamAt(doc.stream()), doc.read+1)
		if doc.last != 0 {
			where += fmt.Sprintf(" (last good page id %d)", doc.last)
		}
	}
	return files.Place(err, doc.Path, where)
}

func streamAt(offset int64) string { return fmt.Sprintf("stream at %d", offset) }

// Unlisted returns, after io.EOF, how many streams of pages the file has that no index lists: that
// none is missing cannot be known.
func (doc *Document) Unlisted() int64 {
	if doc.unlisted == nil {
		return 0
	}
	return doc.unlisted()
}

// Close stops all goroutines, waits for them and closes the file. It may be called at any time, and
// again.
func (doc *Document) Close() error {
	if doc.cancel != nil {
		doc.cancel()
	}
	if doc.run != nil {
		doc.run.Close()
	}
	if doc.release != nil {
		doc.release()
		doc.release = nil
	}
	if doc.file == nil {
		return nil
	}
	err := doc.file.Close()
	doc.file = nil
	if err != nil {
		return files.Place(err, doc.Path, "")
	}
	return nil
}
