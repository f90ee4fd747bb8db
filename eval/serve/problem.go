package serve

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"

	"github.com/wikinav/wikinav/eval/family"
)

// failure is what a client is told that asked for what it cannot have.
type failure struct {
	Code  string `json:"code"`
	Text  string `json:"message" jsonschema:"what is wrong, for people"`
	Field string `json:"field,omitempty" jsonschema:"the field or parameter that is wrong"`
}

// refused is the body of every answer that is an error.
type refused struct {
	Error *failure `json:"error"`
}

func (f *failure) Error() string { return f.Text }

func problem(code, field, format string, args ...any) *failure {
	return &failure{code, fmt.Sprintf(format, args...), field}
}

func badField(name, format string, args ...any) *failure {
	return problem(family.CodeBadField, name, format, args...)
}

// Codes of refusals that only this server has.
const (
	codeBadJSON      = "bad_json"
	codeUnknownField = "unknown_field"
	codeGameNotFound = "game_not_found"
	codePageNotFound = "page_not_found"
	codeMethod       = "method"
	codeTooLarge     = "too_large"
	codeMediaType    = "media_type"
	codeHost         = "host"
	codeHeaders      = "headers_too_large"
	codeInternal     = "internal"
)

// statuses of all codes, for the answers and for what is said of them.
var statuses = map[string]int{
	codeBadJSON:                 http.StatusBadRequest,
	codeUnknownField:            http.StatusBadRequest,
	family.CodeBadField:         http.StatusBadRequest,
	family.CodeBadOption:        http.StatusBadRequest,
	family.CodeBadChoice:        http.StatusBadRequest,
	family.CodeNotFound:         http.StatusNotFound,
	family.CodeInstanceNotFound: http.StatusNotFound,
	codeGameNotFound:            http.StatusNotFound,
	codePageNotFound:            http.StatusNotFound,
	codeMethod:                  http.StatusMethodNotAllowed,
	family.CodeStepPlayed:       http.StatusConflict,
	family.CodeStepAhead:        http.StatusConflict,
	family.CodeGameOver:         http.StatusConflict,
	family.CodeGameRunning:      http.StatusConflict,
	family.CodeBackDisabled:     http.StatusConflict,
	codeTooLarge:                http.StatusRequestEntityTooLarge,
	codeMediaType:               http.StatusUnsupportedMediaType,
	codeHost:                    http.StatusMisdirectedRequest,
	family.CodeTooManyGames:     http.StatusTooManyRequests,
	codeHeaders:                 http.StatusRequestHeaderFieldsTooLarge,
	codeInternal:                http.StatusInternalServerError,
}

// retryAfter is what a client is told that found the server full, in seconds.
const retryAfter = 5

// fail answers with an error. What is nobody's fault but ours is told without its cause.
func (s *Server) fail(w http.ResponseWriter, err error) {
	var f *failure
	var e *family.Refusal
	var plain *detail
	switch {
	case errors.As(err, &plain):
		write(w, http.StatusNotFound, plain)
		return
	case errors.As(err, &f):
	case errors.As(err, &e):
		f = &failure{e.Code, e.Message, e.Field}
	default:
		if s.Failed != nil {
			s.Failed(err)
		}
		f = problem(codeInternal, "", "the server failed; the same request may be sent again")
	}
	status := cmp.Or(statuses[f.Code], http.StatusConflict)
	if status == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", strconv.Itoa(retryAfter))
	}
	write(w, status, refused{f})
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// keptBuffer is the size beyond which a buffer is not used again.
const keptBuffer = 64 << 10

// write sends value as JSON in one piece.
func write(w http.ResponseWriter, status int, value any) {
	if l, ok := value.(titleList); ok {
		l.send(w)
		return
	}
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		panic(fmt.Sprintf("serve: %T does not encode: %v", value, err))
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(buf.Len()))
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(buf.Bytes()) // a client that went away is its own loss
	if buf.Cap() <= keptBuffer {
		buffers.Put(buf)
	}
}
