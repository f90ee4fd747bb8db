package release

import (
	"cmp"
	"io"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// table writes the file of the folder of the graph at p from a table of the build.
func (w *writer) table(
	p string, g *graph.Graph, from File, layout schemas.Table,
	copyRows func(p *arrowio.ParquetWriter, src *arrowio.File, g *graph.Graph) error,
) error {
	src, err := arrowio.Open(w.in.Root, from.Path, layout, from.Digest)
	if err != nil {
		return err
	}
	defer src.Close()
	if p == leadsPath && src.Rows() == 0 {
		return nil // an edge list has no text
	}
	return w.create(p, func(out io.Writer) (arrowio.Summary, error) {
		rows, err := arrowio.NewParquetWriter(out, graphTables[p])
		if err != nil {
			return arrowio.Summary{}, err
		}
		if err := copyRows(rows, src, g); err != nil {
			return arrowio.Summary{}, err
		}
		return rows.Close()
	})
}

// copyNodes copies the columns of a release, which have the same names in the table of the build.
func copyNodes(p *arrowio.ParquetWriter, src *arrowio.File, _ *graph.Graph) error {
	var from []int
	for _, c := range schemas.ReleaseNodesTable.Columns {
		from = append(from, schemas.NodesTable.Index(c.Name))
	}
	row := make([]any, len(from))
	for b := range src.Batches() {
		for i := range src.BatchRows(b) {
			for to, col := range from {
				row[to] = src.Cell(b, col, i)
			}
			if err := p.Row(row...); err != nil {
				return err
			}
		}
	}
	return nil
}

// copyAliases copies of the redirects of the build those that end at a node. The others stay out because a reader could do
// nothing with them; the funnel counts them.
func copyAliases(p *arrowio.ParquetWriter, src *arrowio.File, g *graph.Graph) error {
	col := schemas.AliasesTable.Index
	for b := range src.Batches() {
		titles, status := src.Strings(b, col("title")), src.Strings(b, col("status"))
		targets := src.Uint32s(b, col("target_page_id"))
		for i := range titles.Len() {
			node, found := g.Node(targets[i])
			if !found || status.At(i) != schemas.AliasOK {
				continue
			}
			if err := p.Row(titles.At(i), node); err != nil {
				return err
			}
		}
	}
	return nil
}

// graph copies the graph of the build byte for byte, so that its SHA-256 is the one that every instance names.
func (w *writer) graph() (*graph.Graph, error) {
	file, err := arrowio.Open(w.in.Root, w.in.Graph.Path, schemas.GraphTable, w.in.Graph.Digest)
	if err != nil {
		return nil, err
	}
	rows, logical := file.Rows(), file.Logical()
	if err := file.Close(); err != nil {
		return nil, err
	}
	err = w.create(graphPath, func(out io.Writer) (arrowio.Summary, error) {
		_, err := w.copyOf(w.in.Graph)(out)
		return arrowio.Summary{Rows: rows, Logical: logical}, err
	})
	if err != nil {
		return nil, err
	}
	return graph.Open(w.in.Root, w.in.Graph.Path, w.in.Graph.Digest)
}

// shardBytes is the size that a distance shard may reach.
func (in *Input) shardBytes() (int64, error) {
	size := cmp.Or(in.ShardBytes, defaultShardBytes)
	if size < 0 || size > 4<<30 {
		return 0, fault.New(fault.Usage, "distance shards of %d bytes: at most 4 GiB are allowed", size)
	}
	return size, nil
}
