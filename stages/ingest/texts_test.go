package ingest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// textMode returns what the file of the texts says of itself.
func textMode(t *testing.T, env *stagetest.Env) string {
	t.Helper()
	f := open(t, env, textsFile, schemas.TextsTable)
	defer f.Close()
	return f.Metadata(schemas.KeyTexts)
}

func TestTextsAreThoseOfArticlesInOrderOfIDs(t *testing.T) {
	env := envOf(t, dumpOf(oddPages...))
	env.MustRun(New(Params{VerifyText: "count", Texts: schemas.TextsOn}, ""))
	got := lines(t, env, textsFile, schemas.TextsTable)
	if len(got) != 7 || got[1] != "3|Apple||# Apple\n\nand [Fruit](/wiki/Fruit)|33|false" {
		t.Errorf("got %d texts, %q", len(got), got)
	}
	if n := env.Counters; n["page_texts"] != 7 || n["page_texts_truncated"] != 0 || n["text_templates_deleted"] != 1 {
		t.Errorf("counters: %v", n)
	}
}

func TestTextsAreReadOnDemandAndChangeNothingElse(t *testing.T) {
	dump := dumpOf(manyPages(200)...)
	off := runOn(t, dump)
	for _, c := range []struct {
		mode  onDemand
		pages int64 // from which auto is off
		want  string
	}{
		{"", 1000, schemas.TextsOff},
		{schemas.TextsOff, 1000, schemas.TextsOff},
		{schemas.TextsOn, 3, schemas.TextsOn},
		{schemas.TextsAuto, 215, schemas.TextsOn},
		{schemas.TextsAuto, 214, schemas.TextsOff},
		{schemas.TextsAuto, 3, schemas.TextsOff},
	} {
		for _, workers := range []int{1, 4} {
			env := envOf(t, dump)
			env.NumWorkers = workers
			limit := autoTexts
			autoTexts = c.pages
			env.MustRun(New(Params{VerifyText: "count", Texts: c.mode}, ""))
			autoTexts = limit
			rows := env.Outputs[textsFile].Rows
			if got := textMode(t, env); got != c.want || (rows > 0) != (got == schemas.TextsOn) || env.Counters["page_texts"] != rows {
				t.Errorf("%q, limit %d: got %s with %d rows, want %s", c.mode, c.pages, got, rows, c.want)
			}
			for name, out := range off.Outputs {
				if got := env.Outputs[name]; name != textsFile && name != "snapshot.json" && got.Logical != out.Logical {
					t.Errorf("%q: %s depends on texts", c.mode, name)
				}
			}
		}
	}
}

// TestTextsAreTheSameWhateverTheWorkersAndTheReader reads a dump in both packings with both readers.
func TestTextsAreTheSameWhateverTheWorkersAndTheReader(t *testing.T) {
	plain, multi := sample(t, ltgPlain, ltgPlainSum), sample(t, ltgMulti, ltgMultiSum)
	index := sample(t, ltgIndex, ltgIndexSum)
	first := ""
	for _, reader := range []string{"native", "wikiparse"} {
		for _, workers := range []int{1, 4} {
			for name, dump := range map[string][]byte{"plain": plain, "multistream": multi} {
				env := envOf(t, dump)
				if name == "multistream" {
					env.GiveExternal(schemas.Dump, "test-index.txt.bz2", roleIndex, index)
				}
				env.NumWorkers = workers
				env.MustRun(New(Params{Wiki: "ltgwiki", Date: "20170901", VerifyText: "strict", Texts: schemas.TextsOn}, reader))
				got := fmt.Sprint(env.Outputs[textsFile].Logical, env.Outputs[textsFile].Rows)
				if first == "" {
					first = got
					checkTexts(t, env)
				}
				if got != first {
					t.Errorf("%s, %s, %d workers: got %s, want %s", reader, name, workers, got, first)
				}
			}
		}
	}
}

func checkTexts(t *testing.T, env *stagetest.Env) {
	t.Helper()
	all := lines(t, env, textsFile, schemas.TextsTable)
	if len(all) < 800 || !strings.Contains(strings.Join(all, "\n"), "](/wiki/") || strings.Contains(strings.Join(all, "\n"), "{{") {
		t.Errorf("%d texts, some with braces", len(all))
	}
}
