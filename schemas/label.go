package schemas

import "slices"

// Labels is the level-2 classes of every node of the graph, and the report on them.
// 1: first layout.
var Labels = Artifact{Name: "labels", Version: 1, Files: []string{"labels.arrow", "labels.json"}}

// LabelsTable: one row per node, in order of nodes (constrained specification 2.3). mask has bit b for LabelNames[b]; primary is
// the bit of the most specific class, NoLabel for none; n_labels counts the bits; source is one of LabelSources; class is the most specific class, "" where the
// source names labels only or there is none; conflict tells that sources of different rank disagree about primary.
var LabelsTable = Table{ID: "wikinav.labels/1", Columns: []Column{
	{"node", Uint32},
	{"page_id", Uint32},
	{"mask", Uint32},
	{"primary", Uint8},
	{"n_labels", Uint8},
	{"source", String},
	{"class", String},
	{"conflict", Bool},
}}

// LabelNames lists the labels in the order of their bits: the numbered list of the classifier prompt of Constrained WikiGame,
// minus 1 (constrained specification 2.1).
var LabelNames = []string{
	"Activity", "PersonAgent", "Algorithm", "AnatomicalStructure", "ArchitecturalStructure", "Award", "Biomolecule", "ChemicalSubstance",
	"Device", "Disease", "EthnicGroup", "Event", "Food", "Language", "MeanOfTransportation", "Organization", "Place", "Species",
	"TimePeriod", "TopicalConcept", "UnitOfWork", "Work",
}

// NoLabel is the primary label of a page without one.
const NoLabel uint8 = 255

// LabelBit gives the bit of a label.
func LabelBit(name string) (uint8, bool) {
	i := slices.Index(LabelNames, name)
	return uint8(i), i >= 0
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
