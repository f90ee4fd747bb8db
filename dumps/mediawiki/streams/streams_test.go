package streams_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/dsnet/compress/bzip2"

	"github.com/wikinav/wikinav/dumps/mediawiki/streams"
)

func pack(t testing.TB, s string) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := bzip2.NewWriter(&b, &bzip2.WriterConfig{Level: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, s); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// readAll gives offset and content of each stream, and the error after them.
func readAll(src io.Reader, start int64) (got []string, err error) {
	return readEach(streams.NewReader(src, start))
}

func readParallel(t testing.TB, src io.Reader, start int64, workers int) (got []string, err error) {
	t.Helper()
	r := streams.NewParallel(context.Background(), src, start, workers)
	defer r.Close()
	return readEach(r)
}

func readEach(r *streams.Reader) (got []string, err error) {
	for {
		at, err := r.Next()
		if err != nil {
			return got, err
		}
		text, err := io.ReadAll(r)
		if err != nil {
			return got, err
		}
		got = append(got, fmt.Sprintf("%d:%s", at, text))
	}
}

// contents are of streams that span windows, are empty, and are smaller than a header.
func contents() []string {
	long := make([]byte, 300_000)
	for i, x := 0, uint32(1); i < len(long); i++ {
		x = x*1664525 + 1013904223
		long[i] = byte(x >> 24)
	}
	return []string{"first", "", string(long), "BZh91AY&SY in the text", strings.Repeat("x", 1000), "", "last"}
}

func TestEveryStreamIsReadForItself(t *testing.T) {
	const start = 1000
	var file []byte
	var want []string
	for _, c := range contents() {
		want = append(want, fmt.Sprintf("%d:%s", start+len(file), c))
		file = append(file, pack(t, c)...)
	}
	for name, src := range map[string]io.Reader{
		"whole": bytes.NewReader(file), "bytewise": iotest.OneByteReader(bytes.NewReader(file)),
	} {
		got, err := readAll(src, start)
		if err != io.EOF || !slices.Equal(got, want) {
			t.Errorf("%s: got %d streams, %v, want %d", name, len(got), err, len(want))
		}
	}
	for workers := 1; workers <= 3; workers++ {
		for name, src := range map[string]io.Reader{
			"whole": bytes.NewReader(file), "bytewise": iotest.OneByteReader(bytes.NewReader(file)),
		} {
			got, err := readParallel(t, src, start, workers)
			if err != io.EOF || !slices.Equal(got, want) {
				t.Errorf("%s, %d workers: got %d streams, %v, want %d", name, workers, len(got), err, len(want))
			}
		}
	}
}

func TestOffsetIsTheEndOfAReadStream(t *testing.T) {
	first := pack(t, "first")
	r := streams.NewReader(bytes.NewReader(append(slices.Clone(first), pack(t, "second")...)), 0)
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(); err == nil {
		t.Error("Next before the end of a stream: got no error")
	}
	if _, err := io.ReadAll(r); err != nil {
		t.Fatal(err)
	}
	if got, want := r.Offset(), int64(len(first)); got != want {
		t.Errorf("offset: got %d, want %d", got, want)
	}
}

func TestEveryCutAndTrailingBytesAreDamage(t *testing.T) {
	good := pack(t, "some text that is packed")
	file := append(slices.Clone(good), good...)
	for cut := 1; cut < len(file); cut++ {
		got, err := readAll(bytes.NewReader(file[:cut]), 0)
		var damage *streams.Damage
		if cut == len(good) {
			if err != io.EOF || len(got) != 1 {
				t.Errorf("cut between streams: got %d streams, %v", len(got), err)
			}
		} else if !errors.As(err, &damage) {
			t.Errorf("cut at %d: got %v, want damage", cut, err)
		}
	}
	for _, tail := range []string{"x", "B", "BZh", "BZh9", "BZh91AY&SY", "\x00\x00"} {
		_, err := readAll(bytes.NewReader(append(slices.Clone(good), tail...)), 0)
		var damage *streams.Damage
		if !errors.As(err, &damage) {
			t.Errorf("%q after a stream: got %v, want damage", tail, err)
		}
	}
}

func TestErrorOfTheFileIsNoDamage(t *testing.T) {
	disk := errors.New("disk")
	_, err := readAll(io.MultiReader(bytes.NewReader(pack(t, "text")[:20]), iotest.ErrReader(disk)), 0)
	var damage *streams.Damage
	if !errors.Is(err, disk) || errors.As(err, &damage) {
		t.Errorf("got %v, want the error of the disk", err)
	}
}

// FuzzStreams checks that no bytes panic, and that guesses change neither content nor error.
func FuzzStreams(f *testing.F) {
	f.Add(pack(f, "text"))
	f.Add(append(pack(f, ""), pack(f, "x")...))
	f.Add([]byte("BZh9\x17\x72\x45\x38\x50\x90\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := readAll(bytes.NewReader(data), 0)
		var damage *streams.Damage
		if err != io.EOF && !errors.As(err, &damage) {
			t.Errorf("got %v, want a good end or damage", err)
		}
		ahead, aheadErr := readParallel(t, bytes.NewReader(data), 0, 2)
		if !slices.Equal(got, ahead) || err.Error() != aheadErr.Error() {
			t.Errorf("in parallel: got %d streams and %v, want %d and %v", len(ahead), aheadErr, len(got), err)
		}
	})
}
