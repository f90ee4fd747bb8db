// Package diff says what became of the records of a release in a later one: which pairs of pages
// are still what they were, and why others are not.
//
// A pair lives as long as the later graph answers it, whether or not the later release asks it. Of
// the states below it has the first whose test it meets, so that the states of a file add up to its
// records. Pages are found by their ids and, in graphs given as edge lists, whose ids are row
// numbers, by their titles. Records of parts without pairs are compared as bytes.
//
// Memory: 5 bytes for each page of the older release and each of its pairs 20, each pair of the
// later one 20, each other record 100; distances that the later release lacks are searched for 64
// targets at a time, in 220 bytes for each of its pages and 4 for each link. Time: one reading of
// each file, and a second one of nothing.
package diff

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas/fault"
)

// States of pairs, in the order of their tests; a part may have more, after DistanceChanged.
const (
	MissingSource   = "missing_source" // its page id is not in the later dump
	MissingTarget   = "missing_target"
	NowRedirect     = "now_redirect" // the title of an end is a redirect
	LeftGraph       = "left_graph"   // an end is outside the later graph
	DistanceChanged = "distance_changed"
	PathBroken      = "path_broken" // as far as before, but a path of the record is none any more
	Renamed         = "renamed"
	Same            = "same"

	Added   = "added"   // in the later release alone
	Changed = "changed" // of records without pairs: other bytes
	Removed = "removed"
)

// order is that of the table.
var order = []string{
	MissingSource, MissingTarget, NowRedirect, LeftGraph, DistanceChanged, PathBroken, Renamed, Same,
	Changed, Removed, Added,
}

// Options are what a comparison may know besides the two releases.
type Options struct {
	// InDump reports whether the dump of the later release has a page that its graph has not, and
	// why it has not; nil where nobody knows: then the page counts as one that left the graph.
	InDump  func(pageID uint32) (why string, ok bool)
	Workers int
	Meter   func(phase, unit string, total int64) release.Meter // nil for nobody
}

// Result is what became of the records.
type Result struct {
	Old, New Side
	Warnings []string
	PerSplit map[string]map[string]int // states by file, without the ending
	Graph    Graph
	Bump     release.Bump // of the version, at least
	Why      string       // it must rise so far

	c *comparison
}

// Side is one of the two releases.
type Side struct {
	ID           string `json:"id"`
	Name         string `json:"name"`
	Version      string `json:"version"`
	SnapshotDate string `json:"snapshot_date"`
}

// Graph counts pages and links that one of the graphs has alone.
type Graph struct {
	NodesAdded   int `json:"nodes_added"`
	NodesRemoved int `json:"nodes_removed"`
	EdgesAdded   int `json:"edges_added"`
	EdgesRemoved int `json:"edges_removed"`

	NodesRenumbered int `json:"nodes_renumbered"` // pages of both with another node
}

// Instance is what became of one record.
type Instance struct {
	Split  string `json:"split"`
	Key    string `json:"key"`
	State  string `json:"state"`
	Detail string `json:"detail"`
}

// Releases compares two releases of one wiki: fault.Usage for others, fault.Mismatch for files that
// are not those of their manifests.
func Releases(ctx context.Context, old, now *release.Release, parts []release.Part, opts Options) (*Result, error) {
	a, b := old.Manifest(), now.Manifest()
	if a.Wiki != b.Wiki {
		return nil, fault.New(fault.Usage, "the releases are of two wikis, %s and %s", a.Wiki, b.Wiki).
			Hint("name two snapshots of one")
	}
	c := &comparison{
		ctx: ctx, old: old, now: now, opts: opts,
		notes: map[int]note{}, gone: map[uint32]end{}, names: map[string]uint16{},
	}
	r := &Result{Old: sideOf(a), New: sideOf(b), PerSplit: map[string]map[string]int{}, c: c}
	if a.RecipeSHA256 != b.RecipeSHA256 {
		r.Warnings = append(r.Warnings,
			"the recipes differ: pages may have come or gone by other rules, and not in the wiki")
	}
	if err := c.compare(parts); err != nil {
		return nil, err
	}
	r.Graph = c.graph()
	r.Bump, r.Why = release.BumpOf(a, b)
	err := r.Each(func(i Instance) error {
		if r.PerSplit[i.Split] == nil {
			r.PerSplit[i.Split] = map[string]int{}
		}
		r.PerSplit[i.Split][i.State]++
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r, r.check(parts)
}

func sideOf(m *release.Manifest) Side {
	return Side{m.ID, m.Release.Name, m.Release.Version, m.SnapshotDate}
}

// check adds the states of each file of the older release up: they are the rows of its manifest.
func (r *Result) check(parts []release.Part) error {
	for _, p := range parts {
		files := r.c.old.Part(p)
		for _, name := range recordFiles(p, files) {
			sum, split := int64(0), splitOf(p, name)
			for state, n := range r.PerSplit[split] { // a sum
				if state != Added {
					sum += int64(n)
				}
			}
			if sum != files.Rows(name) {
				return fault.New(fault.Mismatch, "the states of %s add up to %d records, the manifest has %d",
					split, sum, files.Rows(name))
			}
		}
	}
	return nil
}

// States lists the states that occur, in the order of their tests; those of a part come after
// distance_changed.
func (r *Result) States() []string {
	seen := map[string]bool{}
	for _, states := range r.PerSplit { // a set
		for state := range states { // a set
			seen[state] = true
		}
	}
	out := slices.DeleteFunc(slices.Clone(order), func(s string) bool { return !seen[s] })
	var own []string
	for _, state := range slices.Sorted(maps.Keys(seen)) {
		if !slices.Contains(order, state) {
			own = append(own, state)
		}
	}
	at := 0
	for at < len(out) && slices.Index(order, out[at]) <= slices.Index(order, DistanceChanged) {
		at++
	}
	return slices.Insert(out, at, own...)
}

// Splits lists the files, sorted.
func (r *Result) Splits() []string { return slices.Sorted(maps.Keys(r.PerSplit)) }

// recordFiles lists the files of records: JSON lines with a schema, which files in the format of
// somebody else have not.
func recordFiles(p release.Part, f release.Files) []string {
	return slices.DeleteFunc(f.Names(), func(name string) bool {
		k, _ := p.Kind(name)
		return k.Schema == "" || !strings.HasSuffix(unpacked(name), linesEnding)
	})
}

// splitOf names a file of a part.
func splitOf(p release.Part, name string) string {
	return p.Folder() + "/" + strings.TrimSuffix(unpacked(name), linesEnding)
}

const linesEnding = ".jsonl"

// unpacked is the name that a file has before it is packed.
func unpacked(name string) string { return strings.TrimSuffix(name, jsonl.PackedSuffix) }

// graph counts what the two graphs have alone.
func (c *comparison) graph() Graph {
	common, buffer := 0, []uint32{}
	kept, renumbered := 0, 0
	for u, v := range c.to {
		if v == release.Gone {
			continue
		}
		if kept++; v != uint32(u) {
			renumbered++
		}
		buffer = buffer[:0]
		for _, w := range c.before.Succ.Row(uint32(u)) {
			if x := c.to[w]; x != release.Gone {
				buffer = append(buffer, x)
			}
		}
		slices.Sort(buffer) // titles may stand in another order than ids
		common += shared(buffer, c.after.Succ.Row(v))
	}
	return Graph{
		NodesAdded: c.after.Len() - kept, NodesRemoved: c.before.Len() - kept,
		EdgesAdded: c.after.Edges() - common, EdgesRemoved: c.before.Edges() - common,
		NodesRenumbered: renumbered,
	}
}

// shared counts what two ascending lists have in common.
func shared(a, b []uint32) int {
	n, j := 0, 0
	for _, x := range a {
		for j < len(b) && b[j] < x {
			j++
		}
		if j < len(b) && b[j] == x {
			n++
		}
	}
	return n
}

// Each visits every record of the older release in the order of its files, with those that a file
// of the later one has added after it.
func (r *Result) Each(visit func(Instance) error) error {
	c := r.c
	if err := c.eachPair(visit); err != nil {
		return err
	}
	for _, i := range c.records {
		if err := visit(i); err != nil {
			return err
		}
	}
	return c.ctx.Err()
}

// Nodes returns by node of the older graph that of the later one, or release.Gone.
func (r *Result) Nodes() []uint32 { return r.c.to }

func arrow(from, to any) string { return fmt.Sprintf("%v -> %v", from, to) }
