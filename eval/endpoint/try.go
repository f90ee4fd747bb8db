package endpoint

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"

	"github.com/wikinav/wikinav/schemas/fault"
)

// temporary is a failure that may be gone the next time.
type temporary struct {
	reason string
	after  time.Duration // as the endpoint asked, if told
	told   bool
}

func (t *temporary) Error() string { return t.reason }

// maxReply bounds an answer once it is unpacked.
const maxReply = 1 << 20

// try sends the request once. charged reports whether the endpoint may have worked for it although
// no reply is there.
func (c *Client) try(ctx context.Context, body []byte) (reply Reply, charged bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.at.String(), bytes.NewReader(body))
	if err != nil {
		return Reply{}, false, fault.New(fault.Usage, "the base URL makes no request")
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Accept-Encoding", "gzip")
	req.Header.Set("User-Agent", "wikinav-eval")
	if !c.Key.Empty() {
		req.Header.Set("Authorization", "Bearer "+c.Key.text)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		var kind *fault.Error
		if errors.As(err, &kind) { // of follow
			return Reply{}, reached(err), kind
		}
		return Reply{}, reached(err), &temporary{reason: why(err)}
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return Reply{}, false, c.refused(resp)
	}
	reply, err = c.read(resp)
	return reply, err != nil, err
}

// why names a failure of the connection in words that are the same each time: no port, no address.
func why(err error) string {
	var errno syscall.Errno
	var timeout net.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return "timeout"
	case errors.As(err, &errno):
		return errno.Error()
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "connection closed"
	case strings.Contains(err.Error(), "tls: "), strings.Contains(err.Error(), "x509: "):
		return "TLS failure"
	}
	return "connection failed"
}

// reached reports whether a request that failed may have reached the endpoint.
func reached(err error) bool {
	var op *net.OpError
	return !(errors.As(err, &op) && op.Op == "dial") && why(err) != "TLS failure"
}

// follow goes along with a redirect inside one host, which keeps the method. Any other would carry
// the key, or the prompt, elsewhere.
func (c *Client) follow(req *http.Request, via []*http.Request) error {
	switch {
	case c.at.Scheme != req.URL.Scheme || !strings.EqualFold(c.at.Host, req.URL.Host):
		return fault.New(fault.Failure, "%s sends us on to another host, %s", c.BaseURL, c.Key.hide(shown(req.URL))).Hint("name that one as the base URL, if it is to have the key")
	case req.Method != http.MethodPost || len(via) > 3:
		return fault.New(fault.Failure, "%s sends us on to %s", c.BaseURL, c.Key.hide(shown(req.URL))).Hint("name the base URL as the endpoint wants it")
	}
	return nil
}

// refused decides on an answer with another status than 200.
func (c *Client) refused(resp *http.Response) error {
	said := fmt.Sprintf("HTTP %d", resp.StatusCode)
	switch code := resp.StatusCode; {
	case code == http.StatusTooManyRequests, code >= 500:
		t := &temporary{reason: said}
		t.after, t.told = retryAfter(resp.Header, c.Now())
		return t
	case code == http.StatusUnauthorized, code == http.StatusForbidden, code == http.StatusNotFound:
		return fault.New(fault.Failure, "%s answers %w: %s", c.BaseURL, status(code), c.complaint(resp)).Hint("check key, base URL and model")
	}
	return &Failed{Reason: said + ": " + c.complaint(resp), cause: status(resp.StatusCode)}
}

// status is the status of an answer that is no reply.
type status int

func (s status) Error() string { return fmt.Sprintf("HTTP %d", int(s)) }

// complaint quotes what an endpoint says of a request that it refuses.
func (c *Client) complaint(resp *http.Response) string {
	data, _ := unpack(resp) // what is there is quoted
	var told struct {
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	text := string(data)
	if json.Unmarshal(data, &told) == nil && told.Error.Message != "" {
		text = told.Error.Message
	}
	return fault.Quote(c.Key.hide(text))
}

func (c *Client) read(resp *http.Response) (Reply, error) {
	data, err := unpack(resp)
	switch {
	case errors.Is(err, errTooLong):
		return Reply{}, &Failed{Reason: err.Error()}
	case err != nil && why(err) == "timeout":
		return Reply{}, &temporary{reason: "timeout in the body"}
	case err != nil:
		return Reply{}, &temporary{reason: errTorn.Error()}
	}
	reply, err := decode(data)
	if err != nil {
		return Reply{}, &temporary{reason: err.Error()}
	}
	reply.Text = c.Key.hide(reply.Text)
	if s := reply.Served; s != nil {
		s.Model, s.Fingerprint, s.Response = c.Key.hide(s.Model), c.Key.hide(s.Fingerprint), c.Key.hide(s.Response)
	}
	if reply.Reasoning != nil {
		hidden := c.Key.hide(*reply.Reasoning)
		reply.Reasoning = &hidden
	}
	return reply, nil
}

var errTooLong = fmt.Errorf("the answer is longer than %d bytes", maxReply)

// unpack reads a body up to the limit, after decompression.
func unpack(resp *http.Response) ([]byte, error) {
	var in io.Reader = resp.Body
	if strings.EqualFold(resp.Header.Get("Content-Encoding"), "gzip") {
		packed, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		in = packed
	}
	data, err := io.ReadAll(io.LimitReader(in, maxReply+1))
	if len(data) > maxReply {
		return data[:maxReply], errTooLong
	}
	return data, err
}
