package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/release"
	races "github.com/wikinav/wikinav/artifacts/wikirace"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// releaseFlags say what of which release is played or scored.
type releaseFlags struct {
	dir    string
	family string
	splits []string
}

func (f *releaseFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.dir, "release", "", "release directory (required)")
	cmd.Flags().StringVar(&f.family, "family", wikirace, "benchmark family")
	cmd.Flags().StringSliceVar(&f.splits, "split", nil, "split, repeatable; all by default")
}

// wikirace is the family that is meant where none is named.
const wikirace = "wikirace"

func (f *releaseFlags) check() error {
	if f.dir == "" {
		return fault.New(fault.Usage, "--release is required")
	}
	if f.family != wikirace {
		return fault.New(fault.Usage, "--family %s: this verb takes %s or %s here", fault.Quote(f.family), wikirace, schemas.FamilyConstrained)
	}
	return nil
}

// source is an open release, ready to be played on.
type source struct {
	*release.Release
	world world
}

// world joins a release's graph and distances to what games are played on. Pages that are no target of the release get their
// column by a search, so that instances of others can be scored, too.
type world struct {
	*graph.Graph
	columns *distances.Cached
}

func (w world) PageID(u uint32) uint32           { return w.PageIDs[u] }
func (w world) Successors(u uint32) []uint32     { return w.Succ.Row(u) }
func (w world) Column(t uint32) ([]uint8, error) { return w.columns.Column(t) }
func (w world) InDegree(u uint32) int            { return w.Pred.Degree(u) }

// reading is a world whose pages have leads.
type reading struct {
	world
	leads map[uint32]string // by page id
}

func (w reading) Lead(u uint32) (string, bool) {
	text := w.leads[w.PageID(u)]
	return text, text != ""
}

// worldFor gives the world of games under opts: with leads where they are shown and the release has them.
func (s *source) worldFor(opts schemas.GameOptions) (game.World, error) {
	if opts.Context != game.ContextLead || !s.HasLeads() {
		return s.world, nil
	}
	leads, err := s.Leads()
	return reading{s.world, leads}, err
}

// Columns that the release does not hold are kept up to so many bytes, but so many columns at least.
const (
	keptBytes   = 256 << 20
	keptColumns = 64
)

// open opens the release; its files are checked against their digests as they are read.
func (f *releaseFlags) open() (*source, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	r, err := release.Open(f.dir)
	if err != nil {
		return nil, err
	}
	s := &source{Release: r}
	if err := s.load(); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return s, nil
}

func (s *source) load() error {
	g, err := s.Graph()
	if err != nil {
		return err
	}
	set, err := s.Distances()
	if err != nil {
		return err
	}
	s.world = world{g, distances.NewCached(set, g, max(keptColumns, keptBytes/max(1, g.Len())))}
	return nil
}

// splits reads all splits with their instances, in the order of the release.
func (s *source) splits() ([]judge.Split, error) {
	trained, err := artifacts.Contaminated(s.Release)
	if err != nil {
		return nil, err
	}
	var out []judge.Split
	for _, name := range races.Splits(s.Release) {
		instances, err := races.Instances(s.Release, name)
		if err != nil {
			return nil, err
		}
		for _, inst := range instances {
			if err := s.checkEnds(name, inst); err != nil {
				return nil, err
			}
		}
		entry := s.Manifest().Splits[name]
		out = append(out, judge.Split{
			Name: name, SHA256: entry.SHA256, Requested: entry.Requested, Instances: instances,
			Contaminated: trained[name],
		})
	}
	return out, nil
}

// checkEnds refuses an instance whose pages are not those of the graph: a game would be about other pages than its record says.
func (s *source) checkEnds(split string, inst schemas.WikiraceInstance) error {
	for _, p := range []schemas.PageRef{inst.Source, inst.Target} {
		if int64(p.Node) >= int64(s.world.Len()) || s.world.PageID(p.Node) != p.PageID || s.world.Title(p.Node) != p.Title {
			return fault.New(fault.Mismatch, "node %d is not page %d, %s", p.Node, p.PageID, fault.Quote(p.Title)).
				At("splits/"+split+".jsonl", fmt.Sprintf("instance %s", inst.ID))
		}
	}
	return nil
}

// resolver finds pages by title: exact first, then as a redirect. The redirects of a large wiki take time to read.
func (s *source) resolver(withAliases bool) (func(string) (uint32, bool), error) {
	if !withAliases {
		return s.world.NodeByTitle, nil
	}
	aliases, err := s.Aliases()
	if err != nil {
		return nil, err
	}
	return func(title string) (uint32, bool) {
		if u, ok := s.world.NodeByTitle(title); ok {
			return u, true
		}
		u, ok := aliases[title]
		return u, ok
	}, nil
}
