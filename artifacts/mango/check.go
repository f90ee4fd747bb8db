package mango

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/artifacts/mango/maze"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Check holds the files of every maze to each other and to the graph: each move is a link, the walk
// is made of moves, skeletons are paths of moves, questions are skeletons, and every label follows
// from the walk.
func (part) Check(c *release.Check) {
	c.Need(mazesFile, mazesTable, QuestionsTable)
	list := release.RecordsOf[schemas.MangoMaze](c, mazesFile, schemas.MangoMazeSchema)
	if list == nil {
		return
	}
	release.SameRows(c, mazesTable, Mazes, list)
	if c.WholeFromOlder() {
		c.NotOfThisGraph("that moves are links", mazesFile, len(list))
	}
	c.Quotas(release.Tally{{Of: Set}: len(list)})
	known, asked, whole := map[string]bool{}, []schemas.MangoQuestion{}, true
	release.EachLine(c, mazesFile, list, func(m *schemas.MangoMaze) string { return m.MazeID }, func(release.Line, *schemas.MangoMaze) {})
	for i := range list {
		if c.Context().Err() != nil {
			return
		}
		if known[list[i].MazeID] { // a finding already, and its files are checked
			whole = false
			continue
		}
		known[list[i].MazeID] = true
		m := &checked{Check: c, record: &list[i]}
		m.check(jsonl.Line(i + 1))
		asked, whole = append(asked, m.asked...), whole && m.asked != nil
	}
	if whole {
		release.SameRows(c, QuestionsTable, Questions, asked)
	}
	for _, name := range c.Names("*") {
		id, _, _ := strings.Cut(name, ".")
		if !known[id] && !slices.Contains([]string{mazesFile, mazesTable, QuestionsTable, schemas.QuotasFile}, name) {
			c.Add("files", name, "", "a maze of "+mazesFile, "none of that name")
		}
	}
}

type checked struct {
	*release.Check
	record *schemas.MangoMaze
	edges  map[[2]string]schemas.MangoEdge // by location and move
	df     map[string]schemas.MangoDFRow
	rf     map[string]schemas.MangoRFRow
	extra  map[string]schemas.MangoExtra
	asked  []schemas.MangoQuestion // nil where they are damaged
}

func (m *checked) file(suffix string) string { return m.record.MazeID + suffix }

func (m *checked) check(where string) {
	for _, suffix := range suffixes {
		m.Need(m.file(suffix))
	}
	g := m.Graph()
	if m.WholeFromOlder() {
		g = nil // it is a walk on another graph
	}
	if g != nil && (m.record.GraphSHA256 == nil || *m.record.GraphSHA256 != m.Manifest().Graph.SHA256) {
		m.Add("graph_sha256", mazesFile, where, m.Manifest().Graph.SHA256, "another")
	}
	m.SameBytes(m.file(maze.RecordFile), jsonl.Encode([]schemas.MangoMaze{*m.record}))
	m.CheckTable(m.file(dfTable), schemas.MangoDFTable)
	m.CheckTable(m.file(rfTable), schemas.MangoRFTable)
	edges, ok := m.readEdges()
	if !ok {
		return
	}
	m.checkEdges(edges, g)
	m.checkNames(edges)
	m.checkWalk()
	if m.readSkeletons() {
		m.checkSkeletons()
		m.checkQuestions()
	}
	m.counts(where, edges)
}

// lines reads a file of JSON lines in any spelling, the published layout's among them.
func lines[T any](m *checked, suffix string) (list []T, ok bool) {
	ok = m.lines(suffix, func(line []byte) error {
		var record T
		err := canon.Decode(line, canon.MaxLine, &record)
		list = append(list, record)
		return err
	})
	return list, ok
}

// lines has each line of a file taken, and reports whether all could be.
func (m *checked) lines(suffix string, take func(line []byte) error) bool {
	name := m.file(suffix)
	data, err := m.Files().Read(name)
	if err != nil {
		m.Skip("%s: %v", name, err)
		return false
	}
	n, ok := 0, true
	for line := range strings.Lines(string(data)) {
		n++
		if err := take([]byte(line)); err != nil {
			m.Add("lines", name, jsonl.Line(n), "a JSON record", err)
			ok = false
		}
	}
	if m.Wants(name) {
		release.Differ(m.Check, "rows", name, "", m.Files().Rows(name), int64(n))
	}
	return ok
}

// document reads a JSON document in any spelling, but one that says a thing twice.
func document[T any](m *checked, suffix string) (v T, ok bool) {
	name := m.file(suffix)
	data, err := m.Files().Read(name)
	if err != nil {
		m.Skip("%s: %v", name, err)
		return v, false
	}
	if err := canon.Decode(data, canon.MaxManifest, &v); err != nil {
		m.Add("document", name, "", "JSON", err)
		return v, false
	}
	return v, true
}

func (m *checked) readEdges() ([]schemas.MangoEdge, bool) {
	edges, ok := document[[]schemas.MangoEdge](m, maze.EdgesFile)
	m.edges = map[[2]string]schemas.MangoEdge{}
	for i, e := range edges {
		key := [2]string{e.SrcNode, e.Action}
		if _, twice := m.edges[key]; twice {
			m.Add("edge", m.file(maze.EdgesFile), release.Row(i), "each move of a location once", key)
		}
		m.edges[key] = e
	}
	return edges, ok
}

// checkEdges checks that every move is a link between the pages that its ends are, and that its
// steps agree.
func (m *checked) checkEdges(edges []schemas.MangoEdge, g *graph.Graph) {
	nodes := map[string]uint32{}
	for i, p := range m.record.Pages {
		if g == nil {
			break
		}
		u, found := g.Node(p.Page)
		if !found || g.Title(u) != p.Location {
			m.Add("pages", m.file(maze.RecordFile), release.Row(i), "a page of the graph with its title", p)
			continue
		}
		nodes[p.Location] = u
	}
	for i, e := range edges {
		u, known := nodes[e.SrcNode]
		v, also := nodes[e.DstNode]
		if g != nil && (!known || !also || !slices.Contains(g.Succ.Row(u), v)) {
			m.Add("edge", m.file(maze.EdgesFile), release.Row(i), "a link of the graph", e.SrcNode+" -> "+e.DstNode)
		}
		if e.EdgeMinStep != min(e.SeenInForward, e.SeenInReversed) || e.EdgeMinStepAnswerable != min(e.SeenInForwardAnswerable, e.SeenInReversedAnswerable) {
			m.Add("edge", m.file(maze.EdgesFile), release.Row(i), "the smaller of both steps", e.MangoSteps)
		}
	}
}

func (m *checked) checkNames(edges []schemas.MangoEdge) {
	for suffix, want := range map[string][]string{maze.LocationsFile: maze.Locations(edges), maze.ActionsFile: maze.Moves(edges)} { // findings of two files
		if got, ok := document[[]string](m, suffix); ok && m.Wants(m.file(suffix)) && !slices.Equal(sorted(got), sorted(want)) {
			m.Add("names", m.file(suffix), "", sorted(want), sorted(got))
		}
	}
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

// checkWalk checks that each step takes a move from where the last one led, that moves know when
// they were walked first, and that the walkthrough shows every step.
func (m *checked) checkWalk() {
	steps, ok := lines[schemas.MangoStep](m, maze.StepsFile)
	shown, err := m.Files().Read(m.file(maze.WalkthroughFile))
	if !ok || err != nil || len(steps) == 0 {
		return
	}
	first := map[[2]string]int{}
	for i, s := range steps {
		where := jsonl.Line(i + 1)
		if s.Step != i {
			m.Add("step", m.file(maze.StepsFile), where, i, s.Step)
		}
		if !strings.Contains(string(shown), s.Observation) {
			m.Add("observation", m.file(maze.WalkthroughFile), fmt.Sprint("step ", i), fault.Quote(s.Observation), "not there")
		}
		if i == 0 {
			if s.Act != maze.Act0 || s.Src != "" {
				m.Add("step", m.file(maze.StepsFile), where, maze.Act0+", from nowhere", s.Act+", "+s.Src)
			}
			continue
		}
		key := [2]string{s.Src, s.Act}
		if e, there := m.edges[key]; !there || e.DstNode != s.Dst || s.Src != steps[i-1].Dst {
			m.Add("step", m.file(maze.StepsFile), where, "a move from where the last step led", fmt.Sprintf("%s, %s, %s", s.Src, s.Act, s.Dst))
		}
		if _, walked := first[key]; !walked {
			first[key] = i
		}
	}
	for key, e := range m.edges { // findings of one file
		want, walked := first[key]
		if !walked {
			want = schemas.MangoNever
		}
		if e.SeenInForward != want {
			m.Add("seen_in_forward", m.file(maze.EdgesFile), fmt.Sprint(key), want, e.SeenInForward)
		}
	}
	if last := m.record.LastStep; last == nil || *last != len(steps)-1 {
		m.Add("last_step", m.file(maze.RecordFile), "", len(steps)-1, last)
	}
}

func (m *checked) readSkeletons() bool {
	df, ok := lines[schemas.MangoDFRow](m, maze.DFFile)
	rf, also := lines[schemas.MangoRFRow](m, maze.RFFile)
	more, too := lines[schemas.MangoExtra](m, maze.ExtraFile)
	m.df, m.rf, m.extra = map[string]schemas.MangoDFRow{}, map[string]schemas.MangoRFRow{}, map[string]schemas.MangoExtra{}
	for _, r := range df {
		m.df[r.ID] = r
	}
	for _, r := range rf {
		m.rf[r.ID] = r
	}
	for _, r := range more {
		m.extra[r.ID] = r
	}
	if len(m.df)+len(m.rf) != len(df)+len(rf) || len(more) != len(df)+len(rf) || len(m.extra) != len(more) {
		m.Add("ids", m.file(maze.ExtraFile), "", fmt.Sprintf("a line for each of %d skeletons, each id once", len(df)+len(rf)), len(m.extra))
		return false
	}
	return ok && also && too
}

// checkSkeletons checks that a DF row is a path of moves whose labels follow from them, and that an
// RF row counts the DF rows of its pair.
func (m *checked) checkSkeletons() {
	paths := map[[2]string]int{}
	for id, r := range m.df { // findings of one file
		bad := func(field string, want, got any) { m.Add(field, m.file(maze.DFFile), id, want, got) }
		paths[[2]string{r.SrcNode, r.DstNode}]++
		at, labels := r.SrcNode, schemas.MangoLabels{}
		for _, step := range r.PathDetails {
			e := m.edges[[2]string{at, step.Action}]
			if step.PrevNode != at || e.DstNode != step.Node || e.MangoSteps != step.MangoSteps {
				bad("path_details", "moves of the maze, one after another", step)
			}
			labels.MinStepForward = max(labels.MinStepForward, e.SeenInForward)
			labels.MinStepTotal = max(labels.MinStepTotal, e.EdgeMinStep)
			labels.MinStepForwardAnswerable = max(labels.MinStepForwardAnswerable, e.SeenInForwardAnswerable)
			labels.MinStepTotalAnswerable = max(labels.MinStepTotalAnswerable, e.EdgeMinStepAnswerable)
			at = step.Node
		}
		if at != r.DstNode || len(r.PathDetails) != r.StepCount {
			bad("dst_node", r.DstNode, at)
		}
		if labels != r.MangoLabels {
			bad("labels", labels, r.MangoLabels)
		}
		if x, ok := m.extra[id]; !ok || x.Task != schemas.MangoDF {
			m.Add("extra", m.file(maze.ExtraFile), id, schemas.MangoDF, x.Task)
		}
	}
	for id, r := range m.rf { // findings of one file
		x, ok := m.extra[id]
		if !ok || x.Task != schemas.MangoRF {
			m.Add("extra", m.file(maze.ExtraFile), id, schemas.MangoRF, x.Task)
		}
		if n := paths[[2]string{r.SrcNode, r.DstNode}]; n != r.NumPaths {
			m.Add("num_paths", m.file(maze.RFFile), id, n, r.NumPaths)
		}
	}
}

// checkQuestions checks that each question asks a skeleton, and that its class is what the labels
// say at its prefix.
func (m *checked) checkQuestions() {
	name, seen := m.file(maze.QuestionsFile), map[string]bool{}
	m.asked = release.RecordsOf[schemas.MangoQuestion](m.Check, name, schemas.MangoQuestionSchema)
	if !m.Wants(name) {
		return
	}
	for i, q := range m.asked {
		bad := func(field string, want, got any) { m.Add(field, name, jsonl.Line(i+1), want, got) }
		if q.MazeID != m.record.MazeID || seen[q.QuestionID] {
			bad("question_id", "a question of "+m.record.MazeID+" that comes once", q.QuestionID)
		}
		seen[q.QuestionID] = true
		x := m.extra[q.QuestionID]
		df, isDF := m.df[q.QuestionID]
		rf, isRF := m.rf[q.QuestionID]
		want := schemas.MangoQuestion{Task: schemas.MangoRF, Src: rf.SrcNode, Dst: rf.DstNode, Actions: []string{}}
		labels, easy := rf.MangoLabels, x.ShortestForwardAnswers
		if isDF {
			want = schemas.MangoQuestion{Task: schemas.MangoDF, Src: df.SrcNode, Actions: []string{}}
			for _, step := range df.PathDetails {
				want.Actions = append(want.Actions, step.Action)
			}
			labels, easy = df.MangoLabels, df.MinStepForwardAnswerable
		}
		if !isDF && !isRF || q.Task != want.Task || q.Src != want.Src || q.Dst != want.Dst || !slices.Equal(q.Actions, want.Actions) || isDF && !x.Sampled {
			bad("question", "the question of its skeleton", fault.Quote(q.QuestionID))
		}
		if m.record.LastStep == nil || q.PrefixStep != *m.record.LastStep || q.Rule != schemas.MangoRulePaper {
			bad("prefix_step", "the whole walk under the rule paper", fmt.Sprint(q.PrefixStep, ", ", q.Rule))
		}
		class := schemas.MangoHard
		switch n := q.PrefixStep; {
		case labels.MinStepTotalAnswerable > n:
			class = schemas.MangoUnanswerable
		case easy <= n:
			class = schemas.MangoEasy
		}
		if q.Class != class {
			bad("class", class, q.Class)
		}
		if !strings.Contains(q.Prompt, q.Src) || !strings.Contains(q.Prompt, q.Dst) {
			bad("prompt", "the ends of the question", "not there")
		}
	}
}

func (m *checked) counts(where string, edges []schemas.MangoEdge) {
	r, forward := m.record, 0
	for _, e := range edges {
		if e.SeenInForward < schemas.MangoNever {
			forward++
		}
	}
	for _, n := range []struct {
		field     string
		want, got int
	}{
		{"edges", len(edges), r.Edges},
		{"forward_edges", forward, r.ForwardEdges},
		{"imputed_edges", len(edges) - forward, r.ImputedEdges},
		{"locations", len(r.Pages), r.Locations},
		{"df_rows", len(m.df), r.DFRows},
		{"rf_rows", len(m.rf), r.RFRows},
	} {
		if n.want != n.got && (m.df != nil || !strings.HasSuffix(n.field, "_rows")) {
			m.Add(n.field, mazesFile, where, n.want, n.got)
		}
	}
}
