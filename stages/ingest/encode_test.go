package ingest

import (
	"encoding/binary"
	"math"
	"reflect"
	"testing"

	"github.com/wikinav/wikinav/dumps/wikitext/facts"
	"github.com/wikinav/wikinav/dumps/wikitext/links"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

func randomRecord(r *rng.Stream) record {
	text := func() string {
		return []string{"", "A", "Straße", "a b\u2028c", string(make([]byte, 300))}[r.Below(5)]
	}
	f := record{
		id: uint32(r.Uint64()), ns: int16(r.Uint64()), title: text(), model: text(), revID: r.Uint64(), revTime: text(),
		textBytes: uint32(r.Uint64()), flags: uint16(r.Uint64()), isRedirect: r.Below(2) == 1,
		redirect: titles.Redirect{Target: text(), Fragment: text(), Kind: schemas.TargetKind(r.Below(4))},
		links:    make([]links.Link, r.Below(4)),
	}
	binary.BigEndian.PutUint64(f.textSHA256[20:], r.Uint64())
	for i := range f.links {
		f.links[i] = links.Link{Target: text(), Provenance: uint8(r.Uint64())}
	}
	f.infobox = text()
	f.text = schemas.Text{ShortDescription: text(), Text: text(), Chars: uint32(r.Uint64()), Truncated: r.Below(2) == 1}
	f.selfLinks, f.lead, f.truncated = byte(r.Below(32)), "a lead", r.Below(2) == 1
	f.anchors = make([]links.Anchor, r.Below(4))
	for i := range f.anchors {
		f.anchors[i] = links.Anchor{Link: 200*uint32(i) + uint32(r.Below(200)), At: uint32(r.Uint64()), Provenance: uint8(r.Below(32)), Text: text()}
	}
	f.facts, f.templates = []facts.Fact{}, []uint64{}
	for range r.Below(3) {
		f.facts = append(f.facts, facts.Fact{Key: "k", Kind: "number", Value: "1", Unit: "m", Raw: "1 m", Offset: r.Below(99), Source: "prose"})
		f.templates = append(f.templates, r.Uint64())
	}
	return f
}

func TestRecordsComeBackAsTheyWere(t *testing.T) {
	for seed := range 500 {
		want := randomRecord(rng.New(uint64(seed), "record"))
		got := decodeRecord(want.id, appendRecord(nil, &want))
		id, isRedirect, redirect := decodeRedirect(appendRedirect(nil, &want))
		if id != want.id || isRedirect != want.isRedirect || redirect != want.redirect {
			t.Fatalf("seed %d: got redirect %d %v %+v, want %d %v %+v", seed, id, isRedirect, redirect, want.id, want.isRedirect, want.redirect)
		}
		want.redirect = titles.Redirect{} // is in the other payload alone
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: got %+v, want %+v", seed, got, want)
		}
	}
}

func TestTitleKeysSortAsTitlesAndThenNamespaces(t *testing.T) {
	ascending := []record{
		{title: "A"}, {title: "A", ns: 1}, {title: "A", ns: math.MaxInt16}, {title: "A!"}, {title: "AB"}, {title: "Ä"},
	}
	for i := range ascending {
		key := appendTitleKey(nil, &ascending[i])
		if got := string(titleOf(key)); got != ascending[i].title {
			t.Errorf("got title %q, want %q", got, ascending[i].title)
		}
		if i > 0 && string(key) <= string(appendTitleKey(nil, &ascending[i-1])) {
			t.Errorf("%+v does not come after %+v", ascending[i], ascending[i-1])
		}
	}
}
