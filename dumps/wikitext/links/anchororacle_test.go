package links

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/dumps/wikitext/wikitest"
	"github.com/wikinav/wikinav/schemas/names"
)

// Anchors again in the slow and plain way. Templates and brackets in a label are the matter of leads, and have their own
// tests: unclear stands for such an anchor, which then is not compared.

const unclear = "\x00"

var (
	oracleTrail  = regexp.MustCompile(`^[a-z]+`)
	oracleFormat = regexp.MustCompile("'{2,5}|__[A-Z\u0080-\U0010FFFF]+__|</?[A-Za-z][^<>]*>")
	oracleBlanks = regexp.MustCompile("[ \t\n\r\u00A0]+")
)

func oracleAnchor(target, label, after string) string {
	text := strings.ReplaceAll(label, "\x7F", "")
	switch {
	case strings.ContainsAny(text, "{["):
		return unclear
	case label == "":
		text = titles.DecodeReferences(strings.TrimPrefix(strings.TrimLeft(names.DecodePercent(target), " "), ":"))
	default:
		text = titles.DecodeReferences(oracleFormat.ReplaceAllString(text, ""))
	}
	text = norm.NFC.String(text + oracleTrail.FindString(after))
	return strings.Trim(oracleBlanks.ReplaceAllString(text, " "), " ")
}

// keepAnchor looks at all anchors before: those of unclear text are kept one by one.
func (o *oracle) keepAnchor(a Anchor) {
	for _, b := range o.anchors {
		if b.At = a.At; a == b && a.Text != unclear {
			return
		}
	}
	o.anchors = append(o.anchors, a)
}

func anchorReader() *Extractor {
	x := NewExtractor(wikitest.EnglishWikipedia())
	x.ReadAnchors(true)
	return x
}

// compareAnchorsWithOracle compares a text's anchors and gives how many it saw, and how many of them were unclear.
// Occurrences whose text the oracle does not know may be repetitions, so that only those at its places count.
func compareAnchorsWithOracle(t testing.TB, x *Extractor, own titles.Title, text string) (compared, skipped int) {
	t.Helper()
	o := &oracle{site: x.site, own: own}
	links := x.Links(own, text)
	checkAnchors(t, text, links, x.Anchors())
	if !utf8.ValidString(text) {
		return 0, 0
	}
	if want := o.run(text); !slices.Equal(links, want) {
		t.Fatalf("%q: got links %v, want %v", text, links, want)
	}
	slices.SortFunc(o.anchors, func(a, b Anchor) int { return cmp.Or(cmp.Compare(a.Link, b.Link), cmp.Compare(a.At, b.At)) })
	unknown := map[uint32]bool{}
	for _, a := range o.anchors {
		unknown[a.At] = a.Text == unclear
	}
	isUnknown := func(a Anchor) bool { return unknown[a.At] }
	got := slices.DeleteFunc(slices.Clone(x.Anchors()), isUnknown)
	want := slices.DeleteFunc(o.anchors, isUnknown)
	if skipped = len(unknown) - len(want); skipped > 0 {
		// An anchor after an unclear one of the same text is missing in what we gave.
		want = slices.DeleteFunc(want, func(a Anchor) bool {
			return !slices.Contains(got, a) && slices.ContainsFunc(x.Anchors(), func(b Anchor) bool {
				return unknown[b.At] && b.Link == a.Link && b.Provenance == a.Provenance && b.Text == a.Text
			})
		})
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%.2000q: got anchors %+v, want %+v", text, got, want)
	}
	return len(want), skipped
}

func TestAnchorsOfTheSampleEqualTheOracles(t *testing.T) {
	site, pages := wikitest.Sample(t)
	x := NewExtractor(site)
	x.ReadAnchors(true)
	compared, skipped := 0, 0
	for _, p := range pages {
		if p.NS == 0 && len(p.Text) < 60_000 { // the oracle is quadratic
			n, m := compareAnchorsWithOracle(t, x, wikitest.PageTitle(t, site, p), p.Text)
			compared, skipped = compared+n, skipped+m
		}
	}
	if compared < 5_000 || 100*skipped > compared {
		t.Errorf("%d anchors compared, %d skipped: too few to prove anything", compared, skipped)
	}
	t.Logf("%d anchors compared, %d skipped", compared, skipped)
}
