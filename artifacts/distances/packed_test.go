package distances_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
)

// pack puts the shards of an artifact into the packed form.
func (a *artifact) pack(t testing.TB, perShard int) *artifact {
	t.Helper()
	a.files = map[string][]byte{distances.Sidecar: a.files[distances.Sidecar]}
	for first := 0; first < len(a.dist); first += perShard {
		part := a.dist[first:min(first+perShard, len(a.dist))]
		a.files[distances.PackedName(first/perShard)] = packedFile(t, a.g.Len(), part)
	}
	return a
}

func packedFile(t testing.TB, nodes int, dist [][]uint8) []byte {
	t.Helper()
	var out bytes.Buffer
	column := func(i int) ([]uint8, error) { return dist[i], nil }
	if err := distances.WritePacked(&out, graphSHA256, nodes, len(dist), column); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// slowly reads a packed shard by the words of docs/distances.md, bit by bit and without a count of
// bits.
func slowly(data []byte) (columns [][]uint8) {
	u32, u64 := binary.LittleEndian.Uint32, binary.LittleEndian.Uint64
	nodes, n := int(u64(data[16:])), int(u64(data[24:]))
	places := data[len(data)-8*(n+1):]
	for i := range n {
		col := data[u64(places[8*i:]):u64(places[8*i+8:])]
		planes := int(u32(col))
		last := u32(col[4+8*planes:])
		rest := col[8+8*planes:]
		open := make([]int, nodes) // the nodes that no plane has yet
		for u := range open {
			open[u] = u
		}
		dist := make([]uint8, nodes)
		for k := range planes {
			var left []int
			for i, u := range open {
				block := rest[i/480*64:]
				if bit := i % 480; block[4+bit/8]>>(bit%8)&1 == 1 {
					dist[u] = uint8(u32(col[4+8*k:]))
				} else {
					left = append(left, u)
				}
			}
			size := len(open) / 480 * 64
			if m := len(open) % 480; m > 0 {
				size += 4 + (m+31)/32*4
			}
			open, rest = left, rest[size:]
		}
		for i, u := range open {
			if dist[u] = uint8(last); last == 256 {
				dist[u] = rest[i]
			}
		}
		columns = append(columns, dist)
	}
	return columns
}

// odd are columns of every shape: one distance, two, all that there are, sizes around those of
// blocks.
func odd(r *rng.Stream) (columns [][]uint8) {
	nodes := []int{1, 2, 31, 32, 33, 479, 480, 481, 960, 961, 5000}[r.Below(11)]
	for range min(nodes, 1+r.Below(4)) {
		kinds, col := []int{1, 2, 3, 8, 256}[r.Below(5)], make([]uint8, nodes)
		for u := range col {
			if col[u] = uint8(r.Below(kinds)); r.Below(3) > 0 {
				col[u] = uint8(min(int(col[u]), 1+r.Below(3)))
			}
		}
		columns = append(columns, col)
	}
	return columns
}

func TestPackedColumnsAreReadAsTheyWere(t *testing.T) {
	t.Parallel()
	for i := range 300 {
		want := odd(rng.New(5, "packed", rng.Part(i)))
		data := packedFile(t, len(want[0]), want)
		read, err := distances.ReadPacked(data, len(want[0]), graphSHA256)
		if err != nil {
			t.Fatalf("%d: %v", i, err)
		}
		for c, slow := range slowly(data) {
			all, one, err := read(c)
			if err != nil || !bytes.Equal(slow, want[c]) || !bytes.Equal(all, want[c]) || !bytes.Equal(one, want[c]) {
				t.Fatalf("%d: column %d of %d nodes: %v, slowly %v, at once %v, one by one %v, want %v",
					i, c, len(want[0]), err, slow, all, one, want[c])
			}
		}
	}
}

func TestASetOfPackedColumnsIsTheSameSet(t *testing.T) {
	t.Parallel()
	g := large(1000)
	a := compute(t, g, everyThird(g.Len()), 100)
	plain, raw := a.mustOpen(t), size(a.files)
	packed := a.pack(t, 100).mustOpen(t)
	if plain.Mapped() == packed.Mapped() {
		t.Error("one of both must be unpacked")
	}
	for _, c := range plain.Columns() {
		want, _ := plain.Column(c.Node)
		got, err := packed.Column(c.Node)
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("column of %d: %v, %v, want %v", c.Node, got, err, want)
		}
		for u := range want {
			if d, err := packed.At(uint32(u), c.Node); err != nil || d != want[u] {
				t.Fatalf("from %d to %d: %d, %v, want %d", u, c.Node, d, err, want[u])
			}
		}
	}
	if err := packed.Check(); err != nil {
		t.Error(err)
	}
	if err := packed.Prove(g, 7); err != nil {
		t.Error(err)
	}
	if size(a.files)*2 > raw {
		t.Errorf("%d bytes packed from %d", size(a.files), raw)
	}
	cached := distances.NewCached(packed, g, 2)
	first, _ := cached.Column(4)
	if again, err := cached.Column(4); err != nil || &first[0] != &again[0] || !bytes.Equal(first, columnOf(t, g, 4)) {
		t.Errorf("a column is unpacked twice, or is not itself: %v", err)
	}
}

// large returns a random graph of at least half of n nodes.
func large(n int) *graph.Graph {
	for seed := 0; ; seed++ {
		if c := graphtest.Random(seed, n); c.Nodes() > n/2 {
			return graphtest.Graph(c, nil)
		}
	}
}

// size is that of the shards.
func size(files map[string][]byte) (n int) {
	for name, data := range files {
		if name != distances.Sidecar {
			n += len(data)
		}
	}
	return n
}

// TestNoBytePassesUnseen: whatever byte of a packed shard is another, with its digest in line, it
// is refused by its form, or it says another distance.
func TestNoBytePassesUnseen(t *testing.T) {
	t.Parallel()
	g := large(600)
	a := compute(t, g, []uint32{1, 4, 9}, 3).pack(t, 3)
	name := distances.PackedName(0)
	whole := a.files[name]
	for i := range whole {
		changed := bytes.Clone(whole)
		changed[i] ^= 1 << (i % 8)
		read, err := distances.ReadPacked(changed, g.Len(), graphSHA256)
		other := false // as distances, which Check counts and Prove proves
		for c := 0; err == nil && c < 3; c++ {
			var dist []uint8
			dist, _, err = read(c)
			other = other || !bytes.Equal(dist, a.dist[c])
		}
		if err == nil && !other {
			t.Fatalf("byte %d of %d passes", i, len(whole))
		}
		if err == nil {
			continue
		}
		if fault.KindOf(err) != fault.Mismatch {
			t.Fatalf("byte %d: %v", i, err)
		}
	}
	for cut := range whole {
		if _, err := distances.ReadPacked(whole[:cut], g.Len(), graphSHA256); fault.KindOf(err) != fault.Mismatch {
			t.Fatalf("%d of %d bytes: %v", cut, len(whole), err)
		}
	}
}

func TestDamagedPackedDistancesAreRefusedByPlace(t *testing.T) {
	t.Parallel()
	name, g := distances.PackedName(0), large(1000)
	for what, change := range map[string]func(b []byte) []byte{
		"no packed distances":    func(b []byte) []byte { b[0]++; return b },
		"distances of the graph": func(b []byte) []byte { b[40]++; return b },
		"distances in a column":  func(b []byte) []byte { b[16]++; return b },
		"columns over":           func(b []byte) []byte { b[31] = 255; return b },
		"is room":                func(b []byte) []byte { b[len(b)-9] = 127; return b },
		"planes in":              func(b []byte) []byte { b[64] = 200; return b },
		"at distance":            func(b []byte) []byte { b[69] = 1; return b },
		"more":                   func(b []byte) []byte { return append(b, 0) },
	} {
		a := compute(t, g, []uint32{1, 4, 7}, 3).pack(t, 3)
		a.files[name] = change(a.files[name])
		_, err := a.open(t)
		if what == "more" {
			what = ""
		}
		if e := err; e == nil || !strings.Contains(e.Error(), dir+"/"+name) || !strings.Contains(e.Error(), what) ||
			fault.KindOf(e) != fault.Mismatch {
			t.Errorf("%s: %v", what, err)
		}
	}
	a := compute(t, g9(), []uint32{1, 4, 7}, 3).pack(t, 3)
	a.files[distances.ShardName(1)] = nil
	if _, err := a.open(t); err == nil || !strings.Contains(err.Error(), "distances-0001.packed") {
		t.Errorf("both forms in one folder: %v", err)
	}
}

// FuzzPacked reads what a stranger calls packed distances. Nothing may panic; what is canonical is
// what packing the columns yields.
func FuzzPacked(f *testing.F) {
	for i := range 8 {
		want := odd(rng.New(5, "packed", rng.Part(i)))
		if n := len(want[0]); n < 600 {
			f.Add(uint16(n), packedFile(f, n, want))
		}
	}
	f.Fuzz(func(t *testing.T, nodes uint16, data []byte) {
		if copy(data[min(len(data), 32):], bytes.Repeat([]byte{0xab}, 32)) < 32 || nodes == 0 {
			return
		}
		read, err := distances.ReadPacked(data, int(nodes), graphSHA256)
		if err != nil {
			return
		}
		var columns [][]uint8
		for i := 0; ; i++ {
			all, one, err := read(i)
			if all == nil && err == nil {
				break
			}
			if err != nil {
				return
			}
			if !bytes.Equal(all, one) {
				t.Fatalf("at once %v, one by one %v", all, one)
			}
			columns = append(columns, all)
		}
		if again := packedFile(t, int(nodes), columns); !bytes.Equal(again, data) {
			t.Fatal("other bytes are taken for the same columns")
		}
	})
}

func BenchmarkLookups(b *testing.B) {
	const n = 100_000
	var edges []graphtest.Edge
	for r, u := rng.New(7, "links"), uint32(0); u < n; u++ {
		for range 8 { // as many as make distances like those of a wiki
			edges = append(edges, graphtest.Edge{u, uint32(r.Below(n))})
		}
	}
	g := graphtest.Graph(graphtest.Build(n, edges), nil)
	targets := make([]uint32, 64)
	for i := range targets {
		targets[i] = uint32(i * 1000)
	}
	a := compute(b, g, targets, 64)
	for name, set := range map[string]*distances.Set{"arrow": a.mustOpen(b), "packed": a.pack(b, 64).mustOpen(b)} {
		r := rng.New(7, "look-ups")
		places := make([]uint32, 1<<16)
		for i := range places {
			places[i] = uint32(r.Below(g.Len()))
		}
		b.Run(fmt.Sprint("at/", name), func(b *testing.B) {
			for i := range b.N {
				if _, err := set.At(places[i&0xffff], targets[i&63]); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprint("column/", name), func(b *testing.B) {
			b.SetBytes(int64(g.Len()))
			for i := range b.N {
				if _, err := set.Column(targets[i&63]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
