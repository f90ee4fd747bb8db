package main

import (
	"errors"
	"slices"
	"sync"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// hosted is an open release and what is played on it from outside.
type hosted struct {
	*source
	name   string // of the family
	family *session.Wikirace
	splits []string
}

// host opens the release that of names for games under opts. Whether it has what these show is known then.
func (f *hostFlags) host(of releaseFlags, opts schemas.GameOptions) (*hosted, error) {
	h := &hosted{name: of.family}
	var err error
	if of.family == schemas.FamilyConstrained {
		var src *bannedSource
		if src, err = of.openBanned(); err != nil {
			return nil, err
		}
		h.source = src.source
		h.family, h.splits, err = f.bans(src.judged, opts, of.splits)
	} else {
		if h.source, err = of.open(); err != nil {
			return nil, err
		}
		h.family, h.splits, err = f.races(h.source, opts, of.splits)
	}
	if err == nil {
		err = tryToPlay(h.family)
	}
	if err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return h, nil
}

// races gives what is played on src without a ban.
func (f *hostFlags) races(src *source, opts schemas.GameOptions, chosen []string) (*session.Wikirace, []string, error) {
	play := playFlags{releaseFlags: releaseFlags{splits: chosen}}
	splits, err := play.choose(src)
	if err != nil {
		return nil, nil, err
	}
	resolve, err := src.resolver(true)
	if err != nil {
		return nil, nil, err
	}
	reading := sync.OnceValues(func() (game.World, error) {
		lead := opts
		lead.Context = game.ContextLead
		return src.worldFor(lead)
	})
	family := &session.Wikirace{Options: opts, Fixed: f.fixed, Exposed: f.exposed, Resolve: resolve}
	family.World = func(o schemas.GameOptions) (game.World, error) {
		if o.Context == game.ContextLead {
			return reading()
		}
		return src.world, nil
	}
	for _, s := range splits {
		family.Add(s.Name, s.Instances)
	}
	return family, play.splits, nil
}

// bans gives what is played of rel under a ban. Pairs without a path are not: their names and their split would tell.
func (f *hostFlags) bans(rel judge.BannedRelease, opts schemas.GameOptions, chosen []string) (*session.Wikirace, []string, error) {
	if slices.Contains(chosen, judge.InfeasibleSet) {
		return nil, nil, fault.New(fault.Usage, "a client would see by their names which pairs have no path").Hint("let play have them: --split %s --option no_path=on", judge.InfeasibleSet)
	}
	play := playFlags{releaseFlags: releaseFlags{splits: chosen}}
	if err := play.chooseSets(rel, opts); err != nil {
		return nil, nil, err
	}
	family := &session.Wikirace{Options: opts, Fixed: f.fixed, Exposed: f.exposed, Resolve: rel.Resolve}
	family.World = func(schemas.GameOptions) (game.World, error) { return rel.World, nil }
	for _, set := range play.splits {
		family.AddTasks(set, rel.Tasks(set))
	}
	return family, play.splits, nil
}

// tryToPlay begins a game, which shows whether the release has what the rules need.
func tryToPlay(family session.Family) error {
	all, _ := family.List("")
	if len(all) == 0 {
		return nil
	}
	_, err := family.Start(all[0].ID, nil)
	var refused *session.Error
	if errors.As(err, &refused) {
		return fault.New(fault.Usage, "%w", err)
	}
	return err
}
