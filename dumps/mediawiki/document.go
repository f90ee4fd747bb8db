package mediawiki

import (
	"bufio"
	"context"
	"io"
	"os"
	"sync/atomic"

	"github.com/wikinav/wikinav/dumps/wikitext"
	"github.com/wikinav/wikinav/schemas/fault"
)

// document is one file of a dump, open behind its siteinfo. Its methods are for one goroutine; done is for any.
type document struct {
	path   string // as errors name it
	opts   Options
	file   *os.File // nil for standard input
	size   int64    // 0 for standard input
	done   *atomic.Int64
	info   wikitext.SiteInfo
	site   *wikitext.Site
	check  *checker
	source source

	indexed bool
	cancel  context.CancelFunc // ends the reading of standard input; nil else
}

// source gives the page elements of a document in file order; io.EOF after every structural check passed.
// Errors are *fault.Error. close stops its goroutines and waits for them.
type source interface {
	next(ctx context.Context) (entry, error)
	foreign() int64
	close()
}

// openDocument opens a file. Errors name it.
func openDocument(ctx context.Context, path string, opts Options) (*document, error) {
	f, kind, err := openFile(path)
	if err != nil {
		return nil, err
	}
	doc := &document{path: path, opts: opts, file: f, done: new(atomic.Int64)}
	if err := doc.openFile(ctx, kind); err != nil {
		doc.close()
		return nil, place(err, path, "")
	}
	return doc, nil
}

func (doc *document) openFile(ctx context.Context, kind Kind) error {
	stat, err := doc.file.Stat()
	if err != nil {
		return err
	}
	doc.size = stat.Size()
	extra, err := findExtra(doc.path, doc.opts)
	if err != nil {
		return err
	}
	indexPath, err := doc.indexPath(kind)
	if err != nil {
		return err
	}
	if indexPath != "" {
		return doc.openGroups(ctx, indexPath, extra)
	}
	return doc.openWhole(ctx, doc.file, kind, extra)
}

// indexPath says which index to use, "" for none.
func (doc *document) indexPath(kind Kind) (string, error) {
	switch index := doc.opts.Index; {
	case index == IndexNone:
		return "", nil
	case index != "" && kind != KindBzip2:
		return "", fault.New(fault.Usage, "an index belongs to a bzip2 multistream dump, and this file is none")
	case index != "":
		return index, nil
	case kind == KindBzip2:
		path, _ := FindIndex(doc.path)
		return path, nil
	}
	return "", nil
}

// openInput opens a dump that comes from a reader, which must be read by nobody else until the document is closed.
func openInput(ctx context.Context, name string, r io.Reader, opts Options) (*document, error) {
	ctx, cancel := context.WithCancel(ctx)
	doc := &document{path: name, opts: opts, done: new(atomic.Int64), cancel: cancel}
	if err := doc.openInput(ctx, r); err != nil {
		doc.close()
		return nil, place(err, name, "")
	}
	return doc, nil
}

func (doc *document) openInput(ctx context.Context, r io.Reader) error {
	if doc.opts.Index != "" && doc.opts.Index != IndexNone {
		return fault.New(fault.Usage, "an index needs a dump in a file")
	}
	in := bufio.NewReaderSize(newDetached(ctx, r), sniffLen)
	first, err := in.Peek(sniffLen)
	if err != nil && err != io.EOF {
		return err
	}
	kind := Sniff(first)
	if len(first) == 0 {
		return fault.New(fault.Malformed, "the input is empty")
	}
	if err := kind.refuse(); err != nil {
		return err
	}
	extra, err := findExtra("", doc.opts)
	if err != nil {
		return err
	}
	return doc.openWhole(ctx, in, kind, extra)
}

func (doc *document) openWhole(ctx context.Context, in io.Reader, kind Kind, extra extra) error {
	c, err := unpack(ctx, meter{in, doc.done}, kind, doc.opts.Workers)
	if err != nil {
		return err
	}
	w, pages := newWhole(ctx, c, doc.opts.limits)
	info, err := readIntro(pages, extra)
	if err == nil {
		err = doc.setSite(info, extra)
	}
	if err != nil {
		w.ahead.close()
		return place(endless(err), doc.path, streamWhere(w.ahead.stream)+": page 1")
	}
	w.part = newPart(pages, doc.check, doc.opts.Reader)
	doc.source = w.scan(ctx, doc.path, doc.opts.Workers)
	return nil
}

func (doc *document) openGroups(ctx context.Context, indexPath string, extra extra) error {
	ix, err := openIndex(indexPath, doc.size)
	if err != nil {
		return err
	}
	ms := &multistream{file: doc.file, path: doc.path, lim: doc.opts.limits, reader: doc.opts.Reader}
	info, err := ms.head(ctx, ix.ahead.offset, extra)
	if err == nil {
		err = doc.setSite(info, extra)
	}
	if err != nil {
		ix.file.Close()
		return err
	}
	ms.check = doc.check
	doc.indexed = true
	doc.source = readGroups(ctx, ms, ix, doc.opts.Workers, doc.done)
	return nil
}

func (doc *document) setSite(info wikitext.SiteInfo, extra extra) error {
	info, err := extra.apply(info, doc.opts.Mixed)
	if err != nil {
		return err
	}
	doc.info, doc.site = info, wikitext.NewSite(info)
	doc.check = newChecker(doc.site)
	return nil
}

func (doc *document) close() error {
	if doc.source != nil {
		doc.source.close()
		doc.source = nil
	}
	if doc.cancel != nil {
		doc.cancel()
	}
	if doc.file == nil {
		return nil
	}
	err := doc.file.Close()
	doc.file = nil
	return err
}
