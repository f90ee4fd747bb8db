package aar

import (
	"strings"
	"testing"

	"github.com/wikinav/wikinav/schemas"
)

func TestAReportIsToldInACard(t *testing.T) {
	r := Report{
		Profile: "strict",
		Groups: []ReportGroup{{
			Variant: "dag", Level: "easy", Requested: 50, Made: 49, Attempts: 160,
			Means: MeansOf("dag", "easy", []schemas.AARLegRow{{Stops: 9, ToolStops: 4, ReasonStops: 1, Diamonds: 1, Words: 190}}),
		}},
		Baselines: []ReportPlayer{
			{Player: "paste", Variant: "dag", Level: "easy", FA: "0.5000"},
			{Player: "paste", Variant: "all", Level: "all", FA: "0.1300", PVR: "0.2000", PVRSeedless: "0.0100", RCR: "0.9600"},
		},
		Uses: ReportUses{
			Templates: map[string]int{"country_area": 0, "geocode_elevation": 3}, Facts: map[string]int{"width": 0},
		},
	}
	text := r.Text()
	for _, want := range []string{
		"| dag | easy | 49 | 50 | 160 | 9.0 | 8.9 | 4.0 | 4.2 | 1.0 | 1.0 | 190.0 |", // 8.3 and 3.6, and 0.2 diamonds more
		"Templates that do not occur: country_area.", "Kinds of facts that do not occur: width.",
		"| paste | 0.1300 | 0.2000 | 0.0100 | 0.9600 |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s\nlacks %s", text, want)
		}
	}
	if strings.Contains(text, "0.5000") || strings.Contains(text, "geocode_elevation") {
		t.Errorf("%s\nsays too much", text)
	}
}
