package titles

import (
	"reflect"
	"testing"
)

func TestSiteKeepsItsOwnCopyOfNamespaces(t *testing.T) {
	info := SiteInfo{Namespaces: []Namespace{{Key: 14, Name: "Kategorie"}}}
	s := NewSite(info)
	info.Namespaces[0].Name = "changed"
	want := []Namespace{{Key: 14, Name: "Kategorie"}}
	if got := s.Info().Namespaces; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestNamespacesAreFoundByLocalAndCanonicalNames(t *testing.T) {
	it, en := italianWikipedia(), englishWikipedia()
	for _, c := range []struct {
		site *Site
		raw  string
		want int
	}{
		{it, "Categoria:X", 14},
		{it, "category:X", 14},
		{it, "DISCUSSIONI_UTENTE:X", 3},
		{it, "user talk:X", 3},
		{it, "Immagine:X", 0},
		{it, "Image:X", 6},
		{it, "WP:X", 0}, // an alias of English Wikipedia alone
		{en, "wp:X", 4},
		{en, "WT:X", 5},
		{en, "TM:X", 10},
		{en, "project:X", 4},
		{en, "Wikipedia:X", 4},
		{en, "Portal:X", 100},
		{en, "Help talk : X", 13},
		{en, "Helptalk:X", 0},
	} {
		title, err := c.site.ParseTitle(c.raw)
		if err != nil || title.NS != c.want {
			t.Errorf("%q on %s: got namespace %d, error %v, want %d", c.raw, c.site.Info().Lang, title.NS, err, c.want)
		}
	}
}

func TestLocalNamesHideCanonicalNamesAndAliases(t *testing.T) {
	s := NewSite(SiteInfo{DBName: "enwiki", Namespaces: []Namespace{{Key: 300, Name: "IMAGE"}, {Key: 302, Name: "Wt"}}})
	for raw, want := range map[string]int{"image:x": 300, "Image:x": 300, "WT:x": 302, "wt:x": 302, "WP:x": 4} {
		title, err := s.ParseTitle(raw)
		if err != nil || title.NS != want {
			t.Errorf("%q: got namespace %d, error %v, want %d", raw, title.NS, err, want)
		}
	}
}

func TestAliasesOfEnglishWikipediaNeedNoDatabaseName(t *testing.T) {
	for base, want := range map[string]int{
		"http://en.wikipedia.org/wiki/Main_Page": 4, "https://en.wiktionary.org/wiki/X": 0, "::bad::": 0,
	} {
		title, err := NewSite(SiteInfo{Base: base, Lang: "en"}).ParseTitle("WP:X")
		if err != nil || title.NS != want {
			t.Errorf("base %q: got namespace %d, error %v, want %d", base, title.NS, err, want)
		}
	}
}

func TestInterwikiTableIsComplete(t *testing.T) {
	table := interwikiPrefixes()
	if len(table) != 458 || !table["fr"] || table["wikt"] {
		t.Errorf("got %d prefixes, fr %t, wikt %t; want 458, true, false",
			len(table), table["fr"], table["wikt"])
	}
}

// englishWikipedia, italianWikipedia and namespaces are those of package wikitest, which imports this one.
func englishWikipedia() *Site {
	return NewSite(SiteInfo{
		SiteName: "Wikipedia", DBName: "enwiki", Base: "https://en.wikipedia.org/wiki/Main_Page",
		Case: "first-letter", Lang: "en", Namespaces: namespaces("Media", "Special", "", "Talk", "User", "User talk",
			"Wikipedia", "Wikipedia talk", "File", "File talk", "MediaWiki", "MediaWiki talk", "Template",
			"Template talk", "Help", "Help talk", "Category", "Category talk"),
	})
}

func italianWikipedia() *Site {
	return NewSite(SiteInfo{
		Base: "http://it.wikipedia.org/wiki/Pagina_principale", Case: "first-letter", Lang: "it",
		Namespaces: namespaces("Media", "Speciale", "", "Discussione", "Utente", "Discussioni utente", "Wikipedia",
			"Discussioni Wikipedia", "File", "Discussioni file", "MediaWiki", "Discussioni MediaWiki", "Template",
			"Discussioni template", "Aiuto", "Discussioni aiuto", "Categoria", "Discussioni categoria"),
	})
}

func namespaces(names ...string) []Namespace {
	var all []Namespace
	for i, name := range names {
		all = append(all, Namespace{Key: i - 2, Name: name, Case: "first-letter"})
	}
	return append(all, Namespace{Key: 100, Name: "Portal", Case: "first-letter"})
}
