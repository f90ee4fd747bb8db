// Package aartest makes the files of the family in a release out of a small world and two kinds of
// legs. It is imported by tests only.
package aartest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/aar/reader"
	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/release/releasetest"
	"github.com/wikinav/wikinav/schemas"
)

// Museums is how many there are near the town: a list of them is longer than an output may be.
const Museums = 80

var site = aar.SiteOf(schemas.Snapshot{Base: "https://demo.invalid/wiki/Main_Page", Date: "20260101", Language: "en"})

func pages() (list []schemas.Text) {
	add := func(title, says, infobox string, rows ...string) {
		text := "# " + title + "\n" + says + "\n\n| Infobox | " + infobox + " |\n| --- | --- |"
		for _, row := range rows {
			text += "\n| " + row + " |"
		}
		list = append(list, schemas.Text{
			PageID: uint32(len(list) + 1), Title: title, ShortDescription: says, Text: text,
			Chars: uint32(utf8.RuneCountInString(text)),
		})
	}
	add("Town", "A town", "settlement", "Coordinates | 1.0°N 2.0°E", "Established date | 12 December 1718", "Elevation (m) | 893")
	add("Mill", "A mill", "museum", "Coordinates | 3.0°N 2.0°E", "Elevation (m) | 12.50")
	add("Land", "A country", "country", "Capital | [Town](/wiki/Town)", "Population census | 12,345", "Area (km²) | 154.0")
	for i := range Museums {
		add(fmt.Sprint("Museum ", i), "A museum", "museum", fmt.Sprintf("Coordinates | 1.%04d°N 2.0°E", i+1))
	}
	return list
}

// World returns the world in memory, shared.
var World = sync.OnceValue(func() *aar.World { return aar.NewWorld(site, pages(), nil) })

// Leg is a golden leg of the world, of seven stops; one of the variant dag has a diamond, and so
// eight.
func Leg(variant, sample string) *schemas.AARLeg {
	m := &maker{tools: &aar.Tools{World: World()}, leg: &schemas.AARLeg{
		TrailID: "trail_" + digest.SHA256([]byte(variant + sample))[:8], SeedURL: site.URLOf("Town"), SeedTitle: "Town",
		Metadata:    schemas.AARMetadata{Theme: "Town", Difficulty: "easy", SampleID: sample, PagesCrawled: 1},
		GeneratedAt: "2026-01-01T00:00:00.000000+00:00",
	}, dag: variant == "dag"}
	m.page("Town", "the year when it was set up", "1718", "Start on the page whose address you were given.")
	m.tool("893", "How high above the sea, in metres, does the place of clue 1 lie?",
		call("maps_geocode", `{"address":"Town"}`, "coords"),
		call("maps_elevation", `{"__from_previous_as_locations":"coords"}`, "elevation"))
	m.tool(strconv.Itoa(Museums), "How many museums stand near the place of clue 1, by the map search?",
		call("maps_search_places", `{"query":"museums near Town"}`, "poi_count"))
	if m.dag {
		m.tool(strconv.Itoa(893+Museums), "Add the whole parts of the answers of clues 2 and 3.",
			call("python_execute_code", python(fmt.Sprintf("int(893) + int(%d)", Museums)), "merged"))
	}
	m.page("Mill", "its height above the sea, in metres", "12.50", "From the page of clue 1, take the link to a house of wheels.")
	m.page("Land", "the size of its territory, in square kilometres", "154.0",
		fmt.Sprintf("From the page of clue %d, take the link to a realm.", len(m.leg.Stops)))
	of := len(m.leg.Stops)
	m.tool("12345", fmt.Sprintf("How many people live in the country that clue %d leads to, by the country tables?", of),
		call("countries_population", `{"country":"Land"}`, "population"))
	last := m.stop(schemas.AARCompute, strconv.Itoa((1718+12345)%10),
		fmt.Sprintf("Add the answers of clues 1 and %d; the last digit of the sum is the code.", of+1))
	expression, code := "(1718 + 12345) % 10", "result = (1718 + 12345) % 10\nprint(result)"
	last.Bridge.Expression, last.Bridge.ExpressionCode, last.Bridge.ReferencedStops = &expression, &code, []int{0, of}
	return m.finish()
}

func python(expression string) string {
	code, _ := json.Marshal(map[string]string{"code": "result = " + expression + "\nprint(result)"}) // of texts
	return string(code)
}

func call(tool, args, key string) schemas.AARCall {
	return schemas.AARCall{ToolName: tool, Arguments: schemas.AARValue(args), OutputKey: key}
}

type maker struct {
	tools *aar.Tools
	leg   *schemas.AARLeg
	dag   bool
}

// stop adds a stop, of the page of the stop before, with its clue.
func (m *maker) stop(typ, value, clue string) *schemas.AARStop {
	s := schemas.AARStop{
		Index: len(m.leg.Stops), Type: typ, ExtractedValue: schemas.AARValue(value), ExtractedValueType: "number",
		Bridge: schemas.AARBridge{Type: "compute", ToolChain: []schemas.AARCall{}, ReferencedStops: []int{}},
	}
	m.leg.Riddle += fmt.Sprintf("%d. %s\n\n", s.Index+1, clue)
	if typ == schemas.AARTool {
		s.PageURL = m.leg.Stops[s.Index-1].PageURL
	}
	m.leg.Stops = append(m.leg.Stops, s)
	return &m.leg.Stops[s.Index]
}

func (m *maker) page(title, target, value, way string) {
	url, infobox := site.URLOf(title), "infobox"
	s := m.stop(schemas.AARPage, value, way+" Note "+target+".")
	s.PageURL, s.ExtractionTarget, s.ExtractionSection, s.Bridge.Type, s.Bridge.TargetURL = &url, target, &infobox, "link_follow", &url
	for i := s.Index - 1; i >= 0; i-- { // the page before leads here
		if before := &m.leg.Stops[i]; before.Type == schemas.AARPage {
			before.Bridge.TargetURL = &url
			break
		}
	}
}

func (m *maker) tool(value, clue string, chain ...schemas.AARCall) {
	outputs := map[string]json.RawMessage{}
	for i, c := range chain {
		args, _ := aar.ChainArgs(c.Arguments, outputs) // of ours
		data, _ := json.Marshal(args)
		out := aar.ResponseOf([]byte(m.tools.Whole(context.Background(), c.ToolName, data).Output))
		if c.ToolName == "python_execute_code" {
			out = schemas.AARValue(`{"stdout":"` + value + `\n","stderr":"","exit_code":0}`)
		}
		chain[i].ExpectedOutput, outputs[c.OutputKey] = out, json.RawMessage(out)
	}
	s := m.stop(schemas.AARTool, value, clue)
	s.Bridge.Type, s.Bridge.ToolChain = "tool_call", chain
}

// finish fills in what follows from the stops.
func (m *maker) finish() *schemas.AARLeg {
	l := m.leg
	l.Passcode, l.Riddle = (1718+12345)%10, strings.TrimSuffix(l.Riddle, "\n\n")
	l.Difficulty = schemas.AARDifficulty{
		Level: "easy", Depth: len(l.Stops), ExtractionDifficulty: "infobox", BridgeObscurity: "direct_link",
	}
	for i := range l.Stops {
		if l.Stops[i].Type == schemas.AARTool {
			l.Difficulty.ToolStopCount++
		}
		if m.dag {
			l.Stops[i].DependsOn = append([]int{}, aar.WantDependsOn(l, i)...)
		}
	}
	return l
}

// Splits are those of Folder, with three legs each.
var Splits = []string{"linear-easy", "dag-easy"}

// Seed is that of the player random in the report of Folder.
const Seed = 42

// Folder is the files of the family in a release.
func Folder(t testing.TB) *releasetest.Folder {
	t.Helper()
	f, w := releasetest.NewFolder(t), World()
	write := func(name string, s schemas.Table, metadata map[string]string, rows func(row func(...any))) {
		f.Write(name, func(out io.Writer) (arrowio.Summary, error) {
			to, err := arrowio.NewWriter(out, s, arrowio.Options{Metadata: metadata})
			if err != nil {
				return arrowio.Summary{}, err
			}
			rows(func(values ...any) {
				if err := to.Row(values...); err != nil {
					t.Fatal(err)
				}
			})
			return to.Close()
		})
	}
	write(aar.TextsFile, schemas.TextsTable, site.Metadata(), func(row func(...any)) {
		for _, p := range pages() {
			row(p.PageID, p.Title, p.ShortDescription, p.Text, p.Chars, p.Truncated)
		}
	})
	write(aar.AliasesFile, schemas.AARAliasesTable, nil, func(func(...any)) {})
	write(aar.PlacesFile, schemas.AARPlacesTable, nil, func(row func(...any)) {
		for i, p := range w.Places() {
			row(w.ID(i), p.Located, p.Lat, p.Lng, p.Elevation, p.Kind, p.Country, p.Settlement, p.Population, p.Area)
		}
	})
	write(aar.IndexFile, schemas.AARIndexTable, nil, func(row func(...any)) {
		for _, p := range aar.IndexOf(w) {
			row(p.Token, p.Docs, p.Count)
		}
	})
	var rows []schemas.AARLegRow
	var quotas []schemas.Quota
	var legs []aar.File
	report := aar.Report{Schema: aar.ReportSchema, Profile: "strict"}
	for _, variant := range schemas.AARVariants {
		var lines []byte
		for _, sample := range []string{"sample_001", "sample_003", "sample_007"} {
			l := Leg(variant, sample)
			lines = append(append(lines, aar.EncodeLine(l)...), '\n')
			rows = append(rows, aar.RowOf(variant, l, 1))
			legs = append(legs, aar.File{Variant: variant, Level: "easy", Leg: l})
		}
		name := aar.LegsFile(variant, "easy")
		f.Text(name, lines, 3)
		quotas = append(quotas, schemas.Quota{Of: strings.TrimSuffix(name, ".jsonl"), Requested: 3, Got: 3, Status: schemas.StatusOK})
		report.Groups = append(report.Groups, aar.ReportGroup{
			Variant: variant, Level: "easy", Requested: 3, Made: 3, Attempts: 3,
			Failed: map[string]int{}, Means: aar.MeansOf(variant, "easy", rows[len(rows)-3:]),
		})
	}
	survey, err := aar.SurveyOf(t.Context(), w, 1)
	if err != nil {
		t.Fatal(err)
	}
	report.Follow(w, legs, survey.Kinds)
	report.Baselines, err = reader.Baselines(t.Context(), reader.Over(&aar.Tools{World: w}), Seed,
		legs, 1, func() {})
	if err != nil {
		t.Fatal(err)
	}
	f.Document(aar.ReportFile, report)
	f.Write(aar.LegsTable, func(out io.Writer) (arrowio.Summary, error) { return aar.LegRows.WriteParquet(out, rows) })
	f.Quotas(quotas)
	return f
}
