package release

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/schemas"
)

// Paths of a release.
const (
	graphPath    = "graph/graph.arrow"
	nodesPath    = "graph/nodes.parquet"
	aliasesPath  = "graph/aliases.parquet"
	leadsPath    = "graph/leads.parquet"
	edgesPath    = "graph/edges.parquet"
	distancesDir = "distances"
	columnsPath  = distancesDir + "/" + distances.Sidecar
	catalogPath  = "catalog.sqlite"
)

// graphTables are the files of the folder of the graph.
var graphTables = map[string]schemas.Table{
	graphPath: schemas.GraphTable, nodesPath: schemas.ReleaseNodesTable, aliasesPath: schemas.ReleaseAliasesTable, leadsPath: schemas.ReleaseLeadsTable,
	edgesPath: schemas.ReleaseEdgesTable,
}

// kind is what a file of a release holds.
type kind struct {
	Role string
	Kind
}

// kindOf returns the kind of the file at p; ok is false for a file that neither this version nor a part knows.
func kindOf(p string, parts []Part) (k kind, ok bool) {
	table, ofGraph := graphTables[p]
	switch {
	case ofGraph:
		return tableKind("graph", table), true
	case p == columnsPath:
		return tableKind(distancesDir, schemas.ColumnsTable), true
	case path.Dir(p) == distancesDir && schemas.Distances.Holds(path.Base(p)):
		return tableKind(distancesDir, schemas.DistancesTable), true
	case path.Dir(p) == distancesDir && isLong(p):
		return tableKind(distancesDir, schemas.ReleaseDistancesTable), true
	case path.Dir(p) == distancesDir && isPacked(p):
		return kind{distancesDir, Kind{Schema: distances.PackedSchema}}, true
	case p == catalogPath:
		return kind{Role: "catalog"}, true
	case slices.Contains(documentNames, p), strings.HasSuffix(p, ".md") && validPath(p):
		return kind{Role: "document"}, true
	}
	if part := partOf(p, parts); part != nil {
		k, ok := part.Kind(path.Base(p))
		return kind{part.Folder(), k}, ok
	}
	return kind{}, false
}

func tableKind(role string, t schemas.Table) kind { return kind{role, TableKind("", t)} }

// packedEnding ends the names of packed shards.
const packedEnding = ".packed"

// isPacked reports whether the file at p has the name of a packed shard of distances.
func isPacked(p string) bool { return isShard(p, packedEnding) }

// isShard reports whether the file at p is called as a shard of distances, but for its ending.
func isShard(p, ending string) bool {
	stem, ok := strings.CutSuffix(path.Base(p), ending)
	return ok && stem+".arrow" != distances.Sidecar && schemas.Distances.Holds(stem+".arrow")
}

// columnFiles returns the digests of the files that hold distance columns, by name.
func (m *Manifest) columnFiles() map[string]digest.Digest {
	files := m.folder(distancesDir)
	maps.DeleteFunc(files, func(name string, _ digest.Digest) bool { return isLong(name) })
	return files
}

// partOf finds the part in whose folder p lies; nil for none.
func partOf(p string, parts []Part) Part {
	for _, part := range parts {
		if part.Folder() == parent(p) {
			return part
		}
	}
	return nil
}

// inside returns the parts that have files in the release.
func (m *Manifest) inside(parts []Part) (list []Part) {
	for _, p := range parts {
		if len(m.folder(p.Folder())) > 0 {
			list = append(list, p)
		}
	}
	return list
}

// mediaTypes are those of files by their extension.
var mediaTypes = map[string]string{
	".arrow":           "application/vnd.apache.arrow.file",
	packedEnding:       "application/octet-stream",
	".parquet":         "application/vnd.apache.parquet",
	".jsonl":           "application/jsonl",
	".json":            "application/json",
	".md":              "text/markdown",
	".sqlite":          "application/vnd.sqlite3",
	".toml":            "application/toml",
	".yaml":            "application/yaml",
	".cff":             "application/yaml",
	".bib":             "application/x-bibtex",
	jsonl.PackedSuffix: "application/gzip",
}

// mediaType returns the media type of the file at p.
func mediaType(p string) string { return cmp.Or(mediaTypes[path.Ext(p)], "text/plain") }
