package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/pipeline"
)

func TestOffATerminalAStageHasALineAtItsStartAndEndAndEvery30Seconds(t *testing.T) {
	for kind, want := range map[string]string{
		"auto": "1/2 demo: running\n1/2 demo: running for 30s\n" +
			"1/2 demo: running for 1m0s: writing 40 of 80 pages, 1/s, 40s left\n1/2 demo: done in 1m5s\n",
		"none": "",
	} {
		synctest.Test(t, func(t *testing.T) {
			var out bytes.Buffer
			cmd := &cobra.Command{}
			cmd.SetErr(&out)
			r := newReporter(cmd, kind, nil)
			e := pipeline.Event{Stage: "demo", Number: 1, Total: 2, State: pipeline.Running}
			r.Stage(e)
			m := r.Meter("demo", "writing", "pages", 80)
			time.Sleep(40 * time.Second)
			m.Add(40)
			time.Sleep(25 * time.Second)
			e.State = pipeline.Done
			r.Stage(e)
			r.Stage(pipeline.Event{Stage: "scc", Number: 2, Total: 2, State: pipeline.Fresh})
			if out.String() != want {
				t.Errorf("--progress %s: %q, want %q", kind, out.String(), want)
			}
		})
	}
}

func TestStatusSaysDuringABuildWhichStageRunsSinceWhenAndHowFar(t *testing.T) {
	work, start := t.TempDir(), time.Now()
	cmd := process(t, "build", "--work", work) // the demo: its first stage takes some seconds
	defer func() { cmd.Process.Kill(); cmd.Wait() }()
	waitFor(t, filepath.Join(work, "stages", "demo"))
	var got struct {
		Running struct {
			Build, Stage string
			Number       int
			Since        time.Time
			StageSince   time.Time `json:"stage_since"`
			Progress     *cli.Advance
		}
	}
	for ; got.Running.Progress == nil && time.Since(start) < time.Minute; time.Sleep(100 * time.Millisecond) {
		if err := json.Unmarshal([]byte(must(t, "status", "--work", work, "--json")), &got); err != nil {
			t.Fatal(err)
		}
	}
	r := got.Running
	if r.Build != "default" || r.Stage != "demo" || r.Number != 1 ||
		r.Since.Before(start) || r.StageSince.Before(r.Since) {
		t.Errorf("got %+v", r)
	}
	if p := r.Progress; p == nil || p.Unit != "pages" || p.Done < 1 || p.Done > p.Total {
		t.Errorf("progress %+v", p)
	}
	out := must(t, "status", "--work", work)
	if !strings.Contains(out, " demo: running since ") || !strings.Contains(out, " pages, ") {
		t.Errorf("got %s", out)
	}
	cmd.Process.Kill()
	cmd.Wait()
	if code, out, errs := wikinav(t, "status", "--work", work); code != 10 || !strings.Contains(errs, "no build named") {
		t.Errorf("after the build died: exit %d, %s%s", code, out, errs)
	}
	unlock := lock(t, work) // a writer who keeps no log, and not the one before
	defer unlock()
	if out := must(t, "status", "--work", work); !strings.HasPrefix(out, "another wikinav is at work") {
		t.Errorf("beside a writer without a log: %s", out)
	}
}
