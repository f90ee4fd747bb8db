package release

import (
	"cmp"
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// WriteOptions are the choices of the one who publishes.
type WriteOptions struct {
	AllowShort bool   // accept splits with fewer instances than requested
	AllTargets bool   // carry every distance column of the build, not only those that instances use
	Distances  string // Arrow or Packed; "" stands for Arrow
	Parquet    Long   // what is there a second time, for engines that read no Arrow files
	Published  string // YYYY-MM-DD, or "" for a release that is not published
	Version    string // MAJOR.MINOR.PATCH; "" stands for 1.0.0, or the least that may follow Previous
	Name       string // "" stands for DefaultName
	Errata     string // Markdown: what this release corrects in earlier ones, for ERRATA.md

	Previous *Manifest // of the release that this one supersedes; nil for none
	Carry    *Carry    // takes records of an older release over; nil for none
	Folder   string    // where the release goes under its name, in place of a directory that is named
}

// Forms of the distance columns of a release.
const (
	Arrow  = "arrow"  // mapped as they are: a byte for each distance
	Packed = "packed" // about 2 bits for each distance, looked up without being unpacked
)

// Long says which long tables a release has.
type Long struct{ Edges, Distances bool }

// HasPacked reports whether the distances of m are packed.
func (m *Manifest) HasPacked() bool {
	_, packed := m.File(distancesDir + "/" + distances.PackedName(0))
	return packed
}

// How returns the choices by which the release of m was written, as far as they show in it.
func (m *Manifest) How() WriteOptions {
	files := m.folder(distancesDir)
	_, long := files[longName(0)]
	_, edges := m.File(edgesPath)
	o := WriteOptions{
		AllTargets: m.Graph.ColumnCount == m.Graph.TargetCount, Distances: Arrow, Parquet: Long{edges, long},
		Name: m.Release.Name, Version: m.Release.Version, Published: m.Release.Published,
	}
	if m.HasPacked() {
		o.Distances = Packed
	}
	return o
}

const (
	firstVersion      = "1.0.0"
	defaultShardBytes = 1 << 30
)

// DefaultName is <wiki>-<YYYYMMDD>-<recipe>-v<version>; the recipe's part is left out when the
// recipe has no name.
func DefaultName(in Input, version string) string {
	if version == "" {
		version = firstVersion
	}
	parts := []string{in.Wiki, strings.ReplaceAll(in.SnapshotDate, "-", "")}
	if name := recipeName(in.Recipe); name != "" {
		parts = append(parts, name)
	}
	return strings.Join(append(parts, "v"+version), "-")
}

// recipeName reads the recipe's name, which stands in its table of graph rules.
func recipeName(recipe json.RawMessage) string {
	var r struct {
		Name  string `json:"name"`
		Graph struct {
			Name string `json:"name"`
		} `json:"graph"`
	}
	if json.Unmarshal(recipe, &r) != nil {
		return ""
	}
	if r.Name != "" {
		return r.Name
	}
	return r.Graph.Name
}

// settle fills in what opts leaves open and refuses what cannot be published.
func (in *Input) settle(opts WriteOptions) (WriteOptions, error) {
	if err := in.mayCarry(opts.Carry); err != nil {
		return opts, err
	}
	if p := opts.Previous; p != nil {
		if p.Wiki != in.Wiki {
			return opts, fault.New(fault.Usage, "--previous: its wiki is %s, that of the build %s", p.Wiki, in.Wiki)
		}
		in.Supersedes = &p.ID
	} else if opts.Version == "" {
		opts.Version = firstVersion
	}
	if opts.Distances = cmp.Or(opts.Distances, Arrow); opts.Distances != Arrow && opts.Distances != Packed {
		return opts, fault.New(fault.Usage, "--distances %s: want %s or %s", fault.Quote(opts.Distances), Arrow, Packed)
	}
	if opts.Version != "" && !versionForm.MatchString(opts.Version) {
		return opts, fault.New(fault.Usage, "--version %s: want MAJOR.MINOR.PATCH", fault.Quote(opts.Version)).Hint("for example 1.0.1")
	}
	if opts.Errata = correctionsOf(opts.Errata); !utf8.ValidString(opts.Errata) {
		return opts, fault.New(fault.Usage, "the text of --errata is not UTF-8")
	}
	if opts.Published == "" {
		return opts, nil
	}
	if !dateForm.MatchString(opts.Published) {
		return opts, fault.New(fault.Usage, "--published %s: want YYYY-MM-DD", fault.Quote(opts.Published)).Hint("for example 2026-11-20")
	}
	return opts, publishable(in.Generator)
}

// Publishable is a part that is not fit for every audience.
type Publishable interface {
	// Publishable refuses what must not have a date of publication.
	Publishable(f Files) error
}

// fit asks a part that is not fit for every audience.
func fit(p Part, f Files) error {
	if p, ok := p.(Publishable); ok {
		return p.Publishable(f)
	}
	return nil
}

// publishable refuses builds of which nobody could find the source again.
func publishable(g schemas.Code) error {
	switch warningOf(g) {
	case warnDirty:
		return fault.New(fault.Failure, "the program was built from a modified working tree").Hint("commit, build wikinav again, and release with that binary")
	case warnUnknown:
		return fault.New(fault.Failure, "the program knows neither its revision nor its version: it calls itself %s", fault.Quote(g.Version)).
			Hint("build wikinav inside its repository, or with go install MODULE@VERSION, or name the version of the tarball: %s", linkVersion)
	}
	return nil
}

// linkVersion is how a build from a tarball says which version it is.
const linkVersion = `go build -ldflags "-X github.com/wikinav/wikinav/cmd/internal/cli.version=vMAJOR.MINOR.PATCH"`

const (
	warnDirty   = "W_DIRTY_BUILD"
	warnUnknown = "W_UNKNOWN_BUILD"
)

// warningOf returns the code that a release by g carries, or "".
func warningOf(g schemas.Code) string {
	switch {
	case g.Dirty:
		return warnDirty
	case g.VCSRevision == "" && !versionOfModule.MatchString(g.Version):
		return warnUnknown
	}
	return ""
}

// versionOfModule is a version under which a module's source can be found again, as a program has
// it that "go install" made: without "+dirty", and not "devel".
var versionOfModule = regexp.MustCompile(`^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+incompatible)?$`)
