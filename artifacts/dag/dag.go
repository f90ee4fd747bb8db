// Package dag draws instances as what they are: the pages on the shortest paths between two pages,
// the stops of a leg, the rooms of a maze, the cells of a board.
//
// A Drawing is plain data: boxes and lines with marks, and, once it is laid out, where they stand.
// Lay puts nodes into layers, Compass into the directions of their edges, Board into the cells that
// they name. SVG paints what was laid out, and whoever draws by itself reads the same places from
// the JSON. Who knows an instance makes its drawing: release.Drawn and family.Drawn.
//
// It promises that
//   - equal drawings have equal bytes: no clock, no random id, no map order; numbers are whole;
//   - texts of strangers do nothing but show: characters that XML lacks, controls and those that
//     turn the direction of what follows are replaced, a long text is cut in its box and whole in
//     its title;
//   - a drawing is bounded: of a layer at most so many nodes are kept, those that most paths go
//     through, and one node says how many more there are.
//
// It reads no file and knows no family.
package dag

import "slices"

// Drawing is nodes and edges; edges name nodes by their places in Nodes.
type Drawing struct {
	Title  string   `json:"title"`
	Says   string   `json:"says"`  // the drawing in a sentence, for who does not see it
	Notes  []string `json:"notes"` // what stands beside it
	Layers []Layer  `json:"layers"`
	Nodes  []Node   `json:"nodes"`
	Edges  []Edge   `json:"edges"`
	Width  int      `json:"width"` // in pixels, as all places; 0 until it is laid out
	Height int      `json:"height"`
}

// Layer is what stands above a layer of nodes: its name, and how many nodes it has.
type Layer struct {
	Label string `json:"label"`
	Size  int    `json:"size"` // those that are not drawn included
	X     int    `json:"x"`    // where its label begins
	Y     int    `json:"y"`
}

// Node is a box.
type Node struct {
	ID    string `json:"id"`    // by which others name it, such as a page id; "" for one that nobody can name
	Label string `json:"label"` // whole
	Under string `json:"under"` // a second line
	Note  string `json:"note"`  // what is shown on demand
	Layer int    `json:"layer"` // from 0; the row of a cell
	Cell  int    `json:"cell"`  // the column of a cell, for Board alone
	Marks []Mark `json:"marks"`
	X     int    `json:"x"` // of the left upper corner
	Y     int    `json:"y"`
	W     int    `json:"w"`
	H     int    `json:"h"`
}

// Edge is a line from a node to another.
type Edge struct {
	From  int    `json:"from"`
	To    int    `json:"to"`
	Label string `json:"label"`
	Note  string `json:"note"`
	Marks []Mark `json:"marks"`
	Path  string `json:"path"` // as the attribute d of an SVG path has it, its arrowhead included
	X     int    `json:"x"`    // the middle of its label
	Y     int    `json:"y"`
	both  bool   // it leads to and fro
}

// Mark is a word for what is special about a node or an edge.
type Mark string

// Marks of nodes and edges.
const (
	Start      Mark = "start"
	Goal       Mark = "goal"
	OnPath     Mark = "path"       // of the witness, or of the solution
	Bottleneck Mark = "bottleneck" // on every shortest path
	Dominator  Mark = "dominator"  // on every path
	Wide       Mark = "wide"       // the menu does not show all its links
	Hidden     Mark = "hidden"     // the menu does not show it
	Banned     Mark = "banned"     // must not be entered
	Hazard     Mark = "hazard"     // entering costs more
	Asked      Mark = "asked"      // what the question is about
	Imputed    Mark = "imputed"    // was never walked itself
	Told       Mark = "told"       // the player knows it from the beginning
	Dropped    Mark = "dropped"    // what has to go
	Used       Mark = "used"       // a value that a later step needs
	More       Mark = "more"       // stands for nodes that are not drawn
)

// words say what a mark means, in the order of legends.
var words = []struct {
	Mark Mark
	Says string
}{
	{Start, "start"},
	{Goal, "goal"},
	{OnPath, "a shortest way"},
	{Bottleneck, "on every shortest path"},
	{Dominator, "on every path"},
	{Wide, "more links than the menu shows"},
	{Hidden, "not in the menu"},
	{Banned, "banned"},
	{Hazard, "hole"},
	{Asked, "asked about"},
	{Imputed, "never walked"},
	{Told, "told at the beginning"},
	{Dropped, "to be removed"},
	{Used, "a value is used"},
	{More, "not drawn"},
}

// Meaning is a mark that a drawing has, in words.
type Meaning struct {
	Mark Mark   `json:"mark"`
	Says string `json:"says"`
	Edge bool   `json:"edge"` // edges have it, and no node
}

// Legend returns the marks that d has, in the order in which every legend has them.
func (d *Drawing) Legend() (list []Meaning) {
	for _, w := range words {
		node := slices.ContainsFunc(d.Nodes, func(n Node) bool { return n.Has(w.Mark) })
		edge := slices.ContainsFunc(d.Edges, func(e Edge) bool { return slices.Contains(e.Marks, w.Mark) })
		if node || edge {
			list = append(list, Meaning{w.Mark, w.Says, !node})
		}
	}
	return list
}

// Has reports whether the node has a mark.
func (n Node) Has(m Mark) bool { return slices.Contains(n.Marks, m) }

// Note adds a sentence to Notes.
func (d *Drawing) Note(text string) { d.Notes = append(d.Notes, text) }
