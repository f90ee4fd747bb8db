package main

import (
	"fmt"

	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/pipeline"
	"github.com/wikinav/wikinav/stages"
)

// reporter tells the progress of a build.
type reporter struct{ *cli.Progress }

// Stage tells of a stage's start and end.
func (r reporter) Stage(e pipeline.Event) {
	text := ""
	if e.State == pipeline.Running {
		text = fmt.Sprintf("%d/%d %s: %s%s", e.Number, e.Total, e.Stage, e.Why, needs(e.Estimate))
	}
	r.Say(map[string]any{"stage": e.Stage, "number": e.Number, "total": e.Total, "state": e.State, "why": e.Why}, text)
}

func needs(e stages.Estimate) string {
	if e.Disk == 0 && e.Memory == 0 {
		return ""
	}
	return fmt.Sprintf("; needs about %s of disk and %s of memory", pipeline.Bytes(e.Disk), pipeline.Bytes(e.Memory))
}

// Meter starts the progress of one phase.
func (r reporter) Meter(stage, phase, unit string, total int64) stages.Meter {
	return r.Progress.Meter(stage, phase, unit, total)
}
