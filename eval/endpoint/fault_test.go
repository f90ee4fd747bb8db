package endpoint_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/wikinav/wikinav/eval/endpoint"
	ep "github.com/wikinav/wikinav/eval/endpoint/endpointtest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

const canary = "sk-canary-3f9a1c77"

var question = []schemas.Message{{Role: schemas.RoleSystem, Content: "be brief"}, {Role: schemas.RoleUser, Content: "which link?"}}

// desk is a client of a scripted endpoint. Its clock stands still, and what it would sleep is noted.
type desk struct {
	*endpoint.Client
	script *ep.Endpoint
	slept  []time.Duration
}

func newDesk(t *testing.T, change func(*endpoint.Config), faults func(string, int) ep.Fault) *desk {
	t.Helper()
	d := &desk{script: &ep.Endpoint{Say: func([]schemas.Message) string { return "12" }, Faults: faults}}
	key, err := endpoint.NewSecret(canary + "\n")
	if err != nil {
		t.Fatal(err)
	}
	c := endpoint.Config{
		BaseURL: "https://user:pass@host.test/v1?token=query", Key: key, Transport: d.script, Seed: 7,
		Now:   func() time.Time { return time.Date(2026, 10, 21, 7, 28, 0, 0, time.UTC) },
		Sleep: func(_ context.Context, w time.Duration) error { d.slept = append(d.slept, w); return nil },
	}
	if change != nil {
		change(&c)
	}
	if d.Client, err = endpoint.New(c); err != nil {
		t.Fatal(err)
	}
	return d
}

func ask(d *desk) (endpoint.Reply, error) {
	n := int64(100)
	return d.Ask(context.Background(), endpoint.Request{
		Model: "m", Messages: question, Asked: schemas.Asked{MaxTokens: &n}, MaxTokensField: endpoint.FieldMaxTokens,
	})
}

// What a fault comes to.
const (
	again   = "again"   // repeated, up to five tries in all
	infra   = "infra"   // no reply and no repetition: the game cannot go on, by no fault of the model
	fatal   = "fatal"   // no question would be answered: the run ends
	replied = "replied" // what is there is the model's reply
)

// decisions is the table of what every fault comes to, with the reason that is recorded, or the text and flag of the reply.
var decisions = []struct {
	fault ep.Fault
	what  string
	says  string
	flag  string
	waits string // before the second try, whole seconds; "" for the ordinary one and two
}{
	{ep.RateSeconds, again, "HTTP 429", "", "7"},
	{ep.RateDate, again, "HTTP 429", "", "9"},
	{ep.RateAbsent, again, "HTTP 429", "", ""},
	{ep.RateGarbage, again, "HTTP 429", "", ""},
	{ep.RateForever, again, "HTTP 429", "", "120"},
	{ep.Internal, again, "HTTP 500", "", ""},
	{ep.BadGateway, again, "HTTP 502", "", ""},
	{ep.Unavailable, again, "HTTP 503", "", "3"},
	{ep.Overloaded, again, "HTTP 529", "", ""},
	{ep.Refused, again, "connection refused", "", ""},
	{ep.Reset, again, "connection reset by peer", "", ""},
	{ep.BadTLS, again, "TLS failure", "", ""},
	{ep.SlowHead, again, "timeout", "", ""},
	{ep.SlowBody, again, "timeout in the body", "", ""},
	{ep.CutBody, again, "torn body", "", ""},
	{ep.TornGzip, again, "torn body", "", ""},
	{ep.EmptyBody, again, "torn body", "", ""},
	{ep.TornJSON, again, "torn body", "", ""},
	{ep.WrongShape, again, "the answer is no chat completion", "", ""},
	{ep.NoChoices, again, "the answer is no chat completion", "", ""},
	{ep.HTML, again, "the answer is no chat completion", "", ""},
	{ep.BrokenChunk, again, "the answer is no chat completion", "", ""},
	{ep.SameChunks, again, "the answer is no chat completion", "", ""},
	{ep.GzipBomb, infra, "the answer is longer than 1048576 bytes", "", ""},
	{ep.HugeReply, infra, "the answer is longer than 1048576 bytes", "", ""},
	{ep.TooLong, infra, `HTTP 400: "not with ***"`, "", ""},
	{ep.Unauthorized, fatal, `https://host.test/v1/chat/completions answers HTTP 401: "not with ***"`, "", ""},
	{ep.Forbidden, fatal, `HTTP 403: "403"`, "", ""},
	{ep.NotFound, fatal, `HTTP 404: "404"`, "", ""},
	{ep.ElsewhereGET, fatal, "another host, https://elsewhere.invalid/v1/chat/completions", "", ""},
	{ep.ElsewherePOST, fatal, "another host, https://elsewhere.invalid/v1/chat/completions", "", ""},
	{ep.NullContent, replied, "", "", ""},
	{ep.CutLength, replied, "12", schemas.FlagTruncated, ""},
	{ep.Filtered, replied, "12", schemas.FlagFiltered, ""},
	{ep.Refusal, replied, "I do not play", schemas.FlagFiltered, ""},
	{ep.ToolCalls, replied, "", schemas.FlagToolCalls, ""},
	{ep.BadUTF8, replied, "\uFFFD\uFFFD12", "", ""},
	{ep.Parts, replied, "12", "", ""},
	{ep.NoUsage, replied, "12", "", ""},
	{ep.MadUsage, replied, "12", "", ""},
	{ep.EchoesKey, replied, "12 ***", "", ""},
}

func TestEveryFaultIsDecided(t *testing.T) {
	for _, c := range decisions {
		t.Run(string(c.fault), func(t *testing.T) {
			d := newDesk(t, nil, func(string, int) ep.Fault { return c.fault })
			reply, err := ask(d)
			tries := 1
			var failed *endpoint.Failed
			switch c.what {
			case again:
				tries = 5
				if !errors.As(err, &failed) || failed.Reason != c.says || failed.Retries != 4 || len(d.slept) != 4 {
					t.Errorf("got %v after %d waits, want %s after 4", err, len(d.slept), c.says)
				}
				checkWaits(t, d.slept, c.waits)
			case infra:
				if !errors.As(err, &failed) || failed.Reason != c.says || failed.Retries != 0 {
					t.Errorf("got %v, want %s", err, c.says)
				}
			case fatal:
				if fault.KindOf(err) != fault.Failure || errors.As(err, &failed) || !strings.Contains(err.Error(), c.says) {
					t.Errorf("got %v, want a failure that says %s", err, c.says)
				}
			case replied:
				if err != nil || reply.Text != c.says || reply.Flag != c.flag || reply.Retries != 0 {
					t.Errorf("got %+v, %v; want %q, flag %q", reply, err, c.says, c.flag)
				}
			}
			if got := d.Books().Tries; got != int64(tries) {
				t.Errorf("%d tries, want %d", got, tries)
			}
			// The text of an error, in every form, shows neither key nor the address's user and query.
			for _, secret := range []string{canary, "user", "pass", "token=query"} {
				if text := fmt.Sprintf("%v %+v %#v %+v", err, reply, err, d.Config); strings.Contains(text, secret) {
					t.Errorf("%s stands in %s", secret, text)
				}
			}
			checkKeys(t, d.script)
		})
	}
}

// checkKeys looks that whoever was asked got the key in the one place where it belongs.
func checkKeys(t *testing.T, e *ep.Endpoint) {
	t.Helper()
	for key := range e.Books().Keys {
		if key != "Bearer "+canary {
			t.Errorf("a request with the authorization %q", key)
		}
	}
}

func checkWaits(t *testing.T, slept []time.Duration, told string) {
	t.Helper()
	for k, got := range slept {
		least := time.Second << k
		most := least * 3 / 2
		if told != "" {
			want, err := time.ParseDuration(told + "s")
			if err != nil {
				t.Fatal(err)
			}
			least, most = want, want
		}
		if got < least || got > most {
			t.Errorf("wait %d is %v, want %v to %v", k+1, got, least, most)
		}
	}
}

// TestAFaultThatPassesLeavesTheReplyAndTheNumberOfRetries is each fault that is tried again, once to four times.
func TestAFaultThatPassesLeavesTheReplyAndTheNumberOfRetries(t *testing.T) {
	for _, c := range decisions {
		for n := 1; n < 5 && c.what == again; n++ {
			d := newDesk(t, nil, func(_ string, seen int) ep.Fault {
				if seen < n {
					return c.fault
				}
				return ep.None
			})
			reply, err := ask(d)
			if err != nil || reply.Text != "12" || reply.Retries != n || reply.Usage == nil || *reply.Usage != d.script.Books().Usage {
				t.Errorf("%s, %d times: got %+v, %v", c.fault, n, reply, err)
			}
			if b := d.Books(); b.Usage != d.script.Books().Usage || b.Tries != int64(n+1) || b.Replies != 1 || b.Failed != 0 {
				t.Errorf("%s, %d times: our books %+v", c.fault, n, b)
			}
		}
	}
}

func TestUsageThatIsNotToldOrCannotBeIsNoUsage(t *testing.T) {
	for _, f := range []ep.Fault{ep.NoUsage, ep.MadUsage} {
		d := newDesk(t, nil, func(string, int) ep.Fault { return f })
		if reply, err := ask(d); err != nil || reply.Usage != nil || d.Books().Untold != 1 {
			t.Errorf("%s: %+v, %v, %+v", f, reply, err, d.Books())
		}
	}
}

// TestAClockThatJumpsMovesNoWaitOutOfItsBounds lets the clock run backwards by a year, and ahead.
func TestAClockThatJumpsMovesNoWaitOutOfItsBounds(t *testing.T) {
	for years, want := range map[int]time.Duration{-1: 120 * time.Second, 1: 0} {
		d := newDesk(t, func(c *endpoint.Config) {
			c.Now = func() time.Time { return time.Date(2026+years, 10, 21, 7, 28, 0, 0, time.UTC) }
		}, func(string, int) ep.Fault { return ep.RateDate })
		if _, err := ask(d); err == nil || d.slept[0] != want {
			t.Errorf("%d years off: waits %v, want %v", years, d.slept, want)
		}
	}
}

func TestTheJitterComesFromTheSeed(t *testing.T) {
	waits := func(seed int64) string {
		d := newDesk(t, func(c *endpoint.Config) { c.Seed = seed }, func(string, int) ep.Fault { return ep.Internal })
		_, err := ask(d)
		return fmt.Sprint(d.slept, err)
	}
	if one, same, other := waits(1), waits(1), waits(2); one != same || one == other {
		t.Errorf("seeds 1, 1, 2 wait %s, %s, %s", one, same, other)
	}
}
