package trace

import (
	"encoding/json"
	"fmt"

	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Page is a page as a source names it: by node, or by a title that is still to be resolved.
type Page struct {
	Node  uint32
	Title string
	Named bool // by title
}

// NodePage is a page named by node.
func NodePage(u uint32) Page { return Page{Node: u} }

func (p Page) String() string {
	if p.Named {
		return fault.Quote(p.Title)
	}
	return fmt.Sprint(p.Node)
}

// UnmarshalJSON accepts a node number or a title.
func (p *Page) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		p.Named = true
		return json.Unmarshal(data, &p.Title)
	}
	if err := json.Unmarshal(data, &p.Node); err != nil {
		return fmt.Errorf("a page is a node number or a title, not %s", fault.Quote(data))
	}
	return nil
}

// MarshalJSON writes the form that was read.
func (p Page) MarshalJSON() ([]byte, error) {
	if p.Named {
		return canon.AppendString(nil, p.Title), nil
	}
	return json.Marshal(p.Node)
}

func nodePages(nodes []uint32) []Page {
	out := make([]Page, len(nodes))
	for i, u := range nodes {
		out[i] = NodePage(u)
	}
	return out
}
