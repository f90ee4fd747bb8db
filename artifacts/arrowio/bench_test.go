package arrowio

import (
	"io"
	"math/rand/v2"
	"testing"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
)

// BenchmarkLinks writes rows of 13 bytes, as ingest does by the hundred million.
func BenchmarkLinks(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	w, err := NewWriter(io.Discard, schemas.LinksTable, Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(13)
	for b.Loop() {
		if err := w.Row(uint32(7), rng.Uint64(), uint8(1)); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := w.Close(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkGraph writes 100,000 nodes with 20 successors each as one batch.
func BenchmarkGraph(b *testing.B) {
	const n, degree = 100_000, 20
	l := Lists{Offsets: make([]int32, n+1), Values: make([]uint32, n*degree)}
	titles := make([]string, n)
	for i := range n {
		l.Offsets[i+1] = int32((i + 1) * degree)
		titles[i] = words[i%len(words)]
	}
	ids, text := make([]uint32, n), MakeStrings(titles)
	b.SetBytes(2 * 4 * n * degree)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := WriteTable(io.Discard, schemas.GraphTable, Options{}, ids, text, l, l); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOpen opens a file of 65,536 rows of all types: what the digest and the checks cost.
func BenchmarkOpen(b *testing.B) {
	data, _ := arrowFile(b, randomRows(1, schemas.BatchRows))
	root, want := dir(b, "t.arrow", data), digest.Bytes(data)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		f, err := Open(root, "t.arrow", everything, want)
		if err != nil {
			b.Fatal(err)
		}
		if err := f.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
