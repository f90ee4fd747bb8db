package mango

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/cespare/xxhash/v2"

	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/artifacts/plain"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/order"
)

// Level 3: everything that follows from a walk, anew: moves and when they are known, all simple
// paths, the labels of every path and pair, the sample, the questions with their classes and words,
// the walkthrough and the counts.
//
// Result:    what the mango specification, 4 to 7, says in words. Taken as given are the steps'
// directions and the leads of the pages with their blanks, which no other file of a release
// decides. Encoding:  locations by name; a path is a list of places in the list of moves.
// Reference: paths are listed by trying every move; a label of a pair is the first step whose moves
// alone lead there, found by trying the steps one after another. Nothing is taken from package maze
// or the stage's skeletons. Time:      that of the paths, which end the attempt where there are
// more than the file has; labels take a search per pair and step.

// Prove holds the files of every maze to its walk.
func (p part) Prove(c *release.Check) {
	var params struct {
		schemas.MangoMazeParams
		Seed int64 `json:"seed"`
	}
	if !c.Params(&params) {
		return
	}
	list := release.RecordsOf[schemas.MangoMaze](c, mazesFile, schemas.MangoMazeSchema)
	templates := map[string]string{}
	release.ProveEach(c, mazesFile, list, "moves, paths, labels, questions and walkthrough", func(l release.Line, r *schemas.MangoMaze) {
		w := &walked{Check: c, record: r, link: links(c, r), templates: templates}
		if !w.read() {
			return
		}
		w.proveWalk()
		w.prove(params.MangoMazeParams, params.Seed)
		want := w.wantRecord(params.MangoMazeParams, params.Seed)
		plain.Differ(want, r, func(field string, want, got any) { l.Bad(field, want, got) })
	})
}

// walked is a maze as its walk tells it, and what its files say.
type walked struct {
	*release.Check
	record    *schemas.MangoMaze
	link      func(from, to string) bool // the graph has it
	templates map[string]string          // digest of the words of each task, the same in all mazes

	steps []schemas.MangoStep
	moves []schemas.MangoEdge
	names []string // locations in the order of moves
}

// links returns which moves are links of the graph; of a maze on an older graph, those that its
// file of moves has.
func links(c *release.Check, r *schemas.MangoMaze) func(from, to string) bool {
	if c.WholeFromOlder() {
		moves, _ := (&checked{Check: c, record: r}).readEdges()
		return func(from, to string) bool {
			return slices.ContainsFunc(moves, func(e schemas.MangoEdge) bool {
				return e.SrcNode == from && e.DstNode == to
			})
		}
	}
	g, nodes := c.Graph(), map[string]uint32{}
	for _, page := range r.Pages {
		nodes[page.Location], _ = g.Node(page.Page)
	}
	return func(from, to string) bool { return slices.Contains(g.Succ.Row(nodes[from]), nodes[to]) }
}

// read reads the steps and makes the moves of them.
func (w *walked) read() bool {
	var ok bool
	if w.steps, ok = lines[schemas.MangoStep](w.checked(), ".steps.jsonl"); !ok || len(w.steps) < 2 {
		w.Add("steps", w.file(".steps.jsonl"), "", "a walk", fmt.Sprintf("%d steps", len(w.steps)))
		return false
	}
	w.makeMoves()
	return true
}

// makeMoves lists each walked move, and after it its opposite where the graph has that link.
func (w *walked) makeMoves() {
	for _, s := range w.steps[1:] {
		if w.first(s.Src, s.Dst) < s.Step || w.first(s.Dst, s.Src) < s.Step {
			continue
		}
		w.moves = append(w.moves, w.move(s.Src, s.Dst, s.Act))
		if w.link(s.Dst, s.Src) {
			w.moves = append(w.moves, w.move(s.Dst, s.Src, opposite[s.Act]))
		}
	}
	for _, m := range w.moves {
		for _, name := range []string{m.SrcNode, m.DstNode} {
			if !slices.Contains(w.names, name) {
				w.names = append(w.names, name)
			}
		}
	}
}

func (w *walked) checked() *checked         { return &checked{Check: w.Check, record: w.record} }
func (w *walked) file(suffix string) string { return w.record.MazeID + suffix }

var directions = []string{"north", "south", "east", "west", "northeast", "southwest", "northwest", "southeast", "up", "down"}

var opposite = map[string]string{
	"north": "south", "south": "north", "east": "west", "west": "east", "northeast": "southwest", "southwest": "northeast",
	"northwest": "southeast", "southeast": "northwest", "up": "down", "down": "up",
}

// first returns the first step that goes from one location to another.
func (w *walked) first(from, to string) int {
	for i, s := range w.steps {
		if i > 0 && s.Src == from && s.Dst == to {
			return i
		}
	}
	return schemas.MangoNever
}

func (w *walked) move(from, to, act string) schemas.MangoEdge {
	there, back := w.first(from, to), w.first(to, from)
	return schemas.MangoEdge{SrcNode: from, DstNode: to, Action: act, MangoSteps: schemas.MangoSteps{
		SeenInForward: there, SeenInReversed: back, EdgeMinStep: min(there, back),
		SeenInForwardAnswerable: there, SeenInReversedAnswerable: back, EdgeMinStepAnswerable: min(there, back),
	}}
}

// proveWalk holds exits, observations and the walkthrough to the moves.
func (w *walked) proveWalk() {
	text, titles := "", strings.NewReplacer("[", "(", "]", ")")
	shown := map[string]string{}
	for i, s := range w.steps {
		where := func(field string, want, got any) { w.Add(field, w.file(".steps.jsonl"), jsonl.Line(i+1), want, got) }
		exits := []string{}
		for _, d := range directions {
			if slices.ContainsFunc(w.moves, func(m schemas.MangoEdge) bool { return m.SrcNode == s.Dst && m.Action == d }) {
				exits = append(exits, d)
			}
		}
		if !slices.Equal(exits, s.Exits) {
			where("exits", exits, s.Exits)
		}
		list := strings.Join(exits, ", ")
		if list == "" {
			list = "none"
		}
		begins, ends := titles.Replace(s.Dst)+"\n", "\nExits: "+list
		if !strings.HasPrefix(s.Observation, begins) || !strings.HasSuffix(s.Observation, ends) {
			where("observation", begins+".."+ends, s.Observation)
		}
		if before, seen := shown[s.Dst]; seen && before != s.Observation {
			where("observation", before, s.Observation)
		}
		shown[s.Dst] = s.Observation
		text += fmt.Sprintf("===========\n==>STEP NUM: %d\n==>ACT: %s\n==>OBSERVATION: %s\n\n", i, s.Act, s.Observation)
	}
	w.SameBytes(w.file(".walkthrough"), []byte(text+"===========\n"))
}

// prove computes what the files of the published layout hold, and compares.
func (w *walked) prove(params schemas.MangoMazeParams, seed int64) {
	edges, _ := document[[]schemas.MangoEdge](w.checked(), ".edges.json")
	sameList(w, ".edges.json", release.Row, w.moves, edges)
	names, acts := slices.Sorted(slices.Values(w.names)), map[string]bool{}
	for _, m := range w.moves {
		acts[m.Action] = true
	}
	locations, _ := document[[]string](w.checked(), ".locations.json")
	actions, _ := document[[]string](w.checked(), ".actions.json")
	sameList(w, ".locations.json", release.Row, named(names), named(locations))
	sameList(w, ".actions.json", release.Row, named(slices.Sorted(maps.Keys(acts))), named(actions))

	df, _ := lines[schemas.MangoDFRow](w.checked(), ".all2all.jsonl")
	rf, _ := lines[schemas.MangoRFRow](w.checked(), ".all_pairs.jsonl")
	extra, _ := lines[schemas.MangoExtra](w.checked(), ".extra.jsonl")
	asked := release.RecordsOf[schemas.MangoQuestion](w.Check, w.file(".questions.jsonl.gz"),
		schemas.MangoQuestionSchema)
	paths, cut, all := w.paths(params.DFMaxLen, len(df))
	if !all {
		w.Add("rows", w.file(".all2all.jsonl"), "", "every simple path", fmt.Sprintf("%d of more", len(df)))
		return
	}
	s := w.skeletons(paths, cut, params, seed)
	sameList(w, ".all2all.jsonl", line, s.df, df)
	sameList(w, ".all_pairs.jsonl", line, s.rf, rf)
	sameList(w, ".extra.jsonl", line, s.extra, extra)
	w.proveTables(s)
	w.proveQuestions(s, asked)
}

func line(i int) string { return jsonl.Line(i + 1) }

type name struct {
	Name string `json:"name"`
}

func named(list []string) (out []name) {
	for _, n := range list {
		out = append(out, name{n})
	}
	return out
}

// sameList compares the records of a file one by one.
func sameList[T any](w *walked, suffix string, place func(int) string, want, got []T) {
	w.sameRecords(suffix, place, len(want), len(got), func(i int) (any, any) { return want[i], got[i] })
}

func (w *walked) sameRecords(suffix string, place func(int) string, want, got int, both func(i int) (any, any)) {
	if want != got {
		w.Add("rows", w.file(suffix), "", want, got)
	}
	for i := range min(want, got) {
		a, b := both(i)
		plain.Differ(a, b, func(field string, want, got any) { w.Add(field, w.file(suffix), place(i), want, got) })
	}
}

// paths lists every simple path of at most so many moves, and the pairs of locations that have a
// longer one. It gives up beyond the number of paths that there should be.
func (w *walked) paths(longest, most int) (list [][]int, longer map[[2]string]bool, all bool) {
	longer, all = map[[2]string]bool{}, true
	var from func(path []int, been []string)
	from = func(path []int, been []string) {
		at := been[len(been)-1]
		if len(path) == longest {
			for _, dst := range w.reach(at, been) {
				longer[[2]string{been[0], dst}] = true
			}
			return
		}
		for i, m := range w.moves {
			if m.SrcNode != at || slices.Contains(been, m.DstNode) || !all {
				continue
			}
			longer := append(slices.Clone(path), i)
			all = len(list) < most // there is room for this one
			list = append(list, longer)
			from(longer, append(slices.Clone(been), m.DstNode))
		}
	}
	for _, src := range w.names {
		from(nil, []string{src})
	}
	return list, longer, all
}

// reach lists the locations that can be reached without those of a path.
func (w *walked) reach(at string, without []string) []string {
	found := []string{at}
	for i := 0; i < len(found); i++ {
		for _, m := range w.moves {
			if m.SrcNode == found[i] && !slices.Contains(found, m.DstNode) && !slices.Contains(without, m.DstNode) {
				found = append(found, m.DstNode)
			}
		}
	}
	return found[1:]
}

// The numbers of a move that labels are made of.
var weights = []func(schemas.MangoSteps) int{
	func(s schemas.MangoSteps) int { return s.SeenInForward },
	func(s schemas.MangoSteps) int { return min(s.SeenInForward, s.SeenInReversed) },
	func(s schemas.MangoSteps) int { return s.SeenInForwardAnswerable },
	func(s schemas.MangoSteps) int { return min(s.SeenInForwardAnswerable, s.SeenInReversedAnswerable) },
}

func labels(of func(weight func(schemas.MangoSteps) int) int) schemas.MangoLabels {
	return schemas.MangoLabels{
		MinStepForward: of(weights[0]), MinStepTotal: of(weights[1]), MinStepForwardAnswerable: of(weights[2]), MinStepTotalAnswerable: of(weights[3]),
	}
}

// skeletons are the rows of a maze in their order; paths are those of df.
type skeletons struct {
	df    []schemas.MangoDFRow
	paths [][]int
	rf    []schemas.MangoRFRow
	extra []schemas.MangoExtra
}

func (w *walked) skeletons(paths [][]int, longer map[[2]string]bool, params schemas.MangoMazeParams, seed int64) *skeletons {
	s, perPair, of := &skeletons{}, map[[2]string]int{}, map[string][]int{}
	for _, path := range paths {
		row := w.row(path)
		of[row.ID] = path
		s.df = append(s.df, row)
		perPair[[2]string{row.SrcNode, row.DstNode}]++
	}
	place := func(name string) int { return slices.Index(w.names, name) }
	order.Sort(s.df, func(a, b schemas.MangoDFRow) int {
		return cmp.Or(place(a.SrcNode)-place(b.SrcNode), place(a.DstNode)-place(b.DstNode), a.StepCount-b.StepCount, strings.Compare(a.ID, b.ID))
	})
	shortest := map[[2]string]int{}
	for i := range s.df {
		r := &s.df[i]
		pair := [2]string{r.SrcNode, r.DstNode}
		if _, known := shortest[pair]; !known {
			shortest[pair] = r.StepCount
		}
		r.DiffShortest = r.StepCount - shortest[pair]
		s.paths = append(s.paths, of[r.ID])
	}
	for i, sampled := range sample(s.df, seed, len(w.steps)-1, params.DFBudget) {
		x := schemas.MangoExtra{Sampled: sampled}
		x.ID, x.Task = s.df[i].ID, schemas.MangoDF
		s.extra = append(s.extra, x)
	}
	for _, src := range w.names {
		for _, dst := range w.names {
			if src == dst {
				continue
			}
			id := sha256.Sum256([]byte(`{"dst_node": ` + python(dst) + `, "src_node": ` + python(src) + `}`))
			pair := [2]string{src, dst}
			row := schemas.MangoRFRow{SrcNode: src, DstNode: dst, NumPaths: perPair[pair], ID: hex.EncodeToString(id[:])}
			row.MangoLabels = labels(func(weight func(schemas.MangoSteps) int) int { return w.since(src, dst, weight, false) })
			s.rf = append(s.rf, row)
			s.extra = append(s.extra, schemas.MangoExtra{MangoRFExtra: schemas.MangoRFExtra{
				ID: row.ID, Task: schemas.MangoRF, NumPathsCapped: longer[pair], PathCutoff: params.DFMaxLen,
				ShortestForward: w.since(src, dst, weights[0], true), ShortestForwardAnswers: w.since(src, dst, weights[2], true),
			}})
		}
	}
	return s
}

// row lays a path out.
func (w *walked) row(path []int) schemas.MangoDFRow {
	r := schemas.MangoDFRow{SrcNode: w.moves[path[0]].SrcNode, DstNode: w.moves[path[len(path)-1]].DstNode, StepCount: len(path)}
	var text []string
	for _, i := range path {
		m := w.moves[i]
		r.PathDetails = append(r.PathDetails, schemas.MangoMove{PrevNode: m.SrcNode, Node: m.DstNode, Action: m.Action, MangoSteps: m.MangoSteps})
		text = append(text, `{"action": `+python(m.Action)+`, "node": `+python(m.DstNode)+`, "prev_node": `+python(m.SrcNode)+`}`)
	}
	id := sha256.Sum256([]byte("[" + strings.Join(text, ", ") + "]"))
	r.ID = hex.EncodeToString(id[:])
	r.MangoLabels = labels(func(weight func(schemas.MangoSteps) int) (last int) {
		for _, i := range path {
			last = max(last, weight(w.moves[i].MangoSteps))
		}
		return last
	})
	return r
}

// since returns the first step whose moves, and those before, lead from src to dst, if wanted as
// fast as all moves do; MangoNever for none.
func (w *walked) since(src, dst string, weight func(schemas.MangoSteps) int, fast bool) int {
	whole := w.far(src, dst, weight, schemas.MangoNever)
	for step := range len(w.steps) {
		if d := w.far(src, dst, weight, step); d >= 0 && (d == whole || !fast) {
			return step
		}
	}
	return schemas.MangoNever
}

// far counts the moves of a shortest path along moves of at most such a weight; -1 where there is
// none.
func (w *walked) far(src, dst string, weight func(schemas.MangoSteps) int, most int) int {
	dist := map[string]int{src: 0}
	for queue := []string{src}; len(queue) > 0; queue = queue[1:] {
		for _, m := range w.moves {
			if _, known := dist[m.DstNode]; m.SrcNode == queue[0] && !known && weight(m.MangoSteps) <= most {
				dist[m.DstNode] = dist[m.SrcNode] + 1
				queue = append(queue, m.DstNode)
			}
		}
	}
	if d, reached := dist[dst]; reached {
		return d
	}
	return -1
}

// python spells a text as Python's json.dumps does.
func python(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch at := strings.IndexRune("\"\\\b\f\n\r\t", r); {
		case at >= 0:
			b.WriteString(`\` + `"\bfnrt`[at:at+1])
		case r < 0x20 || r > 0x7e:
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, `\u%04x`, unit)
			}
		default:
			b.WriteRune(r)
		}
	}
	return `"` + b.String() + `"`
}

// sample takes rows in turn from eight heaps, easy before others and of at most 2, 4, 6 and more
// moves, until there are enough. A heap has the order of the hashes of seed and id.
func sample(rows []schemas.MangoDFRow, seed int64, last, budget int) []bool {
	heaps := make([][]int, 8)
	for i, r := range rows {
		at := min((r.StepCount+1)/2, 4) - 1
		if classOf(r.MangoLabels, r.MinStepForwardAnswerable, last) != schemas.MangoEasy {
			at += 4
		}
		heaps[at] = append(heaps[at], i)
	}
	hash := func(i int) uint64 { return xxhash.Sum64String(strconv.FormatInt(seed, 10) + ":" + rows[i].ID) }
	for _, heap := range heaps {
		order.Sort(heap, func(a, b int) int {
			return cmp.Or(cmp.Compare(hash(a), hash(b)), strings.Compare(rows[a].ID, rows[b].ID))
		})
	}
	chosen := make([]bool, len(rows))
	for turn := 0; turn < len(rows); turn++ {
		for _, heap := range heaps {
			if turn < len(heap) && budget > 0 {
				chosen[heap[turn]] = true
				budget--
			}
		}
	}
	return chosen
}

// classOf says what a skeleton is to a reader of the walk up to a step; easy is the step from which
// it is easy.
func classOf(l schemas.MangoLabels, easy, last int) string {
	switch {
	case l.MinStepTotalAnswerable > last:
		return schemas.MangoUnanswerable
	case easy <= last:
		return schemas.MangoEasy
	}
	return schemas.MangoHard
}

// proveTables compares the two tables with the rows.
func (w *walked) proveTables(s *skeletons) {
	var df, rf [][]any
	for i, r := range s.df {
		path := []uint32{}
		for _, m := range s.paths[i] {
			path = append(path, uint32(m))
		}
		df = append(df, []any{
			w.record.MazeID, r.SrcNode, r.DstNode, r.DiffShortest, path, r.StepCount, r.ID, r.MinStepForward, r.MinStepTotal,
			r.MinStepForwardAnswerable, r.MinStepTotalAnswerable, s.extra[i].Sampled,
		})
	}
	for i, r := range s.rf {
		x := s.extra[len(s.df)+i]
		rf = append(rf, []any{
			w.record.MazeID, r.SrcNode, r.DstNode, r.NumPaths, r.ID, r.MinStepForward, r.MinStepTotal, r.MinStepForwardAnswerable,
			r.MinStepTotalAnswerable, x.ShortestForward, x.ShortestForwardAnswers, x.NumPathsCapped, x.PathCutoff,
		})
	}
	w.proveTable(dfTable, schemas.MangoDFTable, df)
	w.proveTable(rfTable, schemas.MangoRFTable, rf)
}

func (w *walked) proveTable(suffix string, layout schemas.Table, want [][]any) {
	t, err := w.Files().Arrow(w.file(suffix), layout)
	if err != nil {
		w.Fail("table", w.file(suffix), err)
		return
	}
	defer t.Close()
	if release.Differ(w.Check, "rows", w.file(suffix), "", int64(len(want)), t.Rows()) {
		return
	}
	row := 0
	for b := range t.Batches() {
		for i := range t.BatchRows(b) {
			for j, column := range layout.Columns {
				if got := fmt.Sprint(t.Cell(b, j, i)); got != fmt.Sprint(want[row][j]) {
					w.Add(column.Name, w.file(suffix), release.Row(row), want[row][j], got)
				}
			}
			row++
		}
	}
}

// proveQuestions asks every sampled path and every pair that the walk answers, and compares; the
// golden answer of a path is its end, of a pair any path, both of which follow from the moves.
func (w *walked) proveQuestions(s *skeletons, got []schemas.MangoQuestion) {
	last := len(w.steps) - 1
	var want []schemas.MangoQuestion
	ask := func(q schemas.MangoQuestion) {
		q.Schema, q.MazeID, q.PrefixStep, q.Rule = schemas.MangoQuestionSchema, w.record.MazeID, last, schemas.MangoRulePaper
		want = append(want, q)
	}
	for i, r := range s.df {
		if class := classOf(r.MangoLabels, r.MinStepForwardAnswerable, last); s.extra[i].Sampled && class != schemas.MangoUnanswerable {
			q := schemas.MangoQuestion{QuestionID: r.ID, Task: schemas.MangoDF, Class: class, Src: r.SrcNode}
			for _, step := range r.PathDetails {
				q.Actions = append(q.Actions, step.Action)
			}
			ask(q)
		}
	}
	for i, r := range s.rf {
		if class := classOf(r.MangoLabels, s.extra[len(s.df)+i].ShortestForwardAnswers, last); class != schemas.MangoUnanswerable {
			ask(schemas.MangoQuestion{QuestionID: r.ID, Task: schemas.MangoRF, Class: class, Src: r.SrcNode, Dst: r.DstNode, Actions: []string{}})
		}
	}
	for i := range min(len(want), len(got)) {
		want[i].Prompt, want[i].TemplateSHA256 = got[i].Prompt, w.template(got[i])
	}
	sameList(w, ".questions.jsonl.gz", line, want, got)
}

// template returns the digest of the words of a prompt: what is left if everything that follows
// from the maze is taken out. Words that are not those of the task's first prompt have none.
func (w *walked) template(q schemas.MangoQuestion) string {
	var steps, moves []string
	for i, s := range w.steps {
		steps = append(steps, fmt.Sprintf("STEP NUM: %d\nACT: %s\nOBSERVATION: %s\n", i, s.Act, s.Observation))
	}
	for _, m := range w.moves {
		moves = append(moves, m.Action)
	}
	slices.Sort(moves)
	words, rest := "", q.Prompt
	for _, part := range [][2]string{
		{"{{walkthrough}}", strings.TrimSuffix(strings.Join(steps, "\n"), "\n")},
		{"{{moves}}", quoted(slices.Compact(moves))},
		{"{{locations}}", quoted(slices.Sorted(slices.Values(w.names)))},
		{"{{src}}", string(canon.AppendString(nil, q.Src))},
		map[string][2]string{
			schemas.MangoDF: {"{{actions}}", quoted(q.Actions)}, schemas.MangoRF: {"{{dst}}", string(canon.AppendString(nil, q.Dst))},
		}[q.Task],
	} {
		before, after, found := strings.Cut(rest, part[1])
		if !found {
			return "none: " + part[0] + " is not in the prompt"
		}
		words, rest = words+before+part[0], after
	}
	sum := sha256.Sum256([]byte(words + rest))
	got := hex.EncodeToString(sum[:])
	w.templates[q.Task] = cmp.Or(w.templates[q.Task], got)
	if w.templates[q.Task] != got {
		return "none: other words than those of the first prompt, " + w.templates[q.Task]
	}
	return got
}

func quoted(list []string) string {
	var out []string
	for _, name := range list {
		out = append(out, string(canon.AppendString(nil, name)))
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// wantRecord describes the maze; attempt and masked are taken as given.
func (w *walked) wantRecord(params schemas.MangoMazeParams, seed int64) schemas.MangoMaze {
	r, last := *w.record, len(w.steps)-1
	r.Seed, r.LastStep, r.Source, r.PathCutoff = &seed, &last, schemas.MangoWikipedia, params.DFMaxLen
	if r.Params != nil && r.Params.Observation == schemas.MangoObserveName { // a graph without texts
		params.Observation = schemas.MangoObserveName
	}
	r.Params = &params
	r.Locations, r.Edges, r.ForwardEdges = len(w.names), len(w.moves), 0
	pairs, ways, visited := map[[2]string]int{}, map[[2]string]int{}, map[string]bool{}
	for _, m := range w.moves {
		if m.SeenInForward < schemas.MangoNever {
			r.ForwardEdges++
		}
		pairs[[2]string{m.SrcNode, m.DstNode}]++
		ways[[2]string{m.SrcNode, m.Action}]++
	}
	several := func(counts map[[2]string]int) (n int) {
		for _, count := range counts { // a sum
			if count > 1 {
				n++
			}
		}
		return n
	}
	r.ImputedEdges, r.ParallelPairs, r.Nondeterministic = r.Edges-r.ForwardEdges, several(pairs), several(ways)
	pages := map[string]uint32{}
	for _, page := range w.record.Pages {
		pages[page.Location] = page.Page
	}
	again := int64(0)
	r.Pages = []schemas.MangoPage{}
	for _, s := range w.steps {
		if visited[s.Dst] {
			again++
			continue
		}
		visited[s.Dst] = true
		r.Pages = append(r.Pages, schemas.MangoPage{Location: s.Dst, Page: pages[s.Dst]})
	}
	r.RevisitShare = &schemas.Ratio{Num: again, Den: int64(last)}
	return r
}
