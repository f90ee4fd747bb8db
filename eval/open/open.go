// Package open turns a release directory into the worlds that families play in.
//
// It owns what is read once and shared by every episode: the graph, its distance columns,
// redirects, leads and labels. It promises that a file's digest is checked when the file is first
// read, that nothing is read that no family asks for, and that what it returns is safe for
// concurrent use until Close. It knows no family and no rule of a game.
package open

import (
	"sync"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/labels"
	"github.com/wikinav/wikinav/artifacts/release"
)

type Release struct {
	*release.Release

	// World returns the graph with its distances.
	World func() (*World, error)
	// Aliases returns the node that the title of each redirect leads to. The map is shared.
	Aliases func() (map[string]uint32, error)
	// Leads returns each page's lead by page id, shared; fault.NotFound for a release without.
	Leads func() (map[uint32]string, error)
	// ReadLabels returns the labels of the nodes; fault.NotFound for a release without labels.
	ReadLabels func() (*labels.Labels, error)
}

// Open opens the release in dir. Errors are those of package release: fault.NotFound without such a
// directory, fault.Malformed or fault.Mismatch for a manifest that is not one.
func Open(dir string) (*Release, error) {
	r, err := release.Open(dir)
	if err != nil {
		return nil, err
	}
	o := &Release{Release: r}
	o.World = sync.OnceValues(r.World)
	o.Aliases = sync.OnceValues(r.Aliases)
	o.Leads = sync.OnceValues(r.Leads)
	o.ReadLabels = sync.OnceValues(func() (*labels.Labels, error) { return labels.Read(r) })
	return o, nil
}

// Ahead begins to read the world, and the leads if wanted, while the caller reads something else:
// whoever asks for them waits for what has begun, and gets its error.
func (r *Release) Ahead(leads bool) {
	go func() {
		_ = arrowio.Guard(func() error { _, err := r.World(); return err })
	}()
	if leads && r.HasLeads() {
		go func() {
			_ = arrowio.Guard(func() error { _, err := r.Leads(); return err })
		}()
	}
}

func (r *Release) Name() string { return r.Manifest().Release.Name }

// Resolver returns a function that finds pages by title: exact titles first, then redirects if
// withAliases. The redirects of a large wiki take time to read.
func (r *Release) Resolver(withAliases bool) (func(title string) (uint32, bool), error) {
	w, err := r.World()
	switch {
	case err != nil:
		return nil, err
	case !withAliases:
		return w.NodeByTitle, nil
	}
	aliases, err := r.Aliases()
	if err != nil {
		return nil, err
	}
	return func(title string) (uint32, bool) {
		if u, ok := w.NodeByTitle(title); ok {
			return u, true
		}
		u, ok := aliases[title]
		return u, ok
	}, nil
}

// World is the graph of a release with its distances, so that instances of others, whose targets
// the release lacks, can be scored, too.
type World = release.World
