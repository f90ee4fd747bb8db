package pages

import (
	"crypto/sha1" // the sum that MediaWiki publishes; it finds accidents, not forgers
	"fmt"
	"math/big"
	"strings"
	"time"
	"unsafe"

	"github.com/wikinav/wikinav/dumps/mediawiki/guard"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// checker holds what pages are checked against. It is read-only and shared by all workers.
type checker struct {
	site       *titles.Site
	namespaces map[int]bool // of siteinfo
	longest    int          // bytes of a text
}

func newChecker(site *titles.Site, longest int) *checker {
	c := &checker{site, map[int]bool{}, longest}
	for _, ns := range site.Info().Namespaces {
		c.namespaces[ns.Key] = true
	}
	return c
}

// page joins the guard's record with the decoded page and checks the result. malformed is why the
// page is none, "" when it is good.
func (c *checker) page(rec *guard.Record, got decoded) (page *Page, found Findings, malformed string) {
	title, err := c.site.ParsePageTitle(got.title)
	if err != nil {
		return nil, 0, fmt.Sprintf("title %s: %v", fault.Quote(got.title), err)
	}
	if strings.Contains(got.title, "#") || title.Text == "" {
		return nil, 0, fmt.Sprintf("title %s is none of a page", fault.Quote(got.title))
	}
	if rec.TextBytes > c.longest {
		return nil, 0, fmt.Sprintf(guard.TextTooLong, c.longest, rec.TextBytes)
	}
	page = newPage(rec, got)
	found = c.namespace(page, rec.HasNS, title) | c.text(page)
	if page.HasRedirect {
		found.add(FoundRedirect)
	}
	if rec.Revisions > 1 {
		found.add(FoundRevisions)
	}
	if c.site.LooksInterwiki(page.Title) {
		found.add(FoundLikeInterwiki)
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

// namespace compares the page's ns with siteinfo and with the prefix of its title, and derives it
// from that where the dump has none.
func (c *checker) namespace(p *Page, declared bool, title titles.Title) (f Findings) {
	if !declared {
		p.NS = title.NS
		f.add(FoundNSAbsent)
	}
	if !c.namespaces[p.NS] {
		f.add(FoundNSUnknown)
	}
	if p.NS != title.NS {
		f.add(FoundNSMismatch)
	}
	return f
}

func (c *checker) text(p *Page) (f Findings) {
	if p.Model != schemas.ModelWikitext {
		f.add(FoundNotWikitext)
	}
	if !p.TextDeleted {
		return f | checkSum(p.Text, p.SHA1, p.Bytes)
	}
	f.add(FoundTextDeleted)
	if validSum(p.SHA1) {
		f.add(FoundSumWithheld)
	} else {
		f.add(FoundSumAbsent)
	}
	return f
}

// sumLen is the length of a SHA-1 in base 36, as MediaWiki writes it.
const sumLen = 31

// textSum is MediaWiki's sum of a text: SHA-1 in base 36, lower case, padded with zeros.
func textSum(text string) string {
	// Read where it lies: to copy every text for its sum costs as much as the sum.
	sum := sha1.Sum(unsafe.Slice(unsafe.StringData(text), len(text)))
	digits := new(big.Int).SetBytes(sum[:]).Text(36)
	return strings.Repeat("0", sumLen-len(digits)) + digits
}

func validSum(s string) bool {
	return len(s) == sumLen && strings.Trim(s, "0123456789abcdefghijklmnopqrstuvwxyz") == ""
}

// checkSum compares a text with its declared sum and size. Sums of old revisions were taken with
// line ends as CR LF, which no XML reader gives back.
func checkSum(text, sum string, size int64) (f Findings) {
	length := int64(len(text))
	switch {
	case !validSum(sum):
		f.add(FoundSumAbsent)
	case textSum(text) == sum:
		f.add(FoundSumOK)
	case textSum(strings.ReplaceAll(text, "\n", "\r\n")) == sum:
		f.add(FoundSumCRLF)
		length += int64(strings.Count(text, "\n"))
	default:
		f.add(FoundSumMismatch)
		return f
	}
	if size >= 0 && size != length {
		f.add(FoundBytesMismatch)
	}
	return f
}

// Finding is one thing that the page check may find on a page; it is counted under its name.
type Finding uint

// What the page check may find.
const (
	FoundRedirect Finding = iota
	FoundNotWikitext
	FoundTextDeleted
	FoundRevisions
	FoundNSAbsent
	FoundNSUnknown
	FoundNSMismatch
	FoundLikeInterwiki
	FoundSumOK
	FoundSumCRLF
	FoundSumMismatch
	FoundSumAbsent
	FoundSumWithheld
	FoundBytesMismatch
	numFindings
)

var findingNames = [numFindings]string{
	FoundRedirect:      "redirect_pages",
	FoundNotWikitext:   "pages_not_wikitext",
	FoundTextDeleted:   "pages_text_deleted",
	FoundRevisions:     "multi_revision_pages",
	FoundNSAbsent:      "ns_absent",
	FoundNSUnknown:     "ns_unknown",
	FoundNSMismatch:    "ns_mismatch",
	FoundLikeInterwiki: "title_like_interwiki",
	FoundSumOK:         "sha1_ok",
	FoundSumCRLF:       "sha1_crlf",
	FoundSumMismatch:   "sha1_mismatch",
	FoundSumAbsent:     "sha1_absent",
	FoundSumWithheld:   "sha1_withheld",
	FoundBytesMismatch: "bytes_mismatch",
}

// Findings is a set of them.
type Findings uint32

func (s *Findings) add(f Finding) { *s |= 1 << f }

// Has reports whether f is among them.
func (s Findings) Has(f Finding) bool { return s&(1<<f) != 0 }

// Tally counts pages by what was found on them.
type Tally [numFindings]int64

// Add counts a page.
func (t *Tally) Add(s Findings) {
	for f := range numFindings {
		if s.Has(f) {
			t[f]++
		}
	}
}

// ByName returns the counts under their names.
func (t *Tally) ByName() map[string]int64 {
	m := map[string]int64{}
	for f, name := range findingNames {
		m[name] = t[f]
	}
	return m
}
