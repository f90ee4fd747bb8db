package main

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/pipeline"
)

func TestOffATerminalAStageHasALineAtItsStartAndEndAndEvery30Seconds(t *testing.T) {
	for kind, want := range map[string]string{
		"auto": "1/2 demo: not built yet\n1/2 demo: running for 30s\n1/2 demo: running for 1m0s\n1/2 demo: done in 1m5s\n",
		"none": "",
	} {
		synctest.Test(t, func(t *testing.T) {
			var out bytes.Buffer
			cmd := &cobra.Command{}
			cmd.SetErr(&out)
			r := newReporter(cmd, kind)
			e := pipeline.Event{Stage: "demo", Number: 1, Total: 2, State: pipeline.Running, Why: "not built yet"}
			r.Stage(e)
			time.Sleep(65 * time.Second)
			e.State = pipeline.Done
			r.Stage(e)
			r.Stage(pipeline.Event{Stage: "scc", Number: 2, Total: 2, State: pipeline.Fresh})
			if out.String() != want {
				t.Errorf("--progress %s: %q, want %q", kind, out.String(), want)
			}
		})
	}
}
