package distances

import (
	"errors"
	"fmt"
	"os"
	"path"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Set is the open distance columns of one graph. Its slices are views of mapped files: read-only,
// and gone with Close.
type Set struct {
	nodes   int
	sidecar string   // its name in messages
	columns []Column // ascending by node
	index   []uint32 // of each node: 1 + its place in columns, or 0
	dist    []values
	shards  []shard
}

// values is a column, mapped or packed.
type values interface {
	at(u uint32) (uint8, error)
	all() ([]uint8, error) // a view of a mapped column, and a packed one unpacked
}

type mapped []uint8

func (m mapped) at(u uint32) (uint8, error) { return m[u], nil }
func (m mapped) all() ([]uint8, error)      { return m, nil }

type shard struct {
	name  string // in messages
	close func() error
}

// Open maps the distances of a graph with nodes nodes and the digest graphSHA256 from the folder
// dir below root ("." for root itself). files holds the digest of each file of the artifact by its
// name in dir: the sidecar, and the shards by ShardName, or all by PackedName, without a gap.
//
// It refuses files with other digests, shards of another graph, columns that are not nodes long or
// not at the place that the shard's metadata says, and a sidecar that is not sorted by node, does
// not list the columns in the order of their places, or counts other than nodes nodes in a column.
// Values are checked where they are read, and by Check.
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
	name := namesOf(files)
	for i := range len(files) - 1 {
		if _, ok := files[name(i)]; !ok {
			return fault.New(fault.Mismatch, "not among the %d files of the distances", len(files)).
				At(path.Join(dir, name(i)), "")
		}
	}
	return nil
}

// namesOf returns how the shards among files are named.
func namesOf(files map[string]digest.Digest) func(i int) string {
	if _, ok := files[PackedName(0)]; ok {
		return PackedName
	}
	return ShardName
}

func (s *Set) open(root *os.Root, dir string, files map[string]digest.Digest, graphSHA256 string) error {
	cols, err := readColumns(root, s.sidecar, files[Sidecar])
	if err != nil {
		return err
	}
	rows := make([]int, len(files)-1)
	base, add := namesOf(files), s.addShard
	if base(0) == PackedName(0) {
		add = s.addPacked
	}
	for i := range rows {
		before, name := len(s.dist), path.Join(dir, base(i))
		if err := add(root, name, files[base(i)], graphSHA256); err != nil {
			return err
		}
		rows[i] = len(s.dist) - before
	}
	found := graph.NewFindings(s.sidecar)
	checkColumns(cols, s.nodes, rows, found)
	if err := found.Err(); err != nil {
		return err
	}
	s.list(cols)
	return nil
}

// addPacked maps a packed shard and takes up its columns.
func (s *Set) addPacked(root *os.Root, name string, want digest.Digest, graphSHA256 string) error {
	data, unmap, err := arrowio.Map(root, name, want)
	if err != nil {
		return err
	}
	s.shards = append(s.shards, shard{name, unmap})
	return arrowio.Guard(func() error {
		list, err := parsePacked(data, s.nodes, graphSHA256)
		var e *fault.Error
		if errors.As(err, &e) {
			return e.At(name, e.Where)
		}
		for i := range list {
			s.dist = append(s.dist, &list[i])
		}
		return err
	})
}

// addShard maps a shard and takes up its columns.
func (s *Set) addShard(root *os.Root, name string, want digest.Digest, graphSHA256 string) error {
	file, err := arrowio.Open(root, name, schemas.DistancesTable, want)
	if err != nil {
		return err
	}
	s.shards = append(s.shards, shard{name, file.Close})
	return s.addColumns(name, file, graphSHA256)
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
		s.dist = append(s.dist, mapped(file.Uint8s(b, 0)))
	}
	return found.Err()
}

// list makes columns whose places were checked the set's columns.
func (s *Set) list(cols []Column) {
	s.columns = cols
	s.index = make([]uint32, s.nodes)
	for i := range cols {
		s.index[cols[i].Node] = uint32(i) + 1
	}
}

// Columns returns the targets in ascending order of node. The slice belongs to the set.
func (s *Set) Columns() []Column { return s.columns }

// Nodes returns the number of nodes of the graph: the length of every column.
func (s *Set) Nodes() int { return s.nodes }

// Column returns the distance of every node to target t; schemas.Far is 254 links or more,
// schemas.Unreached no path. The error is ErrNoTarget, wrapped, for a node without a column.
func (s *Set) Column(t uint32) ([]uint8, error) {
	i, err := s.find(t)
	if err != nil {
		return nil, err
	}
	return s.dist[i].all()
}

// Mapped reports whether Column copies nothing; it unpacks a packed column anew in each call.
func (s *Set) Mapped() bool {
	if len(s.dist) == 0 {
		return true
	}
	_, ok := s.dist[0].(mapped)
	return ok
}

// At returns the distance from src to target t, with the errors of Column. It touches one byte,
// of a packed column a few, and nothing guards it against a file that is cut short while it is
// mapped: who fears that calls it within arrowio.Guard.
func (s *Set) At(src, t uint32) (uint8, error) {
	i, err := s.find(t)
	if err != nil {
		return 0, err
	}
	if int64(src) >= int64(s.nodes) {
		return 0, fault.New(fault.NotFound, "node %d in a graph of %d nodes", src, s.nodes)
	}
	return s.dist[i].at(src)
}

// Close unmaps all shards. Further calls do nothing.
func (s *Set) Close() error {
	var errs []error
	for _, shard := range s.shards {
		errs = append(errs, shard.close())
	}
	s.shards, s.dist, s.index = nil, nil, nil
	return errors.Join(errs...)
}

// find returns t's place in columns.
func (s *Set) find(t uint32) (int, error) {
	if int64(t) < int64(len(s.index)) && s.index[t] > 0 {
		return int(s.index[t] - 1), nil
	}
	return 0, noTarget(t, s.nodes)
}

func noTarget(t uint32, nodes int) error {
	return fmt.Errorf("node %d of %d: %w", t, nodes, ErrNoTarget)
}

// wrong reports the distance of node u in column i, with the place of its byte.
func (s *Set) wrong(i int, u uint32, d uint8, what string) error {
	c := &s.columns[i]
	return fault.New(fault.Mismatch, "distance %d from node %d to target %d, %s", d, u, c.Node, what).
		At(s.shards[c.Shard].name, batch(int(c.Row))+", "+row(int(u)))
}

// Prove reports whether column i of Columns is that of its target in g, as ProveColumn does, with
// the place of the byte.
func (s *Set) Prove(g *graph.Graph, i int) error {
	err := arrowio.Guard(func() error {
		dist, err := s.dist[i].all()
		if err != nil {
			return err
		}
		return ProveColumn(g, s.columns[i].Node, dist)
	})
	var e *fault.Error
	if errors.As(err, &e) && e.File == "" {
		c := s.columns[i]
		return e.At(s.shards[c.Shard].name, batch(int(c.Row))+", "+e.Where)
	}
	return err
}

// Check finds what Open leaves out: columns whose target is not at distance 0 from itself, with
// other counts than the sidecar says, or packed in another way than WritePacked packs them. It
// reads every byte and returns all findings joined, each a *fault.Error of kind Mismatch with file
// and row, at most graph.MaxFindings. Whether the distances are those of the graph is the business
// of Prove.
func (s *Set) Check() error {
	return arrowio.Guard(func() error {
		found := graph.NewFindings(s.sidecar)
		for i := 0; i < len(s.columns) && !found.Full(); i++ {
			s.checkCounts(i, found)
		}
		return found.Err()
	})
}

func (s *Set) checkCounts(i int, found *graph.Findings) {
	c := &s.columns[i]
	dist, err := s.dist[i].all()
	if p, ok := s.dist[i].(*packedColumn); err == nil && ok && !p.canonical(dist) {
		err = fault.New(fault.Mismatch, "not in the form in which its distances are packed")
	}
	if err != nil {
		found.Add(fault.New(fault.Mismatch, "%w", err).At(s.shards[c.Shard].name, batch(int(c.Row))))
		return
	}
	if d := dist[c.Node]; d != 0 {
		found.Add(s.wrong(i, c.Node, d, "want 0"))
	}
	at, unreached := Count(dist)
	for d := range at {
		if at[d] != c.At[d] {
			found.Row(i, "%d nodes at distance %d%s, the column of node %d has %d", c.At[d], d, orMore(d), c.Node, at[d])
		}
	}
	if unreached != c.Unreached {
		found.Row(i, "%d nodes unreached, the column of node %d has %d", c.Unreached, c.Node, unreached)
	}
}

func orMore(d int) string {
	if d == schemas.CountedDepth {
		return " or more"
	}
	return ""
}
