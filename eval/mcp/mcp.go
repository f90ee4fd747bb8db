// Package mcp offers the games of a release, of whatever family, as tools of the Model Context
// Protocol, for a model that calls them itself.
//
// It owns the tools that all families share: their names, arguments, results and descriptions, and
// the one table at which the games of a connection are played, one at a time. A family brings the
// tools that make a turn; one that has none is played in words, by the tool answer. The step
// protocol is that of package session, and so are the games; a choice that is not listed is an
// invalid turn here, because it is the model's own. A call that is wrong in form changes nothing,
// and is answered with an error that starts with a code of the HTTP server and says in a sentence
// what to do.
//
// It promises that a result never holds null, that a list without items is [], and that nothing of
// what only an oracle knows leaves it unless the host exposes the oracle. Serve reads and writes
// the two streams that it is given and opens no connection; Web answers HTTP, and seats each
// session of the protocol at a table of its own.
//
// It is the only package that imports the SDK of the protocol.
package mcp

import (
	"bufio"
	"context"
	"errors"
	"io"
	"syscall"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Config says what is offered, and to whom.
type Config struct {
	Host    *session.Host // its Manner must be that of this interface, and it must not be Strict
	Client  string        // who plays, for the log; "" for session.Anonymous
	Version string        // of this program
	// Report is told what went wrong on the server's side, which a client is not; nil for nobody.
	Report func(tool string, err error)

	shapes *shapes // shared by the tables of a server; nil for those of one table
}

// instructions are for the whole server; the rules of a game stand in its first observation.
const instructions = "Find a game with list_instances, begin it with start_game, and read the task in its first observation."

// Serve answers the requests of one client until in ends or ctx does, which are both a clean end. A
// game that is then under way is not logged. A line that is no message is answered with an error of
// JSON-RPC, and ends nothing.
func Serve(ctx context.Context, c Config, in io.Reader, out io.Writer) error {
	server, err := newServer(c)
	if err != nil {
		return err
	}
	both := &shared{out: out}
	lines := io.NopCloser(&frames{in: bufio.NewReaderSize(in, 64<<10), out: both})
	err = server.Run(ctx, inTurn{&sdk.IOTransport{Reader: lines, Writer: both}})
	switch {
	case err == nil || ctx.Err() != nil:
		return nil
	case errors.Is(err, syscall.EPIPE):
		return fault.New(fault.Failure, "the client is gone: %w", err)
	}
	return fault.New(fault.Failure, "the connection broke: %w", err)
}

func newServer(c Config) (*sdk.Server, error) {
	if c.Report == nil {
		c.Report = func(string, error) {}
	}
	if c.shapes == nil {
		c.shapes = &shapes{}
	}
	says := instructions
	if f, ok := c.Host.Family.(family.Introduced); ok {
		says = f.Introduction() + " " + says
	}
	s := sdk.NewServer(&sdk.Implementation{Name: "wikinav", Title: "wikinav", Version: c.Version}, &sdk.ServerOptions{
		Instructions: says,
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{ListChanged: true}},
	})
	sample, err := c.Host.Try()
	if err != nil {
		return nil, err
	}
	t := &table{Config: c, server: s, listed: map[string]family.Tool{}}
	if sample == nil || sample.Tools() == nil {
		host := *c.Host
		host.Show, host.Replies, t.Host, t.worded = inWords, true, &host, true
	}
	t.addTools(sample)
	return s, nil
}
