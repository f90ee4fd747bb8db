package markup

import (
	"slices"
	"testing"
)

func TestFlatten(t *testing.T) {
	for _, c := range []struct{ raw, want string }{
		{"plain < text", "plain < text"},
		{"a<!-- b -->c", "ac"},
		{"a<!-- b", "a"},
		{"a<!-->c-->d", "ad"},
		{"a\n \t<!-- b --> \nc", "a\nc"},
		{"<!-- b -->\nc", "c"},
		{"a\n<!-- b --><!-- c -->\nd", "a\nd"},
		{"a <!-- b -->\nc", "a \nc"},
		{"a\n<!-- b --> c", "a\n c"},
		{"a\n<!-- b -->", "a\n"},
		{"a<nowiki>b</nowiki >c", "a\x7Fc"},
		{"a<NoWiki >b</nOWIKI\n>c", "a\x7Fc"},
		{"a<nowiki>b", "a<nowiki>b"},
		{"a</nowiki>b", "a</nowiki>b"},
		{"a<nowikis>b</nowikis>", "a<nowikis>b</nowikis>"},
		{"a<nowiki b", "a<nowiki b"},
		{"a<nowiki/>b", "a\x7Fb"},
		{"a<ref name=x/y>b</ref>c", "a\x7Fc"},
		{"a<ref>b</references>c", "a<ref>b</references>c"},
		{"a<ref><ref>b</ref>c</ref>", "a\x7Fc</ref>"},
		{"a<includeonly>b</includeonly>c", "ac"},
		{"a<includeonly>b", "a"},
		{"a<includeonly/>b</includeonly>c", "abc"},
		{"<noinclude>a</noinclude><onlyinclude >b</onlyinclude><noinclude/>c", "abc"},
		{"<small>a</small> <code>b</code>", "<small>a</small> <code>b</code>"},
		{"<ref>a <nowiki></ref>b</nowiki>", "\x7Fb</nowiki>"},
	} {
		var f Flattener
		if got := f.Flatten(c.raw); got != c.want {
			t.Errorf("%q: got %q, want %q", c.raw, got, c.want)
		}
	}
}

func TestFlattenLeavesBodiesAtTheirMarkers(t *testing.T) {
	var f Flattener
	f.Flatten("a<ref>b</ref>c<nowiki>d</nowiki><!-- <ref>e</ref> --><poem><ref>f</ref></poem>")
	type body struct {
		at         int
		name, text string
	}
	var got []body
	for _, s := range f.Subs {
		got = append(got, body{int(s.At), s.Tag.Name, s.Body})
	}
	if want := []body{{1, "ref", "b"}, {4, "poem", "<ref>f</ref>"}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestExpandMagic(t *testing.T) {
	for raw, want := range map[string]string{
		"{{{!}}":                     "{|",
		"{{!-}}{{!!}}{{=}}":          "|-||=",
		"{{ PAGENAME\n}}":            "T",
		"{{FULLPAGENAME}}":           "Talk:T",
		"{{PAGENAMEE}} {{pagename}}": "{{PAGENAMEE}} {{pagename}}",
		"{{!}":                       "{{!}",
		"a{{!}}":                     "a|",
		"{{{{PAGENAME}}}}":           "{{T}}",
	} {
		if got := ExpandMagic(raw, "T", "Talk:T"); got != want {
			t.Errorf("%q: got %q, want %q", raw, got, want)
		}
	}
}
