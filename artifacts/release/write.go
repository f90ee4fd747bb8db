package release

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/order"
)

// Write writes the release of a build into dir, which must not exist or be an empty directory, and
// returns its manifest. On an error nothing is left in dir. Where opts name a Folder, dir is but
// where the release comes into being, and it goes there under its name.
//
// Errors: fault.Usage for a version that may not follow that of the release before; fault.Shortage
// for short splits that opts do not allow, naming each; fault.Failure for a directory that is not
// empty, an unknown licence, files beyond the limits of hosts, and a published release by a program
// whose source nobody could find; fault.Mismatch for artifacts that are not those of their receipts
// or contradict each other: the release is verified before it takes its place.
func Write(ctx context.Context, dir string, in Input, opts WriteOptions) (*Manifest, error) {
	opts, err := in.settle(opts)
	if err != nil {
		return nil, err
	}
	if err := in.choose(); err != nil {
		return nil, err
	}
	if opts.Carry == nil { // else it depends on what is taken over
		if err := in.fill(opts); err != nil {
			return nil, err
		}
	}
	m, err := in.manifest(opts)
	if err != nil {
		return nil, err
	}
	err = whole.MakeDir(dir, refuse, func(t *whole.Dir) error {
		w := &writer{ctx: ctx, in: &in, opts: opts, root: t.Root, dir: t.Temp, m: m}
		err := w.run()
		if err == nil {
			err = prove(ctx, t.Temp, w.parts())
		}
		if err == nil && opts.Folder != "" {
			err = t.Move(filepath.Join(opts.Folder, m.Release.Name))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// refuse is asked of a directory that holds something.
func refuse(dir string) error {
	return fault.New(fault.Failure, "directory is not empty").At(dir, "").
		Hint("name another directory; a release is never changed")
}

// prove verifies a release that was just written.
func prove(ctx context.Context, dir string, parts []Part) error {
	report, err := Verify(ctx, dir, parts, VerifyOptions{Document: Document})
	if err != nil {
		return err
	}
	return report.Err()
}

func (w *writer) run() error {
	if err := w.data(); err != nil {
		return err
	}
	if w.opts.Carry != nil {
		if err := w.in.fill(w.opts); err != nil {
			return err
		}
	}
	if err := w.coverByLicence(); err != nil {
		return err
	}
	if err := w.settleVersion(); err != nil {
		return err
	}
	if err := w.documents(); err != nil {
		return err
	}
	order.Sort(w.m.Files, func(a, b FileEntry) int { return strings.Compare(a.Path, b.Path) })
	if err := checkHostLimits(w.m.Files); err != nil {
		return err
	}
	return w.seal()
}

// data writes everything that comes from the build.
func (w *writer) data() error {
	g, err := w.graph()
	if err != nil {
		return err
	}
	w.m.Graph.Nodes, w.m.Graph.Edges = int64(g.Len()), int64(g.Edges())
	steps := []func() error{
		func() error { return w.table(nodesPath, g, w.in.Nodes, schemas.NodesTable, copyNodes) },
		func() error { return w.table(aliasesPath, g, w.in.Aliases, schemas.AliasesTable, copyAliases) },
		func() error { return w.copyOrCarry(g) },
		func() error { return w.distances(g) },
	}
	if w.opts.Parquet.Edges {
		steps = append(steps, func() error { return w.edges(g) })
	}
	if w.in.Leads.Path != "" {
		steps = append(steps, func() error { return w.table(leadsPath, g, w.in.Leads, schemas.LeadsTable, copyLeads) })
	}
	switch {
	case w.in.Catalog != nil && w.opts.Carry == nil:
		steps = append(steps, func() error { return w.create(catalogPath, w.copyOf(*w.in.Catalog)) })
	case w.in.Catalog != nil:
		steps = append(steps, w.remakeCatalog)
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return errors.Join(err, g.Close())
		}
	}
	return g.Close()
}

// choose leaves out the parts that have nothing to publish.
func (in *Input) choose() error {
	var parts []Built
	for _, b := range in.Parts {
		published, err := b.Part.Published(b.Files)
		if err != nil {
			return err
		}
		if published {
			parts = append(parts, b)
		}
	}
	if in.Parts = parts; len(parts) == 0 {
		return fault.New(fault.NotFound, "the build has nothing to publish").Hint("run wikinav build")
	}
	return nil
}

// fill refuses parts that are short, unless that is allowed, and those that are not fit to be
// published.
func (in *Input) fill(opts WriteOptions) error {
	var short []string
	for _, b := range in.Parts {
		if opts.Published != "" {
			if err := fit(b.Part, b.Files); err != nil {
				return err
			}
		}
		quotas, err := b.Files.Quotas()
		if err != nil {
			return err
		}
		for _, q := range quotas {
			if q.Short() {
				short = append(short, fmt.Sprintf("%s %s %d/%d", b.Part.Source().Name, q.What(), q.Got, q.Requested))
			}
		}
	}
	if len(short) > 0 && !opts.AllowShort {
		return fault.New(fault.Shortage, "short: %s", strings.Join(short, ", ")).
			Hint("allow short splits with --allow-short, or build with smaller splits, other distances or a larger target set")
	}
	return nil
}

func (w *writer) parts() []Part { return w.in.parts() }

// copyParts copies the files of all parts but those at some places, and enters their splits.
func (w *writer) copyParts(but []int) error {
	for i, b := range w.in.Parts {
		if slices.Contains(but, i) {
			continue
		}
		for _, name := range b.Files.Names() {
			if err := w.copyOne(b, name); err != nil {
				return err
			}
		}
		if err := w.enterSplits(b); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) enterSplits(b Built) error {
	splits, err := b.Part.Splits(b.Files)
	if err != nil {
		return err
	}
	for name, s := range splits { // into another map
		if _, twice := w.m.Splits[name]; twice || !splitForm.MatchString(name) {
			return fault.New(fault.Usage, "split name %s is taken, or has other characters than a-z, 0-9 and _",
				fault.Quote(name))
		}
		w.m.Splits[name] = s
	}
	return nil
}

// copyOne copies a file of a part, whose rows and logical digest its receipt knows.
func (w *writer) copyOne(b Built, name string) error {
	if _, ok := b.Part.Kind(name); !ok {
		return fault.New(fault.Failure, "%s is not a file that is published", fault.Quote(name)).At(b.Part.Folder(), "")
	}
	return w.create(b.Part.Folder()+"/"+name, func(out io.Writer) (arrowio.Summary, error) {
		return b.Files.copyTo(w.ctx, name, out)
	})
}

// documents renders all documents from the manifest without any of them, so that their order does
// not matter.
func (w *writer) documents() error {
	for _, name := range documentNames {
		text, err := document(w.m, name, w.root, w.parts(), w.opts.Errata)
		if err != nil {
			return err
		}
		if err := w.create(name, writeAll(text)); err != nil {
			return err
		}
	}
	return nil
}

// coverByLicence finds the part of the licence that each file belongs to, and drops the parts of
// files that were not built.
func (w *writer) coverByLicence() (err error) {
	files := slices.Clone(w.m.Files)
	for _, name := range documentNames {
		files = append(files, FileEntry{Path: name})
	}
	w.m.Licence, err = w.m.Licence.covering(files)
	return err
}

// seal writes the two files that cover all others.
func (w *writer) seal() error {
	w.m.ID = ID(w.m)
	manifest := Encode(w.m)
	if _, err := Decode(manifest); err != nil {
		return err
	}
	if err := w.cover(ManifestName, manifest); err != nil {
		return err
	}
	return w.cover(SumsName, []byte(sums(w.m, manifest)))
}

// cover writes a file that the manifest does not list.
func (w *writer) cover(name string, data []byte) error {
	if _, _, err := w.store(name, writeAll(data)); err != nil {
		return inFile(name, err)
	}
	return nil
}

// Limits of the hosts on which releases are published.
const (
	maxFileBytes    = 50 << 30
	maxFolderFiles  = 10_000
	maxReleaseFiles = 100_000
)

// checkHostLimits refuses a release that no host would take.
func checkHostLimits(files []FileEntry) error {
	if len(files) >= maxReleaseFiles {
		return fault.New(fault.Failure, "%d files in a release, hosts take fewer than %d", len(files), maxReleaseFiles)
	}
	folders := map[string]int{}
	for _, f := range files {
		if f.Bytes >= maxFileBytes {
			return fault.New(fault.Failure, "%d bytes in one file, hosts take less than 50 GiB", f.Bytes).At(f.Path, "")
		}
		dir := path.Dir(f.Path)
		if folders[dir]++; folders[dir] >= maxFolderFiles {
			return fault.New(fault.Failure, "%d files in one folder, hosts take fewer than %d", folders[dir], maxFolderFiles).At(dir, "")
		}
	}
	return nil
}
