package release_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/aar/reader"
	"github.com/wikinav/wikinav/artifacts/arrowio"
	. "github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/artifacts/release/releasetest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	race "github.com/wikinav/wikinav/stages/aar"
)

const legsName = "legs-linear-easy.jsonl"

// legOf is a golden leg of the world of newTexts: a page, a transform, another page, its elevation
// by the tools, its distance from the first, and the finish.
func legOf(t *testing.T, w *aar.World, n int) *schemas.AARLeg {
	t.Helper()
	source := "strict"
	l := &schemas.AARLeg{
		TrailID: fmt.Sprintf("trail_%08x", n), SeedURL: w.URL(0), SeedTitle: w.Title(0), Stops: []schemas.AARStop{},
		Difficulty:  schemas.AARDifficulty{Level: "easy", Depth: 6, ToolStopCount: 2, ReasonStopCount: 1, ExtractionDifficulty: "infobox", BridgeObscurity: "direct_link"},
		Metadata:    schemas.AARMetadata{Theme: "Route from " + w.Title(0), Difficulty: "easy", SampleID: fmt.Sprintf("sample_%03d", n), PagesCrawled: 2, Source: &source},
		GeneratedAt: "2026-01-01T00:00:00.000000+00:00",
		Riddle: "1. Start on the page whose address you were given. Note the number of people who live there.\n\n" +
			"2. What is the sum of the digits of the answer of clue 1?\n\n" +
			"3. From the page of clue 1, take the link to a town by the sea. Write down its height above the sea, in metres.\n\n" +
			"4. How high above the sea, in metres, does the place of clue 3 lie?\n\n" +
			"5. How many kilometres, as the crow flies, separate the places of clues 1 and 3?\n\n" +
			"6. Add the answers of clues 2 and 4; the last digit of the sum is the code.",
	}
	add := func(typ, url, target, value, bridge string) *schemas.AARStop {
		s := schemas.AARStop{
			Index: len(l.Stops), Type: typ, ExtractionTarget: target, ExtractedValue: schemas.AARValue(value), ExtractedValueType: "number",
			Bridge: schemas.AARBridge{Type: bridge, ToolChain: []schemas.AARCall{}, ReferencedStops: []int{}},
		}
		if url != "" {
			s.PageURL = &url
		}
		l.Stops = append(l.Stops, s)
		return &l.Stops[s.Index]
	}
	infobox := "infobox"
	one := add("page", w.URL(0), "the number of people who live there", "2385", "link_follow")
	second := w.URL(1)
	one.Bridge.TargetURL, one.ExtractionSection = &second, &infobox
	transform, from, code := "digit_sum", 0, "result = 18\nprint(result)"
	r := add("reason", w.URL(0), "Reason: digit_sum", "18", "compute")
	r.ReasonTransform, r.ReasonSourceStop, r.ReasonCode = &transform, &from, &code
	two := add("page", w.URL(1), "its height above the sea, in metres", "893", "link_follow")
	two.Bridge.TargetURL, two.ExtractionSection = &second, &infobox
	geocode := func(i int, key string) schemas.AARCall {
		args, err := json.Marshal(map[string]string{"address": w.Title(i)})
		must(t, err)
		return schemas.AARCall{ToolName: "maps_geocode", Arguments: args, OutputKey: key}
	}
	chain := func(s *schemas.AARStop, calls ...schemas.AARCall) {
		tools, outputs := &aar.Tools{World: w}, map[string]json.RawMessage{}
		for _, c := range calls {
			args, err := aar.ChainArgs(c.Arguments, outputs)
			must(t, err)
			data, err := json.Marshal(args)
			must(t, err)
			c.ExpectedOutput = aar.ResponseOf([]byte(tools.Whole(context.Background(), c.ToolName, data).Output))
			outputs[c.OutputKey] = json.RawMessage(c.ExpectedOutput)
			s.ExtractedValue, err = aar.ChainValue(c, args, c.ExpectedOutput)
			must(t, err)
			s.Bridge.ToolChain = append(s.Bridge.ToolChain, c)
		}
	}
	chain(add("tool", second, "Look up the elevation at "+w.Title(1), "", "tool_call"), geocode(1, "coords"),
		schemas.AARCall{ToolName: "maps_elevation", Arguments: schemas.AARValue(`{"__from_previous_as_locations":"coords"}`), OutputKey: "elevation"})
	chain(add("tool", second, "Look up the distance", "", "tool_call"), geocode(0, "coords_a"), geocode(1, "coords_b"),
		schemas.AARCall{ToolName: "maps_distance_matrix", Arguments: schemas.AARValue(`{"__from_previous_as_origins_destinations":["coords_a","coords_b"]}`), OutputKey: "distance_km"})
	expression, finish := "(18 + 893) % 10", "result = (18 + 893) % 10\nprint(result)"
	last := add("compute", "", "Compute: "+expression, "1", "compute")
	last.Bridge.Expression, last.Bridge.ExpressionCode, last.Bridge.ReferencedStops = &expression, &finish, []int{1, 3}
	l.Passcode = 1
	return l
}

// newLegs is a release of texts with two legs.
func newLegs(t *testing.T) (dir string, legs []*schemas.AARLeg) {
	t.Helper()
	b := newTexts(t, true)
	files := b.in.More[0].Files
	w, err := aar.OpenWorld(files)
	must(t, err)
	defer w.Close()
	var text bytes.Buffer
	var rows []schemas.AARLegRow
	for n := 1; n <= 2; n++ {
		legs = append(legs, legOf(t, w, n))
		text.Write(append(aar.EncodeLine(legs[n-1]), '\n'))
		rows = append(rows, aar.RowOf("linear", legs[n-1], n))
	}
	f := releasetest.NewFolder(t)
	f.Files = files // which it adds to
	f.Text(legsName, text.Bytes(), 2)
	f.Write(aar.LegsTable, func(w io.Writer) (arrowio.Summary, error) { return aar.LegRows.WriteParquet(w, rows) })
	f.Quotas([]schemas.Quota{{Of: "legs-linear-easy", Requested: 2, Got: 2, Status: schemas.StatusOK}})
	f.Document(aar.ReportFile, reportOf(t, w, legs, rows))
	return b.release(WriteOptions{}), legs
}

// reportOf is the report of two legs, of which one took a failed attempt.
func reportOf(t *testing.T, w *aar.World, legs []*schemas.AARLeg, rows []schemas.AARLegRow) aar.Report {
	t.Helper()
	r := aar.Report{Schema: aar.ReportSchema, Profile: "strict", Groups: []aar.ReportGroup{{
		Variant: "linear", Level: "easy", Requested: 2, Made: 2, Attempts: 3,
		Failed: map[string]int{"paste": 1}, Means: aar.MeansOf("linear", "easy", rows),
	}}}
	var files []aar.File
	for _, l := range legs {
		files = append(files, aar.File{Variant: "linear", Level: "easy", Leg: l})
	}
	survey, err := aar.SurveyOf(t.Context(), w, 1)
	must(t, err)
	r.Follow(w, files, survey.Kinds)
	r.Baselines, err = reader.Baselines(t.Context(), reader.Over(&aar.Tools{World: w}), race.Default().Seed, files, 1, func() {})
	must(t, err)
	return r
}

// TestVerifyCatchesAChangedReport changes one thing of the report, with all digests in line.
func TestVerifyCatchesAChangedReport(t *testing.T) {
	dir, _ := newLegs(t)
	player := func(r *aar.Report, name, variant string) *aar.ReportPlayer {
		return &r.Baselines[slices.IndexFunc(r.Baselines, func(p aar.ReportPlayer) bool { return p.Player == name && p.Variant == variant })]
	}
	for name, c := range map[string]struct {
		level  int
		change func(r *aar.Report)
	}{
		"profile":   {2, func(r *aar.Report) { r.Profile = "aar-2026" }},
		"requested": {2, func(r *aar.Report) { r.Groups[0].Requested = 3 }},
		"made":      {2, func(r *aar.Report) { r.Groups[0].Made, r.Groups[0].Attempts = 1, 2 }},
		"attempts":  {2, func(r *aar.Report) { r.Groups[0].Attempts = 2 }},
		"a reason":  {2, func(r *aar.Report) { r.Groups[0].Failed["route"] = 1 }},
		"a mean":    {2, func(r *aar.Report) { r.Groups[0].Means["stops"] = aar.ReportMean{Ours: "5.4000", Released: "5.4000"} }},
		"a released mean": {2, func(r *aar.Report) {
			m := r.Groups[0].Means["words"]
			m.Released = "99.0000"
			r.Groups[0].Means["words"] = m
		}},
		"a group":           {2, func(r *aar.Report) { r.Groups[0].Level = "hard" }},
		"no group":          {2, func(r *aar.Report) { r.Groups = []aar.ReportGroup{} }},
		"a group twice":     {2, func(r *aar.Report) { r.Groups = append(r.Groups, r.Groups[0]) }},
		"passcodes":         {2, func(r *aar.Report) { r.Passcodes[1], r.Passcodes[2] = 1, 1 }},
		"a flag":            {2, func(r *aar.Report) { r.Flags["twin"]++ }},
		"another flag":      {2, func(r *aar.Report) { r.Flags["title_leak"] = 2 }},
		"a template":        {2, func(r *aar.Report) { r.Uses.Templates["geocode_elevation"]-- }},
		"a kind of facts":   {2, func(r *aar.Report) { r.Uses.FactPages["elevation"]++ }},
		"a kind of places":  {2, func(r *aar.Report) { r.Uses.PlaceKinds["museum"]++ }},
		"legs of a player":  {2, func(r *aar.Report) { player(r, "paste", "all").Legs = 1 }},
		"fa of a player":    {3, func(r *aar.Report) { player(r, "last-clue", "linear").FA = "0.0001" }},
		"pvr":               {3, func(r *aar.Report) { player(r, "paste", "linear").PVR = "0.0100" }},
		"pvr without seed":  {3, func(r *aar.Report) { player(r, "paste", "linear").PVRSeedless = "0.0100" }},
		"rcr":               {3, func(r *aar.Report) { player(r, "no-fetch", "linear").RCR = "0.0100" }},
		"legs without tool": {3, func(r *aar.Report) { player(r, "golden", "linear").Nulls++ }},
		"what is known":     {3, func(r *aar.Report) { player(r, "no-fetch", "linear").AllKnown++ }},
		"a row less":        {3, func(r *aar.Report) { r.Baselines = r.Baselines[1:] }},
		"a name":            {3, func(r *aar.Report) { player(r, "random", "linear").Player = "chance" }},
	} {
		copied := copyTree(t, dir)
		edit(t, copied, "aar/"+aar.ReportFile, func(data []byte) []byte {
			var r aar.Report
			must(t, canon.Decode(data, canon.MaxManifest, &r))
			c.change(&r)
			return canon.MustMarshal(r)
		})
		reseal(t, copied, func(m *Manifest) { // the card has the sizes of folders
			releasetest.Redescribe(t, copied, m, m, artifacts.All, "README.md")
		})
		for level := 2; level <= 3; level++ {
			report, err := verify(t.Context(), copied, VerifyOptions{Level: level})
			must(t, err)
			found := slices.ContainsFunc(report.Failed, func(f Finding) bool { return f.Path == "aar/"+aar.ReportFile })
			if found != (level >= c.level) {
				t.Errorf("%s: at level %d found is %t: %+v", name, level, found, report.Failed)
			}
		}
	}
}

func TestAReleaseWithLegsIsClean(t *testing.T) {
	dir, _ := newLegs(t)
	wantClean(t, dir, VerifyOptions{})
	if card := tree(t, dir)["README.md"]; !strings.Contains(card, "| linear | easy | 2 | 2 | 3 | 6.0 | 5.4 |") ||
		!strings.Contains(card, "| reader | ") || !strings.Contains(card, "`dep_cone_pages`") {
		t.Errorf("the card lacks the legs")
	}
	report, err := verify(t.Context(), dir, VerifyOptions{Level: 3})
	must(t, err)
	ofLegs := func(f Finding) bool { return strings.HasPrefix(f.Path, "aar/") }
	played := func(s string) bool { return strings.Contains(s, "6 baselines at 2 legs, played again") }
	if slices.ContainsFunc(report.Failed, ofLegs) || !slices.ContainsFunc(report.Covered, played) {
		t.Errorf("level 3 found %+v and covered %q", report.Failed, report.Covered)
	}
	tables, err := aar.Part.Tables(open(t, dir).Part(aar.Part))
	must(t, err)
	rows := 0
	must(t, tables[0].Each(func(values []any) error {
		if rows++; len(values) != len(tables[0].Columns) || values[0] != fmt.Sprintf("aar-linear-easy-%03d", rows) {
			t.Errorf("got row %v", values)
		}
		return nil
	}))
	if rows != 2 {
		t.Errorf("the catalog has %d legs", rows)
	}
}

// TestVerifyCatchesAChangedLeg changes a leg, or its table, with all digests in line.
func TestVerifyCatchesAChangedLeg(t *testing.T) {
	dir, legs := newLegs(t)
	riddle := func(old, new string) func(l *schemas.AARLeg) {
		return func(l *schemas.AARLeg) { l.Riddle = strings.Replace(l.Riddle, old, new, 1) }
	}
	for name, change := range map[string]func(l *schemas.AARLeg){
		"passcode": func(l *schemas.AARLeg) { l.Passcode = 2 },
		"an expected output": func(l *schemas.AARLeg) {
			l.Stops[3].Bridge.ToolChain[1].ExpectedOutput = schemas.AARValue(`{"results":[]}`)
		},
		"no expected output":       func(l *schemas.AARLeg) { l.Stops[3].Bridge.ToolChain[1].ExpectedOutput = schemas.AARValue(`null`) },
		"a value of a page":        func(l *schemas.AARLeg) { l.Stops[2].ExtractedValue = schemas.AARValue("894") },
		"passcode with its value":  func(l *schemas.AARLeg) { l.Passcode, l.Stops[5].ExtractedValue = 2, schemas.AARValue("2") },
		"the number of a clue":     riddle("\n\n4.", "\n\n5."),
		"a clue that is missing":   riddle("\n\n6.", "\n\n"),
		"the number in a page's":   riddle("page of clue 1", "page of clue 2"),
		"the number in a reason's": riddle("answer of clue 1", "answer of clue 2"),
		"the number in a tool's":   riddle("place of clue 3", "place of clue 1"),
		"numbers in a distance's":  riddle("clues 1 and 3", "clues 1 and 2"),
		"numbers in the finish's":  riddle("clues 2 and 4", "clues 2 and 5"),
		"a wording":                riddle("What is the sum of the digits", "What is the sum"),
		"the expression":           riddle("a town by the sea", legs[0].Stops[5].ExtractionTarget[9:]),
		"a level":                  func(l *schemas.AARLeg) { l.Difficulty.Level = "hard" },
		"a trail that is another's": func(l *schemas.AARLeg) {
			l.TrailID = legs[0].TrailID
		},
		"a number that is another's": func(l *schemas.AARLeg) { l.Metadata.SampleID = "sample_001" },
		"a number below":             func(l *schemas.AARLeg) { l.Metadata.SampleID = "sample_000" },
		"a variant":                  func(l *schemas.AARLeg) { l.Stops[0].DependsOn = []int{} },
		"a bridge to another page":   func(l *schemas.AARLeg) { l.Stops[0].Bridge.TargetURL = l.Stops[0].PageURL },
		"a query of a link":          func(l *schemas.AARLeg) { l.Stops[0].Bridge.SearchQuery = &l.SeedTitle },
		"another seed":               func(l *schemas.AARLeg) { l.SeedURL = *l.Stops[2].PageURL },
		"an address of no page":      func(l *schemas.AARLeg) { u := "https://test.example/wiki/None"; l.Stops[2].PageURL = &u },
	} {
		second, err := aar.DecodeLine(aar.EncodeLine(legs[1]))
		must(t, err)
		change(second)
		wantLegFinding(t, dir, name, legsName, append(append(aar.EncodeLine(legs[0]), '\n'), append(aar.EncodeLine(second), '\n')...), "line 2")
	}
	for name, line := range map[string]string{
		"a blank":  strings.Replace(string(aar.EncodeLine(legs[1])), `,"seed_url"`, `, "seed_url"`, 1),
		"no leg":   "{}",
		"an extra": strings.Replace(string(aar.EncodeLine(legs[1])), `{"trail_id"`, `{"x":1,"trail_id"`, 1),
	} {
		wantLegFinding(t, dir, name, legsName, append(append(aar.EncodeLine(legs[0]), '\n'), line+"\n"...), "line 2")
	}
	for name, change := range map[string]func(r *schemas.AARLegRow){
		"words": func(r *schemas.AARLegRow) { r.Words++ }, "cone": func(r *schemas.AARLegRow) { r.DepConePages = 0 },
		"templates": func(r *schemas.AARLegRow) { r.Templates = nil }, "attempts": func(r *schemas.AARLegRow) { r.Attempts = 0 },
	} {
		rows := []schemas.AARLegRow{aar.RowOf("linear", legs[0], 1), aar.RowOf("linear", legs[1], 2)}
		change(&rows[1])
		var out bytes.Buffer
		_, err := aar.LegRows.WriteParquet(&out, rows)
		must(t, err)
		wantLegFinding(t, dir, name, aar.LegsTable, out.Bytes(), "row 1")
	}
}

// wantLegFinding verifies a copy of a release in which a file of the part is another.
func wantLegFinding(t *testing.T, dir, name, file string, data []byte, where string) {
	t.Helper()
	copied := copyTree(t, dir)
	edit(t, copied, "aar/"+file, func([]byte) []byte { return data })
	reseal(t, copied, nil)
	report, err := verify(t.Context(), copied, VerifyOptions{Level: 2})
	must(t, err)
	if !slices.ContainsFunc(report.Failed, func(f Finding) bool { return f.Path == "aar/"+file && f.Where == where }) {
		t.Errorf("%s: no finding about %s of %s, got %+v", name, where, file, report.Failed)
	}
}
