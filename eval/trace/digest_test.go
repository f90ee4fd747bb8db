package trace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/wikinav/wikinav/artifacts/digest"
)

func TestTheDigestOfARunIsThatOfItsListing(t *testing.T) {
	dir := t.TempDir()
	putFile(t, dir, RunFile, "run")
	putFile(t, dir, StepsFile, "")
	path := putFile(t, dir, GamesFile, "games")
	putFile(t, dir, SummaryFile, "not played, but made of it")
	// $ sha256sum games.jsonl run.json steps.jsonl | sha256sum
	want := digest.SHA256([]byte(digest.SHA256([]byte("games")) + "  games.jsonl\n" +
		digest.SHA256([]byte("run")) + "  run.json\n" + digest.SHA256(nil) + "  steps.jsonl\n"))
	if got, err := (&Log{Path: dir, Dir: dir, Layout: Layout{Main: GamesFile, Side: StepsFile}}).SHA256(t.Context()); got != want || err != nil {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	if got, err := (&Log{Path: path}).SHA256(t.Context()); got != digest.SHA256([]byte("games")) || err != nil {
		t.Errorf("a single file: got %s, %v", got, err)
	}
}

func putFile(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
