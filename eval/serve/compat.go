package serve

import (
	"bufio"
	"net/http"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas/canon"
)

// The routes of wikirace-llms' web interfaces, pages of another origin, which a browser must be
// told to let read. They show all links of a page: nothing played through them is scored.

// detail is how those interfaces read an error.
type detail struct {
	Detail string `json:"detail"`
}

func (d *detail) Error() string { return d.Detail }

func (r *request) anyOrigin() { r.w.Header().Set("Access-Control-Allow-Origin", "*") }

type compatStatus struct {
	Status   string `json:"status"`
	Articles int    `json:"article_count"`
}

func (s *Server) compatHealth(r *request) (compatStatus, error) {
	r.anyOrigin()
	return compatStatus{"healthy", s.Pages.Len()}, nil
}

// titleList is all titles, written as they are read: a large wiki has hundreds of megabytes.
type titleList struct{ pages family.Chart }

func (s *Server) compatArticles(r *request) (titleList, error) {
	r.anyOrigin()
	return titleList{s.Pages}, nil
}

func (l titleList) send(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	out := bufio.NewWriterSize(w, keptBuffer)
	var line []byte
	for u := range uint32(l.pages.Len()) {
		line = append(line[:0], ',')
		if u == 0 {
			line[0] = '['
		}
		if _, err := out.Write(canon.AppendString(line, l.pages.Title(u))); err != nil {
			return
		}
	}
	_, _ = out.WriteString("]\n")
	_ = out.Flush()
}

type compatPage struct {
	Title string   `json:"title"`
	Links []string `json:"links"`
}

func (s *Server) compatArticle(r *request) (p compatPage, err error) {
	r.anyOrigin()
	u, ok := s.Resolve(r.arg)
	if !ok {
		return p, &detail{"Article not found"}
	}
	p = compatPage{s.Pages.Title(u), []string{}}
	for _, v := range s.Pages.Successors(u) {
		p.Links = append(p.Links, s.Pages.Title(v))
	}
	return p, nil
}
