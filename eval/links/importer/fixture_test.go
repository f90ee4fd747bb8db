package importer_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/importer"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/eval/wikirace/racetest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// result is an import with its records apart.
type result struct {
	Run    schemas.Run
	Import schemas.Import
	Games  []schemas.Game
	Steps  []schemas.Step
}

func resultOf(im *family.Imported) *result {
	r := &result{Run: im.Run, Import: im.Import}
	for _, rec := range im.Records {
		r.Games = append(r.Games, rec.Main.(schemas.Game))
		for _, s := range rec.Side {
			r.Steps = append(r.Steps, s.(schemas.Step))
		}
	}
	return r
}

// options returns the rules that the run names.
func (r *result) options(t *testing.T) schemas.GameOptions {
	t.Helper()
	o, err := game.ReadOptions(game.Defaults(), r.Run.Rules.Options)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// score writes the run, reads it back and scores it.
func (r *result) score(t *testing.T, rel replay.Release, req family.Request) (*family.Scores, error) {
	t.Helper()
	return replay.Score(rel, r.log(t), req)
}

func (r *result) log(t *testing.T) *trace.Log {
	t.Helper()
	dir, layout := t.TempDir(), links.Rules{}.Layout()
	for name, data := range map[string][]byte{
		layout.Main: lines(r.Games), layout.Side: lines(r.Steps), trace.ImportFile: lines([]schemas.Import{r.Import}), trace.RunFile: lines([]schemas.Run{r.Run}),
	} {
		if err := whole.WriteFile(dir, name, data); err != nil {
			t.Fatal(err)
		}
	}
	log, err := trace.Open(dir, layout)
	if err != nil {
		t.Fatal(err)
	}
	return log
}

func lines[T any](records []T) (out []byte) {
	for _, r := range records {
		out = append(append(out, canon.MustMarshal(r)...), '\n')
	}
	return out
}

func releaseOf(w game.World, resolve func(string) (uint32, bool), name string, defaults schemas.GameOptions, tasks ...game.Task) replay.Release {
	return replay.Release{
		Family: name, Name: name, ID: "id", ManifestSHA256: "sum", Wiki: "demowiki", Defaults: defaults,
		Splits:  []replay.Split{{Split: family.Split{Name: "easy", Requested: len(tasks), Got: len(tasks)}, Tasks: tasks}},
		World:   func(schemas.GameOptions) (game.World, error) { return w, nil },
		Resolve: func(bool) (func(string) (uint32, bool), error) { return resolve, nil },
	}
}

func races(w *gametest.World, instances ...schemas.WikiraceInstance) replay.Release {
	var tasks []game.Task
	for _, inst := range instances {
		tasks = append(tasks, racetest.TaskOf(inst))
	}
	return releaseOf(w, w.Node, "race", game.Defaults(), tasks...)
}

func g9() replay.Release {
	w := gametest.G9()
	return races(w, racetest.Instance(w, "wr-easy-0001", 0, 8))
}

func someone(kind string) schemas.Run {
	return schemas.Run{Model: schemas.Player{Name: "m", Kind: kind}}
}

// imported plays the games of a file.
func imported(t *testing.T, f *importer.File, rel replay.Release, opts schemas.GameOptions) *result {
	t.Helper()
	r, err := importer.Convert(f, rel, opts, someone(schemas.KindForeign))
	if err != nil {
		t.Fatal(err)
	}
	return resultOf(r)
}

var formats = map[string]importer.Format{
	"wikirace-llms":  {Name: "wikirace-llms", Read: importer.ReadLLMs},
	"wikirace-arena": {Name: "wikirace-arena", Read: importer.ReadArena},
	"snap-paths":     importer.SnapPaths, "node-paths": importer.NodePaths, "titles-jsonl": importer.Titles, "wikigame": importer.WikiGame,
}

var formatNames = slices.Sorted(maps.Keys(formats))
