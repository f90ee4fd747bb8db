package fetch

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/schemas/fault"
)

// Jobs of a classic run.
const (
	multistreamJob = "articlesmultistreamdump"
	plainJob       = "articlesdump"
	namespacesJob  = "namespaces" // the aliases of namespaces, which no dump has; taken where it is done
)

var tableJobs = map[string]string{
	"page": "pagetable", "redirect": "redirecttable", "pagelinks": "pagelinkstable", "linktarget": "linktargettable",
	"page_props": "pagepropstable",
}

// Tables lists the SQL tables that can be got.
func Tables() []string { return slices.Sorted(maps.Keys(tableJobs)) }

// dumpStatus is dumpstatus.json, as far as it matters here; its keys are in lower case.
type dumpStatus struct{ Jobs map[string]job }

type job struct {
	Status string
	Files  map[string]classicFile
}

type classicFile struct {
	Size           *int64
	URL, MD5, SHA1 string
}

func (c *client) listClassic(ctx context.Context) (l Listing, err error) {
	l = Listing{Wiki: c.opts.Wiki, Date: c.opts.Date, Source: Classic}
	if l.Date == latest {
		l.Requested = latest
		if l.Date, err = c.latestDate(ctx); err != nil {
			return l, err
		}
	}
	url := c.opts.Base + l.folder() + "dumpstatus.json"
	text, err := c.document(ctx, url, "{")
	if err != nil {
		return l, err
	}
	var status dumpStatus
	if err := json.Unmarshal(text, &status); err != nil {
		return l, fault.New(fault.Checksum, "the list of files is cut or damaged: %w", err).At(url, "").Hint("run again later")
	}
	for _, name := range c.jobs(status) {
		if err := l.addJob(name, status.Jobs[name], cmp.Or(c.opts.Mirror, c.opts.Base)); err != nil {
			return l, at(err, url)
		}
	}
	return l, nil
}

func (l Listing) folder() string { return "/" + l.Wiki + "/" + l.Date + "/" }

// jobs names the jobs whose files are wanted.
func (c *client) jobs(status dumpStatus) []string {
	names := []string{multistreamJob}
	if c.opts.Plain {
		names[0] = plainJob
	}
	for _, table := range Tables() {
		if slices.Contains(c.opts.Tables, table) {
			names = append(names, tableJobs[table])
		}
	}
	if status.Jobs[namespacesJob].Status == done {
		names = append(names, namespacesJob)
	}
	return names
}

const done = "done"

func (l *Listing) addJob(name string, j job, root string) error {
	if j.Status != done || len(j.Files) == 0 {
		return fault.New(fault.Checksum, "job %s is %q with %d files, want it done: the run is not complete", name, j.Status, len(j.Files)).
			Hint("run again later, or take an older date")
	}
	for _, base := range slices.Sorted(maps.Keys(j.Files)) {
		f, err := l.classicFile(base, j.Files[base])
		if err != nil {
			return err
		}
		f.URL = root + l.folder() + base
		l.Files = append(l.Files, f)
	}
	return nil
}

// classicFile takes an entry that names a file of this run and says a sum of it.
func (l *Listing) classicFile(name string, c classicFile) (File, error) {
	f := File{Name: name, Bytes: -1, Sums: map[string]string{}}
	if c.URL != l.folder()+name || !l.own(name, l.Date) {
		return f, fault.New(fault.Checksum, "file %s has the address %s, want it in %s", fault.Quote(name), fault.Quote(c.URL), l.folder())
	}
	if c.Size != nil {
		f.Bytes = *c.Size
	}
	for _, s := range []struct{ algorithm, sum string }{{"sha1", c.SHA1}, {"md5", c.MD5}} {
		if s.sum == "" {
			continue
		}
		if raw, err := hex.DecodeString(s.sum); err != nil || len(raw) != algorithms[s.algorithm]().Size() {
			return f, fault.New(fault.Checksum, "file %s: its %s is %s, which is no such sum", fault.Quote(name), s.algorithm, fault.Quote(s.sum))
		}
		f.Sums[s.algorithm] = strings.ToLower(s.sum)
	}
	if len(f.Sums) == 0 {
		return f, fault.New(fault.Checksum, "file %s has no sum yet", fault.Quote(name)).Hint("run again later, or take an older date")
	}
	return f, nil
}

// own tells whether a name is that of a file of this run, and nothing that leads elsewhere.
func (l *Listing) own(name, date string) bool {
	plain := !strings.ContainsFunc(name, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-", r)
	})
	return plain && strings.HasPrefix(name, l.Wiki+"-"+date+"-")
}

// latestDate finds out which run latest is: its file of sums names files by their date.
func (c *client) latestDate(ctx context.Context) (string, error) {
	url := c.opts.Base + "/" + c.opts.Wiki + "/latest/" + c.opts.Wiki + "-latest-md5sums.txt"
	text, err := c.document(ctx, url, hexDigits)
	if err != nil {
		return "", err
	}
	names, _, err := sumLines(url, text, 2*algorithms["md5"]().Size())
	if err != nil {
		return "", err
	}
	dates := map[string]bool{}
	for _, name := range names {
		rest, _ := strings.CutPrefix(name, c.opts.Wiki+"-")
		date, _, _ := strings.Cut(rest, "-")
		dates[date] = true
	}
	only := slices.Sorted(maps.Keys(dates))
	if len(only) != 1 || len(only[0]) != len(digitDate) || strings.Trim(only[0], "0123456789") != "" {
		return "", fault.New(fault.Checksum, "latest is made of the dates %q, want one", only).At(url, "").Hint("name a date")
	}
	return only[0], nil
}
