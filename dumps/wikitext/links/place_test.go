package links

import (
	"slices"
	"testing"

	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/dumps/wikitext/wikitest"
	"github.com/wikinav/wikinav/schemas"
)

func TestProvenance(t *testing.T) {
	const (
		body, args, table   = schemas.ProvBody, schemas.ProvTemplateArgs, schemas.ProvTables
		refs, caption, link = schemas.ProvRefs, schemas.ProvCaptions, "[[A]]"
	)
	x := NewExtractor(wikitest.EnglishWikipedia())
	for _, c := range []struct {
		text string
		want schemas.Provenance
	}{
		{link, body},
		{"<ref>[[A]]</ref>", refs},
		{"<references><ref>x</ref> [[A]]</references>", refs},
		{"<poem><ref>[[A]]</ref></poem>", refs},
		{"<ref><poem>[[A]]</poem></ref>", refs},
		{"<ref>{{cite|[[A]]}}</ref>", refs},
		{"{{x|<ref>[[A]]</ref>}}", refs},
		{"<gallery>\nA.png|<ref>[[A]]</ref></gallery>", refs},
		{"<ref><gallery>\nA.png|[[A]]</gallery></ref>", refs},
		{"[[File:x|y<ref>[[A]]</ref>]]", refs},
		{"{{#tag:ref|[[A]]}}", refs},
		{"{{ #Tag:ref |x {{y|[[A]]}}}}", refs},
		{"{{x|{{#tag:ref|[[A]]}}}}", refs},
		{"{{#tag:ref|x}} [[A]]", body},
		{"{{#tag:references|[[A]]}}", args},
		{"{{#tag:ref|[[A]]", body},
		{"<gallery>\nA.png|[[A]]</gallery>", caption},
		{"<imagemap>\n[[A]]</imagemap>", caption},
		{"<gallery>\nA.png|{{x|[[A]]}}</gallery>", caption},
		{"{{x|<gallery>\nA.png|[[A]]</gallery>}}", caption},
		{"[[File:x.png|thumb|[[A]]]]", caption},
		{"[[ image : x.png|[[B]] and [[A]] more]]", caption},
		{"[[FILE:x|{{y|[[A]]}}]]", caption},
		{"{{y|[[File:x|[[A]]]]}}", caption},
		{"[[File:x|<poem>[[A]]</poem>]]", caption},
		{"[[File:x|[[A]]", body},
		{"[[File:x|[[A]] [[B|c]]", body},
		{"[[File:x [[A]] ]]", body},
		{"[[File:x [[A]] | ]]", body},
		{"[[:File:x|[[A]]]]", body},
		{"[[File talk:x|[[A]]]]", body},
		{"[[Category:x|[[A]]]]", body},
		{"[[File:x|y]] [[A]]", body},
		{"{{x|[[A]]}}", args},
		{"{{{x|[[A]]}}}", args},
		{"{{x|{{y}} [[A]]}}", args},
		{"{{x|y}} [[A]]", body},
		{"{{x|[[A]]", body},
		{"[[A]]}}", body},
		{"{{ [[A]] {{x}}", body},
		{"{{x|\n{|\n| [[A]]\n|}\n}}", args},
		{"{|\n| {{x|[[A]]}}\n|}", args},
		{"<poem>{{x|</poem>[[A]]}}", body},
		{"{|\n| [[A]]\n|}", table},
		{"x\n : {|\n| [[A]]\n |}", table},
		{"{|\n|\n{|\n|}\n[[A]]\n|}", table},
		{"{|\n{{x\n|}}\n| [[A]]\n|}", table},
		{"{|\n<poem>[[A]]</poem>\n|}", table},
		{"{|\n<poem>\n|}</poem>[[A]]\n|}", table},
		{"{|\n|}\n[[A]]", body},
		{"{|\n[[A]]", body},
		{"{|\n[[A]] |}", body},
		{"x {|\n[[A]]\n|}", body},
		{"<poem>[[A]]</poem>", body},
		{"<indicator name=x>[[A]]</indicator>", body},
		{"[[A]] <ref>[[A]]</ref> {{x|[[a]]}}", body | refs | args},
	} {
		links := x.Links(titles.Title{Text: "T"}, c.text)
		i := slices.IndexFunc(links, func(l Link) bool { return l.Target == "A" })
		if i < 0 || links[i].Provenance != c.want {
			t.Errorf("%q: got %v, want A with %s", c.text, links, schemas.BitNames(c.want, schemas.ProvenanceNames))
		}
	}
}

func TestLocalFileNamesOpenCaptions(t *testing.T) {
	s := titles.NewSite(titles.SiteInfo{Lang: "de", Namespaces: []titles.Namespace{{Key: 6, Name: "Datei"}}})
	for _, text := range []string{"[[Datei:x|[[A]]]]", "[[datei:x|[[A]]]]", "[[File:x|[[A]]]]", "[[Bild:x|[[A]]]]"} {
		want := schemas.ProvCaptions
		if text == "[[Bild:x|[[A]]]]" { // an alias that no table tells us
			want = schemas.ProvBody
		}
		x := NewExtractor(s)
		if got := x.Links(titles.Title{Text: "T"}, text); !slices.Equal(got, []Link{{"A", want}}) {
			t.Errorf("%q: got %v, want A with %d", text, got, want)
		}
	}
}
