package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/wikinav/wikinav/eval/internal/reach"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Limits bound what clients can ask for over HTTP. The tags are the flags of the command.
type Limits struct {
	Sessions int           `flag:"max-sessions" usage:"with --listen: sessions at a time, each with one game"`
	TTL      time.Duration `flag:"session-ttl" usage:"with --listen: time after which a session ends that nobody called"`
}

func DefaultLimits() Limits { return Limits{1000, 30 * time.Minute} }

// What a connection may take: its headers, the body of a request, and the time for each.
const (
	maxHeaders   = 16 << 10
	headerSlack  = 4 // headers up to this many times the limit are refused in our words
	headerTime   = 2 * time.Second
	readTime     = 5 * time.Second
	writeTime    = time.Minute
	idleTime     = 2 * time.Minute
	drainTime    = 10 * time.Second
	retryAfter   = "5"
	sessionID    = "Mcp-Session-Id"
	address      = "/mcp"
	codeRefused  = -32000 // of errors of JSON-RPC that a server makes up
	requestLimit = maxFrame
)

// Web serves the same games over the streamable HTTP of the protocol. Each session has a table of
// its own. It is safe for concurrent use.
type Web struct {
	Config
	limits   Limits
	loopback bool // only programs of this machine are meant to reach it
	origins  *http.CrossOriginProtection
	sdk      http.Handler

	mu       sync.Mutex
	sessions map[string]*seat // by their ids
	coming   int              // sessions that are about to begin
	begun    int
	ending   bool
	calls    int // requests under way, but for streams that wait for messages
}

// seat is a session as the address finds it.
type seat struct {
	path    string
	server  *sdk.Server
	session *sdk.ServerSession
}

// NewWeb returns the server that Run puts to work.
func NewWeb(c Config, limits Limits) *Web {
	if c.Report == nil {
		c.Report = func(string, error) {}
	}
	c.shapes = &shapes{}
	w := &Web{
		Config: c, limits: limits, origins: http.NewCrossOriginProtection(), sessions: map[string]*seat{},
	}
	w.sdk = sdk.NewStreamableHTTPHandler(
		func(r *http.Request) *sdk.Server {
			s, _ := r.Context().Value(serverKey{}).(*sdk.Server)
			return s
		},
		&sdk.StreamableHTTPOptions{JSONResponse: true, SessionTimeout: limits.TTL, MaxRequestBodyBytes: requestLimit},
	)
	return w
}

// serverKey is that of the server of a request's session, in its context.
type serverKey struct{}

// Run serves on l until ctx ends; then no session begins, and calls that were made are answered. A
// game that is under way is not logged. It closes l.
func (h *Web) Run(ctx context.Context, l net.Listener) error {
	h.loopback = reach.Loopback(l.Addr().String())
	srv := &http.Server{
		Handler: h, ReadHeaderTimeout: headerTime, ReadTimeout: readTime,
		WriteTimeout: readTime + writeTime, IdleTimeout: idleTime,
		MaxHeaderBytes: headerSlack * maxHeaders, ErrorLog: reach.Silent,
	}
	return reach.Serve(ctx, srv, l, h.end, drainTime)
}

// end lets no session begin, waits for the answers of calls, and ends the sessions that there are.
func (h *Web) end() {
	h.mu.Lock()
	h.ending = true
	h.mu.Unlock()
	for deadline := time.Now().Add(drainTime); h.busy() && time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond)
	}
	h.mu.Lock()
	open := slices.Collect(maps.Values(h.sessions))
	h.mu.Unlock()
	for _, s := range open {
		_ = s.session.Close()
	}
}

func (h *Web) busy() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.calls > 0
}

func (h *Web) count(calls int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.calls += calls
}

// Counts reports how many sessions began, and how many there are.
func (h *Web) Counts() (begun, running int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.begun, len(h.sessions)
}

func (h *Web) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if status, why := h.refusal(r); why != "" {
		w.Header().Set("Connection", "close")
		deny(w, status, why)
		return
	}
	c, ok := h.at(r.URL)
	if !ok {
		deny(w, http.StatusNotFound,
			"nothing is here; the games are at "+address+", and at "+address+"/INSTANCE one alone")
		return
	}
	if err := named(r.URL, &c); err != nil {
		deny(w, http.StatusBadRequest, err.Error())
		return
	}
	if r.Method == http.MethodGet { // a stream, which is open as long as its client wants
		h.stream(w, r)
		return
	}
	h.count(1)
	defer h.count(-1)
	if !readBody(w, r) {
		return
	}
	id := r.Header.Get(sessionID)
	if s := h.seat(id, r.URL.Path); id != "" || r.Method != http.MethodPost {
		h.hand(w, r, s)
		return
	}
	h.open(w, r, c)
}

// refusal returns why a request is not looked at: it does not come from where clients are.
func (h *Web) refusal(r *http.Request) (status int, why string) {
	switch {
	case h.loopback && !reach.Loopback(r.Host):
		return http.StatusMisdirectedRequest, "this server answers to loopback names alone, such as localhost"
	case reach.HeaderBytes(r) > maxHeaders:
		return http.StatusRequestHeaderFieldsTooLarge, fmt.Sprintf("the headers are larger than %d bytes", maxHeaders)
	case h.origins.Check(r) != nil:
		return http.StatusForbidden, "this server does not answer to pages of other origins"
	}
	return 0, ""
}

// at returns what is offered at an address: everything, or one instance that it names.
func (h *Web) at(u *url.URL) (c Config, ok bool) {
	c = h.Config
	rest, ok := strings.CutPrefix(u.Path, address)
	if !ok || rest == "" {
		return c, ok
	}
	id, ok := strings.CutPrefix(rest, "/")
	if ok {
		c.Host, ok = h.Host.Only(id)
	}
	return c, ok
}

// named takes who plays from an address that says it.
func named(u *url.URL, c *Config) error {
	asked, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return errors.New("the query of the address cannot be read")
	}
	for name, values := range asked {
		if name != "model" || len(values) != 1 || session.CheckClient(values[0]) != nil {
			return errors.New("an address may end with ?model=NAME alone: up to 64 letters, digits, " +
				"dots, hyphens and underscores")
		}
		c.Client = values[0]
	}
	return nil
}

// stream holds the request that a client sends to hear of what nobody asked for.
func (h *Web) stream(w http.ResponseWriter, r *http.Request) {
	within := http.NewResponseController(w)
	_ = within.SetReadDeadline(time.Time{})
	_ = within.SetWriteDeadline(time.Time{})
	h.hand(w, r, h.seat(r.Header.Get(sessionID), r.URL.Path))
}

// readBody takes the body whole: a request of a slow client holds no session.
func readBody(w http.ResponseWriter, r *http.Request) bool {
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, requestLimit))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		deny(w, http.StatusRequestEntityTooLarge, errLong.Error())
	case err != nil:
		deny(w, http.StatusBadRequest, "the body ended early")
	}
	r.Body = io.NopCloser(bytes.NewReader(data))
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // what is left is the answer
	return err == nil
}

func (h *Web) seat(id, at string) *seat {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s := h.sessions[id]; s != nil && s.path == at {
		return s
	}
	return nil
}

// hand lets the SDK answer a request of a session; it refuses those of none.
func (h *Web) hand(w http.ResponseWriter, r *http.Request, s *seat) {
	if s == nil && r.Header.Get(sessionID) != "" {
		deny(w, http.StatusNotFound, "no such session here; begin one with initialize")
		return
	}
	if s != nil {
		r = r.WithContext(context.WithValue(r.Context(), serverKey{}, s.server))
	}
	h.sdk.ServeHTTP(w, r)
}

// open begins a session, if there is room and the request is what one begins with.
func (h *Web) open(w http.ResponseWriter, r *http.Request, c Config) {
	if why := h.reserve(); why != "" {
		w.Header().Set("Retry-After", retryAfter)
		deny(w, http.StatusTooManyRequests, why)
		return
	}
	s := &seat{path: r.URL.Path}
	defer func() { h.settle(s) }()
	var err error
	if s.server, err = newServer(c); err != nil {
		c.Report("initialize", err)
		deny(w, http.StatusInternalServerError, "the server failed; the same request may work later")
		return
	}
	h.hand(w, r, s)
}

func (h *Web) reserve() (why string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.ending:
		return "the server is stopping; no new session begins"
	case len(h.sessions)+h.coming >= h.limits.Sessions:
		return fmt.Sprintf("%d sessions at a time, and no more", h.limits.Sessions)
	}
	h.coming++
	return ""
}

// settle keeps the session that came of a request, until it ends; there is none unless the SDK
// accepted it.
func (h *Web) settle(s *seat) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.coming--
	if s.server == nil {
		return
	}
	for session := range s.server.Sessions() {
		s.session = session
	}
	if s.session == nil {
		return
	}
	id := s.session.ID()
	h.sessions[id], h.begun = s, h.begun+1
	go func() {
		_ = s.session.Wait()
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.sessions, id)
	}()
}

// deny answers with an error of JSON-RPC to no request in particular.
func deny(w http.ResponseWriter, status int, why string) {
	data, err := jsonrpc.EncodeMessage(&jsonrpc.Response{Error: &jsonrpc.Error{Code: codeRefused, Message: why}})
	if err != nil {
		panic(fault.New(fault.Failure, "%w", err)) // a text is JSON
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(data, '\n'))
}
