package titles

import (
	"testing"

	"github.com/wikinav/wikinav/schemas"
)

func TestTextRedirect(t *testing.T) {
	en, it := englishWikipedia(), italianWikipedia()
	ru := NewSite(SiteInfo{Lang: "ru"})
	for _, c := range []struct {
		site *Site
		text string
		want string
		ok   bool
	}{
		{en, "#REDIRECT [[Foo#Bar|label]] more [[X]]", "Foo#Bar", true},
		{en, " \n#redirect[[foo]]", "foo", true},
		{en, "#Redirect : [[Foo]]", "Foo", true},
		{en, "#REDIRECT\n[[Foo]]", "Foo", true},
		{en, "#REDIRECT Foo [[Bar]]", "", false},
		{en, "#REDIRECT [[Foo", "", false},
		{en, "#REDIRECT [[Foo\n]]", "", false},
		{en, "# REDIRECT [[Foo]]", "", false},
		{en, "x #REDIRECT [[Foo]]", "", false},
		{en, "REDIRECT [[Foo]]", "", false},
		{en, "#RED", "", false},
		{en, "", "", false},
		{en, "#RINVIA [[Foo]]", "", false},
		{it, "#rinvia [[Foo]]", "Foo", true},
		{it, "#REDIRECT [[Foo]]", "Foo", true},
		{ru, "#ПЕРЕНАПР [[Foo]]", "Foo", true},
		{ru, "#Перенаправление [[Foo]]", "Foo", true},
	} {
		if got, ok := c.site.TextRedirect(c.text); got != c.want || ok != c.ok {
			t.Errorf("%q on %q: got %q, %v, want %q, %v", c.text, c.site.Info().Lang, got, ok, c.want, c.ok)
		}
	}
}

func TestRedirect(t *testing.T) {
	s := englishWikipedia()
	type answer struct {
		r                      Redirect
		fromText, disagree, ok bool
	}
	for _, c := range []struct {
		attr, text string
		want       answer
	}{
		{"", "plain text", answer{}},
		{"Foo", "", answer{r: Redirect{Target: "Foo"}, ok: true}},
		{"Foo", "#REDIRECT [[foo#Bar]]", answer{r: Redirect{Target: "Foo", Fragment: "Bar"}, ok: true}},
		{"Foo", "#REDIRECT [[Baz]]", answer{r: Redirect{Target: "Foo"}, disagree: true, ok: true}},
		{"Foo", "#REDIRECT [[<]]", answer{r: Redirect{Target: "Foo"}, disagree: true, ok: true}},
		{"", "#REDIRECT [[foo#Bar]]", answer{r: Redirect{Target: "Foo", Fragment: "Bar"}, fromText: true, ok: true}},
		{"category:x", "", answer{r: Redirect{Target: "Category:X", Kind: schemas.TargetOther}, ok: true}},
		{"fr:paris", "", answer{r: Redirect{Target: "fr:paris", Kind: schemas.TargetInterwiki}, ok: true}},
		{"wikt:", "", answer{r: Redirect{Target: "wikt:", Kind: schemas.TargetInterwiki}, ok: true}},
		{"a|b", "", answer{r: Redirect{Kind: schemas.TargetInvalid}, ok: true}},
		{"", "#REDIRECT [[#x]]", answer{r: Redirect{Kind: schemas.TargetInvalid}, fromText: true, ok: true}},
	} {
		var got answer
		got.r, got.fromText, got.disagree, got.ok = s.Redirect(c.attr, c.text)
		if got != c.want {
			t.Errorf("%q, %q: got %+v, want %+v", c.attr, c.text, got, c.want)
		}
	}
}
