package main

import (
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// dumpSite serves a small demo wiki as a classic run. watch, if there is one, sees every request for a file first.
func dumpSite(t *testing.T, watch func(w http.ResponseWriter, r *http.Request)) (url string) {
	t.Helper()
	folder := filepath.Dir(smallDump(t))
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	const tree = "/smallwiki/20260101/"
	files := map[string]any{}
	for _, e := range entries {
		content, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		sum := md5.Sum(content)
		files[e.Name()] = map[string]any{"size": len(content), "url": tree + e.Name(), "md5": hex.EncodeToString(sum[:])}
	}
	status, _ := json.Marshal(map[string]any{"jobs": map[string]any{"articlesmultistreamdump": map[string]any{"status": "done", "files": files}}})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, ok := strings.CutPrefix(r.URL.Path, tree)
		switch {
		case !ok:
			http.NotFound(w, r)
		case name == "dumpstatus.json":
			w.Write(status)
		default:
			if watch != nil {
				watch(w, r)
			}
			w.Header().Set("Last-Modified", time.Unix(1e9, 0).UTC().Format(http.TimeFormat))
			http.ServeFile(w, r, filepath.Join(folder, name))
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestWhatFetchGetsABuildTakes(t *testing.T) {
	url, out := dumpSite(t, nil), filepath.Join(t.TempDir(), "files")
	args := []string{"fetch", "smallwiki", "20260101", "--base", url, "--contact", "me@example.org", "--out", out}
	if got := must(t, append(args, "--dry-run")...); !strings.Contains(got, url+"/smallwiki/20260101/smallwiki-20260101-pages-articles-multistream.xml.bz2") ||
		!strings.Contains(got, "would get 2 files") {
		t.Errorf("dry run says %q", got)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a dry run made the folder")
	}
	code, got, errs := wikinav(t, append(args, "--progress", "plain")...)
	if code != 0 || !strings.Contains(got, "2 files") || !strings.Contains(errs, "bytes") {
		t.Errorf("got exit %d, %q, progress %q", code, got, errs)
	}
	build := []string{"build", "--dump", out, "--only", "ingest", "--work", filepath.Join(t.TempDir(), "work")}
	must(t, build...)
	forgeSums(t, filepath.Join(out, "inputs.json"))
	if code, _, errs := wikinav(t, build...); code != 12 || !strings.Contains(errs, "inputs.json") {
		t.Errorf("with wrong sums in inputs.json: exit %d, %q, want 12", code, errs)
	}
}

// forgeSums gives every file of an inputs.json another sum.
func forgeSums(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var in map[string]any
	if err := json.Unmarshal(text, &in); err != nil {
		t.Fatal(err)
	}
	for _, f := range in["files"].([]any) {
		f.(map[string]any)["sha256"] = strings.Repeat("0", 64)
	}
	text, _ = json.Marshal(in)
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestFetchNeedsAContactAndADate(t *testing.T) {
	url := dumpSite(t, nil)
	t.Setenv(contactVariable, "")
	if code, _, errs := wikinav(t, "fetch", "smallwiki", "20260101", "--base", url); code != 2 || !strings.Contains(errs, "--contact") {
		t.Errorf("without a contact: exit %d, %q", code, errs)
	}
	t.Setenv(contactVariable, "me@example.org")
	must(t, "fetch", "smallwiki", "20260101", "--base", url, "--dry-run", "--json")
	for _, args := range [][]string{
		{"fetch", "smallwiki"},
		{"fetch", "smallwiki", "latest", "--base", url},
		{"fetch", "smallwiki", "20260101", "--base", url, "--articles", "history"},
		{"fetch", "smallwiki", "20260101", "--base", url, "--progress", "loud"},
	} {
		if code, _, errs := wikinav(t, args...); code != 2 {
			t.Errorf("%q: exit %d, %q, want 2", args, code, errs)
		}
	}
	if code, _, errs := wikinav(t, "fetch", "smallwiki", "20260201", "--base", url); code != 1 || !strings.Contains(errs, "404") {
		t.Errorf("a date that is not there: exit %d, %q", code, errs)
	}
}

func TestAFetchThatIsKilledIsRepairedByTheNext(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		underWay := make(chan bool, 1)
		var once sync.Once
		url := dumpSite(t, func(w http.ResponseWriter, r *http.Request) {
			once.Do(func() { // the first answer hangs after some bytes
				w.Header().Set("Content-Length", "100000")
				w.Write([]byte("BZh9"))
				w.(http.Flusher).Flush()
				underWay <- true
				<-r.Context().Done()
			})
		})
		out := filepath.Join(t.TempDir(), "files")
		args := []string{"fetch", "smallwiki", "20260101", "--base", url, "--contact", "me@example.org", "--out", out}
		cmd := process(t, args...)
		<-underWay
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if signal == syscall.SIGTERM && cmd.ProcessState.ExitCode() != 130 {
			t.Errorf("SIGTERM: exit %d, want 130", cmd.ProcessState.ExitCode())
		}
		if _, err := os.Stat(filepath.Join(out, "inputs.json")); err == nil {
			t.Errorf("%s: inputs.json is there before the files", signal)
		}
		must(t, args...)
		left, err := filepath.Glob(filepath.Join(out, "*.part*"))
		if err != nil || len(left) > 0 {
			t.Errorf("%s: %q are left, %v", signal, left, err)
		}
	}
}
