package mango

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/wikinav/wikinav/artifacts/dag"
	"github.com/wikinav/wikinav/artifacts/mango/maze"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
)

// EachDrawn draws the rooms of each maze, and for each question the same with its ends and a way
// between them.
func (part) EachDrawn(_ *release.Scene, f release.Files, name string, visit release.Visit) error {
	if name == mazesFile {
		list, err := mazes(f)
		for _, m := range list {
			err := visit(m.MazeID, func() (dag.Drawing, error) {
				moves, err := edgesOf(f, m.MazeID)
				if err != nil {
					return dag.Drawing{}, err
				}
				return Draw(m.MazeID, moves, Way{}), nil
			})
			if err != nil {
				return err
			}
		}
		return err
	}
	id, ok := strings.CutSuffix(name, maze.QuestionsFile)
	if !ok {
		return nil
	}
	list, err := questions(f, id)
	edges := sync.OnceValues(func() ([]schemas.MangoEdge, error) { return edgesOf(f, id) })
	for _, q := range list {
		err := visit(q.QuestionID+"@"+strconv.Itoa(q.PrefixStep), func() (dag.Drawing, error) {
			moves, err := edges()
			if err != nil {
				return dag.Drawing{}, err
			}
			return Draw(id, moves, Way{From: q.Src, To: q.Dst, Moves: q.Actions}), nil
		})
		if err != nil {
			return err
		}
	}
	return err
}

func edgesOf(f release.Files, id string) ([]schemas.MangoEdge, error) {
	data, err := f.Read(id + maze.EdgesFile)
	if err != nil {
		return nil, err
	}
	_, edges, err := maze.DecodeEdges(id, data)
	return edges, err
}

// Way is what a question is about: its ends, and the moves between them where it names some. The
// zero value stands for none.
type Way struct {
	From, To string
	Moves    []string
}

// Draw draws the rooms of a maze in the directions of their moves. Moves that were never walked
// themselves are marked; of a way without moves a shortest one is shown.
func Draw(id string, edges []schemas.MangoEdge, w Way) dag.Drawing {
	places := maze.Locations(edges)
	d := dag.Drawing{Title: "The maze " + id}
	d.Says = fmt.Sprintf("%d places and %d moves between them.", len(places), len(edges))
	node := map[string]int{}
	for i, place := range places {
		node[place] = i
		d.Nodes = append(d.Nodes, dag.Node{ID: place, Label: place})
	}
	for _, e := range edges {
		x := dag.Edge{From: node[e.SrcNode], To: node[e.DstNode], Label: e.Action}
		x.Note = "walked in step " + strconv.Itoa(e.SeenInForward)
		if e.SeenInForward == schemas.MangoNever {
			x.Marks = append(x.Marks, dag.Imputed)
			x.Note = "never walked: the way back of step " + strconv.Itoa(e.SeenInReversed)
		}
		d.Edges = append(d.Edges, x)
	}
	if w.From != "" {
		ask(&d, edges, w, node)
	}
	d.Compass()
	return d
}

// ask marks what a question is about.
func ask(d *dag.Drawing, edges []schemas.MangoEdge, w Way, node map[string]int) {
	path := follow(edges, w.From, w.Moves)
	d.Title = fmt.Sprintf("%s, from %s", d.Title, w.From)
	if w.To != "" {
		path = shortest(edges, w.From, w.To)
		d.Title += " to " + w.To
	}
	for _, i := range path {
		d.Edges[i].Marks = append(d.Edges[i].Marks, dag.OnPath)
		to := &d.Nodes[d.Edges[i].To]
		if !to.Has(dag.OnPath) {
			to.Marks = append(to.Marks, dag.OnPath)
		}
	}
	if at, ok := node[w.From]; ok {
		d.Nodes[at].Marks = append(d.Nodes[at].Marks, dag.Start)
	}
	if len(path) > 0 {
		end := &d.Nodes[d.Edges[path[len(path)-1]].To]
		end.Marks = append(end.Marks, dag.Goal)
	}
	d.Note(fmt.Sprintf("The way has %s.", dag.Counted(len(path), "move")))
}

// follow lists the edges that moves take from a place, as far as they lead.
func follow(edges []schemas.MangoEdge, from string, moves []string) (path []int) {
	for _, move := range moves {
		i := slices.IndexFunc(edges, func(e schemas.MangoEdge) bool { return e.SrcNode == from && e.Action == move })
		if i < 0 {
			return path
		}
		path, from = append(path, i), edges[i].DstNode
	}
	return path
}

// shortest lists the edges of a shortest way, the first of the file's at each place.
func shortest(edges []schemas.MangoEdge, from, to string) (path []int) {
	came := map[string]int{from: -1}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		for i, e := range edges {
			if _, seen := came[e.DstNode]; !seen && e.SrcNode == queue[0] {
				came[e.DstNode] = i
				queue = append(queue, e.DstNode)
			}
		}
	}
	if _, ok := came[to]; !ok {
		return nil
	}
	for at := to; came[at] >= 0; at = edges[came[at]].SrcNode {
		path = append(path, came[at])
	}
	slices.Reverse(path)
	return path
}
