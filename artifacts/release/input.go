package release

import (
	"cmp"
	"os"
	"path"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/order"
)

// Input is everything that the writer needs to know of a build. All artifacts lie below Root, which stays the caller's to
// close; their paths use slashes. Nothing is read whose digest differs from the one given here.
type Input struct {
	// Manifest holds what is known before the writer begins. Schema, ID, Splits, Files, Release and what it says of the graph beside
	// components and target set are the writer's to fill in; Licence may stay empty for what comes from a dump of Wikipedia.
	Manifest

	Root       *os.Root
	Graph      File
	Nodes      File // schemas.NodesTable
	Aliases    File // schemas.AliasesTable
	Leads      File // schemas.LeadsTable; its path is "" where the build has none
	Distances  Folder
	Catalog    *File // nil when none was built
	ShardBytes int64 // the largest distance shard; 0 stands for 1 GiB

	Parts []Built // those of the build, in the order of the card
}

// File is an artifact of the build and the digest of its receipt.
type File struct {
	Path   string
	Digest digest.Digest
}

// Folder is a set of artifacts in one directory, with the digests of their receipts by file name.
type Folder struct {
	Path  string
	Files map[string]digest.Digest
}

// manifest gives the manifest as far as it is known before a file is written.
func (in *Input) manifest(opts WriteOptions) (*Manifest, error) {
	lic, err := in.licence()
	if err != nil {
		return nil, err
	}
	m := in.Manifest
	m.Schema, m.Licence, m.Warnings, m.Stages = Schema, lic, in.warnings(), in.stages()
	m.SideInputs, m.Params, m.Counts = listed(m.SideInputs), mapped(m.Params), mapped(m.Counts)
	m.Splits, m.Files = map[string]SplitEntry{}, []FileEntry{}
	m.Dump.Files, m.Graph.SCC.Largest = listed(m.Dump.Files), listed(m.Graph.SCC.Largest)
	m.Graph.SHA256, m.Carried = in.Graph.Digest.SHA256, nil // see copyOrCarry
	// See settleVersion.
	m.Release = Label{Name: opts.Name, Version: cmp.Or(opts.Version, firstVersion), Published: opts.Published}
	if _, err := canon.Marshal(m); err != nil {
		return nil, fault.New(fault.Failure, "the build cannot be described in a manifest: %w", err)
	}
	if name := m.badField(); name != "" {
		return nil, fault.New(fault.Failure, "the build gives no valid value").At(ManifestName, name)
	}
	return &m, nil
}

func (in *Input) stages() []StageEntry {
	out := listed(in.Stages)
	for i, s := range out {
		out[i].Inputs, out[i].Outputs, out[i].Counters = mapped(s.Inputs), mapped(s.Outputs), mapped(s.Counters)
	}
	return out
}

// warnings gives the warnings of the build and of the program, sorted by code.
func (in *Input) warnings() []Warning {
	out := listed(in.Warnings)
	if code := warningOf(in.Generator); code != "" {
		out = append(out, Warning{Code: code})
	}
	order.Sort(out, func(a, b Warning) int { return strings.Compare(a.Code, b.Code) })
	return out
}

// listed gives a copy of list that is never nil: JSON then has [] and not null.
func listed[T any](list []T) []T { return append([]T{}, list...) }

// mapped gives m, or an empty map for nil.
func mapped[K comparable, V any](m map[K]V) map[K]V {
	if m == nil {
		return map[K]V{}
	}
	return m
}

// open opens an artifact of the build.
func (in *Input) open(f File) (*os.File, error) {
	if !schemas.ValidPath(f.Path) {
		return nil, fault.New(fault.Usage, "path %s is not one of a work directory", fault.Quote(f.Path))
	}
	file, err := in.Root.Open(f.Path)
	if err != nil {
		return nil, fault.New(fault.NotFound, "%w", err).At(path.Base(f.Path), "")
	}
	return file, nil
}
