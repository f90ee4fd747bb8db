package fetch

import (
	"context"
	"errors"
	"io"
	"net/http"
	"runtime"
	"slices"

	"github.com/wikinav/wikinav/schemas/fault"
)

// project is where a site's operators can read what this program is.
const project = "https://github.com/wikinav/wikinav"

const maxRedirects = 5

// client asks one site.
type client struct {
	opts  Options
	http  *http.Client
	agent string
}

func newClient(opts Options) (*client, error) {
	if err := opts.complete(); err != nil {
		return nil, err
	}
	c := &client{opts: opts, agent: "wikinav/" + opts.Version + " (" + project + "; " + opts.Contact + ") go/" + runtime.Version()[len("go"):]}
	transport := opts.Transport
	if transport == nil {
		transport = &http.Transport{
			Proxy: http.ProxyFromEnvironment, DisableCompression: true, ForceAttemptHTTP2: true, MaxConnsPerHost: opts.Connections,
		}
	}
	c.http = &http.Client{Transport: transport, CheckRedirect: c.checkRedirect}
	return c, nil
}

// checkRedirect lets a redirect lead to a known host, encrypted, and five times in a row.
func (c *client) checkRedirect(req *http.Request, via []*http.Request) error {
	switch {
	case len(via) > maxRedirects:
		return fault.New(fault.Failure, "more than %d redirects", maxRedirects)
	case !slices.Contains(c.opts.Hosts, req.URL.Host):
		return fault.New(fault.Failure, "a redirect to another host, %s", fault.Quote(req.URL.Host)).Hint("name the host with --hosts if you trust it")
	case !encrypted(req.URL):
		return fault.New(fault.Failure, "a redirect to %s, want https", fault.Quote(req.URL.Scheme))
	}
	return nil
}

// answer is an answer whose body is watched for stalls.
type answer struct {
	*http.Response
	watch *watch
}

func (a answer) Read(p []byte) (n int, err error) {
	a.watch.during(func() { n, err = a.Body.Read(p) })
	if err != nil && err != io.EOF {
		err = a.watch.explain(err)
	}
	return n, err
}

func (a answer) Close() error {
	a.watch.cancel(nil)
	return a.Body.Close()
}

// ask sends one request. Its error is a *retry when it pays to ask again. Every answer must be closed.
func (c *client) ask(ctx context.Context, method, url string, header http.Header) (answer, error) {
	w := c.newWatch(ctx)
	req, err := http.NewRequestWithContext(w.ctx, method, url, nil)
	if err != nil {
		return answer{}, fault.New(fault.Usage, "%w", err).At(url, "")
	}
	if header != nil {
		req.Header = header
	}
	req.Header.Set("User-Agent", c.agent)
	req.Header.Set("Accept-Encoding", "identity")
	var res *http.Response
	w.during(func() { res, err = c.http.Do(req) })
	if err != nil {
		w.cancel(nil)
		return answer{}, w.explain(err)
	}
	a := answer{res, w}
	if err := c.judge(a); err != nil {
		a.Close()
		return answer{}, err
	}
	return a, nil
}

// explain tells what an error of the connection means: a stop by the user, a refusal of ours, or bad luck.
func (w *watch) explain(err error) error {
	var refused *fault.Error
	switch {
	case w.parent.Err() != nil:
		return w.parent.Err()
	case errors.Is(context.Cause(w.ctx), errStall):
		return &retry{err: errStall, wait: -1}
	case errors.As(err, &refused):
		return refused
	case hopeless(err):
		return fault.New(fault.Failure, "%w", err)
	}
	return &retry{err: err, wait: -1}
}
