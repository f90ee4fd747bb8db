// Package view is a web page on which a release and its runs are looked at and played.
//
// It owns the page, what the page asks for, and who may ask: only pages that this server itself
// sent, by a name that nobody can point elsewhere. Games are played through package serve, and what
// was played is told by package retell, so that the page shows every family and knows none.
//
// It promises that nothing is told of an instance that is being played but what its player sees:
// distances, answers, drawings and the games of others stay away until the game is over.
package view

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/dag"
	"github.com/wikinav/wikinav/artifacts/webpage/style"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/eval/serve"
	"github.com/wikinav/wikinav/schemas/fault"
)

//go:embed assets/index.html
var page string

//go:embed assets/view.js
var script string

//go:embed assets/view.css
var sheet string

// Config is what is looked at.
type Config struct {
	Release  *open.Release
	Families []*Family
	Runs     *Runs
	Failed   func(error) // told of what the page is not to blame for
}

// Family is a family of the release. Open is asked once, when somebody looks at it.
type Family struct {
	Name string
	Says string // what is played, in a sentence; "" for nothing to say
	Open func() (*Opened, error)
}

// Opened is a family whose instances can be looked at and played.
type Opened struct {
	Set     family.Set
	Options family.Options
	Games   *serve.Server
	index   index
}

// Server answers the page. It is safe for concurrent use.
type Server struct {
	Config
	routes   *http.ServeMux
	loopback bool // the address is one of this machine's own
}

func New(c Config) *Server {
	s := &Server{Config: c, routes: http.NewServeMux(), loopback: true}
	s.file("GET /{$}", "text/html", page)
	s.file("GET /view.js", "text/javascript", script)
	s.file("GET /style.css", "text/css", style.CSS+dag.Style+sheet)
	s.api("release", s.release)
	s.api("list", s.list)
	s.api("task", s.task)
	s.api("instance", s.instance)
	s.api("runs", func(*http.Request) (any, error) { return s.Runs.list() })
	s.api("run", s.run)
	s.api("game", s.game)
	s.api("played", s.played)
	s.routes.HandleFunc("/play/{family}/", s.play)
	return s
}

// Run serves on l until ctx ends, which is how it is meant to end. It closes l.
func (s *Server) Run(ctx context.Context, l net.Listener) error {
	s.loopback = l.Addr().(*net.TCPAddr).IP.IsLoopback()
	srv := &http.Server{
		Handler: s, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute,
		MaxHeaderBytes: 64 << 10,
	}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if srv.Shutdown(last) != nil {
		return srv.Close()
	}
	return nil
}

func (s *Server) file(route, kind, text string) {
	s.routes.HandleFunc(route, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind+"; charset=utf-8")
		_, _ = w.Write([]byte(text)) // a browser that went away is its own loss
	})
}

func (s *Server) api(name string, answer func(*http.Request) (any, error)) {
	s.routes.HandleFunc("GET /api/"+name, func(w http.ResponseWriter, r *http.Request) {
		value, err := answer(r)
		if err != nil {
			s.fail(w, err)
			return
		}
		write(w, http.StatusOK, value)
	})
}

// policy lets the page load what this server has and nothing else, and be framed by nobody.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	defer func() {
		if p := recover(); p != nil {
			s.fail(w, fmt.Errorf("%s %s: panic: %v", r.Method, r.URL.Path, p))
		}
	}()
	if why := s.stranger(r); why != "" {
		refuse(w, http.StatusMisdirectedRequest, "stranger", why)
		return
	}
	err := arrowio.Guard(func() error {
		s.routes.ServeHTTP(w, r)
		return nil
	})
	if err != nil {
		s.fail(w, err)
	}
}

// stranger returns why a request is not one of this server's own page, "" for one that is. A page
// of somebody else reaches this server under a name that it lets point here, or by its address from
// a page of its own; a browser then says the name, or where the page is from.
func (s *Server) stranger(r *http.Request) string {
	ip, named := hostOf(r.Host)
	from := r.Header.Get("Sec-Fetch-Site")
	opened := r.Method == http.MethodGet && r.URL.Path == "/" &&
		r.Header.Get("Sec-Fetch-Mode") == "navigate"
	switch {
	case named, s.loopback && !ip.IsLoopback():
		return "the page is asked for by its address or as localhost alone"
	case r.Header.Get("Origin") != "" && r.Header.Get("Origin") != "http://"+r.Host:
		return "the request is from a page of another origin"
	case from != "" && from != "same-origin" && from != "none" && !opened:
		return "the request is from a page of another site"
	}
	return ""
}

// hostOf returns the address that a Host names; named is true for a name that anybody may own.
func hostOf(host string) (ip netip.Addr, named bool) {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
	}
	if strings.EqualFold(name, "localhost") {
		return netip.IPv6Loopback(), false
	}
	ip, err = netip.ParseAddr(name)
	return ip.Unmap(), err != nil
}

// refuse tells the page of an error, in the form that package serve has.
func refuse(w http.ResponseWriter, status int, code, message string) {
	write(w, status, map[string]any{"error": map[string]string{"code": code, "message": message}})
}

// errPlaying is that an instance is being played.
var errPlaying = errors.New("this instance is being played; end the game or give it up to see this")

func (s *Server) fail(w http.ResponseWriter, err error) {
	switch {
	case errors.Is(err, errPlaying):
		refuse(w, http.StatusConflict, "playing", err.Error())
	case errors.Is(err, fault.NotFound):
		refuse(w, http.StatusNotFound, "not_found", err.Error())
	case errors.Is(err, fault.Usage):
		refuse(w, http.StatusBadRequest, "bad_field", err.Error())
	default:
		if s.Failed != nil {
			s.Failed(err)
		}
		refuse(w, http.StatusInternalServerError, "failed", err.Error())
	}
}

func write(w http.ResponseWriter, status int, value any) {
	data, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("view: %T does not encode: %v", value, err))
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(data)
}

// family returns the family that a request names, open.
func (s *Server) family(name string) (*Opened, error) {
	i := slices.IndexFunc(s.Families, func(f *Family) bool { return f.Name == name })
	if i < 0 {
		return nil, fault.New(fault.NotFound, "there is no family %s here", fault.Quote(name))
	}
	return s.Families[i].Open()
}

// play hands a game to the server of its family.
func (s *Server) play(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("family")
	o, err := s.family(name)
	if err != nil {
		s.fail(w, err)
		return
	}
	http.StripPrefix("/play/"+name, o.Games).ServeHTTP(w, r)
}

type familyEntry struct {
	Name   string         `json:"name"`
	Says   string         `json:"says,omitempty"`
	Splits []family.Split `json:"splits"`
	Absent string         `json:"absent,omitempty"` // why the release has nothing of it to play
}

func (s *Server) release(*http.Request) (any, error) {
	list := []familyEntry{}
	for _, f := range s.Families {
		e := familyEntry{Name: f.Name, Says: f.Says}
		o, err := f.Open()
		switch {
		case err != nil:
			e.Absent = err.Error()
		default:
			e.Splits = o.Set.Splits()
		}
		list = append(list, e)
	}
	m := s.Release.Manifest()
	return map[string]any{
		"id": m.ID, "name": s.Release.Name(), "wiki": m.Wiki, "date": m.SnapshotDate, "families": list,
		"log": s.Runs.Log,
	}, nil
}

// number reads a parameter, which is otherwise where it is left out.
func number(r *http.Request, name string, otherwise int) (int, error) {
	text := cmp.Or(r.FormValue(name), strconv.Itoa(otherwise))
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fault.New(fault.Usage, "%s is %s, want a number", name, fault.Quote(text))
	}
	return n, nil
}
