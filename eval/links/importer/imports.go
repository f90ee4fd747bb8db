package importer

import (
	"cmp"
	"os"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Format is a foreign format: its name, what it is, and its reader.
type Format struct {
	Name string
	Says string
	Read func([]byte) (*File, error)
}

// Formats that are called the same whatever family reads them.
var (
	NodePaths = Format{"node-paths", "people's games, pages joined by semicolons", readNodes}
	SnapPaths = Format{"snap-paths", "people's games of Wikispeedia, as SNAP publishes them", readSnap}
	Titles    = Format{"titles-jsonl", "an instance or a pair, and titles or steps, a game a line", readTitles}
	WikiGame  = Format{"wikigame", "people's games, by pairs of pages", readWikiGame}
)

func Imports(formats ...Format) []family.Import {
	list := make([]family.Import, len(formats))
	for i, f := range formats {
		list[i] = family.Import{Format: f.Name, Says: f.Says}
		list[i].Read = func(set family.Set, path string, req family.ImportRequest) (*family.Imported, error) {
			return imported(f, set, path, req)
		}
	}
	return list
}

// imported reads a file and plays its games: those that name instances by the rules of the family,
// others by all links and the file's own limit, both as far as the user gave no others.
func imported(f Format, set family.Set, path string, req family.ImportRequest) (*family.Imported, error) {
	rel := set.(interface{ Release() replay.Release }).Release()
	switch {
	case req.Unchecked && game.HasBan(rel.Defaults):
		return nil, fault.New(fault.Usage,
			"--no-edge-check: without the release's labels nobody knows who breaks a ban")
	case req.Unchecked && len(req.Given) > 0:
		return nil, fault.New(fault.Usage, "--option with --no-edge-check: nothing is played, so no rule applies")
	}
	file, err := open(f, path)
	if err != nil {
		return nil, err
	}
	if req.Run.Model, err = file.player(path, req.Model); err != nil {
		return nil, err
	}
	if req.Unchecked {
		return ConvertUnchecked(file, rel, req.Run)
	}
	opts, err := game.SetOptions(file.Rules(rel.Defaults), req.Given)
	if err != nil {
		return nil, err
	}
	return Convert(file, rel, opts, req.Run)
}

func open(f Format, path string) (*File, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, fault.Opening(path, err)
	}
	defer in.Close()
	return Read(f, path, in)
}

// player settles whose games of the file are meant, and rejects those of others.
func (f *File) player(path, model string) (schemas.Player, error) {
	if f.Human {
		return schemas.Player{Name: "human", Kind: schemas.KindHuman}, nil
	}
	models := f.Models()
	switch {
	case model != "" && !slices.Contains(models, model):
		return schemas.Player{}, fault.New(fault.Usage, "no game is by model %s", fault.Quote(model)).At(path, "").
			Choose(model, models)
	case model == "" && len(models) > 1:
		return schemas.Player{}, fault.New(fault.Usage, "the games are by %d models, a run has one", len(models)).
			At(path, "").
			Hint("choose with --model from %s", strings.Join(models, ", "))
	case model == "" && len(models) == 1:
		model = models[0]
	}
	model = cmp.Or(model, unnamed)
	f.Keep(model)
	return schemas.Player{Name: model, Kind: schemas.KindForeign}, nil
}

// unnamed is the model of games that name none.
const unnamed = "unnamed"
