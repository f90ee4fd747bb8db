package lumina

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

func putFile(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func readLog(t *testing.T, path string) (*trace.Log, []toldEpisode, error) {
	t.Helper()
	log, err := trace.Open(path, Family{}.Layout())
	if err != nil {
		t.Fatal(err)
	}
	list, err := readEpisodes(log)
	return log, list, err
}

func TestEpisodesOfRepliesAloneAreRead(t *testing.T) {
	path := putFile(t, t.TempDir(), "mine.jsonl", `{"instance_id":"a","config":"base","steps":[{"reply":"x"},{"reply":"y"}]}`+"\n"+
		`{"instance_id":"a","config":"P","steps":[],"outcome":"infra"}`)
	_, list, err := readLog(t, path)
	if err != nil || len(list) != 2 || *list[0].Steps[1].Reply != "y" || *list[1].Outcome != "infra" {
		t.Errorf("got %+v, %v", list, err)
	}
}

func TestEpisodesThatCannotBeScoredAreRefused(t *testing.T) {
	for name, text := range map[string]string{
		"twice":        `{"instance_id":"a","config":"P","steps":[]}` + "\n" + `{"instance_id":"a","config":"P","steps":[]}`,
		"no config":    `{"instance_id":"a","steps":[]}`,
		"no instance":  `{"config":"P","steps":[]}`,
		"no reply":     `{"instance_id":"a","config":"P","steps":[{"t":1}]}`,
		"a field more": `{"instance_id":"a","config":"P","steps":[],"score":1}`,
		"a key twice":  `{"instance_id":"a","instance_id":"b","config":"P","steps":[]}`,
		"a float":      `{"instance_id":"a","config":"P","steps":[{"reply":"","t":1.5}]}`,
		"version":      `{"schema":"lumina.episode/2","instance_id":"a","config":"P","steps":[]}`,
		"no JSON":      `pop(1)`,
	} {
		_, _, err := readLog(t, putFile(t, t.TempDir(), "mine.jsonl", text))
		if fault.KindOf(err) != fault.Malformed || fault.Code(err) != 14 || !strings.Contains(err.Error(), "line ") {
			t.Errorf("%s: got %v, want malformed with a line", name, err)
		}
	}
}

func TestATornEpisodeOfARunDoesNotCount(t *testing.T) {
	dir := t.TempDir()
	putFile(t, dir, trace.RunFile, string(canon.MustMarshal(schemas.Run{Schema: schemas.RunSchema, Splits: []string{}, Attempts: 1})))
	path := putFile(t, dir, episodesFile, `{"instance_id":"a","config":"P","steps":[]}`+"\n"+`{"instance_id":"b",`)
	for _, p := range []string{dir, path} {
		log, list, err := readLog(t, p)
		if err != nil || len(list) != 1 || log.Torn != 1 || log.Run == nil || log.Dir != dir {
			t.Errorf("%s: got %+v, %v", p, log, err)
		}
	}
}

// TestWhatIsWrittenCanBeTold keeps the two forms of the record together: whatever play writes has a place in what score reads.
func TestWhatIsWrittenCanBeTold(t *testing.T) {
	for _, pair := range [][2]reflect.Type{
		{reflect.TypeFor[schemas.LuminaEpisode](), reflect.TypeFor[toldEpisode]()},
		{reflect.TypeFor[schemas.LuminaStep](), reflect.TypeFor[toldStep]()},
	} {
		if written, read := keys(pair[0]), keys(pair[1]); !slices.Equal(written, read) {
			t.Errorf("%v has %v, %v has %v", pair[0], written, pair[1], read)
		}
	}
}

func keys(t reflect.Type) []string {
	var out []string
	for _, f := range reflect.VisibleFields(t) {
		if tag := f.Tag.Get("json"); tag != "-" && f.IsExported() && !f.Anonymous {
			out = append(out, tag)
		}
	}
	slices.Sort(out)
	return out
}
