package release_test

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/minisign"
	"github.com/wikinav/wikinav/artifacts/minisign/secret"
	. "github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas/fault"
)

const (
	manifestSignature = ManifestName + minisign.Extension
	sumsSignature     = SumsName + minisign.Extension
)

// keys makes a pair.
func keys(t *testing.T) (secret.Key, *minisign.Key) {
	t.Helper()
	sec, pub, err := secret.Generate("")
	must(t, err)
	s, err := secret.Parse(sec, nil)
	must(t, err)
	k, err := minisign.ParseKey(string(pub))
	must(t, err)
	return s, &k
}

func signed(t *testing.T, dir string) (secret.Key, *minisign.Key) {
	t.Helper()
	s, k := keys(t)
	_, err := Sign(t.Context(), dir, artifacts.All, *k, s.Sign, false)
	must(t, err)
	return s, k
}

func TestASignedReleaseIsTrustedByItsKeyAlone(t *testing.T) {
	dir := newBuild(t).release(WriteOptions{})
	before := tree(t, dir)
	_, k := signed(t, dir)
	_, other := keys(t)
	for name, data := range before {
		if got, err := os.ReadFile(place(dir, name)); err != nil || string(got) != data {
			t.Errorf("signing changed %s, %v", name, err)
		}
	}
	report, err := verify(t.Context(), dir, VerifyOptions{Key: k})
	if err != nil || report.Err() != nil {
		t.Fatalf("%v, %+v", err, report)
	}
	isLevel0 := func(line string) bool { return strings.HasPrefix(line, "level 0") }
	if !slices.ContainsFunc(report.Covered, isLevel0) || slices.ContainsFunc(report.Skipped, isLevel0) {
		t.Errorf("covered %q, skipped %q", report.Covered, report.Skipped)
	}
	if report, err = verify(t.Context(), dir, VerifyOptions{}); err != nil || report.Err() != nil ||
		!slices.ContainsFunc(report.Skipped, isLevel0) {
		t.Errorf("without a key: %v, skipped %q", err, report.Skipped)
	}
	if report, err = verify(t.Context(), dir, VerifyOptions{Key: other}); err != nil ||
		!errors.Is(report.Err(), fault.Untrusted) {
		t.Errorf("another key: %v, %v", err, report.Err())
	}
}

func TestWhatIsNotSignedAsItIsIsUntrusted(t *testing.T) {
	whole := newBuild(t).release(WriteOptions{})
	s, k := signed(t, whole)
	remove := func(name string) func(string) { return func(dir string) { must(t, os.Remove(place(dir, name))) } }
	for _, c := range []struct {
		name, path string
		kind       *fault.Kind
		change     func(dir string)
	}{
		{"no signature of the manifest", manifestSignature, fault.Untrusted, remove(manifestSignature)},
		{"no signature of the sums", sumsSignature, fault.Untrusted, remove(sumsSignature)},
		{"signatures swapped", manifestSignature, fault.Untrusted, func(dir string) {
			must(t, os.Rename(place(dir, manifestSignature), place(dir, "x")))
			must(t, os.Rename(place(dir, sumsSignature), place(dir, manifestSignature)))
			must(t, os.Rename(place(dir, "x"), place(dir, sumsSignature)))
		}},
		{"another release's comment", manifestSignature, fault.Untrusted, func(dir string) {
			data, err := os.ReadFile(place(dir, ManifestName))
			must(t, err)
			must(t, os.WriteFile(place(dir, manifestSignature), s.Sign(data, "0123456789abcdef", "x"), 0o644))
		}},
		{"no manifest", manifestSignature, fault.Untrusted, remove(ManifestName)},
		{
			"re-sealed", manifestSignature, fault.Untrusted,
			func(dir string) { reseal(t, dir, func(m *Manifest) { m.Counts["pages_read"]++ }) },
		},
		{"another date, which the id does not cover", manifestSignature, fault.Untrusted, func(dir string) {
			reseal(t, dir, func(m *Manifest) { m.Release.Published = "2026-02-02" })
		}},
		{"a link to the signature", manifestSignature, fault.Untrusted, func(dir string) {
			must(t, os.Rename(place(dir, manifestSignature), place(dir, "x")))
			must(t, os.Symlink("x", place(dir, manifestSignature)))
		}},
		{"a signature that is not text", sumsSignature, fault.Untrusted, func(dir string) {
			must(t, os.WriteFile(place(dir, sumsSignature), bytes.Repeat([]byte{0}, 1<<20), 0o644))
		}},
		{
			"a data file", "splits/easy.ids", fault.Mismatch,
			func(dir string) { replaceIn(t, dir, "splits/easy.ids", "wr", "xr") },
		},
		{"a signature of a third file", "README.md" + minisign.Extension, fault.Mismatch, func(dir string) {
			must(t, os.WriteFile(place(dir, "README.md"+minisign.Extension), nil, 0o644))
		}},
	} {
		dir := copyTree(t, whole)
		c.change(dir)
		report, err := verify(t.Context(), dir, VerifyOptions{Level: LevelDigests, Key: k})
		if err != nil || !errors.Is(report.Err(), c.kind) {
			t.Errorf("%s: %v, %v, want %v", c.name, err, report.Err(), c.kind)
			continue
		}
		if !slices.ContainsFunc(report.Failed, func(f Finding) bool { return f.Path == c.path }) {
			t.Errorf("%s: no finding about %s: %+v", c.name, c.path, report.Failed)
		}
	}
}

func TestWhatMustNotBePublishedIsNotSigned(t *testing.T) {
	whole := newBuild(t).release(WriteOptions{})
	s, k := keys(t)
	for name, change := range map[string]func(m *Manifest){
		"modified working tree": func(m *Manifest) {
			m.Generator.Dirty, m.Warnings = true, append([]Warning{{Code: "W_DIRTY_BUILD"}}, m.Warnings...)
		},
		"neither its revision nor its version": func(m *Manifest) {
			m.Generator.VCSRevision, m.Generator.Version = "", "devel"
		},
	} {
		dir := copyTree(t, whole)
		reseal(t, dir, change)
		_, err := Sign(t.Context(), dir, artifacts.All, *k, s.Sign, false)
		if !errors.Is(err, fault.Failure) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(place(dir, manifestSignature)); err == nil {
			t.Errorf("%s: there is a signature", name)
		}
	}
	dir := copyTree(t, whole)
	replaceIn(t, dir, "splits/easy.ids", "wr", "xr")
	if _, err := Sign(t.Context(), dir, artifacts.All, *k, s.Sign, false); !errors.Is(err, fault.Mismatch) {
		t.Errorf("a damaged release: %v", err)
	}
	dir = copyTree(t, whole)
	signed(t, dir)
	if _, err := Sign(t.Context(), dir, artifacts.All, *k, s.Sign, false); !errors.Is(err, fault.Failure) ||
		!strings.Contains(err.Error(), "--force") {
		t.Errorf("a second signature: %v", err)
	}
	if _, err := Sign(t.Context(), dir, artifacts.All, *k, s.Sign, true); err != nil {
		t.Errorf("with --force: %v", err)
	}
}
