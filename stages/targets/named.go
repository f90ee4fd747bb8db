package targets

import (
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

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
