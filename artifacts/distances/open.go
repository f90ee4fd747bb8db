package distances

import (
	"os"
	"path"
	"sync/atomic"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Open maps the distances of a graph with nodes nodes and the digest graphSHA256 from the folder dir below root ("."
// for root itself). files holds the digest of each file of the artifact by its name in dir: the sidecar, and the
// shards by ShardName without a gap.
//
// It refuses files with other digests, shards of another graph, columns that are not nodes long or not at the place
// that the shard's metadata says, and a sidecar that is not sorted by node, does not list the columns in the order of
// their places, or counts other than nodes nodes in a column. Values are checked where they are read, and by Check.
func Open(root *os.Root, dir string, files map[string]digest.Digest, nodes int, graphSHA256 string) (*Set, error) {
	if err := checkNames(dir, files); err != nil {
		return nil, err
	}
	s := &Set{nodes: nodes, sidecar: path.Join(dir, Sidecar)}
	if err := s.open(root, dir, files, graphSHA256); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func checkNames(dir string, files map[string]digest.Digest) error {
	if _, ok := files[Sidecar]; !ok {
		return fault.New(fault.Mismatch, "not among the files of the distances").At(path.Join(dir, Sidecar), "")
	}
	for i := range len(files) - 1 {
		if _, ok := files[ShardName(i)]; !ok {
			return fault.New(fault.Mismatch, "not among the %d files of the distances", len(files)).At(path.Join(dir, ShardName(i)), "")
		}
	}
	return nil
}

func (s *Set) open(root *os.Root, dir string, files map[string]digest.Digest, graphSHA256 string) error {
	cols, err := readColumns(root, s.sidecar, files[Sidecar])
	if err != nil {
		return err
	}
	rows := make([]int, len(files)-1)
	for i := range rows {
		name := path.Join(dir, ShardName(i))
		file, err := arrowio.Open(root, name, schemas.DistancesTable, files[ShardName(i)])
		if err != nil {
			return err
		}
		s.shards = append(s.shards, shard{name, file})
		if err := s.addColumns(name, file, graphSHA256); err != nil {
			return err
		}
		rows[i] = file.Batches()
	}
	found := graph.NewFindings(s.sidecar)
	checkColumns(cols, s.nodes, rows, found)
	if err := found.Err(); err != nil {
		return err
	}
	s.list(cols)
	return nil
}

// addColumns takes up the columns of a shard, each after a look at its place.
func (s *Set) addColumns(name string, file *arrowio.File, graphSHA256 string) error {
	found := graph.NewFindings(name)
	if got := file.Metadata(KeyGraph); got != graphSHA256 {
		found.At("", "distances of the graph %s, want %s", fault.Quote(got), graphSHA256)
	}
	l := layoutFrom(file, found)
	for b := 0; b < file.Batches() && !found.Full(); b++ {
		if n := file.BatchRows(b); n != s.nodes {
			found.At(batch(b), "%d distances for %d nodes", n, s.nodes)
		}
		if at, want := file.BufferOffset(b, 0), l.column(b); at != want {
			found.At(batch(b), "column at byte %d, want byte %d by the metadata", at, want)
		}
		s.dist = append(s.dist, file.Uint8s(b, 0))
	}
	return found.Err()
}

// list makes columns whose places were checked the set's columns.
func (s *Set) list(cols []Column) {
	s.columns = cols
	s.sound = make([]atomic.Bool, len(cols))
	s.index = make([]uint32, s.nodes)
	for i := range cols {
		s.index[cols[i].Node] = uint32(i) + 1
	}
}
