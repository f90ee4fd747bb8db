package distances

import (
	"bytes"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Set is the open distance columns of one graph. Its slices are views of mapped files: read-only, and gone with Close.
type Set struct {
	nodes   int
	sidecar string   // its name in messages
	columns []Column // ascending by node
	index   []uint32 // of each node: 1 + its place in columns, or 0
	dist    [][]uint8
	sound   []atomic.Bool // columns that were seen to hold no schemas.NoDistance
	shards  []shard
}

type shard struct {
	name string // in messages
	file *arrowio.File
}

// Columns gives the targets in ascending order of node. The slice belongs to the set.
func (s *Set) Columns() []Column { return s.columns }

// Nodes gives the number of nodes of the graph: the length of every column.
func (s *Set) Nodes() int { return s.nodes }

// Column gives the distance of every node to target t; schemas.Unreached is no path. The error is ErrNoTarget, wrapped,
// for a node without a column; a *fault.Error of kind Mismatch for a column that holds schemas.NoDistance. The first
// call for a column scans it once.
func (s *Set) Column(t uint32) ([]uint8, error) {
	i, err := s.find(t)
	if err != nil {
		return nil, err
	}
	dist := s.dist[i]
	if s.sound[i].Load() {
		return dist, nil
	}
	if err := arrowio.Guard(func() error { return s.scan(i) }); err != nil {
		return nil, err
	}
	s.sound[i].Store(true)
	return dist, nil
}

func (s *Set) scan(i int) error {
	if u := bytes.IndexByte(s.dist[i], schemas.NoDistance); u >= 0 {
		return s.wrong(i, uint32(u), neverOccurs)
	}
	return nil
}

// At gives the distance from src to target t, with the errors of Column. It touches one byte, and nothing
// guards it against a file that is cut short while it is mapped: who fears that calls it within arrowio.Guard.
func (s *Set) At(src, t uint32) (uint8, error) {
	i, err := s.find(t)
	if err != nil {
		return 0, err
	}
	if int64(src) >= int64(s.nodes) {
		return 0, fault.New(fault.NotFound, "node %d in a graph of %d nodes", src, s.nodes)
	}
	d := s.dist[i][src]
	if d == schemas.NoDistance {
		return 0, s.wrong(i, src, neverOccurs)
	}
	return d, nil
}

// Close unmaps all shards. Further calls do nothing.
func (s *Set) Close() error {
	var errs []error
	for _, shard := range s.shards {
		errs = append(errs, shard.file.Close())
	}
	s.shards, s.dist, s.index = nil, nil, nil
	return errors.Join(errs...)
}

// find gives t's place in columns.
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
func (s *Set) wrong(i int, u uint32, what string) error {
	c := &s.columns[i]
	return fault.New(fault.Mismatch, "distance %d from node %d to target %d, %s", s.dist[i][u], u, c.Node, what).
		At(s.shards[c.Shard].name, batch(int(c.Row))+", "+row(int(u)))
}

const neverOccurs = "which never occurs"
