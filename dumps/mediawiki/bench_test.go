package mediawiki_test

import (
	"bytes"
	"compress/bzip2"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/dustin/go-wikiparse"

	"github.com/wikinav/wikinav/dumps/mediawiki"
	"github.com/wikinav/wikinav/dumps/mediawiki/guard"
)

// generated is a dump of articles of one size, as one stream and as many.
type generated struct {
	name          string
	xml           []byte
	single, multi []byte
	index         string
}

// article writes wikitext of about size bytes: prose by Zipf's law with links, templates, refs and headings, as escaped in a dump.
func article(rng *rand.Rand, words []string, size int) string {
	zipf := rand.NewZipf(rng, 1.1, 8, uint64(len(words)-1))
	word := func() string { return words[zipf.Uint64()] }
	var b strings.Builder
	for b.Len() < size {
		switch k := rng.IntN(100); {
		case k < 5:
			fmt.Fprintf(&b, "[[%s %s|%s]] ", word(), word(), word())
		case k < 8:
			fmt.Fprintf(&b, "[[%s]] ", word())
		case k < 9:
			fmt.Fprintf(&b, "&lt;ref name=&quot;%s&quot;&gt;{{cite web|title=%s %s|year=%d}}&lt;/ref&gt; ", word(), word(), word(), 1900+rng.IntN(120))
		case k < 10:
			fmt.Fprintf(&b, "\n\n== %s ==\n", word())
		case k < 11:
			b.WriteString("&amp;nbsp;– ")
		default:
			b.WriteString(word() + " ")
		}
	}
	return b.String()
}

// vocabulary is words made of syllables, so that they share beginnings as words do.
func vocabulary(rng *rand.Rand) []string {
	syllables := strings.Fields("a an be con de e er ing in is ka li lo ma mi na ne no o or ra re ri sa se si ta te ti to tra u un ve é ü")
	list := make([]string, 30_000)
	for i := range list {
		for range 1 + rng.IntN(4) {
			list[i] += syllables[rng.IntN(len(syllables))]
		}
	}
	return list
}

func generate(t testing.TB, name string, articleSize, total int) *generated {
	rng := rand.New(rand.NewPCG(7, uint64(articleSize)))
	words := vocabulary(rng)
	g := &generated{name: name}
	var all, group, multi bytes.Buffer
	var index strings.Builder
	flush := func() {
		multi.Write(packLevel(t, group.Bytes(), 9))
		group.Reset()
	}
	all.WriteString(fixHead)
	group.WriteString(fixHead)
	flush()
	for id := 1; all.Len() < total; id++ {
		title := fmt.Sprintf("Article %d", id)
		p := fixPage(id, title, article(rng, words, articleSize/2+rng.IntN(articleSize)))
		fmt.Fprintf(&index, "%d:%d:%s\n", multi.Len(), id, title)
		all.WriteString(p)
		group.WriteString(p)
		if id%100 == 0 {
			flush()
		}
	}
	if group.Len() > 0 {
		flush()
	}
	all.WriteString(fixFoot)
	group.WriteString(fixFoot)
	flush()
	g.xml, g.multi, g.index = all.Bytes(), multi.Bytes(), index.String()
	g.single = packLevel(t, g.xml, 9)
	return g
}

// inputs are made once: articles of about 30 kB (A), and of about 6 kB (B), near the mean of the English Wikipedia.
var inputs = sync.OnceValue(func() []*generated {
	t := &testing.B{}
	return []*generated{generate(t, "A", 30_000, 12<<20), generate(t, "B", 6_000, 12<<20)}
})

func BenchmarkScan(b *testing.B) {
	for _, g := range inputs() {
		b.Run(g.name, func(b *testing.B) {
			b.SetBytes(int64(len(g.xml)))
			b.ReportAllocs()
			for b.Loop() {
				pages := guard.NewPages(bytes.NewReader(g.xml), guard.Whole, guard.DefaultLimits)
				_, err := pages.Intro(true)
				for err == nil {
					_, err = pages.Next()
				}
				if err != io.EOF {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkReadXML reads pages and checks them, their SHA-1 included, with nothing to unpack.
func BenchmarkReadXML(b *testing.B) {
	for _, g := range inputs() {
		benchmarkRead(b, g.name, g, g.xml, "", mediawiki.ReaderNative)
	}
}

func BenchmarkReadBzip2(b *testing.B) {
	for _, g := range inputs() {
		for _, reader := range []string{mediawiki.ReaderNative, mediawiki.ReaderWikiparse} {
			benchmarkRead(b, g.name+"/single/"+reader, g, g.single, "", reader)
			benchmarkRead(b, g.name+"/multistream/"+reader, g, g.multi, g.index, reader)
		}
	}
}

func benchmarkRead(b *testing.B, name string, g *generated, dump []byte, index, reader string) {
	path := write(b, dump, index)
	b.Run(name, func(b *testing.B) {
		b.SetBytes(int64(len(g.xml)))
		b.ReportAllocs()
		for b.Loop() {
			d, err := mediawiki.Open(context.Background(), path, mediawiki.Options{Reader: reader})
			for err == nil {
				_, err = d.Next(context.Background())
			}
			if err != io.EOF {
				b.Fatal(err)
			}
			d.Close()
		}
	})
}

// BenchmarkOthers is what the figures above are measured by: go-wikiparse as it comes, the standard library's bzip2, and
// lbzip2 on two threads where it is installed.
func BenchmarkOthers(b *testing.B) {
	for _, g := range inputs() {
		run := func(name string, read func() error) {
			b.Run(g.name+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(g.xml)))
				for b.Loop() {
					if err := read(); err != nil && err != io.EOF {
						b.Fatal(err)
					}
				}
			})
		}
		run("go-wikiparse", func() error {
			p, err := wikiparse.NewParser(bzip2.NewReader(bytes.NewReader(g.single)))
			for err == nil {
				_, err = p.Next()
			}
			return err
		})
		run("bzip2", func() error {
			_, err := io.Copy(io.Discard, bzip2.NewReader(bytes.NewReader(g.single)))
			return err
		})
		if lbzip2, err := exec.LookPath("lbzip2"); err == nil {
			path := write(b, g.single, "")
			run("lbzip2", func() error { return exec.Command(lbzip2, "-n2", "-dc", path).Run() })
		}
	}
}
