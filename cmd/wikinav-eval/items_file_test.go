package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/schemas"
)

// TestScoreWritesWhatCameOfEveryItem: a line for each game, whose successes are those of the score.
func TestScoreWritesWhatCameOfEveryItem(t *testing.T) {
	rel := newRelease(t, gametest.Random(3, 150, 90, 60), 10, 2, 3)
	out, items := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "items.jsonl")
	eval("play", "--release", rel, "--player", "random", "--out", out).want(t, 0)
	s := scoresOf(t, eval("score", "--release", rel, "--trajectories", out, "--json", "--items", items).want(t, 0))
	data, err := os.ReadFile(items)
	if err != nil {
		t.Fatal(err)
	}
	list, err := jsonl.Decode[schemas.Result](data, items, schemas.ResultSchema)
	if err != nil {
		t.Fatal(err)
	}
	n, won := 0, 0
	for _, row := range s.Rows {
		if row.Whole() {
			n, won = n+row.N, won+row.Outcomes[schemas.OutcomeSuccess]
		}
	}
	successes := 0
	for _, r := range list {
		if r.ManifestID != s.ManifestID || r.Family != s.Family || r.Model != "random" || r.Instance == "" {
			t.Errorf("got %+v", r)
		}
		if r.Success {
			successes++
		}
	}
	if len(list) != n || successes != won || n == 0 {
		t.Errorf("%d lines with %d successes, the score has %d with %d", len(list), successes, n, won)
	}
}
