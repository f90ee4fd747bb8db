package serve

import (
	"encoding/json"
	"math"
	"net/http"
	"strconv"

	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// publicManifest returns the manifest without files, and distances of splits unless exposed.
func publicManifest(m *release.Manifest, exposed bool) []byte {
	var fields map[string]any
	data := canon.MustMarshal(m)
	if err := canon.Decode(data, len(data), &fields); err != nil {
		panic(err) // canonical JSON that we have just written
	}
	delete(fields, "files")
	if splits, ok := fields["splits"].(map[string]any); ok && !exposed {
		for _, split := range splits {
			delete(split.(map[string]any), "distances")
		}
	}
	text, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	return text
}

func (s *Server) tellManifest(*request) (any, error) { return json.RawMessage(s.manifest), nil }

type healthy struct {
	Status  string `json:"status"`
	Release string `json:"release"`
	Games   int    `json:"games"` // that run
}

func (s *Server) health(*request) (any, error) {
	_, _, running := s.games.counts()
	return healthy{"ok", s.Manifest.ID, running}, nil
}

func (s *Server) listInstances(r *request) (any, error) {
	q, err := r.query("split", "limit", "offset")
	if err != nil {
		return nil, err
	}
	limit, err := number(q, "limit", 0, session.ListMost, session.ListDefault)
	if err != nil {
		return nil, err
	}
	offset, err := number(q, "offset", 0, math.MaxInt32, 0)
	if err != nil {
		return nil, err
	}
	list, ok := s.Host.Tasks(q["split"])
	if !ok {
		return nil, badField("split", "no split %s is served", fault.Quote(q["split"]))
	}
	return session.List(list, offset, limit)
}

type page struct {
	PageID uint32 `json:"page_id"`
	Title  string `json:"title"`
}

type pageLinks struct {
	page
	Links []page `json:"links"`
}

func (s *Server) listLinks(r *request) (any, error) {
	u, err := s.node("page_id", r.arg)
	if err != nil {
		return nil, err
	}
	p := pageLinks{s.page(u), []page{}}
	for _, v := range s.Pages.Successors(u) {
		p.Links = append(p.Links, s.page(v))
	}
	return p, nil
}

func (s *Server) page(u uint32) page { return page{s.Pages.PageID(u), s.Pages.Title(u)} }

func (s *Server) node(field, text string) (uint32, error) {
	id, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		return 0, badField(field, "%s is a page id, not %s", field, fault.Quote(text))
	}
	u, ok := s.Pages.Node(uint32(id))
	if !ok {
		return 0, problem(http.StatusNotFound, "page_not_found", field, "no page %d", id)
	}
	return u, nil
}

type pairDistance struct {
	From     page `json:"from"`
	To       page `json:"to"`
	Distance *int `json:"distance"` // null: there is no path
}

func (s *Server) distance(r *request) (any, error) {
	q, err := r.query("from", "to")
	if err != nil {
		return nil, err
	}
	from, err := s.node("from", q["from"])
	if err != nil {
		return nil, err
	}
	to, err := s.node("to", q["to"])
	if err != nil {
		return nil, err
	}
	column, err := s.Pages.Column(to)
	if err != nil {
		return nil, err
	}
	answer := pairDistance{From: s.page(from), To: s.page(to)}
	if d := int(column[from]); d != int(schemas.Unreached) {
		answer.Distance = &d
	}
	return answer, nil
}
