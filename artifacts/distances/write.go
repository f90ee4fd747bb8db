package distances

import (
	"bytes"
	"fmt"
	"io"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// WriteShard writes a shard of count columns of nodes bytes each over the graph with this digest. It calls column
// once for each i in ascending order and keeps no slice longer than until the next call, so one buffer will do.
// A column with schemas.NoDistance in it is an error; whether the distances are right is CheckColumn's business.
func WriteShard(w io.Writer, o arrowio.Options, graphSHA256 string, nodes, count int, column func(i int) ([]uint8, error)) (arrowio.Summary, error) {
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
		if err := writable(dist, nodes); err != nil {
			return arrowio.Summary{}, fmt.Errorf("column %d: %w", i, err)
		}
		if err := file.WriteBatch(dist); err != nil {
			return arrowio.Summary{}, err
		}
		out.wrote(i)
	}
	return file.Close()
}

func writable(dist []uint8, nodes int) error {
	if len(dist) != nodes {
		panic(fmt.Sprintf("distances: a column of %d for %d nodes", len(dist), nodes))
	}
	if u := bytes.IndexByte(dist, schemas.NoDistance); u >= 0 {
		return fault.New(fault.Mismatch, "distance %d, %s", schemas.NoDistance, neverOccurs).At("", row(u))
	}
	return nil
}

// WriteColumns writes the sidecar: cols in ascending order of node, each in the next place of its shard or the first
// of the next shard, as Partition has it.
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
	index := schemas.ColumnsTable.Index
	file.Uint32(index("node"), c.Node)
	file.Uint32(index("page_id"), c.PageID)
	file.String(index("title"), c.Title)
	file.Uint8(index("reasons"), c.Reasons)
	file.Uint32(index("shard"), c.Shard)
	file.Uint32(index("row"), c.Row)
	for d, n := range c.At {
		file.Uint32(index("at_0")+d, n)
	}
	file.Uint32(index("unreached"), c.Unreached)
	return file.EndRow()
}
