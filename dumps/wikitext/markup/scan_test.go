package markup

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestNextMarkEqualsALookAtEveryByte(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	for n := range 20_000 {
		b := make([]byte, r.IntN(40))
		for i := range b {
			b[i] = "abcz\x00\x01\x0A\x0B\x5A\x5B\x5C\x5D\x5E\x7A\x7B\x7C\x7D\x7E\x80\x8A\xDB\xDD\xFB\xFD\xFF        "[r.IntN(33)]
		}
		s := string(b)
		for i := range len(s) + 1 {
			want := strings.IndexAny(s[i:], "\n[]{}")
			if want += i; want < i {
				want = len(s)
			}
			if got := nextMark(s, i); got != want {
				t.Fatalf("seed %d text %d %q from %d: got %d, want %d", seed, n, s, i, got, want)
			}
		}
	}
}
