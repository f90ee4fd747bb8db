package serve_test

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/serve"
)

// FuzzRequests: whatever is sent to a game, the answer is JSON, no failure of ours, and the game moves on by at most one turn.
func FuzzRequests(f *testing.F) {
	for _, body := range []string{
		`{"step":1,"choice":0}`, `{"step":1,"title":"B"}`, `{"step":1,"reply":"\\boxed{1}"}`, `{"step":1}`, `{"step":2,"choice":0}`,
		`{"step":1,"choice":0,"title":"B"}`, `{"step":1e0}`, `{"step":1,"choice":-1}`, `{"instance":"wr-easy-0001","options":{"back":"on"}}`,
		`{"instance":"wr-easy-0001","options":null}`, `{"instance":"wr-easy-0001","client_id":"x"}`, `[[`, ``, `null`, "\xff", `{"step":1,"step":1}`,
	} {
		for _, path := range []string{"/v1/games", "/v1/games/{id}/move", "/v1/games/{id}/back", "/v1/games/{id}/give-up", "/v1/games/{id}"} {
			f.Add("POST", path, body)
		}
	}
	for _, path := range []string{"/v1/instances?limit=1&split=easy", "/v1/pages/100/links", "/v1/%zz", "//", "/v1/oracle/distance?from=1", "/get_article_with_links/%41"} {
		f.Add("GET", path, "")
	}
	f.Fuzz(func(t *testing.T, method, path, body string) {
		conf := expose(g9())
		conf.Compat = true
		conf.Failed = func(err error) { t.Errorf("%s %s %s: %v", method, path, body, err) }
		s := serve.New(conf)
		var b begun
		if err := json.Unmarshal(ask(s, "POST", "/v1/games", `{"instance":"wr-easy-0001","options":{"back":"on"}}`).Body.Bytes(), &b); err != nil {
			t.Fatal(err)
		}
		a := ask(s, method, strings.ReplaceAll(path, "{id}", b.Game), body)
		if a == nil {
			return
		}
		if !json.Valid(a.Body.Bytes()) || a.Code >= 500 {
			t.Errorf("%s %s %s: status %d, %s", method, path, body, a.Code, a.Body)
		}
		var state struct{ Turns int }
		if err := json.Unmarshal(ask(s, "GET", "/v1/games/"+b.Game, "").Body.Bytes(), &state); err != nil || state.Turns > 1 {
			t.Errorf("%s %s %s: %d turns, %v", method, path, body, state.Turns, err)
		}
	})
}

// ask answers without a connection; nil for what is no request.
func ask(s *serve.Server, method, path, body string) (w *httptest.ResponseRecorder) {
	defer func() {
		if recover() != nil { // httptest panics on what package http would not let through
			w = nil
		}
	}()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w = httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}
