package mediawiki_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/dumps/mediawiki"
	"github.com/wikinav/wikinav/schemas/fault"
)

func TestSmallMultistreamDumpIsReadByItsIndex(t *testing.T) {
	m := newMulti(t, 23, 5)
	r := readAll(t, write(t, m.bytes(), m.indexText()), mediawiki.Options{})
	if r.err != nil || len(r.pages) != 23 || !r.indexed {
		t.Fatalf("got %d pages, indexed %v, error %v, want 23", len(r.pages), r.indexed, r.err)
	}
	if got := r.pages[6]; got.Title != `Page 7: "x"` || got.Text != "Text of [[8]] & more" || got.ID != 7 {
		t.Errorf("page 7: got %+v", got)
	}
}

func TestWrongSetsOfStreamsAreRefused(t *testing.T) {
	m := newMulti(t, 20, 5)
	p := m.parts
	head, foot := p[0], p[5]
	for name, parts := range map[string][][]byte{
		"missing":            {head, p[1], p[3], p[4], foot},
		"doubled":            {head, p[1], p[2], p[2], p[3], p[4], foot},
		"swapped":            {head, p[2], p[1], p[3], p[4], foot},
		"last doubled":       {head, p[1], p[2], p[3], p[4], p[4], foot},
		"no head":            {p[1], p[2], p[3], p[4], foot},
		"no footer":          p[:5],
		"two footers":        {head, p[1], p[2], p[3], p[4], foot, foot},
		"trailing zeros":     append(slices.Clone(p), make([]byte, 100)),
		"trailing text":      append(slices.Clone(p), []byte("garbage")),
		"trailing header":    append(slices.Clone(p), []byte("BZh9")),
		"two documents":      append(slices.Clone(p), p...),
		"foreign stream":     {head, p[1], pack(t, "<page>"), p[2], p[3], p[4], foot},
		"empty stream added": {head, p[1], pack(t, ""), p[2], p[3], p[4], foot},
	} {
		t.Run(name, func(t *testing.T) {
			path := write(t, bytes.Join(parts, nil), m.indexText())
			for _, workers := range []int{1, 3} {
				r := readAll(t, path, mediawiki.Options{Workers: workers})
				wantFault(t, r.err, fault.Malformed, path, "stream at ")
			}
		})
	}
}

func TestWithoutIndexTheEndOfTheDocumentIsStillRequired(t *testing.T) {
	m := newMulti(t, 20, 5)
	p := m.parts
	for name, parts := range map[string][][]byte{
		"doubled":        {p[0], p[1], p[2], p[2], p[3], p[4], p[5]},
		"no footer":      p[:5],
		"two footers":    append(slices.Clone(p), p[5]),
		"trailing zeros": append(slices.Clone(p), make([]byte, 100)),
		"two documents":  append(slices.Clone(p), p...),
	} {
		path := write(t, bytes.Join(parts, nil), "")
		r := readAll(t, path, mediawiki.Options{})
		t.Log(name)
		wantFault(t, r.err, fault.Malformed, path)
	}
}

func TestWrongIndexIsRefused(t *testing.T) {
	m := newMulti(t, 20, 5)
	good := m.indexText()
	lines := strings.SplitAfter(good, "\n")
	for name, index := range map[string]string{
		"empty line only": "\n",
		"short by a page": strings.Join(lines[:19], ""),
		"short a stream":  strings.Join(lines[:15], ""),
		"hole":            strings.Join(slices.Delete(slices.Clone(lines), 5, 10), ""),
		"line missing":    strings.Join(slices.Delete(slices.Clone(lines), 7, 8), ""),
		"line doubled":    strings.Join(slices.Insert(slices.Clone(lines), 7, lines[7]), ""),
		"other order":     lines[1] + lines[0] + strings.Join(lines[2:], ""),
		"other id":        strings.Replace(good, ":7:", ":77:", 1),
		"other title":     strings.Replace(good, "Page 7:", "Page 8:", 1),
		"beyond the end":  good + "99999999:21:x\n",
		"falling":         good + "5:21:x\n",
		"zero offset":     "0:1:x\n" + good,
		"no number":       strings.Replace(good, ":7:", ":x:", 1),
		"long line":       good + strings.Repeat("9", 70_000),
	} {
		t.Run(name, func(t *testing.T) {
			path := write(t, m.bytes(), index)
			r := readAll(t, path, mediawiki.Options{})
			var f *fault.Error
			if !errors.Is(r.err, fault.Malformed) || !errors.As(r.err, &f) || f.File == "" || f.Where == "" {
				t.Errorf("got %d pages, error %v, want one of kind malformed with file and place", len(r.pages), r.err)
			}
		})
	}
}

// TestNoDamageLosesPagesSilently flips bits and cuts bytes: the dump is refused, or all its pages come.
func TestNoDamageLosesPagesSilently(t *testing.T) {
	const seed = 21
	m := newMulti(t, 20, 5)
	good := m.bytes()
	whole := readAll(t, write(t, good, m.indexText()), mediawiki.Options{})
	path := write(t, good, m.indexText())
	check := func(what string, at int, data []byte) {
		t.Helper()
		writeFile(t, path, data)
		for _, index := range []string{"", mediawiki.IndexNone} {
			r := readAll(t, path, mediawiki.Options{Index: index, Workers: 2})
			if r.err == nil && !slices.EqualFunc(r.pages, whole.pages, samePage) {
				t.Fatalf("seed %d: %s at %d, index %q: got %d pages and no error, want %d", seed, what, at, index, len(r.pages), len(whole.pages))
			}
			if r.err != nil && !errors.Is(r.err, fault.Malformed) {
				t.Fatalf("seed %d: %s at %d, index %q: got %v, want kind malformed", seed, what, at, index, r.err)
			}
			if r.err == nil && what == "cut" {
				t.Fatalf("cut at %d, index %q: got no error", at, index)
			}
		}
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, bit := range flips(m, rng) {
		data := slices.Clone(good)
		data[bit/8] ^= 1 << (bit % 8)
		check("flip of bit", bit, data)
	}
	at := 0
	for _, part := range m.parts {
		if at += len(part); at < len(good) {
			check("cut", at, good[:at])
		}
	}
	for range 60 {
		at := 1 + rng.IntN(len(good)-1)
		check("cut", at, good[:at])
	}
}

// flips are bits of each stream's head and tail, where the structure is, and random ones.
func flips(m *multi, rng *rand.Rand) (bits []int) {
	at := 0
	for _, part := range m.parts {
		for range 12 {
			bits = append(bits, 8*at+rng.IntN(8*14), 8*(at+len(part)-10)+rng.IntN(80))
		}
		at += len(part)
	}
	for range 200 {
		bits = append(bits, rng.IntN(8*at))
	}
	return bits
}

func TestBombsAreRefused(t *testing.T) {
	bomb := pack(t, fixHead+"<page><title>A</title><ns>0</ns><id>1</id><revision><id>1</id><timestamp>2026-01-01T00:00:00Z</timestamp><text>"+
		strings.Repeat("0", 17<<20)+"</text></revision></page></mediawiki>")
	path := write(t, bomb, "")
	wantFault(t, readAll(t, path, mediawiki.Options{}).err, fault.Malformed, path, "compression ratio above 2000:1")

	m := newMulti(t, 5, 5)
	m.parts[1] = pack(t, strings.Repeat(" ", 17<<20))
	path = write(t, m.bytes(), m.indexText())
	wantFault(t, readAll(t, path, mediawiki.Options{}).err, fault.Malformed, path, "stream at ", "page 1 of 5")
}

func TestOtherPackingsAreRefusedByContent(t *testing.T) {
	for _, c := range []struct {
		content string
		kind    *fault.Kind
		part    string
	}{
		{"\x28\xb5\x2f\xfd....", fault.Malformed, "zstd"},
		{"\xfd7zXZ\x00...", fault.Usage, "xz -d"},
		{"7z\xbc\xaf\x27\x1c..", fault.Usage, "7z x"},
		{"hello", fault.Malformed, "neither XML nor a packing"},
		{"", fault.Malformed, "empty"},
		{"\xff\xfe<\x00", fault.Malformed, "E_XML_UTF16"},
		{"<html>", fault.Malformed, `root element "html"`},
		{"\x1f\x8b\x08", fault.Malformed, "ends too early"},
		{"BZh9garbage", fault.Malformed, "no bzip2 stream"},
	} {
		path := write(t, []byte(c.content), "")
		wantFault(t, readAll(t, path, mediawiki.Options{}).err, c.kind, path, c.part)
	}
	wantFault(t, readAll(t, "nowhere.xml", mediawiki.Options{}).err, fault.NotFound, "nowhere.xml")
	folder := t.TempDir()
	wantFault(t, readAll(t, folder, mediawiki.Options{}).err, fault.Usage, folder, "not a regular file")
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
}
