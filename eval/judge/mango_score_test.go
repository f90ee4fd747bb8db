package judge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// answerLine is a line of an answer file; a text for the response is taken as it is.
func answerLine(model, maze, id, task string, prefix int, response any) string {
	if steps, ok := response.([]MangoStep); ok {
		list := []map[string]string{}
		for _, s := range steps {
			list = append(list, map[string]string{"prev_node": s.Before, "action": s.Action, "node": s.After})
		}
		response = list
	}
	return string(canon.MustMarshal(map[string]any{
		"model": model, "maze_id": maze, "question_id": id, "task": task, "prefix_step": prefix, "response": response,
	})) + "\n"
}

func request(mazes ...*MangoMaze) MangoRequest {
	return MangoRequest{Mazes: mazes, Rule: schemas.MangoRulePaper, Moves: MangoMovesLegal}
}

// row gives the row of all prefixes.
func (s *MangoScores) row(t *testing.T, model, task, class string) MangoRow {
	t.Helper()
	for _, r := range s.Rows {
		if r.Model == model && r.Task == task && r.Class == class && r.Prefix == nil {
			return r
		}
	}
	t.Fatalf("no row for %s, %s, %s", model, task, class)
	return MangoRow{}
}

// text writes a metric as micro/macro over parsed, then over all.
func (m MangoMetric) text() string {
	show := func(p *string) string {
		if p == nil {
			return "-"
		}
		return *p
	}
	return fmt.Sprintf("%s/%s %s/%s", show(m.Parsed.Micro), show(m.Parsed.Macro), show(m.All.Micro), show(m.All.Macro))
}

func TestScoresCountEveryClassOfRecordBothWays(t *testing.T) {
	big, small := mazeOf(t, "big", worked()), mazeOf(t, "small", worked()[:1])
	hard := big.find(t, schemas.MangoDF, "driveway", "bathroom") // hard at 20, unanswerable at 16
	easy := big.find(t, schemas.MangoDF, "bedroom", "driveway")
	other := small.find(t, schemas.MangoDF, "bedroom", "bathroom")
	missed := big.find(t, schemas.MangoDF, "bedroom", "bathroom")
	file := answerLine("m", "big", hard, "df", 20, []MangoStep{{"driveway", "fly", "mars"}}) + // loose 1/4
		answerLine("m", "big", easy, "df", 20, "I give up") +
		answerLine("m", "small", other, "df", 20, []MangoStep{{"bedroom", "south", "bathroom"}}) + // a win
		answerLine("m", "big", hard, "df", 16, "[]") +
		answerLine("m", "big", hard, "rf", 20, "[]") + // the task differs
		answerLine("m", "big", strings.Repeat("0", 64), "df", 20, "[]") +
		`{"model":"m","task":"df","question_id":"x","maze_id":"big","prefix_step":20,"response":7}` + "\n" +
		`{"model":"m","task":"df","maze_id":"big","prefix_step":20,"response":"x"}` + "\n" + "no JSON\n"
	r := request(big, small)
	r.Questions = []MangoQuestionKey{{"big", hard, 20}, {"big", missed, 20}, {"small", other, 20}}
	s, err := ScoreMango(ReadMangoAnswers([]byte(file)), r)
	if err != nil {
		t.Fatal(err)
	}
	all := s.row(t, "m", "df", "all")
	if all.Questions != 5 || all.Scored != 2 || all.IllFormed != 1 || all.Missing != 1 || all.Unanswerable != 1 || all.Unknown != 1 || all.Unreadable != 2 {
		t.Errorf("counts %+v", all)
	}
	if len(s.Unreadable) != 3 {
		t.Errorf("unreadable: %q", s.Unreadable)
	}
	// parsed: big 0 of 1, small 1 of 1. all: big 0 of 3, small 1 of 1.
	if got, want := all.Metrics["strict"].text(), "0.5000/0.5000 0.2500/0.5000"; got != want {
		t.Errorf("strict %s, want %s", got, want)
	}
	if got, want := all.Metrics["loose"].text(), "0.6250/0.6250 0.3125/0.5417"; got != want {
		t.Errorf("loose %s, want %s", got, want)
	}
	if got := s.row(t, "m", "df", "hard").Metrics["strict"].text(); got != "0.0000/0.0000 0.0000/0.0000" {
		t.Errorf("hard %s", got)
	}
	if got := s.row(t, "m", "df", "easy"); got.Scored != 1 || got.IllFormed != 1 || got.Missing != 1 || *got.IllFormedRate != "0.5000" || *got.AnswerLength != "1.0000" {
		t.Errorf("easy %+v", got)
	}
}

func TestAnEmptyDenominatorIsNull(t *testing.T) {
	m := mazeOf(t, "905", worked())
	id := m.find(t, schemas.MangoRF, "bedroom", "bathroom")
	s, err := ScoreMango(ReadMangoAnswers([]byte(answerLine("m", "905", id, "rf", 20, "no idea"))), request(m))
	if err != nil {
		t.Fatal(err)
	}
	r := s.row(t, "m", "rf", "easy")
	if got, want := r.Metrics["loose"].text(), "-/- 0.0000/0.0000"; got != want || r.AnswerLength != nil || *r.IllFormedRate != "1.0000" {
		t.Errorf("loose %s, want %s; %+v", got, want, r)
	}
}

func TestASecondAnswerIsAnErrorOrCounted(t *testing.T) {
	m := mazeOf(t, "905", worked())
	id := m.find(t, schemas.MangoDF, "bedroom", "bathroom")
	win := []MangoStep{{"bedroom", "south", "bathroom"}}
	answers := ReadMangoAnswers([]byte(answerLine("m", "905", id, "df", 20, win) + answerLine("m", "905", id, "df", 20, "x") +
		answerLine("m", "905", id, "df", 10, win) + answerLine("n", "905", id, "df", 20, "x")))
	if _, err := ScoreMango(answers, request(m)); err == nil || !strings.Contains(err.Error(), "line 2") || !strings.Contains(err.Error(), "twice") {
		t.Errorf("got %v", err)
	}
	r := request(m)
	r.KeepFirst = true
	s, err := ScoreMango(answers, r)
	if err != nil {
		t.Fatal(err)
	}
	if row := s.row(t, "m", "df", "all"); row.Duplicates != 1 || row.Scored != 2 || row.IllFormed != 0 {
		t.Errorf("%+v", row)
	}
}

func TestTheRuleDecidesWhatIsEasy(t *testing.T) {
	s := &mangoSkeleton{task: schemas.MangoRF, shortest: 30, shortestAnswerable: 31, MangoLabels: schemas.MangoLabels{
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
		if got := s.class(c.n, c.rule); got != c.want {
			t.Errorf("%s at %d: got %s, want %s", c.rule, c.n, got, c.want)
		}
	}
}

func TestModelsAreComparedOnWhatWasScoredForBoth(t *testing.T) {
	m := mazeOf(t, "905", worked())
	a, b := m.find(t, schemas.MangoDF, "bedroom", "bathroom"), m.find(t, schemas.MangoDF, "bathroom", "bedroom")
	right, wrong := []MangoStep{{"bedroom", "south", "bathroom"}}, []MangoStep{{"☃", "☃", "☃"}}
	s, err := ScoreMango(ReadMangoAnswers([]byte(answerLine("x", "905", a, "df", 20, right)+answerLine("y", "905", a, "df", 20, wrong)+
		answerLine("x", "905", b, "df", 20, wrong)+answerLine("y", "905", b, "df", 20, "?"))), request(m))
	if err != nil {
		t.Fatal(err)
	}
	p := s.Pairs[0]
	if p.A != "x" || p.B != "y" || p.Class != "easy" || p.Questions != 1 || *p.OfA["strict"].Micro != "1.0000" || *p.OfB["strict"].Micro != "0.0000" {
		t.Errorf("%+v", p)
	}
}

func TestScoresDoNotDependOnTheOrderOfAnswers(t *testing.T) {
	m := mazeOf(t, "905", worked())
	var lines []string
	for id, s := range m.skeletons {
		lines = append(lines, answerLine("m", "905", id, s.task, 20, []MangoStep{{s.src, "north", "bath" + id[:3]}}))
	}
	score := func() *MangoScores {
		s, err := ScoreMango(ReadMangoAnswers([]byte(strings.Join(lines, ""))), request(m))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	first := score()
	for i := range lines[:len(lines)/2] {
		lines[i], lines[len(lines)-1-i] = lines[len(lines)-1-i], lines[i]
	}
	if again := score(); !reflect.DeepEqual(first, again) {
		t.Errorf("got %s, then %s", canon.MustMarshal(first), canon.MustMarshal(again))
	}
}

func TestSamplesOfTheReleasedLayoutAreRead(t *testing.T) {
	sample := `{"sample_id":"s","game_name":"905","src_node":"a","dst_node":"b","model_cutoff_num":20,"action_list":["go"],"response":"[]"}`
	a, ok := ReadMangoSample([]byte(sample), "gpt")
	want := MangoAnswer{Model: "gpt", MazeID: "905", QuestionID: "s", Task: "df", PrefixStep: 20, Response: json.RawMessage(`"[]"`)}
	if !ok || !reflect.DeepEqual(a, want) {
		t.Errorf("got %+v, want %+v", a, want)
	}
	a, ok = ReadMangoSample(bytes.Replace([]byte(sample), []byte(`"action_list":["go"],"response"`), []byte(`"answer"`), 1), "")
	if !ok || a.Task != "rf" || a.Unreadable != "" {
		t.Errorf("a route: %+v", a)
	}
	a, ok = ReadMangoSample(bytes.Replace([]byte(sample), []byte(`,"response":"[]"`), nil, 1), "")
	if !ok || a.Unreadable != "response is missing" {
		t.Errorf("no response: %+v", a)
	}
	for _, stray := range []string{`{"x":1}`, `[1]`, "text", ""} {
		if _, ok := ReadMangoSample([]byte(stray), ""); ok {
			t.Errorf("%q counts as a sample", stray)
		}
	}
}

func TestAMazeWhosePathsContradictItsEdgesIsRefused(t *testing.T) {
	m := map[string]string{
		".edges.json":      `[{"src_node":"a","dst_node":"b","action":"go","seen_in_forward":1,"seen_in_reversed":9999,"edge_min_step":1,"seen_in_forward_answerable":1,"seen_in_reversed_answerable":9999,"edge_min_step_answerable":1}]`,
		".all2all.jsonl":   `{"src_node":"b","dst_node":"a","diff_shortest":0,"path_details":[],"step_count":1,"id":"x","min_step_forward":1,"min_step_total":1,"min_step_forward_answerable":1,"min_step_total_answerable":1}`,
		".all_pairs.jsonl": "", ".extra.jsonl": "",
	}
	_, err := ReadMangoMaze("g", func(suffix string) ([]byte, error) { return []byte(m[suffix]), nil })
	if err == nil || !strings.Contains(err.Error(), "g.all2all.jsonl: line 1: the path of x does not lead") {
		t.Errorf("got %v", err)
	}
}
