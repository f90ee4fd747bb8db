package reader

import (
	"runtime"
	"strings"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/release"
)

// Part is aar.Part, of which level 3 of verify also plays the baselines again: their strategies
// stand here, above the files that they play.
var Part release.Part = part{aar.Part}

type part struct{ aar.Contents }

// Prove proves the world, then plays the baselines.
func (p part) Prove(c *release.Check) {
	p.Contents.Prove(c)
	if !c.Wants(aar.ReportFile) || c.Context().Err() != nil {
		return
	}
	err := arrowio.Guard(func() error { return playAgain(c) })
	if err != nil && c.Context().Err() == nil {
		c.Fail("proof", aar.ReportFile, err)
	}
}

// playAgain compares what the report says of baselines with what they get.
func playAgain(c *release.Check) error {
	var params struct{ Seed int64 }
	var report aar.Report
	if !c.Params(&params) {
		return nil // a finding of its own
	}
	err := c.Files().Document(aar.ReportFile, &report)
	if err != nil {
		return err
	}
	legs, err := aar.LegsOf(c.Files())
	if err != nil {
		return err
	}
	w, err := aar.OpenWorld(c.Files())
	if err != nil {
		return err
	}
	defer w.Close()
	tape, err := aar.ReleasedCassette(c.Files())
	if err != nil {
		return err
	}
	meter := c.Meter("playing baselines", "legs", int64(len(legs)*len(Players)))
	defer meter.Done()
	want, err := Baselines(c.Context(), Over(&aar.Tools{World: w, Cassette: tape}), params.Seed, legs,
		runtime.GOMAXPROCS(0), func() { meter.Add(1) })
	if err != nil {
		return err
	}
	release.Differ(c, "baselines", aar.ReportFile, "", len(want), len(report.Baselines))
	for i := range min(len(want), len(report.Baselines)) {
		where := strings.Join([]string{want[i].Player, want[i].Variant, want[i].Level}, " ")
		release.Differ(c, "baseline", aar.ReportFile, where, want[i], report.Baselines[i])
	}
	c.Covered("%s/%s: %d baselines at %d legs, played again; of attempts and why they failed "+
		"only the sums, the rest is for level 4", aar.Part.Folder(), aar.ReportFile,
		len(Players), len(legs))
	return nil
}
