// Package familytest is the suite that every family must pass: what the doors rely on and no compiler
// checks. It is imported by tests only.
package familytest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/wikinav/wikinav/artifacts/dag"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/play"
	"github.com/wikinav/wikinav/eval/retell"
	"github.com/wikinav/wikinav/eval/serve"
	"github.com/wikinav/wikinav/eval/serve/servetest"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

type Subject struct {
	Family  family.Family
	Options family.Options
	Set     family.Set
	Run     schemas.Run  // the release that the set is of
	Wrong   family.Reply // which wins nothing, however often it is given
}

type Player func(e family.Episode, seat family.Seat) func() (family.Reply, error)

// Check checks all that the contract promises.
func Check(t *testing.T, s Subject) {
	t.Run("options", s.options)
	t.Run("tasks", s.tasks)
	t.Run("episodes", s.episodes)
	t.Run("baselines", s.baselines)
	t.Run("wrong replies", s.wrong)
	t.Run("foreign logs", s.foreign)
	t.Run("expenses", s.expenses)
	t.Run("drawings", s.drawings)
	t.Run("templates", s.templates)
	t.Run("lessons", s.lessons)
	t.Run("marks", s.marks)
	t.Run("budgets", s.budgets)
}

// drawings draws every task twice where the set can.
func (s Subject) drawings(t *testing.T) {
	drawn, ok := s.Set.(family.Drawn)
	if !ok {
		t.Skip("instances of this family cannot be drawn")
	}
	for _, task := range s.all() {
		d, err := drawn.Drawing(task)
		if err != nil {
			t.Fatalf("%s: %v", task.ID, err)
		}
		again, err := drawn.Drawing(task)
		if err != nil || !bytes.Equal(d.SVG(dag.Inline), again.SVG(dag.Inline)) {
			t.Fatalf("%s: drawn twice it differs, %v", task.ID, err)
		}
		if len(d.Nodes) == 0 || d.Width == 0 || d.Title == "" || d.Says == "" {
			t.Fatalf("%s: %d nodes in a drawing %d wide, %q: %q", task.ID, len(d.Nodes), d.Width, d.Title, d.Says)
		}
	}
	if _, err := drawn.Drawing(family.Task{ID: "no such task", Instance: "no such task"}); err == nil {
		t.Error("a task that there is not is drawn")
	}
}

func (s Subject) options(t *testing.T) {
	o, err := s.Family.Options(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range []json.RawMessage{nil, json.RawMessage("{}"), o.JSON} {
		again, err := s.Family.ReadOptions(data)
		if err != nil || !bytes.Equal(again.JSON, o.JSON) {
			t.Errorf("options %s: got %s, %v, want %s", data, again.JSON, err, o.JSON)
		}
	}
	again, err := s.Family.ReadOptions(s.Options.JSON)
	if err != nil || !bytes.Equal(again.JSON, s.Options.JSON) {
		t.Errorf("options %s are read as %s, %v", s.Options.JSON, again.JSON, err)
	}
	if _, err := s.Family.Options([]string{"no_such_rule=1"}); !errors.Is(err, fault.Usage) {
		t.Errorf("a rule that there is not: %v", err)
	}
	if _, err := s.Family.ReadOptions(json.RawMessage(`{"no_such_rule":1}`)); !errors.Is(err, fault.Usage) {
		t.Errorf("a field that there is not: %v", err)
	}
	chat := family.Manner{Interface: schemas.InterfaceChat}
	w, err := s.Family.Words(o, chat)
	if err != nil || w.Prompt == nil || w.Parser == nil && s.start(t, s.all()[0]).Tools() == nil {
		t.Errorf("a model's words: %+v, %v", w, err)
	}
	chat.Parser = "no-such-parser"
	if _, err := s.Family.Words(o, chat); !errors.Is(err, fault.Usage) {
		t.Errorf("a parser that there is not: %v", err)
	}
}

// Tasks lists the tasks of a split, all of them.
func Tasks(t testing.TB, set family.Set, split string) []family.Task {
	t.Helper()
	list, err := set.Tasks(split, 0)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func (s Subject) all() []family.Task {
	var tasks []family.Task
	for _, split := range s.Set.Splits() {
		list, _ := s.Set.Tasks(split.Name, 0)
		tasks = append(tasks, list...)
	}
	return tasks
}

// secret are words that no player may find among the keys of what it sees before it plays.
var secret = []string{"answer", "best", "class", "distance", "features", "gold", "optimal", "path", "witness"}

func (s Subject) tasks(t *testing.T) {
	if Tasks(t, s.Set, "no such split") != nil {
		t.Error("a split that there is not has tasks")
	}
	seen := map[string]bool{}
	for _, split := range s.Set.Splits() {
		first, err := s.Set.Tasks(split.Name, 1)
		if err != nil || len(first) != 1 {
			t.Fatalf("split %s: the first task: %v, %v", split.Name, first, err)
		}
		tasks := Tasks(t, s.Set, split.Name)
		if len(tasks) == 0 || split.Got > split.Requested {
			t.Errorf("split %+v has %d tasks", split, len(tasks))
		}
		again := Tasks(t, s.Set, split.Name)
		if !reflect.DeepEqual(first, tasks[:1]) || !reflect.DeepEqual(tasks, again) {
			t.Errorf("split %s: the tasks change", split.Name)
		}
		for _, task := range tasks {
			if task.ID == "" || task.Instance == "" || task.Split != split.Name || seen[task.ID] {
				t.Errorf("task %+v of split %s", task, split.Name)
			}
			seen[task.ID] = true
			noSecret(t, task.Info)
		}
	}
}

func noSecret(t *testing.T, v any) {
	t.Helper()
	var object map[string]json.RawMessage
	if err := json.Unmarshal(canon.MustMarshal(v), &object); err != nil {
		t.Errorf("%v is not an object: %v", v, err)
	}
	for key := range object {
		if slices.Contains(secret, key) {
			t.Errorf("%s tells the %s", canon.MustMarshal(v), key)
		}
	}
}

var manner = family.Manner{Interface: schemas.InterfaceLines}

func (s Subject) start(t *testing.T, task family.Task) family.Episode {
	e, err := s.Set.Start(task, s.Options, manner)
	if err != nil {
		t.Fatal(err)
	}
	if n, ok := e.(family.Named); ok {
		n.Name(s.Family.Layout().Item(task.ID, 1))
	}
	return e
}

func (s Subject) episodes(t *testing.T) {
	layout := s.Family.Layout()
	for _, task := range s.all()[:1] {
		e := s.start(t, task)
		before := canon.MustMarshal(e.Observe())
		noSecret(t, e.Observe())
		if e.Step() != 1 || e.Outcome() != "" || len(e.Messages()) == 0 {
			t.Errorf("%s begins at step %d with outcome %q and %d messages", task.ID, e.Step(), e.Outcome(), len(e.Messages()))
		}
		if !reflect.DeepEqual(e.Messages(), e.Messages()) {
			t.Errorf("%s: asking changes the messages", task.ID)
		}
		wrong := -1
		for _, r := range []family.Reply{{}, {Choice: &wrong, Strict: true}} {
			var refusal *family.Refusal
			if _, err := e.Act(r); !errors.As(err, &refusal) || refusal.Code == "" {
				t.Errorf("%s, reply %+v: %v, want a refusal", task.ID, r, err)
			}
		}
		if after := canon.MustMarshal(e.Observe()); e.Step() != 1 || !bytes.Equal(before, after) {
			t.Errorf("%s: a refusal changes %s into %s", task.ID, before, after)
		}
		e.Stop(schemas.OutcomeInfra)
		e.Stop(schemas.OutcomeGaveUp)
		if e.Outcome() != schemas.OutcomeInfra {
			t.Errorf("%s: stopped as %q", task.ID, e.Outcome())
		}
		reason := "no route"
		record := e.Record(family.Recording{Run: &s.Run, Item: layout.Item(task.ID, 1), Attempt: 1, Reason: &reason})
		line := canon.MustMarshal(record.Main)
		key, err := layout.Key(line)
		if err != nil || key != layout.Item(task.ID, 1) {
			t.Errorf("%s: the line %s is of item %q, %v, want %q", task.ID, line, key, err, layout.Item(task.ID, 1))
		}
		entry, err := layout.Entry(line)
		if err != nil || entry.Infra == nil || *entry.Infra != reason || entry.Attempt != 1 || entry.Instance != task.Instance {
			t.Errorf("%s: the line %s is the entry %+v, %v", task.ID, line, entry, err)
		}
	}
}

// Play plays the episodes of tasks into a run directory and returns that.
func (s Subject) Play(t *testing.T, tasks []family.Task, name, kind string, p Player) string {
	t.Helper()
	return s.playRun(t, tasks, s.run(name, kind), manner, p)
}

func (s Subject) playRun(
	t *testing.T, tasks []family.Task, run schemas.Run, manner family.Manner, p Player,
) string {
	t.Helper()
	who := play.Player{Player: run.Model, Start: func(e family.Episode, seat family.Seat, _ json.RawMessage) play.Agent {
		next := p(e, seat)
		return play.Agent{Reply: func(context.Context) (family.Reply, error) { return next() }}
	}}
	dir := t.TempDir()
	n, err := play.Run(t.Context(), play.Config{
		Dir: dir, Run: run, Family: s.Family, Set: s.Set, Tasks: tasks, Options: s.Options, Manner: manner, Player: who, Workers: 1,
		Now: func() time.Time { return time.Unix(0, 0) },
	})
	if err != nil || n != len(tasks) {
		t.Fatalf("%s plays %d of %d tasks: %v", run.Run, n, len(tasks), err)
	}
	return dir
}

func (s Subject) run(name, kind string) schemas.Run {
	run := s.Run
	run.Schema, run.Family, run.Attempts, run.Seed = schemas.RunSchema, s.Family.Name(), 1, 7
	run.Model = schemas.Player{Name: name, Kind: kind}
	run.Rules = schemas.Rules{Options: s.Options.JSON, Interface: schemas.InterfaceBuiltin}
	run.RulesSHA256 = family.RulesSHA256(run.Rules)
	run.Run = name
	for _, split := range s.Set.Splits() {
		run.Splits = append(run.Splits, split.Name)
	}
	return run
}

func (s Subject) Score(t *testing.T, path string, req family.Request) (*family.Scores, error) {
	t.Helper()
	log, err := trace.Open(path, s.Family.Layout())
	if err != nil {
		t.Fatal(err)
	}
	return s.Set.Score(log, req)
}

// Value returns the value of the metric that ranks in a row; 0 where it has none.
func (s Subject) Value(row family.Row) float64 {
	for _, c := range s.Family.Columns() {
		if m, has := row.Metrics[c.Metric]; has && m.Value != nil {
			return judge.Number(*m.Value)
		} else if has {
			return 0
		}
	}
	return 0
}

// whole lists the rows that cover a split, in each variant.
func whole(rows []family.Row) []family.Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r family.Row) bool { return !r.Whole() })
}

func (s Subject) baselines(t *testing.T) {
	best, others := map[string]float64{}, map[string]float64{}
	for _, b := range s.Set.Baselines() {
		var tasks []family.Task
		for _, task := range s.all() {
			if b.Plays(task.Split) {
				tasks = append(tasks, task)
			}
		}
		at := map[string]family.Episode{}
		dir := s.Play(t, tasks, b.Name, b.Kind, func(e family.Episode, seat family.Seat) func() (family.Reply, error) {
			at[seat.Task.ID] = e
			return b.Start(e, seat)
		})
		if again := s.Play(t, tasks, b.Name, b.Kind, b.Start); !bytes.Equal(main(t, s, dir), main(t, s, again)) {
			t.Errorf("%s plays otherwise the second time", b.Name)
		}
		if err := s.Family.Layout().Check(dir); err != nil {
			t.Errorf("%s: %v", b.Name, err)
		}
		scores, err := s.Score(t, dir, family.Request{})
		if err != nil {
			t.Fatalf("%s: %v %+v", b.Name, err, scores)
		}
		if len(scores.Results) != len(tasks) {
			t.Errorf("%s: %d results of %d tasks", b.Name, len(scores.Results), len(tasks))
		}
		s.rewards(t, b.Name, at, scores.Results)
		s.retell(t, dir)
		for _, row := range whole(scores.Rows) {
			if row.Metrics == nil || row.Missing > 0 && len(b.Splits) == 0 {
				t.Errorf("%s: row %+v", b.Name, row)
			}
			if b.Kind == schemas.KindOracle {
				best[row.Split] = max(best[row.Split], s.Value(row))
			} else {
				others[row.Split] = max(others[row.Split], s.Value(row))
			}
		}
	}
	for split, value := range others {
		if value > best[split] {
			t.Errorf("split %s: a player that knows nothing has %v, the best oracle %v", split, value, best[split])
		}
	}
}

// rewards compares what episodes say of themselves at their end with what the score says of them.
func (s Subject) rewards(t *testing.T, player string, at map[string]family.Episode, results []family.Result) {
	t.Helper()
	for _, r := range results {
		e := at[r.Task]
		if e == nil {
			continue // a task of a split that the player does not play
		}
		won := family.Won(e)
		if won != r.Success {
			t.Errorf("%s, %s: won %v, the score says %v", player, r.Task, won, r.Success)
		}
		if m, ok := e.(family.Measured); ok && won && (m.Left() == nil || *m.Left() != 0) {
			t.Errorf("%s, %s: won, and %v turns are left", player, r.Task, m.Left())
		}
	}
}

// retell makes the turns of a run again: each comes to its end, and to the outcome that the log has
// where it has one; who plays at best has nothing left at its end.
func (s Subject) retell(t *testing.T, dir string) {
	t.Helper()
	log, err := trace.Open(dir, s.Family.Layout())
	if err != nil {
		t.Fatal(err)
	}
	run, err := retell.Open(s.Family, s.Set, s.Options, log)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(main(t, s, dir)) {
		key, _ := log.Layout.Key(line)
		entry, _ := log.Layout.Entry(line)
		told, err := run.Tell(key)
		if err != nil {
			t.Fatal(err)
		}
		var logged struct{ Outcome string }
		_ = json.Unmarshal(line, &logged)
		if told.Untold != "" || told.Ended == "" || len(told.Turns) != entry.Turns ||
			logged.Outcome != "" && logged.Outcome != told.Ended {
			t.Errorf("%s has %d turns and the outcome %q; told are %d, %q, %s", line, entry.Turns, logged.Outcome,
				len(told.Turns), told.Ended, told.Untold)
		}
	}
	for _, task := range s.all() {
		best, err := retell.Best(s.Set, task, s.Options)
		if err != nil || best.Untold != "" || len(best.Turns) == 0 {
			t.Fatalf("the best game of %s: %+v, %v", task.ID, best, err)
		}
		if left := best.Turns[len(best.Turns)-1].After; left == nil || *left != 0 {
			t.Errorf("%s: the best game %+v has something left", task.ID, best)
		}
	}
}

func main(t *testing.T, s Subject, dir string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, s.Family.Layout().Main))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func (s Subject) stubborn(family.Episode, family.Seat) func() (family.Reply, error) {
	return func() (family.Reply, error) { return s.Wrong, nil }
}

func (s Subject) wrong(t *testing.T) {
	scores, err := s.Score(t, s.Play(t, s.all(), "stubborn", schemas.KindLocal, s.stubborn), family.Request{})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range scores.Rows {
		if s.Value(row) != 0 || row.N == 0 {
			t.Errorf("wrong replies score %v in %s %v of %d", s.Value(row), row.Split, row.By, row.N)
		}
	}
}

// expenses plays games at a server whose client tells tokens and cost of every turn, and wants their
// sums in the score, and no cost of games one turn of which tells none.
func (s Subject) expenses(t *testing.T) {
	for _, silent := range []bool{false, true} {
		dir, turns := s.serve(t, silent)
		scores, err := s.Score(t, dir, family.Request{Partial: true})
		if err != nil {
			t.Fatal(err)
		}
		row := whole(scores.Rows)[0]
		want := schemas.Usage{Prompt: 30 * turns, Output: 4 * turns, Reasoning: turns}
		if row.Usage == nil || *row.Usage != want {
			t.Errorf("%d turns used %+v, want %+v", turns, row.Usage, want)
		}
		switch {
		case silent && (row.Cost != nil || row.Currency != nil):
			t.Errorf("one turn tells no cost, and yet all cost %s", *row.Cost)
		case silent:
		case row.Cost == nil || row.Currency == nil || *row.Currency != schemas.DefaultCurrency:
			t.Errorf("%d turns cost nothing that is known", turns)
		case *row.Cost != canon.Decimal(float64(turns)*0.0125):
			t.Errorf("%d turns cost %s", turns, *row.Cost)
		}
	}
}

// serve plays the first task over HTTP to its end, every answer as the server's document says, and
// returns the run and how many turns there were. Of the first a silent client does not tell the cost.
func (s Subject) serve(t *testing.T, silent bool) (dir string, turns int64) {
	t.Helper()
	now := func() time.Time { return time.Unix(0, 0) }
	h := &session.Host{
		Family: s.Family, Set: s.Set, Options: s.Options, Now: now, Replies: true,
		Manner: family.Manner{Interface: schemas.InterfaceHTTP},
	}
	must(t, h.Offer(nil, nil))
	run := s.Run
	run.Splits, run.Attempts, run.Model.Kind = h.Splits(), 1, schemas.KindHTTP
	root := t.TempDir()
	runs := session.NewRuns(root, h, run, now)
	h.Log = runs
	server, err := servetest.Of(serve.New(serve.Config{
		Host: h, Manifest: &release.Manifest{ID: "0123456789abcdef"}, Limits: serve.DefaultLimits(),
		Failed: func(err error) { t.Error(err) },
	}))
	must(t, err)
	ask := func(method, path string, body any, into any) {
		t.Helper()
		var sent []byte
		if body != nil {
			sent = canon.MustMarshal(body)
		}
		status, answer, err := server.Ask(method, path, sent)
		if must(t, err); status >= 300 {
			t.Fatalf("%s %s %s: %s", method, path, sent, answer)
		}
		must(t, json.Unmarshal(answer, into))
	}
	var game struct{ Game string }
	ask("GET", "/v1/instances", nil, new(any))
	ask("POST", "/v1/games", map[string]any{"instance": s.all()[0].ID}, &game)
	at := "/v1/games/" + game.Game
	for done := false; !done; turns++ {
		path, body := s.wrongTurn()
		body["step"], body["usage"] = turns+1, schemas.Usage{Prompt: 30, Output: 4, Reasoning: 1}
		if !silent || turns > 0 {
			body["cost"] = "0.0125"
		}
		var result struct{ Done bool }
		ask("POST", at+path, body, &result)
		done = result.Done
	}
	ask("GET", at, nil, new(any))
	if status, answer, err := server.Ask("GET", at+"/trace", nil); err != nil || status != 200 && status != 404 {
		t.Errorf("the trace: %d, %s, %v", status, answer, err)
	}
	must(t, runs.Close())
	found, err := filepath.Glob(filepath.Join(root, "*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("runs %v, %v", found, err)
	}
	return found[0], turns
}

// wrongTurn returns the route of the wrong reply, and its body.
func (s Subject) wrongTurn() (path string, body map[string]any) {
	switch r := s.Wrong; {
	case r.Answer != nil:
		return "/answer", map[string]any{"answer": *r.Answer}
	case r.Calls != nil:
		var calls []any
		for _, c := range r.Calls {
			calls = append(calls, map[string]any{"tool": c.Name, "args": c.Arguments})
		}
		return "/calls", map[string]any{"calls": calls}
	case r.Choice != nil:
		return "/move", map[string]any{"choice": *r.Choice}
	case r.Title != nil:
		return "/move", map[string]any{"title": *r.Title}
	}
	return "/move", map[string]any{"reply": *s.Wrong.Text}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (s Subject) foreign(t *testing.T) {
	other := s
	other.Run.ReleaseID = "another"
	dir := other.Play(t, s.all()[:1], "stubborn", schemas.KindLocal, s.stubborn)
	if scores, err := s.Score(t, dir, family.Request{}); !errors.Is(err, fault.Mismatch) || scores != nil {
		t.Errorf("a log of another release: %v, %v", scores, err)
	}
	dir = s.Play(t, s.all()[:1], "stubborn", schemas.KindLocal, s.stubborn)
	if _, err := s.Score(t, dir, family.Request{Splits: []string{"no such split"}}); !errors.Is(err, fault.Usage) {
		t.Errorf("a split that there is not: %v", err)
	}
	scores, err := s.Score(t, dir, family.Request{})
	if err != nil {
		t.Fatal(err)
	}
	missing := 0
	for _, row := range whole(scores.Rows) {
		missing += row.Missing
	}
	if want := len(s.all()) - 1; missing != want {
		t.Errorf("%d tasks are missing, want %d", missing, want)
	}
}
