package guard

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestBulkChecksAgreeWithTheSlowOnes compares goodRun, where it gives an answer, with a look at each byte.
func TestBulkChecksAgreeWithTheSlowOnes(t *testing.T) {
	const seed = 6
	rng := rand.New(rand.NewPCG(seed, 0))
	parts := []string{"<", "plain text ", "\n", "\t", "\x01", "\x1f", "]]>", "]]", ">", "&amp;", "&lt;", "&bad;", "&#x41;", "&#1;", "&", "é", "漢", "\xEF\xBF\xBD", "\xEF\xBF\xBE", "\xEF", "\xC3", strings.Repeat("a", 20)}
	good := 0
	for range 200_000 {
		var s strings.Builder
		for range rng.IntN(8) {
			// Half of the choices are parts that are always good, lest nearly every text is bad.
			i := rng.IntN(len(parts))
			if rng.IntN(2) == 0 {
				i = []int{1, 2, 9, 15, 16, 21}[rng.IntN(6)]
			}
			s.WriteString(parts[i])
		}
		b, final := []byte(s.String()), rng.IntN(2) == 0
		n := goodRun(b, final)
		if n == 0 {
			continue
		}
		good++
		// All of what the bulk checks let through must pass one by one; an end in the middle of "]]>" may be decided later.
		slow, wrong := scanText(b[:n], true)
		if slow < n || wrong != "" || firstInvalid(b[:n]) < n {
			t.Fatalf("seed %d: %q, final %v: got %d good bytes, the slow check %d and %q", seed, b, final, n, slow, wrong)
		}
		if end := strings.IndexByte(string(b), '<'); n > len(b) || end >= 0 && n != end || end < 0 && final && n != len(b) {
			t.Fatalf("seed %d: %q, final %v: got %d good bytes, want all up to the tag or the end", seed, b, final, n)
		}
		if rest := string(b[n:]); strings.HasSuffix(string(b[:n]), "]]") && strings.HasPrefix(rest, ">") {
			t.Fatalf("seed %d: %q is cut inside of \"]]>\" at %d", seed, b, n)
		}
	}
	if good < 10_000 {
		t.Errorf("only %d texts were good", good)
	}
}
