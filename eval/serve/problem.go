package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"

	"github.com/wikinav/wikinav/eval/family"
)

type failure struct {
	status int
	Code   string `json:"code"`
	Text   string `json:"message"`
	Field  string `json:"field,omitempty"`
}

func (f *failure) Error() string { return f.Text }

func problem(status int, code, field, format string, args ...any) *failure {
	return &failure{status, code, fmt.Sprintf(format, args...), field}
}

func badField(name, format string, args ...any) *failure {
	return problem(http.StatusBadRequest, family.CodeBadField, name, format, args...)
}

// statuses of the codes of refusals; what is not here is 409.
var statuses = map[string]int{
	family.CodeBadField:         http.StatusBadRequest,
	family.CodeBadOption:        http.StatusBadRequest,
	family.CodeBadChoice:        http.StatusBadRequest,
	family.CodeInstanceNotFound: http.StatusNotFound,
	family.CodeNotFound:         http.StatusNotFound,
	family.CodeTooManyGames:     http.StatusTooManyRequests,
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
		f = &failure{http.StatusConflict, e.Code, e.Message, e.Field}
		if status, ok := statuses[e.Code]; ok {
			f.status = status
		}
	default:
		if s.Failed != nil {
			s.Failed(err)
		}
		f = problem(http.StatusInternalServerError, "internal", "", "the server failed; the same request may be sent again")
	}
	if f.status == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", strconv.Itoa(retryAfter))
	}
	write(w, f.status, map[string]any{"error": f})
}

type created struct{ value any }

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// keptBuffer is the size beyond which a buffer is not used again.
const keptBuffer = 64 << 10

// write sends value as JSON in one piece.
func write(w http.ResponseWriter, status int, value any) {
	if c, ok := value.(created); ok {
		status, value = http.StatusCreated, c.value
	}
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
