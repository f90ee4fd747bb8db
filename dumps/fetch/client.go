package fetch

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"

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
	w := &watch{parent: ctx, clock: c.opts.Clock}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	req, err := http.NewRequestWithContext(w.ctx, method, url, nil)
	if err != nil {
		return answer{}, fault.New(fault.Usage, "%w", err).At(url, "")
	}
	maps.Copy(req.Header, header)
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

// contentRoot is where the content exports lie below the site.
const contentRoot = "/other/mediawiki_content_current/"

// sumsName is the file that marks a complete run of the content exports, and has its sums.
const sumsName = "SHA256SUMS"

func (c *client) listContent(ctx context.Context) (Listing, error) {
	l := Listing{Wiki: c.opts.Wiki, Date: c.opts.Date, Source: Content}
	date := dashed(l.Date)
	root := c.opts.Base + contentRoot + l.Wiki + "/" + date + "/xml/bzip2/"
	text, err := c.document(ctx, root+sumsName, hexDigits)
	if absent := (*absence)(nil); errors.As(err, &absent) {
		return l, fault.New(fault.Checksum, "no %s: the run is not complete, or not kept any more", sumsName).At(root, "").
			Hint("take another date: the first of one of the last three months")
	}
	if err != nil {
		return l, err
	}
	l.SumsSHA256 = fmt.Sprintf("%x", sha256.Sum256(text))
	names, sums, err := sumLines(root+sumsName, text, len(l.SumsSHA256))
	if err != nil {
		return l, err
	}
	for i, name := range names {
		if !l.own(name, date) || !strings.HasSuffix(name, ".xml.bz2") {
			return l, fault.New(fault.Checksum, "file %s is no shard of this run", fault.Quote(name)).At(root+sumsName, "")
		}
		size, err := c.size(ctx, root+name)
		if err != nil {
			return l, err
		}
		l.Files = append(l.Files, File{Name: name, Bytes: size, URL: root + name, Sums: map[string]string{"sha256": sums[i]}})
	}
	l.Files = append(l.Files, File{
		Name: sumsName, Bytes: int64(len(text)), URL: root + sumsName, Sums: map[string]string{"sha256": l.SumsSHA256},
	})
	return l, nil
}
