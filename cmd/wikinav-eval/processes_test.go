package main

import (
	"bytes"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	ep "github.com/wikinav/wikinav/eval/endpoint/endpointtest"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/trace"
)

// asProgram is the environment variable that makes the test binary the program itself, so that a test can kill it.
const asProgram = "WIKINAV_EVAL_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	if os.Getenv(asVictim) != "" {
		os.Exit(beVictim())
	}
	os.Exit(m.Run())
}

// process starts the program.
func process(t *testing.T, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, &out
}

var clockFields = regexp.MustCompile(`"(created_at|started|ended)":"[^"]*"|"latency_ms":\d+`)

// timeless returns a run's files without the clock fields.
func timeless(t *testing.T, dir string) string {
	t.Helper()
	var all []byte
	for _, name := range []string{trace.RunFile, trace.StepsFile, trace.GamesFile} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, clockFields.ReplaceAll(data, nil)...)
	}
	return string(all)
}

// sockets serves a scripted endpoint and gives the arguments that play with it.
func sockets(t *testing.T, e *ep.Endpoint, rel, out string) []string {
	t.Helper()
	t.Setenv(apiKeyVariable, canary)
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	return []string{
		"play", "--release", rel, "--player", "openai", "--base-url", server.URL + "/v1", "--model", "m", "--out", out, "--parallel", "4",
		"--price-prompt", "1", "--price-output", "2", "--max-infra-errors", "1000",
	}
}

// killAfter kills the program once the log has so many lines, and tells whether it was still running.
func killAfter(t *testing.T, cmd *exec.Cmd, dir string, games int) bool {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for {
		select {
		case <-done:
			return false
		case <-time.After(time.Millisecond):
		}
		data, err := os.ReadFile(filepath.Join(dir, trace.GamesFile))
		if err == nil && bytes.Count(data, []byte("\n")) >= games {
			if err := cmd.Process.Kill(); err != nil {
				return false
			}
			<-done
			return true
		}
	}
}

// fleeting are faults that cost a client no real time.
func fleeting() func(string, int) ep.Fault {
	return ep.Share(9, 30, ep.RateNow, ep.TooLong, ep.CutLength)
}

func TestARunThatWasKilledGoesOnToTheSameFiles(t *testing.T) {
	rel := newRelease(t, gametest.Random(3, 150, 90, 60), 30, 3, 4)
	whole := filepath.Join(t.TempDir(), "run")
	eval(sockets(t, &ep.Endpoint{Say: drunk, Faults: fleeting()}, rel, whole)...).want(t, 0)
	want := timeless(t, whole)
	killed := 0
	for _, games := range []int{1, 10, 25, 40} {
		out := filepath.Join(t.TempDir(), "run")
		cmd, _ := process(t, sockets(t, &ep.Endpoint{Say: drunk, Faults: fleeting()}, rel, out)...)
		if killAfter(t, cmd, out, games) {
			killed++
		}
		// A new endpoint, because the old one has seen the requests of the games that were under way.
		fresh := &ep.Endpoint{Say: drunk, Faults: fleeting()}
		got := eval(append(sockets(t, fresh, rel, out), "--resume")...).want(t, 0)
		if timeless(t, out) != want {
			t.Errorf("killed after %d games: the resumed run has other files", games)
		}
		checkNoKey(t, out, got)
		eval("score", "--release", rel, "--trajectories", out, "--max-infra-errors", "60").want(t, 0)
	}
	if killed < 2 {
		t.Errorf("%d of 4 processes were killed while they played", killed)
	}
}

// TestProcessesShareARunAndSurviveEachOther starts four processes on one directory and kills one of them.
func TestProcessesShareARunAndSurviveEachOther(t *testing.T) {
	rel := newRelease(t, gametest.Random(3, 150, 90, 60), 30, 3, 4)
	whole := filepath.Join(t.TempDir(), "run")
	straight := &ep.Endpoint{Say: drunk}
	eval(sockets(t, straight, rel, whole)...).want(t, 0)
	for _, kill := range []bool{false, true} {
		out := filepath.Join(t.TempDir(), "run")
		e := &ep.Endpoint{Say: drunk}
		args := sockets(t, e, rel, out)
		var others []*exec.Cmd
		first, _ := process(t, args...)
		for range 3 {
			cmd, output := process(t, args...)
			others = append(others, cmd)
			defer func() {
				if bytes.Contains(output.Bytes(), []byte(canary)) {
					t.Errorf("the key stands in %s", output)
				}
			}()
		}
		if kill {
			killAfter(t, first, out, 5)
		} else if err := first.Wait(); err != nil {
			t.Error(err)
		}
		for _, cmd := range others {
			if err := cmd.Wait(); err != nil {
				t.Errorf("a process that was left alone: %v: %s", err, cmd.Stdout)
			}
		}
		if timeless(t, out) != timeless(t, whole) {
			t.Errorf("kill %v: other files than those of one process", kill)
		}
		asked, once := e.Books().Requests, straight.Books().Requests
		// Each of the other processes may ask once to learn what the endpoint takes.
		if most := once + 3; asked < once || !kill && asked > most || asked > most+4*30 {
			t.Errorf("kill %v: %d requests, want %d to %d, and at most four games' more after a kill",
				kill, asked, once, most)
		}
	}
}
