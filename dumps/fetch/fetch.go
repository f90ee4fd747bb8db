// Package fetch gets the files of one run of a dump site, and vouches for every byte.
//
// List asks the site which files a run has, with their sizes and published sums; a run that is not complete is refused. Get loads them, one
// after the other or up to three at a time: into NAME.part, with NAME.part.json beside it, so that any interruption costs 64 MiB at
// most; then size and sums are compared, and only a file that has all of them gets its name. Get ends with inputs.json, which a build compares.
//
// The site is asked politely: GET and HEAD alone, a User-Agent that says whom to write to, one connection unless told otherwise, and waits that
// the site may prescribe. https only; plain http to the machine itself, for tests. Memory: half a MiB for each connection.
//
// This is the only package below cmd/wikinav that opens connections.
package fetch

import (
	"context"
	"net/http"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Site is the dump site that is asked where no other is named.
const Site = "https://dumps.wikimedia.org"

// Sources of text.
const (
	Classic = "classic" // <wiki>/<YYYYMMDD>/ with dumpstatus.json
	Content = "content" // other/mediawiki_content_current/<wiki>/<YYYY-MM-DD>/xml/bzip2/ with SHA256SUMS
)

// Options say what to get, from where, and how.
type Options struct {
	Wiki, Date string // the date as YYYYMMDD, YYYY-MM-DD or latest
	Source     string // Classic or Content
	Plain      bool   // of the classic texts the one bzip2 stream, not the multistream
	Tables     []string
	Latest     bool // accept the date latest

	Base        string   // root of the site that lists files and sums; Site
	Mirror      string   // root of a replica of the classic tree that gives the bytes; none
	Hosts       []string // where redirects may lead, beside the hosts of Base and Mirror
	Contact     string   // whom the site may write to
	Version     string   // of this program
	Connections int      // 1 to 3
	Seed        uint64   // of the jitter

	Folder    string
	Meter     func(total int64) Meter            // progress in bytes as they are packed; none
	Note      func(format string, args ...any)   // what a waiting user should know; none
	Clock     Clock                              // the wall's
	Transport http.RoundTripper                  // the net's
	FreeSpace func(folder string) (int64, error) // the file system's
}

// Meter shows how far a download is. A restart takes back what it counted.
type Meter interface {
	Add(n int64)
	Done()
}

type File struct {
	Name  string
	Bytes int64 // -1 where nobody says
	URL   string
	Sums  map[string]string // algorithm to lower-case hex
}

// Listing is what a site says a run has.
type Listing struct {
	Wiki, Date, Source string
	Requested          string // latest, where Date was found out; else ""
	SumsSHA256         string // of the content exports' SHA256SUMS; else ""
	Files              []File
}

// Bytes is the size of all files, as far as it is known.
func (l Listing) Bytes() (total int64) {
	for _, f := range l.Files {
		total += max(f.Bytes, 0)
	}
	return total
}

// List asks the site for the files of the run.
func List(ctx context.Context, opts Options) (Listing, error) {
	c, err := newClient(opts)
	if err != nil {
		return Listing{}, err
	}
	if c.opts.Source == Content {
		return c.listContent(ctx)
	}
	return c.listClassic(ctx)
}

// Get loads what a listing names into the folder and writes inputs.json. Files that are there already are compared, and kept.
func Get(ctx context.Context, opts Options, l Listing) (Inputs, error) {
	c, err := newClient(opts)
	if err != nil {
		return Inputs{}, err
	}
	if err := os.MkdirAll(c.opts.Folder, 0o755); err != nil {
		return Inputs{}, err
	}
	unlock, err := lock(c.opts.Folder)
	if err != nil {
		return Inputs{}, err
	}
	defer unlock()
	before, err := readInputs(c.opts.Folder, l)
	if err != nil {
		return Inputs{}, err
	}
	if err := c.checkSpace(l.Files); err != nil {
		return Inputs{}, err
	}
	got, err := c.getAll(ctx, l)
	if err != nil {
		return Inputs{}, err
	}
	in := newInputs(l, got, before)
	return in, writeFile(filepath.Join(c.opts.Folder, InputsName), canon.MustMarshal(in))
}

func (c *client) getAll(ctx context.Context, l Listing) ([]Input, error) {
	meter := c.opts.Meter(l.Bytes())
	defer meter.Done()
	got := make([]Input, len(l.Files))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(c.opts.Connections)
	for i, f := range l.Files {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			d := &download{client: c, file: f, path: filepath.Join(c.opts.Folder, f.Name), meter: meter}
			sha256, err := d.run(ctx)
			got[i] = Input{Name: f.Name, Bytes: d.state.Offset, SHA256: sha256, URL: f.URL, Published: f.Sums}
			if f.Name == sumsName {
				got[i].Published = map[string]string{} // its sum is our own: nobody publishes one
			}
			return err
		})
	}
	return got, group.Wait()
}

// checkSpace compares what is still to come with what the file system has.
func (c *client) checkSpace(files []File) error {
	var need int64
	for _, f := range files {
		left := f.Bytes
		for _, name := range []string{f.Name, f.Name + partSuffix} {
			if there, err := os.Stat(filepath.Join(c.opts.Folder, name)); err == nil {
				left -= there.Size()
			}
		}
		need += max(left, 0)
	}
	need += need / 50
	free, err := c.opts.FreeSpace(c.opts.Folder)
	if err != nil {
		return err
	}
	if need > free {
		return fault.New(fault.NoSpace, "%d bytes are to come, %d are free", need, free).At(c.opts.Folder, "").
			Hint("free %d bytes and run again, or name another folder with --out", need-free)
	}
	return nil
}
