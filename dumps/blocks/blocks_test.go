package blocks

import (
	"bytes"
	stdlib "compress/bzip2"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dsnet/compress/bzip2"
)

func pack(t testing.TB, data []byte, level int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := bzip2.NewWriter(&b, &bzip2.WriterConfig{Level: level})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// mark48 gives the 48 bits at bit at of src.
func mark48(src []byte, at int) uint64 {
	in := newBitReader(src, at)
	return uint64(in.take(24))<<24 | uint64(in.take(24))
}

const (
	blockMark = 0x314159265359
	markBits  = 48
	headBits  = 32
)

// unpack unpacks all blocks of a stream.
func unpack(d *Decoder, stream []byte) (plain []byte, err error) {
	for at := headBits; mark48(stream, at) == blockMark; {
		b, err := d.Decode(plain, stream, at+markBits, MaxPlain)
		if err != nil {
			return plain, err
		}
		plain, at = b.Plain, b.End
	}
	return plain, nil
}

// texts are what blocks are made of: prose, noise, periods that make short cycles, runs of each length.
func texts() map[string][]byte {
	rng := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 250_000)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	var prose, runs strings.Builder
	words := strings.Fields("the of and [[link]] {{template|x=1}} a &quot;quoted&quot; Überraschung 漢字 in to was\n ==")
	for prose.Len() < 250_000 {
		prose.WriteString(words[rng.IntN(len(words))] + " ")
	}
	for n := range 600 {
		runs.WriteString(strings.Repeat(string(rune('a'+n%3)), n))
	}
	return map[string][]byte{
		"noise": noise, "prose": []byte(prose.String()), "runs": []byte(runs.String()),
		"one": {'x'}, "two": []byte("ab"), "same": bytes.Repeat([]byte{0}, 1_000_000),
		"period 2": bytes.Repeat([]byte("ab"), 50_000), "period 7": bytes.Repeat([]byte("abcdefg"), 30_000),
		"period 1500": bytes.Repeat(noise[:1500], 100), "all bytes": func() (b []byte) {
			for i := range 256 {
				b = append(b, byte(i))
			}
			return b
		}(),
	}
}

func TestBlocksGiveWhatWasPacked(t *testing.T) {
	d := NewDecoder()
	for name, text := range texts() {
		for _, level := range []int{1, 9} {
			got, err := unpack(d, pack(t, text, level))
			if err != nil || !bytes.Equal(got, text) {
				t.Errorf("%s at level %d: got %d bytes, %v, want %d", name, level, len(got), err, len(text))
			}
		}
	}
}

func TestCutBlocksAreShort(t *testing.T) {
	d := NewDecoder()
	packed := pack(t, []byte("some text that is packed, some text"), 1)
	b, err := d.Decode(nil, packed, headBits+markBits, MaxPlain)
	if err != nil {
		t.Fatal(err)
	}
	for cut := headBits/8 + 6; cut < (b.End+7)/8; cut++ {
		if _, err := d.Decode(nil, packed[:cut], headBits+markBits, MaxPlain); !errors.Is(err, ErrShort) {
			t.Errorf("cut at %d of %d: got %v, want %v", cut, b.End/8, err, ErrShort)
		}
	}
}

func TestLargeBlocksStopAtTheLimit(t *testing.T) {
	d := NewDecoder()
	packed := pack(t, make([]byte, 10_000), 1)
	for limit, want := range map[int]error{9_999: ErrLarge, 3: ErrLarge, 10_000: nil} {
		b, err := d.Decode([]byte("before"), packed, headBits+markBits, limit)
		if !errors.Is(err, want) || err == nil && len(b.Plain) != 10_006 {
			t.Errorf("limit %d: got %d bytes, %v, want %v", limit, len(b.Plain), err, want)
		}
	}
}

// TestFlippedBitsNeverGiveOtherBytes compares with the standard library, which may refuse less of what no packer writes.
func TestFlippedBitsNeverGiveOtherBytes(t *testing.T) {
	const seed = 3
	rng := rand.New(rand.NewPCG(seed, 0))
	d := NewDecoder()
	text := texts()["prose"][:3000]
	good := pack(t, text, 1)
	for range 2000 {
		bit := 8*headBits/8 + markBits + rng.IntN(8*len(good)-headBits-markBits-80)
		bad := bytes.Clone(good)
		bad[bit/8] ^= 0x80 >> (bit % 8)
		got, err := unpack(d, bad)
		want, stdErr := io.ReadAll(stdlib.NewReader(bytes.NewReader(bad)))
		if err == nil && (stdErr != nil || !bytes.Equal(got, want)) {
			t.Fatalf("seed %d: bit %d: got %d bytes, the standard library %d and %v", seed, bit, len(got), len(want), stdErr)
		}
	}
	if got, err := unpack(d, good); err != nil || !bytes.Equal(got, text) {
		t.Errorf("a good block after bad ones: got %d bytes, %v", len(got), err)
	}
}

func TestCodesOfUpTo20BitsAreRead(t *testing.T) {
	var c code
	lengths := make([]uint8, 21) // 1, 2, …, 19, 20, 20: complete
	for i := range lengths {
		lengths[i] = uint8(min(i+1, maxCodeLen))
	}
	if !c.build(lengths) {
		t.Fatal("a complete code is refused")
	}
	for i, l := range lengths[fastBits:] {
		value := uint32(1<<maxCodeLen-1<<(maxCodeLen-l+1)) & (1<<maxCodeLen - 1)
		if i+fastBits == 20 {
			value = 1<<maxCodeLen - 1
		} else if l == maxCodeLen {
			value = 1<<maxCodeLen - 2
		}
		if symbol, length := c.slow(value); int(symbol) != i+fastBits || length != uint(l) {
			t.Errorf("%020b: got symbol %d of %d bits, want %d of %d", value, symbol, length, i+fastBits, l)
		}
	}
	if c.build([]uint8{1, 1, 1}) {
		t.Error("three codes of one bit are accepted")
	}
}

// FuzzDecode checks that no bytes panic, and that what is read is what the standard library reads.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{"text", strings.Repeat("ab", 300), strings.Repeat("x", 1000)} {
		f.Add(pack(f, []byte(text), 1)[headBits/8+markBits/8:])
	}
	d := NewDecoder()
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := d.Decode(nil, data, 0, 1<<20)
		if err != nil {
			return
		}
		stream := append([]byte("BZh91AY&SY"), data[:(b.End+7)/8]...)
		want := make([]byte, len(b.Plain))
		if n, _ := io.ReadFull(stdlib.NewReader(bytes.NewReader(stream)), want); n > 0 && !bytes.Equal(b.Plain[:n], want[:n]) {
			t.Errorf("got %d bytes that differ from those of the standard library", n)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	for _, name := range []string{"prose", "noise"} {
		text := bytes.Repeat(texts()[name], 4)[:899_000]
		packed := pack(b, text, 9)
		b.Run(name, func(b *testing.B) {
			d := NewDecoder()
			var plain []byte
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				block, err := d.Decode(plain[:0], packed, headBits+markBits, MaxPlain)
				if err != nil {
					b.Fatal(err)
				}
				plain = block.Plain
			}
		})
		b.Run(fmt.Sprint(name, "/stdlib"), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := io.Copy(io.Discard, stdlib.NewReader(bytes.NewReader(packed))); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
