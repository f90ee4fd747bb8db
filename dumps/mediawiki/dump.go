package mediawiki

import (
	"context"
	"io"
	"sync/atomic"

	"github.com/wikinav/wikinav/dumps/wikitext"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Dump is an open dump: one document, or several that are read one after another. Its methods are for one goroutine, except Progress.
type Dump struct {
	ctx   context.Context // of Open: documents are opened when it is their turn
	opts  Options
	doc   *document // the one that is read
	later []Part    // those that follow it
	info  wikitext.SiteInfo
	site  *wikitext.Site

	size     int64                        // of all files, 0 when it is not known
	finished atomic.Int64                 // bytes of the documents before doc
	now      atomic.Pointer[atomic.Int64] // how far doc is read

	indexed   bool
	spans     []span // of the documents before doc, and doc's
	warnings  []Warning
	ids       idSet
	counts    counts
	skipped   []Skipped
	interwiki []string
	newest    string
	err       error // final answer of Next
}

// Open opens the dump in one file and reads up to its siteinfo. The Dump lives until ctx ends or Close is called.
// Kinds of errors: NotFound, Usage (options; packings that are not read), Malformed, Interrupted, Failure (the disk).
func Open(ctx context.Context, path string, opts Options) (*Dump, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	doc, err := openDocument(ctx, path, opts)
	if err != nil {
		return nil, err
	}
	return newDump(ctx, opts, doc, doc.size, Part{Path: path}), nil
}

// OpenReader opens a dump that comes from r, as from standard input; name is what errors call it. An index cannot be used. After Close
// a call of r.Read that still waits is left alone; nobody else may read from r.
func OpenReader(ctx context.Context, name string, r io.Reader, opts Options) (*Dump, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	doc, err := openInput(ctx, name, r, opts)
	if err != nil {
		return nil, err
	}
	return newDump(ctx, opts, doc, 0, Part{Path: name}), nil
}

// OpenAll opens several files, or all dumps in folders (see Dumps), as one dump: shards or parts by page range, each a document of
// its own. They are read in order of their first page ids. Files of different wikis are Malformed unless Options.Mixed, as are
// page ranges that overlap, two packings of the same pages among them; what shows only after the last page of a file is an error of
// Next. Kinds of errors as of Open.
func OpenAll(ctx context.Context, paths []string, opts Options) (*Dump, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	parts, size, err := listParts(ctx, paths, opts)
	if err != nil {
		return nil, err
	}
	if len(parts) > 1 && opts.Index != "" && opts.Index != IndexNone {
		return nil, fault.New(fault.Usage, "one index for %d dump files", len(parts)).Hint("put each index beside its dump")
	}
	doc, err := openDocument(ctx, parts[0].Path, opts)
	if err != nil {
		return nil, err
	}
	d := newDump(ctx, opts, doc, size, parts[0])
	d.later = parts[1:]
	d.warnings = declaredGaps(parts)
	return d, nil
}

func newDump(ctx context.Context, opts Options, doc *document, size int64, part Part) *Dump {
	d := &Dump{
		ctx: ctx, opts: opts, doc: doc, size: size, info: doc.info, site: doc.site, indexed: doc.indexed, ids: idSet{},
		spans: []span{{part: part}},
	}
	d.now.Store(doc.done)
	return d
}

// follow goes to the next document; io.EOF after the last.
func (d *Dump) follow() error {
	if err := d.endSpan(); err != nil {
		return err
	}
	if len(d.later) == 0 {
		return io.EOF
	}
	d.finished.Add(d.doc.size)
	d.now.Store(new(atomic.Int64))
	if err := d.doc.close(); err != nil {
		return place(err, d.doc.path, "")
	}
	next := d.later[0]
	d.later = d.later[1:]
	doc, err := openDocument(d.ctx, next.Path, d.opts)
	if err != nil {
		return err
	}
	d.counts.passed += d.counts.foreign
	d.counts.foreign = 0
	d.indexed = d.indexed && doc.indexed
	d.doc = doc
	d.now.Store(doc.done)
	d.spans = append(d.spans, span{part: next})
	return nil
}

// Close stops all goroutines, waits for them and closes the file. It may be called at any time, and again.
func (d *Dump) Close() error {
	if err := d.doc.close(); err != nil {
		return place(err, d.doc.path, "")
	}
	if d.err == nil {
		d.err = fault.New(fault.Failure, "the dump is closed").At(d.doc.path, "")
	}
	return nil
}
