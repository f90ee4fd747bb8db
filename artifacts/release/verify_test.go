package release_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	. "github.com/wikinav/wikinav/artifacts/release"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas/fault"
)

// wantClean verifies a release that nothing is wrong with.
func wantClean(t *testing.T, dir string, opts VerifyOptions) *Report {
	t.Helper()
	report, err := verify(t.Context(), dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Failed) > 0 || report.Err() != nil {
		t.Errorf("findings in a good release: %+v", report.Failed)
	}
	return report
}

// noKey is what is skipped where nothing is.
var noKey = []string{"level 0, signatures: no public key was given"}

func TestAFreshReleaseHasNoFindings(t *testing.T) {
	dir := newBuild(t).release(WriteOptions{})
	files := len(tree(t, dir)) - 2
	for _, level := range []int{0, 1, 2} {
		report := wantClean(t, dir, VerifyOptions{Level: level})
		if report.Checked != files || report.Level != max(level, 1) && report.Level != 2 {
			t.Errorf("level %d: report of level %d on %d files, want %d", level, report.Level, report.Checked, files)
		}
		if !slices.Equal(report.Skipped, noKey) {
			t.Errorf("level %d: skipped %v", level, report.Skipped)
		}
	}
}

func TestWhatMayBeAddedAfterPublicationIsNoFinding(t *testing.T) {
	dir := newBuild(t).release(WriteOptions{})
	for _, name := range []string{"leaderboard/wikirace.jsonl", "manifest.json.minisig", "SHA256SUMS.minisig"} {
		must(t, os.MkdirAll(filepath.Dir(place(dir, name)), 0o755))
		must(t, os.WriteFile(place(dir, name), []byte("x"), 0o644))
	}
	must(t, os.MkdirAll(place(dir, "leaderboard/wikirace"), 0o755))
	r := wantClean(t, dir, VerifyOptions{Level: 1})
	if want := "leaderboard/: 1 files that no digest covers; "; len(r.Skipped) != 2 ||
		!strings.HasPrefix(r.Skipped[1], want) {
		t.Errorf("skipped %q, want %q", r.Skipped, want)
	}
	for _, name := range []string{
		"leaderboards/x.jsonl", "leaderboard.jsonl", "graph/leaderboard/x.jsonl", "Leaderboard/x.jsonl",
	} {
		dir := newBuild(t).release(WriteOptions{})
		must(t, os.MkdirAll(filepath.Dir(place(dir, name)), 0o755))
		must(t, os.WriteFile(place(dir, name), []byte("x"), 0o644))
		if r, err := verify(t.Context(), dir, VerifyOptions{Level: 1}); err != nil || r.Err() == nil {
			t.Errorf("%s is not a finding", name)
		}
	}
	must(t, os.Symlink("../manifest.json", place(dir, "leaderboard/x.jsonl")))
	if r, err := verify(t.Context(), dir, VerifyOptions{Level: 1}); err != nil || r.Err() == nil {
		t.Error("a link among the files of the leaderboard is not a finding")
	}
}

func TestSubsetsShareTheFilesAmongThem(t *testing.T) {
	dir := newBuild(t).release(WriteOptions{})
	files := len(tree(t, dir)) - 2
	for _, n := range []int{1, 3, 7, 40} {
		checked := 0
		for k := range n {
			checked += wantClean(t, dir, VerifyOptions{Level: 1, Subset: fmt.Sprintf("%d/%d", k+1, n)}).Checked
			wantClean(t, dir, VerifyOptions{Subset: fmt.Sprintf("%d/%d", k+1, n)})
		}
		if checked != files {
			t.Errorf("%d parts check %d files, want %d", n, checked, files)
		}
	}
}

func TestVerifyRefusesOptionsThatMakeNoSense(t *testing.T) {
	dir := newBuild(t).release(WriteOptions{})
	for _, opts := range []VerifyOptions{
		{Level: 4},
		{Level: 5},
		{Level: -1},
		{Subset: "0/2"},
		{Subset: "3/2"},
		{Subset: "1"},
		{Subset: "1/2x"},
		{Subset: "+1/2"},
		{Subset: "1/0"},
	} {
		if _, err := verify(t.Context(), dir, opts); fault.KindOf(err) != fault.Usage {
			t.Errorf("%+v: got %v", opts, err)
		}
	}
	if _, err := verify(t.Context(), filepath.Join(dir, "none"), VerifyOptions{}); fault.KindOf(err) != fault.NotFound {
		t.Errorf("no directory: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := verify(ctx, dir, VerifyOptions{}); fault.KindOf(err) != fault.Interrupted {
		t.Errorf("cancelled: %v", err)
	}
}

func TestAManifestThatCannotBeReadIsAFinding(t *testing.T) {
	dir := t.TempDir()
	for _, data := range []string{"", "{}", "\x00\xff", strings.Repeat("[", 1000)} {
		must(t, os.WriteFile(filepath.Join(dir, ManifestName), []byte(data), 0o644))
		report, err := verify(t.Context(), dir, VerifyOptions{})
		if err != nil || len(report.Failed) != 1 || report.Failed[0].Path != ManifestName || fault.Code(report.Err()) != 3 {
			t.Errorf("%q: %+v, %v", data, report, err)
		}
	}
}

func TestAFileWhoseDigestIsWrongIsNotParsed(t *testing.T) {
	dir := newBuild(t).release(WriteOptions{})
	edit(t, dir, "splits/easy.jsonl", flip(func(int) int { return 0 }))
	report, err := verify(t.Context(), dir, VerifyOptions{})
	must(t, err)
	for _, f := range report.Failed {
		if f.Path == "splits/easy.jsonl" && f.Check != "sha256" && f.Check != "xxh64" {
			t.Errorf("a finding from inside the file: %+v", f)
		}
	}
	if !strings.Contains(fmt.Sprint(report.Skipped), "splits/easy.jsonl") {
		t.Errorf("what was not parsed is not named: %v", report.Skipped)
	}
}

// A key that canonical JSON does not have once reached a function that panics. Sealed anew, it is a document that nobody reads.
func TestASealedManifestThatCannotBeReadIsMalformed(t *testing.T) {
	t.Parallel()
	dir := newBuild(t).release(WriteOptions{})
	manifest, sums := filepath.Join(dir, ManifestName), filepath.Join(dir, SumsName)
	before, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	after := bytes.Replace(before, []byte(`"counts":{`), []byte(`"counts":{"é":1,`), 1)
	text, err := os.ReadFile(sums)
	if err != nil || bytes.Equal(before, after) {
		t.Fatal("no counts in the manifest, or no sums: ", err)
	}
	for i, want := range []*fault.Kind{fault.Mismatch, fault.Malformed} {
		if i == 1 { // sealed anew
			text = bytes.Replace(text, []byte(digest.SHA256(before)), []byte(digest.SHA256(after)), 1)
		}
		if err := errors.Join(os.WriteFile(manifest, after, 0o644), os.WriteFile(sums, text, 0o644)); err != nil {
			t.Fatal(err)
		}
		report, err := verify(t.Context(), dir, VerifyOptions{})
		if err != nil || fault.KindOf(report.Err()) != want || len(report.Failed) != 1 {
			t.Errorf("case %d: %v, %v, want one finding of kind %v", i, report, err, want)
		}
	}
}

// TestQuotasWhoseSumIsNoNumberAreAFinding: each is one that JSON has, their sum is not.
func TestQuotasWhoseSumIsNoNumberAreAFinding(t *testing.T) {
	dir := newFullBuild(t).release(WriteOptions{})
	edit(t, dir, shortagePath, func(text []byte) []byte {
		return regexp.MustCompile(`"requested":\d+`).ReplaceAll(text, []byte(`"requested":9007199254740991`))
	})
	reseal(t, dir, nil)
	report, err := verify(t.Context(), dir, VerifyOptions{})
	if must(t, err); !slices.ContainsFunc(report.Failed, func(f Finding) bool { return f.Check == "split" }) {
		t.Errorf("got %+v", report.Failed)
	}
}
