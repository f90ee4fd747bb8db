// Package linkstest makes families and sets of link games out of small worlds. It is imported by tests only.
package linkstest

import (
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/schemas"
)

const Name = "linkstest"

func Family(defaults func() schemas.GameOptions) family.Family {
	return tested{links.Rules{Defaults: defaults}}
}

type tested struct{ links.Rules }

func (tested) Name() string { return Name }

func (tested) Open(*open.Release, family.Options) (family.Set, error) { return nil, nil }

func (tested) Columns() []family.Column { return nil }

type Split struct {
	Name  string
	Tasks []game.Task
}

// World is the same world under all rules.
func World(w game.World) func(schemas.GameOptions) (game.World, error) {
	return func(schemas.GameOptions) (game.World, error) { return w, nil }
}

// Set returns the games of a release called r that has no manifest.
func Set(world func(schemas.GameOptions) (game.World, error), resolve func(string) (uint32, bool), defaults schemas.GameOptions, splits ...Split) *links.Set {
	of := replay.Release{
		ID: "r", Family: Name, Defaults: defaults, World: world,
		Resolve: func(bool) (func(string) (uint32, bool), error) { return resolve, nil },
	}
	for _, s := range splits {
		of.Splits = append(of.Splits, replay.Split{Split: family.Split{Name: s.Name, Got: len(s.Tasks), Requested: len(s.Tasks)}, Tasks: s.Tasks})
	}
	return links.New(of, func(t game.Task, split string) links.Info {
		return links.InfoOf(t, split, defaults.MaxSteps, defaults.MaxLinks)
	})
}
