package diff

import (
	"os"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/mango"
	"github.com/wikinav/wikinav/artifacts/release"
)

// Packed lines are records as others are; files in the format of somebody else are not.
func TestPackedFilesHoldRecords(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	var files release.Files
	for _, name := range []string{
		"mazes.jsonl", "maze-0000.questions.jsonl.gz", "maze-0000.steps.jsonl", "questions.parquet",
	} {
		files.Add(name, root, name, digest.Digest{}, 0, "")
	}
	got := recordFiles(mango.Part, files)
	if want := []string{"maze-0000.questions.jsonl.gz", "mazes.jsonl"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if split := splitOf(mango.Part, got[0]); split != "mango/maze-0000.questions" {
		t.Errorf("called %s", split)
	}
}
