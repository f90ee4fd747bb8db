package stages

import (
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
)

// OpenGraph maps the graph; the stage closes it.
func OpenGraph(env Env) (*graph.Graph, error) {
	file, err := Find(env, schemas.Graph, "graph.arrow")
	if err != nil {
		return nil, err
	}
	return graph.Open(file.Root, file.Name, file.Digest)
}
