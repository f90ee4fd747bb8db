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
	distancesDir = "distances"
	columnsPath  = distancesDir + "/columns.arrow"
	shortagePath = "splits/shortage.json"
	catalogPath  = "catalog.sqlite"

	probeDir          = "probe"
	probePath         = probeDir + "/probe.jsonl"
	probeTablePath    = probeDir + "/probe.parquet"
	probeShortagePath = probeDir + "/shortage.json"

	labelsDir        = "labels"
	labelsPath       = labelsDir + "/labels.arrow"
	labelsTablePath  = labelsDir + "/labels.parquet"
	labelsReportPath = labelsDir + "/labels.json"

	oneStepDir          = "onestep"
	oneStepShortagePath = oneStepDir + "/shortage.json"
	overlapPath         = oneStepDir + "/overlap.json"
)

func oneStepPath(set, ext string) string { return oneStepDir + "/" + set + ext }

func splitPath(split, ext string) string { return "splits/" + split + ext }

// kind is what a file of a release holds. Table is its columns; Schema alone stands for records that are no table.
type kind struct {
	Role   string
	Schema string
	Table  *schemas.Table
	Rows   bool // the entry counts rows
}

// kindOf gives the kind of the file at p; ok is false for a file that this version knows nothing about.
func kindOf(p string) (k kind, ok bool) {
	if family, ok := familyOf(p); ok {
		return familyKind(p, family), true
	}
	switch {
	case p == graphPath:
		return tableKind("graph", &schemas.GraphTable), true
	case p == nodesPath:
		return tableKind("graph", &schemas.ReleaseNodesTable), true
	case p == aliasesPath:
		return tableKind("graph", &schemas.ReleaseAliasesTable), true
	case p == columnsPath:
		return tableKind("distances", &schemas.ColumnsTable), true
	case path.Dir(p) == distancesDir && schemas.Distances.Holds(path.Base(p)):
		return tableKind("distances", &schemas.DistancesTable), true
	case p == shortagePath:
		return kind{Role: "splits", Rows: true}, true
	case path.Dir(p) == "splits":
		return splitKind(p)
	case path.Dir(p) == probeDir || path.Dir(p) == oneStepDir:
		return companionKind(p)
	case p == labelsPath || p == labelsTablePath:
		return tableKind(labelsDir, &schemas.LabelsTable), true
	case p == labelsReportPath:
		return kind{Role: labelsDir, Schema: schemas.LabelReportSchema}, true
	case path.Dir(p) == constrainedDir:
		return constrainedKind(p)
	case p == catalogPath:
		return kind{Role: "catalog"}, true
	case p == leadsPath:
		return tableKind("graph", &schemas.ReleaseLeadsTable), true
	case strings.HasSuffix(p, ".md") && validPath(p):
		return kind{Role: "document"}, true
	}
	return kind{}, false
}

func tableKind(role string, t *schemas.Table) kind {
	return kind{Role: role, Schema: t.ID, Table: t, Rows: true}
}

func splitKind(p string) (kind, bool) {
	switch path.Ext(p) {
	case ".parquet":
		return tableKind("splits", &schemas.WikiraceSplitTable), true
	case ".jsonl":
		return kind{Role: "splits", Schema: schemas.WikiraceInstanceSchema, Rows: true}, true
	case ".ids":
		return kind{Role: "splits", Rows: true}, true
	}
	return kind{}, false
}

// companionKind gives the kind of a file of probe/ or onestep/.
func companionKind(p string) (kind, bool) {
	dir := path.Dir(p)
	switch {
	case p == probeShortagePath || p == oneStepShortagePath:
		return kind{Role: dir, Rows: true}, true
	case p == overlapPath:
		return kind{Role: dir, Schema: schemas.OneStepReportSchema}, true
	case p == probePath:
		return kind{Role: dir, Schema: schemas.ProbeInstanceSchema, Rows: true}, true
	case p == probeTablePath:
		return tableKind(dir, &schemas.ProbeTable), true
	case dir == oneStepDir && path.Ext(p) == ".jsonl":
		return kind{Role: dir, Schema: schemas.OneStepInstanceSchema, Rows: true}, true
	case dir == oneStepDir && path.Ext(p) == ".parquet":
		return tableKind(dir, &schemas.OneStepTable), true
	}
	return kind{}, false
}

// mediaType gives the media type of the file at p by its extension.
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
