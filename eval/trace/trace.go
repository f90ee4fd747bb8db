// Package trace reads and writes the records of games: run directories, single files of games, and the short form that anybody
// can write by hand.
//
// It owns the layout of a run directory and the strict reading of its records. It promises that what it gives is
// what stands in the file: a field too many, a key that stands twice or a number that JSON cannot keep is refused with file
// and line. It never repairs, and never judges whether a game was possible: that is the work of package judge.
//
// It keeps of a game as many steps as its rules admit, and counts the rest: a log that goes on after the end costs no memory.
//
// The logs are in the order in which games were finished, by however many processes; a run that has come to its end is in the order
// of play, and no reader depends on either.
//
// A run directory holds run.json (schemas.GameRun), steps.jsonl (schemas.Step), games.jsonl (schemas.Game) and, once it is
// scored, summary.json. The two logs only grow, one game at a time; a game is complete iff it has a line in games.jsonl.
// A last line without its line end was torn by a crash and does not count; nor do steps of incomplete games.
package trace

import (
	"path/filepath"
	"slices"

	"github.com/wikinav/wikinav/schemas"
)

// Names of the files of a run directory.
const (
	RunFile     = "run.json"
	StepsFile   = "steps.jsonl"
	GamesFile   = "games.jsonl"
	SummaryFile = "summary.json"
	ImportFile  = "import.json"   // beside the games of an import
	RepliesFile = "replies.jsonl" // of the knowledge probe, in place of steps and games
	InfraFile   = "infra.jsonl"   // what failed for no fault of the player and was played once more
)

// GameLog is what a source says about games.
type GameLog struct {
	Path    string           // as the user named it
	Dir     string           // the run directory, "" for a single file
	Run     *schemas.GameRun // nil for a single file
	Games   []Game           // in file order
	Dropped Dropped
	Import  *schemas.Import // what an import made of its file, nil for games that were played here
}

// Dropped counts what an interrupted run left behind and a resumed one will play again.
type Dropped struct {
	TornLines  int
	LooseSteps int // of games without a line of their own
}

// Game is one finished game as a source tells it.
type Game struct {
	Line     int // in File
	File     string
	Instance string
	Attempt  int
	Outcome  *string // nil if the source does not say
	Path     []Page
	Usage    *schemas.Usage
	Record   *schemas.Game  // the whole record, nil for the short form
	Steps    []schemas.Step // in file order
	Excess   int            // steps in the file that no game of this run can have; they were not read
	HasSteps bool           // the source records steps at all
}

// Name is the game's own name in the source, or its instance.
func (g Game) Name() string {
	if g.Record != nil {
		return g.Record.Game
	}
	return g.Instance
}

// StepsTellUsage tells whether any step of the game says what it cost.
func (g Game) StepsTellUsage() bool {
	return slices.ContainsFunc(g.Steps, func(s schemas.Step) bool { return s.Usage != nil })
}

// Open reads the trajectories at path: a run directory, one of its files, which stands for the directory, or a JSON-lines file with
// a game a line. Errors: fault.NotFound, fault.Malformed with file and line.
func OpenGames(path string) (*GameLog, error) {
	if dir, ok := runDir(path); ok {
		return openRun(path, dir)
	}
	return openFile(path)
}

// runDir gives the run directory that path stands for.
func runDir(path string) (string, bool) {
	if isDir(path) {
		return path, true
	}
	dir, name := filepath.Split(path)
	known := slices.Contains([]string{RunFile, StepsFile, GamesFile, SummaryFile, ImportFile}, name)
	return filepath.Clean(dir), known && exists(filepath.Join(dir, RunFile))
}

// NamesTitles tells whether a path of l names a page by its title, so that the titles of redirects are needed.
func (l *GameLog) NamesTitles() bool {
	for _, g := range l.Games {
		if slices.ContainsFunc(g.Path, func(p Page) bool { return p.Named }) {
			return true
		}
	}
	return false
}
