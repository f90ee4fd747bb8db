// Package reach is what servers ask of a request before they read it: whether its client may be
// there at all.
package reach

import (
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strings"
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
