package family_test

import (
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

func TestAScoreSaysSinceWhenThePairsOfItsFamilyAreFresh(t *testing.T) {
	since := map[string]string{"questions": "0123456789abcdef"}
	for name, want := range map[string]string{"questions": since["questions"], "mazes": ""} {
		src := family.Source{Name: "r", ID: "id", FreshSince: func(stage string) string { return since[stage] }}
		log := &trace.Log{Run: &schemas.Run{Family: name, ReleaseID: "id"}}
		sc, err := family.Begin(name, src, log, family.Request{})
		if err != nil || sc.Scores.FreshSince != want {
			t.Errorf("%s: fresh since %q, %v; want %q", name, sc.Scores.FreshSince, err, want)
		}
	}
}
