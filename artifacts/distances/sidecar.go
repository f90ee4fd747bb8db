package distances

import (
	"fmt"
	"io"
	"os"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
)

// WriteColumns writes the sidecar: cols in ascending order of node, each in the next place of its
// shard or the first of the next shard, as Partition has it.
func WriteColumns(w io.Writer, o arrowio.Options, cols []Column) (arrowio.Summary, error) {
	file, err := arrowio.NewWriter(w, schemas.ColumnsTable, o)
	if err != nil {
		return arrowio.Summary{}, err
	}
	for i := range cols {
		if i > 0 && cols[i].Node <= cols[i-1].Node {
			panic(fmt.Sprintf("distances: column of node %d after that of node %d", cols[i].Node, cols[i-1].Node))
		}
		if err := writeColumn(file, &cols[i]); err != nil {
			return arrowio.Summary{}, err
		}
	}
	return file.Close()
}

func writeColumn(file *arrowio.Writer, c *Column) error {
	cells := []any{c.Node, c.PageID, c.Title, c.Reasons, c.Shard, c.Row}
	for _, n := range c.At {
		cells = append(cells, n)
	}
	return file.Row(append(cells, c.Unreached)...)
}

// readColumns copies the sidecar into memory. Its rows are not checked yet.
func readColumns(root *os.Root, name string, want digest.Digest) ([]Column, error) {
	file, err := arrowio.Open(root, name, schemas.ColumnsTable, want)
	if err != nil {
		return nil, err
	}
	cols := make([]Column, 0, file.Rows())
	for b := range file.Batches() {
		cols = appendBatch(cols, file, b)
	}
	return cols, file.Close()
}

func appendBatch(cols []Column, file *arrowio.File, b int) []Column {
	col := schemas.ColumnsTable.Index
	node, pageID := file.Uint32s(b, col("node")), file.Uint32s(b, col("page_id"))
	title, reasons := file.Strings(b, col("title")), file.Uint8s(b, col("reasons"))
	shard, row := file.Uint32s(b, col("shard")), file.Uint32s(b, col("row"))
	unreached := file.Uint32s(b, col("unreached"))
	first, at0 := len(cols), col("at_0")
	for i := range node {
		cols = append(cols, Column{
			Node: node[i], PageID: pageID[i], Title: title.At(i), Reasons: reasons[i],
			Shard: shard[i], Row: row[i], Unreached: unreached[i],
		})
	}
	for d := range schemas.CountedDepth + 1 {
		for i, n := range file.Uint32s(b, at0+d) {
			cols[first+i].At[d] = n
		}
	}
	return cols
}

// checkColumns checks that nodes ascend below nodes, that the columns take the places of the shards one after
// another (shard i has room for rows[i]), and that each column's counts add up to nodes.
func checkColumns(cols []Column, nodes int, rows []int, found *graph.Findings) {
	places := placesOf(rows)
	if len(cols) != len(places) {
		found.At("", "%d rows for %d columns in %d shards", len(cols), len(places), len(rows))
		return
	}
	before := int64(-1)
	for i := 0; i < len(cols) && !found.Full(); i++ {
		c := &cols[i]
		if int64(c.Node) <= before || int64(c.Node) >= int64(nodes) {
			found.Row(i, "node %d after %d in a graph of %d nodes, want ascending", c.Node, before, nodes)
		}
		before = int64(c.Node)
		if at := (place{c.Shard, c.Row}); at != places[i] {
			found.Row(i, "column at shard %d row %d, want shard %d row %d", at.shard, at.row, places[i].shard, places[i].row)
		}
		if sum := c.counted(); sum != uint64(nodes) {
			found.Row(i, "counts add up to %d of %d nodes", sum, nodes)
		}
	}
}

// place is a row of a shard.
type place struct{ shard, row uint32 }

// placesOf lists the places of shards with so many rows each, in order.
func placesOf(rows []int) []place {
	var places []place
	for shard, n := range rows {
		for row := range n {
			places = append(places, place{uint32(shard), uint32(row)})
		}
	}
	return places
}

// counted returns the number of nodes that the column counts.
func (c *Column) counted() uint64 {
	sum := uint64(c.Unreached)
	for _, n := range c.At {
		sum += uint64(n)
	}
	return sum
}
