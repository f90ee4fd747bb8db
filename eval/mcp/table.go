package mcp

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/internal/shape"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// table is where the client plays: one game at a time. Every call holds it for its length.
type table struct {
	Config
	server     *sdk.Server
	seen, item *jsonschema.Schema // of an observation, and of an instance in a listing
	worded     bool               // the family has no tools: its games are played in words

	mu     sync.Mutex
	game   *session.Session       // nil before the first
	said   family.Said            // what came with the call that is being made
	listed map[string]family.Tool // tools of the family that are on offer
}

type none struct{}

// shapes are the schemas of tools. All tables of a server share them: they would be most of what a
// session takes.
type shapes struct {
	mu    sync.Mutex
	known map[string]shaped
}

// shaped is what a tool takes and returns. Nobody may change it.
type shaped struct{ in, out *jsonschema.Schema }

// of returns what make returned for the name when it was first asked for.
func (s *shapes) of(name string, make func() shaped) shaped {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, ok := s.known[name]; ok {
		return known
	}
	if s.known == nil {
		s.known = map[string]shaped{}
	}
	made := make()
	if len(s.known) < maxShapes {
		s.known[name] = made
	}
	return made
}

// maxShapes bounds what is kept: games may ask for rules whose tools nobody else has.
const maxShapes = 200

const toolStart = "start_game"

// addTools offers the tools of every family and of this one; sample is an episode under the rules.
func (t *table) addTools(sample family.Episode) {
	tasks, _ := t.Host.Tasks("")
	t.item = t.shapes.of("item", func() shaped { return shaped{out: shape.Listed(tasks)} }).out
	t.seen = t.shapes.of("observation", func() shaped { return shaped{out: t.shown(sample)} }).out
	add(t, tool[listArgs, session.Listing]{
		name: "list_instances", title: "List instances", reads: true, do: t.list,
		says: "List the instances of a split or of all, as far as they may be known before they are played. The splits: " + strings.Join(t.Host.Splits(), ", ") + ".",
	})
	says := "Begin the game of an instance. Its first observation tells the task and all rules."
	if id := t.Host.Pinned(); id != "" {
		says += " Without instance it is that of " + id + "."
	}
	add(t, tool[startArgs, started]{name: toolStart, title: "Start a game", says: says, do: t.start})
	add(t, tool[none, started]{name: "observe", title: "Observe", reads: true, says: "See the game as it stands.", do: t.observe})
	add(t, tool[stepArgs, session.Ended]{name: "give_up", title: "Give up", says: "End the game; it is then lost.", do: t.giveUp})
	if t.worded {
		add(t, tool[answerArgs, session.Result]{
			name: "answer", title: "Answer", says: "Reply to the last message of the game, in the form that it asks for.", do: t.answer,
		})
	} else {
		t.offerTurns(sample.Tools())
	}
	if advised, ok := sample.(family.Advised); ok && t.Host.Exposed {
		t.addOracle(advised)
	}
}

// shown returns the schema of observations under the rules of sample, nil for no episode.
func (t *table) shown(sample family.Episode) *jsonschema.Schema {
	switch {
	case t.worded:
		return shape.Whole(reflect.TypeFor[words]())
	case sample != nil:
		return shape.Whole(reflect.TypeOf(sample.Observe()))
	}
	return shape.Of(nil)
}

// offerTurns offers the family's tools of a game, and takes back those of the last one.
func (t *table) offerTurns(tools []family.Tool) {
	for name := range t.listed {
		if !slices.ContainsFunc(tools, func(tl family.Tool) bool { return tl.Name == name }) {
			t.server.RemoveTools(name)
			delete(t.listed, name)
		}
	}
	for _, tl := range tools {
		if !reflect.DeepEqual(t.listed[tl.Name], tl) {
			t.listed[tl.Name] = tl
			t.addTurn(tl)
		}
	}
}

func (t *table) addTurn(tl family.Tool) {
	s := t.shapes.of("turn "+tl.Name+string(tl.Schema), func() shaped {
		in, err := shape.Parse(tl.Schema)
		if err != nil {
			panic("mcp: the schema of " + tl.Name + ": " + err.Error()) // it is part of the program
		}
		out := shape.Whole(reflect.TypeFor[session.Result]())
		out.Properties["observation"] = t.seen
		return shaped{in, out}
	})
	in := s.in
	offered := &sdk.Tool{
		Name: tl.Name, Title: tl.Title, Description: tl.Description, InputSchema: in, OutputSchema: s.out,
	}
	t.offer(offered, false, func(data json.RawMessage) (any, error) {
		if in.Properties["step"] == nil {
			return t.call(tl.Name, data)
		}
		var given map[string]json.RawMessage
		if err := decode(data, in, &given); err != nil {
			return nil, err
		}
		var step int
		if err := json.Unmarshal(given["step"], &step); err != nil {
			return nil, refuse(family.CodeBadField, "the argument step must be a whole number")
		}
		return t.move(step, family.Reply{Calls: []family.Call{{Name: tl.Name, Arguments: canon.MustMarshal(given)}}})
	})
}

// call makes the turn to come of a tool that is not told which one that is. Its arguments are the
// game's to judge, as they were sent.
func (t *table) call(name string, data json.RawMessage) (any, error) {
	s, err := t.current()
	if err != nil {
		return nil, err
	}
	if len(data) == 0 {
		data = json.RawMessage("{}")
	}
	m := family.Reply{Calls: []family.Call{{Name: name, Arguments: data}}, Said: t.said}
	return s.Move(s.Observe().Turns+1, m)
}

func (t *table) current() (*session.Session, error) {
	if t.game == nil {
		return nil, refuse("game_not_found", "no game was started; call start_game first")
	}
	return t.game, nil
}

type listArgs struct {
	Split  string `json:"split,omitempty" jsonschema:"name of the split; those of all splits if it is left out"`
	Limit  *int   `json:"limit,omitempty" jsonschema:"how many to list, at most 1000; 100 if it is left out"`
	Offset int    `json:"offset,omitempty" jsonschema:"how many to pass over; 0 if it is left out"`
}

func (t *table) list(a listArgs) (session.Listing, error) {
	tasks, ok := t.Host.Tasks(a.Split)
	if !ok {
		return session.Listing{}, refuse(family.CodeBadField, "no split is called %s; the splits are %s",
			fault.Quote(a.Split), strings.Join(t.Host.Splits(), ", "))
	}
	limit := session.ListDefault
	if a.Limit != nil {
		limit = *a.Limit
	}
	switch {
	case limit < 1 || limit > session.ListMost:
		return session.Listing{}, refuse(family.CodeBadField, "limit is %d; from 1 to %d are listed", limit, session.ListMost)
	case a.Offset < 0:
		return session.Listing{}, refuse(family.CodeBadField, "offset is %d; it counts from 0", a.Offset)
	}
	return session.List(tasks, a.Offset, limit)
}

type startArgs struct {
	Instance string         `json:"instance" jsonschema:"id of the instance, as list_instances gives it"`
	Options  map[string]any `json:"options,omitempty" jsonschema:"rules that differ from the server's, by name"`
	Restart  bool           `json:"restart,omitempty" jsonschema:"give up the game that is running"`
}

type started struct {
	Observation any `json:"observation"`
}

// start begins a game, and only then gives up the running one, so that it counts.
func (t *table) start(a startArgs) (started, error) {
	if t.game != nil && !t.game.Done() && !a.Restart {
		return started{}, refuse(family.CodeGameRunning, "a game of %s is running; play it to its end, call give_up, or pass restart:true to give it up", t.game.Task().ID)
	}
	if a.Instance == "" {
		a.Instance = t.Host.Pinned()
	}
	var options json.RawMessage
	if len(a.Options) > 0 {
		options, _ = json.Marshal(a.Options) // it was JSON
	}
	s, err := t.Host.Start(session.Request{Instance: a.Instance, Options: options, Client: t.Client})
	if err != nil {
		return started{}, err
	}
	if t.game != nil && !t.game.Done() {
		if _, err := t.game.GiveUp(t.game.Observe().Turns + 1); err != nil {
			return started{}, err
		}
	}
	t.game = s
	if !t.worded {
		t.offerTurns(s.Tools())
	}
	return started{s.Observe().Observation}, nil
}

func (t *table) observe(none) (started, error) {
	s, err := t.current()
	if err != nil {
		return started{}, err
	}
	return started{s.Observe().Observation}, nil
}

type stepArgs struct {
	Step int `json:"step" jsonschema:"the number of this turn, as the observation says it; the first is 1"`
}

func (t *table) giveUp(a stepArgs) (session.Ended, error) {
	s, err := t.current()
	if err != nil {
		return session.Ended{}, err
	}
	return s.GiveUp(a.Step)
}

func (t *table) move(step int, m family.Reply) (session.Result, error) {
	s, err := t.current()
	if err != nil {
		return session.Result{}, err
	}
	m.Said = t.said
	return s.Move(step, m)
}

type answerArgs struct {
	Step  int    `json:"step" jsonschema:"the number of this turn, as the observation says it; the first is 1"`
	Reply string `json:"reply" jsonschema:"the whole reply, as it would be said"`
}

func (t *table) answer(a answerArgs) (session.Result, error) {
	return t.move(a.Step, family.Reply{Text: &a.Reply})
}

// words is what is shown of a game that is played in words.
type words struct {
	Step     int               `json:"step" jsonschema:"the number of the turn to come"`
	Messages []schemas.Message `json:"messages" jsonschema:"what was said since the last reply; nothing once the game is over"`
	Done     bool              `json:"done"`
	Outcome  string            `json:"outcome,omitempty"`
}

// inWords returns words: the whole dialogue, or what is new in it.
func inWords(e family.Episode, whole bool) any {
	w := words{Step: e.Step(), Messages: []schemas.Message{}, Done: e.Outcome() != "", Outcome: e.Outcome()}
	if w.Done {
		return w
	}
	w.Messages = append(w.Messages, e.Messages()...)
	for i := len(w.Messages) - 1; i >= 0 && !whole; i-- {
		if w.Messages[i].Role == schemas.RoleAssistant {
			w.Messages = w.Messages[i+1:]
			break
		}
	}
	return w
}
