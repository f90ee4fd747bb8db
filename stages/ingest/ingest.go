// Package ingest is the stage that reads a dump into pages, redirects and links.
//
// It owns the one pass over the dump: whatever a later stage needs of a page's text is taken here.
// Every page of the dump is a record of pages.arrow, and every count balances: pages read = kept +
// skipped, links found = kept + dropped by reason. Links stay unresolved, as hashes of their
// normalised targets, because what a redirect or a missing page means is the recipe's to say, in
// linkgraph.
//
// Anchors and the texts of pages are read in the same pass, if at all. Whether a wiki is small
// enough for them is known at its last page, so that auto reads them until there are too many
// pages, and then leaves out what it has.
//
// Memory: the reader's window and the budgets of the two sorters (sorter.go), whatever the size of
// the dump and whatever its pages hold; they may stand in any order. See heapLimit. Disk: about the
// size of links.arrow, link-titles.arrow and link-anchors.arrow in scratch files when a budget is
// exceeded.
package ingest

import (
	"cmp"
	"context"
	"runtime/debug"
	"strconv"
	"strings"
	"unicode"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/dumps/mediawiki"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/stages"
)

// Params of the stage. Wiki and Date are "" where the dump has to tell.
type Params struct {
	Wiki       string `json:"wiki"`
	Date       string `json:"date"`
	VerifyText string `json:"verify_text"` // count, strict or off
	Tolerate   int    `json:"tolerate"`    // malformed pages that may be skipped
	LeadRunes  int    `json:"lead_runes"`  // code points of a lead at most
	Hatnotes   bool   `json:"hatnotes"`    // the arguments of main, see also and their like are links
	Anchors    string `json:"anchors"`     // on, off, or auto: on for a wiki below schemas.AnchorsAutoPages pages

	Texts    onDemand `json:"texts,omitzero"`     // as Anchors, on below schemas.TextsAutoPages pages; "" for off
	PageText int      `json:"page_text,omitzero"` // bytes of a page's text at most; 0 for those of guard.PageText
}

// MaxPageText is the most that page_text can be: no stream of a dump unpacks to more.
const MaxPageText = 64 << 20

// Reading is what a recipe decides of a text besides its links, leads and facts.
type Reading struct {
	Anchors  string   `json:"anchors" oneof:"on off auto"`               // as in Params
	Texts    onDemand `json:"texts,omitzero" oneof:"on off auto"`        // as in Params
	PageText int      `json:"page_text,omitzero" min:"0" max:"67108864"` // as in Params; MaxPageText at most
}

// DefaultReading leaves anchors to the size of the wiki, and texts to those who ask for them.
func DefaultReading() Reading { return Reading{Anchors: schemas.AnchorsAuto, Texts: schemas.TextsOff} }

// Validate refuses what means nothing.
func (r Reading) Validate() error { return stages.Check("ingest", r) }

// lastYear is the year after which no date can be a fact: that of the snapshot where it is named,
// else any.
func (p Params) lastYear() int {
	if year, err := strconv.Atoi(p.Date[:min(4, len(p.Date))]); err == nil && year > 0 {
		return year
	}
	return 9999
}

type stage struct {
	params Params
	reader string
	budget int // of each sorter
}

// New returns the stage with a way of reading pages, native or wikiparse, "" for the default. It is
// no parameter: the pages are the same.
func New(p Params, reader string) stages.Stage { return stage{p, reader, sorterBudget} }

func (s stage) Spec() stages.Spec {
	return stages.Spec{
		Name: "ingest", Version: 3,
		Inputs: []schemas.Artifact{schemas.Dump},
		Outputs: []schemas.Artifact{
			schemas.SnapshotArtifact, schemas.Pages, schemas.Redirects, schemas.Links, schemas.LinkAnchors,
			schemas.Leads, schemas.Facts, schemas.Infoboxes, schemas.Texts,
		},
		Params: s.params,
	}
}

// Estimate: what is written takes about three times the compressed dump, once more with anchors,
// once more with texts.
func (s stage) Estimate(inputs []stages.File) stages.Estimate {
	var bytes int64
	for _, f := range inputs {
		bytes += f.Digest.Bytes
	}
	times := int64(4)
	if s.params.Anchors == schemas.AnchorsOff {
		times = 3
	}
	if !s.params.Texts.IsZero() {
		times++
	}
	return stages.Estimate{Disk: times * bytes, Memory: heapLimit(1)}
}

// heapLimit is how far the heap may grow before garbage is collected at once: the two sorters, a
// page of nothing but marks and the windows of eight workers, so that the process stays below 512
// MiB; and the windows of further workers.
func heapLimit(workers int) int64 { return 2*sorterBudget + 160<<20 + max(0, int64(workers)-8)<<24 }

// limitHeap sets the limit, unless there is a lower one, and returns what undoes that. Without it
// the heap grows to twice of what is held. It changes no result.
func limitHeap(workers int) (undo func()) {
	before := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(before, heapLimit(workers)))
	return func() { debug.SetMemoryLimit(before) }
}

// Run reads the dump once, sorts what it found by page id and by title, and writes.
func (s stage) Run(ctx context.Context, env stages.Env) error {
	defer limitHeap(env.Workers())()
	dump, err := s.open(ctx, env)
	if err != nil {
		return err
	}
	defer dump.Close()
	props, err := dabPages(ctx, env)
	if err != nil {
		return err
	}
	found := newCollector(env, s.budget)
	defer found.Close()
	what := needs{
		leadRunes: s.params.LeadRunes, hatnotes: s.params.Hatnotes, lastYear: s.params.lastYear(), anchors: newAnchorSwitch(s.params.Anchors),
		texts: newTextSwitch(s.params.Texts),
	}
	if err := found.read(ctx, dump, what); err != nil {
		return err
	}
	stages.Counts(env, dump.Counts())
	what.anchors.warnOfTrail(env, dump.Site())
	for _, w := range dump.Warnings() {
		env.Warn(schemas.Warning{Code: w.Code})
	}
	if err := writeRedirects(env, found.byTitle); err != nil {
		return err
	}
	if err := writePages(env, found.byID, found.dabTemplates(dump.Site()), props, what); err != nil {
		return err
	}
	if err := env.Write("skipped.jsonl", stages.Bytes(jsonl.Encode(dump.Skipped()))); err != nil {
		return err
	}
	return s.writeSnapshot(env, dump)
}

// writeSnapshot says which wiki and day the pages are from: as given, else by the file's name, else
// by the dump.
func (s stage) writeSnapshot(env stages.Env, dump *mediawiki.Dump) error {
	info := dump.SiteInfo()
	record := schemas.Snapshot{
		Schema:         schemas.SnapshotSchema,
		Wiki:           cmp.Or(s.params.Wiki, info.DBName, "unknown"),
		Date:           cmp.Or(s.params.Date, day(dump.NewestRevision())),
		Language:       info.Lang,
		SiteName:       info.SiteName,
		Base:           info.Base,
		SiteInfoSHA256: digest.SHA256(canon.MustMarshal(info)),
		IndexChecked:   dump.IndexChecked(),
		Unicode:        unicode.Version,
	}
	return env.Write("snapshot.json", stages.JSONDocument(record))
}

// day turns an RFC 3339 time into YYYYMMDD.
func day(rfc3339 string) string {
	date, _, _ := strings.Cut(rfc3339, "T")
	return strings.ReplaceAll(date, "-", "")
}
