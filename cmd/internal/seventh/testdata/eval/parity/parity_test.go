package parity

import (
	"os"
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/family/familytest"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/schemas"
)

// TestTheFamilyKeepsTheContract is given the directory of a release.
func TestTheFamilyKeepsTheContract(t *testing.T) {
	r, err := open.Open(os.Getenv("PARITY_RELEASE"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	o, err := Family.Options(nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Family.Open(r, o)
	if err != nil {
		t.Fatal(err)
	}
	wrong := "neither"
	familytest.Check(t, familytest.Subject{
		Family: Family, Options: o, Set: s, Wrong: family.Reply{Text: &wrong},
		Run: schemas.Run{ReleaseID: r.Manifest().ID, ManifestSHA256: r.ManifestSHA256()},
	})
}
