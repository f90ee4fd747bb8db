package fetch

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"

	"github.com/wikinav/wikinav/schemas/fault"
)

// judge sorts answers by their status: those to read, those to ask for again, and those that are final.
func (c *client) judge(a answer) error {
	switch code := a.StatusCode; code {
	case http.StatusOK, http.StatusPartialContent, http.StatusRequestedRangeNotSatisfiable:
		if e := a.Header.Get("Content-Encoding"); e != "" && e != "identity" {
			return fault.New(fault.Failure, "the answer is packed with %s, which was not asked for", fault.Quote(e))
		}
		return nil
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return &retry{fmt.Errorf("the answer is %s", a.Status), retryAfter(a.Header, c.opts.Clock.Now())}
	case http.StatusInternalServerError, http.StatusBadGateway, http.StatusGatewayTimeout:
		return &retry{fmt.Errorf("the answer is %s", a.Status), -1}
	case http.StatusForbidden:
		return fault.New(fault.Failure, "the answer is %s", a.Status).
			Hint("the site refuses agents that do not say whom to write to; ours is %q", c.agent)
	case http.StatusNotFound, http.StatusGone:
		return fault.New(fault.Failure, "%w", &absence{a.Status}).Hint("look whether the site has this wiki and date")
	default:
		return fault.New(fault.Failure, "the answer is %s", a.Status)
	}
}

// absence is an answer that says that there is no such file.
type absence struct{ status string }

func (a *absence) Error() string { return "the answer is " + a.status }

// hopeless tells whether an error of the connection stays what it is: a certificate that is wrong, a host that does not exist.
func hopeless(err error) bool {
	var certificate *tls.CertificateVerificationError
	var name *net.DNSError
	return errors.As(err, &certificate) || errors.As(err, &name) && name.IsNotFound
}
