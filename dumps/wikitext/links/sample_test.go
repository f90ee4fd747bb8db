package links

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/dumps/wikitext/wikitest"
	"github.com/wikinav/wikinav/schemas"
)

type pageLinks struct {
	ID       int      `json:"id"`
	Redirect *string  `json:"redirect"`
	Links    []string `json:"links"`
}

// referenceLinks reads the project's reference list of the sample, by page id.
func referenceLinks(t *testing.T) map[int]pageLinks {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(wikitest.Shared(t, wikitest.EnwikiLinks, wikitest.EnwikiLinksSum)))
	byID := map[int]pageLinks{}
	for {
		var p pageLinks
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			return byID
		}
		if err != nil {
			t.Fatal(err)
		}
		byID[p.ID] = p
	}
}

func TestSampleLinksEqualReference(t *testing.T) {
	want := referenceLinks(t)
	site, pages := wikitest.Sample(t)
	x := NewExtractor(site)
	total, ofArticles := 0, 0
	for _, p := range pages {
		var got []string
		if p.Model == schemas.ModelWikitext {
			got = targets(x.Links(wikitest.PageTitle(t, site, p), p.Text))
		}
		if !slices.Equal(got, want[p.ID].Links) {
			t.Errorf("page %d %q: got %q, want %q", p.ID, p.Title, got, want[p.ID].Links)
		}
		total += len(got)
		if p.Redirect.Title == "" {
			ofArticles += len(got)
		}
	}
	if len(pages) != 206 || total != 23_701 || ofArticles != 23_601 {
		t.Errorf("got %d pages, %d links, %d of articles; want 206, 23701, 23601", len(pages), total, ofArticles)
	}
	CheckBalance(t, x.Counts())
}

func TestSampleRedirectsEqualReference(t *testing.T) {
	want := referenceLinks(t)
	site, pages := wikitest.Sample(t)
	redirects := 0
	for _, p := range pages {
		r, fromText, disagree, ok := site.Redirect(p.Redirect.Title, p.Text)
		if ok != (want[p.ID].Redirect != nil) {
			t.Errorf("page %d %q: got redirect %v, want %v", p.ID, p.Title, ok, !ok)
			continue
		}
		if !ok {
			continue
		}
		redirects++
		kind := schemas.TargetMain
		if p.NS != 0 { // the sample's one project page points to another
			kind = schemas.TargetOther
		}
		if r.Target != *want[p.ID].Redirect || fromText || disagree || r.Kind != kind {
			t.Errorf("page %d %q: got %+v, from text %v, disagree %v, want %q of kind %d from the element",
				p.ID, p.Title, r, fromText, disagree, *want[p.ID].Redirect, kind)
		}
		// Without the element the text must lead to the same page.
		again, fromText, _, ok := site.Redirect("", p.Text)
		if again != r || !fromText || !ok {
			t.Errorf("page %d %q by its text alone: got %+v, %v, %v, want %+v", p.ID, p.Title, again, fromText, ok, r)
		}
	}
	if redirects != 100 {
		t.Errorf("got %d redirects, want 100", redirects)
	}
}

func TestSampleHasEightDisambiguationPages(t *testing.T) {
	site, pages := wikitest.Sample(t)
	var got []string
	bySuffix := 0
	for _, p := range pages {
		title := wikitest.PageTitle(t, site, p)
		if p.Redirect.Title != "" || flagsOf(site, title, p.Text)&schemas.FlagDisambiguation == 0 {
			continue
		}
		got = append(got, p.Title)
		if flagsOf(site, title, "") != 0 {
			bySuffix++
		}
	}
	if len(got) != 8 || bySuffix != 5 {
		t.Errorf("got %d pages, %d by their titles: %q; want 8 and 5", len(got), bySuffix, got)
	}
}

func targets(links []Link) []string {
	var all []string
	for _, l := range links {
		all = append(all, l.Target)
	}
	return all
}

// CheckBalance checks that no `[[` is lost.
func CheckBalance(t testing.TB, c Counts) {
	t.Helper()
	var sum, kept int64
	for _, n := range c[Kept : Unterminated+1] {
		sum += n
	}
	if sum != c[Found] {
		t.Errorf("outcomes sum to %d, found %d: %+v", sum, c[Found], c)
	}
	for _, n := range c[InFirst:] {
		kept += n
	}
	if kept != c[Kept] {
		t.Errorf("occurrences sum to %d, kept %d: %+v", kept, c[Kept], c)
	}
}
