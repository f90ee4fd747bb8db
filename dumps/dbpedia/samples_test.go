package dbpedia

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// sample gives the path of a file of the sample data, which lies in the folder WIKINAV_SHARED or in shared/ beside the
// repository, after comparing its digest.
func sample(t *testing.T, name, sum string) string {
	t.Helper()
	root := os.Getenv("WIKINAV_SHARED")
	for up := ".."; root == "" && len(up) < 30; up = filepath.Join("..", up) {
		if _, err := os.Stat(filepath.Join(up, "shared", "data")); err == nil {
			root = filepath.Join(up, "shared")
		}
	}
	path := filepath.Join(root, "data", filepath.FromSlash(name))
	data, err := os.ReadFile(path)
	if err != nil {
		t.Skipf("no sample data: set WIKINAV_SHARED, or put shared/ beside the repository: %v", err)
	}
	if got := sha256.Sum256(data); hex.EncodeToString(got[:]) != sum {
		t.Fatalf("%s: got SHA-256 %x, want %s", name, got, sum)
	}
	return path
}

// ontology unpacks and reads one of the two sample ontologies.
func ontology(t *testing.T, name, sum string) *Ontology {
	t.Helper()
	path := sample(t, "dbpedia/"+name, sum)
	if _, err := exec.LookPath("xz"); err != nil {
		t.Skip("no xz to unpack the sample ontology")
	}
	text, err := exec.Command("xz", "-dc", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	o, err := ReadOntology(t.Context(), file(t, string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func newOntology(t *testing.T) *Ontology {
	return ontology(t, "ontology-790classes.owl.xz", "d03520c0efa244a9a8faa9a960362c1911ecbdcb2a2780eeb4e16411c139aaf5")
}

func oldOntology(t *testing.T) *Ontology {
	return ontology(t, "ontology-763classes.owl.xz", "274646ca87040e92793e2c95179dc615d253b3d1d9c2a84e9590f06532b166f7")
}

// file writes a text where a reader finds it.
func file(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
