// Package reach is what servers ask of a request before they read it, whether its client may be
// there at all, and how they end.
package reach

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"
)

// Silent drops what package http says of broken connections: anybody can break one.
var Silent = log.New(io.Discard, "", 0)

// Loopback reports whether an address, with or without a port, names this machine to itself. A page
// of a browser reaches a loopback address under any name that its owner lets point there; what is
// refused by name cannot be read by it.
func Loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = strings.Trim(address, "[]")
	}
	if strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// HeaderBytes counts the request's line and headers as they came, but for blanks.
func HeaderBytes(r *http.Request) int {
	n := len(r.Method) + len(r.RequestURI) + len(r.Host) + len("  HTTP/1.1\r\nHost: \r\n\r\n")
	for name, values := range r.Header {
		for _, v := range values {
			n += len(name) + len(v) + len(": \r\n")
		}
	}
	return n
}

// Serve has srv answer on l until ctx ends. Then it calls drain, and requests that were begun have
// last to be answered. It closes l.
func Serve(ctx context.Context, srv *http.Server, l net.Listener, drain func(), last time.Duration) error {
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	drain()
	ending, cancel := context.WithTimeout(context.Background(), last)
	defer cancel()
	err := srv.Shutdown(ending)
	if errors.Is(err, context.DeadlineExceeded) {
		return srv.Close() // who is still being written to does not read
	}
	return err
}
