package links_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/eval/constrained/bantest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/family/familytest"
	"github.com/wikinav/wikinav/eval/links"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/eval/wikirace/racetest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

var (
	free  = links.Rules{Defaults: game.Defaults}
	fence = links.Rules{Defaults: func() schemas.GameOptions {
		o := game.BanDefaults()
		o.Revisit, o.Invalid = game.RevisitAllow, game.InvalidConsume
		return o
	}}
)

// setOf returns the set of one split over a test world; the redirect "Start" leads to node 0.
func setOf(w *gametest.World, rules links.Rules, tasks ...game.Task) *links.Set {
	return links.New(replay.Release{
		Family: "test", Name: "test", ID: "id", ManifestSHA256: "sum", Defaults: rules.Defaults(),
		Splits: []replay.Split{{Split: family.Split{Name: "easy", SHA256: "s", Requested: len(tasks), Got: len(tasks)}, Tasks: tasks}},
		World:  func(schemas.GameOptions) (game.World, error) { return w, nil },
		Resolve: func(bool) (func(string) (uint32, bool), error) {
			return func(title string) (uint32, bool) {
				if title == "Start" {
					return 0, true
				}
				return w.Node(title)
			}, nil
		},
	}, func(t game.Task, split string) links.Info { return links.InfoOf(t, split, 30, 50) })
}

func plain(t testing.TB) *links.Set {
	w := gametest.G9()
	return setOf(w, free, racetest.TaskOf(racetest.Instance(w, "wr-1", 0, 8)))
}

func banned(t testing.TB) *links.Set {
	w := gametest.K7()
	return setOf(w, fence, bantest.TaskOf(bantest.Banned(w, "cw-1", 0, 5, "Work")))
}

func optionsOf(t testing.TB, r links.Rules, texts ...string) family.Options {
	t.Helper()
	o, err := r.Options(texts)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func start(t testing.TB, s *links.Set, o family.Options, m family.Manner) family.Episode {
	t.Helper()
	e, err := s.Start(familytest.Tasks(t, s, "easy")[0], o, m)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func text(s string) family.Reply  { return family.Reply{Text: &s} }
func choice(i int) family.Reply   { return family.Reply{Choice: &i} }
func title(s string) family.Reply { return family.Reply{Title: &s} }
func call(name, args string) family.Reply {
	return family.Reply{Calls: []family.Call{{Name: name, Arguments: json.RawMessage(args)}}}
}

func strict(r family.Reply) family.Reply {
	r.Strict = true
	return r
}

func saying(r family.Reply, fields ...string) family.Reply {
	r.Stated = map[string]string{}
	for _, f := range fields {
		r.Stated[f] = "why"
	}
	return r
}

// TestAnEpisodeReadsEveryFormOfAReply plays one reply on the first page: A with links to B, C and D, and under a
// ban S with a link to A.
func TestAnEpisodeReadsEveryFormOfAReply(t *testing.T) {
	const chat, lines, human, http, mcp, builtin = schemas.InterfaceChat, schemas.InterfaceLines, schemas.InterfaceHuman,
		schemas.InterfaceHTTP, schemas.InterfaceMCP, schemas.InterfaceBuiltin
	structured := `{"next_page":"A","reasoning":"r","restriction_reasoning":"k"}`
	for _, c := range []struct {
		ban   bool
		at    string
		reply family.Reply
		want  string // "" for a move, else the reason, the outcome, or the code of a refusal
	}{
		{false, builtin, choice(0), ""},
		{false, builtin, choice(9), game.ReasonOutOfRange},
		{false, http, strict(choice(9)), family.CodeBadChoice},
		{false, http, strict(title("Z")), family.CodeBadChoice},
		{false, http, title("B"), ""},
		{false, http, title("Start"), game.ReasonNotOffered},
		{false, http, text("<answer>1</answer>"), ""},
		{false, http, family.Reply{Back: true}, family.CodeBackDisabled},
		{false, http, family.Reply{}, family.CodeBadField},
		{false, http, saying(choice(0), "reasoning"), family.CodeBadField},
		{false, chat, text("no number"), game.ReasonUnparsed},
		{false, chat, text("2"), ""},
		{false, lines, text("2"), ""},
		{false, lines, text("-1"), game.ReasonOutOfRange},
		{false, lines, text("back"), game.ReasonBackOff},
		{false, lines, text("NO_PATH"), game.ReasonUnparsed},
		{false, lines, text(structured), game.ReasonUnparsed},
		{false, human, text("1"), ""},
		{false, mcp, call("click_link", `{"step":1,"choice":2}`), ""},
		{false, mcp, call("click_link", `{"step":1,"title":"B"}`), ""},
		{false, mcp, call("click_link", `{"step":1,"title":"Z"}`), game.ReasonNotOffered},
		{false, mcp, call("click_link", `{"step":1}`), family.CodeBadField},
		{false, mcp, call("click_link", `{"step":1,"choice":0,"title":"B"}`), family.CodeBadField},
		{false, mcp, call("go_back", `{"step":1}`), family.CodeBackDisabled},
		{false, mcp, text("1"), family.CodeBadField},
		{true, chat, text(structured), ""},
		{true, chat, text("A"), game.ReasonFormat},
		{true, human, text("A"), ""},
		{true, lines, text(structured), ""},
		{true, lines, text("0"), ""},
		{true, lines, text("NO_PATH"), schemas.OutcomeNoPath},
		{true, http, saying(title("A"), "reasoning", "restriction_reasoning"), ""},
		{true, http, saying(choice(0), "restriction_reasoning"), family.CodeBadField},
		{true, http, saying(text("0"), "reasoning"), game.ReasonFormat},
		{true, http, strict(title("NO_PATH")), schemas.OutcomeNoPath},
		{true, mcp, call("click_link", `{"step":1,"next_page":"A","reasoning":"r","restriction_reasoning":""}`), ""},
		{true, mcp, call("click_link", `{"step":1,"next_page":"A"}`), family.CodeBadField},
	} {
		set, rules := plain(t), free
		if c.ban {
			set, rules = banned(t), fence
		}
		e := start(t, set, optionsOf(t, rules), family.Manner{Interface: c.at})
		turn, err := e.Act(c.reply)
		got := turn.Reason
		var refused *family.Refusal
		if errors.As(err, &refused) {
			got = refused.Code
		} else if err != nil {
			t.Fatal(err)
		}
		if got == game.ReasonNoPath {
			got = e.Outcome()
		}
		if got != c.want || turn.Valid != (c.want == "") {
			t.Errorf("ban %v, %s, %s: got %q (%v), want %q", c.ban, c.at, canon.MustMarshal(c.reply), got, err, c.want)
		}
		if (refused != nil) != (e.Step() == 1 && e.Outcome() == "") {
			t.Errorf("%s: the refusal %v, and step %d is to come", c.at, refused, e.Step())
		}
	}
}

// keep writes an episode as a run of one game, and scores it.
func keep(t *testing.T, s *links.Set, r links.Rules, o family.Options, m family.Manner, e family.Episode) *family.Scores {
	t.Helper()
	words, err := r.Words(o, m)
	if err != nil {
		t.Fatal(err)
	}
	run := schemas.Run{
		Schema: schemas.RunSchema, Run: "run", ReleaseID: "id", ManifestSHA256: "sum", Family: "test", Splits: []string{"easy"}, Attempts: 1,
		Model: schemas.Player{Name: "me", Kind: schemas.KindLocal}, Price: &schemas.Price{PromptPerMTok: "1", OutputPerMTok: "2", Currency: "EUR"},
		Rules: schemas.Rules{Options: o.JSON, Prompt: words.Prompt, Parser: words.Parser, Interface: m.Interface, ResponseFormat: words.Format},
	}
	run.RulesSHA256 = family.RulesSHA256(run.Rules)
	dir, layout := t.TempDir(), r.Layout()
	rec := e.Record(family.Recording{Run: &run, Item: layout.Item(familytest.Tasks(t, s, "easy")[0].ID, 1), Attempt: 1, Started: time.Unix(0, 0), Ended: time.Unix(1, 0)})
	write := func(name string, lines ...any) {
		var data []byte
		for _, l := range lines {
			data = append(append(data, canon.MustMarshal(l)...), '\n')
		}
		if err := whole.WriteFile(dir, name, data); err != nil {
			t.Fatal(err)
		}
	}
	write(layout.Side, rec.Side...)
	write(layout.Main, rec.Main)
	write(trace.RunFile, run)
	if err := layout.Check(dir); err != nil {
		t.Fatal(err)
	}
	log, err := trace.Open(filepath.Join(dir, layout.Main), layout)
	if err != nil {
		t.Fatal(err)
	}
	scores, err := s.Score(log, family.Request{})
	if err != nil {
		t.Fatalf("%s: %v: %+v", m.Interface, err, scores)
	}
	return scores
}

// TestWhatAnEpisodeRecordsIsWhatTheReplayFinds plays the same games at every interface, with mistakes.
func TestWhatAnEpisodeRecordsIsWhatTheReplayFinds(t *testing.T) {
	say := func(titles ...string) (out []family.Reply) {
		for _, title := range titles {
			out = append(out, text(fmt.Sprintf(`{"next_page":%q,"reasoning":"r","restriction_reasoning":"k"}`, title)))
		}
		return out
	}
	for _, c := range []struct {
		ban     bool
		at      string
		options []string
		parser  string
		replies []family.Reply
	}{
		{false, schemas.InterfaceChat, nil, "", []family.Reply{text("0"), text("?"), text("<answer>1</answer>")}},
		{false, schemas.InterfaceChat, []string{"renderer=chat", "back=on", "invalid=retry"}, "lenient", []family.Reply{text("I take 0, no"), text("?"), text("back")}},
		{false, schemas.InterfaceChat, []string{"oracle=SPH"}, "", []family.Reply{text("0"), text("1")}},
		{false, schemas.InterfaceHuman, []string{"context=lead"}, "", []family.Reply{text("0"), text("x")}},
		{false, schemas.InterfaceLines, []string{"back=on"}, "", []family.Reply{text("1"), text("back"), text("x")}},
		{false, schemas.InterfaceHTTP, nil, "", []family.Reply{choice(0), text("<answer>0</answer>"), title("nowhere")}},
		{false, schemas.InterfaceMCP, []string{"back=on"}, "", []family.Reply{call("click_link", `{"step":1,"choice":0}`), call("go_back", `{"step":2}`)}},
		{true, schemas.InterfaceChat, nil, "", append(say("A", "C"), text("nothing"))},
		{true, schemas.InterfaceChat, []string{"history=chat"}, "", say("A", "B", "T")},
		{true, schemas.InterfaceHuman, nil, "", []family.Reply{text("A"), text("nowhere"), text("NO_PATH")}},
		{true, schemas.InterfaceLines, nil, "", append(say("A"), text("0"), text("NO_PATH"))},
		{true, schemas.InterfaceHTTP, nil, "", append(say("A"), saying(title("C"), "reasoning"), choice(7))},
		{true, schemas.InterfaceMCP, nil, "", []family.Reply{call("click_link", `{"step":1,"next_page":"A","reasoning":"r","restriction_reasoning":"k"}`)}},
	} {
		set, rules := plain(t), free
		if c.ban {
			set, rules = banned(t), fence
		}
		o, m := optionsOf(t, rules, c.options...), family.Manner{Interface: c.at, Parser: c.parser}
		e := start(t, set, o, m)
		for i, r := range c.replies {
			if c.at == schemas.InterfaceChat || c.at == schemas.InterfaceHuman {
				r.PromptSHA256 = prompt.Hash(e.Messages())
			}
			r.Usage = &schemas.Usage{Prompt: 10, Output: int64(i)}
			if _, err := e.Act(r); err != nil {
				t.Fatalf("%s, reply %d: %v", c.at, i, err)
			}
		}
		e.Stop(schemas.OutcomeGaveUp)
		scores := keep(t, set, rules, o, m, e)
		if scores.Rows[0].N != 1 || scores.Rows[0].Cost == nil {
			t.Errorf("%s: %+v", c.at, scores.Rows[0])
		}
		if got := len(e.(family.Traced).Trace("x", true).([]links.TraceStep)); got != len(c.replies) {
			t.Errorf("%s: %d steps are told of %d", c.at, got, len(c.replies))
		}
	}
}

// TestTheOracleRemembersWhatNobodyAskedFor compares its frontier with that of a game that remembers from the start.
func TestTheOracleRemembersWhatNobodyAskedFor(t *testing.T) {
	e := start(t, plain(t), optionsOf(t, free), family.Manner{Interface: schemas.InterfaceHTTP})
	told := start(t, plain(t), optionsOf(t, free, "oracle=S", "renderer=chat"), family.Manner{Interface: schemas.InterfaceHTTP})
	for _, page := range []string{"B", "C"} {
		for _, e := range []family.Episode{e, told} {
			if _, err := e.Act(title(page)); err != nil {
				t.Fatal(err)
			}
		}
	}
	got, want := e.(family.Advised).Oracle().(links.Oracle), told.Observe().(game.Observation).State
	if string(canon.MustMarshal(got.State)) != string(canon.MustMarshal(want)) || len(want.Frontier) == 0 || *got.Distance != 4 || got.Plan == nil {
		t.Errorf("got %s, want the state %s", canon.MustMarshal(got), canon.MustMarshal(want))
	}
}

func TestOptionsAreReadAsTheyAreWritten(t *testing.T) {
	for _, r := range []links.Rules{free, fence} {
		o := optionsOf(t, r, "max_steps=7", "oracle=P", map[bool]string{true: "history=chat", false: "renderer=chat"}[game.HasBan(r.Defaults())])
		again, err := r.ReadOptions(o.JSON)
		if err != nil || string(again.JSON) != string(o.JSON) || canonical(again) != canonical(o) {
			t.Errorf("%v: got %s, want %s", err, again.JSON, o.JSON)
		}
	}
	for _, bad := range []string{`{"max_steps":"7"}`, `{"order":7}`, `{"order":true}`, `{"max_steps":7.5}`, `{"history":"chat"}`, `{"x":1}`, `[]`, `{"order":"up"}`} {
		if _, err := free.ReadOptions(json.RawMessage(bad)); !errors.Is(err, fault.Usage) {
			t.Errorf("%s: %v", bad, err)
		}
	}
	changed, err := fence.ReadOptions(json.RawMessage(strings.Replace(string(optionsOf(t, fence).JSON), `"last2"`, `"chat"`, 1)))
	if err != nil || changed.Value.(schemas.GameOptions).Renderer != game.RendererChat {
		t.Errorf("a changed history: %v, %+v", err, changed.Value)
	}
}

func canonical(o family.Options) string { return string(canon.MustMarshal(o.Value)) }

// TestTheWordsOfTasksArePinned: a change of a text raises its version, because scores under two wordings are not
// scores of one benchmark.
func TestTheWordsOfTasksArePinned(t *testing.T) {
	for _, c := range []struct {
		rules links.Rules
		want  schemas.Versioned
	}{
		{free, schemas.Versioned{Version: "mcp.task/1", SHA256: "1d201948a8eb4efd3839f3035b11b64fa100fdd0d8b0e23a97ec8fd1eba4c224"}},
		{fence, schemas.Versioned{Version: schemas.BanTaskVersion, SHA256: "3100fe2a7cf92fd30c413366b2d7ba7f2d4f37262655b5340269018f7536972a"}},
	} {
		words, err := c.rules.Words(optionsOf(t, c.rules), family.Manner{Interface: schemas.InterfaceMCP})
		if err != nil || *words.Prompt != c.want {
			t.Errorf("got %+v, want %+v: raise the version with the text", words.Prompt, c.want)
		}
	}
}

func TestATaskIsPutInWordsToAModelThatCallsTools(t *testing.T) {
	e := start(t, plain(t), optionsOf(t, free), family.Manner{Interface: schemas.InterfaceMCP})
	e.(family.Named).Name("g-1")
	first := string(canon.MustMarshal(e.Observe()))
	if !strings.Contains(first, `"task":"The Wikipedia link game`) || !strings.Contains(first, `"game":"g-1"`) || len(e.Tools()) != 1 {
		t.Errorf("got %s, %v", first, e.Tools())
	}
	if _, err := e.Act(call("click_link", `{"step":1,"choice":0}`)); err != nil {
		t.Fatal(err)
	}
	if second := string(canon.MustMarshal(e.Observe())); strings.Contains(second, `"task"`) {
		t.Errorf("the second observation repeats the task: %s", second)
	}
	for _, rules := range []links.Rules{free, fence} {
		set := map[bool]*links.Set{true: banned(t), false: plain(t)}[game.HasBan(rules.Defaults())]
		for _, tool := range start(t, set, optionsOf(t, rules), family.Manner{Interface: schemas.InterfaceMCP}).Tools() {
			if !json.Valid(tool.Schema) {
				t.Errorf("%s: %s", tool.Name, tool.Schema)
			}
		}
	}
}

func TestBaselinesPlayAsTheyAreCalled(t *testing.T) {
	want := map[string]string{"shortest": "0 1 2 5", "shortest-legal": "0 1 3 4 5"}
	set := banned(t)
	o, m := optionsOf(t, fence), family.Manner{Interface: schemas.InterfaceBuiltin}
	for _, b := range set.Baselines() {
		e := start(t, set, o, m)
		act := b.Start(e, family.Seat{Task: familytest.Tasks(t, set, "easy")[0], Attempt: 1, Seed: 42, Player: b.Name})
		for e.Outcome() == "" {
			r, err := act()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := e.Act(r); err != nil {
				t.Fatal(err)
			}
		}
		rec := e.Record(family.Recording{Run: &schemas.Run{}}).Main.(schemas.Game)
		if path := strings.Trim(fmt.Sprint(rec.Path), "[]"); want[b.Name] != "" && path != want[b.Name] {
			t.Errorf("%s walks %s, want %s", b.Name, path, want[b.Name])
		}
		keep(t, set, fence, o, m, e)
	}
	if names := set.Baselines(); !slices.ContainsFunc(names, func(b family.Baseline) bool { return b.Name == "random" }) {
		t.Error("no random player")
	}
}
