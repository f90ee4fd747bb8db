package session_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// hosted gives a host of G9, where the redirect "Bee" leads to B and the one instance goes from A to T.
func hosted(by session.Mover) *session.Host {
	w := gametest.G9()
	f := &session.Wikirace{
		World:   func(schemas.GameOptions) (game.World, error) { return w, nil },
		Options: game.Defaults(), Replies: true, Resolve: func(title string) (uint32, bool) {
			if title == "Bee" {
				title = "B"
			}
			return w.Node(title)
		},
	}
	a, _ := w.Node("A")
	t, _ := w.Node("T")
	f.Add("tiny", []schemas.WikiraceInstance{w.Instance("wr-tiny-0001", a, t)})
	return &session.Host{Family: f, Mover: by, Now: time.Now}
}

func start(t *testing.T, h *session.Host, options string) *session.Session {
	t.Helper()
	s, err := h.Start(session.Request{Instance: "wr-tiny-0001", Options: json.RawMessage(options)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func title(s string) session.Move { return session.Move{Title: &s} }
func choice(i int) session.Move   { return session.Move{Choice: &i} }
func reply(s string) session.Move { return session.Move{Reply: &s} }
func back() session.Move          { return session.Move{Back: true} }
func page(s *session.Session) string {
	return s.Observe().Observation.(game.Observation).Current.Title
}

// mustMove plays a turn that the host accepts.
func mustMove(t *testing.T, s *session.Session, step int, m session.Move) session.Result {
	t.Helper()
	r, err := s.Move(step, m)
	if err != nil {
		t.Fatalf("step %d: %v", step, err)
	}
	return r
}

// refused makes a move that must be refused with the code, and that must change nothing.
func refused(t *testing.T, s *session.Session, step int, m session.Move, code string) {
	t.Helper()
	before := s.Observe()
	_, err := s.Move(step, m)
	wantCode(t, err, code)
	if was, is := canon.MustMarshal(before), canon.MustMarshal(s.Observe()); !bytes.Equal(was, is) {
		t.Errorf("a refused move changed the game from %s to %s", was, is)
	}
}

func wantCode(t *testing.T, err error, code string) {
	t.Helper()
	var e *session.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Errorf("got %v, want code %s", err, code)
	}
}

func TestTheSameMoveTwiceIsOneTurn(t *testing.T) {
	s := start(t, hosted(session.Harness), "")
	var results []session.Result
	path := []string{"B", "E", "G", "H", "T"}
	for i, name := range path {
		results = append(results, mustMove(t, s, i+1, title(name)))
	}
	for round := range 2 { // the second after the end of the game is settled
		for i, name := range path {
			if got := mustMove(t, s, i+1, title(name)); !reflect.DeepEqual(got, results[i]) {
				t.Errorf("round %d, step %d: got %+v, want %+v", round, i+1, got, results[i])
			}
			refused(t, s, i+1, title("nothing"), session.CodeStepPlayed)
		}
	}
	if last := results[4]; !last.Done || last.Outcome != schemas.OutcomeSuccess || s.Observe().Turns != 5 {
		t.Errorf("got %+v after %d turns, want success after 5", last, s.Observe().Turns)
	}
	refused(t, s, 6, title("A"), session.CodeGameOver)
}

func TestAMoveOutOfTurnIsRefused(t *testing.T) {
	s := start(t, hosted(session.Harness), "")
	refused(t, s, 2, title("B"), session.CodeStepAhead)
	refused(t, s, 0, title("B"), session.CodeBadField)
	refused(t, s, -1, title("B"), session.CodeBadField)
	mustMove(t, s, 1, title("B"))
	refused(t, s, 1, title("C"), session.CodeStepPlayed)
	refused(t, s, 3, title("C"), session.CodeStepAhead)
}

func TestAnIllegalChoiceIsTheHarnessesError(t *testing.T) {
	s := start(t, hosted(session.Harness), `{"back":"on"}`)
	for _, m := range []session.Move{choice(3), choice(-1), title("T"), title("no such page"), back()} {
		refused(t, s, 1, m, session.CodeBadChoice)
	}
	refused(t, s, 1, session.Move{}, session.CodeBadField)
	mustMove(t, s, 1, title("B"))
	if mustMove(t, s, 2, back()); page(s) != "A" {
		t.Errorf("back led to %s, want A", page(s))
	}
}

func TestAnIllegalChoiceIsTheModelsTurn(t *testing.T) {
	s := start(t, hosted(session.Model), "")
	for i, c := range []struct {
		move   session.Move
		reason string
	}{{choice(3), game.ReasonOutOfRange}, {title("T"), game.ReasonNotOffered}} {
		if got := mustMove(t, s, i+1, c.move); got.Valid || got.Reason != c.reason || page(s) != "A" {
			t.Errorf("got %+v on %s, want an invalid turn because of %s", got, page(s), c.reason)
		}
	}
	refused(t, s, 3, back(), session.CodeBackDisabled)
	if got := mustMove(t, s, 3, choice(-1)); got.Outcome != schemas.OutcomeFormat {
		t.Errorf("got %+v after three invalid turns", got)
	}
}

func TestTitlesResolveRedirectsUnlessPagesAreAnonymous(t *testing.T) {
	s := start(t, hosted(session.Harness), "")
	if mustMove(t, s, 1, title("Bee")); page(s) != "B" {
		t.Errorf("the redirect led to %s, want B", page(s))
	}
	s = start(t, hosted(session.Harness), `{"titles":"anon"}`)
	refused(t, s, 1, title("B"), session.CodeBadChoice)
	refused(t, s, 1, title("Bee"), session.CodeBadChoice)
	shown := s.Observe().Observation.(game.Observation).Links[1].Title
	if mustMove(t, s, 1, title(shown)); page(s) != shown {
		t.Errorf("%s led to %s", shown, page(s))
	}
}

func TestARawReplyIsParsed(t *testing.T) {
	s := start(t, hosted(session.Harness), "")
	if got := mustMove(t, s, 1, reply("I pick 3 or 4")); got.Valid || got.Reason != game.ReasonUnparsed {
		t.Errorf("got %+v, want an invalid turn", got)
	}
	if got := mustMove(t, s, 2, reply(`\boxed{9}`)); got.Valid || got.Reason != game.ReasonOutOfRange {
		t.Errorf("got %+v, want an invalid turn", got)
	}
	if got := mustMove(t, s, 3, reply("<answer>0</answer>")); !got.Valid {
		t.Errorf("got %+v, want a move", got)
	}
	h := hosted(session.Harness)
	h.Family.(*session.Wikirace).Replies = false
	refused(t, start(t, h, ""), 1, reply("0"), session.CodeBadField)
}

// Under invalid=retry the same words may be said again in earnest: a model that repeats itself must reach the limit.
func TestAReplyThatCostsNothingLeavesTheStepOpen(t *testing.T) {
	s := start(t, hosted(session.Harness), `{"invalid":"retry"}`)
	for range 2 {
		if got := mustMove(t, s, 1, reply("hm")); got.Valid || got.Done {
			t.Errorf("got %+v", got)
		}
	}
	last := mustMove(t, s, 1, reply("hm"))
	if last.Outcome != schemas.OutcomeFormat {
		t.Errorf("got %+v after three replies in a row", last)
	}
	if again := mustMove(t, s, 1, reply("hm")); !reflect.DeepEqual(again, last) {
		t.Errorf("got %+v, want %+v", again, last)
	}
	refused(t, s, 1, reply("0"), session.CodeStepPlayed)
}

func TestGivingUpEndsTheGameOnce(t *testing.T) {
	s := start(t, hosted(session.Harness), "")
	first := mustMove(t, s, 1, title("B"))
	_, err := s.GiveUp(1)
	wantCode(t, err, session.CodeStepPlayed)
	_, err = s.GiveUp(3)
	wantCode(t, err, session.CodeStepAhead)
	for range 2 {
		if got, err := s.GiveUp(2); err != nil || got != (session.Ended{Done: true, Outcome: schemas.OutcomeGaveUp}) {
			t.Errorf("got %+v, %v", got, err)
		}
	}
	if again := mustMove(t, s, 1, title("B")); !reflect.DeepEqual(again, first) {
		t.Errorf("got %+v, want %+v", again, first)
	}
	refused(t, s, 2, title("C"), session.CodeGameOver)
	_, err = s.GiveUp(3)
	wantCode(t, err, session.CodeGameOver)
}

func TestOptionsAreCheckedAndMayBeFixed(t *testing.T) {
	h := hosted(session.Harness)
	f := h.Family.(*session.Wikirace)
	for _, options := range []string{
		`{"max_links":1}`, `{"max_links":null}`, `{"max_links":"2"}`, `{"max_link":2}`, `{"max_links":2,"max_links":3}`, `[]`, `{`,
		`{"oracle":"SPH"}`, `{"oracle":"P","renderer":"chat"}`,
	} {
		_, err := h.Start(session.Request{Instance: "wr-tiny-0001", Options: json.RawMessage(options)})
		wantCode(t, err, session.CodeBadOption)
	}
	_, err := h.Start(session.Request{Instance: "wr-tiny-0002"})
	wantCode(t, err, session.CodeInstanceNotFound)
	for _, client := range []string{"../x", ".x", "a b", "-x", "é"} {
		_, err := h.Start(session.Request{Instance: "wr-tiny-0001", Client: client})
		wantCode(t, err, session.CodeBadField)
	}
	f.Fixed = true
	start(t, h, `{"max_steps":30}`)
	_, err = h.Start(session.Request{Instance: "wr-tiny-0001", Options: json.RawMessage(`{"max_steps":29}`)})
	wantCode(t, err, session.CodeBadOption)
}

func TestOnlyAnExposedHostTellsWhatTheOracleKnows(t *testing.T) {
	h := hosted(session.Harness)
	s := start(t, h, "")
	_, err := s.Trace()
	wantCode(t, err, session.CodeGameRunning)
	_, err = s.Oracle()
	wantCode(t, err, session.CodeNotFound)
	mustMove(t, s, 1, title("B"))
	_, _ = s.GiveUp(2)
	if steps := traced(t, s); steps[0]["optimal"] != nil || steps[0]["d_before"] != nil || steps[0]["d_after"] != nil || steps[0]["game"] != s.ID {
		t.Errorf("got %v", steps)
	}
	h.Exposed, h.Family.(*session.Wikirace).Exposed = true, true
	s = start(t, h, "")
	if o, err := s.Oracle(); err != nil || o.Distance != 5 || o.Plan.Title != "B" || len(o.State.Visited) != 1 {
		t.Errorf("got %+v, %v", o, err)
	}
	mustMove(t, s, 1, title("B"))
	if o, _ := s.Oracle(); o.Distance != 4 || len(o.State.Frontier) != 1 || o.State.Frontier[0].Title != "D" {
		t.Errorf("got %+v, want D alone as frontier", o.State)
	}
	_, _ = s.GiveUp(2)
	if steps := traced(t, s); steps[0]["optimal"] != true || steps[0]["d_before"] != 5.0 || steps[0]["d_after"] != 4.0 {
		t.Errorf("got %v", steps)
	}
}

func traced(t *testing.T, s *session.Session) (steps []map[string]any) {
	t.Helper()
	trace, err := s.Trace()
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(trace)
	if err == nil {
		err = json.Unmarshal(data, &steps)
	}
	if err != nil {
		t.Fatal(err)
	}
	return steps
}
