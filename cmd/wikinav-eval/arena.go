package main

import (
	"errors"
	"slices"
	"strings"

	races "github.com/wikinav/wikinav/artifacts/wikirace"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// arena is an open release with the games of a family that are to be played on it.
type arena struct {
	*source
	world game.World
	tasks []game.Task // in order of play
}

// rules gives the defaults of the family's games.
func (f *releaseFlags) rules() schemas.GameOptions {
	if f.family == schemas.FamilyConstrained {
		return game.BanDefaults()
	}
	return game.Defaults()
}

// temperature is that of a model where nobody says otherwise; "" leaves it to the endpoint.
func (f *releaseFlags) temperature() string {
	if f.family == schemas.FamilyConstrained {
		return "0"
	}
	return ""
}

// arena opens the release of a family of games, and leaves the names of the splits to be played in f.
func (f *playFlags) arena(opts schemas.GameOptions) (*arena, error) {
	if f.family == schemas.FamilyConstrained {
		return f.bannedArena(opts)
	}
	src, err := f.open()
	if err != nil {
		return nil, err
	}
	a, err := f.races(src, opts)
	if err != nil {
		return nil, errors.Join(err, src.Close())
	}
	return a, nil
}

func (f *playFlags) races(src *source, opts schemas.GameOptions) (*arena, error) {
	splits, err := f.choose(src)
	if err != nil {
		return nil, err
	}
	a := &arena{source: src}
	for _, s := range splits {
		for _, inst := range s.Instances {
			a.tasks = append(a.tasks, game.TaskOf(inst))
		}
	}
	a.world, err = src.worldFor(opts)
	return a, err
}

// choose gives the splits to play in the release's order, and leaves their names in f.
func (f *playFlags) choose(src *source) ([]judge.Split, error) {
	all, err := src.splits()
	if err != nil {
		return nil, err
	}
	for _, name := range f.splits {
		if !slices.Contains(races.Splits(src.Release), name) {
			return nil, fault.New(fault.Usage, "the release has no split %s", fault.Quote(name)).Hint("it has %s", strings.Join(races.Splits(src.Release), ", "))
		}
	}
	var chosen []judge.Split
	names := []string{}
	for _, s := range all {
		if len(f.splits) == 0 || slices.Contains(f.splits, s.Name) {
			chosen, names = append(chosen, s), append(names, s.Name)
		}
	}
	f.splits = names
	return chosen, nil
}

func (f *playFlags) bannedArena(opts schemas.GameOptions) (*arena, error) {
	src, err := f.openBanned()
	if err != nil {
		return nil, err
	}
	if err := f.chooseSets(src.judged, opts); err != nil {
		return nil, errors.Join(err, src.Close())
	}
	a := &arena{source: src.source, world: src.judged.World}
	for _, set := range f.splits {
		a.tasks = append(a.tasks, src.judged.Tasks(set)...)
	}
	return a, nil
}

// chooseSets settles what is played: by default the feasible instances. Infeasible pairs are played by their own protocol alone, in which
// the prompt says that NO_PATH may be answered.
func (f *playFlags) chooseSets(rel judge.BannedRelease, opts schemas.GameOptions) error {
	if len(f.splits) == 0 {
		f.splits = []string{judge.BannedSet}
	}
	for _, set := range f.splits {
		if !slices.Contains(rel.Sets(), set) {
			return fault.New(fault.Usage, "the release has no split %s", fault.Quote(set)).Hint("it has %s", strings.Join(rel.Sets(), ", "))
		}
		if set == judge.InfeasibleSet && opts.NoPath != game.NoPathOn {
			return fault.New(fault.Usage, "pairs without a path are played where NO_PATH may be answered").Hint("add --option no_path=on")
		}
	}
	slices.Sort(f.splits)
	slices.Reverse(f.splits) // instances come first
	f.splits = slices.Compact(f.splits)
	return nil
}
