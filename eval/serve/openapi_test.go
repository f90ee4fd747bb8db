package serve_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/links"
	"github.com/wikinav/wikinav/eval/serve"
	"github.com/wikinav/wikinav/eval/serve/servetest"
)

var update = flag.Bool("update", false, "write the table of routes in the docs anew")

// everything serves all routes: the oracle is exposed, and --compat is on.
func everything() serve.Config {
	conf := expose(g9())
	conf.Compat = true
	conf.Host.Options = links.Packed(backOn())
	return conf
}

// TestEveryAnswerIsAsTheDocumentSays calls every route, well and badly. client.send holds each
// answer against openapi.json, here as in all tests of this package; what is seen here must be all
// that the document says, but for what only other families answer, or only a server that is full.
func TestEveryAnswerIsAsTheDocumentSays(t *testing.T) {
	c := serving(t, everything())
	at := "/v1/games/" + c.start("wr-easy-0001", `{}`).Game
	for _, path := range []string{
		"/healthz", "/openapi.json", "/v1/manifest", "/v1/instances", "/v1/instances?limit=0", "/v1/instances?limit=x",
		at, at + "/trace", "/v1/games/none", "/v1/games/none/trace", "/v1/pages/100/links", "/v1/pages/9/links", "/v1/pages/x/links",
		"/v1/oracle/distance?from=100&to=108", "/v1/oracle/distance?from=100&to=9", "/v1/oracle/distance", "/health",
		"/get_all_articles", "/get_article_with_links/A", "/get_article_with_links/none",
	} {
		c.send("GET", path, "")
		c.send("GET", path, "", "X-Long", strings.Repeat("x", 16<<10))
	}
	turns := []struct{ path, body string }{
		{"/move", `{"step":1,"choice":2,"usage":{"prompt":1,"output":1},"cost":"0.5"}`},
		{"/back", `{"step":2}`},
		{"/calls", `{"step":3,"calls":[{"tool":"x","args":{}}]}`},
		{"/answer", `{"step":3,"answer":"x"}`},
		{"/move", `{"step":3,"choice":99}`},
		{"/give-up", `{"step":3}`},
	}
	for _, turn := range turns {
		c.send("POST", at+turn.path, turn.body)
		c.send("POST", at+turn.path, strings.Replace(turn.body, `"step":`, `"step":9`, 1))
		c.send("POST", "/v1/games/none"+turn.path, turn.body)
		c.badly(at + turn.path)
	}
	c.badly("/v1/games")
	c.send("POST", "/v1/games", `{"instance":"none"}`)
	c.send("GET", at+"/trace", "")
	unseen := slices.DeleteFunc(c.document().Unseen(), func(answer string) bool {
		return strings.HasSuffix(answer, " 421") || strings.HasSuffix(answer, " 500")
	})
	if got, want := strings.Join(unseen, ", "), "answer 200, calls 200, start_game 429"; got != want {
		t.Errorf("the document tells of answers that nobody got: %s; only %s are known from other tests", got, want)
	}
}

// badly sends what no route takes as a body.
func (c *client) badly(path string) {
	c.t.Helper()
	for _, body := range []string{`{`, `{}`, `{"x":1}`, `"` + strings.Repeat("x", 1<<20) + `"`} {
		c.send("POST", path, body)
		c.send("POST", path, body, "Content-Type", "text/plain")
		c.send("POST", path, body, "X-Long", strings.Repeat("x", 16<<10))
	}
}

// TestTheDocumentHasTheRoutesOfItsServer wants none that the server does not answer.
func TestTheDocumentHasTheRoutesOfItsServer(t *testing.T) {
	conf := g9()
	conf.GameOnly = true
	paths := serving(t, conf).document().Paths
	for _, other := range []string{"/v1/pages/{page_id}/links", "/v1/oracle/distance", "/health"} {
		if _, there := paths[other]; there {
			t.Errorf("%s is described and not served", other)
		}
	}
	if len(paths) < 11 {
		t.Errorf("described are %v", slices.Sorted(maps.Keys(paths)))
	}
}

const docsPage = "../../docs/evaluator/http.md"

// TestTheTableOfTheDocsFollowsFromTheDocument writes it anew with -update.
func TestTheTableOfTheDocsFollowsFromTheDocument(t *testing.T) {
	const begins, ends = "<!-- made from openapi.json -->\n", "<!-- end -->"
	page, err := os.ReadFile(docsPage)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(page), begins)
	old, tail, closed := strings.Cut(rest, ends)
	if !ok || !closed {
		t.Fatalf("%s lacks %s or %s", docsPage, begins, ends)
	}
	table := tableOf(t, serving(t, everything()).document())
	if *update {
		if err := os.WriteFile(docsPage, []byte(head+begins+table+ends+tail), 0o644); err != nil {
			t.Fatal(err)
		}
		old = table
	}
	if old != table {
		t.Errorf("go test ./eval/serve -run Table -update writes the table of %s anew:\n%s", docsPage, table)
	}
}

func tableOf(t *testing.T, d *servetest.Document) string {
	t.Helper()
	var rows []string
	for path, methods := range d.Paths {
		for method, op := range methods {
			request, answer := fields(t, d, op.Body), ""
			var query []string
			for _, p := range op.Parameters {
				if p.In == "query" {
					query = append(query, p.Name+"=")
				}
			}
			if len(query) > 0 {
				request = "`?" + strings.Join(query, "&") + "`"
			}
			for status, r := range op.Responses {
				if status < "300" {
					answer = contentFields(t, d, r.Content)
				}
			}
			rows = append(rows, fmt.Sprintf("| `%s %s` | %s | %s | %s |\n", strings.ToUpper(method), path, op.Summary, request, answer))
		}
	}
	slices.SortFunc(rows, func(a, b string) int { return cmp.Compare(key(a), key(b)) })
	return "\n| route | | request | answer |\n| --- | --- | --- | --- |\n" + strings.Join(rows, "") + "\n"
}

// key orders routes by their path.
func key(row string) string {
	_, path, _ := strings.Cut(row, " /")
	path, _, _ = strings.Cut(path, "`")
	return path
}

func fields(t *testing.T, d *servetest.Document, body *struct {
	Content map[string]servetest.Content
},
) string {
	if body == nil {
		return ""
	}
	return contentFields(t, d, body.Content)
}

// contentFields lists the fields of an object, those with ? that may be left out.
func contentFields(t *testing.T, d *servetest.Document, c map[string]servetest.Content) string {
	t.Helper()
	name := servetest.Component(c)
	if name == "Manifest" || name == "OpenAPI" {
		return "an object"
	}
	var s struct {
		Properties json.RawMessage
		Required   []string
	}
	if err := json.Unmarshal(d.Components.Schemas[name], &s); err != nil {
		t.Fatal(err)
	}
	if s.Properties == nil {
		return "a list"
	}
	dec := json.NewDecoder(strings.NewReader(string(s.Properties)))
	_, _ = dec.Token() // {
	var names []string
	for dec.More() {
		name, _ := dec.Token()
		if !slices.Contains(s.Required, name.(string)) {
			name = name.(string) + "?"
		}
		names = append(names, name.(string))
		_ = dec.Decode(new(json.RawMessage))
	}
	return "`{" + strings.Join(names, ", ") + "}`"
}
