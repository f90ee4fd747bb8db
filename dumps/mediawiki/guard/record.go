package guard

import "time"

// Record is what the guard read of one page: the fields that a page check needs, and the page's XML
// for a parser.
type Record struct {
	Offset    int64  // of <page>, in bytes of the XML
	Malformed string // the first rule for pages that this one breaks; "" when the rest of the record holds

	ID            uint32 // 0 when it could not be read
	Title         string
	NS            int
	HasNS         bool // schemas before 0.5 have none
	HasRedirect   bool
	RedirectTitle string // "" also where the element names none (schemas before 0.6)
	Revisions     int    // how many the page has
	Revision             // the newest: largest timestamp, then largest id

	// Text is the content of the text element, references resolved, up to Limits.Text bytes of it.
	// It lives until the next call of Pages.Next.
	Text []byte
}

// Revision is a revision without its text.
type Revision struct {
	RevID   uint64
	Time    time.Time // UTC
	Model   string    // "" before schema 0.8
	Format  string
	SHA1    string // of text/@sha1 where that has one, else of the revision; "" when neither does
	Bytes   int64  // of text/@bytes; -1 when absent
	Deleted bool   // the text is withheld

	TextBytes int // of the text, references resolved
}

// newer orders revisions of one page.
func (r *Revision) newer(than *Revision) bool {
	if c := r.Time.Compare(than.Time); c != 0 {
		return c > 0
	}
	return r.RevID > than.RevID
}
