package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/eval/provider"
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
