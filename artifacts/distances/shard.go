package distances

import (
	"fmt"
	"io"
	"maps"
	"strconv"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Shard is the part of the target set that one file holds: Count targets from the First on, in
// ascending order of node.
type Shard struct{ Number, First, Count int }

// MaxShards is what four digits can number.
const MaxShards = 10_000

// Bytes of an Arrow file beside its columns: the schema in its head and in its foot, and in the
// foot a record of each batch. The first is an upper bound, which the tests hold against files.
const (
	frameBytes  = 4096
	footerBytes = 24
)

// ShardName returns the name of shard i's file.
func ShardName(i int) string { return fmt.Sprintf("distances-%04d.arrow", i) }

// Partition spreads targets over shards in order. No file exceeds shardBytes unless a single column
// does; every shard but the last is full. nodes is the number of bytes in a column and stride the
// number that it takes in the file, as Stride has it. A partition into more than MaxShards shards
// is for the caller to refuse.
func Partition(targets, nodes int, shardBytes, stride int64) []Shard {
	if stride < int64(nodes) {
		panic(fmt.Sprintf("distances: a stride of %d for columns of %d bytes", stride, nodes))
	}
	full := int(min(int64(targets), max(1, (shardBytes-frameBytes)/(stride+footerBytes))))
	var shards []Shard
	for first := 0; first < targets; first += full {
		shards = append(shards, Shard{len(shards), first, min(full, targets-first)})
	}
	return shards
}

// WriteShard writes a shard of count columns of nodes bytes each over the graph with this digest.
// It calls column once for each i in ascending order and keeps no slice longer than until the next
// call, so one buffer will do. Whether the distances are right is
// CheckColumn's business.
func WriteShard(
	w io.Writer, o arrowio.Options, graphSHA256 string, nodes, count int, column func(i int) ([]uint8, error),
) (arrowio.Summary, error) {
	l, err := layoutOf(o, graphSHA256, nodes)
	if err != nil {
		return arrowio.Summary{}, err
	}
	out := &placed{w: w, layout: l, nodes: nodes}
	file, err := arrowio.NewBatchWriter(out, schemas.DistancesTable, l.metadata(o, graphSHA256))
	if err != nil {
		return arrowio.Summary{}, err
	}
	for i := range count {
		dist, err := column(i)
		if err != nil {
			return arrowio.Summary{}, fmt.Errorf("column %d: %w", i, err)
		}
		if len(dist) != nodes {
			panic(fmt.Sprintf("distances: a column of %d for %d nodes", len(dist), nodes))
		}
		if err := file.WriteBatch(dist); err != nil {
			return arrowio.Summary{}, err
		}
		out.wrote(i)
	}
	return file.Close()
}

// Keys of a shard's metadata. The numbers have 20 decimal digits with leading zeros, so that
// writing them down moves nothing that they speak of.
const (
	KeyGraph   = "wikinav.graph_sha256"
	KeyOffset0 = "wikinav.offset0" // byte at which column 0 starts
	KeyStride  = "wikinav.stride"  // bytes from one column's start to the next
)

// layout is where a shard's columns are.
type layout struct{ offset0, stride int64 }

func (l layout) column(i int) int64 { return l.offset0 + int64(i)*l.stride }

// metadata adds the keys of a shard to o, which stays as it is.
func (l layout) metadata(o arrowio.Options, graphSHA256 string) arrowio.Options {
	keys := maps.Clone(o.Metadata)
	if keys == nil {
		keys = map[string]string{}
	}
	keys[KeyGraph] = graphSHA256
	keys[KeyOffset0] = twentyDigits(l.offset0)
	keys[KeyStride] = twentyDigits(l.stride)
	return arrowio.Options{ParamsSHA256: o.ParamsSHA256, Metadata: keys}
}

func twentyDigits(n int64) string { return fmt.Sprintf("%020d", n) }

// layoutFrom reads the layout back from a shard's metadata.
func layoutFrom(file *arrowio.File, found *graph.Findings) layout {
	number := func(key string) int64 {
		digits := file.Metadata(key)
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || n < 0 || digits != twentyDigits(n) {
			found.At("metadata "+key, "%s, want a number of 20 digits", fault.Quote(digits))
		}
		return n
	}
	return layout{number(KeyOffset0), number(KeyStride)}
}

// Stride returns the bytes from one column to the next in the shards of a graph of nodes nodes: what
// Partition needs.
func Stride(nodes int) (int64, error) {
	l, err := layoutOf(arrowio.Options{}, "", nodes)
	return l.stride, err
}

func layoutOf(o arrowio.Options, graphSHA256 string, nodes int) (l layout, err error) {
	l.offset0, l.stride, err = arrowio.BatchLayout(schemas.DistancesTable, layout{}.metadata(o, graphSHA256), nodes)
	return l, err
}

// placed checks, while a shard is written, that its columns land where the layout says.
type placed struct {
	w        io.Writer
	layout   layout
	nodes    int
	position int64
	tail     int64 // bytes of padding after each column
}

func (p *placed) Write(b []byte) (int, error) {
	n, err := p.w.Write(b)
	p.position += int64(n)
	return n, err
}

// wrote is called after column i. A column elsewhere would be read as another's, so it is no error
// to recover from.
func (p *placed) wrote(i int) {
	end := p.layout.column(i) + int64(p.nodes)
	if i == 0 {
		p.tail = p.position - end
	}
	if p.position-end != p.tail || p.tail < 0 || int64(p.nodes)+p.tail > p.layout.stride {
		panic(fmt.Sprintf("distances: column %d ends before byte %d, not with at most %d bytes of padding after byte %d",
			i, p.position, p.layout.stride, end))
	}
}
