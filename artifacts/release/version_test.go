package release_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	. "github.com/wikinav/wikinav/artifacts/release"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas/fault"
)

// readManifest reads that of a release.
func readManifest(t *testing.T, dir string) *Manifest {
	t.Helper()
	data, err := os.ReadFile(place(dir, ManifestName))
	must(t, err)
	m, err := Decode(data)
	must(t, err)
	return m
}

// Each pair is a release of a build, and one of the build after a change; only the bytes of a table
// that another library wrote are made up.
func TestTheVersionFollowsFromWhatDiffers(t *testing.T) {
	first := newBuild(t).release(WriteOptions{AllTargets: true, Version: "1.2.3"})
	for name, c := range map[string]struct {
		change func(b *build)
		after  func(old *Manifest) // of the change
		bump   Bump
		next   string
	}{
		"equal": {nil, nil, BumpNone, ""},
		"encoded anew": {
			nil, func(old *Manifest) { entryAt(t, old, "splits/easy.parquet").SHA256 = digest.SHA256(nil) },
			BumpPatch, "1.2.4",
		},
		"the catalogue anew": {nil, func(old *Manifest) {
			entryAt(t, old, graphPath).Role = "catalog"
			entryAt(t, old, graphPath).SHA256 = digest.SHA256(nil)
		}, BumpPatch, "1.2.4"},
		"a document changed": {
			nil, func(old *Manifest) { entryAt(t, old, "README.md").SHA256 = digest.SHA256(nil) },
			BumpPatch, "1.2.4",
		},
		"written by a later program": {func(b *build) { b.in.Generator.Version = "v0.2.0" }, nil, BumpPatch, "1.2.4"},
		"a file added": {func(b *build) {
			b.in.Splits = append(b.in.Splits, b.split("hard", 1, 5))
			b.in.Shortage = b.shortage()
		}, nil, BumpMinor, "1.3.0"},
		"a record changed": {func(b *build) {
			b.in.Splits[1].Instances[0].Features.RWMenu = "1.00000e-10"
		}, nil, BumpMajor, "2.0.0"},
		"a record removed": {func(b *build) {
			s := &b.in.Splits[1]
			s.Instances = slices.Delete(s.Instances, 5, 6)
			b.in.Shortage = b.shortage()
		}, nil, BumpMajor, "2.0.0"},
		"a file gone": {
			func(b *build) { b.in.Splits = b.in.Splits[:2]; b.in.Shortage = b.shortage() }, nil, BumpMajor, "2.0.0",
		},
	} {
		old := readManifest(t, first)
		if c.after != nil {
			c.after(old)
		}
		b := newBuild(t)
		if c.change != nil {
			c.change(b)
		}
		dir := filepath.Join(t.TempDir(), "r")
		got, err := b.writeTo(t.Context(), dir, WriteOptions{AllTargets: true, AllowShort: true, Previous: old})
		if c.bump == BumpNone {
			if !errors.Is(err, fault.Failure) || !strings.Contains(err.Error(), "nothing differs") {
				t.Errorf("%s: %v", name, err)
			}
			opts := WriteOptions{AllTargets: true, Previous: old, Version: "1.2.4"}
			if got, err = b.writeTo(t.Context(), dir, opts); err != nil {
				t.Errorf("%s, with a version: %v", name, err)
				continue
			}
		} else if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		} else if got.Release.Version != c.next {
			t.Errorf("%s: version %s, want %s", name, got.Release.Version, c.next)
		}
		if got.Supersedes == nil || *got.Supersedes != old.ID ||
			!strings.HasSuffix(got.Release.Name, "-v"+got.Release.Version) {
			t.Errorf("%s: supersedes %v, called %s", name, got.Supersedes, got.Release.Name)
		}
		// Under another label documents are others, too.
		if bump, why := BumpOf(old, got); bump != max(c.bump, BumpPatch) || why == "" {
			t.Errorf("%s: %v because %q, want %v", name, bump, why, c.bump)
		}
		if bump, why := BumpOf(got, got); bump != BumpNone || why != "" {
			t.Errorf("%s: with itself %v because %q", name, bump, why)
		}
	}
}

func entryAt(t *testing.T, m *Manifest, path string) *FileEntry {
	t.Helper()
	i := slices.IndexFunc(m.Files, func(f FileEntry) bool { return f.Path == path })
	if i < 0 {
		t.Fatalf("no %s", path)
	}
	return &m.Files[i]
}

func TestASmallerVersionIsRefused(t *testing.T) {
	old := readManifest(t, newBuild(t).release(WriteOptions{AllTargets: true}))
	b := newBuild(t)
	b.in.Splits[1].Instances[0].Features.RWMenu = "1.00000e-10"
	for version, ok := range map[string]bool{
		"1.0.0": false, "1.0.1": false, "1.9.9": false, "2.0.0": true, "10.0.0": true, "0.9.0": false,
	} {
		m, err := b.writeTo(t.Context(), filepath.Join(t.TempDir(), "r"),
			WriteOptions{AllTargets: true, Previous: old, Version: version})
		switch {
		case ok && (err != nil || m.Release.Version != version):
			t.Errorf("%s: %v", version, err)
		case !ok && (!errors.Is(err, fault.Usage) || !strings.Contains(err.Error(), "2.0.0") ||
			!strings.Contains(err.Error(), "splits/easy")):
			t.Errorf("%s: %v", version, err)
		}
	}
	other := *old
	other.Wiki = "enwiki"
	to := filepath.Join(t.TempDir(), "r")
	if _, err := b.writeTo(t.Context(), to, WriteOptions{Previous: &other}); !errors.Is(err, fault.Usage) {
		t.Errorf("another wiki: %v", err)
	}
}

// Under a folder the release lies under the name of its version, next to the one before.
func TestAReleaseInAFolderLiesUnderItsName(t *testing.T) {
	folder := t.TempDir()
	b := newBuild(t)
	first, err := b.writeTo(t.Context(), filepath.Join(folder, "x"), WriteOptions{Folder: folder})
	must(t, err)
	b.in.Generator.Version = "v0.2.0"
	second, err := b.writeTo(t.Context(), filepath.Join(folder, "x"), WriteOptions{Folder: folder, Previous: first})
	must(t, err)
	list, err := os.ReadDir(folder)
	must(t, err)
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	if want := []string{first.Release.Name, second.Release.Name}; !slices.Equal(names, want) ||
		second.Release.Version != "1.0.1" {
		t.Errorf("%v, want %v", names, want)
	}
}
