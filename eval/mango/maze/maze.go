// Package maze is a maze as the judge sees it, and the judge of answers about it.
//
// It shares no code with what makes mazes: it reads the published files, and the graph that answers
// are held to is the edges of these files, nothing added. It promises that what can be answered
// from a prefix, and what is easy, comes from the maze, never from the answer; that ties are broken
// by code point; and that the destination is compared with the answer. (The evaluator that was
// released with the mazes compares it with itself.) The rules are those of docs/families/mango.md.
package maze

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/wikinav/wikinav/eval/mango/answer"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Maze is a maze: its edges, by normalised move, and its questions without words.
type Maze struct {
	ID        string
	Steps     []schemas.MangoStep            // of the walk, where the files have them
	next      map[string]map[string][]string // location, move: destinations, ascending
	moves     []string                       // of the whole maze, ascending
	byNorm    map[string][]string            // normalised name: locations
	skeletons map[string]*Skeleton           // by id, of the rows that were read
	edges     []schemas.MangoEdge

	df, rf, extra *rows
}

// rows are the lines of a file of the maze, read one by one as they are asked for.
type rows struct {
	file string
	read func() ([]byte, error)
	take func(line []byte) error
	left []byte
	n    int // lines read, -1 before the file is
}

// until reads rows until enough says so, or to the end.
func (r *rows) until(enough func() bool) (err error) {
	if r.n < 0 && !enough() {
		if r.left, err = r.read(); err != nil {
			return err
		}
		r.n = 0
	}
	for len(r.left) > 0 && !enough() {
		line, left, _ := bytes.Cut(r.left, []byte{'\n'})
		r.left = left
		r.n++
		if err := r.take(line); err != nil {
			return fault.New(fault.Malformed, "line %d: %w", r.n, err).At(r.file, "")
		}
	}
	return nil
}

// Skeleton is a question without its words, with the prefixes from which it can be answered and is
// easy.
type Skeleton struct {
	Task     string
	Src, Dst string
	Actions  []string // df
	Paths    int      // rf: simple paths that the maze counts
	Excess   int      // df: moves more than the shortest path
	schemas.MangoLabels
	shortest, shortestAnswerable int // rf
}

// Class returns what the skeleton is to a reader of the steps up to n: easy, hard or unanswerable.
func (s *Skeleton) Class(n int, rule string) string {
	answerable, easy := s.MinStepTotalAnswerable <= n, s.MinStepForwardAnswerable <= n
	switch {
	case rule == schemas.MangoRulePaper2023:
		answerable, easy = s.MinStepTotal <= n, s.MinStepForward < schemas.MangoNever
		if s.Task == schemas.MangoRF {
			easy = s.shortest < schemas.MangoNever
		}
	case rule == schemas.MangoRulePaper && s.Task == schemas.MangoRF:
		easy = s.shortestAnswerable <= n
	}
	switch {
	case !answerable:
		return schemas.MangoUnanswerable
	case easy:
		return schemas.MangoEasy
	}
	return schemas.MangoHard
}

// Edges lists the moves of the maze in the order of its file. The slice is shared.
func (m *Maze) Edges() []schemas.MangoEdge { return m.edges }

// Places lists the places of the maze, ascending.
func (m *Maze) Places() []string {
	var list []string
	for _, e := range m.edges {
		list = insert(insert(list, e.SrcNode), e.DstNode)
	}
	return list
}

// Skeleton returns the question with that id, nil if the rows that were read have none.
func (m *Maze) Skeleton(id string) *Skeleton { return m.skeletons[id] }

// Open reads the edges of a maze; read returns a file by the suffix of its name, such as
// ".edges.json". ReadTo and ReadAll read the questions.
func Open(id string, read func(suffix string) ([]byte, error)) (*Maze, error) {
	m := &Maze{
		ID: id, next: map[string]map[string][]string{}, byNorm: map[string][]string{},
		skeletons: map[string]*Skeleton{},
	}
	of := func(suffix string, take func([]byte) error) *rows {
		return &rows{id + suffix, func() ([]byte, error) { return read(suffix) }, take, nil, -1}
	}
	m.df, m.rf = of(".all2all.jsonl", m.addDF), of(".all_pairs.jsonl", m.addRF)
	m.extra = of(".extra.jsonl", m.addExtra)
	const suffix = ".edges.json"
	data, err := read(suffix)
	if err != nil {
		return nil, err
	}
	if err := m.addEdges(data); err != nil {
		return nil, fault.New(fault.Malformed, "%w", err).At(id+suffix, "")
	}
	return m, nil
}

// ReadAll reads all questions.
func (m *Maze) ReadAll() error {
	for _, r := range []*rows{m.df, m.rf, m.extra} {
		if err := r.until(func() bool { return false }); err != nil {
			return err
		}
	}
	return nil
}

// ReadTo reads the questions as far as that with the id, which is said to be of a task; all if none
// of that task has it.
func (m *Maze) ReadTo(task, id string) error {
	found := func() bool { return m.skeletons[id] != nil }
	if task == schemas.MangoDF {
		if err := m.df.until(found); err != nil {
			return err
		}
	}
	if s := m.skeletons[id]; s != nil && s.Task == schemas.MangoDF {
		return nil
	}
	for _, r := range []*rows{m.rf, m.extra} { // an RF row is complete with both
		if err := r.until(func() bool { return false }); err != nil {
			return err
		}
	}
	return m.df.until(found)
}

const maxEdges = 64 << 20

func (m *Maze) addEdges(data []byte) error {
	if err := canon.Decode(data, maxEdges, &m.edges); err != nil {
		return err
	}
	for _, e := range m.edges {
		move := normalise(e.Action)
		if m.next[e.SrcNode] == nil {
			m.next[e.SrcNode] = map[string][]string{}
		}
		m.next[e.SrcNode][move] = insert(m.next[e.SrcNode][move], e.DstNode)
		m.moves = insert(m.moves, move)
		for _, name := range []string{e.SrcNode, e.DstNode} {
			m.byNorm[normalise(name)] = insert(m.byNorm[normalise(name)], name)
		}
	}
	return nil
}

// insert adds x to an ascending list that does not have it.
func insert(list []string, x string) []string {
	i, found := slices.BinarySearch(list, x)
	if found {
		return list
	}
	return slices.Insert(list, i, x)
}

func (m *Maze) addDF(line []byte) error {
	var row schemas.MangoDFRow
	if err := canon.Decode(line, canon.MaxLine, &row); err != nil {
		return err
	}
	s := &Skeleton{
		Task: schemas.MangoDF, Src: row.SrcNode, Dst: row.DstNode, Excess: row.DiffShortest, MangoLabels: row.MangoLabels,
	}
	at := []string{row.SrcNode}
	for _, move := range row.PathDetails {
		s.Actions = append(s.Actions, move.Action)
		at = m.follow(at, normalise(move.Action))
	}
	if len(s.Actions) == 0 || !contains(at, row.DstNode) {
		return fmt.Errorf("the path of %.200s does not lead from %s to %s", row.ID, fault.Quote(row.SrcNode), fault.Quote(row.DstNode))
	}
	return m.add(row.ID, s)
}

func (m *Maze) addRF(line []byte) error {
	var row schemas.MangoRFRow
	if err := canon.Decode(line, canon.MaxLine, &row); err != nil {
		return err
	}
	return m.add(row.ID, &Skeleton{
		Task: schemas.MangoRF, Src: row.SrcNode, Dst: row.DstNode, Paths: row.NumPaths, MangoLabels: row.MangoLabels,
		shortest: schemas.MangoNever, shortestAnswerable: schemas.MangoNever,
	})
}

func (m *Maze) add(id string, s *Skeleton) error {
	if m.skeletons[id] != nil {
		return fmt.Errorf("id %s stands twice", fault.Quote(id))
	}
	m.skeletons[id] = s
	return nil
}

// addExtra completes an RF skeleton. Pairs without a row have nothing to complete.
func (m *Maze) addExtra(line []byte) error {
	var x schemas.MangoExtra
	if err := canon.Decode(line, canon.MaxLine, &x); err != nil {
		return err
	}
	if s := m.skeletons[x.ID]; s != nil && s.Task == schemas.MangoRF {
		s.shortest, s.shortestAnswerable = x.ShortestForward, x.ShortestForwardAnswers
	}
	return nil
}

// EachLine calls take with each line of data; its error names the line.
func EachLine(data []byte, take func([]byte) error) error {
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if err := take(bytes.TrimSuffix(line, []byte{'\n'})); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return nil
}

// follow returns all places that a move leads to from some place of at, ascending.
func (m *Maze) follow(at []string, move string) []string {
	var out []string
	for _, place := range at {
		for _, to := range m.next[place][move] {
			out = insert(out, to)
		}
	}
	return out
}

// leaving lists the moves that some place of at has, ascending.
func (m *Maze) leaving(at []string) []string {
	var out []string
	for _, place := range at {
		for move := range m.next[place] { // sorted by insert
			out = insert(out, move)
		}
	}
	return out
}

func contains(sorted []string, x string) bool {
	_, ok := slices.BinarySearch(sorted, x)
	return ok
}

func containsNorm(list []string, x string) bool {
	x = normalise(x)
	return slices.ContainsFunc(list, func(y string) bool { return normalise(y) == x })
}

// Golden returns the answer of a question: of an RF pair, a shortest way; nil where there is none.
func (m *Maze) Golden(id string) []answer.Step {
	s := m.skeletons[id]
	if s.Task == schemas.MangoRF {
		return m.way(s.Src, s.Dst)
	}
	return m.does(s.Src, s.Dst, s.Actions)
}

// does does the actions, by any branch that ends at dst.
func (m *Maze) does(src, dst string, actions []string) []answer.Step {
	if len(actions) == 0 {
		if src == dst {
			return []answer.Step{}
		}
		return nil
	}
	for _, to := range m.next[src][normalise(actions[0])] {
		if rest := m.does(to, dst, actions[1:]); rest != nil {
			return append([]answer.Step{{Before: src, Action: actions[0], After: to}}, rest...)
		}
	}
	return nil
}

// way searches breadth first.
func (m *Maze) way(src, dst string) []answer.Step {
	ways := map[string][]answer.Step{src: {}}
	for queue := []string{src}; len(queue) > 0; queue = queue[1:] {
		u := queue[0]
		for _, move := range m.leaving([]string{u}) {
			for _, v := range m.next[u][move] {
				if _, seen := ways[v]; !seen {
					ways[v] = append(slices.Clone(ways[u]), answer.Step{Before: u, Action: move, After: v})
					queue = append(queue, v)
				}
			}
		}
	}
	return ways[dst]
}

// Wander walks at random over the edges that a reader of the steps up to n knows: as many moves as
// a list of actions has, or until it arrives, but no longer than the maze has places. below draws.
func (m *Maze) Wander(id string, n int, below func(int) int) []answer.Step {
	s := m.skeletons[id]
	most := len(s.Actions)
	if s.Task == schemas.MangoRF {
		most = len(m.byNorm)
	}
	var walk []answer.Step
	for at := s.Src; len(walk) < most && (at != s.Dst || s.Task == schemas.MangoDF || len(walk) == 0); {
		known := slices.DeleteFunc(slices.Clone(m.edges), func(e schemas.MangoEdge) bool {
			return e.SrcNode != at || e.EdgeMinStepAnswerable > n
		})
		if len(known) == 0 {
			break
		}
		e := known[below(len(known))]
		walk = append(walk, answer.Step{Before: at, Action: e.Action, After: e.DstNode})
		at = e.DstNode
	}
	return walk
}
