// Package mediawiki turns the file of a MediaWiki dump into verified pages.
//
// It owns everything between the bytes on disk and a Page: which packing a file has (Sniff), whether its published sum holds
// (VerifySums), which files of a folder make up a dump and in what order (Dumps, OpenAll), the streams of a multistream dump and their
// index, the guard over the XML, and the checks of every page against what the dump says about itself.
//
// It promises that no page is lost silently. Next gives the pages in file order whatever the number of workers; the first
// problem in file order is the error, and it is final; io.EOF comes only after every structural check passed: checksums of
// the packing, the end of the XML, and with an index the number, order, ids and titles of the pages. Every error is a
// *fault.Error that names file and place. Counts and Skipped account for every page element of the file.
//
// It never guesses: damage is not repaired, and malformed pages are passed over only as Options.Tolerate allows, each listed.
// It never resolves redirects, never reads wikitext beyond titles, and never needs the network.
//
// A dump is read once, in a pipeline: bzip2 blocks are unpacked by several goroutines (package streams), one scans the XML (package guard), several
// check the pages and their SHA-1; with an index each worker does all of it for a stream of its own. What is delivered is in file
// order. Memory does not depend on the dump: 12 MiB a worker for unpacking, and four batches a worker in flight, each of 64 pages or a MiB of text (a
// single page may have up to 64 MiB).
//
// Two readers take pages from the guard, a byte scanner that enforces limits and the form of the document. The native one uses
// what the guard read. The other has go-wikiparse, confined to wikiparse.go, decode what the guard let through, and pairs the
// results field by field: a second opinion, many times slower. Both stand behind the type decoder.
package mediawiki

// Page is one page of the dump with its newest revision: that of the largest timestamp, then of the largest id.
type Page struct {
	ID            uint32
	NS            int
	Title         string // as in the dump, with its namespace prefix
	HasRedirect   bool
	RedirectTitle string // target as the dump names it; may name another wiki, "" in schemas before 0.6
	RevID         uint64
	RevTime       string // RFC 3339, UTC
	Model         string // "wikitext" where the dump names none (schemas before 0.8)
	Format        string // "" where the dump names none
	Text          string // "" when TextDeleted
	SHA1          string // as declared, base 36; "" when absent
	Bytes         int64  // as declared; -1 when absent
	TextDeleted   bool
	Offset        int64 // where in the file the page's compressed stream begins; 0 in plain and gzip files
}

// Skipped is a page of the dump that Next did not give.
type Skipped struct {
	PageID *uint32 // nil when it could not be read
	Offset int64   // as Page.Offset
	Reason string
}
