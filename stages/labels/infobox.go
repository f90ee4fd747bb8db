package labels

import (
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/dumps/dbpedia"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// readInfoboxes takes the class of each node's infobox, where our table has one in that language.
func readInfoboxes(env stages.Env, language string, g *graph.Graph, c *claims) error {
	t, err := stages.OpenTable(env, schemas.Infoboxes, "infoboxes.arrow", schemas.InfoboxesTable)
	if err != nil {
		return err
	}
	defer t.Close()
	for b := range t.Batches() {
		templates := t.Strings(b, 1)
		for i, id := range t.Uint32s(b, 0) {
			node, ok := g.Node(id)
			if !ok {
				continue
			}
			class, ok := dbpedia.InfoboxClass(language, templates.At(i))
			env.Count("infobox_nodes", 1)
			env.Count("infobox_without_class", one(!ok))
			if ok {
				c.add(node, ofInfobox, class)
			}
		}
	}
	return nil
}
