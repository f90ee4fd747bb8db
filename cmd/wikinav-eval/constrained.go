package main

import (
	"errors"
	"path"

	"github.com/wikinav/wikinav/artifacts/constrained"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/labels"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// bannedSource is an open release with its games under a ban.
type bannedSource struct {
	*source
	judged judge.BannedRelease
	leads  map[uint32]string // by page id, nil for a release without
}

// labelled is a world whose pages have labels, and whose redirects are known: a reply may name a page by one.
type labelled struct {
	world
	labels  *labels.Labels
	aliases map[string]uint32
}

func (w labelled) Mask(u uint32) uint32   { return w.labels.Masks[u] }
func (w labelled) Primary(u uint32) uint8 { return w.labels.Primaries[u] }

func (w labelled) Alias(title string) (uint32, bool) {
	u, ok := w.aliases[title]
	return u, ok
}

func (w labelled) Unbanned(target uint32, closed []bool) ([]uint8, error) {
	dist := make([]uint8, w.Len())
	_, err := graph.DistancesUnbanned(w.Pred, target, closed, dist, nil)
	return dist, err
}

// readingLabelled is such a world whose pages have leads.
type readingLabelled struct {
	labelled
	leads map[uint32]string // by page id
}

func (w readingLabelled) Lead(u uint32) (string, bool) {
	text := w.leads[w.PageID(u)]
	return text, text != ""
}

// openBanned opens the release and reads all that its games under a ban need.
func (f *releaseFlags) openBanned() (*bannedSource, error) {
	games := *f
	games.family = wikirace // which has what games are played on
	src, err := games.open()
	if err != nil {
		return nil, err
	}
	s := &bannedSource{source: src}
	if err := s.load(); err != nil {
		return nil, errors.Join(err, src.Close())
	}
	return s, nil
}

func (s *bannedSource) load() (err error) {
	rel := judge.BannedRelease{Release: s.named()}
	if rel.Instances, err = constrained.Instances(s.Release); err != nil {
		return err
	}
	if rel.Infeasible, err = constrained.Infeasible(s.Release); err != nil {
		return err
	}
	_, entry := constrained.Split(s.Release)
	rel.Requested, rel.SHA256 = entry.Requested, map[string]string{judge.BannedSet: entry.SHA256}
	if f, ok := s.Manifest().File(constrainedFile("infeasible.jsonl")); ok {
		rel.SHA256[judge.InfeasibleSet] = f.SHA256
	}
	if rel.Single, err = s.single(); err != nil {
		return err
	}
	if rel.World, err = s.labelledWorld(); err != nil {
		return err
	}
	rel.Resolve = s.resolve(rel.World)
	s.judged = rel
	return rel.Check(s.Manifest().Graph.SHA256, labels.SHA256(s.Release))
}

func constrainedFile(name string) string { return path.Join(schemas.FamilyConstrained, name) }

// single reads whether a page counts by its primary label alone from the funnel, which keeps the parameters of the stage.
func (s *bannedSource) single() (bool, error) {
	name := constrainedFile("funnel.json")
	data, err := s.Text(name)
	if err != nil {
		return false, err
	}
	var funnel schemas.ConstrainedFunnel
	if err := canon.Decode(data, canon.MaxManifest, &funnel); err != nil {
		return false, fault.New(fault.Malformed, "%w", err).At(name, "")
	}
	var params map[string]any
	if err := canon.Decode(funnel.Params, canon.MaxManifest, &params); err != nil {
		return false, fault.New(fault.Malformed, "%w", err).At(name, "params")
	}
	multi, ok := params["multi"].(bool)
	if !ok {
		return false, fault.New(fault.Malformed, "multi is no truth value").At(name, "params")
	}
	return !multi, nil
}

func (s *bannedSource) labelledWorld() (game.World, error) {
	pageLabels, err := labels.Read(s.Release)
	if err != nil {
		return nil, err
	}
	aliases, err := s.Aliases()
	if err != nil {
		return nil, err
	}
	w := labelled{s.world, pageLabels, aliases}
	if !s.HasLeads() {
		return w, nil
	}
	if s.leads, err = s.Leads(); err != nil {
		return nil, err
	}
	return readingLabelled{w, s.leads}, nil
}

// resolve finds pages by title: exact first, then as a redirect.
func (s *bannedSource) resolve(w game.World) func(string) (uint32, bool) {
	return func(title string) (uint32, bool) {
		if u, ok := s.world.NodeByTitle(title); ok {
			return u, true
		}
		return w.(game.Aliased).Alias(title)
	}
}
