package streams_test

import (
	"bytes"
	"compress/bzip2"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wikinav/wikinav/dumps/blocks"
	"github.com/wikinav/wikinav/dumps/mediawiki/streams"
)

// bitWriter writes bits, the highest first.
type bitWriter struct {
	bytes []byte
	n     int
}

func (w *bitWriter) put(value uint64, bits int) {
	for i := bits - 1; i >= 0; i-- {
		if w.n%8 == 0 {
			w.bytes = append(w.bytes, 0)
		}
		w.bytes[w.n/8] |= byte(value>>i&1) << (7 - w.n%8)
		w.n++
	}
}

// forge packs one block whose symbols are the given bits: its code is complete, so that any bits are symbols. The bits must
// not hold nine ones, which end the block. The checksum is taken from the decoder's complaint.
func forge(t testing.TB, payload func(w *bitWriter)) []byte {
	t.Helper()
	build := func(sum uint64) []byte {
		var w bitWriter
		w.put(0x425A6839, 32) // BZh9
		w.put(0x314159265359, 48)
		w.put(sum, 32)
		w.put(0, 1)  // not randomised
		w.put(0, 24) // origin
		w.put(0xFFFF, 16)
		for range 16 {
			w.put(0xFFFF, 16) // every byte occurs
		}
		w.put(2, 3) // tables
		const groups = 18_000
		w.put(groups, 15)
		for range groups {
			w.put(0, 1)
		}
		for range 2 {
			w.put(8, 5)
			for symbol := range 258 {
				if symbol == 254 {
					w.put(0b10, 2) // 9 bits from here on
				}
				w.put(0, 1)
			}
		}
		payload(&w)
		w.put(0x1FF, 9) // end; the bits before it may need one more symbol to be whole
		w.put(0x1FF, 9)
		end := w.n
		w.put(0, 64)
		if b, err := blocks.NewDecoder().Decode(nil, w.bytes, 80, blocks.MaxPlain); err == nil {
			end = b.End
		}
		w.n, w.bytes = end, w.bytes[:(end+7)/8]
		w.bytes[len(w.bytes)-1] &= byte(0xFF << (-end & 7))
		w.put(0x177245385090, 48)
		w.put(sum, 32)
		return w.bytes
	}
	_, err := blocks.NewDecoder().Decode(nil, build(0), 80, blocks.MaxPlain)
	var sum uint64
	if _, scanErr := fmt.Sscanf(fmt.Sprint(err), "checksum is %x", &sum); scanErr != nil {
		t.Fatalf("forging a block: %v", err)
	}
	return build(sum)
}

// marked writes noise with n marks in it, every one at another shift.
func marked(n, gap int) func(w *bitWriter) {
	return func(w *bitWriter) {
		rng := rand.New(rand.NewPCG(4, 4))
		for i := range n {
			for range gap {
				w.put(uint64(rng.Uint32()&0x7F), 8)
			}
			w.put(0, i%8)
			w.put([]uint64{0x314159265359, 0x177245385090}[i%2], 48)
		}
	}
}

func TestMarksInsideOfABlockAreData(t *testing.T) {
	file := slices.Concat(pack(t, "before"), forge(t, marked(40, 300)), pack(t, "behind"))
	if n := bytes.Count(file, []byte("1AY&SY")); n < 3 {
		t.Fatalf("the file has %d marks at bytes, expected one of a shift of 0 beside those of the streams", n)
	}
	want, err := io.ReadAll(bzip2.NewReader(bytes.NewReader(file)))
	if err != nil {
		t.Fatal(err)
	}
	for workers := range 4 {
		r := streams.NewReader(bytes.NewReader(file), 0)
		if workers > 0 {
			r = streams.NewParallel(context.Background(), bytes.NewReader(file), 0, workers)
		}
		got, err := readEach(r)
		r.Close()
		var text strings.Builder
		for _, s := range got {
			_, content, _ := strings.Cut(s, ":")
			text.WriteString(content)
		}
		if err != io.EOF || text.String() != string(want) {
			t.Errorf("%d workers: got %d bytes, %v, want %d", workers, text.Len(), err, len(want))
		}
	}
}

func TestManyMarksTakeLinearTime(t *testing.T) {
	file := forge(t, marked(100_000, 0))
	start := time.Now()
	if _, err := readParallel(t, bytes.NewReader(file), 0, 2); err != io.EOF {
		t.Errorf("got %v, want a good end", err)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("%d bytes with a mark in every seven took %v", len(file), took)
	}
}

func TestFlippedBitsAreDamageWhateverTheWorkers(t *testing.T) {
	const seed = 5
	rng := rand.New(rand.NewPCG(seed, 0))
	noise := make([]byte, 150_000) // two blocks
	for i := range noise {
		noise[i] = "abcdefgh"[rng.IntN(8)]
	}
	good := append(pack(t, string(noise)), pack(t, "second")...)
	for range 60 {
		bit := rng.IntN(8 * len(good))
		bad := bytes.Clone(good)
		bad[bit/8] ^= 1 << (bit % 8)
		got, err := readAll(bytes.NewReader(bad), 0)
		ahead, aheadErr := readParallel(t, bytes.NewReader(bad), 0, 2)
		var damage *streams.Damage
		if err == io.EOF && bit < 8*(len(good)-1) && !slices.Equal(got, []string{fmt.Sprintf("0:%s", noise), fmt.Sprintf("%d:second", len(good)-len(pack(t, "second")))}) {
			t.Errorf("seed %d: bit %d: a good end with another result", seed, bit)
		}
		if err != io.EOF && !errors.As(err, &damage) || err.Error() != aheadErr.Error() || !slices.Equal(got, ahead) {
			t.Errorf("seed %d: bit %d: got %v, in parallel %v", seed, bit, err, aheadErr)
		}
	}
}

func TestCloseAndContextEndAParallelReader(t *testing.T) {
	file := bytes.Repeat(pack(t, strings.Repeat("x", 1000)), 5000)
	ctx, cancel := context.WithCancel(context.Background())
	r := streams.NewParallel(ctx, bytes.NewReader(file), 0, 2)
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	cancel()
	var err error
	for err == nil {
		if _, err = io.Copy(io.Discard, r); err == nil {
			_, err = r.Next()
		}
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
	r.Close()
	r.Close()
}

func TestTheChecksumOverAllBlocksIsCompared(t *testing.T) {
	good := pack(t, "some text that is packed")
	refused := 0
	for bit := 8 * (len(good) - 5); bit < 8*len(good); bit++ {
		bad := bytes.Clone(good)
		bad[bit/8] ^= 0x80 >> (bit % 8)
		for _, read := range []func() ([]string, error){
			func() ([]string, error) { return readAll(bytes.NewReader(bad), 0) },
			func() ([]string, error) { return readParallel(t, bytes.NewReader(bad), 0, 2) },
		} {
			if _, err := read(); err != io.EOF && strings.Contains(err.Error(), "checksum of the stream is") {
				refused++
			}
		}
	}
	// The sum ends at most seven bits before the stream does, so all of its bits were turned, and nothing else said it.
	if refused != 2*32 {
		t.Errorf("%d of 64 wrong checksums of a stream were refused", refused)
	}
}
