package release

import (
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Bump is how far a release is from the one before it: the part of the version that must rise.
type Bump int

const (
	BumpNone  Bump = iota // nothing differs
	BumpPatch             // the same records, in other bytes or with other documents
	BumpMinor             // more files of records, and every old one as it was
	BumpMajor             // a record is another one, or gone, or a file has more of them
)

func (b Bump) String() string { return [...]string{"none", "PATCH", "MINOR", "MAJOR"}[b] }

// BumpOf returns the least bump from old to now, and what asks for it. What follows from the rest
// of a release is not a record: documents, the catalogue and the words of quotas. A file whose
// content has no digest of its own is compared as bytes. Id, label and what is superseded make no
// difference.
func BumpOf(old, now *Manifest) (least Bump, why string) {
	atLeast := func(b Bump, format string, args ...any) {
		if b > least {
			least, why = b, fmt.Sprintf(format, args...)
		}
	}
	for _, f := range old.Files {
		if g, ok := now.File(f.Path); ok {
			atLeast(bumpOfFile(f, g), "%s is another", f.Path)
		} else {
			atLeast(ifRecords(f, BumpMajor), "%s is gone", f.Path)
		}
	}
	for _, g := range now.Files {
		if _, ok := old.File(g.Path); !ok {
			atLeast(ifRecords(g, BumpMinor), "%s is new", g.Path)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(old.Splits)) {
		if t, ok := now.Splits[name]; !ok || old.Splits[name].IDsSHA256 != t.IDsSHA256 {
			atLeast(BumpMajor, "the ids of split %s are others", name)
		}
	}
	a, b := fieldsOf(old), fieldsOf(now)
	for name := range a { // whether there is one
		if !slices.Contains([]string{"id", "release", "supersedes", "files"}, name) &&
			string(a[name]) != string(b[name]) {
			atLeast(BumpPatch, "the manifest says something else")
		}
	}
	return least, why
}

func bumpOfFile(f, g FileEntry) Bump {
	switch {
	case f.SHA256 == g.SHA256:
		return BumpNone
	case f.LogicalSHA256 != nil && g.LogicalSHA256 != nil && *f.LogicalSHA256 == *g.LogicalSHA256:
		return BumpPatch
	}
	return ifRecords(f, BumpMajor)
}

// ifRecords returns b for a file that holds what people use, BumpPatch for one that follows from
// others.
func ifRecords(f FileEntry, b Bump) Bump {
	if f.Role == "document" || f.Role == "catalog" || path.Base(f.Path) == schemas.QuotasFile {
		return BumpPatch
	}
	return b
}

// version reads MAJOR.MINOR.PATCH.
func version(text string) (v [3]int, err error) {
	_, err = fmt.Sscanf(text, "%d.%d.%d", &v[0], &v[1], &v[2])
	return v, err
}

// Next returns the version that follows another after a bump.
func Next(old string, b Bump) (string, error) {
	v, err := version(old)
	switch b {
	case BumpMajor:
		v = [3]int{v[0] + 1, 0, 0}
	case BumpMinor:
		v = [3]int{v[0], v[1] + 1, 0}
	case BumpPatch:
		v[2]++
	}
	return fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2]), err
}

// settleVersion chooses the version of a release whose data is written, or refuses the one that was
// asked for, and names the release.
func (w *writer) settleVersion() error {
	if old := w.opts.Previous; old != nil {
		now, err := w.labelledAs(old)
		if err != nil {
			return err
		}
		if w.opts.Version, err = w.opts.follow(old, now); err != nil {
			return err
		}
	}
	if w.opts.Name == "" {
		w.opts.Name = DefaultName(*w.in, w.opts.Version)
	}
	w.m.Release.Version, w.m.Release.Name = w.opts.Version, w.opts.Name
	return nil
}

// labelledAs returns the manifest as it would be under the label of old. Documents say the label,
// too: only what else they say is a difference.
func (w *writer) labelledAs(old *Manifest) (*Manifest, error) {
	m := *w.m
	m.Release, m.Supersedes = old.Release, old.Supersedes
	files := slices.Clone(m.Files)
	for _, name := range documentNames {
		text, err := document(&m, name, w.root, w.parts(), w.opts.Errata)
		if err != nil {
			return nil, err
		}
		files = append(files, FileEntry{Path: name, SHA256: digest.SHA256(text), Role: "document"})
	}
	m.Files = files
	return &m, nil
}

// follow returns the version of now, which comes after old.
func (o WriteOptions) follow(old, now *Manifest) (string, error) {
	bump, why := BumpOf(old, now)
	if bump == BumpNone && o.Version == "" {
		return "", fault.New(fault.Failure, "nothing differs from the release before, %s %s",
			old.Release.Name, old.Release.Version).
			Hint("there is nothing to publish; --version names a version all the same")
	}
	least, err := Next(old.Release.Version, max(bump, BumpPatch))
	if err != nil || o.Version == "" {
		return least, err
	}
	want, err := version(o.Version)
	if err != nil {
		return "", err
	}
	floor, err := version(least)
	if err == nil && slices.Compare(want[:], floor[:]) < 0 {
		if why == "" {
			why = "it is another release"
		}
		err = fault.New(fault.Usage, "--version %s: at least %s (%s) must follow %s, because %s",
			o.Version, least, max(bump, BumpPatch), old.Release.Version, why).
			Hint("leave --version out, and it is %s", least)
	}
	return o.Version, err
}
