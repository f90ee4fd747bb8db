package release

import (
	"context"
	"path"
	"slices"

	"github.com/wikinav/wikinav/schemas"
)

// FreshProver proves that the pairs of the parts under check are fresh since the release that m
// names: package fresh has it.
type FreshProver func(ctx context.Context, m *Manifest, checks []*Check) error

// RoleSince is the side input that names the older release whose readers cannot answer the pairs.
const RoleSince = "fresh-since"

// Since returns the side input that is the manifest of the older release; ok is false for a release
// whose pairs are drawn without regard to one. Its version is the id of that release.
func (m *Manifest) Since() (older SideInput, ok bool) {
	i := slices.IndexFunc(m.SideInputs, func(s SideInput) bool { return s.Role == RoleSince })
	if i < 0 {
		return SideInput{}, false
	}
	return m.SideInputs[i], true
}

// FreshSince returns the id of the release since which the pairs of a stage are fresh; "" for one
// that draws none, or draws them without regard to one.
func (m *Manifest) FreshSince(stage string) string {
	older, ok := m.Since()
	if !ok {
		return ""
	}
	for _, s := range m.Stages {
		for input := range s.Inputs { // any of them will do
			if s.Stage == stage && path.Dir(input) == schemas.Fresh.Name {
				return older.Version
			}
		}
	}
	return ""
}

// Banner is a Paired part whose records forbid pages on the way. In a build of fresh pairs a path
// under the ban needs what the older release lacks, too.
type Banner interface {
	// Bans returns, for what records say under Under, which pages are closed; nil where that cannot
	// be told, which it notes.
	Bans(c *Check) func(under string) func(u uint32) bool
}

// since proves that pairs are fresh, or notes that nobody did.
func (v *verifier) since(checks []*Check) error {
	older, fresh := v.m.Since()
	switch sound := !slices.ContainsFunc(v.report.Failed, func(f Finding) bool { return !f.isSum() }); {
	case v.opts.Fresh == nil && fresh:
		v.report.skip("that pairs are fresh since release %s: wikinav verify --fresh-since OLD proves it",
			older.Version)
	case v.opts.Fresh != nil && fresh && !sound:
		v.report.skip("that pairs are fresh: level 2 found something wrong")
	case v.opts.Fresh != nil:
		return v.opts.Fresh(v.ctx, v.m, checks)
	}
	return nil
}
