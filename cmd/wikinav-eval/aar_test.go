package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/eval/aar/aartest"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/provider"
	"github.com/wikinav/wikinav/schemas"
)

// oracle is a provider that counts what it is asked.
type oracle struct{ asked int }

func (*oracle) Name() string    { return "fake" }
func (*oracle) Tools() []string { return []string{"maps_directions", "stock_volume"} }
func (o *oracle) Call(_ context.Context, tool string, _ []byte) ([]byte, error) {
	if o.asked++; tool == "stock_volume" {
		return nil, errors.New("closed")
	}
	return []byte(`{"routes": [` + strings.Repeat("1", o.asked) + `]}`), nil
}

func recordRun(t *testing.T, all []provider.Provider, args ...string) (code int, out string) {
	t.Helper()
	var b bytes.Buffer
	return cli.Run(newToolsRecord(all), args, strings.NewReader(""), &b, &b), b.String()
}

func TestAnswersOfAProviderAreRecordedOnce(t *testing.T) {
	dir, o := t.TempDir(), &oracle{}
	calls, tape := filepath.Join(dir, "calls"), filepath.Join(dir, "tape")
	lines := `{"tool":"maps_directions","args":{"origin":"B", "destination":"A"}}` + "\n" + `{"tool":"stock_volume","args":{"ticker":"X"}}` + "\n"
	if err := os.WriteFile(calls, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	flags := []string{"--provider", "fake", "--cassette", tape, "--calls", calls}
	read := func() string { data, _ := os.ReadFile(tape); return string(data) }
	if code, out := recordRun(t, []provider.Provider{o}, flags...); code != 0 || o.asked != 2 {
		t.Fatalf("exit code %d, asked %d times: %s", code, o.asked, out)
	}
	first := read()
	for _, want := range []string{`"args":{"destination":"A","origin":"B"},"response":{"routes":[1]},"status":"ok"`, `"response":"closed","status":"error"`} {
		if !strings.Contains(first, want) {
			t.Errorf("%s is not in %s", want, first)
		}
	}
	if code, out := recordRun(t, []provider.Provider{o}, flags...); code != 3 || !strings.Contains(out, "--refresh") || read() != first {
		t.Errorf("another response: exit code %d, %s", code, out)
	}
	if code, out := recordRun(t, []provider.Provider{o}, append(flags, "--refresh")...); code != 0 || read() == first {
		t.Errorf("refreshed: exit code %d, %s", code, out)
	}
	if code, out := recordRun(t, nil, flags...); code != 2 || !strings.Contains(out, "no live provider") {
		t.Errorf("no provider: exit code %d, %s", code, out)
	}
}

// raceRelease is a release with the world and the legs of aartest.
func raceRelease(t *testing.T) string {
	t.Helper()
	b := newBuilder(t, gametest.Parse("A->B B->A"), 1, 1)
	root, err := os.OpenRoot(b.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	b.in.Params["aar"] = json.RawMessage(`{"seed":42,"world":200000}`)
	b.in.Root, b.in.Parts = root, append(b.parts(), release.Built{Part: aar.Part, Files: aartest.Folder(t).Files})
	dir := filepath.Join(t.TempDir(), "release")
	if _, err := release.Write(t.Context(), dir, b.in, release.WriteOptions{AllowShort: true}); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestACallIsAnsweredFromTheRelease(t *testing.T) {
	dir, empty := raceRelease(t), filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		tool, args, want string
		code             int
	}{
		{"fetch_webpage", `{"url":"https://demo.invalid/wiki/Land"}`, "# Land\n", 0},
		{"maps_geocode", `{"address":"town"}`, `{"location":{"lat":1.0,"lng":2.0},"formatted_address":"Town","place_id":"wiki:1"}` + "\n", 0},
		{"web_search", `{"query":"a TOWN"}`, `{"organic":[{"title":"Town","link":"https://demo.invalid/wiki/Town","snippet":"A town","position":1}`, 0},
		{"maps_directions", `{"origin":"A","destination":"B"}`, `{"error":{"code":"cassette_miss"`, 10},
		{"python_execute_code", `{"code":"1"}`, `{"error":{"code":"not_offered"`, 0},
		{"no_tool", `{}`, "", 2},
	} {
		var out, errs bytes.Buffer
		code := run([]string{"tools", "call", c.tool, c.args, "--release", dir, "--cassette", empty}, strings.NewReader(""), &out, &errs)
		if code != c.code || !strings.HasPrefix(out.String(), c.want) {
			t.Errorf("%s: exit code %d, %s%s", c.tool, code, out.String(), errs.String())
		}
	}
	var out bytes.Buffer
	var list struct{ Tools []aar.Spec }
	if code := run([]string{"tools", "list", "--json"}, strings.NewReader(""), &out, &out); code != 0 || json.Unmarshal(out.Bytes(), &list) != nil || len(list.Tools) != 19 {
		t.Errorf("exit code %d, %s", code, out.String())
	}
}

// TestRewordingsAreRecordedFromAnEndpoint asks a scripted endpoint what a riddle is in other words.
func TestRewordingsAreRecordedFromAnEndpoint(t *testing.T) {
	const key = "sk-secret-0123456789"
	t.Setenv("WIKINAV_API_KEY", key)
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Model       string            `json:"model"`
			Temperature json.Number       `json:"temperature"`
			Messages    []schemas.Message `json:"messages"`
		}
		err := json.NewDecoder(r.Body).Decode(&body)
		if err != nil || body.Model != "m" || body.Temperature != "0" || len(body.Messages) != 2 ||
			!strings.HasSuffix(body.Messages[1].Content, "1. Go.") ||
			r.Header.Get("Authorization") != "Bearer "+key {
			t.Errorf("%v %+v", err, body)
		}
		asked++
		fmt.Fprint(w, `{"choices":[{"message":{"role":"assistant","content":"1. Walk."},"finish_reason":"stop"}]}`)
	}))
	defer server.Close()
	dir := t.TempDir()
	calls, tape := filepath.Join(dir, "calls"), filepath.Join(dir, "tape")
	c := aar.RewordCall(aar.RewordMessages("1. Go.", 0))
	line := fmt.Sprintf(`{"tool":%q,"args":%s}`+"\n", c.Tool, c.Args)
	if err := os.WriteFile(calls, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	flags := []string{"--provider", "openai", "--cassette", tape, "--calls", calls}
	if code, out := recordRun(t, nil, flags...); code != 2 || !strings.Contains(out, "--base-url and --model") {
		t.Errorf("without an endpoint: exit %d: %s", code, out)
	}
	flags = append(flags, "--base-url", server.URL+"/v1", "--model", "m")
	if code, out := recordRun(t, nil, flags...); code != 0 || asked != 1 {
		t.Fatalf("exit %d, asked %d times: %s", code, asked, out)
	}
	data, err := os.ReadFile(tape)
	if err != nil || bytes.Contains(data, []byte(key)) {
		t.Errorf("the cassette: %s (%v)", data, err)
	}
	recorded, err := aar.OpenCassette(tape)
	if err != nil {
		t.Fatal(err)
	}
	if reply, ok := recorded.Reply(c); !ok || reply != "1. Walk." {
		t.Errorf("the reply is %q (%t)", reply, ok)
	}
}
