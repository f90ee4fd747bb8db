package trace_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas/fault"
)

var layout = trace.Layout{Unit: "games", Main: trace.GamesFile, Side: trace.StepsFile, Key: trace.KeyField("game")}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

const run = `{"schema":"wikinav.run/2","run":"r","attempts":1,"rules":{"options":{},"prompt":null,"parser":null,"interface":"builtin","response_format":null,"sampling":null}}`

func runWith(t *testing.T, side, main string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, trace.RunFile, run)
	write(t, dir, trace.StepsFile, side)
	write(t, dir, trace.GamesFile, main)
	return dir
}

func linesOf(t *testing.T, scan func(func(int, []byte) error) error) string {
	t.Helper()
	var all []string
	if err := scan(func(n int, line []byte) error {
		all = append(all, fmt.Sprintf("%d %s", n, line))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, ",")
}

func TestATornLastLineDoesNotCount(t *testing.T) {
	dir := runWith(t, "s1\ns2\ns", "g1\ng")
	log, err := trace.Open(dir, layout)
	if err != nil {
		t.Fatal(err)
	}
	if main, side := linesOf(t, log.Main), linesOf(t, log.Side); main != "1 g1" || side != "1 s1,2 s2" || log.Torn != 2 {
		t.Errorf("got %q, %q, %d torn", main, side, log.Torn)
	}
}

func TestALastLineWithoutLineEndCountsInAFileOfOnesOwn(t *testing.T) {
	log, err := trace.Open(write(t, t.TempDir(), "mine.jsonl", "a\nb"), layout)
	if err != nil {
		t.Fatal(err)
	}
	if main, side := linesOf(t, log.Main), linesOf(t, log.Side); main != "1 a,2 b" || side != "" || log.Torn != 0 || log.Run != nil {
		t.Errorf("got %q, %q, %d torn", main, side, log.Torn)
	}
}

func TestAFileOfARunStandsForIt(t *testing.T) {
	dir := runWith(t, "", "g\n")
	for _, name := range []string{"", trace.RunFile, trace.GamesFile, trace.StepsFile} {
		if log, err := trace.Open(filepath.Join(dir, name), layout); err != nil || log.Dir != dir || log.Run.Run != "r" {
			t.Errorf("%s: %+v, %v", name, log, err)
		}
	}
	if log, err := trace.Open(write(t, dir, "other.jsonl", "x\n"), layout); err != nil || log.Dir != "" {
		t.Errorf("another file in the folder: %+v, %v", log, err)
	}
}

func TestHostileRunFilesAreRefused(t *testing.T) {
	for name, c := range map[string]struct{ text, says string }{
		"empty":         {"", ""},
		"older version": {`{"schema":"wikirace.run/1","options":{}}`, "is scored by that version, or played again"},
		"newer version": {`{"schema":"wikinav.run/3"}`, "this version reads wikinav.run/2"},
		"unknown field": {`{"schema":"wikinav.run/2","attempts":1,"key":"x"}`, "key"},
		"no attempts":   {`{"schema":"wikinav.run/2"}`, ""},
		"many attempts": {`{"schema":"wikinav.run/2","attempts":9007199254740991}`, "attempts"},
	} {
		dir := runWith(t, "", "")
		path := write(t, dir, trace.RunFile, c.text)
		_, err := trace.Open(dir, layout)
		var f *fault.Error
		if !errors.As(err, &f) || f.Kind != fault.Malformed || f.File != path || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %.200v", name, err)
		}
	}
}

func TestAnImportIsReadStrictly(t *testing.T) {
	dir := runWith(t, "", "")
	path := write(t, dir, trace.ImportFile, `{"schema":"other/1"}`)
	var f *fault.Error
	if _, err := trace.Open(dir, layout); !errors.As(err, &f) || f.Kind != fault.Malformed || f.File != path {
		t.Errorf("got %v", err)
	}
}

func TestWhatIsNotThereIsNotFound(t *testing.T) {
	dir := runWith(t, "", "")
	if err := os.Remove(filepath.Join(dir, trace.StepsFile)); err != nil {
		t.Fatal(err)
	}
	log, err := trace.Open(dir, layout)
	if err != nil {
		t.Fatal(err)
	}
	none := func(int, []byte) error { return nil }
	if err := log.Side(none); !errors.Is(err, fault.NotFound) {
		t.Errorf("a side file that is gone: %v", err)
	}
	if log, err = trace.Open(filepath.Join(t.TempDir(), "none"), layout); err == nil {
		err = log.Main(none)
	}
	if !errors.Is(err, fault.NotFound) {
		t.Errorf("no file: %v", err)
	}
}

func TestWriteFileReplacesWhole(t *testing.T) {
	dir := t.TempDir()
	for _, text := range []string{"a longer text", "short"} {
		if err := whole.WriteFile(dir, "x.json", []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(filepath.Join(dir, "x.json")); string(got) != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("%d files are left", len(entries))
	}
}
