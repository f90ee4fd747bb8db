package endpoint

import (
	"net/url"
	"strings"

	"github.com/wikinav/wikinav/schemas/fault"
)

// address is where completions are asked for. Printed, it has neither user nor query: both may hold a key.
type address struct{ url *url.URL }

// parseAddress takes a base URL such as https://host/v1. Its query goes with every request.
func parseAddress(base string) (address, error) {
	u, err := url.Parse(base)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.Fragment != "" {
		return address{}, fault.New(fault.Usage, "the base URL is no http or https address").Hint("for example https://host/v1")
	}
	u.Path = strings.TrimSuffix(strings.TrimSuffix(u.Path, "/"), "/chat/completions") + "/chat/completions"
	u.RawPath = ""
	return address{u}, nil
}

func (a address) String() string { return shown(a.url) }

func shown(u *url.URL) string {
	bare := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	return bare.String()
}

// sameOrigin tells whether the other address is of the same scheme, host and port.
func (a address) sameOrigin(other *url.URL) bool {
	return a.url.Scheme == other.Scheme && strings.EqualFold(a.url.Host, other.Host)
}
