package graph

import (
	"io"
	"os"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
)

// Write writes a graph as a file of schemas.GraphTable, in one record batch. What Open and Check
// ask of it is the caller's promise: page ids and rows ascend, titles are unique, pred is the
// transpose of succ.
func Write(w io.Writer, o arrowio.Options, pageIDs []uint32, titles arrowio.Strings, succ, pred CSR) (arrowio.Summary, error) {
	return arrowio.WriteTable(w, schemas.GraphTable, o, pageIDs, titles, arrowio.Lists(succ), arrowio.Lists(pred))
}

// Open maps the graph file called name below root. The file must have the digest want; page ids and
// the rows of both CSRs must ascend, and every value be a node. Whatever does not hold is a
// finding, as those of Check.
func Open(root *os.Root, name string, want digest.Digest) (*Graph, error) {
	file, err := arrowio.Open(root, name, schemas.GraphTable, want)
	if err != nil {
		return nil, err
	}
	g, err := view(file, name)
	if err != nil {
		_ = file.Close() // the findings stay a flat list
		return nil, err
	}
	g.SHA256 = want.SHA256
	return g, nil
}

// view returns the graph of a mapped file after a look at its structure.
func view(file *arrowio.File, name string) (*Graph, error) {
	found := NewFindings(name)
	if n := file.Batches(); n != 1 {
		found.At("", "%d record batches, want 1", n)
		return nil, found.Err()
	}
	col := schemas.GraphTable.Index
	g := &Graph{
		PageIDs: file.Uint32s(0, col("page_id")),
		Titles:  file.Strings(0, col("title")),
		Succ:    CSR(file.Lists(0, col("successors"))),
		Pred:    CSR(file.Lists(0, col("predecessors"))),
		file:    file,
		name:    name,
	}
	return g, arrowio.Guard(func() error {
		g.checkStructure(found)
		return found.Err()
	})
}
