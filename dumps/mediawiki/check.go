package mediawiki

import (
	"fmt"
	"strings"
	"time"

	"github.com/wikinav/wikinav/dumps/mediawiki/guard"
	"github.com/wikinav/wikinav/dumps/wikitext"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// checker holds what pages are checked against. It is read-only and shared by all workers.
type checker struct {
	site       *wikitext.Site
	namespaces map[int]bool // of siteinfo
}

func newChecker(site *wikitext.Site) *checker {
	c := &checker{site, map[int]bool{}}
	for _, ns := range site.Info().Namespaces {
		c.namespaces[ns.Key] = true
	}
	return c
}

// page joins the guard's record with the decoded page and checks the result. malformed is why the page is none, "" when it is good.
func (c *checker) page(rec *guard.Record, got decoded) (page *Page, found findings, malformed string) {
	title, err := c.site.ParsePageTitle(got.title)
	if err != nil {
		return nil, 0, fmt.Sprintf("title %s: %v", fault.Quote(got.title), err)
	}
	if strings.Contains(got.title, "#") || title.Text == "" {
		return nil, 0, fmt.Sprintf("title %s is none of a page", fault.Quote(got.title))
	}
	page = newPage(rec, got)
	found = c.namespace(page, rec.HasNS, title) | c.text(page)
	if page.HasRedirect {
		found.add(foundRedirect)
	}
	if rec.Revisions > 1 {
		found.add(foundRevisions)
	}
	if c.site.LooksInterwiki(page.Title) {
		found.add(foundLikeInterwiki)
	}
	return page, found, ""
}

func newPage(rec *guard.Record, got decoded) *Page {
	p := &Page{
		ID:            rec.ID,
		NS:            rec.NS,
		Title:         got.title,
		HasRedirect:   rec.HasRedirect,
		RedirectTitle: got.redirect,
		RevID:         rec.RevID,
		RevTime:       rec.Time.Format(time.RFC3339),
		Model:         rec.Model,
		Format:        rec.Format,
		Text:          got.text,
		SHA1:          rec.SHA1,
		Bytes:         rec.Bytes,
		TextDeleted:   rec.Deleted,
	}
	if p.Model == "" {
		p.Model = schemas.ModelWikitext
	}
	if p.TextDeleted {
		p.Text = ""
	}
	return p
}

// namespace compares the page's ns with siteinfo and with the prefix of its title, and derives it from that where the dump has none.
func (c *checker) namespace(p *Page, declared bool, title wikitext.Title) (f findings) {
	if !declared {
		p.NS = title.NS
		f.add(foundNSAbsent)
	}
	if !c.namespaces[p.NS] {
		f.add(foundNSUnknown)
	}
	if p.NS != title.NS {
		f.add(foundNSMismatch)
	}
	return f
}

func (c *checker) text(p *Page) (f findings) {
	if p.Model != schemas.ModelWikitext {
		f.add(foundNotWikitext)
	}
	if !p.TextDeleted {
		return f | checkSum(p.Text, p.SHA1, p.Bytes)
	}
	f.add(foundTextDeleted)
	if validSum(p.SHA1) {
		f.add(foundSumWithheld)
	} else {
		f.add(foundSumAbsent)
	}
	return f
}
