package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/release"
)

// nineRelease builds and releases the worked example.
func nineRelease(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	putFile(t, at("g9.tsv"), []byte(g9))
	must(t, "build", "--edges", at("g9.tsv"), "--work", at("work"), "--split", "tiny:4:2,3", "--progress", "none")
	must(t, "release", "--work", at("work"), "--out", at("release"), "--licence", "CC0-1.0", "--allow-short")
	return at("release")
}

// byAVersion has a manifest name a version as its writer, which that of a test has not.
func byAVersion(t *testing.T, dir string) {
	t.Helper()
	path, sums := filepath.Join(dir, "manifest.json"), filepath.Join(dir, "SHA256SUMS")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := release.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	m.Generator.Version = "v0.1.0"
	m.ID = release.ID(m)
	changed := release.Encode(m)
	list, err := os.ReadFile(sums)
	if err != nil {
		t.Fatal(err)
	}
	putFile(t, path, changed)
	putFile(t, sums, []byte(strings.Replace(string(list), digest.SHA256(data), digest.SHA256(changed), 1)))
}

func TestSignaturesAreMadeAndDemanded(t *testing.T) {
	dir := nineRelease(t)
	key := filepath.Join(t.TempDir(), "release.key")
	public := strings.TrimSuffix(key, ".key") + ".pub"
	must(t, "sign", "--generate", key, "--unencrypted")
	if info, err := os.Stat(key); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the secret key: %v, %v", info.Mode(), err)
	}
	expect := func(want int, says string, args ...string) {
		t.Helper()
		if code, out, errs := wikinav(t, args...); code != want || !strings.Contains(out+errs, says) {
			t.Errorf("%v: exit %d, want %d and %q\n%s%s", args, code, want, says, out, errs)
		}
	}
	expect(2, "neither a file nor a public key", "verify", dir, "--key", "") // an unset variable
	expect(2, "never overwritten", "sign", "--generate", key, "--unencrypted")
	expect(4, "manifest.json.minisig is missing", "verify", dir, "--key", public, "--level", "1")
	expect(0, "skipped: level 0, signatures: no public key was given", "verify", dir, "--level", "1")
	expect(1, "neither its revision nor its version", "sign", dir, "--key", key)
	byAVersion(t, dir)
	expect(0, "is signed by key", "sign", dir, "--key", key)
	expect(1, "--force", "sign", dir, "--key", key)
	text, err := os.ReadFile(public)
	if err != nil {
		t.Fatal(err)
	}
	line := strings.Split(string(text), "\n")[1]
	expect(0, "covered: level 0", "verify", dir, "--key", line, "--level", "1")
	putFile(t, filepath.Join(dir, "README.md"), []byte("x"))
	expect(3, "README.md", "verify", dir, "--key", line, "--level", "1")
	expect(3, "README.md", "sign", dir, "--key", key, "--force")
	putFile(t, filepath.Join(dir, "SHA256SUMS"), []byte("x"))
	expect(4, "SHA256SUMS.minisig", "verify", dir, "--key", line, "--level", "1")
}

func TestAKeyWithAPasswordOpensWithItAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("derives keys in 1 GiB")
	}
	dir := nineRelease(t)
	byAVersion(t, dir)
	at := t.TempDir()
	key := filepath.Join(at, "k")
	if code, _, errs := wikinav(t, "sign", "--generate", key); code != 2 || !strings.Contains(errs, passwordVariable) {
		t.Errorf("no password: exit %d, %s", code, errs)
	}
	t.Setenv(passwordVariable, "open")
	must(t, "sign", "--generate", key)
	word := filepath.Join(at, "word")
	putFile(t, word, []byte("shut\n"))
	if code, _, errs := wikinav(t, "sign", dir, "--key", key, "--password-file", word); code != 1 ||
		!strings.Contains(errs, "password") {
		t.Errorf("another password: exit %d, %s", code, errs)
	}
	must(t, "sign", dir, "--key", key)
	must(t, "verify", dir, "--key", key+".pub", "--level", "1")
}
