// Package wikitest holds what the tests of titles, markup, links and facts share: sites, texts that are hard to read, and the pages
// of the sample data, which lies outside the repository.
package wikitest

import (
	"bytes"
	"compress/bzip2"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/wikinav/wikinav/dumps/wikitext/titles"
)

// The sample files, with the sums of the data's README.
const (
	EnwikiSample, EnwikiSampleSum = "dumps/enwiki-sample.xml.bz2", "a53f4648dec40467ebdcbc7a1307eddb51fe6e28e9309f6ebde81ba0d04bea2d"
	EnwikiLinks, EnwikiLinksSum   = "dumps/enwiki-sample-links-ref.jsonl", "86e9d85986d60682a3835f9b47ed78680cfbea5852f603d78ebc882c96ed8bd9"
	Speedia, SpeediaSum           = "wikispeedia/wikispeedia-20090101-pages-articles-multistream.xml.bz2", "386277646750024974adfa0717cfce0873141561ba6cc9bf9329f0c34655f437"
	SpeediaLinks, SpeediaLinksSum = "wikispeedia/links.tsv.gz", "8abcc18c60689d66290370333f3ca6a14e7a6ff9638b32663528c9fab8584362"
	Genshin, GenshinSum           = "realwiki/gensinimpact-20230321-pages-articles.xml.bz2", "37734e0d2f68d3138b16410b3be15271e9f91a340dc7e33222e99d341ec90b4d"
	Sotho, SothoSum               = "realwiki/nsowiki-20220701-pages-articles.xml.bz2", "a33c4c42eb5e198612ca705c8220e6c7082199ad0fc1bc114924e4321290e519"
)

// Shared reads a file of the sample data, which lies outside the repository, and checks its sum.
func Shared(t testing.TB, name, sum string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(sharedData(t), filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	got := sha256.Sum256(data)
	if hex.EncodeToString(got[:]) != sum {
		t.Fatalf("%s: got SHA-256 %x, want %s", name, got, sum)
	}
	return data
}

// sharedData finds the sample data by WIKINAV_SHARED or beside the repository.
func sharedData(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("WIKINAV_SHARED"); dir != "" {
		return filepath.Join(dir, "data")
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		data := filepath.Join(dir, "shared", "data")
		if info, err := os.Stat(data); err == nil && info.IsDir() {
			return data
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Skip("no sample data: set WIKINAV_SHARED, or put shared/ beside the repository")
		}
		dir = parent
	}
}

// DumpPage is a page as encoding/xml sees it, independently of the project's own readers.
type DumpPage struct {
	ID       int    `xml:"id"`
	NS       int    `xml:"ns"`
	Title    string `xml:"title"`
	Redirect struct {
		Title string `xml:"title,attr"`
	} `xml:"redirect"`
	Model string `xml:"revision>model"`
	Text  string `xml:"revision>text"`
}

// dump is an export as encoding/xml sees it.
type dump struct {
	Lang    string `xml:"lang,attr"`
	Version string `xml:"version,attr"`
	Info    struct {
		SiteName   string `xml:"sitename"`
		DBName     string `xml:"dbname"`
		Base       string `xml:"base"`
		Generator  string `xml:"generator"`
		Case       string `xml:"case"`
		Namespaces []struct {
			Key  int    `xml:"key,attr"`
			Case string `xml:"case,attr"`
			Name string `xml:",chardata"`
		} `xml:"namespaces>namespace"`
	} `xml:"siteinfo"`
	Pages []DumpPage `xml:"page"`
}

// ReadDump gives the site and all pages of a bzip2 dump.
func ReadDump(t testing.TB, data []byte) (*titles.Site, []DumpPage) {
	t.Helper()
	var d dump
	if err := xml.NewDecoder(bzip2.NewReader(bytes.NewReader(data))).Decode(&d); err != nil {
		t.Fatal(err)
	}
	info := titles.SiteInfo{
		SiteName: d.Info.SiteName, DBName: d.Info.DBName, Base: d.Info.Base, Generator: d.Info.Generator, Case: d.Info.Case,
		Lang: d.Lang, Version: d.Version,
	}
	for _, n := range d.Info.Namespaces {
		info.Namespaces = append(info.Namespaces, titles.Namespace{Key: n.Key, Name: n.Name, Case: n.Case})
	}
	return titles.NewSite(info), d.Pages
}

// PageTitle parses the title of a page that must have a good one.
func PageTitle(t testing.TB, s *titles.Site, p DumpPage) titles.Title {
	t.Helper()
	title, err := s.ParsePageTitle(p.Title)
	if err != nil || title.NS != p.NS {
		t.Fatalf("page %d %q: got namespace %d, error %v, want namespace %d", p.ID, p.Title, title.NS, err, p.NS)
	}
	return title
}

var sampleOnce struct {
	sync.Once
	site  *titles.Site
	pages []DumpPage
}

// Sample reads the dump once for all tests.
func Sample(t testing.TB) (*titles.Site, []DumpPage) {
	t.Helper()
	data := Shared(t, EnwikiSample, EnwikiSampleSum)
	sampleOnce.Do(func() { sampleOnce.site, sampleOnce.pages = ReadDump(t, data) })
	return sampleOnce.site, sampleOnce.pages
}

// EnglishWikipedia is the site that the vectors were written for.
func EnglishWikipedia() *titles.Site {
	return titles.NewSite(titles.SiteInfo{
		SiteName: "Wikipedia", DBName: "enwiki", Base: "https://en.wikipedia.org/wiki/Main_Page",
		Case: "first-letter", Lang: "en", Namespaces: namespaces("Media", "Special", "", "Talk", "User", "User talk",
			"Wikipedia", "Wikipedia talk", "File", "File talk", "MediaWiki", "MediaWiki talk", "Template",
			"Template talk", "Help", "Help talk", "Category", "Category talk"),
	})
}

// namespaces numbers names from -2 and adds a portal namespace.
func namespaces(names ...string) []titles.Namespace {
	var all []titles.Namespace
	for i, name := range names {
		all = append(all, titles.Namespace{Key: i - 2, Name: name, Case: "first-letter"})
	}
	return append(all, titles.Namespace{Key: 100, Name: "Portal", Case: "first-letter"})
}

// ItalianWikipedia is a site with local names.
func ItalianWikipedia() *titles.Site {
	return titles.NewSite(titles.SiteInfo{
		Base: "http://it.wikipedia.org/wiki/Pagina_principale", Case: "first-letter", Lang: "it",
		Namespaces: namespaces("Media", "Speciale", "", "Discussione", "Utente", "Discussioni utente", "Wikipedia",
			"Discussioni Wikipedia", "File", "Discussioni file", "MediaWiki", "Discussioni MediaWiki", "Template",
			"Discussioni template", "Aiuto", "Discussioni aiuto", "Categoria", "Discussioni categoria"),
	})
}

// Hostile are texts whose repetition makes careless scanners quadratic.
var Hostile = []string{
	"<ref", "<ref>", "<ref >", "<ref <", "</ref", "</ref>", "<ref><nowiki>", "<ref><poem><gallery>", "<nowiki><!--", "<includeonly",
	"<noinclude>", "<!--", "<!---->", " <!-- -->", "-->", "[[", "[[[", "]]", "[[a", "[[a|", "[[File:", "[[File:a|", "[[a]]", "[[a:", "[[%",
	"[[&", "[[&#", "[[&a", "[[_", "{{", "{{{", "}}", "{{{{}}", "{{#tag:ref", "{{ PAGENAME", "{{!", "{{dab", "{{dab|", "{|", "\n{|", "\n|}", "\n|}}",
	"\n :", "|", "{{\n{|[[File:<ref>", "a", " ", "\x7F", "\xFF", "é",
	"{{a|", "{{a|b}}\n", "{{main|a}}", "{{coord|1|2}}", "{{Infobox x|a=", "{{Infobox x|a=1}}", "{{convert|1|km|", "{{nowrap|", "|a=", "=", "<a b",
	"[[a]]s", "[[a|b]]", "[[a|{{", "[[a|{{nowrap|b}}]]", "[[a|[http://b ]]]", "[[a|''<b>&amp;]]", "]]a",
	"'", "__A", "(", "( ;", "[http://a ", "\n*", "\n=", "&amp;", "{{lang|a|", "{{[[", "{{{", "[[Category:Disambiguation pages", "__DISAMBIG__<noinclude>",
}
