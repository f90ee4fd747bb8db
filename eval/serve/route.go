package serve

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/arrowio"
)

// silent drops what package http says of broken connections: anybody can break one.
var silent = log.New(io.Discard, "", 0)

type route struct {
	method string
	path   []string // segments; {x} stands for any
	answer func(*request) (any, error)
}

func (s *Server) table() []route {
	var list []route
	add := func(method, path string, answer func(*request) (any, error)) {
		list = append(list, route{method, strings.Split(path[1:], "/"), answer})
	}
	add("GET", "/healthz", s.health)
	add("GET", "/v1/manifest", s.tellManifest)
	add("GET", "/v1/instances", s.listInstances)
	add("POST", "/v1/games", s.startGame)
	add("GET", "/v1/games/{id}", s.tellGame)
	add("POST", "/v1/games/{id}/move", s.move)
	add("POST", "/v1/games/{id}/back", s.back)
	add("POST", "/v1/games/{id}/calls", s.call)
	add("POST", "/v1/games/{id}/answer", s.answer)
	add("POST", "/v1/games/{id}/give-up", s.giveUp)
	add("GET", "/v1/games/{id}/trace", s.trace)
	if s.Pages != nil && !s.GameOnly {
		add("GET", "/v1/pages/{page_id}/links", s.listLinks)
	}
	if s.Pages != nil && s.Host.Exposed {
		add("GET", "/v1/oracle/distance", s.distance)
	}
	if s.Compat {
		add("GET", "/health", s.compatHealth)
		add("GET", "/get_all_articles", s.compatArticles)
		add("GET", "/get_article_with_links/{title}", s.compatArticle)
	}
	return list
}

type request struct {
	*http.Request
	w   http.ResponseWriter
	arg string // the segment that {x} stands for
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Wikinav-Release", s.Manifest.ID)
	defer func() {
		if p := recover(); p != nil {
			s.fail(w, fmt.Errorf("%s %s: panic: %v", r.Method, r.URL.Path, p))
		}
	}()
	err := arrowio.Guard(func() error {
		value, err := s.dispatch(w, r)
		if err == nil {
			write(w, http.StatusOK, value)
		}
		return err
	})
	if err != nil {
		s.fail(w, err)
	}
}

func (s *Server) dispatch(w http.ResponseWriter, r *http.Request) (any, error) {
	if s.loopback && !isLoopback(r.Host) {
		w.Header().Set("Connection", "close")
		return nil, problem(http.StatusMisdirectedRequest, "host", "", "this server answers to loopback names alone, such as localhost")
	}
	if n := headerBytes(r); n > s.Limits.Header {
		w.Header().Set("Connection", "close")
		return nil, problem(http.StatusRequestHeaderFieldsTooLarge, "headers_too_large", "", "%d bytes of headers, at most %d are accepted", n, s.Limits.Header)
	}
	segments := strings.Split(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/")
	var allowed []string
	for _, t := range s.routes {
		arg, ok := t.match(segments)
		if !ok {
			continue
		}
		if t.method == r.Method || t.method == "GET" && r.Method == "HEAD" {
			return t.answer(&request{r, w, arg})
		}
		allowed = append(allowed, t.method)
	}
	if allowed == nil {
		return nil, problem(http.StatusNotFound, "not_found", "", "no such route")
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	return nil, problem(http.StatusMethodNotAllowed, "method", "", "the method of this route is %s", strings.Join(allowed, ", "))
}

// isLoopback reports whether an address, with or without a port, names this machine to itself. A
// page of a browser reaches a loopback address under any name that its owner lets point there; what
// is refused by name cannot be read by it.
func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = strings.Trim(address, "[]")
	}
	if strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// match compares segments of a path, escaped as they came, and gives the one that {x} stands for.
func (t route) match(segments []string) (arg string, ok bool) {
	ok = len(segments) == len(t.path) && slices.EqualFunc(segments, t.path, func(got, want string) bool {
		if !strings.HasPrefix(want, "{") {
			return got == want
		}
		var err error
		arg, err = url.PathUnescape(got)
		return err == nil
	})
	return arg, ok
}

// headerBytes counts the request's line and headers as they came, but for blanks.
func headerBytes(r *http.Request) int {
	n := len(r.Method) + len(r.RequestURI) + len(r.Host) + len("  HTTP/1.1\r\nHost: \r\n\r\n")
	for name, values := range r.Header {
		for _, v := range values {
			n += len(name) + len(v) + len(": \r\n")
		}
	}
	return n
}
