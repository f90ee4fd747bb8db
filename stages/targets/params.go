package targets

import (
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

// Modes of choosing.
const (
	ModeAuto   = "auto"   // every node of a small graph, else the parts, shrunk to the store
	ModeAll    = "all"    // every node
	ModeRandom = "random" // RandomN nodes, whatever the size of the graph
)

// Params is all that decides which pages are targets, beside the graph. The names are those of the recipe.
type Params struct {
	Seed     int64  `json:"seed"` // of the target set alone: another seed of a family draws no distance anew
	Mode     string `json:"mode" oneof:"auto all random"`
	RandomN  int    `json:"random_n"`          // of ModeRandom, else 0
	AllBelow int    `json:"all_below" min:"0"` // graphs of at most so many nodes get every node in ModeAuto

	Random        int   `json:"random" min:"0"`
	RandomMin     int   `json:"random_min" min:"0"` // how far Random falls before the other parts shrink too
	Linked        int   `json:"linked" min:"0"`
	LinkedMinIn   int   `json:"linked_min_in" min:"0"`  // predecessors that make a page much linked
	Remote        int   `json:"remote" min:"0"`         // per depth
	RemoteDepths  []int `json:"remote_depths"`          // ascending
	RemoteSources int   `json:"remote_sources" min:"0"` // pages from which far pages are looked for
	RemoteDraws   int   `json:"remote_draws" min:"0"`   // per depth, at most

	MaxStore int64 `json:"max_store" min:"1"` // bytes that the columns may take, one byte per node and target

	// Named is the lines of the targets file in order: page ids or titles. One outside the graph is an error.
	Named []string `json:"named"`
	// Release is the page ids of a release's columns. Those that left the graph are counted and dropped.
	Release []uint32 `json:"release"`
}

// Default returns the parameters of the published target set.
func Default() Params {
	return Params{
		Seed: 42, Mode: ModeAuto, AllBelow: 8192,
		Random: 4096, RandomMin: 1024,
		Linked: 1024, LinkedMinIn: 50,
		Remote: 512, RemoteDepths: []int{5, 6, 7, 8}, RemoteSources: 256, RemoteDraws: 2048,
		MaxStore: 8 << 30,
		Named:    []string{}, Release: []uint32{},
	}
}

// Validate tells, before any work, whether the parameters mean something; its errors are fault.Usage.
func (p Params) Validate() error {
	if err := stages.Check(name, p); err != nil {
		return err
	}
	if (p.Mode == ModeRandom) != (p.RandomN > 0) {
		return stages.Usage(name, "mode %s with %d random pages: random needs at least one, the other modes take none", p.Mode, p.RandomN)
	}
	if !stages.Ascend(p.RemoteDepths) {
		return stages.Usage(name, "remote_depths %v do not ascend within 1..%d", p.RemoteDepths, schemas.MaxDistance)
	}
	return nil
}

// directory finds pages of the graph; *graph.Graph is one.
type directory interface {
	Node(pageID uint32) (uint32, bool)
	NodeByTitle(title string) (uint32, bool)
}

// markNamed marks the pages that the user named, and those of a release that are still in the
// graph. Blank lines say nothing and are passed over.
func (c *chooser) markNamed(reasons []uint8) error {
	for i, line := range c.Named {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		u, ok := find(c.pages, line)
		if !ok {
			return fault.New(fault.Malformed, "no page %s in the graph", fault.Quote(line)).
				At("targets file", "line "+strconv.Itoa(i+1)).
				Hint("name page ids or titles of the graph's own pages; a redirect is not one")
		}
		reasons[u] |= schemas.ReasonNamed
	}
	dropped := int64(0)
	for _, id := range c.Release {
		if u, ok := c.pages.Node(id); ok {
			reasons[u] |= schemas.ReasonNamed
		} else {
			dropped++
		}
	}
	c.count("named", int64(size(reasons)))
	c.count("named_dropped", dropped)
	return nil
}

// find looks a line up: as a page id if it is one of the graph's, else as a title, because titles
// like "1984" are numbers too. Blanks and underscores are the same in a title.
func find(pages directory, line string) (uint32, bool) {
	if id, err := strconv.ParseUint(line, 10, 32); err == nil {
		if u, ok := pages.Node(uint32(id)); ok {
			return u, true
		}
	}
	return pages.NodeByTitle(strings.ReplaceAll(line, "_", " "))
}
