// Package importer turns games that were played elsewhere into run directories, which package judge
// can score.
//
// It owns the foreign formats and their mapping. It promises that no game of a file is lost without
// a count, that nothing is repaired, and that the same file against the same release gives the same
// bytes. A game of a model that the graph contradicts keeps the step, as an invalid one with its
// reason; a game of a person that it contradicts is rejected and counted, because there is no rule
// for what a person would have done instead. It never decides who won: that is the judge's work.
package importer

import (
	"bytes"
	"compress/gzip"
	"io"
	"slices"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/names"
)

// File is a foreign file as it was read, before any look at a graph.
type File struct {
	Format string
	SHA256 string // of the bytes as they lie on disk
	Human  bool   // played by people, without menus and limit
	Steps  bool   // every click is told; else pages alone
	Clicks bool   // back clicks are told
	Limit  int    // steps that a game could have, 0 if the file does not say
	Games  []Game
}

// Game is a game of a File. Titles are as the file writes them: those of people are names.
type Game struct {
	Where    string // in the file: "line 7", "run 3"
	Player   string // a stand-in for a person's name
	Model    string
	Instance string // of the release, where the file names one
	Start    string // "" where the file leaves it to the instance
	Target   string
	Banned   string  // the category, "" where the file names none
	Clicks   []Click // after the start
	Outcome  *string // nil if the file does not say
	Attempt  int     // 0 if the file does not say
	Usage    *schemas.Usage
	Type     string // why an unfinished game ended, in the file's words
	Reject   string // why the row is no game, "" if it is one
}

// Click is a move: to a page, or back.
type Click struct {
	Title   string
	Back    bool
	Invalid string       // why the reply was no move, in our words; "" for a move
	Stated  *game.Stated // what the player said of it, nil for nothing
	Retries int
}

// Reasons for which rows are no games, and steps no moves.
const (
	RejectFieldCount   = "field_count"
	RejectBadNumber    = "bad_number"
	RejectBadText      = "bad_text"
	RejectEmptyPath    = "empty_path"
	RejectOutside      = "outside_graph"
	RejectUnderflow    = "back_underflow"
	RejectMissingEdge  = "missing_edge"
	RejectUnreachable  = "unreachable_target"
	RejectSourceTarget = "source_is_target"
	RejectInstance     = "unknown_instance"
	RejectAttempt      = "attempt_twice"
	RejectHuman        = "human" // a person's game in a file of models
	RejectOtherModel   = "other_model"
	RejectBanned       = "banned_category" // a game with a ban, where there are none

	InvalidTitle    = "unknown_title"
	InvalidEdge     = "missing_edge"
	InvalidAfterEnd = "after_end"
)

// maxFile bounds what is read of a foreign file, before and after decompression.
const maxFile = 512 << 20

// Read reads a foreign file, maybe gzip; name is for messages. Of another format: fault.Malformed.
func Read(format Format, name string, in io.Reader) (*File, error) {
	packed, err := readAll(in)
	if err != nil {
		return nil, fault.New(fault.Malformed, "%w", err).At(name, "")
	}
	data, err := unpack(packed)
	if err != nil {
		return nil, fault.New(fault.Malformed, "%w", err).At(name, "")
	}
	f, err := format.Read(data)
	if err != nil {
		return nil, fault.New(fault.Malformed, "not a file of format %s: %w", format.Name, err).At(name, "")
	}
	f.Format, f.SHA256 = format.Name, digest.SHA256(packed)
	return f, nil
}

func readAll(in io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fault.New(fault.Malformed, "more than %d bytes", maxFile)
	}
	return data, err
}

func unpack(data []byte) ([]byte, error) {
	if !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		return data, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return readAll(r)
}

func (f *File) Models() []string {
	var names []string
	for _, g := range f.Games {
		if g.Reject == "" {
			names = append(names, g.Model)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// readings returns the titles that a page's name in the file may stand for, the likeliest first.
func (f *File) readings(name string) []string {
	if f.Human {
		return names.Readings(name)
	}
	return []string{name}
}

// Keep rejects the games of all models but one.
func (f *File) Keep(model string) {
	for i, g := range f.Games {
		if g.Reject == "" && g.Model != model {
			f.Games[i].Reject = RejectOtherModel
		}
	}
}

// foreignSteps is the limit of games whose file tells none: none should end by a rule of ours.
const foreignSteps = 10_000

// Rules returns the options by which the games of f are played: base if they name instances, else
// all links, the file's own limit, and no end for what our graph does not know. Games with a ban
// are always of instances; what their players were shown of the target nobody knows.
func (f *File) Rules(base schemas.GameOptions) schemas.GameOptions {
	if game.HasBan(base) {
		rules := *base.BanRules
		rules.TargetIntro, base.BanRules = 0, &rules
		return base
	}
	for _, g := range f.Games {
		if g.Instance != "" {
			return base
		}
	}
	base.Pruning, base.MaxSteps, base.MaxInvalid = game.PruneNone, foreignSteps, foreignSteps
	if f.Limit > 0 && f.Limit < foreignSteps {
		base.MaxSteps = f.Limit
	}
	return base
}
