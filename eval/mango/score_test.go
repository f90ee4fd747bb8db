package mango

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/mango/answer"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

func step(before, action, after string) []answer.Step {
	return []answer.Step{{Before: before, Action: action, After: after}}
}

func TestScoresCountEveryClassOfRecordBothWays(t *testing.T) {
	m := importOf(t, map[string][]schemas.MangoEdge{"big": worked(), "small": worked()[:1]})
	hard := m.find(t, "big", "df", "driveway", "bathroom") // hard at 20, unanswerable at 16
	easy := m.find(t, "big", "df", "bedroom", "driveway")
	other := m.find(t, "small", "df", "bedroom", "bathroom")
	missed := m.find(t, "big", "df", "bedroom", "bathroom")
	file := answerLine("m", "big", hard, "df", 20, step("driveway", "fly", "mars")) + // loose 1/4
		answerLine("m", "big", easy, "df", 20, "I give up") +
		answerLine("m", "small", other, "df", 20, step("bedroom", "south", "bathroom")) + // a win
		answerLine("m", "big", hard, "df", 16, "[]") +
		answerLine("m", "big", hard, "rf", 20, "[]") + // the task differs
		answerLine("m", "big", strings.Repeat("0", 64), "df", 20, "[]") +
		`{"model":"m","task":"df","question_id":"x","maze_id":"big","prefix_step":20,"response":7}` + "\n" +
		`{"model":"m","task":"df","maze_id":"big","prefix_step":20,"response":"x"}` + "\n" + "no JSON\n"
	s, err := m.score(t, file, m.keys(t, "big", hard, 20, "big", missed, 20, "small", other, 20, "big", easy, 20, "big", hard, 16))
	if err != nil {
		t.Fatal(err)
	}
	all := row(t, s, "df")
	if all.N != 4 || all.Outcomes["success"] != 1 || all.Outcomes["wrong"] != 1 || all.Outcomes[outcomeIllFormed] != 1 || all.Missing != 1 {
		t.Errorf("counts %+v", all)
	}
	if c := s.Counts; c[countUnanswerable] != 1 || c["unknown"] != 2 || c[countUnreadable] != 3 || len(s.Notes) != 4 {
		t.Errorf("counts %v, notes %q", c, s.Notes)
	}
	// parsed: big 0 of 1, small 1 of 1. all: big 0 of 3, small 1 of 1.
	if got, want := text(all, scoreStrict), "0.5000/0.5000 0.2500/0.5000"; got != want {
		t.Errorf("strict %s, want %s", got, want)
	}
	if got, want := text(all, scoreLoose), "0.6250/0.6250 0.3125/0.5417"; got != want {
		t.Errorf("loose %s, want %s", got, want)
	}
	if got := text(row(t, s, "df", "class=hard"), scoreStrict); got != "0.0000/0.0000 0.0000/0.0000" {
		t.Errorf("hard %s", got)
	}
	if got := row(t, s, "df", "class=easy"); got.Outcomes["success"] != 1 || got.Outcomes[outcomeIllFormed] != 1 || got.Missing != 1 || *got.Metrics[metricIllFormed].Value != "5.00000e-01" || *got.Metrics[metricLength].Value != "1.00000e+00" {
		t.Errorf("easy %+v", got)
	}
	if s.Model == nil || s.Model.Name != "m" {
		t.Errorf("model %+v", s.Model)
	}
}

func TestAnEmptyDenominatorIsNull(t *testing.T) {
	m := importOf(t, map[string][]schemas.MangoEdge{"905": worked()})
	id := m.find(t, "905", "rf", "bedroom", "bathroom")
	s, err := m.score(t, answerLine("m", "905", id, "rf", 20, "no idea"))
	if err != nil {
		t.Fatal(err)
	}
	r := row(t, s, "rf", "class=easy")
	if got, want := text(r, scoreLoose), "-/- 0.0000/0.0000"; got != want || r.Metrics[metricLength].Value != nil || *r.Metrics[metricIllFormed].Value != "1.00000e+00" {
		t.Errorf("loose %s, want %s; %+v", got, want, r)
	}
}

func TestASecondAnswerIsAnErrorOrCounted(t *testing.T) {
	m := importOf(t, map[string][]schemas.MangoEdge{"905": worked()})
	id := m.find(t, "905", "df", "bedroom", "bathroom")
	win := step("bedroom", "south", "bathroom")
	file := answerLine("m", "905", id, "df", 20, win) + answerLine("m", "905", id, "df", 20, "x") +
		answerLine("m", "905", id, "df", 10, win) + answerLine("n", "905", id, "df", 20, "x")
	asked := m.keys(t, "905", id, 20, "905", id, 10)
	if _, err := m.score(t, file, asked); !errors.Is(err, fault.Malformed) || !strings.Contains(err.Error(), "line 2") || !strings.Contains(err.Error(), "twice") {
		t.Errorf("got %v", err)
	}
	s, err := m.score(t, file, asked, "duplicates=first")
	if err != nil {
		t.Fatal(err)
	}
	if r := row(t, s, "df", "model=m"); s.Counts[countDuplicates] != 1 || r.Outcomes["success"] != 2 || r.Outcomes[outcomeIllFormed] != 0 {
		t.Errorf("%v, %+v", s.Counts, r)
	}
}

func TestModelsAreComparedOnWhatWasScoredForBoth(t *testing.T) {
	m := importOf(t, map[string][]schemas.MangoEdge{"905": worked()})
	a, b := m.find(t, "905", "df", "bedroom", "bathroom"), m.find(t, "905", "df", "bathroom", "bedroom")
	right, wrong := step("bedroom", "south", "bathroom"), step("☃", "☃", "☃")
	file := answerLine("x", "905", a, "df", 20, right) + answerLine("y", "905", a, "df", 20, wrong) +
		answerLine("x", "905", b, "df", 20, wrong) + answerLine("y", "905", b, "df", 20, "?")
	s, err := m.score(t, file)
	if err != nil {
		t.Fatal(err)
	}
	x, y := row(t, s, "df", "model=x", "scored_for=y", "class=easy"), row(t, s, "df", "model=y", "scored_for=x", "class=easy")
	if x.N != 1 || y.N != 1 || text(x, scoreStrict)[:6] != "1.0000" || text(y, scoreStrict)[:6] != "0.0000" {
		t.Errorf("%+v, %+v", x, y)
	}
	s, err = m.score(t, file, "model=x")
	if err != nil || row(t, s, "df").Outcomes["success"] != 1 || s.Model.Name != "x" {
		t.Errorf("one model: %+v, %v", s, err)
	}
}

func TestScoresDoNotDependOnTheOrderOfAnswers(t *testing.T) {
	m := importOf(t, map[string][]schemas.MangoEdge{"905": worked()}).publish(t)
	var list []string
	for i, q := range m.questions(t, walkTo) {
		list = append(list, answerLine("m", "905", q.QuestionID, q.Task, 20, step(q.Src, "north", "bath"+q.QuestionID[:i%4])))
	}
	score := func() *family.Scores {
		s, err := m.score(t, strings.Join(list, ""))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	first := score()
	slices.Reverse(list)
	if again := score(); !reflect.DeepEqual(first, again) {
		t.Errorf("got %s, then %s", canon.MustMarshal(first), canon.MustMarshal(again))
	}
}

func TestSamplesOfTheReleasedLayoutAreRead(t *testing.T) {
	sample := `{"sample_id":"s","game_name":"905","src_node":"a","dst_node":"b","model_cutoff_num":20,"action_list":["go"],"response":"[]"}`
	r, ok := readSample([]byte(sample), "gpt")
	want := record{Model: "gpt", MazeID: "905", QuestionID: "s", Task: "df", PrefixStep: 20, Response: json.RawMessage(`"[]"`)}
	if !ok || !reflect.DeepEqual(r, want) {
		t.Errorf("got %+v, want %+v", r, want)
	}
	r, ok = readSample(bytes.Replace([]byte(sample), []byte(`"action_list":["go"],"response"`), []byte(`"answer"`), 1), "")
	if !ok || r.Task != "rf" || r.Unreadable != "" {
		t.Errorf("a route: %+v", r)
	}
	r, ok = readSample(bytes.Replace([]byte(sample), []byte(`,"response":"[]"`), nil, 1), "")
	if !ok || r.Unreadable != "response is missing" {
		t.Errorf("no response: %+v", r)
	}
	for _, stray := range []string{`{"x":1}`, `[1]`, "text", ""} {
		if _, ok := readSample([]byte(stray), ""); ok {
			t.Errorf("%q counts as a sample", stray)
		}
	}
}

func TestAFolderOfSamplesIsScoredAndImportedAndStrayFilesNamed(t *testing.T) {
	m := importOf(t, map[string][]schemas.MangoEdge{"905": worked()}).publish(t)
	df, rf := m.find(t, "905", "df", "bedroom", "bathroom"), m.find(t, "905", "rf", "bedroom", "bathroom")
	dir := t.TempDir()
	put(t, filepath.Join(dir, "1.json"), []byte(`{"sample_id":"`+df+`","game_name":"905","model_cutoff_num":20,"action_list":["south"],"response":"[]"}`))
	put(t, filepath.Join(dir, "2.json"), []byte(`{"sample_id":"`+rf+`","game_name":"905","model_cutoff_num":20,"response":[{"prev_node":"bedroom","action":"south","node":"bathroom"}]}`))
	put(t, filepath.Join(dir, "notes.txt"), []byte("hello"))
	sub := m.subject(t)
	s, err := sub.Score(t, dir, family.Request{Options: []string{"model=m"}})
	if err != nil || s.Counts[countSkipped] != 1 || !strings.Contains(s.Notes[0], "notes.txt") || row(t, s, "df").Outcomes[outcomeIllFormed] != 1 || row(t, s, "rf").Outcomes["success"] != 1 {
		t.Fatalf("%+v, %v", s, err)
	}
	for _, i := range Family.(family.Importer).Imports() {
		if i.Format != "mango-samples" {
			continue
		}
		im, err := i.Read(sub.Set, dir, family.ImportRequest{Run: sub.Run, Options: sub.Options, Model: "m"})
		if err != nil || im.Import.Games != 2 || im.Import.Rejected[rejectFile] != 1 || im.Import.Rows != 3 {
			t.Fatalf("%+v, %v", im, err)
		}
		out := t.TempDir()
		put(t, filepath.Join(out, trace.RunFile), lines(im.Run))
		put(t, filepath.Join(out, trace.ImportFile), lines(im.Import))
		put(t, filepath.Join(out, trace.RepliesFile), lines(im.Records[0].Main, im.Records[1].Main))
		again, err := sub.Score(t, out, family.Request{})
		if err != nil || !reflect.DeepEqual(s.Rows, again.Rows) {
			t.Errorf("imported: %v\n%s\n%s", err, canon.MustMarshal(s.Rows), canon.MustMarshal(again.Rows))
		}
		return
	}
	t.Error("no such format")
}

// A right answer, repeated at prefixes that nobody asked, raised the strict score of a file to any height.
func TestAnswersToWhatWasNotAskedCountForNothing(t *testing.T) {
	m := importOf(t, map[string][]schemas.MangoEdge{"905": worked()}).publish(t)
	list := m.questions(t, walkTo)
	var honest, flood strings.Builder
	for _, q := range list {
		honest.WriteString(answerLine("m", "905", q.QuestionID, q.Task, q.PrefixStep, step("☃", "☃", "☃☃☃")))
	}
	right := step("bedroom", "south", "bathroom")
	id := m.find(t, "905", "df", "bedroom", "bathroom")
	for n := range 5000 {
		if n != walkTo {
			flood.WriteString(answerLine("m", "905", id, "df", n, right))
		}
	}
	want, err := m.score(t, honest.String())
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.score(t, honest.String()+flood.String())
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.Rows, want.Rows) || got.Counts["unknown"] != 4999 {
		t.Errorf("the flood moves the rows: %v\n%s\n%s", got.Counts, canon.MustMarshal(got.Rows[0]), canon.MustMarshal(want.Rows[0]))
	}
	if text(row(t, got, "df"), scoreStrict) != "0.0000/0.0000 0.0000/0.0000" || row(t, got, "df").N+row(t, got, "rf").N != len(list) {
		t.Errorf("%+v", row(t, got, "df"))
	}
	// As replies of a run, and where what is missing is left out.
	path := filepath.Join(t.TempDir(), "replies.jsonl")
	put(t, path, append(lines(map[string]any{"id": idOf("905", id, walkTo), "reply": "x", "prompt_sha256": nil, "usage": nil}),
		lines(map[string]any{"id": idOf("905", id, 7), "reply": answer.Print(right), "prompt_sha256": nil, "usage": nil})...))
	s, err := m.subject(t).Score(t, path, family.Request{Partial: true})
	if err != nil || s.Counts["unknown"] != 1 || row(t, s, "df").N != 1 || text(row(t, s, "df"), scoreStrict) != "-/- 0.0000/0.0000" {
		t.Errorf("replies: %+v, %v", s, err)
	}
	// Without a list of questions, each question is asked at one prefix.
	bare := importOf(t, map[string][]schemas.MangoEdge{"905": worked()})
	if _, err := bare.score(t, flood.String()); !errors.Is(err, fault.Malformed) {
		t.Errorf("no list: %v", err)
	}
	s, err = bare.score(t, flood.String(), "duplicates=first")
	if err != nil || s.Counts[countDuplicates]+s.Counts[countUnanswerable] != 4999 {
		t.Errorf("no list: %+v, %v", s.Counts, err)
	}
}

// A list of one's own had the digest of the release's questions, and asked one question at any number
// of prefixes beyond the end of the walk, where all show the same.
func TestAListOfOnesOwnIsNamedForWhatItIs(t *testing.T) {
	m := importOf(t, map[string][]schemas.MangoEdge{"905": worked()}).publish(t)
	id := m.find(t, "905", "df", "bedroom", "bathroom")
	right := answerLine("m", "905", id, "df", walkTo, step("bedroom", "south", "bathroom"))
	own := m.keys(t, "905", id, walkTo)
	s, err := m.score(t, right, own)
	if err != nil {
		t.Fatal(err)
	}
	published, err := m.score(t, right)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(strings.TrimPrefix(own, optionQuestions+"="))
	if err != nil {
		t.Fatal(err)
	}
	sum := digest.SHA256(data)
	if r := row(t, s, "df"); r.SplitSHA256 != sum || s.Options[optionQuestions] != sum || r.SplitSHA256 == row(t, published, "df").SplitSHA256 {
		t.Errorf("options %v, split %s, want %s", s.Options, r.SplitSHA256, sum)
	}
	_, err = m.score(t, right, m.keys(t, "905", id, walkTo, "905", id, walkTo+1))
	if !errors.Is(err, fault.Mismatch) || !strings.Contains(err.Error(), "line 2") || !strings.Contains(err.Error(), "ends at step 20") {
		t.Errorf("beyond the walk: %v", err)
	}
}

func TestWhoChoosesTheQuestionsIsFlaggedAndStrangersAreNamedByLine(t *testing.T) {
	m := importOf(t, map[string][]schemas.MangoEdge{"905": worked()})
	id := m.find(t, "905", "df", "bedroom", "bathroom")
	right := answerLine("m", "905", id, "df", walkTo, step("bedroom", "south", "bathroom"))
	s, err := m.score(t, right+answerLine("m", "906", id, "df", walkTo, "x"))
	if err != nil || !row(t, s, "df").Has(judge.FlagUnlisted) {
		t.Errorf("no list: %v, %q", err, row(t, s, "df").Flags)
	}
	if want := "answers.jsonl: line 2: no such question"; !strings.Contains(strings.Join(s.Notes, "\n"), want) {
		t.Errorf("notes %q, want %q", s.Notes, want)
	}
	s, err = m.publish(t).score(t, right)
	if err != nil || row(t, s, "df").Has(judge.FlagUnlisted) {
		t.Errorf("a list: %v, %q", err, row(t, s, "df").Flags)
	}
}

func TestArgumentsOfScoringAreChecked(t *testing.T) {
	m := importOf(t, map[string][]schemas.MangoEdge{"905": worked()})
	for option, kind := range map[string]*fault.Kind{
		"rule=x": fault.Usage, "moves=x": fault.Usage, "duplicates=x": fault.Usage, "speed=1": fault.Usage, "rule": fault.Usage,
		"questions=/nowhere": fault.NotFound,
	} {
		if _, err := m.score(t, "", option); !errors.Is(err, kind) {
			t.Errorf("%s: %v", option, err)
		}
	}
	if _, err := openFolder(t.TempDir(), nil); !errors.Is(err, fault.NotFound) || !strings.Contains(fmt.Sprint(err), "there are no mazes") {
		t.Errorf("an empty folder: %v", err)
	}
}
