package pages

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
