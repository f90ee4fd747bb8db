package mediawiki

import (
	"runtime"

	"github.com/wikinav/wikinav/dumps/mediawiki/guard"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Values of Options.VerifyText.
const (
	VerifyCount  = "count"  // more than 1 in 1,000 wrong sums is an error at the end of the dump
	VerifyStrict = "strict" // the first wrong sum is an error
	VerifyOff    = "off"    // wrong sums are counted only
)

// Values of Options.Reader. They agree page by page on every well-formed file.
const (
	ReaderNative    = "native"    // the guard's byte scanner alone
	ReaderWikiparse = "wikiparse" // go-wikiparse behind the guard, many times slower: a second opinion
)

// IndexNone as Options.Index reads a multistream dump without its index.
const IndexNone = "none"

// Options say how to read a dump. The zero value is right for a file from the dump site.
type Options struct {
	Index        string // path of the multistream index; "" looks beside the dump, IndexNone uses none. For one file only
	SiteInfoFile string // a dump or siteinfo element that stands in for the dump's, or a siteinfo-namespaces.json that adds to it
	Reader       string // ReaderNative or ReaderWikiparse; "" is ReaderNative
	VerifyText   string // VerifyCount, VerifyStrict or VerifyOff; "" is VerifyCount
	Tolerate     int    // how many malformed pages are skipped before one is an error
	Workers      int    // goroutines that unpack and check; 0 is one per core. No result depends on it
	Mixed        bool   // files of one dump may name different wikis

	limits guard.Limits // zero for the default; tests set their own
}

// Limits of a multistream dump.
const (
	maxStream = 64 << 20 // decompressed bytes of one stream
	maxGroup  = 100_000  // pages of one stream; the dump site writes 100
)

func (o Options) withDefaults() (Options, error) {
	if o.VerifyText == "" {
		o.VerifyText = VerifyCount
	}
	switch o.VerifyText {
	case VerifyCount, VerifyStrict, VerifyOff:
	default:
		return o, fault.New(fault.Usage, "verify-text is %s, expected count, strict or off", fault.Quote(o.VerifyText))
	}
	if o.Reader == "" {
		o.Reader = ReaderNative
	}
	if o.Reader != ReaderNative && o.Reader != ReaderWikiparse {
		return o, fault.New(fault.Usage, "reader is %s, expected native or wikiparse", fault.Quote(o.Reader))
	}
	if o.Tolerate < 0 || o.Workers < 0 {
		return o, fault.New(fault.Usage, "tolerate is %d and workers %d, expected no negative number", o.Tolerate, o.Workers)
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.limits == (guard.Limits{}) {
		o.limits = guard.DefaultLimits
	}
	return o, nil
}
