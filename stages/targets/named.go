package targets

import (
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/schemas/fault"
)

// directory finds pages of the graph; *graph.Graph is one.
type directory interface {
	Node(pageID uint32) (uint32, bool)
	NodeByTitle(title string) (uint32, bool)
}

// resolveNamed marks the pages that the user named, and those of a release that are still in the graph, and gives
// their number. Blank lines say nothing and are passed over.
func (c *chooser) resolveNamed() (marks, error) {
	m := make(marks, c.succ.Nodes())
	for i, line := range c.Named {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		u, ok := find(c.pages, line)
		if !ok {
			return nil, fault.New(fault.Malformed, "no page %s in the graph", fault.Quote(line)).
				At("targets file", "line "+strconv.Itoa(i+1)).
				Hint("name page ids or titles of the graph's own pages; a redirect is not one")
		}
		m[u] = true
	}
	dropped := c.addRelease(m)
	c.count("named", int64(m.size()))
	c.count("named_dropped", dropped)
	return m, nil
}

func (c *chooser) addRelease(m marks) (dropped int64) {
	for _, id := range c.Release {
		if u, ok := c.pages.Node(id); ok {
			m[u] = true
		} else {
			dropped++
		}
	}
	return dropped
}

// find looks a line up: as a page id if it is one of the graph's, else as a title, because titles like "1984" are
// numbers too. Blanks and underscores are the same in a title.
func find(pages directory, line string) (uint32, bool) {
	if id, err := strconv.ParseUint(line, 10, 32); err == nil {
		if u, ok := pages.Node(uint32(id)); ok {
			return u, true
		}
	}
	return pages.NodeByTitle(strings.ReplaceAll(line, "_", " "))
}

// marks tells of each node whether it was chosen.
type marks []bool

func (m marks) size() int {
	n := 0
	for _, chosen := range m {
		if chosen {
			n++
		}
	}
	return n
}
