package aar

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/wikinav/wikinav/schemas"
)

func noPython(context.Context, string, time.Duration) (Printed, error) { return Printed{}, nil }

func put(t *testing.T, c *Cassette, tool, args, response, status string) {
	t.Helper()
	err := c.Put(Recording{
		Tool: tool, Args: schemas.AARValue(args), Response: ResponseOf([]byte(response)), Status: status,
		Provider: "fake", RecordedAt: "2026-01-01T00:00:00Z",
	}, false)
	if err != nil {
		t.Fatal(err)
	}
}

func lines(t *testing.T, c *Cassette) string {
	var b bytes.Buffer
	if err := c.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestArgumentsHaveOneForm(t *testing.T) {
	for in, want := range map[string]string{
		`{ "b" : 12.0, "a":[1.50,1e3,-0.0,-0, 1e-5] }`:    `{"a":[1.5,1000,0,0,1e-05],"b":12}`,
		`{"b":"E\u0301","a":{"z":null,"y":[true,false]}}`: `{"a":{"y":[true,false],"z":null},"b":"É"}`,
		`{"n":9007199254740993}`:                          `{"n":9007199254740993}`,
		`{}`:                                              `{}`,
	} {
		got, err := CanonicalArgs([]byte(in))
		if err != nil || string(got) != want {
			t.Errorf("%s: got %s (%v), want %s", in, got, err, want)
		}
	}
	for _, in := range []string{`[]`, ``, `1`, `{"a":1,"a":2}`, `{"É":1,"E\u0301":2}`, `{"a":1e999}`, `{"a":NaN}`} {
		if got, err := CanonicalArgs([]byte(in)); err == nil {
			t.Errorf("%s: got %s, want an error", in, got)
		}
	}
}

func TestACassetteAnswersWhatWasRecorded(t *testing.T) {
	c := NewCassette()
	put(t, c, "maps_directions", `{"destination":"B","origin":"A"}`, `{"routes": []}`, RecordedOK)
	put(t, c, "python_generate_code", `{"description":"x"}`, "print(1)", RecordedOK)
	put(t, c, "stock_volume", `{"ticker":"X","date":"2024-01-02"}`, `{"error":{"code":"timeout","message":"slow"}}`, RecordedError)
	put(t, c, "crypto_volume", `{"symbol":"X","date":"2024-01-02"}`, `no such coin`, RecordedError)
	put(t, c, "maps_search_places", `{"query":"Town Café"}`, `{"places":[{"rating":4.5}]}`, RecordedOK)
	put(t, c, "maps_geocode", `{"address":"Town"}`, `{"location":null}`, RecordedOK) // native answers come first
	again, err := ReadCassette(strings.NewReader(lines(t, c)), "cassette")
	if err != nil || lines(t, again) != lines(t, c) {
		t.Fatalf("%v\n%s", err, lines(t, c))
	}
	tools := &Tools{World: toolWorld(), Cassette: again}
	for _, want := range []struct{ tool, args, output, source, code string }{
		{"maps_directions", `{"origin": "A", "destination": "B"}`, `{"routes":[]}`, SourceCassette, ""},
		{"python_generate_code", `{"description":"x"}`, "print(1)", SourceCassette, ""},
		{"stock_volume", `{"ticker":"X","date":"2024-01-02"}`, `{"error":{"code":"timeout","message":"slow"}}`, SourceCassette, TimedOut},
		{"crypto_volume", `{"symbol":"X","date":"2024-01-02"}`, `{"error":{"code":"not_found","message":"no such coin"}}`, SourceCassette, NotFound},
		{"maps_search_places", `{"query":"Town Cafe\u0301"}`, `{"places":[{"rating":4.5}]}`, SourceCassette, ""},
		{"maps_geocode", `{"address":"Town"}`, town, SourceNative, ""},
		{"maps_directions", `{"origin":"B","destination":"A"}`, `{"error":{"code":"cassette_miss","message":"cassette: miss: maps_directions {\"destination\":\"A\",\"origin\":\"B\"}"}}`, SourceCassette, CassetteMiss},
	} {
		if got := call(tools, want.tool, want.args); got != (Answer{want.output, want.source, want.code}) {
			t.Errorf("%s %s: got %+v", want.tool, want.args, got)
		}
	}
}

// TestAMissDialsNobody lets every dial of the process fail the test.
func TestAMissDialsNobody(t *testing.T) {
	old := http.DefaultTransport
	defer func() { http.DefaultTransport = old }()
	http.DefaultTransport = &http.Transport{DialContext: func(_ context.Context, network, addr string) (net.Conn, error) {
		t.Errorf("a dial to %s %s", network, addr)
		return nil, os.ErrPermission
	}}
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(_ context.Context, network, addr string) (net.Conn, error) {
		t.Errorf("a look-up by %s %s", network, addr)
		return nil, os.ErrPermission
	}}
	tools := &Tools{World: toolWorld(), Cassette: NewCassette()}
	for _, s := range tools.Offered() {
		if natives[s.Name] != nil {
			continue
		}
		a := call(tools, s.Name, `{"origin":"A","destination":"B","latitude":1,"longitude":2,"start_date":"2024-01-01","end_date":"2024-01-01",`+
			`"ticker":"X","symbol":"X","date":"2024-01-01","description":"d"}`)
		if a.Code != CassetteMiss || !strings.Contains(a.Output, "cassette: miss: "+s.Name+" {") {
			t.Errorf("%s: got %+v", s.Name, a)
		}
	}
}

func TestACassetteIsReadStrictly(t *testing.T) {
	c := NewCassette()
	put(t, c, "maps_directions", `{"origin":"A"}`, `{}`, RecordedOK)
	put(t, c, "maps_directions", `{"origin":"B"}`, `{}`, RecordedOK)
	good := lines(t, c)
	two := strings.SplitAfter(good, "\n")
	for name, text := range map[string]string{
		"unsorted":     two[1] + two[0],
		"twice":        two[0] + two[0],
		"other key":    strings.Replace(good, `"origin":"A"`, `"origin":"C"`, 1),
		"other tool":   strings.Replace(good, `maps_directions`, `maps_direction`, 1),
		"blanks":       strings.Replace(good, `,"tool"`, `, "tool"`, 1),
		"unknown key":  strings.Replace(good, `{"key"`, `{"more":1,"key"`, 1),
		"missing key":  strings.Replace(good, `"status":"ok",`, ``, 1),
		"status":       strings.Replace(good, `"ok"`, `"fine"`, 1),
		"not an end":   strings.TrimSuffix(good, "\n"),
		"an empty one": good + "\n",
		"args a list":  strings.Replace(good, `{"origin":"A"}`, `[]`, 1),
		"no UTF-8":     strings.Replace(good, `"fake"`, "\"\xff\"", 1),
	} {
		if _, err := ReadCassette(strings.NewReader(text), "c"); err == nil {
			t.Errorf("%s: it is read", name)
		} else if !strings.HasPrefix(err.Error(), "c: line ") {
			t.Errorf("%s: the error names no place: %v", name, err)
		}
	}
	if _, err := ReadCassette(strings.NewReader(good), "c"); err != nil {
		t.Error(err)
	}
}

func TestAnotherResponseIsRefusedUnlessRefreshed(t *testing.T) {
	c := NewCassette()
	put(t, c, "maps_directions", `{"origin":"A"}`, `{"n":1}`, RecordedOK)
	put(t, c, "maps_directions", `{"origin":"A"}`, `{"n": 1}`, RecordedOK) // the same
	r := Recording{Tool: "maps_directions", Args: schemas.AARValue(`{"origin":"A"}`), Response: schemas.AARValue(`{"n":2}`), Status: RecordedOK}
	if err := c.Put(r, false); err == nil || !strings.Contains(err.Error(), "--refresh") {
		t.Errorf("got %v", err)
	}
	if err := c.Put(r, true); err != nil || !strings.Contains(lines(t, c), `{"n":2}`) {
		t.Errorf("got %v, %s", err, lines(t, c))
	}
}
