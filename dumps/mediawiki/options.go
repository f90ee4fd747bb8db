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

// IndexNone as Options.Index reads a multistream dump without its index.
const IndexNone = "none"

// Options say how to read a dump. The zero value is right for a file from the dump site.
type Options struct {
	Index        string // path of the multistream index; "" looks beside the dump, IndexNone uses none
	SiteInfoFile string // a file whose siteinfo element stands in for that of the dump
	VerifyText   string // VerifyCount, VerifyStrict or VerifyOff; "" is VerifyCount
	Tolerate     int    // how many malformed pages are skipped before one is an error
	Workers      int    // goroutines that unpack and parse, with an index; 0 is one per core. No result depends on it

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
