// Package dbpedia reads what DBpedia says a page is about: instance types, the ontology of their classes, and the table
// that takes a class to one of the 22 labels of the constrained family.
//
// It owns three forms of text: types in N-Triples, one on a line, read by a strict scanner of its own; the ontology in
// RDF/XML or N-Triples, of which it keeps classes and their parents; and two tables of tabs that a user may write by hand.
// The label of a class is that of the nearest anchor on its way to the root, and never what a transitive closure gives: in
// newer ontologies a person is an animal, and an animal a species.
//
// It promises to refuse what it cannot read rather than to guess, to count every line that it passes over, with the
// first bad ones by number, and to take time linear in the text and memory for one line, or for the classes.
//
// It never fetches anything: an ontology that names other files is read as if it did not, and one that declares entities is
// refused.
package dbpedia

// Where the names lie.
const (
	ontologyPrefix = "http://dbpedia.org/ontology/"
	thing          = "http://www.w3.org/2002/07/owl#Thing"
	typePredicate  = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
	subClassOf     = "http://www.w3.org/2000/01/rdf-schema#subClassOf"
	owlClass       = "http://www.w3.org/2002/07/owl#Class"
	versionInfo    = "http://www.w3.org/2002/07/owl#versionInfo"
)

// anchors are the classes at which a way to the root ends with a label. All other labels are names of classes themselves.
var anchors = map[string]string{"Organisation": "Organization", "Person": "PersonAgent", "Agent": "PersonAgent"}

// maxLine bounds a line. A longer one is read over and is bad.
const maxLine = 64 << 10
