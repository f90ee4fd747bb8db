package mediawiki

// finding is one thing that the page check may find on a page; it is counted under its name.
type finding uint

const (
	foundRedirect finding = iota
	foundNotWikitext
	foundTextDeleted
	foundRevisions
	foundNSAbsent
	foundNSUnknown
	foundNSMismatch
	foundLikeInterwiki
	foundSumOK
	foundSumCRLF
	foundSumMismatch
	foundSumAbsent
	foundSumWithheld
	foundBytesMismatch
	numFindings
)

var findingNames = [numFindings]string{
	foundRedirect:      "redirect_pages",
	foundNotWikitext:   "pages_not_wikitext",
	foundTextDeleted:   "pages_text_deleted",
	foundRevisions:     "multi_revision_pages",
	foundNSAbsent:      "ns_absent",
	foundNSUnknown:     "ns_unknown",
	foundNSMismatch:    "ns_mismatch",
	foundLikeInterwiki: "title_like_interwiki",
	foundSumOK:         "sha1_ok",
	foundSumCRLF:       "sha1_crlf",
	foundSumMismatch:   "sha1_mismatch",
	foundSumAbsent:     "sha1_absent",
	foundSumWithheld:   "sha1_withheld",
	foundBytesMismatch: "bytes_mismatch",
}

// findings is a set of them.
type findings uint32

func (s *findings) add(f finding)     { *s |= 1 << f }
func (s findings) has(f finding) bool { return s&(1<<f) != 0 }

// counts accounts for the page elements delivered so far.
type counts struct {
	read, kept, malformed, negativeNS int64
	foreign, passed                   int64 // elements that are no pages: of the document that is read, of those before it
	found                             [numFindings]int64
}

func (c *counts) keep(s findings) {
	c.kept++
	for f := range numFindings {
		if s.has(f) {
			c.found[f]++
		}
	}
}

func (c *counts) byName() map[string]int64 {
	m := map[string]int64{
		"pages_read":       c.read,
		"pages_kept":       c.kept,
		"pages_skipped":    c.malformed + c.negativeNS,
		"pages_malformed":  c.malformed,
		"negative_ns":      c.negativeNS,
		"elements_ignored": c.foreign + c.passed,
	}
	for f, name := range findingNames {
		m[name] = c.found[f]
	}
	return m
}
