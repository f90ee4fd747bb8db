package links

import (
	"strings"
	"sync"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/labels"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/pseudonym"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/schemas"
)

// Of returns what games need of a release that is listed under the options; leads, labels and
// redirects are read, and names invented, once asked for.
func Of(r *open.Release, o family.Options) (replay.Release, error) {
	inventions := &inventions{release: r, made: map[uint64]func() (*pseudonym.Names, error){}}
	of := replay.Release{
		Name: r.Name(), ID: r.Manifest().ID, ManifestSHA256: r.ManifestSHA256(), Wiki: r.Manifest().Wiki,
		FreshSince: r.Manifest().FreshSince, Resolve: r.Resolver,
		World: func(o schemas.GameOptions) (game.World, error) {
			if seed, ok := game.PseudonymSeed(o); ok {
				return inventions.world(o, seed)
			}
			return worldFor(r, o)
		},
	}
	opts, _ := o.Value.(schemas.GameOptions) // there are none where an archive is listed
	seed, ok := game.PseudonymSeed(opts)
	if !ok {
		return of, nil
	}
	names, err := inventions.of(seed)
	if err != nil {
		return of, err
	}
	of.Pseudonym = names.Of
	of.Resolve = func(bool) (func(string) (uint32, bool), error) {
		return func(shown string) (uint32, bool) {
			name, _, _ := strings.Cut(shown, " (") // categories
			return names.Node(name)
		}, nil
	}
	return of, nil
}

// inventions are the invented names of a release's pages, by seed.
type inventions struct {
	release *open.Release
	mu      sync.Mutex
	made    map[uint64]func() (*pseudonym.Names, error)
}

func (i *inventions) of(seed uint64) (*pseudonym.Names, error) {
	i.mu.Lock()
	if i.made[seed] == nil {
		i.made[seed] = sync.OnceValues(func() (*pseudonym.Names, error) {
			return invent(i.release, seed)
		})
	}
	names := i.made[seed]
	i.mu.Unlock()
	return names()
}

// invent names the pages of a release by words of none of its titles and redirects.
func invent(r *open.Release, seed uint64) (*pseudonym.Names, error) {
	w, err := r.World()
	if err != nil {
		return nil, err
	}
	var broken error
	titles := func(yield func(string) bool) { // who takes them takes all
		for u := range w.Len() {
			yield(w.Title(uint32(u)))
		}
		broken = r.EachAlias(func(title string, _ uint32) { yield(title) })
	}
	names, err := pseudonym.New(w.Len(), r.Manifest().Graph.SHA256, seed, titles)
	if broken != nil {
		return nil, broken
	}
	return names, err
}

// renamed is what invented names add to a world.
type renamed struct{ names *pseudonym.Names }

func (r renamed) Pseudonym(u uint32) string { return r.names.Of(u) }

// world returns the world in which pages have invented names: without leads, and without redirects,
// by which pages could be guessed.
func (i *inventions) world(o schemas.GameOptions, seed uint64) (game.World, error) {
	names, err := i.of(seed)
	if err != nil {
		return nil, err
	}
	w, err := i.release.World()
	if err != nil || !game.HasBan(o) {
		return struct {
			*open.World
			renamed
		}{w, renamed{names}}, err
	}
	l := labelled{World: w}
	l.labels, err = i.release.ReadLabels()
	return struct {
		labelled
		renamed
	}{l, renamed{names}}, err
}

// worldFor returns the world under these rules: with leads where they are shown and there, and
// under a ban with labels and redirects, by which a reply may name a page.
func worldFor(r *open.Release, o schemas.GameOptions) (game.World, error) {
	w, err := r.World()
	if err != nil {
		return nil, err
	}
	banned, shown, text := game.HasBan(o), o.Context == game.ContextLead, leads{world: w}
	if banned {
		shown = o.TargetIntro > 0
	}
	if shown = shown && r.HasLeads(); shown {
		if text.of, err = r.Leads(); err != nil {
			return nil, err
		}
	}
	switch {
	case !banned && shown:
		return reading{w, text}, nil
	case !banned:
		return w, nil
	}
	l := labelled{World: w}
	if l.labels, err = r.ReadLabels(); err != nil {
		return nil, err
	}
	if l.aliases, err = r.Aliases(); err != nil || !shown {
		return l, err
	}
	return readingLabelled{l, text}, nil
}

type leads struct {
	world *open.World
	of    map[uint32]string // by page id
}

func (l leads) Lead(u uint32) (string, bool) {
	text := l.of[l.world.PageID(u)]
	return text, text != ""
}

// reading is a world whose pages have leads.
type reading struct {
	*open.World
	leads
}

// readingLabelled is a world whose pages have leads and labels.
type readingLabelled struct {
	labelled
	leads
}

// labelled is a world whose pages have labels, and whose redirects are known.
type labelled struct {
	*open.World
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
	graph.DistancesUnbanned(w.Pred, target, closed, dist, nil)
	return dist, nil
}
