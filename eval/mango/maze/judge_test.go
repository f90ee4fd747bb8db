package maze

import (
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/mango/maze"
	"github.com/wikinav/wikinav/eval/mango/answer"
	"github.com/wikinav/wikinav/schemas"
)

func TestSimilarityOfTheSpecification(t *testing.T) {
	for _, c := range []struct {
		a, b     string
		num, den int64
	}{
		{"walk south", "south", 5, 10},
		{"House", "The House", 5, 9},
		{"bedroom", "bathroom", 5, 8},
		{" Living\t Room ", "living room", 11, 11},
		{"Cafe\u0301", "café", 4, 4},
		{"", "", 0, 0},
		{"x", "", 0, 1},
	} {
		if got := Similar(c.a, c.b); got != (Similarity{c.num, c.den}) {
			t.Errorf("%q and %q: got %v, want %d/%d", c.a, c.b, got, c.num, c.den)
		}
	}
}

func TestTheWorkedExampleOfTheJudge(t *testing.T) {
	m := mazeOf(t, "905", worked())
	df, rf := m.find(t, schemas.MangoDF, "driveway", "bathroom"), m.find(t, schemas.MangoRF, "driveway", "bathroom")
	way := "driveway,north,living room; living room,west,bedroom; bedroom,south,bathroom"
	said := "driveway,go north,living room; living room,go west,bedroom; bedroom,go south,bathroom"
	for name, c := range map[string]struct {
		id, answer        string
		strict, reasoning bool
		loose             Similarity
	}{
		"df, right":         {df, way, true, true, Similarity{8, 8}},
		"df, mars":          {df, "driveway,fly,mars", false, false, Similarity{2, 8}},
		"df, a detour":      {df, "driveway,north,living room; living room,west,bedroom; bedroom,east,living room; living room,west,bedroom; bedroom,south,bathroom", true, false, Similarity{8, 8}},
		"df, closest moves": {df, said, true, true, Similarity{8, 8}},
		"rf, closest moves": {rf, said, false, true, Similarity{1, 1}},
		"rf, stops short":   {rf, "driveway,north,living room; living room,west,bedroom", false, false, Similarity{}},
		"rf, other case":    {rf, "Driveway,North,Living Room; Living Room,WEST,Bedroom; bedroom,South,Bathroom", true, true, Similarity{1, 1}},
		"rf, passes by":     {rf, way + "; bathroom,north,bedroom", false, false, Similarity{}},
		"rf, no such place": {rf, "driveway,north,mars; mars,west,venus; venus,south,bathroom", true, false, Similarity{1, 1}},
	} {
		got := m.Judge(c.id, answerOf(c.answer), MovesLegal)
		if got.Strict != c.strict || got.Reasoning != c.reasoning || got.Loose != c.loose {
			t.Errorf("%s: got %+v, want %+v", name, got, c)
		}
	}
}

// The released evaluator gives any answer that it can parse a full score, because it compares gold
// with gold.
func TestATotallyWrongAnswerScoresZero(t *testing.T) {
	m := mazeOf(t, "905", worked())
	judged := 0
	for id, s := range m.skeletons {
		answer := []answer.Step{{Before: "☃", Action: "☃☃", After: "☃☃☃"}}
		if s.Task == schemas.MangoRF {
			// The closest move may be the right one, whatever the words: so this answer walks off,
			// to a real other place.
			away := slices.IndexFunc(m.leaving([]string{s.Src}), func(move string) bool { return !contains(m.next[s.Src][move], s.Dst) })
			if away < 0 {
				continue
			}
			answer[0].Action = m.leaving([]string{s.Src})[away]
		}
		judged++
		if got := m.Judge(id, answer, MovesLegal); got.Strict || got.Reasoning || got.Loose.Num != 0 {
			t.Errorf("%s %s to %s: %+v", s.Task, s.Src, s.Dst, got)
		}
	}
	if judged < 25 {
		t.Errorf("%d questions judged", judged)
	}
}

func TestTiesGoToTheSmallerMove(t *testing.T) {
	m := mazeOf(t, "x", []schemas.MangoEdge{
		{SrcNode: "a", Action: "west", DstNode: "b", MangoSteps: maze.Steps(1, 9999)},
		{SrcNode: "a", Action: "east", DstNode: "c", MangoSteps: maze.Steps(2, 9999)},
	})
	r := &reader{Maze: m}
	if got, _ := r.closest("zzzz", []string{"a"}); got != "east" {
		t.Errorf("got %s, want east", got)
	}
	if _, ok := r.closest("east", []string{"b"}); ok {
		t.Error("a place without a way out has a closest move")
	}
}

func TestAMoveWithTwoPlacesMayLeadToEither(t *testing.T) {
	m := mazeOf(t, "x", []schemas.MangoEdge{
		{SrcNode: "a", Action: "go", DstNode: "b", MangoSteps: maze.Steps(1, 9999)},
		{SrcNode: "a", Action: "go", DstNode: "c", MangoSteps: maze.Steps(2, 9999)},
		{SrcNode: "c", Action: "on", DstNode: "d", MangoSteps: maze.Steps(3, 9999)},
	})
	if v := m.Judge(m.find(t, schemas.MangoRF, "a", "d"), answerOf("a,go,c; c,on,d"), MovesLegal); !v.Strict || !v.Reasoning || !one(v.Loose) {
		t.Errorf("a to d: %+v", v)
	}
	if v := m.Judge(m.find(t, schemas.MangoDF, "a", "b"), answerOf("a,go,c"), MovesLegal); !v.Strict || !v.Reasoning {
		t.Errorf("the other branch: %+v", v)
	}
}

func one(s Similarity) bool { return s.Den > 0 && s.Num == s.Den }

func wins(v Verdict) bool { return v.Strict && v.Reasoning && one(v.Loose) }

func TestGoldenAnswersWinAndMutatedOnesDoNot(t *testing.T) {
	for _, format := range maze.Formats {
		golden, mutated := 0, 0
		for _, m := range published(t, format) {
			for id, s := range m.skeletons {
				way := m.Golden(id)
				if way == nil {
					if s.MinStepTotal < schemas.MangoNever {
						t.Errorf("%s: no golden answer to %s", m.ID, id)
					}
					continue
				}
				golden++
				for _, moves := range []string{MovesLegal, MovesMaze} {
					if v := m.Judge(id, way, moves); !wins(v) {
						t.Errorf("%s: golden answer to %s (%s): %+v", m.ID, id, moves, v)
					}
				}
				if format == maze.Shipped { // the other has the same ways
					mutated += m.checkMutants(t, id, way)
				}
			}
		}
		t.Logf("%s: %d golden answers, %d mutated ones", format, golden, mutated)
		if golden != 4559 || format == maze.Shipped && mutated < golden {
			t.Errorf("%s: %d golden answers, %d mutated ones", format, golden, mutated)
		}
	}
}

// checkMutants breaks a golden answer in every way that keeps it well-formed.
func (m *Maze) checkMutants(t *testing.T, id string, way []answer.Step) (n int) {
	t.Helper()
	try := func(what string, steps []answer.Step) {
		n++
		if v := m.Judge(id, steps, MovesLegal); wins(v) {
			t.Errorf("%s: %s with %s wins: %v", m.ID, id, what, steps)
		}
	}
	for i := range way {
		if len(way) > 1 {
			try("a step missing", slices.Delete(slices.Clone(way), i, i+1))
		}
		for _, other := range m.leaving([]string{way[i].Before}) {
			if !slices.Contains(m.next[way[i].Before][other], way[i].After) {
				wrong := slices.Clone(way)
				wrong[i].Action = other
				try("a wrong move", wrong)
			}
		}
		if i > 0 {
			turned := slices.Clone(way)
			turned[i], turned[i-1] = turned[i-1], turned[i]
			try("two steps swapped", turned)
		}
	}
	elsewhere := slices.Clone(way)
	elsewhere[len(way)-1].After = "elsewhere"
	try("a wrong place", elsewhere)
	return n
}

func TestTheRuleDecidesWhatIsEasy(t *testing.T) {
	s := &Skeleton{Task: schemas.MangoRF, shortest: 30, shortestAnswerable: 31, MangoLabels: schemas.MangoLabels{
		MinStepForward: 10, MinStepTotal: 5, MinStepForwardAnswerable: 11, MinStepTotalAnswerable: 6,
	}}
	for _, c := range []struct {
		rule string
		n    int
		want string
	}{
		{schemas.MangoRulePaper, 5, schemas.MangoUnanswerable},
		{schemas.MangoRulePaper, 6, schemas.MangoHard},
		{schemas.MangoRulePaper, 30, schemas.MangoHard},
		{schemas.MangoRulePaper, 31, schemas.MangoEasy},
		{schemas.MangoRuleReleased, 10, schemas.MangoHard},
		{schemas.MangoRuleReleased, 11, schemas.MangoEasy},
		{schemas.MangoRulePaper2023, 4, schemas.MangoUnanswerable},
		{schemas.MangoRulePaper2023, 5, schemas.MangoEasy}, // by what the whole walk shows
	} {
		if got := s.Class(c.n, c.rule); got != c.want {
			t.Errorf("%s at %d: got %s, want %s", c.rule, c.n, got, c.want)
		}
	}
}

func TestAMazeWhosePathsContradictItsEdgesIsRefused(t *testing.T) {
	m := map[string]string{
		".edges.json":      `[{"src_node":"a","dst_node":"b","action":"go","seen_in_forward":1,"seen_in_reversed":9999,"edge_min_step":1,"seen_in_forward_answerable":1,"seen_in_reversed_answerable":9999,"edge_min_step_answerable":1}]`,
		".all2all.jsonl":   `{"src_node":"b","dst_node":"a","diff_shortest":0,"path_details":[],"step_count":1,"id":"x","min_step_forward":1,"min_step_total":1,"min_step_forward_answerable":1,"min_step_total_answerable":1}`,
		".all_pairs.jsonl": "", ".extra.jsonl": "",
	}
	g, err := Open("g", func(suffix string) ([]byte, error) { return []byte(m[suffix]), nil })
	if err == nil {
		err = g.ReadAll()
	}
	if err == nil || !strings.Contains(err.Error(), "g.all2all.jsonl: line 1: the path of x does not lead") {
		t.Errorf("got %v", err)
	}
}
