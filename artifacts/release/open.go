package release

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"sync"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Release is an open release. It checks the digest of a file when it first reads it, and keeps graph and distances until Close. It
// is safe for concurrent use; what it returns must not be used after Close.
type Release struct {
	root *os.Root
	m    *Manifest
	sha  string

	mu     sync.Mutex
	graph  *graph.Graph
	set    *distances.Set
	kept   []io.Closer
	closed bool
}

// Open opens the release in dir and checks its manifest; the files themselves are checked when they are read. Errors:
// fault.NotFound without such a directory, fault.Malformed for a manifest that cannot be read, fault.Mismatch for one whose paths or id are wrong.
func Open(dir string) (*Release, error) {
	root, err := openRoot(dir)
	if err != nil {
		return nil, err
	}
	r, err := openManifest(root)
	if _, gone := root.Lstat(ManifestName); errors.Is(gone, fs.ErrNotExist) {
		err = NoRelease(fault.Mismatch, dir, "no release is here: "+ManifestName+" is missing")
	}
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return r, nil
}

func openManifest(root *os.Root) (*Release, error) {
	data, err := readSmall(root, ManifestName)
	if err != nil {
		return nil, err
	}
	m, err := Decode(data)
	if err != nil {
		return nil, err
	}
	return &Release{root: root, m: m, sha: digest.SHA256(data)}, nil
}

// Manifest gives the manifest, which belongs to r.
func (r *Release) Manifest() *Manifest { return r.m }

// ManifestSHA256 gives the SHA-256 of manifest.json, which pins the release with its name, version and date.
func (r *Release) ManifestSHA256() string { return r.sha }

// Graph gives the graph, checked and mapped on the first call.
func (r *Release) Graph() (*graph.Graph, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.loadGraph()
}

// loadGraph is Graph for callers that hold the lock.
func (r *Release) loadGraph() (*graph.Graph, error) {
	if r.graph != nil || r.closed {
		return r.graph, r.open()
	}
	f, err := r.file(graphPath)
	if err != nil {
		return nil, err
	}
	r.graph, err = graph.Open(r.root, graphPath, f.digestOf())
	return r.graph, err
}

// Distances gives the distance columns, checked and mapped on the first call.
func (r *Release) Distances() (*distances.Set, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.set != nil || r.closed {
		return r.set, r.open()
	}
	g, err := r.loadGraph()
	if err != nil {
		return nil, err
	}
	files := r.m.columnFiles()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if _, err := r.file(path.Join(distancesDir, name)); err != nil {
			return nil, err
		}
	}
	r.set, err = distances.Open(r.root, distancesDir, files, g.Len(), r.m.Graph.SHA256)
	return r.set, err
}

// Aliases gives the node that the title of a redirect leads to.
func (r *Release) Aliases() (map[string]uint32, error) {
	f, err := r.file(aliasesPath)
	if err != nil {
		return nil, err
	}
	t, err := arrowio.ReadParquet(r.root, aliasesPath, schemas.ReleaseAliasesTable, f.digestOf())
	if err != nil {
		return nil, err
	}
	out := make(map[string]uint32, t.Rows())
	for b := range t.Batches() {
		titles, nodes := t.Strings(b, 0), t.Uint32s(b, 1)
		for i, node := range nodes {
			if int64(node) >= r.m.Graph.Nodes {
				return nil, fault.New(fault.Mismatch, "node %d in a graph of %d nodes", node, r.m.Graph.Nodes).At(aliasesPath, Row(len(out)))
			}
			out[titles.At(i)] = node
		}
	}
	return out, nil
}

// Close gives back everything that was opened.
func (r *Release) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil
	}
	r.closed = true
	errs := []error{closeMapped(r.set, r.graph)}
	for _, c := range r.kept {
		errs = append(errs, c.Close())
	}
	return errors.Join(append(errs, r.root.Close())...)
}

// Keep has Close close what somebody else opened of the release. What comes after Close is closed
// at once.
func (r *Release) Keep(c io.Closer) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return errors.Join(errors.New("the release is closed"), c.Close())
	}
	r.kept = append(r.kept, c)
	return nil
}

// closeMapped unmaps the distances before the graph that they belong to; either may be nil.
func closeMapped(set *distances.Set, g *graph.Graph) error {
	var errs []error
	if set != nil {
		errs = append(errs, set.Close())
	}
	if g != nil {
		errs = append(errs, g.Close())
	}
	return errors.Join(errs...)
}

// open refuses the use of a closed release, whose graph and distances are unmapped.
func (r *Release) open() error {
	if r.closed {
		return fault.New(fault.Usage, "the release is closed")
	}
	return nil
}
