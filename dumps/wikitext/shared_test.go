package wikitext

import (
	"bytes"
	"compress/bzip2"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// The sample files, with the sums of the data's README.
const (
	enwikiSample, enwikiSampleSum = "dumps/enwiki-sample.xml.bz2", "a53f4648dec40467ebdcbc7a1307eddb51fe6e28e9309f6ebde81ba0d04bea2d"
	enwikiLinks, enwikiLinksSum   = "dumps/enwiki-sample-links-ref.jsonl", "86e9d85986d60682a3835f9b47ed78680cfbea5852f603d78ebc882c96ed8bd9"
	speedia, speediaSum           = "wikispeedia/wikispeedia-20090101-pages-articles-multistream.xml.bz2", "386277646750024974adfa0717cfce0873141561ba6cc9bf9329f0c34655f437"
	speediaLinks, speediaLinksSum = "wikispeedia/links.tsv.gz", "8abcc18c60689d66290370333f3ca6a14e7a6ff9638b32663528c9fab8584362"
)

// shared reads a file of the sample data, which lies outside the repository, and checks its sum.
func shared(t testing.TB, name, sum string) []byte {
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

// dumpPage is a page as encoding/xml sees it, independently of the project's own readers.
type dumpPage struct {
	ID       int    `xml:"id"`
	NS       int    `xml:"ns"`
	Title    string `xml:"title"`
	Redirect struct {
		Title string `xml:"title,attr"`
	} `xml:"redirect"`
	Model string `xml:"revision>model"`
	Text  string `xml:"revision>text"`
}

type dumpInfo struct {
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
}

func (d dumpInfo) siteInfo(root xml.StartElement) SiteInfo {
	info := SiteInfo{SiteName: d.SiteName, DBName: d.DBName, Base: d.Base, Generator: d.Generator, Case: d.Case}
	for _, n := range d.Namespaces {
		info.Namespaces = append(info.Namespaces, Namespace{Key: n.Key, Name: n.Name, Case: n.Case})
	}
	for _, a := range root.Attr {
		switch a.Name.Local {
		case "lang":
			info.Lang = a.Value
		case "version":
			info.Version = a.Value
		}
	}
	return info
}

// readDump gives the site and all pages of a bzip2 dump.
func readDump(t testing.TB, data []byte) (*Site, []dumpPage) {
	t.Helper()
	d := xml.NewDecoder(bzip2.NewReader(bytes.NewReader(data)))
	var root xml.StartElement
	var site *Site
	var pages []dumpPage
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return site, pages
		}
		if err != nil {
			t.Fatal(err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch start.Name.Local {
		case "mediawiki":
			root = start
		case "siteinfo":
			var info dumpInfo
			if err := d.DecodeElement(&info, &start); err != nil {
				t.Fatal(err)
			}
			site = NewSite(info.siteInfo(root))
		case "page":
			var p dumpPage
			if err := d.DecodeElement(&p, &start); err != nil {
				t.Fatal(err)
			}
			pages = append(pages, p)
		}
	}
}

// pageTitle parses the title of a page that must have a good one.
func pageTitle(t testing.TB, s *Site, p dumpPage) Title {
	t.Helper()
	title, err := s.ParsePageTitle(p.Title)
	if err != nil || title.NS != p.NS {
		t.Fatalf("page %d %q: got namespace %d, error %v, want namespace %d", p.ID, p.Title, title.NS, err, p.NS)
	}
	return title
}
