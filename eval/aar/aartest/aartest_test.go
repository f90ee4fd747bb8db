package aartest

import (
	"testing"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/schemas"
)

func TestLegsAreThoseOfARelease(t *testing.T) {
	for _, variant := range schemas.AARVariants {
		l := Leg(variant, "sample_001")
		for _, issue := range aar.Validate(l, false) {
			if issue.Severity == aar.Critical {
				t.Errorf("%s: %+v", variant, issue)
			}
		}
		if misread := aar.MisreadClues(l); misread != nil {
			t.Errorf("%s: %+v", variant, misread)
		}
		if x := (&aar.Tools{World: World()}).Execute(t.Context(), l); !x.Golden {
			t.Errorf("%s: %+v", variant, x)
		}
	}
}
