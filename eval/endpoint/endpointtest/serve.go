package endpointtest

import (
	"context"
	"crypto/x509"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// RoundTrip answers without a socket; failures of the connection are errors as the network gives them.
func (e *Endpoint) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	f, messages := e.admit(req)
	switch f {
	case Refused:
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	case Reset:
		return nil, &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}
	case BadTLS:
		return nil, x509.UnknownAuthorityError{}
	case SlowHead:
		return nil, context.DeadlineExceeded
	}
	a := e.answer(f, messages, req)
	resp := &http.Response{
		StatusCode: a.status, Header: http.Header{}, Request: req, ProtoMajor: 1, ProtoMinor: 1, ContentLength: -1,
		Body: io.NopCloser(a.reader()),
	}
	maps.Copy(resp.Header, a.header)
	return resp, nil
}

func (a answer) reader() io.Reader {
	switch {
	case a.cut:
		return io.MultiReader(strings.NewReader(a.body), broken{io.ErrUnexpectedEOF})
	case a.slow:
		return io.MultiReader(strings.NewReader(a.body), broken{context.DeadlineExceeded})
	}
	return strings.NewReader(a.body)
}

// broken is a connection that gives nothing but an error.
type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }

// ServeHTTP answers as a server. Where a server cannot fail as the fault says, it breaks the connection; where it would never answer, it
// waits until the client has gone.
func (e *Endpoint) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	f, messages := e.admit(req)
	switch f {
	case Refused, Reset, BadTLS:
		panic(http.ErrAbortHandler)
	case SlowHead:
		<-req.Context().Done()
		return
	}
	a := e.answer(f, messages, req)
	maps.Copy(w.Header(), a.header)
	if !a.cut && !a.slow {
		w.Header().Set("Content-Length", strconv.Itoa(len(a.body)))
	}
	w.WriteHeader(a.status)
	if _, err := io.WriteString(w, a.body); err != nil {
		return
	}
	if !a.cut && !a.slow {
		return
	}
	if err := http.NewResponseController(w).Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return
	}
	if a.slow {
		<-req.Context().Done()
	}
	panic(http.ErrAbortHandler)
}
