// Package mcp offers the games of a release as tools of the Model Context Protocol, for a model that calls them itself.
//
// It owns the tools: their names, arguments, results and descriptions, the text that puts a game and its rules to a model, and the one
// table at which the games of a connection are played, one at a time. The step protocol is that of package session, and so are
// the games; a choice that is not on the menu is an invalid turn here, because it is the model's own. A call that is wrong in form changes
// nothing, and is answered with an error that starts with a code of the HTTP server and says in a sentence what to do.
//
// It promises that a result never holds null, that a list without items is [], and that no distance leaves it unless the host
// exposes the oracle. It opens no connection: it reads and writes the two streams that it is given.
//
// It is the only package that imports the SDK of the protocol. A family of games says in a value of type family what is its own.
//
// Specification: publishing, 17.
package mcp

import (
	"context"
	"errors"
	"io"
	"syscall"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Config says what is offered, and to whom.
type Config struct {
	Host    *session.Host // its Mover must be session.Model
	Client  string        // who plays, for the log; "" for session.Anonymous
	Back    bool          // the host's rules allow going back
	Version string        // of this program
	// Report is told what went wrong on the server's side, which a client is not; nil for nobody.
	Report func(tool string, err error)
}

// instructions are for the whole server; the rules of a game stand in its first observation.
const instructions = "The Wikipedia link game. Find a game with list_instances, begin it with start_game, and read the task in its first observation."

// Serve answers the requests of one client until in ends or ctx does, which are both a clean end. A game that is then under way is not
// logged.
func Serve(ctx context.Context, c Config, in io.Reader, out io.Writer) error {
	server := newServer(c, familyOf(c.Host.Family))
	err := server.Run(ctx, inTurn{&sdk.IOTransport{Reader: io.NopCloser(in), Writer: unclosed{out}}})
	switch {
	case err == nil || ctx.Err() != nil:
		return nil
	case errors.Is(err, syscall.EPIPE):
		return fault.New(fault.Failure, "the client is gone: %w", err)
	}
	return fault.New(fault.Malformed, "the input is not JSON-RPC, one message a line: %w", err)
}

// unclosed is a stream that belongs to somebody else.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

func newServer(c Config, f family) *sdk.Server {
	if c.Report == nil {
		c.Report = func(string, error) {}
	}
	s := sdk.NewServer(&sdk.Implementation{Name: "wikinav", Title: "wikinav", Version: c.Version}, &sdk.ServerOptions{
		Instructions: instructions,
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{ListChanged: true}},
	})
	t := &table{Config: c, server: s, family: f}
	t.addTools()
	return s
}
