package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/release/releasetest"
)

// TestRealWikisArePublished takes real wikis from the dump to a release that is signed, verified at
// every level short of the words of its pages, and exported, with a program that knows its version.
func TestRealWikisArePublished(t *testing.T) {
	if os.Getenv("WIKINAV_REAL") == "" {
		t.Skip("takes some minutes: set WIKINAV_REAL to any value")
	}
	dir := t.TempDir()
	at := func(name ...string) string { return filepath.Join(dir, filepath.Join(name...)) }
	program := at("wikinav")
	version := "-X github.com/wikinav/wikinav/cmd/internal/cli.version=v0.1.0"
	runIn(t, ".", "go", "build", "-trimpath", "-ldflags", version, "-o", program, ".")
	runIn(t, dir, program, "sign", "--generate", "release.key", "--unencrypted")
	for _, wiki := range []string{"nsowiki-20220701", "gensinimpact-20230321"} {
		t.Run(wiki, func(t *testing.T) {
			dump, err := filepath.Abs(shared(t, "realwiki/"+wiki+"-pages-articles.xml.bz2"))
			if err != nil {
				t.Fatal(err)
			}
			step := func(args ...string) {
				began := time.Now()
				runIn(t, dir, append([]string{program}, args...)...)
				t.Logf("%6.1f s  %s", time.Since(began).Seconds(), strings.Join(args, " "))
			}
			work, out := wiki+"-work", wiki
			step("build", "--dump", dump, "--work", work, "--texts", "on", "--progress", "none")
			step("release", "--work", work, "--out", out, "--allow-short", "--published", "2026-11-23")
			step("sign", out, "--key", "release.key")
			for _, level := range []string{"1", "2", "3"} {
				step("verify", out, "--key", "release.pub", "--level", level)
			}
			runIn(t, at(out), "sha256sum", "--quiet", "--strict", "-c", "SHA256SUMS")
			for _, form := range exports {
				step("export", form, "--release", out, "--out", wiki+"-"+form)
				t.Logf("%6.1f MB %s", sizeOf(t, at(wiki+"-"+form)), form)
			}
			t.Logf("%6.1f MB release", sizeOf(t, at(out)))
			releasetest.Trace(t, at(out), artifacts.All)
		})
	}
}

// runIn runs a program in dir, which must end well.
func runIn(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Dir = dir
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, text)
	}
}

// sizeOf adds up the files below dir, in MB.
func sizeOf(t *testing.T, dir string) (mb float64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		mb += float64(info.Size()) / 1e6
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return mb
}
