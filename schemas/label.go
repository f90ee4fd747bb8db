package schemas

import "slices"

// Labels is the level-2 classes of every node of the graph, and the report on them.
// 1: first layout. 2: the table as Parquet, too.
var Labels = Artifact{Name: "labels", Version: 2, Files: []string{"labels.arrow", "labels.parquet", "labels.json"}}

// LabelsTable: one row per node, in order of nodes (constrained specification 2.3). mask has bit b for LabelNames[b]; primary is
// the bit of the most specific class, NoLabel for none; n_labels counts the bits; source is one of LabelSources; class is the most specific class, "" where the
// source names labels only or there is none; conflict tells that sources of different rank disagree about primary.
var LabelsTable = Table{"wikinav.labels/1", columns(`
	node uint32, page_id uint32, mask uint32, primary uint8, n_labels uint8, source string, class string,
	conflict bool`)}

// LabelNames lists the labels in the order of their bits: the numbered list of the classifier prompt of Constrained WikiGame,
// minus 1 (constrained specification 2.1).
var LabelNames = []string{
	"Activity", "PersonAgent", "Algorithm", "AnatomicalStructure", "ArchitecturalStructure", "Award", "Biomolecule", "ChemicalSubstance",
	"Device", "Disease", "EthnicGroup", "Event", "Food", "Language", "MeanOfTransportation", "Organization", "Place", "Species",
	"TimePeriod", "TopicalConcept", "UnitOfWork", "Work",
}

const NoLabel uint8 = 255

func LabelBit(name string) (uint8, bool) {
	i := slices.Index(LabelNames, name)
	return uint8(i), i >= 0
}

// LabelName gives the label of a bit, "" for NoLabel.
func LabelName(bit uint8) string {
	if bit == NoLabel {
		return ""
	}
	return LabelNames[bit]
}

// Sources of labels, best first.
const (
	LabelManual   = "manual"
	LabelDBpedia  = "dbpedia"
	LabelRedirect = "dbpedia-redirect" // the type is written under the name of a redirect of the page
	LabelEntity   = "entity-types"
	LabelInfobox  = "infobox"
	LabelNone     = "none"
)

// LabelSources lists the sources by rank, LabelNone last.
var LabelSources = []string{LabelManual, LabelDBpedia, LabelRedirect, LabelEntity, LabelInfobox, LabelNone}

// TypeFiles is what users bring to say what pages are about: instance types, their ontology, and labels by hand. There may be none.
// 1: files from outside, by role; those of the demo.
var TypeFiles = Artifact{Name: "types", Version: 1, Files: []string{"*types*", "*ontology*", "*labels*"}}

// LabelReportSchema names the version of labels.json. 1: first layout.
const LabelReportSchema = "wikinav.label_report/1"

// LabelReport tells how far the labels reach, where they come from, and what became of each file. A page is typed if a source names a
// class or label for it, and labelled if it has a label: some classes have none.
type LabelReport struct {
	Schema     string `json:"schema"`
	Nodes      int64  `json:"nodes"`
	Typed      int64  `json:"typed"`
	Labelled   int64  `json:"labelled"`
	MultiLabel int64  `json:"multi_label"`
	Conflicts  int64  `json:"conflicts"`

	Sources []LabelSourceCount `json:"sources"` // in order of rank
	Labels  []LabelCount       `json:"labels"`  // in order of bits
	Deciles []LabelDecile      `json:"deciles"` // by in-degree, ascending

	UnknownClasses []ClassCount `json:"unknown_classes"` // sorted by name; neither table nor ontology has them
	UnknownPages   int64        `json:"unknown_pages"`   // that have such a class

	// Where infobox and DBpedia both name a label: how many nodes, and how many of them have the same primary one by both. The
	// infobox does not count there; this says how good it is elsewhere.
	InfoboxCompared int64 `json:"infobox_compared"`
	InfoboxAgrees   int64 `json:"infobox_agrees"`

	Table    LabelTable     `json:"table"`
	Ontology *LabelOntology `json:"ontology"` // null where none was given
	Files    []LabelFile    `json:"files"`    // in order of roles
}

// LabelSourceCount tells how many nodes have their row from a source, and how many of them a label.
type LabelSourceCount struct {
	Source   string `json:"source"`
	Nodes    int64  `json:"nodes"`
	Labelled int64  `json:"labelled"`
}

// LabelCount counts the nodes of a label: by mask, and as primary label.
type LabelCount struct {
	Label   string `json:"label"`
	Nodes   int64  `json:"nodes"`
	Primary int64  `json:"primary"`
}

// LabelDecile is a tenth of the nodes in order of in-degree, and within one in-degree of node.
type LabelDecile struct {
	MinInDegree int64 `json:"min_in_degree"`
	MaxInDegree int64 `json:"max_in_degree"`
	Nodes       int64 `json:"nodes"`
	Typed       int64 `json:"typed"`
	Labelled    int64 `json:"labelled"`
}

type ClassCount struct {
	Class      string `json:"class"`
	Statements int64  `json:"statements"`
}

// LabelTable says which table took classes to labels.
type LabelTable struct {
	SHA256  string `json:"sha256"`
	Classes int64  `json:"classes"`
}

// LabelOntology says which ontology was read beside the table, and where the two differ.
type LabelOntology struct {
	Version  string   `json:"version"`
	SHA256   string   `json:"sha256"` // of the file as it was given
	Classes  int64    `json:"classes"`
	Repaired int64    `json:"repaired"` // parents that were errors of the file
	Broken   []string `json:"broken"`   // classes whose parent is no class
	Differs  []string `json:"differs"`  // classes whose label by the table is another one
}

// LabelFile is one file of types or labels. Counts are of lines, by what became of them; statements that concern a page are
// exact, redirect, unmatched or outside_graph.
type LabelFile struct {
	Role     string           `json:"role"`
	SHA256   string           `json:"sha256"`
	Counts   map[string]int64 `json:"counts"`
	BadLines []LabelBadLine   `json:"bad_lines"` // the first of them
}

// LabelBadLine names a line that could not be read, and why.
type LabelBadLine struct {
	Line int64  `json:"line"`
	Why  string `json:"why"`
}
