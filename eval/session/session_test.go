package session_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/linkstest"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/eval/wikirace/racetest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// hosted returns a host of G9, where the redirect "Bee" leads to B and the one instance goes from A to T.
func hosted(strict bool) *session.Host {
	w := gametest.G9()
	resolve := func(title string) (uint32, bool) {
		if title == "Bee" {
			title = "B"
		}
		return w.Node(title)
	}
	return hostOf(strict, game.Defaults, linkstest.World(w), resolve, linkstest.Split{Name: "tiny", Tasks: tinyTasks(w)})
}

func tinyTasks(w *gametest.World) []game.Task {
	a, _ := w.Node("A")
	t, _ := w.Node("T")
	return []game.Task{racetest.TaskOf(racetest.Instance(w, "wr-tiny-0001", a, t))}
}

func hostOf(strict bool, rules func() schemas.GameOptions, w func(schemas.GameOptions) (game.World, error), resolve func(string) (uint32, bool), s linkstest.Split) *session.Host {
	h := &session.Host{
		Family: linkstest.Family(rules), Set: linkstest.Set(w, resolve, rules(), s), Options: links.Packed(rules()),
		Manner: family.Manner{Interface: schemas.InterfaceHTTP}, Replies: true, Strict: strict, Now: time.Now,
	}
	if err := h.Offer(nil, nil); err != nil {
		panic(err)
	}
	return h
}

func start(t *testing.T, h *session.Host, options string) *session.Session {
	t.Helper()
	s, err := h.Start(session.Request{Instance: "wr-tiny-0001", Options: json.RawMessage(options)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func title(s string) family.Reply { return family.Reply{Title: &s} }
func choice(i int) family.Reply   { return family.Reply{Choice: &i} }
func reply(s string) family.Reply { return family.Reply{Text: &s} }
func back() family.Reply          { return family.Reply{Back: true} }
func page(s *session.Session) string {
	return s.Observe().Observation.(game.Observation).Current.Title
}

// mustMove plays a turn that the host accepts.
func mustMove(t *testing.T, s *session.Session, step int, m family.Reply) session.Result {
	t.Helper()
	r, err := s.Move(step, m)
	if err != nil {
		t.Fatalf("step %d: %v", step, err)
	}
	return r
}

// refused makes a move that must be refused with the code, and that must change nothing.
func refused(t *testing.T, s *session.Session, step int, m family.Reply, code string) {
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
	var e *family.Refusal
	if !errors.As(err, &e) || e.Code != code {
		t.Errorf("got %v, want code %s", err, code)
	}
}

func TestTheSameMoveTwiceIsOneTurn(t *testing.T) {
	s := start(t, hosted(true), "")
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
			refused(t, s, i+1, title("nothing"), family.CodeStepPlayed)
		}
	}
	if last := results[4]; !last.Done || last.Outcome != schemas.OutcomeSuccess || s.Observe().Turns != 5 {
		t.Errorf("got %+v after %d turns, want success after 5", last, s.Observe().Turns)
	}
	refused(t, s, 6, title("A"), family.CodeGameOver)
}

func TestAMoveOutOfTurnIsRefused(t *testing.T) {
	s := start(t, hosted(true), "")
	refused(t, s, 2, title("B"), family.CodeStepAhead)
	refused(t, s, 0, title("B"), family.CodeBadField)
	refused(t, s, -1, title("B"), family.CodeBadField)
	mustMove(t, s, 1, title("B"))
	refused(t, s, 1, title("C"), family.CodeStepPlayed)
	refused(t, s, 3, title("C"), family.CodeStepAhead)
}

func TestAnIllegalChoiceIsTheHarnessesError(t *testing.T) {
	s := start(t, hosted(true), `{"back":"on"}`)
	for _, m := range []family.Reply{choice(3), choice(-1), title("T"), title("no such page"), back()} {
		refused(t, s, 1, m, family.CodeBadChoice)
	}
	refused(t, s, 1, family.Reply{}, family.CodeBadField)
	mustMove(t, s, 1, title("B"))
	if mustMove(t, s, 2, back()); page(s) != "A" {
		t.Errorf("back led to %s, want A", page(s))
	}
}

func TestAnIllegalChoiceIsTheModelsTurn(t *testing.T) {
	s := start(t, hosted(false), "")
	for i, c := range []struct {
		move   family.Reply
		reason string
	}{{choice(3), game.ReasonOutOfRange}, {title("T"), game.ReasonNotOffered}} {
		if got := mustMove(t, s, i+1, c.move); got.Valid || got.Reason != c.reason || page(s) != "A" {
			t.Errorf("got %+v on %s, want an invalid turn because of %s", got, page(s), c.reason)
		}
	}
	refused(t, s, 3, back(), family.CodeBackDisabled)
	if got := mustMove(t, s, 3, choice(-1)); got.Outcome != schemas.OutcomeFormat {
		t.Errorf("got %+v after three invalid turns", got)
	}
}

func TestTitlesResolveRedirectsUnlessPagesAreAnonymous(t *testing.T) {
	s := start(t, hosted(true), "")
	if mustMove(t, s, 1, title("Bee")); page(s) != "B" {
		t.Errorf("the redirect led to %s, want B", page(s))
	}
	s = start(t, hosted(true), `{"titles":"anon"}`)
	refused(t, s, 1, title("B"), family.CodeBadChoice)
	refused(t, s, 1, title("Bee"), family.CodeBadChoice)
	shown := s.Observe().Observation.(game.Observation).Links[1].Title
	if mustMove(t, s, 1, title(shown)); page(s) != shown {
		t.Errorf("%s led to %s", shown, page(s))
	}
}

func TestARawReplyIsParsed(t *testing.T) {
	s := start(t, hosted(true), "")
	if got := mustMove(t, s, 1, reply("I pick 3 or 4")); got.Valid || got.Reason != game.ReasonUnparsed {
		t.Errorf("got %+v, want an invalid turn", got)
	}
	if got := mustMove(t, s, 2, reply(`\boxed{9}`)); got.Valid || got.Reason != game.ReasonOutOfRange {
		t.Errorf("got %+v, want an invalid turn", got)
	}
	if got := mustMove(t, s, 3, reply("<answer>0</answer>")); !got.Valid {
		t.Errorf("got %+v, want a move", got)
	}
	h := hosted(true)
	h.Replies = false
	refused(t, start(t, h, ""), 1, reply("0"), family.CodeBadField)
}

// Under invalid=retry the same words may be said again in earnest: a model that repeats itself must reach the limit.
func TestAReplyThatCostsNothingLeavesTheStepOpen(t *testing.T) {
	s := start(t, hosted(true), `{"invalid":"retry"}`)
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
	refused(t, s, 1, reply("0"), family.CodeStepPlayed)
}

func TestGivingUpEndsTheGameOnce(t *testing.T) {
	s := start(t, hosted(true), "")
	first := mustMove(t, s, 1, title("B"))
	_, err := s.GiveUp(1)
	wantCode(t, err, family.CodeStepPlayed)
	_, err = s.GiveUp(3)
	wantCode(t, err, family.CodeStepAhead)
	for range 2 {
		if got, err := s.GiveUp(2); err != nil || got != (session.Ended{Done: true, Outcome: schemas.OutcomeGaveUp}) {
			t.Errorf("got %+v, %v", got, err)
		}
	}
	if again := mustMove(t, s, 1, title("B")); !reflect.DeepEqual(again, first) {
		t.Errorf("got %+v, want %+v", again, first)
	}
	refused(t, s, 2, title("C"), family.CodeGameOver)
	_, err = s.GiveUp(3)
	wantCode(t, err, family.CodeGameOver)
}

func TestOptionsAreCheckedAndMayBeFixed(t *testing.T) {
	h := hosted(true)
	for _, options := range []string{
		`{"max_links":1}`, `{"max_links":null}`, `{"max_links":"2"}`, `{"max_link":2}`, `{"max_links":2,"max_links":3}`, `[]`, `{`,
		`{"oracle":"SPH"}`, `{"oracle":"P","renderer":"chat"}`,
	} {
		_, err := h.Start(session.Request{Instance: "wr-tiny-0001", Options: json.RawMessage(options)})
		wantCode(t, err, family.CodeBadOption)
	}
	_, err := h.Start(session.Request{Instance: "wr-tiny-0002"})
	wantCode(t, err, family.CodeInstanceNotFound)
	for _, client := range []string{"../x", ".x", "a b", "-x", "é"} {
		_, err := h.Start(session.Request{Instance: "wr-tiny-0001", Client: client})
		wantCode(t, err, family.CodeBadField)
	}
	h.Fixed = true
	start(t, h, `{"max_steps":30}`)
	_, err = h.Start(session.Request{Instance: "wr-tiny-0001", Options: json.RawMessage(`{"max_steps":29}`)})
	wantCode(t, err, family.CodeBadOption)
}

func TestOnlyAnExposedHostTellsWhatTheOracleKnows(t *testing.T) {
	h := hosted(true)
	s := start(t, h, "")
	_, err := s.Trace()
	wantCode(t, err, family.CodeGameRunning)
	_, err = s.Oracle()
	wantCode(t, err, family.CodeNotFound)
	mustMove(t, s, 1, title("B"))
	_, _ = s.GiveUp(2)
	if steps := traced(t, s); steps[0]["optimal"] != nil || steps[0]["d_before"] != nil || steps[0]["d_after"] != nil || steps[0]["game"] != s.ID {
		t.Errorf("got %v", steps)
	}
	h.Exposed = true
	s = start(t, h, "")
	if o, err := oracle(s); err != nil || *o.Distance != 5 || o.Plan.Title != "B" || len(o.State.Visited) != 1 {
		t.Errorf("got %+v, %v", o, err)
	}
	mustMove(t, s, 1, title("B"))
	if o, _ := oracle(s); *o.Distance != 4 || len(o.State.Frontier) != 1 || o.State.Frontier[0].Title != "D" {
		t.Errorf("got %+v, want D alone as frontier", o.State)
	}
	_, _ = s.GiveUp(2)
	if steps := traced(t, s); steps[0]["optimal"] != true || steps[0]["d_before"] != 5.0 || steps[0]["d_after"] != 4.0 {
		t.Errorf("got %v", steps)
	}
}

func oracle(s *session.Session) (links.Oracle, error) {
	o, err := s.Oracle()
	if err != nil {
		return links.Oracle{}, err
	}
	return o.(links.Oracle), nil
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

func TestOptionsThatTellDistancesNeedAnExposedOracle(t *testing.T) {
	for text, open := range map[string]bool{
		`{"oracle":"S","renderer":"chat"}`: true, `{"oracle":"D","renderer":"chat"}`: false, `{"oracle":"B","renderer":"chat"}`: false,
		`{"oracle":"SPH","plan":"path"}`: false, `{"oracle":"SH","budget":"2*d+5"}`: false, `{"oracle":"SH","budget":"fixed","plan":"1"}`: true,
	} {
		for _, exposed := range []bool{false, true} {
			h := hosted(true)
			h.Exposed = exposed
			_, err := h.Start(session.Request{Instance: "wr-tiny-0001", Options: json.RawMessage(text)})
			if (err == nil) != (open || exposed) {
				t.Errorf("%s, exposed %v: %v", text, exposed, err)
			}
		}
	}
}
