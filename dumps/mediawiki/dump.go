package mediawiki

import (
	"context"
	"os"
	"sync/atomic"

	"github.com/wikinav/wikinav/dumps/wikitext"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Dump is an open dump. Its methods are for one goroutine, except Progress.
type Dump struct {
	path   string
	opts   Options
	file   *os.File
	size   int64
	done   atomic.Int64
	info   wikitext.SiteInfo
	site   *wikitext.Site
	source source
	check  *checker

	indexed   bool
	ids       idSet
	counts    counts
	skipped   []Skipped
	interwiki []string
	newest    string
	err       error // final answer of Next
}

// Open opens a dump and reads up to its siteinfo. The Dump lives until ctx ends or Close is called.
// Kinds of errors: NotFound, Usage (options; packings that are not read), Malformed, Interrupted, Failure (the disk).
func Open(ctx context.Context, path string, opts Options) (*Dump, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	f, kind, err := openFile(path)
	if err != nil {
		return nil, err
	}
	d := &Dump{path: path, opts: opts, file: f, ids: idSet{}}
	if err := d.open(ctx, kind); err != nil {
		d.Close()
		return nil, place(err, path, "")
	}
	return d, nil
}

func (d *Dump) open(ctx context.Context, kind Kind) error {
	stat, err := d.file.Stat()
	if err != nil {
		return err
	}
	d.size = stat.Size()
	var given *wikitext.SiteInfo
	if d.opts.SiteInfoFile != "" {
		if given, err = siteInfoFile(d.opts.SiteInfoFile); err != nil {
			return err
		}
	}
	indexPath, err := d.indexPath(kind)
	if err != nil {
		return err
	}
	if indexPath != "" {
		return d.openGroups(ctx, indexPath, given)
	}
	return d.openWhole(ctx, kind, given)
}

// indexPath says which index to use, "" for none.
func (d *Dump) indexPath(kind Kind) (string, error) {
	switch {
	case d.opts.Index == IndexNone:
		return "", nil
	case d.opts.Index != "" && kind != KindBzip2:
		return "", fault.New(fault.Usage, "an index belongs to a bzip2 multistream dump, and this file is none")
	case d.opts.Index != "":
		return d.opts.Index, nil
	case kind == KindBzip2:
		path, _ := FindIndex(d.path)
		return path, nil
	}
	return "", nil
}

func (d *Dump) openWhole(ctx context.Context, kind Kind, given *wikitext.SiteInfo) error {
	c, err := unpack(meter{d.file, &d.done}, kind)
	if err != nil {
		return err
	}
	w, pages := newWhole(ctx, c, d.path, d.opts.limits)
	d.source = w
	info, err := readIntro(pages, given)
	if err != nil {
		return w.wrong(endless(err))
	}
	d.setSite(info)
	w.part = newPart(pages, d.check)
	return nil
}

func (d *Dump) openGroups(ctx context.Context, indexPath string, given *wikitext.SiteInfo) error {
	ix, err := openIndex(indexPath, d.size)
	if err != nil {
		return err
	}
	ms := &multistream{file: d.file, path: d.path, lim: d.opts.limits}
	info, err := ms.head(ctx, ix.ahead.offset, given)
	if err != nil {
		ix.file.Close()
		return err
	}
	d.setSite(info)
	ms.check = d.check
	d.indexed = true
	d.source = readGroups(ctx, ms, ix, d.opts.Workers, &d.done)
	return nil
}

func (d *Dump) setSite(info wikitext.SiteInfo) {
	d.info, d.site = info, wikitext.NewSite(info)
	d.check = newChecker(d.site)
}

// Close stops all goroutines, waits for them and closes the file. It may be called at any time, and again.
func (d *Dump) Close() error {
	if d.source != nil {
		d.source.close()
		d.source = nil
	}
	if d.file == nil {
		return nil
	}
	err := d.file.Close()
	d.file = nil
	if d.err == nil {
		d.err = fault.New(fault.Failure, "the dump is closed").At(d.path, "")
	}
	if err != nil {
		return place(err, d.path, "")
	}
	return nil
}
