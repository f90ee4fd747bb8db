package links

import (
	"slices"
	"testing"

	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/dumps/wikitext/wikitest"
	"github.com/wikinav/wikinav/schemas"
)

func TestHatnotesAreLinksWhereAskedFor(t *testing.T) {
	const args, body, refs = schemas.ProvTemplateArgs, schemas.ProvBody, schemas.ProvRefs
	for _, c := range []struct {
		text string
		want []Link
	}{
		{"{{main|a}}", []Link{{"A", args}}},
		{"[[X]] {{See also|a|b#c|l1=d}} [[Y]]", []Link{{"X", body}, {"A", args}, {"B", args}, {"Y", body}}},
		{"{{main|a}} [[A]]", []Link{{"A", args | body}}},
		{"<poem>[[X]]</poem>{{main|a}}<poem>[[Y]]</poem>", []Link{{"X", body}, {"A", args}, {"Y", body}}},
		{"{{further|[[X]] and [[Y]]}}", []Link{{"X", args}, {"Y", args}}},
		{"{{Main article|a}}{{further information|b}}{{details|c}}{{further|d}}", []Link{{"A", args}, {"B", args}, {"C", args}, {"D", args}}},
		{"<ref>{{main|a}}</ref>", []Link{{"A", refs}}},
		{"{{main|T|:Category:X| |<b>y</b>}}{{main}}{{mainx|a}}<!-- {{main|a}} -->", nil},
	} {
		x := NewExtractor(wikitest.EnglishWikipedia())
		x.ReadHatnotes()
		if got := x.Links(titles.Title{Text: "T"}, c.text); !slices.Equal(got, c.want) {
			t.Errorf("%q: got %v, want %v", c.text, got, c.want)
		}
		CheckBalance(t, x.Counts())
	}
}

func TestHatnotesAreNoLinksByDefault(t *testing.T) {
	x := NewExtractor(wikitest.EnglishWikipedia())
	if got := x.Links(titles.Title{Text: "T"}, "{{main|a}}"); len(got) != 0 || x.Counts() != (Counts{}) {
		t.Errorf("got %v, %+v", got, x.Counts())
	}
}
