package mango

import (
	"cmp"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/wikinav/wikinav/artifacts/mango/maze"
	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages/mango/skeleton"
)

// Import says what to import.
type Import struct {
	Dir      string // holds <game>.edges.json at any depth
	Format   string // of maze.Formats; "" takes each game as it is
	Out      string // gets a folder per game
	MaxPaths int    // DF rows of a game; 0 for skeleton.DefaultMaxPaths
	Workers  int
}

// Run imports every game: it makes the skeletons and writes the layout of section 5. The files do not depend on workers. On an
// error, which is that of the first game by name, other games may have been written; every file that is there is whole.
func (i Import) Run(ctx context.Context) ([]schemas.MangoMaze, error) {
	if i.Format != "" && !slices.Contains(maze.Formats, i.Format) {
		return nil, usage("--format %s: want one of %v", fault.Quote(i.Format), maze.Formats)
	}
	paths, err := maze.Find(i.Dir)
	if err != nil {
		return nil, err
	}
	out, errs := make([]schemas.MangoMaze, len(paths)), make([]error, len(paths))
	var group errgroup.Group
	group.SetLimit(max(1, i.Workers))
	for at, path := range paths {
		group.Go(func() error {
			if errs[at] = ctx.Err(); errs[at] == nil {
				out[at], errs[at] = i.game(path)
			}
			return errs[at]
		})
	}
	_ = group.Wait() // gives the error that came first, which depends on the workers
	return out, cmp.Or(errs...)
}

var sources = map[string]string{maze.Shipped: schemas.MangoShipped, maze.V2023: schemas.MangoV2023}

func (i Import) game(path string) (schemas.MangoMaze, error) {
	m, err := maze.Open(path)
	if err != nil {
		return schemas.MangoMaze{}, err
	}
	if i.Format != "" && m.Format != i.Format {
		return schemas.MangoMaze{}, fault.New(fault.Malformed, "mango: edges: %s: format is %s, not %s", m.Name, m.Format, i.Format).
			At(path, "").Hint("leave --format out, or name %s", m.Format)
	}
	set, err := skeleton.Make(m.Name, m.Edges, skeleton.Bounds{MaxPaths: i.MaxPaths})
	if err != nil {
		return schemas.MangoMaze{}, err
	}
	p := published{
		set: set, walkthrough: m.Walkthrough, record: recordOf(set, sources[m.Format]),
		sampled: slices.Repeat([]bool{true}, len(set.DF)), reachable: m.Format == maze.V2023,
	}
	if m.Walkthrough != nil {
		last := m.Walkthrough.Last()
		p.record.LastStep = &last
	}
	if p.reachable {
		p.record.RFRows = reachable(set)
	}
	return p.record, p.writeFolder(filepath.Join(i.Out, m.Name), m.Name)
}

func reachable(s *skeleton.Set) (n int) {
	for i := range s.RF {
		if s.RF[i].NumPaths > 0 {
			n++
		}
	}
	return n
}

// writeFolder writes the files of a game, each whole or not at all.
func (p *published) writeFolder(folder, name string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fault.New(fault.KindOf(err), "%w", err).At(folder, "")
	}
	for _, f := range p.files() {
		_, err := whole.Write(whole.OS{}, folder, name+f.suffix, func(w io.Writer) error {
			_, err := f.write(w)
			return err
		})
		if err != nil {
			return fault.New(fault.KindOf(err), "%w", err).At(filepath.Join(folder, name+f.suffix), "")
		}
	}
	return nil
}
