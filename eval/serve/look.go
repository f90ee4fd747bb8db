package serve

import (
	"encoding/json"
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

// manifest is what publicManifest returns.
type manifest struct{ json.RawMessage }

func (s *Server) tellManifest(*request) (manifest, error) { return manifest{s.manifest}, nil }

type health struct {
	Status  string `json:"status"`
	Release string `json:"release" jsonschema:"id of the manifest"`
	Games   int    `json:"games" jsonschema:"games that run"`
}

func (s *Server) tellHealth(*request) (health, error) {
	_, _, running := s.games.counts()
	return health{"ok", s.Manifest.ID, running}, nil
}

func (s *Server) listInstances(r *request) (none session.Listing, err error) {
	q, err := r.query()
	if err != nil {
		return none, err
	}
	limit, err := r.number(q, "limit")
	if err != nil {
		return none, err
	}
	offset, err := r.number(q, "offset")
	if err != nil {
		return none, err
	}
	list, ok := s.Host.Tasks(q["split"])
	if !ok {
		return none, badField("split", "no split %s is served", fault.Quote(q["split"]))
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

func (s *Server) listLinks(r *request) (none pageLinks, err error) {
	u, err := s.node("page_id", r.arg)
	if err != nil {
		return none, err
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
		return 0, problem(codePageNotFound, field, "no page %d", id)
	}
	return u, nil
}

type pairDistance struct {
	From     page `json:"from"`
	To       page `json:"to"`
	Distance *int `json:"distance"` // null: there is no path
}

func (s *Server) distance(r *request) (none pairDistance, err error) {
	q, err := r.query()
	if err != nil {
		return none, err
	}
	from, err := s.node("from", q["from"])
	if err != nil {
		return none, err
	}
	to, err := s.node("to", q["to"])
	if err != nil {
		return none, err
	}
	column, err := s.Pages.Column(to)
	if err != nil {
		return none, err
	}
	answer := pairDistance{From: s.page(from), To: s.page(to)}
	if d := int(column[from]); d != int(schemas.Unreached) {
		answer.Distance = &d
	}
	return answer, nil
}
