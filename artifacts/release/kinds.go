package release

import (
	"path"
	"strings"

	"github.com/wikinav/wikinav/schemas"
)

// Paths of a release.
const (
	graphPath    = "graph/graph.arrow"
	nodesPath    = "graph/nodes.parquet"
	aliasesPath  = "graph/aliases.parquet"
	leadsPath    = "graph/leads.parquet"
	distancesDir = "distances"
	columnsPath  = distancesDir + "/columns.arrow"
	catalogPath  = "catalog.sqlite"
)

// kind is what a file of a release holds.
type kind struct {
	Role string
	Kind
}

// kindOf returns the kind of the file at p; ok is false for a file that neither this version nor a part knows.
func kindOf(p string, parts []Part) (k kind, ok bool) {
	switch {
	case p == graphPath:
		return tableKind("graph", schemas.GraphTable), true
	case p == nodesPath:
		return tableKind("graph", schemas.ReleaseNodesTable), true
	case p == aliasesPath:
		return tableKind("graph", schemas.ReleaseAliasesTable), true
	case p == leadsPath:
		return tableKind("graph", schemas.ReleaseLeadsTable), true
	case p == columnsPath:
		return tableKind(distancesDir, schemas.ColumnsTable), true
	case path.Dir(p) == distancesDir && schemas.Distances.Holds(path.Base(p)):
		return tableKind(distancesDir, schemas.DistancesTable), true
	case p == catalogPath:
		return kind{Role: "catalog"}, true
	case strings.HasSuffix(p, ".md") && validPath(p):
		return kind{Role: "document"}, true
	}
	if part := partOf(p, parts); part != nil {
		k, ok := part.Kind(path.Base(p))
		return kind{part.Folder(), k}, ok
	}
	return kind{}, false
}

func tableKind(role string, t schemas.Table) kind { return kind{role, TableKind("", t)} }

// partOf finds the part in whose folder p lies; nil for none.
func partOf(p string, parts []Part) Part {
	for _, part := range parts {
		if part.Folder() == parent(p) {
			return part
		}
	}
	return nil
}

// mediaType returns the media type of the file at p by its extension.
func mediaType(p string) string {
	switch path.Ext(p) {
	case ".arrow":
		return "application/vnd.apache.arrow.file"
	case ".parquet":
		return "application/vnd.apache.parquet"
	case ".jsonl":
		return "application/jsonl"
	case ".json":
		return "application/json"
	case ".md":
		return "text/markdown"
	case ".sqlite":
		return "application/vnd.sqlite3"
	}
	return "text/plain"
}
