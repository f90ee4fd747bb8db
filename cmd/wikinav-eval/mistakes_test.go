package main

import (
	"path/filepath"
	"testing"

	"github.com/wikinav/wikinav/cmd/internal/cli/mistakes"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
)

func TestMistakesAreAnsweredWithWhatToDo(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 5, 4, 5)
	where, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	mistakes.CheckIn(t, filepath.Dir(rel), where, "wikinav-eval", run, `
paly
play
play --release none --player random
play --release `+filepath.Base(rel)+` --player randon
play --release `+filepath.Base(rel)+` --player random --family wikirase
play --release `+filepath.Base(rel)+` --player random --split esay
play --release `+filepath.Base(rel)+` --player random --option max_step=3
play --release `+filepath.Base(rel)+` --player random --option max_steps=many
play --release `+filepath.Base(rel)+` --player random --option max_steps
play --release `+filepath.Base(rel)+` --player random --instance wr-none
play --release `+filepath.Base(rel)+` --player random --seed x
play --release `+filepath.Base(rel)+` --player random --workers 0
play --release `+filepath.Base(rel)+` --player random --limit -1
play --release `+filepath.Base(rel)+` --player openai
play --release `+filepath.Base(rel)+` --player openai --model m --base-url nowhere
play --release `+filepath.Base(rel)+` --player openai --model m --base-url http://127.0.0.1:1 --extra-body {x
play --release `+filepath.Base(rel)+` --player random --temperatur 1
score --release `+filepath.Base(rel)+`
score --release `+filepath.Base(rel)+` --trajectories none
score --release `+filepath.Base(rel)+` --trajectories none --format html
verify none
verify `+filepath.Base(rel)+` --level 9
import snap-path none --release `+filepath.Base(rel)+`
import snap-paths none --release `+filepath.Base(rel)+`
serve --release `+filepath.Base(rel)+` --listen nowhere`)
}
