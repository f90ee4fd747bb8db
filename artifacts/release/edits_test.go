package release_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	. "github.com/wikinav/wikinav/artifacts/release"

	"github.com/wikinav/wikinav/artifacts/minisign"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
)

// An edit changes a file of a signed release. It returns the file that a finding must name, and a
// way back.
type edit1 func(t *testing.T, r *rng.Stream, dir string, paths []string) (named string, undo func())

// rewritten puts other bytes into a file.
func rewritten(t *testing.T, dir, path string, change func([]byte) []byte) (undo func()) {
	t.Helper()
	before, err := os.ReadFile(place(dir, path))
	must(t, err)
	must(t, os.WriteFile(place(dir, path), change(slices.Clone(before)), 0o644))
	return func() { must(t, os.WriteFile(place(dir, path), before, 0o644)) }
}

// kept returns the way back to a file as it is.
func kept(t *testing.T, dir, path string) (undo func()) {
	t.Helper()
	return rewritten(t, dir, path, func(b []byte) []byte { return b })
}

// filled lists those of the files that are not empty.
func filled(t *testing.T, dir string, paths []string) []string {
	t.Helper()
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool {
		info, err := os.Stat(place(dir, p))
		must(t, err)
		return info.Size() == 0
	})
}

func anyOf[T any](r *rng.Stream, list []T) T { return list[r.Below(len(list))] }

// untrustedEnd is where the first line of a signature ends, which nobody signs.
func untrustedEnd(path string, data []byte) int {
	if !strings.HasSuffix(path, minisign.Extension) {
		return 0
	}
	return strings.IndexByte(string(data), '\n')
}

var singleEdits = map[string]edit1{
	"flip": func(t *testing.T, r *rng.Stream, dir string, paths []string) (string, func()) {
		path := anyOf(r, filled(t, dir, paths))
		return path, rewritten(t, dir, path, func(b []byte) []byte {
			from := untrustedEnd(path, b)
			b[from+r.Below(len(b)-from)] ^= 1 << r.Below(8)
			return b
		})
	},
	"cut": func(t *testing.T, r *rng.Stream, dir string, paths []string) (string, func()) {
		path := anyOf(r, filled(t, dir, paths))
		return path, rewritten(t, dir, path, func(b []byte) []byte { return b[:r.Below(len(b))] })
	},
	"grow": func(t *testing.T, r *rng.Stream, dir string, paths []string) (string, func()) {
		path := anyOf(r, paths)
		return path, rewritten(t, dir, path, func(b []byte) []byte {
			from := untrustedEnd(path, b)
			return slices.Insert(b, from+r.Below(len(b)-from+1), byte(r.Below(256)))
		})
	},
	"add": func(t *testing.T, r *rng.Stream, dir string, paths []string) (string, func()) {
		path := strings.TrimSuffix(anyOf(r, paths), minisign.Extension) + ".new" + strconv.Itoa(r.Below(1000))
		must(t, os.WriteFile(place(dir, path), []byte("x"), 0o644))
		return path, func() { must(t, os.Remove(place(dir, path))) }
	},
	"remove": func(t *testing.T, r *rng.Stream, dir string, paths []string) (string, func()) {
		path := anyOf(r, paths)
		away := place(t.TempDir(), "away")
		data, err := os.ReadFile(place(dir, path))
		must(t, err)
		must(t, os.WriteFile(away, data, 0o644))
		must(t, os.Remove(place(dir, path)))
		return path, func() { must(t, os.WriteFile(place(dir, path), data, 0o644)) }
	},
	"rename": func(t *testing.T, r *rng.Stream, dir string, paths []string) (string, func()) {
		path := anyOf(r, paths)
		to := path + "2"
		must(t, os.Rename(place(dir, path), place(dir, to)))
		return path, func() { must(t, os.Rename(place(dir, to), place(dir, path))) }
	},
	"re-seal": func(t *testing.T, r *rng.Stream, dir string, paths []string) (string, func()) {
		path := anyOf(r, slices.DeleteFunc(filled(t, dir, paths), func(p string) bool {
			return p == ManifestName || p == SumsName || strings.HasSuffix(p, minisign.Extension)
		}))
		undo := []func(){
			kept(t, dir, ManifestName), kept(t, dir, SumsName),
			kept(t, dir, "croissant.json"), kept(t, dir, "datapackage.json"),
			rewritten(t, dir, path, func(b []byte) []byte {
				b[r.Below(len(b))] ^= 1 << r.Below(8)
				return b
			}),
		}
		reseal(t, dir, nil)
		return manifestSignature, func() {
			for _, f := range slices.Backward(undo) {
				f()
			}
		}
	},
}

// Each edit is found at level 0 or 1, by the name of its file: with 4 where a signed file or a
// signature is another, with 3 elsewhere. WIKINAV_EDITS is how many there are,
// WIKINAV_EDITS_RELEASE a release to edit a copy of in place of the worked example.
func TestSingleEditsOfASignedReleaseAreFound(t *testing.T) {
	dir, count := os.Getenv("WIKINAV_EDITS_RELEASE"), 70
	if text := os.Getenv("WIKINAV_EDITS"); text != "" {
		var err error
		count, err = strconv.Atoi(text)
		must(t, err)
	}
	if dir == "" {
		dir = newFullBuild(t).release(WriteOptions{})
	}
	dir = copyTree(t, dir)
	for _, name := range []string{manifestSignature, sumsSignature} {
		must(t, errors.Join(os.RemoveAll(place(dir, name))))
	}
	_, key := signed(t, dir)
	paths := slices.Sorted(maps.Keys(tree(t, dir)))
	covering := slices.DeleteFunc(slices.Clone(paths),
		func(p string) bool { return !strings.HasPrefix(p, ManifestName) && !strings.HasPrefix(p, SumsName) })
	kinds := slices.Sorted(maps.Keys(singleEdits))
	found := map[string]int{}
	for i := range count {
		r := rng.New(42, "release", "edits", rng.Part(i))
		kind, among := kinds[i%len(kinds)], paths
		if i/len(kinds)%4 == 0 { // a quarter of the edits is to the four files that cover the others
			if among = covering; kind == "re-seal" {
				among = paths
			}
		}
		named, undo := singleEdits[kind](t, r, dir, among)
		report, err := verify(t.Context(), dir, VerifyOptions{Level: LevelDigests, Key: key})
		undo()
		if err != nil {
			t.Errorf("edit %d, %s of %s: %v", i, kind, named, err)
			continue
		}
		want := fault.Mismatch
		if kind != "add" && slices.Contains(covering, named) {
			want = fault.Untrusted
		}
		isNamed := slices.ContainsFunc(report.Failed,
			func(f Finding) bool { return f.Path == named || f.Path == named+minisign.Extension })
		if !isNamed || !errors.Is(report.Err(), want) {
			t.Errorf("edit %d, %s of %s: %v, want %v; %+v", i, kind, named, report.Err(), want, report.Failed)
			continue
		}
		found[kind]++
	}
	if report, err := verify(t.Context(), dir, VerifyOptions{Level: LevelDigests, Key: key}); err != nil ||
		report.Err() != nil {
		t.Errorf("the release is not what it was: %v, %v", err, report.Err())
	}
	t.Logf("%d edits, found by kind: %v", count, found)
}

// Without a key a forger who brings all digests in line is found by what files say: at level 2 by a
// file alone or against another, at level 3 by what is computed anew,
// the bytes of tables among it.
func TestResealedFlipsAreFoundByWhatFilesSay(t *testing.T) {
	b := newFullBuild(t)
	dir := b.release(WriteOptions{})
	paths := slices.DeleteFunc(filled(t, dir, slices.Sorted(maps.Keys(tree(t, dir)))),
		func(p string) bool { return p == ManifestName || p == SumsName })
	for _, level := range []int{LevelStructure, LevelMeaning} {
		found, missed := 0, map[string]int{}
		for i := range 100 {
			r, copied := rng.New(42, "release", "resealed", rng.Part(i)), copyTree(t, dir)
			path := anyOf(r, paths)
			rewritten(t, copied, path, func(b []byte) []byte {
				b[r.Below(len(b))] ^= 1 << r.Below(8)
				return b
			})
			reseal(t, copied, nil)
			report, err := verify(t.Context(), copied, VerifyOptions{Level: level})
			if err == nil {
				err = report.Err()
			}
			if err == nil {
				missed[path]++
			} else {
				found++
			}
			must(t, os.RemoveAll(copied))
		}
		for path, n := range missed { // the bytes of a table that stand for no cell
			if level == LevelMeaning || !slices.Contains([]string{".arrow", ".parquet"}, filepath.Ext(path)) {
				t.Errorf("level %d: %d flips in %s are not found", level, n, path)
			}
		}
		t.Logf("level %d: %d of 100 found, not in %v", level, found, missed)
	}
}
