package replay_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/links"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

func write(t testing.TB, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func line(v any) string { return string(canon.MustMarshal(v)) + "\n" }

func played(id string, attempt int) schemas.Game {
	return schemas.Game{
		Schema: schemas.GameSchema, Run: "r", Game: id, Instance: "wr-easy-0001", Attempt: attempt, Outcome: "gave_up", Path: []uint32{0},
	}
}

func stepOf(id string, n int) schemas.Step {
	return schemas.Step{Schema: schemas.StepSchema, Run: "r", Game: id, Instance: "wr-easy-0001", Step: n, Menu: []uint32{1}}
}

// runWith writes a run directory with these logs.
func runWith(t testing.TB, steps, games string) string {
	t.Helper()
	return runUnder(t, "{}", steps, games)
}

func runUnder(t testing.TB, options, steps, games string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, trace.RunFile, line(schemas.Run{
		Schema: schemas.RunSchema, Run: "r", Splits: []string{"easy"}, Attempts: 1, Rules: schemas.Rules{Options: []byte(options)},
	}))
	write(t, dir, trace.StepsFile, steps)
	write(t, dir, trace.GamesFile, games)
	return dir
}

func read(path string) (*replay.Log, error) {
	l, err := trace.Open(path, links.Rules{}.Layout())
	if err != nil {
		return nil, err
	}
	return replay.Read(l)
}

func TestStepsGoToTheirGames(t *testing.T) {
	dir := runWith(t, line(stepOf("a", 1))+line(stepOf("b", 1))+line(stepOf("a", 2))+line(stepOf("lost", 1)), line(played("a", 1))+line(played("b", 2)))
	for _, path := range []string{dir, filepath.Join(dir, trace.RunFile), filepath.Join(dir, trace.StepsFile), filepath.Join(dir, trace.GamesFile)} {
		log, err := read(path)
		if err != nil {
			t.Fatal(err)
		}
		if log.Dir != dir || len(log.Games) != 2 || len(log.Games[0].Steps) != 2 || log.Games[0].Steps[1].Step != 2 || len(log.Games[1].Steps) != 1 {
			t.Errorf("%s: got %+v", path, log)
		}
		if log.Torn != 0 || log.Loose != 1 {
			t.Errorf("%s: %d torn lines, %d loose steps", path, log.Torn, log.Loose)
		}
	}
}

func TestATornLastLineDoesNotCount(t *testing.T) {
	steps, games := line(stepOf("a", 1))+line(stepOf("b", 1)), line(played("a", 1))+line(played("b", 2))
	first := strings.IndexByte(games, '\n') + 1
	for cut := first + 1; cut < len(games); cut++ {
		log, err := read(runWith(t, steps, games[:cut]))
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if len(log.Games) != 1 || log.Torn != 1 || log.Loose != 1 {
			t.Fatalf("cut at %d: %d games, %d torn lines, %d loose steps", cut, len(log.Games), log.Torn, log.Loose)
		}
	}
}

func TestALastLineWithoutLineEndCountsInAFileOfOnesOwn(t *testing.T) {
	log, err := read(write(t, t.TempDir(), "mine.jsonl", `{"instance":"i","path":["A",7]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []replay.Page{{Title: "A", Named: true}, {Node: 7}}
	if got := log.Games[0]; got.Attempt != 1 || got.Path[0] != want[0] || got.Path[1] != want[1] || got.Outcome != nil || got.HasSteps {
		t.Errorf("got %+v", got)
	}
}

// hostile holds lines that must be refused, whatever file they stand in.
var hostile = map[string]string{
	"nothing":                "",
	"no JSON":                "hello",
	"cut":                    `{"instance":"i","path":[`,
	"a list":                 `[]`,
	"null":                   `null`,
	"trailing data":          `{"instance":"i","path":[0]} {}`,
	"NaN":                    `{"instance":"i","path":[NaN]}`,
	"duplicate key":          `{"instance":"i","path":[0],"path":[1]}`,
	"case variant":           `{"Instance":"i","path":[0]}`,
	"unknown field":          `{"instance":"i","path":[0],"score":1}`,
	"no instance":            `{"path":[0]}`,
	"no path":                `{"instance":"i"}`,
	"empty path":             `{"instance":"i","path":[]}`,
	"null path":              `{"instance":"i","path":null}`,
	"null page":              `{"instance":"i","path":[null]}`,
	"page as object":         `{"instance":"i","path":[{}]}`,
	"page as list":           `{"instance":"i","path":[[0]]}`,
	"boolean page":           `{"instance":"i","path":[true]}`,
	"negative page":          `{"instance":"i","path":[-1]}`,
	"page beyond 32 bits":    `{"instance":"i","path":[4294967296]}`,
	"page beyond 53 bits":    `{"instance":"i","path":[9007199254740993]}`,
	"fraction":               `{"instance":"i","path":[1.5]}`,
	"huge exponent":          `{"instance":"i","path":[1e400]}`,
	"attempt 0":              `{"instance":"i","path":[0],"attempt":0}`,
	"attempt as text":        `{"instance":"i","path":[0],"attempt":"1"}`,
	"negative usage":         `{"instance":"i","path":[0],"usage":{"prompt":-1,"output":0,"reasoning":0}}`,
	"usage beyond counting":  `{"instance":"i","path":[0],"usage":{"prompt":9007199254740991,"output":0,"reasoning":0}}`,
	"outcome as number":      `{"instance":"i","path":[0],"outcome":1}`,
	"invalid UTF-8":          "{\"instance\":\"\xff\",\"path\":[0]}",
	"deep":                   `{"instance":"i","path":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`,
	"long":                   `{"instance":"` + strings.Repeat("i", canon.MaxLine) + `","path":[0]}`,
	"unknown schema":         `{"schema":"wikirace.game/9"}`,
	"schema null":            `{"schema":null,"instance":"i","path":[0]}`,
	"record without a name":  `{"schema":"wikirace.game/1","instance":"i","attempt":1,"path":[0]}`,
	"record with a title":    `{"schema":"wikirace.game/1","game":"g","instance":"i","attempt":1,"path":["A"]}`,
	"record, endless turns":  `{"schema":"wikirace.game/1","game":"g","instance":"i","attempt":1,"path":[0],"turns":9007199254740991}`,
	"record, negative turns": `{"schema":"wikirace.game/1","game":"g","instance":"i","attempt":1,"path":[0],"turns":-1}`,
}

func TestHostileLinesAreRefusedWithTheirPlace(t *testing.T) {
	good := `{"instance":"good","path":[0]}` + "\n"
	for name, bad := range hostile {
		path := write(t, t.TempDir(), "mine.jsonl", good+bad+"\n")
		_, err := read(path)
		checkPlace(t, name+" in a file", err, path, "line 2")
		dir := runWith(t, "", line(played("a", 1))+bad+"\n")
		_, err = read(dir)
		checkPlace(t, name+" among games", err, filepath.Join(dir, trace.GamesFile), "line 2")
		dir = runWith(t, line(stepOf("a", 1))+bad+"\n", line(played("a", 1)))
		_, err = read(dir)
		checkPlace(t, name+" among steps", err, filepath.Join(dir, trace.StepsFile), "line 2")
	}
}

func TestTwoGamesOfOneAttemptAreRefused(t *testing.T) {
	short := `{"instance":"i","path":[0]}` + "\n"
	path := write(t, t.TempDir(), "mine.jsonl", short+`{"instance":"j","path":[0]}`+"\n"+short)
	_, err := read(path)
	checkPlace(t, "short form", err, path, "line 3")
	dir := runWith(t, "", line(played("a", 1))+line(played("b", 1)))
	_, err = read(dir)
	checkPlace(t, "records", err, filepath.Join(dir, trace.GamesFile), "line 2")
	dir = runWith(t, "", line(played("a", 1))+line(played("a", 2)))
	_, err = read(dir)
	checkPlace(t, "one name", err, filepath.Join(dir, trace.GamesFile), "line 2")
}

func checkPlace(t *testing.T, name string, err error, file, where string) {
	t.Helper()
	var f *fault.Error
	if !errors.As(err, &f) || f.Kind != fault.Malformed || f.File != file || where != "" && f.Where != where {
		t.Errorf("%s: got %.200v, want malformed at %s %s", name, err, file, where)
	}
}

func TestWhatIsNotThereIsNotFound(t *testing.T) {
	dir := runWith(t, "", "")
	if err := os.Remove(filepath.Join(dir, trace.StepsFile)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(t.TempDir(), "none"), t.TempDir(), dir} {
		if _, err := read(path); !errors.Is(err, fault.NotFound) {
			t.Errorf("%s: got %v", path, err)
		}
	}
}

// TestALogThatGoesOnAfterTheEndCostsNoMemory writes 200,000 steps of two games that can have 6 each.
func TestALogThatGoesOnAfterTheEndCostsNoMemory(t *testing.T) {
	const n = 100_000
	dir := runUnder(t, `{"max_steps":5,"max_invalid":1}`, "", line(played("a", 1))+line(played("b", 2)))
	f, err := os.Create(filepath.Join(dir, trace.StepsFile))
	if err != nil {
		t.Fatal(err)
	}
	both := []byte(strings.Repeat(line(stepOf("a", 1))+line(stepOf("b", 1)), 1000))
	for range n / 1000 {
		if _, err := f.Write(both); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	log, err := read(dir)
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	for _, g := range log.Games {
		if len(g.Steps) != 6 || g.Excess != n-6 {
			t.Errorf("game %s: %d steps kept, %d counted; want 6 and %d", g.Name(), len(g.Steps), g.Excess, n-6)
		}
	}
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 1<<20 {
		t.Errorf("%d bytes are kept", grown)
	}
}

func TestTheNumberOfStepsThatAreKeptFollowsTheRules(t *testing.T) {
	for _, c := range []struct{ maxSteps, maxInvalid, want int }{{3, 2, 7}, {1, 1, 2}, {0, 0, 12}, {1 << 40, 1 << 40, 12}} {
		opts := game.OptionsJSON(schemas.GameOptions{MaxSteps: c.maxSteps, MaxInvalid: c.maxInvalid})
		dir := runUnder(t, string(opts), strings.Repeat(line(stepOf("a", 1)), 12), line(played("a", 1)))
		log, err := read(dir)
		if err != nil {
			t.Fatal(err)
		}
		if g := log.Games[0]; len(g.Steps) != c.want || g.Excess != 12-c.want {
			t.Errorf("%+v: %d kept, %d counted", c, len(g.Steps), g.Excess)
		}
	}
}

// FuzzRead looks for input that is neither refused as malformed nor read into games.
func FuzzRead(f *testing.F) {
	for _, bad := range hostile {
		if len(bad) < 1000 {
			f.Add([]byte(bad))
		}
	}
	f.Add([]byte(`{"instance":"i","path":["A",7],"attempt":2,"outcome":"infra","usage":{"prompt":1,"output":2,"reasoning":0}}`))
	f.Add([]byte(line(played("a", 1))))
	path := filepath.Join(f.TempDir(), "mine.jsonl")
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		log, err := read(path)
		if err != nil {
			if !errors.Is(err, fault.Malformed) {
				t.Fatalf("%q: %v", data, err)
			}
			return
		}
		for _, g := range log.Games {
			if g.Instance == "" || len(g.Path) == 0 || g.Attempt < 1 {
				t.Fatalf("%q is the game %+v", data, g)
			}
		}
	})
}
