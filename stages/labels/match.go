package labels

import (
	"sort"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// matcher finds the node that a title means.
type matcher struct {
	graph   *graph.Graph
	aliases *arrowio.File // sorted by title
}

// found says how a title was found.
type found uint8

const (
	unmatched    found = iota // neither a node's title nor a redirect's
	exact                     // a node's title
	redirected                // the title of a redirect to a node
	outsideGraph              // of a redirect to a page that is no node
)

var foundNames = [...]string{"unmatched", "exact", "redirect", "outside_graph"}

var (
	colTitle  = schemas.AliasesTable.Index("title")
	colTarget = schemas.AliasesTable.Index("target_page_id")
)

func openMatcher(env stages.Env, g *graph.Graph) (*matcher, error) {
	aliases, err := stages.OpenTable(env, schemas.Aliases, "aliases.arrow", schemas.AliasesTable)
	return &matcher{g, aliases}, err
}

func (m *matcher) Close() { m.aliases.Close() }

func (m *matcher) node(title string) (uint32, found) {
	if u, ok := m.graph.NodeByTitle(title); ok {
		return u, exact
	}
	id, ok := m.target(title)
	if !ok {
		return 0, unmatched
	}
	if u, ok := m.graph.Node(id); ok {
		return u, redirected
	}
	return 0, outsideGraph
}

// target gives the page that a redirect leads to in the end. A redirect that leads nowhere is none.
func (m *matcher) target(title string) (pageID uint32, ok bool) {
	b := sort.Search(m.aliases.Batches(), func(b int) bool {
		titles := m.aliases.Strings(b, colTitle)
		return titles.At(titles.Len()-1) >= title
	})
	if b == m.aliases.Batches() {
		return 0, false
	}
	titles := m.aliases.Strings(b, colTitle)
	i := sort.Search(titles.Len(), func(i int) bool { return titles.At(i) >= title })
	if titles.At(i) != title {
		return 0, false
	}
	pageID = m.aliases.Uint32s(b, colTarget)[i]
	return pageID, pageID != 0
}
