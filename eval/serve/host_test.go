package serve_test

import (
	"io"
	"net/http"
	"testing"
)

// A page of a browser reaches a loopback address under a name that its owner lets point there.
func TestALoopbackServerAnswersToLoopbackNamesAlone(t *testing.T) {
	c := serving(t, g9())
	for host, want := range map[string]int{
		"": 200, "localhost": 200, "LOCALHOST:8080": 200, "localhost.": 200, "127.0.0.1": 200, "127.1.2.3:80": 200, "[::1]": 200, "[::1]:8080": 200,
		"[::ffff:127.0.0.1]:80": 200, "evil.example": 421, "evil.example:8080": 421, "localhost.evil.example": 421, "127.0.0.1.evil.example": 421,
		"10.0.0.1": 421, "0.0.0.0": 421, "localhost:80:80": 421, "127.0.0.1@evil.example": 421,
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.url+"/v1/instances", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = host
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != want && !(want == 421 && resp.StatusCode == 400) { // package http refuses what is no host
			t.Errorf("%q: status %d, want %d: %s", host, resp.StatusCode, want, body)
		}
	}
}
