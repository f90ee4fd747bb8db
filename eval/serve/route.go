package serve

import (
	"fmt"
	"math"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/internal/reach"
	"github.com/wikinav/wikinav/eval/session"
)

// route is something that can be asked. It is all there is to say of it: requests are answered by
// it, and openapi.json is made of it.
type route struct {
	method      string
	path        []string // segments; {x} stands for any
	name, says  string   // of the operation
	query       []parameter
	body, reply reflect.Type // body is nil for none
	status      int          // of the answer
	codes       []string     // of refusals that do not follow from the parameters and the body
	long        bool         // the body may be as long as a raw reply
	answer      func(*request) (any, error)
}

func get[A any](path, name, says string, do func(*request) (A, error)) *route {
	return &route{
		method: http.MethodGet, path: strings.Split(path[1:], "/"), name: name, says: says,
		reply: reflect.TypeFor[A](), status: http.StatusOK,
		answer: func(r *request) (any, error) { return do(r) },
	}
}

func post[B, A any](path, name, says string, do func(*request, B) (A, error)) *route {
	return &route{
		method: http.MethodPost, path: strings.Split(path[1:], "/"), name: name, says: says,
		body: reflect.TypeFor[B](), reply: reflect.TypeFor[A](), status: http.StatusOK,
		answer: func(r *request) (any, error) {
			var b B
			if err := r.read(&b); err != nil {
				return nil, err
			}
			return do(r, b)
		},
	}
}

// turn is a post that plays a turn of a game.
func turn[B, A any](path, name, says string, do func(*request, B) (A, error)) *route {
	r := post(path, name, says, do)
	r.codes = []string{
		family.CodeBadChoice, family.CodeStepPlayed, family.CodeStepAhead, family.CodeGameOver, family.CodeNotFound,
	}
	return r
}

func (r *route) refuses(codes ...string) *route {
	r.codes = append(r.codes, codes...)
	return r
}

func (r *route) asks(query ...parameter) *route {
	r.query = query
	return r
}

func (r *route) takesLong(long bool) *route {
	r.long = long
	return r
}

func (r *route) answers(status int) *route {
	r.status = status
	return r
}

func (s *Server) table() []*route {
	list := []*route{
		get("/healthz", "health", "Reports whether the server answers, and how many games run.", s.tellHealth),
		get("/openapi.json", "openapi", "Returns this table as an OpenAPI document.", s.tellDocument),
		get("/v1/manifest", "manifest", "Returns the manifest of the release, without its files.", s.tellManifest),
		get("/v1/instances", "list_instances", "Lists what can be played, as far as it may be known before.",
			s.listInstances).asks(
			parameter{name: "split", says: "one split; all if it is left out"},
			parameter{
				name: "limit", says: "items at most", number: true, high: session.ListMost,
				otherwise: session.ListDefault,
			},
			parameter{name: "offset", says: "items to pass over", number: true, high: math.MaxInt32},
		),
		post("/v1/games", "start_game", "Begins a game.", s.startGame).answers(http.StatusCreated).
			refuses(family.CodeBadOption, family.CodeInstanceNotFound, family.CodeTooManyGames),
		get("/v1/games/{id}", "game", "Returns a game as it stands.", s.tellGame),
		turn("/v1/games/{id}/move", "move", "Plays a turn: a choice, its title, or what a model said.",
			s.move).takesLong(s.Host.Replies),
		turn("/v1/games/{id}/back", "back", "Plays the way back, where the rules have it.",
			s.back).refuses(family.CodeBackDisabled),
		turn("/v1/games/{id}/calls", "calls", "Plays a turn of calls of tools, in games of tools.",
			s.call).takesLong(true),
		turn("/v1/games/{id}/answer", "answer", "Hands in the answer, in games that end with one.", s.answer),
		turn("/v1/games/{id}/give-up", "give_up", "Ends the game; it is then lost.", s.giveUp),
		get("/v1/games/{id}/trace", "trace", "Lists the turns of a game that is over.", s.trace).
			refuses(family.CodeGameRunning, family.CodeNotFound),
	}
	if s.Pages != nil && !s.GameOnly {
		list = append(list, get("/v1/pages/{page_id}/links", "links", "Lists all links of a page; not with --game-only.",
			s.listLinks).
			refuses(family.CodeBadField, codePageNotFound))
	}
	if s.Pages != nil && s.Host.Exposed {
		list = append(list, get("/v1/oracle/distance", "distance",
			"Returns the links on a shortest path between pages; with --expose-oracle alone.",
			s.distance).asks(
			parameter{name: "from", says: "page id", number: true, needed: true, high: math.MaxUint32},
			parameter{name: "to", says: "page id", number: true, needed: true, high: math.MaxUint32},
		).refuses(codePageNotFound))
	}
	if s.Compat {
		list = append(list,
			get("/health", "compat_health", "Of --compat: reports whether the server answers.", s.compatHealth),
			get("/get_all_articles", "compat_articles", "Of --compat: lists all titles.", s.compatArticles),
			get("/get_article_with_links/{title}", "compat_article",
				"Of --compat: returns a page with the titles of all its links.", s.compatArticle),
		)
	}
	return list
}

type request struct {
	*http.Request
	w      http.ResponseWriter
	route  *route
	limits *Limits
	arg    string // the segment that {x} stands for
	size   int    // of the body, once it was read
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Wikinav-Release", s.Manifest.ID)
	defer func() {
		if p := recover(); p != nil {
			s.fail(w, fmt.Errorf("%s %s: panic: %v", r.Method, r.URL.Path, p))
		}
	}()
	err := arrowio.Guard(func() error {
		found, arg, err := s.route(w, r)
		if err != nil {
			return err
		}
		value, err := found.answer(&request{Request: r, w: w, route: found, limits: &s.Limits, arg: arg})
		if err == nil {
			write(w, found.status, value)
		}
		return err
	})
	if err != nil {
		s.fail(w, err)
	}
}

// route finds what a request asks for, and what its path names.
func (s *Server) route(w http.ResponseWriter, r *http.Request) (*route, string, error) {
	if s.loopback && !reach.Loopback(r.Host) {
		w.Header().Set("Connection", "close")
		return nil, "", problem(codeHost, "", "this server answers to loopback names alone, such as localhost")
	}
	if n := reach.HeaderBytes(r); n > s.Limits.Header {
		w.Header().Set("Connection", "close")
		return nil, "", problem(codeHeaders, "", "%d bytes of headers, at most %d are accepted", n, s.Limits.Header)
	}
	segments := strings.Split(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/")
	var allowed []string
	for _, t := range s.routes {
		arg, ok := t.match(segments)
		if !ok {
			continue
		}
		if t.method == r.Method || t.method == "GET" && r.Method == "HEAD" {
			return t, arg, nil
		}
		allowed = append(allowed, t.method)
	}
	if allowed == nil {
		return nil, "", problem(family.CodeNotFound, "", "no such route")
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	return nil, "", problem(codeMethod, "", "the method of this route is %s", strings.Join(allowed, ", "))
}

// match compares segments of a path, escaped as they came, and returns the one that {x} stands for.
func (t *route) match(segments []string) (arg string, ok bool) {
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
