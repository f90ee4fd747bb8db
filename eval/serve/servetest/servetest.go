// Package servetest holds answers of a running server against the document that it serves. It is
// imported by tests only.
package servetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
)

// Document is an openapi.json. It is safe for concurrent use.
type Document struct {
	Paths      map[string]map[string]Operation
	Components struct{ Schemas map[string]json.RawMessage }

	mu       sync.Mutex
	resolved map[string]*jsonschema.Resolved
	seen     map[string]bool
}

// Operation is a route, as far as answers are checked.
type Operation struct {
	ID         string `json:"operationId"`
	Summary    string
	Parameters []struct {
		Name, In string
		Required bool
	}
	Body      *struct{ Content map[string]Content } `json:"requestBody"`
	Responses map[string]Response
}

// Response is an answer of one status.
type Response struct {
	Description string
	Headers     map[string]any
	Content     map[string]Content
}

// Content is a reference to a schema.
type Content struct {
	Schema struct {
		Ref  string `json:"$ref"`
		Type string
	}
}

// Server is a server each answer of which is held against its document.
type Server struct {
	handler http.Handler
	*Document
}

// Of asks a server for its document.
func Of(h http.Handler) (*Server, error) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/openapi.json", nil))
	d, err := Read(w.Body.Bytes())
	return &Server{h, d}, err
}

// Ask sends a request, with a body unless it is empty, and checks the answer.
func (s *Server) Ask(method, target string, body []byte) (status int, answer []byte, err error) {
	r := httptest.NewRequest(method, target, bytes.NewReader(body))
	if len(body) > 0 {
		r.Header.Set("Content-Type", "application/json")
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	answer = w.Body.Bytes()
	return w.Code, answer, s.Check(method, target, body, w.Code, w.Header(), answer)
}

const refs = "#/components/schemas/"

// Read reads a document.
func Read(data []byte) (*Document, error) {
	d := &Document{resolved: map[string]*jsonschema.Resolved{}, seen: map[string]bool{}}
	return d, json.Unmarshal(data, d)
}

// Component returns the name of the schema of a content in JSON, "" for none.
func Component(c map[string]Content) string {
	return strings.TrimPrefix(c["application/json"].Schema.Ref, refs)
}

// Check returns how an answer differs from what the document says of it.
func (d *Document) Check(method, target string, sent []byte, status int, h http.Header, body []byte) error {
	op, known := d.find(method, target)
	if method == http.MethodHead {
		return nil
	}
	if !known {
		if status < 400 {
			return fmt.Errorf("%s %s is answered with %d and not described", method, target, status)
		}
		return d.validate("Refused", body)
	}
	r, described := op.Responses[strconv.Itoa(status)]
	if !described {
		return fmt.Errorf("%s %s: status %d is not described: %s", method, target, status, body)
	}
	for name := range r.Headers {
		if h.Get(name) == "" {
			return fmt.Errorf("%s %s: status %d lacks the header %s", method, target, status, name)
		}
	}
	d.note(op.ID, status)
	if status < 300 && op.Body != nil {
		if err := d.validate(Component(op.Body.Content), sent); err != nil {
			return fmt.Errorf("%s %s accepts a body that the document does not: %w: %s", method, target, err, sent)
		}
	}
	if err := d.validate(Component(r.Content), body); err != nil {
		return fmt.Errorf("%s %s: status %d: %w: %s", method, target, status, err, body)
	}
	return codeIn(r, status, body)
}

// codeIn returns an error unless an answer that refuses has one of the codes of its description.
func codeIn(r Response, status int, body []byte) error {
	var e struct{ Error *struct{ Code string } }
	if status < 400 || json.Unmarshal(body, &e) != nil || e.Error == nil {
		return nil
	}
	if !slices.Contains(strings.Split(r.Description, ", "), e.Error.Code) {
		return fmt.Errorf("the code %s is not among those of status %d, %s", e.Error.Code, status, r.Description)
	}
	return nil
}

// find returns the operation that answers a request.
func (d *Document) find(method, target string) (op Operation, ok bool) {
	u, err := url.Parse(target)
	if err != nil {
		return op, false
	}
	segments := strings.Split(u.EscapedPath(), "/")
	for path, methods := range d.Paths {
		same := slices.EqualFunc(strings.Split(path, "/"), segments, func(want, got string) bool {
			return strings.HasPrefix(want, "{") || want == got
		})
		if op, ok := methods[strings.ToLower(method)]; ok && same {
			return op, true
		}
	}
	return op, false
}

func (d *Document) validate(name string, data []byte) error {
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		return err
	}
	if name == "" { // any object
		if _, ok := value.(map[string]any); !ok {
			return fmt.Errorf("no object")
		}
		return nil
	}
	s, err := d.schema(name)
	if err != nil {
		return err
	}
	return s.Validate(value)
}

// schema resolves a component together with all that it may refer to.
func (d *Document) schema(name string) (*jsonschema.Resolved, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s := d.resolved[name]; s != nil {
		return s, nil
	}
	data, err := json.Marshal(map[string]any{"$ref": refs + name, "$defs": d.Components.Schemas})
	if err != nil {
		return nil, err
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(bytes.ReplaceAll(data, []byte(refs), []byte("#/$defs/")), &s); err != nil {
		return nil, err
	}
	r, err := s.Resolve(nil)
	d.resolved[name] = r
	return r, err
}

func (d *Document) note(id string, status int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.seen[fmt.Sprint(id, " ", status)] = true
}

// Unseen lists the answers of the document, as "operation status", that no checked one was of.
func (d *Document) Unseen() (list []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, methods := range d.Paths {
		for _, op := range methods {
			for status := range op.Responses {
				if name := op.ID + " " + status; !d.seen[name] {
					list = append(list, name)
				}
			}
		}
	}
	slices.Sort(list)
	return list
}
