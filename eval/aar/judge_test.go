package aar

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// judged is a release of four legs of eight stops: four pages, two tool stops, a reason stop and
// the finish. The third stop of the last leg asks Python.
func judged() *Set {
	page := func(id uint32, title, infobox string, rows ...string) schemas.Text {
		text := "# " + title + "\n\n| Infobox | " + infobox + " |\n| --- | --- |\n" + strings.Join(rows, "\n") + "\n\nText of " + title + "."
		return schemas.Text{PageID: id, Title: title, Text: text}
	}
	site := aar.SiteOf(schemas.Snapshot{Base: "https://demo.invalid/wiki/Main_Page", Date: "20260101", Language: "en"})
	w := aar.NewWorld(site, []schemas.Text{
		page(1, "Town", "settlement", "| Coordinates | 1.0°N 2.0°E |", "| Population total | 2,385 |", "| Elevation (m) | 893 |"),
		page(2, "Mill", "building", "| Height (m) | 44 |"),
		page(3, "Tower", "building", "| Height (m) | 56 |"),
		page(4, "Land", "country", "| Population census | 12,345 |", "| Area (km²) | 154.0 |"),
	}, []aar.Alias{{Name: "Old Mill", PageID: 2}})
	s := &Set{
		source: family.Source{Name: "demo", ID: "id", ManifestSHA256: "manifest"},
		rules:  rules{AAROptions: Defaults()}, legs: map[string]*leg{},
		world: func() (*aar.World, error) { return w, nil },
	}
	for _, variant := range schemas.AARVariants {
		p := &split{Split: family.Split{Name: variant + "-easy", SHA256: digest.SHA256([]byte(variant)), Requested: 2, Got: 2}, variant: variant, level: "easy"}
		for n := 1; n <= 2; n++ {
			l := eightStops(w)
			id := instanceID(variant, "easy", fmt.Sprintf("%03d", n))
			if variant == "dag" && n == 2 {
				l.Stops[6].Bridge.ToolChain = []schemas.AARCall{goldenCall(toolPython, `{"code":"print(7)"}`, "merged")}
			}
			s.legs[id] = &leg{p.Name, func() (*schemas.AARLeg, error) { return l, nil }}
			p.tasks = append(p.tasks, family.Task{ID: id, Instance: id, Split: p.Name})
		}
		s.splits = append(s.splits, p)
	}
	return s
}

func goldenCall(tool, args, key string) schemas.AARCall {
	return schemas.AARCall{ToolName: tool, Arguments: schemas.AARValue(args), OutputKey: key}
}

func eightStops(w *aar.World) *schemas.AARLeg {
	l := &schemas.AARLeg{Passcode: 3, Riddle: "1. Riddle."}
	add := func(typ, value string, chain ...schemas.AARCall) *schemas.AARStop {
		l.Stops = append(l.Stops, schemas.AARStop{
			Index: len(l.Stops), Type: typ, ExtractedValue: schemas.AARValue(value), ExtractedValueType: "number",
			Bridge: schemas.AARBridge{ToolChain: chain},
		})
		return &l.Stops[len(l.Stops)-1]
	}
	page := func(title, value string) {
		i, _ := w.Titled(title)
		url := w.URL(i)
		add(schemas.AARPage, value).PageURL = &url
	}
	page("Town", "2385")
	page("Mill", "44")
	page("Tower", "56")
	add(schemas.AARTool, "893", goldenCall("maps_geocode", `{"address":"Town"}`, "coords"),
		goldenCall("maps_elevation", `{"__from_previous_as_locations":"coords"}`, "elevation"))
	page("Land", "154.0")
	add(schemas.AARReason, "18") // 2 + 3 + 8 + 5, which no output shows
	add(schemas.AARTool, "12345", goldenCall("countries_population", `{"country":"Land"}`, "population"))
	expression := "(893 + 12345 + 5) % 10"
	add(schemas.AARCompute, "3").Bridge.Expression = &expression
	return l
}

// sent is a call as a player sends it.
type sent struct{ tool, args string }

func fetch(title string) sent {
	return sent{"fetch_webpage", `{"url":"https://demo.invalid/wiki/` + title + `"}`}
}

var (
	geocodeTown   = sent{"maps_geocode", `{"address":"Town"}`}
	elevationTown = sent{"maps_elevation", `{"locations":[{"latitude":1.0,"longitude":2.0}]}`}
	landPeople    = sent{"countries_population", `{"country":"Land"}`}
	goldenTurns   = [][]sent{
		{fetch("Town"), fetch("Mill"), fetch("Tower")}, {geocodeTown}, {elevationTown}, {fetch("Land"), landPeople},
	}
)

// recorded is the record of a play that is honest: a turn for each list of calls, then the answer.
func recorded(t *testing.T, s *Set, instance string, answer string, turns ...[]sent) *schemas.AAREpisode {
	t.Helper()
	w, err := s.world()
	if err != nil {
		t.Fatal(err)
	}
	tools := &aar.Tools{World: w}
	e := &schemas.AAREpisode{
		Schema: schemas.AAREpisodeSchema, Instance: instance, Attempt: 1, Outcome: schemas.OutcomeGaveUp, Turns: []schemas.AARTurn{},
	}
	for i, calls := range turns {
		turn := schemas.AARTurn{Turn: i + 1, Calls: []schemas.AARLogged{}}
		for _, c := range calls {
			a := tools.Call(context.Background(), c.tool, []byte(c.args))
			turn.Calls = append(turn.Calls, schemas.AARLogged{
				ID: "c", Tool: c.tool, Args: c.args, Source: a.Source, SHA256: digest.SHA256([]byte(a.Output)),
				Chars: utf8.RuneCountInString(a.Output), Preview: a.Output[:min(previewChars, len(a.Output))],
			})
		}
		e.Turns = append(e.Turns, turn)
	}
	switch {
	case answer != "":
		e.Outcome, e.Answer = schemas.OutcomeAnswered, &answer
		e.Turns = append(e.Turns, schemas.AARTurn{Turn: len(turns) + 1, Calls: []schemas.AARLogged{}})
	case len(turns) == 12:
		e.Outcome = schemas.OutcomeStepLimit
	}
	return e
}

// legNames are the instances of judged, in the order of play.
var legNames = []string{"aar-linear-easy-001", "aar-linear-easy-002", "aar-dag-easy-001", "aar-dag-easy-002"}

// scored judges a file of episodes.
func scored(t *testing.T, s *Set, req family.Request, list ...*schemas.AAREpisode) (*family.Scores, error) {
	t.Helper()
	var text strings.Builder
	for _, e := range list {
		text.Write(canon.MustMarshal(e))
		text.WriteByte('\n')
	}
	path := filepath.Join(t.TempDir(), "mine.jsonl")
	if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return s.Score(&trace.Log{Path: path, Layout: Family{}.Layout()}, req)
}

// value returns a metric of the first row to four digits, "-" for null.
func value(s *family.Scores, metric string) string {
	if v := s.Rows[0].Metrics[metric].Value; v != nil {
		return shown(judge.Number(*v))
	}
	return "-"
}

func shown(x float64) string { return strconv.FormatFloat(math.Round(x*1e4)/1e4, 'f', -1, 64) }

// triple is FA, PVR and RCR of the first row.
func triple(s *family.Scores) string {
	return value(s, judge.MetricSuccess) + "/" + value(s, metricPages) + "/" + value(s, metricTools)
}

func TestGoldenCallsScoreOneInAllThree(t *testing.T) {
	s := judged()
	scores, err := scored(t, s, family.Request{}, recorded(t, s, legNames[0], "3", goldenTurns...), recorded(t, s, legNames[1], "3", goldenTurns...))
	if err != nil || triple(scores) != "1/1/1" || value(scores, metricShare+causeCorrect) != "1" {
		t.Fatalf("got %s, %v", triple(scores), err)
	}
	for name, want := range map[string]string{
		metricSteps: "5", metricCalls: "7", metricRightCalls: "1", metricStepLimit: "0", metricRecoveryBoth: "1",
		metricIntermediate: shown(6.0 / 7), metricShortcut: "0", metricTotal: "0", metricNearMiss: "0",
	} {
		if got := value(scores, name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	if !slices.ContainsFunc(scores.Notes, func(n string) bool { return strings.Contains(n, "cannot prove who chose the calls") }) {
		t.Errorf("nothing says what replay can prove: %q", scores.Notes)
	}
}

func TestNothingScoresZeroAndIsLostByNavigation(t *testing.T) {
	s := judged()
	scores, err := scored(t, s, family.Request{}, recorded(t, s, legNames[0], ""), recorded(t, s, legNames[1], ""))
	if err != nil || triple(scores) != "0/0/0" || value(scores, metricShare+causeNavigation) != "1" ||
		value(scores, metricTotal) != "1" || value(scores, metricStepLimit) != "0" || scores.Counts[countAnswers+answerNone] != 2 {
		t.Errorf("got %s, %v, %v", triple(scores), scores.Counts, err)
	}
	wrong, err := scored(t, s, family.Request{}, recorded(t, s, legNames[0], "4"), recorded(t, s, legNames[1], "13"))
	if err != nil || triple(wrong) != "0/0/0" || wrong.Counts[countAnswers+answerMalformed] != 1 || wrong.Rows[0].Outcomes[answerMalformed] != 1 {
		t.Errorf("got %s, %v, %v", triple(wrong), wrong.Rows[0].Outcomes, err)
	}
}

// TestTheExampleOfEightStops has three of four pages, one of two tool stops and a wrong answer.
func TestTheExampleOfEightStops(t *testing.T) {
	s := judged()
	e := recorded(t, s, legNames[0], "8", []sent{fetch("Town"), fetch("Mill"), fetch("Tower")}, []sent{geocodeTown}, []sent{landPeople})
	scores, err := scored(t, s, family.Request{Partial: true}, e)
	if err != nil || triple(scores) != "0/0.75/0.5" || value(scores, metricShare+causeComputation) != "1" {
		t.Errorf("got %s, computation %s, %v", triple(scores), value(scores, metricShare+causeComputation), err)
	}
}

func TestBudgets(t *testing.T) {
	for k, want := range map[int][2]int{4: {10, 12}, 7: {10, 21}, 8: {12, 24}, 33: {49, 99}} {
		if a, b := budget(schemas.AARBudget, k), budget(schemas.AARBudgetLong, k); a != want[0] || b != want[1] {
			t.Errorf("%d stops: %d and %d turns, want %v", k, a, b, want)
		}
	}
}

// TestSharesOfCausesSumToOne judges runs that call, fetch and answer at random.
func TestSharesOfCausesSumToOne(t *testing.T) {
	s, r := judged(), rand.New(rand.NewPCG(1, 2))
	all := slices.Concat(goldenTurns...)
	seen := map[string]bool{}
	for range 8 {
		var list []*schemas.AAREpisode
		for _, name := range legNames {
			for attempt := range 1 + r.IntN(3) {
				var turns [][]sent
				for _, c := range all {
					if r.IntN(2) == 0 {
						turns = append(turns, []sent{c})
					}
				}
				e := recorded(t, s, name, strconv.Itoa(3+r.IntN(2)), turns...)
				e.Attempt = attempt + 1
				list = append(list, e)
			}
		}
		scores, err := scored(t, s, family.Request{Attempts: 3, Partial: true}, list...)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range scores.Rows {
			sum := 0.0
			for _, cause := range []string{causeCorrect, causeNavigation, causeTool, causeComputation} {
				x := judge.Number(*row.Metrics[metricShare+cause].Value)
				sum += x
				seen[cause] = seen[cause] || x > 0
			}
			for _, c := range (Family{}).Causes() { // what report says of failures
				sum -= judge.Number(*row.Metrics[c.Metric].Value)
			}
			sum += 1 - judge.Number(*row.Metrics[judge.MetricSuccess].Value)
			if sum < 0.99999 || sum > 1.00001 {
				t.Fatalf("%v: the shares sum to %v", row.By, sum)
			}
			if *row.Metrics[metricShare+causeCorrect].Value != *row.Metrics[judge.MetricSuccess].Value {
				t.Fatalf("%v: the share of correct runs is not FA", row.By)
			}
		}
	}
	if len(seen) != 4 {
		t.Errorf("only %v occurred", seen)
	}
}

// TestAForgedCallBettersNothing forges an honest log of a player who read one page: no metric is
// better for it, and the place is named.
func TestAForgedCallBettersNothing(t *testing.T) {
	s := judged()
	honest := func() *schemas.AAREpisode {
		return recorded(t, s, legNames[0], "8", []sent{fetch("Town"), {"maps_geocode", `{"address":"Nowhere"}`}, {"fetch_webpage", `{"url":"/wiki/Nothing"}`}})
	}
	golden := recorded(t, s, legNames[0], "3", goldenTurns...)
	req := family.Request{Partial: true}
	want, err := scored(t, s, req, honest())
	if err != nil {
		t.Fatal(err)
	}
	call := func(e *schemas.AAREpisode, n int) *schemas.AARLogged { return &e.Turns[0].Calls[n] }
	for name, forge := range map[string]func(e *schemas.AAREpisode){
		"a fetch that was not made": func(e *schemas.AAREpisode) {
			c := *call(e, 0)
			c.Args = fetch("Mill").args
			e.Turns[0].Calls = append(e.Turns[0].Calls, c)
		},
		"another page's address":       func(e *schemas.AAREpisode) { call(e, 0).Args = fetch("Land").args },
		"a page that is not there":     func(e *schemas.AAREpisode) { call(e, 2).SHA256 = call(e, 0).SHA256 },
		"another output":               func(e *schemas.AAREpisode) { call(e, 1).SHA256 = golden.Turns[1].Calls[0].SHA256 },
		"another preview":              func(e *schemas.AAREpisode) { call(e, 0).Preview = "12,345 and 56 and 44 and 893" },
		"another length":               func(e *schemas.AAREpisode) { call(e, 0).Chars++ },
		"no digest":                    func(e *schemas.AAREpisode) { call(e, 0).SHA256 = "" },
		"the source python":            func(e *schemas.AAREpisode) { call(e, 2).Source = aar.SourcePython },
		"the source cassette":          func(e *schemas.AAREpisode) { call(e, 2).Source, call(e, 2).Preview = aar.SourceCassette, "12345" },
		"the source live":              func(e *schemas.AAREpisode) { call(e, 2).Source, call(e, 2).Output = aar.SourceLive, &golden.Instance },
		"a tool that was not offered":  func(e *schemas.AAREpisode) { call(e, 1).Tool, call(e, 1).Args = toolPython, `{"code":"print(1)"}` },
		"another tool":                 func(e *schemas.AAREpisode) { call(e, 1).Tool = "countries_population" },
		"calls beside the answer":      func(e *schemas.AAREpisode) { e.Turns[1].Calls = golden.Turns[0].Calls },
		"turns beyond the budget":      func(e *schemas.AAREpisode) { pad(e, 13) },
		"an answer beyond the budget":  func(e *schemas.AAREpisode) { pad(e, 13); e.Answer = golden.Answer },
		"a turn of another number":     func(e *schemas.AAREpisode) { e.Turns[1].Turn = 3 },
		"an answer that was not given": func(e *schemas.AAREpisode) { e.Answer, e.Outcome = golden.Answer, schemas.OutcomeGaveUp },
		"an answer without a turn":     func(e *schemas.AAREpisode) { e.Answer, e.Turns = golden.Answer, nil },
		"another outcome":              func(e *schemas.AAREpisode) { e.Answer, e.Outcome = nil, schemas.OutcomeSuccess },
		"a failure of the endpoint":    func(e *schemas.AAREpisode) { e.Answer, e.Outcome = nil, schemas.OutcomeInfra },
		"another attempt":              func(e *schemas.AAREpisode) { e.Attempt = 2 },
		"the seventeenth call of a turn": func(e *schemas.AAREpisode) {
			c := *call(e, 0)
			e.Turns[0].Calls = append(slices.Repeat([]schemas.AARLogged{c}, 16), golden.Turns[0].Calls[1])
		},
	} {
		e := honest()
		forge(e)
		got, err := scored(t, s, req, e)
		var f *fault.Error
		if !errors.Is(err, fault.Mismatch) || got == nil || !errors.As(err, &f) || f.Where != "line 1" {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, c := range (Family{}).Columns() {
			a, b := got.Rows[0].Metrics[c.Metric].Value, want.Rows[0].Metrics[c.Metric].Value
			if c.Metric != metricSteps && a != nil && b != nil && float64(c.Better)*(judge.Number(*a)-judge.Number(*b)) > 0 {
				t.Errorf("%s moves %s from %s to %s", name, c.Metric, *b, *a)
			}
		}
	}
}

// pad adds turns without calls before the last.
func pad(e *schemas.AAREpisode, turns int) {
	for len(e.Turns) < turns {
		e.Turns = slices.Insert(e.Turns, 1, schemas.AARTurn{Calls: []schemas.AARLogged{}})
	}
	for i := range e.Turns {
		e.Turns[i].Turn = i + 1
	}
}

func TestTwoEpisodesOfAnAttemptAndUnknownLegsAreRefused(t *testing.T) {
	s := judged()
	for name, second := range map[string]string{"twice": legNames[0], "unknown": "aar-linear-easy-999"} {
		scores, err := scored(t, s, family.Request{}, recorded(t, s, legNames[0], "3"), recorded(t, s, second, "3"))
		var f *fault.Error
		if !errors.Is(err, fault.Mismatch) || fault.KindOf(err).Code() != 3 || scores != nil || !errors.As(err, &f) || f.Where != "line 2" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMissingLegsCount(t *testing.T) {
	s := judged()
	one := recorded(t, s, legNames[0], "3", goldenTurns...)
	for name, c := range map[string]struct {
		req  family.Request
		want string
	}{
		"lost":                 {family.Request{}, "0.5/1/1 of 2, 1 missing"},
		"left out":             {family.Request{Partial: true}, "1/1/1 of 1, 1 missing"},
		"lost, though partial": {family.Request{Partial: true, Options: []string{"missing=zero"}}, "0.5/1/1 of 2, 1 missing"},
	} {
		scores, err := scored(t, s, c.req, one)
		if got := fmt.Sprintf("%s of %d, %d missing", triple(scores), scores.Rows[0].N, scores.Rows[0].Missing); err != nil || got != c.want {
			t.Errorf("%s: got %s, want %s (%v)", name, got, c.want, err)
		}
	}
}

// TestRunsOfALegAreItsMean has three runs of one leg, one of them right, and one right run of the
// other.
func TestRunsOfALegAreItsMean(t *testing.T) {
	s := judged()
	var list []*schemas.AAREpisode
	for i, answer := range []string{"3", "4", "5"} {
		e := recorded(t, s, legNames[0], answer, goldenTurns[:i]...)
		e.Attempt = i + 1
		list = append(list, e)
	}
	list = append(list, recorded(t, s, legNames[1], "3", goldenTurns...))
	scores, err := scored(t, s, family.Request{Attempts: 3, Partial: true}, list...)
	// PVR of the first leg is 0, 3/4 and 3/4.
	if want := shown(2.0/3) + "/" + shown(0.75) + "/" + shown(0.5); err != nil || triple(scores) != want {
		t.Errorf("got %s, want %s (%v)", triple(scores), want, err)
	}
	scores, err = scored(t, s, family.Request{Attempts: 3}, list...)
	if err != nil || value(scores, judge.MetricSuccess) != shown(2.0/6) || scores.Rows[0].Missing != 2 {
		t.Errorf("with missing runs: got %s, %v", value(scores, judge.MetricSuccess), err)
	}
}

func TestGroupsGoAcrossSplits(t *testing.T) {
	s := judged()
	var list []*schemas.AAREpisode
	for _, name := range legNames {
		list = append(list, recorded(t, s, name, "3", goldenTurns...))
	}
	scores, err := scored(t, s, family.Request{}, list...)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range scores.Rows {
		name := r.Split
		for _, g := range r.By {
			name += " " + g.Name + " " + g.Value
		}
		got = append(got, fmt.Sprint(name, " ", r.N))
	}
	want := []string{
		"linear-easy 2", "dag-easy 2", "all variant all 4", "all variant dag 2", "all variant linear 2",
		"all template country_population 3", "all template diamond_merge 1", "all template geocode_elevation 4", "all stops 3-8 4",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// TestToolsThatWereNotOfferedLeaveTheRate is of a leg whose second tool stop asks Python.
func TestToolsThatWereNotOfferedLeaveTheRate(t *testing.T) {
	s := judged()
	e := recorded(t, s, legNames[3], "3", goldenTurns...)
	for options, want := range map[string]string{"": "1", "rcr=all": "0.5", "rcr=distinct-tools": "1"} {
		req := family.Request{Partial: true}
		if options != "" {
			req.Options = []string{options}
		}
		scores, err := scored(t, s, req, e)
		if err != nil || value(scores, metricTools) != want || scores.Counts[countUnoffered] != 1 {
			t.Errorf("%q: got %s, %v, %v", options, value(scores, metricTools), scores.Counts, err)
		}
	}
	half := recorded(t, s, legNames[0], "3", []sent{geocodeTown}, []sent{landPeople})
	for options, want := range map[string]string{"rcr=offered": "0.5", "rcr=distinct-tools": shown(2.0 / 3)} {
		scores, err := scored(t, s, family.Request{Partial: true, Options: []string{options}}, half)
		if err != nil || value(scores, metricTools) != want {
			t.Errorf("%q: got %s, want %s, %v", options, value(scores, metricTools), want, err)
		}
	}
}

// TestPythonIsTakenAsLogged has a run that offered Python, and says how many outputs it believed.
func TestPythonIsTakenAsLogged(t *testing.T) {
	s := judged()
	s.rules.Tools = offered(&aar.Tools{Python: Python("python3")})
	e := recorded(t, s, legNames[3], "3", goldenTurns...)
	output := `{"stdout":"12345\n","stderr":"","exit_code":0}`
	logged := schemas.AARLogged{
		ID: "p", Tool: toolPython, Args: `{"code":"print(12345)"}`, Source: aar.SourcePython, SHA256: digest.SHA256([]byte(output)),
		Chars: len(output), Preview: output, Output: &output,
	}
	e.Turns[0].Calls = append(e.Turns[0].Calls, logged)
	scores, err := scored(t, s, family.Request{Partial: true}, e)
	if err != nil || value(scores, metricTools) != "1" || scores.Counts[countLogged+aar.SourcePython] != 1 || scores.Counts[countUnoffered] != 0 {
		t.Errorf("got %s, %v, %v", value(scores, metricTools), scores.Counts, err)
	}
	for name, forge := range map[string]func(c *schemas.AARLogged){
		"no output":       func(c *schemas.AARLogged) { c.Output = nil },
		"another digest":  func(c *schemas.AARLogged) { c.SHA256 = strings.Repeat("0", 64) },
		"another preview": func(c *schemas.AARLogged) { c.Preview = "1" },
		"bad arguments":   func(c *schemas.AARLogged) { c.Args = `{}` },
	} {
		c := logged
		forge(&c)
		e.Turns[0].Calls[3] = c
		if _, err := scored(t, s, family.Request{Partial: true}, e); !errors.Is(err, fault.Mismatch) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestACassetteIsReplayedWhereItIsAtHand plays stock_volume from a cassette.
func TestACassetteIsReplayedWhereItIsAtHand(t *testing.T) {
	s := judged()
	c := aar.NewCassette()
	args := `{"date":"2024-01-05","ticker":"ABC"}`
	if err := c.Put(aar.Recording{Tool: "stock_volume", Args: schemas.AARValue(args), Response: schemas.AARValue(`{"volume":12345}`), Status: "ok", Provider: "p", RecordedAt: "2026-01-01T00:00:00Z"}, false); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := c.Write(&b); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "cassette.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	s.rules.Cassette, s.rules.Tools = digest.SHA256([]byte(b.String())), offered(&aar.Tools{Cassette: c})
	e := recorded(t, s, legNames[0], "3", goldenTurns...)
	w, _ := s.world()
	a := (&aar.Tools{World: w, Cassette: c}).Call(t.Context(), "stock_volume", []byte(args))
	if a.Source != aar.SourceCassette || a.Code != "" {
		t.Fatalf("got %+v", a)
	}
	e.Turns[0].Calls = append(e.Turns[0].Calls, schemas.AARLogged{
		ID: "s", Tool: "stock_volume", Args: args, Source: a.Source, SHA256: digest.SHA256([]byte(a.Output)), Chars: len(a.Output), Preview: a.Output,
	})
	without := family.Request{Partial: true}
	with := family.Request{Partial: true, Options: []string{"cassette=" + path}}
	scores, err := scored(t, s, without, e)
	if err != nil || scores.Counts[countLogged+aar.SourceCassette] != 1 {
		t.Errorf("without: %v, %v", scores.Counts, err)
	}
	scores, err = scored(t, s, with, e)
	if err != nil || scores.Counts[countLogged+aar.SourceCassette] != 0 {
		t.Errorf("with: %v, %v", scores.Counts, err)
	}
	e.Turns[0].Calls[3].SHA256 = strings.Repeat("0", 64)
	if _, err = scored(t, s, with, e); !errors.Is(err, fault.Mismatch) {
		t.Errorf("another output: %v", err)
	}
	s.rules.Cassette = strings.Repeat("1", 64)
	if _, err = scored(t, s, with, e); !errors.Is(err, fault.Mismatch) {
		t.Errorf("another cassette: %v", err)
	}
}

func TestAddressesOfPages(t *testing.T) {
	s := judged()
	fetched := func(url string) sent { return sent{"fetch_webpage", canonText(map[string]string{"url": url})} }
	e := recorded(t, s, legNames[0], "3", []sent{
		fetched("http://DEMO.invalid/wiki/Town?x=1#y"), fetched("/wiki/old_Mill"), fetched("https://m.demo.invalid/wiki/Tower"),
	})
	for options, want := range map[string]string{"urls=pages": "0.75", "urls=exact": "0"} {
		scores, err := scored(t, s, family.Request{Partial: true, Options: []string{options}}, e)
		if err != nil || value(scores, metricPages) != want {
			t.Errorf("%s: got %s, %v", options, value(scores, metricPages), err)
		}
	}
	e = recorded(t, s, legNames[0], "3", []sent{{"fetch_webpage", `{"url":"/wiki/Town","raw_html":true}`}})
	if scores, err := scored(t, s, family.Request{Partial: true}, e); err != nil || value(scores, metricPages) != "0" {
		t.Errorf("a page that was not served counts: %s, %v", value(scores, metricPages), err)
	}
}

func canonText(v any) string { return string(canon.MustMarshal(v)) }

// TestTheBudgetOfAScore scores a run of 1.5k turns by both budgets, and one that is too long for
// one of them.
func TestTheBudgetOfAScore(t *testing.T) {
	s := judged()
	limit := recorded(t, s, legNames[0], "", slices.Repeat([][]sent{{fetch("Town")}}, 12)...)
	for options, want := range map[string]string{"budget=as-played": "1", "budget=3k": "1"} {
		scores, err := scored(t, s, family.Request{Partial: true, Options: []string{options}}, limit)
		if err != nil || value(scores, metricStepLimit) != want || scores.Rows[0].Outcomes[schemas.OutcomeStepLimit] != 1 {
			t.Errorf("%s: got %s, %v, %v", options, value(scores, metricStepLimit), scores.Rows[0].Outcomes, err)
		}
	}
	s.rules.Budget = schemas.AARBudgetLong
	long := recorded(t, s, legNames[0], "3", slices.Repeat([][]sent{{fetch("Town")}}, 13)...)
	for options, want := range map[string]string{"budget=as-played": "1/0.25/0", "budget=1.5k": "0/0.25/0"} {
		scores, err := scored(t, s, family.Request{Partial: true, Options: []string{options}}, long)
		if err != nil || triple(scores) != want {
			t.Errorf("%s: got %s, want %s, %v", options, triple(scores), want, err)
		}
	}
}

func TestValuesThatWereSeen(t *testing.T) {
	for _, c := range []struct {
		value, output string
		want          int
	}{
		{"2385", "| Population | 2,385 |", 1},
		{"2385", "12,385 and 2,3851 and 2385.5 and 0.2385", 0},
		{"893.0", "893 m", 1},
		{"12.5", "12.50", 1},
		{"12.5", "12.7", 0},
		{"-3", "x -3.", 1},
		{`"12 December 1718"`, "on 12 December 1718,", 1},
		{`"Land"`, "Landing", 1},
		{`"Land"`, "land", 0},
		{`"1,234"`, "is 1234", 1},
		{"1234567", "1,234,567", 1},
		{`{"a":1}`, `x{"a":1}`, 1},
		{`""`, "", 0},
	} {
		p := valuesSeen(played{
			leg:   &schemas.AARLeg{Stops: []schemas.AARStop{{ExtractedValue: schemas.AARValue(c.value)}, {}}},
			calls: []accepted{{output: c.output}},
		})
		if p.done != c.want || p.of != 1 {
			t.Errorf("%s in %q: %v", c.value, c.output, p)
		}
	}
}

func TestGoldenCallsAreMatchedOneToOne(t *testing.T) {
	l := &schemas.AARLeg{Stops: []schemas.AARStop{{Bridge: schemas.AARBridge{ToolChain: []schemas.AARCall{
		goldenCall("serper_google_search", `{"query":"A"}`, ""), goldenCall("web_search", `{"query":"a"}`, ""),
		goldenCall("maps_elevation", `{"__from_previous_as_locations":"x"}`, ""),
		goldenCall("maps_reverse_geocode", `{"latitude":10.0,"longitude":20}`, ""), goldenCall(toolPython, `{"code":"1"}`, ""),
	}}}}}
	made := func(tool, args string) accepted { return accepted{tool: toolName(tool), args: []byte(args)} }
	for _, c := range []struct {
		calls []accepted
		want  part
	}{
		{nil, part{0, 3}},
		{[]accepted{made("web_search", `{"query":"a","num_results":3}`)}, part{1, 3}},
		{[]accepted{made("web_search", `{"query":"a"}`), made("serper_search", `{"query":"A"}`)}, part{2, 3}},
		{[]accepted{made("maps_reverse_geocode", `{"latitude":10.05,"longitude":20.1}`)}, part{1, 3}},
		{[]accepted{made("maps_reverse_geocode", `{"latitude":10.2,"longitude":20}`)}, part{0, 3}},
		{[]accepted{made("maps_reverse_geocode", `{"other":1}`), made("maps_elevation", `{}`), made("web_search", `x`)}, part{0, 3}},
	} {
		if got := callsMade(played{leg: l, calls: c.calls, offers: func(tool string) bool { return tool != toolPython }}); got != c.want {
			t.Errorf("%v: got %v, want %v", c.calls, got, c.want)
		}
	}
}

func TestRatesThatAreNull(t *testing.T) {
	l := &schemas.AARLeg{Passcode: 1, Stops: []schemas.AARStop{{Type: schemas.AARCompute}}}
	v := newVerdict(played{leg: l, offers: func(string) bool { return true }}, choices{open: func(string) (int, bool) { return 0, false }})
	if v.cause() != causeComputation || v.lostAll() || v.navigated() || !v.pages.null() || !v.tools.null() {
		t.Errorf("got %s, %+v", v.cause(), v)
	}
	m := (&cell{legs: []cellLeg{{runs: []*verdict{v}}}}).metrics()
	if m[metricPages].Value != nil || m[metricTools].Value != nil || m[metricPages].Den != 0 || m[metricRecovery].Value != nil {
		t.Errorf("got %+v", m)
	}
}
