package mcp

import (
	"bytes"
	"encoding/json"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/wikinav/wikinav/eval/wikirace/racetest"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/linkstest"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/schemas"
)

// host serves the game from A to T in a world, as wr-easy-0001 of the split easy.
func host(w *gametest.World, change func(*schemas.GameOptions, *session.Host)) *session.Host {
	return hostIn(linkstest.World(w), w, change)
}

func hostIn(in func(schemas.GameOptions) (game.World, error), w *gametest.World, change func(*schemas.GameOptions, *session.Host)) *session.Host {
	last, opts, h := uint32(w.Len()-1), game.Defaults(), &session.Host{}
	if change != nil {
		change(&opts, h)
	}
	return offered(h, game.Defaults, opts, linkstest.Set(in, w.Node, opts,
		linkstest.Split{Name: "easy", Tasks: []game.Task{
			racetest.TaskOf(racetest.Instance(w, "wr-easy-0001", 0, last)), racetest.TaskOf(racetest.Instance(w, "wr-easy-0002", 1, last)),
		}},
		linkstest.Split{Name: "hard"},
	))
}

func offered(h *session.Host, rules func() schemas.GameOptions, opts schemas.GameOptions, set family.Set) *session.Host {
	h.Family, h.Set, h.Options, h.Now = linkstest.Family(rules), set, links.Packed(opts), time.Now
	h.Manner = family.Manner{Interface: schemas.InterfaceMCP}
	if err := h.Offer(nil, nil); err != nil {
		panic(err)
	}
	return h
}

// client is somebody who plays.
type client struct {
	*sdk.ClientSession
	t       *testing.T
	schemas *sync.Map // of results, by tool
}

// connect serves h to a client in memory, without the order that the transport of Serve gives to calls.
func connect(t *testing.T, h *session.Host) client {
	t.Helper()
	ours, theirs := sdk.NewInMemoryTransports()
	server, err := newServer(Config{Host: h, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := server.Connect(t.Context(), ours, nil); err != nil {
		t.Fatal(err)
	}
	s, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return client{s, t, &sync.Map{}}
}

// call gives the text of a result, which must not be an error, and must be the JSON of its value.
func (c client) call(name, arguments string) string {
	c.t.Helper()
	text, failed := c.try(name, arguments)
	if failed {
		c.t.Fatalf("%s %s: %s", name, arguments, text)
	}
	return text
}

func (c client) try(name, arguments string) (text string, failed bool) {
	c.t.Helper()
	r, err := c.CallTool(c.t.Context(), &sdk.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
	if err != nil {
		c.t.Fatalf("%s %s: %v", name, arguments, err)
	}
	text = r.Content[0].(*sdk.TextContent).Text
	if !r.IsError {
		sameJSON(c.t, text, r.StructuredContent)
		if err := c.schema(name).Validate(r.StructuredContent); err != nil {
			c.t.Errorf("%s %s is not what its schema says: %v\n%s", name, arguments, err, text)
		}
	}
	return text, r.IsError
}

// schema gives what a tool says of its results.
func (c client) schema(name string) *jsonschema.Resolved {
	c.t.Helper()
	if known, ok := c.schemas.Load(name); ok {
		return known.(*jsonschema.Resolved)
	}
	tools, err := c.ListTools(c.t.Context(), nil)
	if err != nil {
		c.t.Fatal(err)
	}
	i := slices.IndexFunc(tools.Tools, func(tl *sdk.Tool) bool { return tl.Name == name })
	if i < 0 {
		c.t.Fatalf("%s is not listed", name)
	}
	var s jsonschema.Schema
	data, _ := json.Marshal(tools.Tools[i].OutputSchema)
	if err := json.Unmarshal(data, &s); err != nil {
		c.t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		c.t.Fatal(err)
	}
	c.schemas.Store(name, resolved)
	return resolved
}

func sameJSON(t *testing.T, text string, value any) {
	t.Helper()
	var tree any
	if err := json.Unmarshal([]byte(text), &tree); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	a, _ := json.Marshal(tree)
	b, _ := json.Marshal(value)
	if !bytes.Equal(a, b) {
		t.Errorf("the text says %s, the value %s", a, b)
	}
}

// seen is what a model sees of a link game.
type seen struct {
	Task string `json:"task"`
	game.Observation
}

// outcome is what the tests read of a result.
type outcome struct {
	Observation seen   `json:"observation"`
	Valid       bool   `json:"valid"`
	Reason      string `json:"reason"`
	Done        bool   `json:"done"`
	Outcome     string `json:"outcome"`
}

func (c client) see(name, arguments string) outcome {
	c.t.Helper()
	var o outcome
	if err := json.Unmarshal([]byte(c.call(name, arguments)), &o); err != nil {
		c.t.Fatal(err)
	}
	return o
}
