package serve

import (
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/internal/shape"
	"github.com/wikinav/wikinav/eval/session"
)

// document is the OpenAPI 3.1 document of the routes.
type document struct {
	OpenAPI    string                          `json:"openapi"`
	Info       info                            `json:"info"`
	Paths      map[string]map[string]operation `json:"paths"`
	Components components                      `json:"components"`
}

type info struct {
	Title       string `json:"title"`
	Version     string `json:"version"`
	Description string `json:"description"`
}

type components struct {
	Schemas map[string]*jsonschema.Schema `json:"schemas"`
	Headers map[string]header             `json:"headers"`
}

type operation struct {
	ID         string              `json:"operationId"`
	Summary    string              `json:"summary"`
	Tags       []string            `json:"tags"`
	Parameters []asked             `json:"parameters,omitempty"`
	Body       *body               `json:"requestBody,omitempty"`
	Responses  map[string]response `json:"responses"`
}

type asked struct {
	Name        string             `json:"name"`
	In          string             `json:"in"`
	Required    bool               `json:"required"`
	Description string             `json:"description"`
	Schema      *jsonschema.Schema `json:"schema"`
}

type body struct {
	Required bool               `json:"required"`
	Content  map[string]content `json:"content"`
}

type content struct {
	Schema *jsonschema.Schema `json:"schema"`
}

type response struct {
	Description string             `json:"description"`
	Headers     map[string]header  `json:"headers,omitempty"`
	Content     map[string]content `json:"content"`
}

type header struct {
	Ref         string             `json:"$ref,omitempty"`
	Description string             `json:"description,omitempty"`
	Schema      *jsonschema.Schema `json:"schema,omitempty"`
}

const (
	headerRelease = "X-Wikinav-Release"
	headerRetry   = "Retry-After"
)

// openAPI is a document as it is sent.
type openAPI struct{ json.RawMessage }

func (s *Server) tellDocument(*request) (openAPI, error) {
	d, err := s.document()
	return openAPI{d}, err
}

// describe makes the document. What observations, traces and listings hold is that of the family
// and the rules of this server.
func (s *Server) describe() (json.RawMessage, error) {
	sample, err := s.Host.Try()
	if err != nil {
		return nil, err
	}
	d := document{
		OpenAPI: "3.1.0",
		Info: info{
			"wikinav-eval serve", apiVersion,
			"Games of the family " + s.Host.Family.Name() + " of the release " + s.Manifest.ID +
				", for clients that are other programs.",
		},
		Paths: map[string]map[string]operation{},
		Components: components{s.common(sample), map[string]header{
			headerRelease: {
				Description: "id of the manifest of the release", Schema: &jsonschema.Schema{Type: "string"},
			},
			headerRetry: {Description: "seconds to wait", Schema: &jsonschema.Schema{Type: "integer"}},
		}},
	}
	for _, r := range s.routes {
		path := "/" + strings.Join(r.path, "/")
		if d.Paths[path] == nil {
			d.Paths[path] = map[string]operation{}
		}
		d.Paths[path][strings.ToLower(r.method)] = s.operation(d.Components.Schemas, r)
	}
	for _, of := range d.Components.Schemas {
		spell(of)
	}
	return json.Marshal(d)
}

// apiVersion is that of the routes, the v1 in their paths with what was added to it.
// 1.1: usage and cost of turns, openapi.json.
const apiVersion = "1.1"

// common lists the schemas that depend on what is played, and that of errors.
func (s *Server) common(sample family.Episode) map[string]*jsonschema.Schema {
	tasks, _ := s.Host.Tasks("")
	seen, steps := shape.Of(nil), shape.Of(reflect.TypeFor[[]any]())
	if sample != nil {
		seen = shape.Whole(reflect.TypeOf(sample.Observe()))
	}
	if traced, ok := sample.(family.Traced); ok {
		steps = shape.Of(reflect.TypeOf(traced.Trace("", s.Host.Exposed)))
	}
	failed := shape.Of(reflect.TypeFor[refused]())
	detail := shape.Of(reflect.TypeFor[failure]())
	for _, code := range slices.Sorted(maps.Keys(statuses)) {
		detail.Properties["code"].Enum = append(detail.Properties["code"].Enum, code)
	}
	failed.Properties["error"] = refer("Failure")
	return map[string]*jsonschema.Schema{
		"Observation": seen, "Steps": steps, "Instance": shape.Listed(tasks), "Refused": failed, "Failure": detail,
		"Usage": shape.Whole(reflect.TypeFor[session.Usage]()),
	}
}

func refer(name string) *jsonschema.Schema {
	return &jsonschema.Schema{Ref: "#/components/schemas/" + name}
}

func (s *Server) operation(all map[string]*jsonschema.Schema, r *route) operation {
	op := operation{
		ID: r.name, Summary: r.says, Tags: []string{r.tag()}, Parameters: r.parameters(),
		Responses: map[string]response{},
	}
	if r.body != nil {
		op.Body = &body{true, inJSON(s.component(all, r.body))}
	}
	op.Responses[strconv.Itoa(r.status)] = told(http.StatusText(r.status), s.component(all, r.reply), headerRelease)
	codes := map[int][]string{}
	for _, code := range r.mayRefuse() {
		codes[statuses[code]] = append(codes[statuses[code]], code)
	}
	for status, list := range codes {
		slices.Sort(list)
		headers := []string{headerRelease}
		if status == http.StatusTooManyRequests {
			headers = append(headers, headerRetry)
		}
		says := strings.Join(slices.Compact(list), ", ")
		op.Responses[strconv.Itoa(status)] = told(says, refer("Refused"), headers...)
	}
	if r.reply == reflect.TypeFor[compatPage]() {
		op.Responses["404"] = told("no such page", s.component(all, reflect.TypeFor[detail]()), headerRelease)
	}
	return op
}

func told(says string, s *jsonschema.Schema, headers ...string) response {
	r := response{says, map[string]header{}, inJSON(s)}
	for _, name := range headers {
		r.Headers[name] = header{Ref: "#/components/headers/" + name}
	}
	return r
}

func inJSON(s *jsonschema.Schema) map[string]content {
	return map[string]content{"application/json": {s}}
}

// tag returns the group that the route stands in.
func (r *route) tag() string {
	switch {
	case len(r.path) > 1 && r.path[0] == "v1":
		return r.path[1]
	case strings.HasPrefix(r.name, "compat_"):
		return "compat"
	}
	return "server"
}

// variables are what {x} stands for in paths.
var variables = map[string]string{"id": "name of a game", "page_id": "id of a page", "title": "title of a page"}

func (r *route) parameters() (list []asked) {
	for _, segment := range r.path {
		name, ok := strings.CutPrefix(segment, "{")
		if name = strings.TrimSuffix(name, "}"); ok {
			list = append(list, asked{name, "path", true, variables[name], &jsonschema.Schema{Type: "string"}})
		}
	}
	for _, p := range r.query {
		s := &jsonschema.Schema{Type: "string"}
		if p.number {
			low, high := float64(p.low), float64(p.high)
			s = &jsonschema.Schema{Type: "integer", Minimum: &low, Maximum: &high}
		}
		if p.number && !p.needed {
			s.Default = json.RawMessage(strconv.Itoa(p.otherwise))
		}
		list = append(list, asked{p.name, "query", p.needed, p.says, s})
	}
	return list
}

// mayRefuse lists the codes of all errors that the route may answer with.
func (r *route) mayRefuse() []string {
	list := append([]string{codeHost, codeHeaders, codeInternal}, r.codes...)
	if r.body != nil {
		list = append(list, codeBadJSON, family.CodeBadField, codeUnknownField, codeTooLarge, codeMediaType)
	}
	if r.query != nil {
		list = append(list, family.CodeBadField, codeUnknownField)
	}
	if slices.Contains(r.path, "{id}") {
		list = append(list, codeGameNotFound)
	}
	return list
}

// component returns a reference to the schema of a type, which is added to all.
func (s *Server) component(all map[string]*jsonschema.Schema, t reflect.Type) *jsonschema.Schema {
	name := strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
	if all[name] == nil {
		all[name] = s.schema(t)
	}
	return refer(name)
}

func (s *Server) schema(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[titleList]():
		return shape.Of(reflect.TypeFor[[]string]())
	case reflect.TypeFor[openAPI]():
		return shape.Of(nil)
	case reflect.TypeFor[manifest]():
		return manifestSchema(s.Host.Exposed)
	case reflect.TypeFor[startBody]():
		of := shape.Whole(t)
		of.Properties["options"].Type = "object"
		if s.Host.Pinned() == "" {
			of.Required = append(of.Required, "instance")
		}
		return of
	case reflect.TypeFor[session.Listing]():
		of := shape.Of(t)
		of.Properties["items"].Items = refer("Instance")
		return of
	}
	of := shape.Of(t)
	if strings.HasSuffix(t.Name(), "Body") {
		of = shape.Whole(t)
	}
	for name, p := range map[string]string{"observation": "Observation", "steps": "Steps", "usage": "Usage"} {
		if of.Properties[name] != nil {
			of.Properties[name] = refer(p)
		}
	}
	return of
}

// spell adds a description to a schema of anything: bare it is written as true, which is a schema,
// and which generators of clients do not read.
func spell(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if s.Type == "" && s.Types == nil && s.Ref == "" && s.Description == "" && s.Not == nil {
		s.Description = "any JSON"
	}
	spell(s.Items)
	spell(s.AdditionalProperties)
	for _, p := range s.Properties {
		spell(p)
	}
}

// manifestSchema describes what publicManifest leaves.
func manifestSchema(exposed bool) *jsonschema.Schema {
	of := shape.Nullable(reflect.TypeFor[release.Manifest]())
	omit(of, "files")
	if !exposed {
		omit(of.Properties["splits"].AdditionalProperties, "distances")
	}
	return of
}

func omit(of *jsonschema.Schema, name string) {
	same := func(other string) bool { return other == name }
	delete(of.Properties, name)
	of.Required, of.PropertyOrder = slices.DeleteFunc(of.Required, same), slices.DeleteFunc(of.PropertyOrder, same)
}
