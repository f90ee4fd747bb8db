package facts

import (
	"strings"
	"testing"

	"github.com/wikinav/wikinav/dumps/wikitext/links"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/dumps/wikitext/wikitest"
)

// benchmarkTexts are real articles, where the sample data is at hand, and an invented one.
func benchmarkTexts(b *testing.B, run func(b *testing.B, s *titles.Site, pages []wikitest.DumpPage)) {
	b.Helper()
	b.Run("enwiki", func(b *testing.B) {
		s, pages := wikitest.ReadDump(b, wikitest.Shared(b, wikitest.EnwikiSample, wikitest.EnwikiSampleSum))
		measure(b, s, pages, run)
	})
	b.Run("wikispeedia", func(b *testing.B) {
		s, pages := wikitest.ReadDump(b, wikitest.Shared(b, wikitest.Speedia, wikitest.SpeediaSum))
		measure(b, s, pages, run)
	})
	b.Run("synthetic", func(b *testing.B) {
		const article = "{{Infobox settlement|name=A|population={{formatnum:1234}}|coordinates={{coord|1|2|display=title}}}}\n" +
			"'''A''' is a [[town]] in [[B (country)|B]], {{convert|5|km|mi}} from [[c d|the capital]].<ref>{{cite book|title=E|author=[[F]]}}</ref> " +
			"It has plain words in between, as most of an article has, so that the share of markup is about that of a real one.\n"
		measure(b, wikitest.EnglishWikipedia(), []wikitest.DumpPage{{Title: "A", Text: strings.Repeat(article, 2000)}}, run)
	})
}

func measure(b *testing.B, s *titles.Site, pages []wikitest.DumpPage, run func(b *testing.B, s *titles.Site, pages []wikitest.DumpPage)) {
	b.Helper()
	size := 0
	for _, p := range pages {
		size += len(p.Text)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	run(b, s, pages)
}

func BenchmarkLinks(b *testing.B) {
	benchmarkTexts(b, func(b *testing.B, s *titles.Site, pages []wikitest.DumpPage) {
		x := links.NewExtractor(s)
		for b.Loop() {
			for _, p := range pages {
				x.Links(titles.Title{NS: p.NS, Text: p.Title}, p.Text)
			}
		}
	})
}

func BenchmarkLinksWithAnchors(b *testing.B) {
	benchmarkTexts(b, func(b *testing.B, s *titles.Site, pages []wikitest.DumpPage) {
		x := links.NewExtractor(s)
		x.ReadAnchors(true)
		for b.Loop() {
			for _, p := range pages {
				x.Links(titles.Title{NS: p.NS, Text: p.Title}, p.Text)
				x.Anchors()
			}
		}
	})
}

// Links, flags and the names of templates: what a stage asks of every page.
func BenchmarkLinksAndFlags(b *testing.B) {
	benchmarkTexts(b, func(b *testing.B, s *titles.Site, pages []wikitest.DumpPage) {
		x := links.NewExtractor(s)
		for b.Loop() {
			for _, p := range pages {
				x.Links(titles.Title{NS: p.NS, Text: p.Title}, p.Text)
				x.Flags()
				x.TopTemplates()
			}
		}
	})
}

// The rates of leads are by the whole text, of which they read the beginning.
func BenchmarkLead(b *testing.B) {
	benchmarkTexts(b, func(b *testing.B, s *titles.Site, pages []wikitest.DumpPage) {
		for b.Loop() {
			for _, p := range pages {
				Lead(s, p.Text, LeadLimit, false)
			}
		}
	})
}

func BenchmarkFacts(b *testing.B) {
	benchmarkTexts(b, func(b *testing.B, s *titles.Site, pages []wikitest.DumpPage) {
		x := NewFacts(s, 2026)
		for b.Loop() {
			for _, p := range pages {
				x.Page(titles.Title{NS: p.NS, Text: p.Title}, p.Text)
			}
		}
	})
}
