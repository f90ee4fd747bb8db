// Package serve is the HTTP API: games of a release, of whatever family, for clients that are other
// programs.
//
// It owns routes, JSON, limits and the table of games; the step protocol is package session's. It
// promises that every answer is JSON and names the release, that a client's error leaves its game
// as it was, that a client which is slow, large or gone costs others nothing, and that no answer
// tells a distance, a witness or a feature unless the host exposes them. Requests are read as
// strictly as any other JSON from outside.
//
// Specifications: publishing, 16; robustness, 8.
package serve

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/internal/reach"
	"github.com/wikinav/wikinav/eval/session"
)

// Limits bound what clients can ask for. The tags are the flags of the command.
type Limits struct {
	ReadHeader time.Duration `flag:"read-header-timeout" usage:"time for the headers of a request"`
	Read       time.Duration `flag:"read-timeout" usage:"time for a whole request"`
	Write      time.Duration `flag:"write-timeout" usage:"time for an answer"`
	Idle       time.Duration `flag:"idle-timeout" usage:"time between two requests of a connection"`
	Header     int           `flag:"max-header-bytes" usage:"largest headers"` // the request's line included
	Body       int           `flag:"max-body-bytes" usage:"largest body"`
	Reply      int           `flag:"max-reply-bytes" usage:"largest body of a move that carries a raw reply"`
	Sessions   int           `flag:"max-games" usage:"games at a time"` // those that ended and were not forgotten included
	TTL        time.Duration `flag:"session-ttl" usage:"time after which a game is forgotten that nobody asked for"`
	Drain      time.Duration `flag:"drain" usage:"time that games have to end on SIGTERM"`
}

func DefaultLimits() Limits {
	return Limits{
		ReadHeader: 2 * time.Second, Read: 5 * time.Second, Write: 10 * time.Second, Idle: 30 * time.Second,
		Header: 16 << 10, Body: 4 << 10, Reply: 1 << 20, Sessions: 20_000, TTL: 30 * time.Minute, Drain: 10 * time.Second,
	}
}

type Config struct {
	Host     *session.Host
	Manifest *release.Manifest
	Pages    family.Chart                      // what is played on, or nil; not told where rules hide titles
	Resolve  func(title string) (uint32, bool) // exact titles first, then aliases; for Compat
	GameOnly bool                              // the links of a page are shown in its game alone
	Compat   bool                              // the routes that the web interfaces of another tool ask
	Limits   Limits
	Failed   func(error) // told what a client is not: the cause of a 500
}

// Server answers requests. It is safe for concurrent use.
type Server struct {
	Config
	games    *games
	routes   []*route
	manifest []byte
	document func() (json.RawMessage, error)
	loopback bool // only programs of this machine are meant to reach it
}

// New returns a server; Run or Handler puts it to work.
func New(c Config) *Server {
	s := &Server{Config: c, games: &games{
		limit: c.Limits.Sessions, ttl: c.Limits.TTL, now: c.Host.Now, byID: map[string]*entry{}, quiet: make(chan struct{}),
	}}
	if c.Host.Masks(c.Host.Options) != "" { // no route may tell what the games do not
		s.Pages, s.Compat = nil, false
	}
	s.manifest = publicManifest(c.Manifest, c.Host.Exposed)
	s.routes = s.table()
	s.document = sync.OnceValues(s.describe)
	return s
}

// Run serves on l until ctx ends. Then no new game begins; those that run may go on until
// Limits.Drain is over, and requests that were begun are answered. It closes l.
func (s *Server) Run(ctx context.Context, l net.Listener) error {
	s.loopback = reach.Loopback(l.Addr().String())
	defer s.games.sweepEvery(s.Limits.TTL / 8)()
	drain := func() { s.games.drain(s.Limits.Drain) }
	return reach.Serve(ctx, s.httpServer(), l, drain, s.Limits.Write)
}

// headerSlack is how much larger than allowed the headers of a request may be for the refusal to be
// one of ours. What is larger still, package http refuses in its own words.
const headerSlack = 4

func (s *Server) httpServer() *http.Server {
	return &http.Server{
		Handler: s, ReadHeaderTimeout: s.Limits.ReadHeader, ReadTimeout: s.Limits.Read, WriteTimeout: s.Limits.Write,
		IdleTimeout: s.Limits.Idle, MaxHeaderBytes: headerSlack * s.Limits.Header, ErrorLog: reach.Silent,
	}
}

// Plays reports whether a game of a task or instance runs that somebody may still play on.
func (s *Server) Plays(name string) bool {
	s.games.sweep()
	return s.games.plays(name)
}

// Counts reports how many games were begun, ended, and left before their end.
func (s *Server) Counts() (begun, ended, left int) {
	begun, ended, _ = s.games.counts()
	return begun, ended, begun - ended
}
