package fetch_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/wikinav/wikinav/schemas/fault"
)

// cut gives n bytes of the ordinary answer and drops the connection.
func cut(n int) script {
	return func(s *site, w http.ResponseWriter, r *http.Request, content []byte) {
		whole(s, &short{ResponseWriter: w, left: n}, r, content)
	}
}

// short drops the connection after some bytes.
type short struct {
	http.ResponseWriter
	left int
}

func (s *short) Write(p []byte) (int, error) {
	n, err := s.ResponseWriter.Write(p[:min(len(p), s.left)])
	if s.left -= n; err == nil && s.left == 0 {
		s.ResponseWriter.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	return n, err
}

// both cuts what another script gives.
func both(play script, n int) script {
	return func(s *site, w http.ResponseWriter, r *http.Request, content []byte) {
		play(s, &short{ResponseWriter: w, left: n}, r, content)
	}
}

// status answers with a code, and headers as key, value.
func status(code int, headers ...string) script {
	return func(_ *site, w http.ResponseWriter, _ *http.Request, _ []byte) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
	}
}

// ignoringRange is a server that knows nothing of ranges.
func ignoringRange(s *site, w http.ResponseWriter, r *http.Request, content []byte) {
	r.Header.Del("Range")
	whole(s, w, r, content)
}

// chunked gives other bytes without a length.
func chunked(content []byte) script {
	return func(_ *site, w http.ResponseWriter, _ *http.Request, _ []byte) {
		w.(http.Flusher).Flush()
		w.Write(content)
	}
}

// with changes a header that the ordinary answer sets.
func with(header, value string) script {
	return func(s *site, w http.ResponseWriter, r *http.Request, content []byte) {
		whole(s, &headed{w, header, value}, r, content)
	}
}

type headed struct {
	http.ResponseWriter
	header, value string
}

func (h *headed) WriteHeader(code int) {
	h.Header().Set(h.header, h.value)
	h.ResponseWriter.WriteHeader(code)
}

// stalled gives n bytes and then nothing, until the other side gives up.
func stalled(n int) script {
	return func(s *site, w http.ResponseWriter, r *http.Request, content []byte) {
		w.Header().Set("ETag", etag(content))
		w.Header().Set("Content-Length", strconv.Itoa(len(content)))
		w.Write(content[:n])
		w.(http.Flusher).Flush()
		for r.Context().Err() == nil {
			s.clock.fire()
			time.Sleep(time.Millisecond)
		}
	}
}

// dripping gives one piece after the other, with pauses that are no stall.
func dripping(s *site, w http.ResponseWriter, r *http.Request, content []byte) {
	for at := 0; at < len(content); at += 1000 {
		w.Write(content[at:min(len(content), at+1000)])
		w.(http.Flusher).Flush()
	}
}

func times(n int, s script) []script { return slices.Repeat([]script{s}, n) }

const size = 40_000

func TestAnswersOfTheSite(t *testing.T) {
	span := func(from int) string { return fmt.Sprintf("bytes=%d-", from) }
	page := []byte("<!DOCTYPE html><html>sorry</html>")
	for _, c := range []struct {
		name    string
		scripts []script
		asked   []string // ranges of the requests
		kind    *fault.Kind
		text    string
	}{
		{"200", nil, []string{""}, nil, ""},
		{"cut, then 206", []script{cut(777)}, []string{"", span(777)}, nil, ""},
		{"cut before the first bytes are three", []script{cut(2)}, []string{"", ""}, nil, ""},
		{"cut again and again, each time further", times(30, cut(1000)), nil, nil, ""},
		{"a range is ignored", []script{cut(777), ignoringRange}, []string{"", span(777)}, nil, ""},
		{"the file is another by its etag", []script{both(with("ETag", `"old"`), 777)}, []string{"", span(777)}, nil, ""},
		{"only a weak etag", []script{both(with("ETag", `W/"weak"`), 777)}, []string{"", ""}, nil, ""},
		{"503 and 429 without Retry-After", []script{status(503), status(429)}, []string{"", "", ""}, nil, ""},
		{"500, 502, 504", []script{status(500), status(502), status(504)}, []string{"", "", "", ""}, nil, ""},
		{"500 for ever", times(50, status(500)), slices.Repeat([]string{""}, 9), fault.Failure, "8 tries without progress"},
		{"cut at the same byte for ever, ranges ignored", times(50, cutIgnoring(500)), nil, fault.Failure, "8 tries without progress"},
		{"403", []script{status(403)}, []string{""}, fault.Failure, "me@example.org"},
		{"401", []script{status(401)}, []string{""}, fault.Failure, "401"},
		{"404", []script{status(404)}, []string{""}, fault.Failure, "404"},
		{"410", []script{status(410)}, []string{""}, fault.Failure, "410"},
		{"a loop of redirects", times(50, status(302, "Location", tree+dumpName)), slices.Repeat([]string{""}, 6), fault.Failure, "5 redirects"},
		{"a redirect to another host", []script{status(302, "Location", "https://example.org/x")}, []string{""}, fault.Failure, `"example.org"`},
		{"gzip", []script{with("Content-Encoding", "gzip")}, []string{""}, fault.Failure, "gzip"},
		{"a page with 200", []script{chunked(page)}, []string{""}, fault.Failure, "DOCTYPE"},
		{"a page with 200 in the place of the rest", []script{cut(777), chunked(page)}, []string{"", span(777)}, fault.Failure, "DOCTYPE"},
		{"a wrong length once", []script{chunked(packed(size+1, 1))}, []string{"", ""}, nil, ""},
		{"a wrong length", times(9, chunked(packed(size+1, 1))), []string{"", ""}, fault.Checksum, "second time"},
		{"a wrong Content-Length", times(9, sized(size-1)), []string{"", ""}, fault.Checksum, "39999"},
		{"a short body without a length", []script{chunked(packed(size-7, 1))}, []string{"", ""}, nil, ""},
		{"another total", []script{cut(777), with("Content-Range", "bytes 777-39999/50000")}, []string{"", span(777), ""}, nil, ""},
		{"another start", []script{cut(777), with("Content-Range", "bytes 0-39999/40000")}, []string{"", span(777), ""}, nil, ""},
		{"another start twice", []script{cut(777), with("Content-Range", "bytes 0-39999/40000"), cut(777), with("Content-Range", "x")}, []string{"", span(777), "", span(777)}, fault.Checksum, "second time"},
		{"206 of another etag, If-Range ignored", []script{cut(777), with("ETag", `"new"`)}, []string{"", span(777), ""}, nil, ""},
		{"416 in the middle", []script{cut(777), status(416, "Content-Range", "bytes */777")}, []string{"", span(777), ""}, nil, ""},
		{"a stall", []script{stalled(777)}, nil, nil, ""},
		{"a stall before the first byte", []script{stalled(0)}, []string{"", ""}, nil, ""},
		{"stalls for ever", times(50, stalled(0)), slices.Repeat([]string{""}, 9), fault.Failure, "nothing came for a minute"},
		{"a slow drip", []script{dripping}, []string{""}, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, content := one(t, size, c.scripts...)
			folder := t.TempDir()
			_, err := get(t, s.options(folder))
			if c.kind != nil {
				wantFault(t, err, c.kind, c.text, tree+dumpName)
			} else {
				must(t, err)
				wantDump(t, folder, content)
			}
			if got := s.requests(dumpName); c.asked != nil && !slices.Equal(got, c.asked) {
				t.Errorf("asked for %q, want %q", got, c.asked)
			}
			for _, a := range s.agents {
				if a != s.agents[0] {
					t.Errorf("User-Agent and Accept-Encoding %q, then %q", s.agents[0], a)
				}
			}
			if c.kind != nil { // the next run repairs by itself
				s.scripts = nil
				_, err := get(t, s.options(folder))
				must(t, err)
				wantDump(t, folder, content)
			}
		})
	}
}

// cutIgnoring gives the first n bytes, whatever was asked for.
func cutIgnoring(n int) script {
	return func(s *site, w http.ResponseWriter, r *http.Request, content []byte) {
		r.Header.Del("Range")
		cut(n)(s, w, r, content)
	}
}

// sized gives n bytes as if they were all.
func sized(n int) script {
	return func(_ *site, w http.ResponseWriter, _ *http.Request, content []byte) {
		w.Header().Set("Content-Length", strconv.Itoa(n))
		w.Write(content[:n])
	}
}
