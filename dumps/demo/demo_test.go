package demo

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os/exec"
	"sync"
	"testing"

	"github.com/wikinav/wikinav/schemas/fault"
)

const smallPages = 1500

type written struct {
	dump, index, plain []byte
	sum                Summary
	pages              []xmlPage
}

// small is one small dump, written once for all tests that only read it.
var small = sync.OnceValue(func() written {
	var dump, index bytes.Buffer
	sum, err := Write(context.Background(), &dump, &index, Options{Seed: Seed, Pages: smallPages})
	if err != nil {
		panic(err)
	}
	return written{dump: dump.Bytes(), index: index.Bytes(), sum: sum}
})

func readSmall(t *testing.T) written {
	t.Helper()
	w := small()
	w.plain = unzip(t, w.dump)
	w.pages = readPages(t, w.plain)
	return w
}

// The digest is of the uncompressed XML. Another one is another demo snapshot: if that is what you want, put the new
// digest here and raise the version of the stage that writes the demo.
func TestSmallDumpHasItsKnownDigest(t *testing.T) {
	const want = "a2bd5035b44a4df2043bb661a346f92cc6511370b39a77e25112a503c4a1070d"
	sum := sha256.Sum256(unzip(t, small().dump))
	if got := hex.EncodeToString(sum[:]); got != want {
		t.Errorf("seed %d, %d pages: digest %s, want %s", Seed, smallPages, got, want)
	}
}

func TestEqualOptionsGiveEqualBytesAndAnotherSeedDoesNot(t *testing.T) {
	first := small()
	for _, c := range []struct {
		seed  uint64
		equal bool
	}{{Seed, true}, {Seed + 1, false}} {
		var dump, index bytes.Buffer
		if _, err := Write(t.Context(), &dump, &index, Options{Seed: c.seed, Pages: smallPages}); err != nil {
			t.Fatal(err)
		}
		if got := bytes.Equal(dump.Bytes(), first.dump); got != c.equal {
			t.Errorf("seed %d: dump equal to that of seed %d: %v, want %v", c.seed, Seed, got, c.equal)
		}
		if got := bytes.Equal(index.Bytes(), first.index); got != c.equal {
			t.Errorf("seed %d: index equal to that of seed %d: %v, want %v", c.seed, Seed, got, c.equal)
		}
	}
}

func TestATextDoesNotDependOnThoseWrittenBefore(t *testing.T) {
	w := newWorld(Seed, smallPages)
	last := w.text(len(w.things) - 1)
	for i := range w.things {
		w.text(i)
	}
	if got := w.text(len(w.things) - 1); got != last {
		t.Errorf("text changed by writing others first: got %q, want %q", got, last)
	}
}

func TestSummaryCountsWhatIsInTheDump(t *testing.T) {
	d := readSmall(t)
	var want Summary
	for i := range d.pages {
		p := &d.pages[i]
		switch {
		case redirectTarget(p) != "":
			want.Redirects++
		case p.Revision[0].Model != "wikitext":
			want.Other++
		case p.NS == 0 && isDisambiguation(p):
			want.Disambiguations++
		case p.NS == 0:
			want.Articles++
		case p.NS == 14:
			want.Categories++
		case p.NS == 10:
			want.Templates++
		default:
			want.Other++
		}
	}
	want.Pages = len(d.pages)
	want.Streams = (len(d.pages)+99)/100 + 2
	if d.sum != want {
		t.Errorf("got %+v, want %+v", d.sum, want)
	}
}

func TestThePageCountIsNearTheWantedOne(t *testing.T) {
	for _, pages := range []int{minPages, 2000, 5000, defaultPages} {
		got := len(plan(newWorld(Seed, pages)))
		if pages >= 2000 && (got < pages*90/100 || got > pages*110/100) {
			t.Errorf("seed %d: %d pages, want %d give or take 10 %%", Seed, got, pages)
		}
	}
}

func TestOptionsOutOfRangeAreAUsageError(t *testing.T) {
	for _, pages := range []int{-1, 1, minPages - 1, maxPages + 1} {
		_, err := Write(t.Context(), &bytes.Buffer{}, &bytes.Buffer{}, Options{Seed: Seed, Pages: pages})
		if !errors.Is(err, fault.Usage) {
			t.Errorf("%d pages: got error %v, want a usage error", pages, err)
		}
	}
}

func TestACancelledContextStopsTheWriting(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Write(ctx, &bytes.Buffer{}, &bytes.Buffer{}, Options{Seed: Seed, Pages: minPages})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want %v", err, context.Canceled)
	}
}

// fullDisk takes so many bytes and fails from then on.
type fullDisk struct{ room int }

var errFull = errors.New("disk full")

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.room -= len(p); d.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestAFailedWriteIsReported(t *testing.T) {
	for _, room := range []int{0, 500, 20_000} {
		_, err := Write(t.Context(), &fullDisk{room}, &bytes.Buffer{}, Options{Seed: Seed, Pages: minPages})
		if !errors.Is(err, errFull) {
			t.Errorf("room for %d bytes of dump: got error %v, want %v", room, err, errFull)
		}
	}
	_, err := Write(t.Context(), &bytes.Buffer{}, &fullDisk{100}, Options{Seed: Seed, Pages: minPages})
	if !errors.Is(err, errFull) {
		t.Errorf("room for 100 bytes of index: got error %v, want %v", err, errFull)
	}
}

func TestTheReferenceBzip2ReadsTheDump(t *testing.T) {
	tool, err := exec.LookPath("bzip2")
	if err != nil {
		t.Skip("no bzip2 program on this machine: only the standard library's reader is tested")
	}
	cmd := exec.Command(tool, "-dc")
	cmd.Stdin = bytes.NewReader(small().dump)
	got, err := cmd.Output()
	if err != nil {
		t.Fatalf("bzip2 -dc: %v", err)
	}
	if want := unzip(t, small().dump); !bytes.Equal(got, want) {
		t.Errorf("bzip2 gives %d bytes, the standard library %d, and they differ", len(got), len(want))
	}
}
