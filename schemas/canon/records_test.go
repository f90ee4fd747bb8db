package canon_test

import (
	"reflect"
	"testing"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// TestRecordsOfManyAreDecodedInOnePass names the records that files have thousands of: a field of a
// type that only package json reads would make reading them ten times as slow, and fail no other test.
func TestRecordsOfManyAreDecodedInOnePass(t *testing.T) {
	t.Parallel()
	for _, r := range []reflect.Type{
		reflect.TypeFor[schemas.WikiraceInstance](), reflect.TypeFor[schemas.ConstrainedInstance](),
		reflect.TypeFor[schemas.ConstrainedInfeasible](), reflect.TypeFor[schemas.ProbeInstance](),
		reflect.TypeFor[schemas.OneStepInstance](), reflect.TypeFor[schemas.MangoQuestion](),
		reflect.TypeFor[schemas.LuminaListInstance](), reflect.TypeFor[schemas.LuminaTreeInstance](),
		reflect.TypeFor[schemas.LuminaGridInstance](), reflect.TypeFor[schemas.Game](),
	} {
		if !canon.HasForm(r) {
			t.Errorf("%v is left to package json", r)
		}
	}
}
