package mediawiki_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/dumps/mediawiki"
	"github.com/wikinav/wikinav/schemas/fault"
)

// trials is how many times the test below damages each file; WIKINAV_DAMAGE asks for more.
func trials(t *testing.T, short int) int {
	t.Helper()
	asked := os.Getenv("WIKINAV_DAMAGE")
	if asked == "" {
		return short
	}
	n, err := strconv.Atoi(asked)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// singleStream is a dump of one stream and several blocks, with texts that hardly shrink.
func singleStream(t *testing.T, rng *rand.Rand) []byte {
	var b strings.Builder
	b.WriteString(fixHead)
	for id := 1; id <= 12; id++ {
		text := make([]byte, 20_000)
		for i := range text {
			text[i] = "abcdefghijklmnopqrstuvwxyz [[]]\n"[rng.IntN(32)]
		}
		b.WriteString(fixPage(id, fmt.Sprintf("Page %d", id), string(text)))
	}
	b.WriteString(fixFoot)
	return pack(t, b.String())
}

// TestRandomDamageNeverChangesTheResult flips bits and cuts at random: a dump that is read to its end has all its pages as they were.
func TestRandomDamageNeverChangesTheResult(t *testing.T) {
	const seed = 31
	rng := rand.New(rand.NewPCG(seed, 0))
	m := newMulti(t, 20, 5)
	for _, c := range []struct {
		name   string
		dump   []byte
		index  string
		trials int
	}{
		{"single stream", singleStream(t, rng), "", trials(t, 60)},
		{"multistream with index", m.bytes(), m.indexText(), trials(t, 300)},
		{"multistream without index", m.bytes(), "", trials(t, 300)},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := write(t, c.dump, c.index)
			whole := readAll(t, path, mediawiki.Options{})
			if whole.err != nil {
				t.Fatal(whole.err)
			}
			passed := 0
			for i := range c.trials {
				what, bad := damage(c.dump, rng)
				writeFile(t, path, bad)
				r := readAll(t, path, mediawiki.Options{Workers: 1 + i%3})
				if r.err == nil {
					passed++
				}
				if r.err == nil && !slices.EqualFunc(r.pages, whole.pages, samePage) {
					t.Fatalf("seed %d, trial %d: %s: got %d other pages and no error", seed, i, what, len(r.pages))
				}
				if r.err != nil && !errors.Is(r.err, fault.Malformed) {
					t.Fatalf("seed %d, trial %d: %s: got %v, want kind malformed", seed, i, what, r.err)
				}
			}
			t.Logf("%d of %d damaged files gave the same pages", passed, c.trials)
			if passed > c.trials/20+2 {
				t.Errorf("%d of %d damaged files were read without an error; few bits do not matter", passed, c.trials)
			}
		})
	}
}

// damage flips one to three bits, cuts, or both.
func damage(good []byte, rng *rand.Rand) (what string, bad []byte) {
	bad = slices.Clone(good)
	if rng.IntN(4) == 0 {
		at := 1 + rng.IntN(len(bad)-1)
		bad = bad[:at]
		what = fmt.Sprintf("cut at %d ", at)
	}
	if what == "" || rng.IntN(4) == 0 {
		for range 1 + rng.IntN(3) {
			bit := rng.IntN(8 * len(bad))
			bad[bit/8] ^= 1 << (bit % 8)
			what += fmt.Sprintf("flip of bit %d ", bit)
		}
	}
	return what, bad
}
