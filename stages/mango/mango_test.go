package mango

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/artifacts/jsonl/jsonltest"
	"github.com/wikinav/wikinav/artifacts/mango/maze"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// small gives parameters for graphs of tests.
func small() Params {
	p := Default()
	p.Mazes, p.N, p.MinSteps, p.MaxSteps, p.DFMaxLen, p.DFBudget = 2, 15, 18, 40, 4, 50
	return p
}

// town is a strongly connected graph of n pages in which about half the links go both ways.
func town(n int) stagetest.Wiki {
	succ := graphtest.From(n, func(yield func(u, v uint32)) {
		s := rng.New(7, "town") // here, because the edges are asked for twice
		for u := range n {
			yield(uint32(u), uint32((u+1)%n))
			for range 4 {
				v := s.Below(n)
				if v == u {
					continue
				}
				yield(uint32(u), uint32(v))
				if s.Below(2) == 0 {
					yield(uint32(v), uint32(u))
				}
			}
		}
	})
	return stagetest.NewWiki(succ)
}

func envOf(t *testing.T, w stagetest.Wiki) *stagetest.Env {
	t.Helper()
	env := stagetest.New(t)
	env.GiveGraph(w)
	env.GiveNodes(w)
	giveLeads(env, w, gossip(w))
	giveAliases(env, w, aliasOf)
	giveAnchors(env, w, schemas.AnchorsOff)
	return env
}

func read[T any](t *testing.T, env *stagetest.Env, name string) []T {
	t.Helper()
	var out []T
	for line := range bytes.Lines(jsonltest.Unpack(name, env.Read(name))) {
		var v T
		if err := canon.Decode(line, canon.MaxLine, &v); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out = append(out, v)
	}
	return out
}

func TestStage(t *testing.T) {
	p := small()
	p.Mazes, p.DFBudget = 1, 5
	stagetest.Run(t, New(p), envOf(t, town(60)))
}

// tale is a maze as its files tell it.
type tale struct {
	record schemas.MangoMaze
	edges  []schemas.MangoEdge
	steps  []schemas.MangoStep
}

func tell(t *testing.T, env *stagetest.Env, record schemas.MangoMaze) tale {
	t.Helper()
	_, edges, err := maze.DecodeEdges(record.MazeID, env.Read(record.MazeID+maze.EdgesFile))
	if err != nil {
		t.Fatal(err)
	}
	return tale{record, edges, read[schemas.MangoStep](t, env, record.MazeID+maze.StepsFile)}
}

func (m tale) edge(src, dst string) (schemas.MangoEdge, bool) {
	i := slices.IndexFunc(m.edges, func(e schemas.MangoEdge) bool { return e.SrcNode == src && e.DstNode == dst })
	if i < 0 {
		return schemas.MangoEdge{}, false
	}
	return m.edges[i], true
}

func TestMazesAreWalksOverLinks(t *testing.T) {
	w := town(80)
	env := envOf(t, w)
	p := small()
	p.Mazes = 12
	env.MustRun(New(p))
	records := read[schemas.MangoMaze](t, env, "mazes.jsonl")
	if len(records) != p.Mazes {
		t.Fatalf("%d mazes, want %d: %s", len(records), p.Mazes, env.Read(schemas.QuotasFile))
	}
	imputed := 0
	for _, r := range records {
		m := tell(t, env, r)
		imputed += r.ImputedEdges
		checkWalk(t, w, m, p)
		checkEdges(t, w, m)
		checkCompass(t, m)
		checkObservations(t, m)
	}
	if imputed == 0 {
		t.Error("no maze has an imputed edge: the graph of the test has links both ways")
	}
}

// checkWalk: each step is a link, all pages are visited, and the bounds hold.
func checkWalk(t *testing.T, w stagetest.Wiki, m tale, p Params) {
	t.Helper()
	seen := map[string]bool{}
	for i, s := range m.steps {
		seen[s.Dst] = true
		if i == 0 {
			continue
		}
		if s.Src != m.steps[i-1].Dst || s.Step != i || !linkIn(w, s.Src, s.Dst) {
			t.Errorf("%s: step %d from %s to %s is no link", m.record.MazeID, i, s.Src, s.Dst)
		}
		if e, ok := m.edge(s.Src, s.Dst); !ok || e.Action != s.Act || e.SeenInForward > i {
			t.Errorf("%s: step %d is %s, the edge %+v", m.record.MazeID, i, s.Act, e)
		}
	}
	last := len(m.steps) - 1
	if len(seen) != p.N || m.record.Locations != p.N || last < p.MinSteps || last > p.MaxSteps || *m.record.LastStep != last {
		t.Errorf("%s: %d locations in %d steps; record %+v", m.record.MazeID, len(seen), last, m.record)
	}
	if got, want := *m.record.RevisitShare, (schemas.Ratio{Num: int64(last - (p.N - 1)), Den: int64(last)}); got != want {
		t.Errorf("%s: revisit share %v, want %v", m.record.MazeID, got, want)
	}
}

func linkIn(w stagetest.Wiki, src, dst string) bool {
	return slices.Contains(w.Succ.Row(w.Node(src)), w.Node(dst))
}

// checkEdges: the walked links and the real reverses of walked links, with the first steps, and nothing else.
func checkEdges(t *testing.T, w stagetest.Wiki, m tale) {
	t.Helper()
	first := map[[2]string]int{}
	for i, s := range m.steps {
		if _, there := first[[2]string{s.Src, s.Dst}]; i > 0 && !there {
			first[[2]string{s.Src, s.Dst}] = i
		}
	}
	at := func(src, dst string) int {
		if i, ok := first[[2]string{src, dst}]; ok {
			return i
		}
		return schemas.MangoNever
	}
	want := map[[2]string]schemas.MangoSteps{}
	for pair := range first {
		want[pair] = maze.Steps(at(pair[0], pair[1]), at(pair[1], pair[0]))
		if back := [2]string{pair[1], pair[0]}; linkIn(w, back[0], back[1]) {
			want[back] = maze.Steps(at(back[0], back[1]), at(pair[0], pair[1]))
		}
	}
	if len(m.edges) != len(want) {
		t.Errorf("%s: %d edges, want %d", m.record.MazeID, len(m.edges), len(want))
	}
	for _, e := range m.edges {
		if got := want[[2]string{e.SrcNode, e.DstNode}]; got != e.MangoSteps {
			t.Errorf("%s: edge %+v, want %+v", m.record.MazeID, e, got)
		}
	}
}

// checkCompass: a move leads to one place, and the opposite of a move is an exit exactly where it leads back.
func checkCompass(t *testing.T, m tale) {
	t.Helper()
	to := map[[2]string]string{}
	for _, e := range m.edges {
		key := [2]string{e.SrcNode, e.Action}
		if other, taken := to[key]; taken {
			t.Errorf("%s: %s of %s leads to %s and %s", m.record.MazeID, e.Action, e.SrcNode, other, e.DstNode)
		}
		to[key] = e.DstNode
	}
	for _, e := range m.edges {
		back := directions[opposite(slices.Index(directions[:], e.Action))]
		if place, ok := to[[2]string{e.DstNode, back}]; ok && place != e.SrcNode {
			t.Errorf("%s: after %s, %s leads to %s and not back to %s", m.record.MazeID, e.Action, back, place, e.SrcNode)
		}
	}
}

// checkObservations: the title, the lead, all exits of the maze, and no other location.
func checkObservations(t *testing.T, m tale) {
	t.Helper()
	for _, s := range m.steps {
		var exits []string
		for _, d := range directions {
			if slices.ContainsFunc(m.edges, func(e schemas.MangoEdge) bool { return e.SrcNode == s.Dst && e.Action == d }) {
				exits = append(exits, d)
			}
		}
		list := strings.Join(exits, ", ")
		if list == "" {
			list = "none"
		}
		lines := strings.Split(s.Observation, "\n")
		if len(lines) != 3 || lines[0] != s.Dst || lines[2] != "Exits: "+list || !slices.Equal(s.Exits, exits) {
			t.Fatalf("%s: step %d at %s shows %q, exits %s", m.record.MazeID, s.Step, s.Dst, s.Observation, list)
		}
		checkLead(t, m, s, lines[1])
	}
}

func TestASeedGivesItsMazesAndAnotherOthers(t *testing.T) {
	env := envOf(t, town(80))
	bytesOf := func(seed int64, mazes int) string {
		p := small()
		p.Seed, p.Mazes = seed, mazes
		env.MustRun(New(p))
		return string(env.Read("maze-0001.walkthrough"))
	}
	first := bytesOf(1, 2)
	if bytesOf(1, 4) != first {
		t.Error("more mazes change a maze")
	}
	if bytesOf(2, 2) == first {
		t.Error("another seed gives the same walk")
	}
}

func TestAShortageIsReportedOrFails(t *testing.T) {
	ring := graphtest.From(30, func(yield func(u, v uint32)) {
		for u := range uint32(30) {
			yield(u, (u+1)%30) // after n pages there is no way on and none back
		}
	})
	env, p := envOf(t, stagetest.NewWiki(ring)), small()
	p.MaxAttempts = 3
	env.MustRun(New(p))
	got := quota(t, env)
	if got.Got != 0 || got.Requested != 2 || got.Counts["attempts"] != 6 || !got.Short() || strings.Count(got.Why, " after 3 attempts: ") != 2 {
		t.Errorf("%+v", got)
	}
	if len(env.Warnings) != 1 || env.Warnings[0].Code != "W_MANGO_SHORT" || env.Counters["mazes"] != 0 {
		t.Errorf("warnings %v, counters %v", env.Warnings, env.Counters)
	}
	p.OnShortage = OnShortageFail
	err := env.Run(t.Context(), New(p))
	if fault.KindOf(err) != fault.Shortage || !strings.Contains(err.Error(), "maze-0000 after 3 attempts") || !strings.Contains(err.Error(), failDeadEnd) {
		t.Errorf("got %v", err)
	}
}

func quota(t *testing.T, env *stagetest.Env) schemas.Quota {
	t.Helper()
	var list []schemas.Quota
	if err := canon.Decode(env.Read(schemas.QuotasFile), canon.MaxManifest, &list); err != nil || len(list) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	return list[0]
}

func TestAGraphOfTooFewPagesTakesNoWalks(t *testing.T) {
	env := envOf(t, stagetest.ParseWiki(stagetest.G9))
	env.MustRun(New(small()))
	if got := quota(t, env); got.Counts["failed_"+failPages] != 2 || got.Counts["attempts"] != 2 || got.Got != 0 {
		t.Errorf("%+v", got)
	}
}

func TestRefusedPagesAreNoLocations(t *testing.T) {
	w := town(80)
	long := strings.Repeat("x", 81)
	w.Titles[1], w.Titles[2], w.Titles[3], w.Titles[4] = "North", long, "The Page 9 of old", "PAGE 9"
	w.Flags[5], w.Flags[6] = schemas.FlagList, schemas.FlagDisambiguation
	env, p := envOf(t, w), small()
	p.Mazes = 20
	env.MustRun(New(p))
	twins := 0
	for _, r := range read[schemas.MangoMaze](t, env, "mazes.jsonl") {
		nines := 0
		for _, page := range r.Pages {
			switch page.Location {
			case "North", long, "Page 5", "Page 6":
				t.Errorf("%s has %s", r.MazeID, page.Location)
			case "Page 9", "PAGE 9", "The Page 9 of old":
				nines++
			}
		}
		if nines > 1 {
			t.Errorf("%s has %d pages whose titles hold each other", r.MazeID, nines)
		}
		twins += nines
	}
	if twins == 0 {
		t.Error("none of the pages that exclude each other was ever visited")
	}
}

func TestParametersOutOfRangeAreRefusedBeforeAnyWork(t *testing.T) {
	for name, change := range map[string]func(*Params){
		"n":               func(p *Params) { p.N = 26 },
		"few locations":   func(p *Params) { p.N = 14 },
		"min_steps":       func(p *Params) { p.MinSteps = 14 },
		"max_steps":       func(p *Params) { p.MaxSteps = 101 },
		"min over max":    func(p *Params) { p.MinSteps, p.MaxSteps = 60, 50 },
		"revisit":         func(p *Params) { p.RevisitPercent = 61 },
		"df_max_len":      func(p *Params) { p.DFMaxLen = 13 },
		"observation":     func(p *Params) { p.Observation = "anchor" },
		"lead_chars":      func(p *Params) { p.LeadChars = 2001 },
		"on_shortage":     func(p *Params) { p.OnShortage = "" },
		"too few steps":   func(p *Params) { p.N, p.MinSteps, p.MaxSteps = 25, 15, 20 },
		"negative budget": func(p *Params) { p.DFBudget = -1 },
	} {
		p := Default()
		change(&p)
		if err := New(p).Run(t.Context(), nil); fault.KindOf(err) != fault.Usage {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if err := Default().Validate(); err != nil {
		t.Error(err)
	}
}

func TestHoldsLooksForWholeWords(t *testing.T) {
	for _, c := range []struct {
		text, name string
		want       bool
	}{
		{"tirana", "iran", false},
		{"war of iran", "iran", true},
		{"(iran)", "iran", true},
		{"iran2", "iran", false},
		{"xiran iran", "iran", true},
		{"éa", "a", false},
		{"a", "a", true},
		{"a b", "a b", true},
		{"", "a", false},
		{"a", "", false},
	} {
		if got := holds(c.text, c.name); got != c.want {
			t.Errorf("%q in %q: got %v", c.name, c.text, got)
		}
	}
}

func TestASampleTakesFromEveryStratumInTurn(t *testing.T) {
	env, p := envOf(t, town(80)), small()
	p.Mazes, p.DFBudget, p.DFMaxLen = 1, 11, 8
	env.MustRun(New(p))
	record := read[schemas.MangoMaze](t, env, "mazes.jsonl")[0]
	rows := map[string]schemas.MangoDFRow{}
	for line := range bytes.Lines(env.Read("maze-0000" + maze.DFFile)) {
		var r schemas.MangoDFRow
		if err := canon.Decode(line, canon.MaxLine, &r); err != nil {
			t.Fatal(err)
		}
		rows[r.ID] = r
	}
	sampled, whole := map[string]int{}, map[string]int{}
	stratum := func(r schemas.MangoDFRow) string {
		return fmt.Sprint(r.MinStepForwardAnswerable <= *record.LastStep, min(3, (r.StepCount-1)/2))
	}
	for _, r := range rows {
		whole[stratum(r)]++
	}
	n := 0
	for line := range bytes.Lines(env.Read("maze-0000" + maze.ExtraFile)) {
		if !bytes.Contains(line, []byte(`"task":"df"`)) {
			continue
		}
		var x schemas.MangoDFExtra
		if err := canon.Decode(line, canon.MaxLine, &x); err != nil {
			t.Fatal(err)
		}
		if x.Sampled {
			n++
			sampled[stratum(rows[x.ID])]++
		}
	}
	if n != 11 || len(rows) <= 11 {
		t.Fatalf("%d sampled of %d", n, len(rows))
	}
	if want := inTurn(whole, n); !maps.Equal(sampled, want) {
		t.Errorf("sampled %v of %v, want %v", sampled, whole, want)
	}
	questions := read[schemas.MangoQuestion](t, env, "maze-0000"+maze.QuestionsFile)
	if got, want := len(questions), 11+record.RFRows-unreachable(t, env); got != want {
		t.Errorf("%d questions, want %d", got, want)
	}
}

// inTurn deals n rows out to strata that have so many, easy before hard and short before long.
func inTurn(whole map[string]int, n int) map[string]int {
	out := map[string]int{}
	for n > 0 {
		for _, easy := range []bool{true, false} {
			for length := range 4 {
				if name := fmt.Sprint(easy, length); out[name] < whole[name] && n > 0 {
					out[name]++
					n--
				}
			}
		}
	}
	return out
}

func unreachable(t *testing.T, env *stagetest.Env) (n int) {
	t.Helper()
	for _, line := range bytes.Split(env.Read("maze-0000"+maze.RFFile), []byte("\n")) {
		if bytes.Contains(line, []byte(`"min_step_total_answerable": 9999`)) {
			n++
		}
	}
	return n
}
