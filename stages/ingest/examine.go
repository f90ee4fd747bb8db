package ingest

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/dumps/mediawiki"
	"github.com/wikinav/wikinav/dumps/pagetext"
	"github.com/wikinav/wikinav/dumps/wikitext/facts"
	"github.com/wikinav/wikinav/dumps/wikitext/links"
	"github.com/wikinav/wikinav/dumps/wikitext/markup"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// record is what ingest keeps of a page.
type record struct {
	id         uint32
	ns         int16
	title      string
	model      string
	revID      uint64
	revTime    string
	textBytes  uint32
	textSHA256 [sha256.Size]byte
	flags      uint16
	isRedirect bool
	fromText   bool // the redirect was found in the text only
	disagree   bool // text and <redirect> name different targets
	redirect   titles.Redirect
	links      []links.Link
	selfLinks  schemas.Provenance // where the page links to itself; such links are in no list
	anchors    []links.Anchor     // of links; nil where they are off

	lead      string
	truncated bool
	facts     []facts.Fact
	infobox   string // the template's name
	text      schemas.Text
	templates []uint64 // hashes of the templates that might mark it as a disambiguation page
	marksDab  bool     // a template that marks the pages that use it

	payload []byte // the record coded, in place of what a text decides the length of; see pack
}

// pack codes the record by way of scratch and lets go of what takes more memory as it is: the
// records of pages that are nothing but facts wait for their turn in a fraction of it, and nothing
// of a record holds on to its text.
func (r *record) pack(scratch []byte) []byte {
	scratch = appendRecord(scratch[:0], r)
	r.payload = slices.Clone(scratch)
	r.links, r.anchors, r.facts, r.templates, r.lead, r.infobox, r.text = nil, nil, nil, nil, "", "", schemas.Text{}
	r.redirect.Target, r.redirect.Fragment = strings.Clone(r.redirect.Target), strings.Clone(r.redirect.Fragment)
	return scratch
}

// isArticle reports whether the page can be a node: the recipe has the last word.
func (r *record) isArticle() bool {
	return r.ns == 0 && !r.isRedirect && r.model == schemas.ModelWikitext
}

// needs says what is taken from a page beside its links.
type needs struct {
	leadRunes int // 0 for neither leads nor facts
	hatnotes  bool
	lastYear  int         // of the dates that can be facts
	anchors   *sizeSwitch // nil for off
	texts     *sizeSwitch
}

// examiner takes from one page after another what the stage keeps; one goroutine uses it.
type examiner struct {
	site  *titles.Site
	links *links.Extractor
	facts *facts.Facts
	texts *pagetext.Renderer
	needs needs

	templates []uint64 // those of the record, and its code, before it is packed
	code      []byte
	cut       int64 // texts that were not read to their end
}

// examiners has pages examined by as many examiners as are wanted at a time.
type examiners struct {
	site  *titles.Site
	needs needs

	lock      sync.Mutex
	all, idle []*examiner
	large     sync.Mutex // held by the one who examines a large text
}

// largeText is the size above which one text at a time is examined, and the memory that it took
// given back: one that is nothing but marks takes up to 60 bytes of memory a byte.
const largeText = 256 << 10

// take returns an examiner that nobody uses.
func (l *examiners) take() *examiner {
	l.lock.Lock()
	defer l.lock.Unlock()
	if last := len(l.idle) - 1; last >= 0 {
		x := l.idle[last]
		l.idle = l.idle[:last]
		return x
	}
	x := &examiner{
		site: l.site, links: links.NewExtractor(l.site), facts: facts.NewFacts(l.site, l.needs.lastYear), texts: pagetext.NewRenderer(l.site),
		needs: l.needs,
	}
	if l.needs.hatnotes {
		x.links.ReadHatnotes()
	}
	x.links.ReadAnchors(l.needs.anchors.on())
	l.all = append(l.all, x)
	return x
}

// page returns the record of a page, whose text is not needed any more. Workers call it side by
// side.
func (l *examiners) page(page *mediawiki.Page) (any, error) {
	large := len(page.Text) > largeText
	if large {
		l.large.Lock()
		defer l.large.Unlock()
	}
	x, r := l.take(), new(record)
	err := x.examine(page, r)
	page.Text = ""
	if err == nil {
		x.code = r.pack(x.code)
	}
	if large {
		x.facts.Forget()
		x.code, x.templates = nil, nil
	}
	l.lock.Lock()
	l.idle = append(l.idle, x)
	l.lock.Unlock()
	return r, err
}

// CodeForeignSite is the code of the warning that more than one link in twenty begins like a
// namespace that the siteinfo does not name.
const CodeForeignSite = "W_FOREIGN_SITEINFO"

// cut returns how many texts were not read to their end.
func (l *examiners) cut() (texts int64) {
	for _, x := range l.all {
		texts += x.cut
	}
	return texts
}

// deletedTemplates returns how many templates show nothing in the texts.
func (l *examiners) deletedTemplates() (n int64) {
	for _, x := range l.all {
		for _, times := range x.texts.Deleted() { // summed, in whatever order
			n += times
		}
	}
	return n
}

// CodeTextCut is the code of the warning that a text has more than markup.MostMarks marks, and was
// read up to there.
const CodeTextCut = "W_TEXT_CUT"

// close writes the books of all examiners together. Of links and of values, what was found is what
// was kept and every reason to drop it.
func (l *examiners) close(env stages.Env) {
	var inLinks links.Counts
	var inFacts facts.Counts
	var alien int64
	for _, x := range l.all {
		alien += x.links.Alien()
		inLinks.Add(x.links.Counts())
		inFacts.Add(x.facts.Counts())
	}
	stages.Counts(env, inLinks.ByName())
	stages.WarnAbove(env, CodeForeignSite, schemas.Ratio{Num: alien, Den: inLinks[links.Found]}, schemas.Ratio{Num: 1, Den: 20})
	stages.Counts(env, inFacts.ByName())
	if l.needs.texts.on() {
		env.Count("text_templates_deleted", l.deletedTemplates())
	}
	if cut := l.cut(); cut > 0 { // only a raised ingest.page_text lets such texts in
		env.Count("texts_cut", cut)
		env.Warn(schemas.Warning{Code: CodeTextCut})
	}
}

// eachRecord reads the whole dump and hands the records of its pages to add, in file order.
func (l *examiners) eachRecord(ctx context.Context, dump *mediawiki.Dump, meter stages.Meter, add func(*record) error) error {
	dump.Examine(l.page)
	var seen int64
	for n := 1; ; n++ {
		page, err := dump.Next(ctx)
		if err == io.EOF || n%meterPages == 0 {
			done, _ := dump.Progress()
			meter.Add(done - seen)
			seen = done
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		if err := add(page.Examined.(*record)); err != nil {
			return err
		}
	}
}

// meterPages is how many pages lie between two looks at the progress.
const meterPages = 64

func (x *examiner) examine(page *mediawiki.Page, r *record) error {
	own, err := x.site.ParsePageTitle(page.Title)
	if err != nil {
		return fmt.Errorf("page %d: title passed the reader's check but not ours: %w", page.ID, err)
	}
	*r = record{
		id: page.ID, ns: int16(page.NS), title: x.site.FullTitle(own), model: page.Model, revID: page.RevID,
		revTime: page.RevTime, textBytes: uint32(len(page.Text)), textSHA256: digest.Text(page.Text),
	}
	if own.NS != page.NS { // the dump's number wins over the prefix, which is then part of the title
		own = titles.Title{NS: page.NS, Text: r.title}
	}
	if page.TextDeleted {
		r.flags |= schemas.FlagTextDeleted
	}
	if page.Model != schemas.ModelWikitext {
		r.flags |= schemas.FlagNonWikitext
		r.redirect, r.fromText, r.disagree, r.isRedirect = x.site.Redirect(page.RedirectTitle, "")
		return nil // what it says is in no language of ours
	}
	r.redirect, r.fromText, r.disagree, r.isRedirect = x.site.Redirect(page.RedirectTitle, page.Text)
	text, cut := markup.Cut(page.Text)
	x.cut += one(cut)
	x.read(own, text, r)
	return nil
}

// namespaceTemplate is where pages are that others use.
const namespaceTemplate = 10

// read takes links, lead and facts from a text in our language. They are in the memory of the
// examiner, until the next page.
func (x *examiner) read(own titles.Title, text string, r *record) {
	r.links = x.links.Links(own, text)
	if x.needs.anchors != nil {
		r.anchors = x.links.Anchors()
		if !x.needs.anchors.on() {
			x.links.ReadAnchors(false)
		}
	}
	r.flags |= x.links.Flags()
	r.selfLinks = x.links.SelfLinks()
	if own.NS == namespaceTemplate {
		r.marksDab = links.IsDisambiguationTemplate(x.site, text)
	}
	x.templates = x.templates[:0]
	if r.isArticle() {
		for _, name := range x.links.TopTemplates() {
			x.templates = append(x.templates, xxhash.Sum64String(name))
		}
	}
	r.templates = x.templates
	if len(text) > largeText {
		x.links.Forget()
	}
	if !r.isArticle() {
		return
	}
	if x.needs.leadRunes > 0 {
		r.lead, r.truncated = facts.Lead(x.site, text, x.needs.leadRunes, r.flags&schemas.FlagDisambiguation != 0)
		r.facts = x.facts.Page(own, text)
		r.infobox = x.facts.Infobox()
	}
	if x.needs.texts.on() {
		if len(text) > largeText {
			x.facts.Forget()
		}
		r.text = x.texts.Render(own, text)
	}
}
