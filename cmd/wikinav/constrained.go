package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
)

// addConstrained reads the instances under a ban, if the build has any. A build in which no page has a label has none to publish: its
// summary says so.
func (v *view) addConstrained(in *release.Input) error {
	if v.build.Stages["constrained"] == "" {
		return nil
	}
	c := &release.ConstrainedInput{}
	if err := v.document("constrained", "funnel.json", &c.Funnel); err != nil || c.Funnel.Unlabelled() {
		return err
	}
	data, err := v.read("constrained", "instances.jsonl")
	if err != nil {
		return err
	}
	if c.Instances, err = release.DecodeConstrained(data, "instances.jsonl"); err != nil {
		return err
	}
	if data, err = v.read("constrained", "infeasible.jsonl"); err != nil {
		return err
	}
	if c.Infeasible, err = release.DecodeInfeasible(data, "infeasible.jsonl"); err != nil {
		return err
	}
	in.Constrained = c
	return nil
}

// printConstrained tells what the constrained set got, how many pages pass each filter, and what became of the attempts.
func printConstrained(out io.Writer, f *schemas.ConstrainedFunnel) {
	if f.Unlabelled() {
		fmt.Fprintln(out, "\nconstrained: not made, because no page has a label; name types with --types")
		return
	}
	mark := ""
	if f.Status == schemas.StatusShort {
		mark = "  SHORT"
	}
	fmt.Fprintf(out, "\n%-10s %-20s %d of %d%s\n", "constrained", "preset "+presetOf(f), f.Accepted, f.Requested, mark)
	for _, group := range []struct {
		name  string
		steps []schemas.FilterCount
	}{{"pages", f.Pages}, {"sources", f.Sources}, {"targets", f.Targets}} {
		var steps []string
		for _, s := range group.steps {
			steps = append(steps, s.Filter+" "+thousands(int64(s.Pages)))
		}
		fmt.Fprintf(out, "  %s: %s\n", group.name, strings.Join(steps, ", "))
	}
	fmt.Fprintf(out, "  %s attempts%s\n", thousands(int64(f.Attempts)), rejected(f))
	if n := f.OnPaths.Any; n[1] > 0 {
		fmt.Fprintf(out, "  labels: %s of %s pages on the paths\n", thousands(int64(n[0])), thousands(int64(n[1])))
	}
	if mark != "" {
		printShortConstrained(out, f)
	}
}

// presetOf names the preset whose values these are, and tells where they were changed.
func presetOf(f *schemas.ConstrainedFunnel) string {
	var params struct {
		Preset string `json:"preset"`
	}
	if err := json.Unmarshal(f.Params, &params); err != nil {
		return "?"
	}
	if strings.HasSuffix(f.Label, "-custom") {
		return params.Preset + ", changed"
	}
	return params.Preset
}

func rejected(f *schemas.ConstrainedFunnel) string {
	var out string
	for _, reason := range schemas.ConstrainedRejects {
		if n := f.Rejects[reason]; n > 0 {
			out += fmt.Sprintf(", %s %s", thousands(int64(n)), reason)
		}
	}
	return out
}

func printShortConstrained(out io.Writer, f *schemas.ConstrainedFunnel) {
	switch f.Empty {
	case "":
		fmt.Fprintln(out, "  the attempts were used up: --set constrained.preset=small asks for less;")
	case "targets.min_in":
		fmt.Fprintln(out, "  no member of the target set passes targets.min_in: --targets all, or --set constrained.preset=small, which asks for less;")
	default:
		fmt.Fprintf(out, "  no page passes %s: --set constrained.preset=small asks for less;\n", f.Empty)
	}
	fmt.Fprintln(out, "  wikinav release refuses it unless told --allow-short")
}
