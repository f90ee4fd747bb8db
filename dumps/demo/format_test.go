package demo

import (
	"bytes"
	"crypto/sha1"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func TestSumsAndLengthsAreTrue(t *testing.T) {
	for _, p := range readSmall(t).pages {
		sum := sha1.Sum([]byte(p.text()))
		digits := new(big.Int).SetBytes(sum[:]).Text(36)
		want := strings.Repeat("0", 31-len(digits)) + digits
		rev := p.Revision[0]
		if rev.SHA1 != want || rev.Text.SHA1 != want {
			t.Errorf("page %q: sha1 %s and %s, want %s", p.Title, rev.SHA1, rev.Text.SHA1, want)
		}
		if rev.Text.Bytes != len(p.text()) {
			t.Errorf("page %q: bytes %d, want %d", p.Title, rev.Text.Bytes, len(p.text()))
		}
	}
}

func TestBase36IsPaddedTo31Digits(t *testing.T) {
	if got, want := base36([20]byte{19: 37}), "0000000000000000000000000000011"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestEachIndexEntryIsItsPage(t *testing.T) {
	d := readSmall(t)
	lines := strings.Split(strings.TrimSuffix(string(unzip(t, d.index)), "\n"), "\n")
	if len(lines) != len(d.pages) {
		t.Fatalf("%d index lines, want %d", len(lines), len(d.pages))
	}
	offsets := []int{}
	for n, line := range lines {
		parts := strings.SplitN(line, ":", 3)
		offset, _ := strconv.Atoi(parts[0])
		if n%100 == 0 {
			offsets = append(offsets, offset)
		}
		if want := offsets[n/100]; offset != want {
			t.Errorf("line %d: offset %d, want %d as for its stream", n, offset, want)
		}
		if want := fmt.Sprintf("%d:%s", d.pages[n].ID, escape(d.pages[n].Title)); parts[1]+":"+parts[2] != want {
			t.Errorf("line %d: %s:%s, want %s", n, parts[1], parts[2], want)
		}
	}
	checkStreams(t, d, offsets)
}

// checkStreams unpacks the bytes between the offsets one by one.
func checkStreams(t *testing.T, d written, offsets []int) {
	t.Helper()
	if first := string(unzip(t, d.dump[:offsets[0]])); first != head {
		t.Errorf("first stream is %q, want %q", first, head)
	}
	for n, from := range offsets {
		to := len(d.dump)
		if n+1 < len(offsets) {
			to = offsets[n+1]
		}
		stream := d.dump[from:to]
		if !bytes.HasPrefix(stream, []byte("BZh9")) {
			t.Errorf("offset %d is no start of a stream", from)
		}
		body := string(unzip(t, stream))
		want := min(100, len(d.pages)-n*100)
		if got := strings.Count(body, "  <page>\n"); got != want {
			t.Errorf("stream at %d: %d pages, want %d", from, got, want)
		}
		if n == len(offsets)-1 && !strings.HasSuffix(body, "\n  </page>\n</mediawiki>\n") {
			t.Errorf("the last streams do not end with the closing tag: %q", body[max(0, len(body)-40):])
		}
	}
}

func TestTitlesAreValidAndUnique(t *testing.T) {
	seen := map[string]bool{}
	last := 0
	for _, p := range readPages(t, render(plan(newWorld(Seed, 6000)))) {
		first, _ := utf8.DecodeRuneInString(p.Title)
		switch {
		case seen[p.Title]:
			t.Errorf("title %q twice", p.Title)
		case !norm.NFC.IsNormalString(p.Title), unicode.ToUpper(first) != first, len(p.Title) > 255,
			strings.ContainsAny(p.Title, "#<>[]{}|_"), strings.Join(strings.Fields(p.Title), " ") != p.Title:
			t.Errorf("title %q is not valid", p.Title)
		case p.NS == 0 && mayHavePrefix(p.Title):
			t.Errorf("title %q may be taken for one of another namespace", p.Title)
		case p.ID <= last:
			t.Errorf("page %q: id %d after %d, want ascending", p.Title, p.ID, last)
		}
		seen[p.Title], last = true, p.ID
	}
}

// mayHavePrefix says whether what stands before a colon is one word, as most names of namespaces and wikis are.
func mayHavePrefix(title string) bool {
	prefix, _, colon := strings.Cut(title, ":")
	return colon && !strings.Contains(prefix, " ")
}

func TestNoTimestampIsLaterThanTheSnapshot(t *testing.T) {
	for _, p := range readSmall(t).pages {
		if ts := p.Revision[0].Timestamp; strings.ReplaceAll(ts[:10], "-", "") >= Date || len(ts) != len("2025-01-01T00:00:00Z") {
			t.Errorf("page %q: timestamp %s, want before %s", p.Title, ts, Date)
		}
	}
}
