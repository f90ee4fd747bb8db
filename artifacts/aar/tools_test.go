package aar

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/wikinav/wikinav/schemas"
)

// boundary is a point of which the great-circle distance from 0,0 is 25,000 m to the millimetre; one millionth of
// a degree further east is beyond.
var boundary = func() point {
	for lat := int64(0); lat < 220_000; lat++ {
		lng := int64(math.Sqrt(224_830.1*224_830.1 - float64(lat*lat)))
		for _, p := range []point{{lat, lng}, {lat, lng + 1}} {
			if lat > 0 && metres(point{}, p) == 25_000 {
				return p
			}
		}
	}
	panic("no point at 25,000 m")
}()

// row is a line of an infobox.
func infoboxOf(name string, rows ...string) string {
	return "\n| Infobox | " + name + " |\n| --- | --- |\n" + strings.Join(rows, "\n") + "\n\nText."
}

func coordinatesRow(p point) string {
	return fmt.Sprintf("| Coordinates | %.6f°N %.6f°E |", float64(p.lat)/1e6, float64(p.lng)/1e6)
}

// toolWorld has a town at 0,0 with museums around it, two pages at one point, and countries.
func toolWorld() *World { return NewWorld(toolSite, toolPages(), worldAliases) }

var (
	toolSite     = SiteOf(schemas.Snapshot{Base: "https://demo.invalid/wiki/Main_Page", Date: "20260101", Language: "en"})
	worldAliases = []Alias{{"Capital", 1}, {"Both", 1}, {"Both", 2}, {"Inland", 20}}
)

func toolPages() []schemas.Text {
	page := func(id uint32, title, short, text string) schemas.Text {
		return schemas.Text{PageID: id, Title: title, ShortDescription: short, Text: "# " + title + "\n" + text}
	}
	museum := func(p point, more ...string) string {
		return infoboxOf("museum", append([]string{coordinatesRow(p)}, more...)...)
	}
	long := page(40, "Long", "", strings.Repeat("é", schemas.TextLimit-7))
	long.Truncated = true
	return []schemas.Text{
		page(1, "Town", "Town in Land", infoboxOf("settlement", coordinatesRow(point{}), "| Established date | 12 December 1718 |",
			"| Population total | 2,385 |", "| Elevation (m) | 893 |")),
		page(2, "Edge Museum", "", museum(boundary, "| Elevation (m) | 12.50 |")),
		page(3, "Beyond Museum", "", museum(point{boundary.lat, boundary.lng + 1})),
		page(4, "West Museum", "", museum(point{0, 1000})),
		page(5, "Mirror Museum", "", museum(point{1000, 0})),
		page(6, "Near Museum", "", museum(point{0, 500})),
		page(7, "Twin One", "", infoboxOf("settlement", coordinatesRow(point{5_000_000, 5_000_000}), "| Elevation (m) | 7 |")),
		page(8, "Twin Two", "", infoboxOf("mountain", coordinatesRow(point{5_000_000, 5_000_000}), "| Elevation (m) | 7 |")),
		page(9, "Peak", "", infoboxOf("mountain", coordinatesRow(point{30_000_000, 179_900_000}), "| Elevation (m) | 4,000 |")),
		page(10, "Far Village", "", infoboxOf("village", coordinatesRow(point{30_000_000, 179_999_999}))),
		page(20, "Land", "Country of towns", infoboxOf("country", "| Capital | [Town](/wiki/Town) |", "| Population census | 12,345 |", "| Area (km²) | 154.0 |")),
		page(21, "Bare Land", "", infoboxOf("country", "| Capital | [Town](/wiki/Town) |")),
		page(30, "Nowhere", "", "No place."),
		long,
	}
}

func call(t *Tools, name, args string) Answer {
	return t.Call(context.Background(), name, []byte(args))
}

const town = `{"location":{"lat":0.0,"lng":0.0},"formatted_address":"Town","place_id":"wiki:1"}`

func TestToolsAnswerFromTheWorld(t *testing.T) {
	tools := &Tools{World: toolWorld()}
	for _, c := range []struct{ tool, args, want string }{
		{"fetch_webpage", `{"url":"/wiki/Nowhere"}`, "# Nowhere\nNo place."},
		{"fetch_webpage", `{"url":"http://demo.m.invalid/wiki/nowhere?a=b#c","raw_html":false}`, "# Nowhere\nNo place."},
		{"fetch_webpage", `{"url":"https://elsewhere.invalid/wiki/Nowhere"}`, Outside},
		{"fetch_webpage", `{"url":"/wiki/Nowhere","raw_html":true}`, Unsupported},
		{"serper_google_search", `{"query":"towns"}`, `{"organic":[{"title":"Land","link":"https://demo.invalid/wiki/Land","snippet":"Country of towns","position":1}]}`},
		{"web_search", `{"query":"museum","num_results":1,"gl":"us"}`, `{"organic":[{"title":"Beyond Museum","link":"https://demo.invalid/wiki/Beyond_Museum","snippet":"","position":1}]}`},
		{"serper_search", `{"query":"zzz"}`, `{"organic":[]}`},
		{"maps_geocode", `{"address":"Town"}`, town},
		{"maps_geocode", `{"address":"capital"}`, town},
		{"maps_geocode", `{"address":"Both"}`, Ambiguous},
		{"maps_geocode", `{"address":"Nowhere"}`, NotFound},
		{"maps_geocode", `{"address":"Atlantis"}`, NotFound},
		{"maps_reverse_geocode", `{"latitude":0.5,"longitude":0}`, `{"formatted_address":"Town","place_id":"wiki:1","address_components":null}`},
		{"maps_reverse_geocode", `{"latitude":0.9,"longitude":0}`, NotFound},
		{"maps_reverse_geocode", `{"latitude":30,"longitude":-179.9}`, `{"formatted_address":"Far Village","place_id":"wiki:10","address_components":null}`},
		{"maps_reverse_geocode", `{"latitude":90.1,"longitude":0}`, BadArguments},
		{"maps_search_places", `{"query":"coffee"}`, NotFound},
		{"maps_search_places", `{"query":"museums"}`, NotFound},
		{"maps_search_places", `{"query":"museums near Atlantis"}`, NotFound},
		{"maps_search_places", `{"query":"museums near Both"}`, Ambiguous},
		{"maps_search_places", `{"query":"hotels near Town"}`, `{"places":[]}`},
		{"maps_search_places", `{"query":"museums near Town","radius":-1}`, BadArguments},
		{"maps_place_details", `{"place_id":"wiki:1"}`, `{"name":"Town","formatted_address":"Town","location":{"lat":0.0,"lng":0.0},"place_id":"wiki:1","types":["settlement"],"url":"https://demo.invalid/wiki/Town"}`},
		{"maps_place_details", `{"place_id":"wiki:20"}`, `{"name":"Land","formatted_address":"Land","location":null,"place_id":"wiki:20","types":["country"],"url":"https://demo.invalid/wiki/Land"}`},
		{"maps_place_details", `{"place_id":"wiki:01"}`, NotFound},
		{"maps_place_details", `{"place_id":"wiki:30"}`, NotFound},
		{"maps_place_details", `{"place_id":"1"}`, NotFound},
		{"maps_distance_matrix", `{"origins":["Town","0,0"],"destinations":["0, 1.0"]}`, `{"origin_addresses":["Town","0.0,0.0"],"destination_addresses":["0.0,1.0"],"mode":"great_circle","results":[{"elements":[{"status":"OK","duration":null,"distance":{"value":111195,"text":"111.2 km"}}]},{"elements":[{"status":"OK","duration":null,"distance":{"value":111195,"text":"111.2 km"}}]}]}`},
		{"maps_distance_matrix", `{"origins":["Both"],"destinations":["Town"]}`, Ambiguous},
		{"maps_distance_matrix", `{"origins":["Town"],"destinations":["Land"]}`, NotFound},
		{"maps_distance_matrix", `{"origins":["91,0"],"destinations":["Town"]}`, BadArguments},
		{"maps_distance_matrix", `{"origins":[],"destinations":["Town"]}`, BadArguments},
		{"maps_distance_matrix", `{"origins":["Town"],"destinations":["Town"],"mode":"flying"}`, BadArguments},
		{"maps_elevation", `{"locations":[{"latitude":0,"longitude":0}]}`, `{"results":[{"elevation":893,"location":{"lat":0.0,"lng":0.0},"resolution":null}]}`},
		{"maps_elevation", `{"locations":[{"latitude":30.0000001,"longitude":179.9}]}`, `{"results":[{"elevation":4000,"location":{"lat":30.0,"lng":179.9},"resolution":null}]}`},
		{"maps_elevation", `{"locations":[{"latitude":5,"longitude":5}]}`, Ambiguous},
		{"maps_elevation", `{"locations":[{"latitude":0,"longitude":0.0005}]}`, NotFound},
		{"maps_elevation", `{"locations":[]}`, BadArguments},
		{"countries_population", `{"country":"Land"}`, `{"country":"Land","population":12345}`},
		{"countries_population", `{"country":"inland"}`, `{"country":"Land","population":12345}`},
		{"countries_population", `{"country":"Bare Land"}`, NotFound},
		{"countries_population", `{"country":"Town"}`, NotFound},
		{"countries_area", `{"country":"Land"}`, `{"country":"Land","area_km2":154.0}`},
		{"countries_area", `{"country":"Bare Land"}`, NotFound},
		{"maps_directions", `{"origin":"a","destination":"b"}`, NotOffered},
		{"python_execute_code", `{"code":"print(1)"}`, NotOffered},
		{"no_such_tool", `{}`, NotOffered},
		{"fetch_webpage", `{}`, BadArguments},
		{"fetch_webpage", `["/wiki/Town"]`, BadArguments},
		{"fetch_webpage", `{"url":1}`, BadArguments},
		{"fetch_webpage", `{"url":"a","url":"b"}`, BadArguments},
		{"fetch_webpage", ``, BadArguments},
		{"fetch_webpage", `{"url":"/wiki/Town"} x`, BadArguments},
		{"web_search", `{"query":"a","num_results":11}`, BadArguments},
		{"web_search", `{"query":"a","num_results":1.5}`, BadArguments},
		{"web_search", `{"query":"a","sections":[1]}`, BadArguments},
		{"maps_elevation", `{"locations":[{"latitude":0}]}`, BadArguments},
		{"maps_reverse_geocode", `{"latitude":1e999,"longitude":0}`, BadArguments},
	} {
		got := call(tools, c.tool, c.args)
		if got.Code != "" {
			if got.Code != c.want || !strings.HasPrefix(got.Output, `{"error":{"code":"`+c.want+`","message":"`) {
				t.Errorf("%s %s: got %s, want %s", c.tool, c.args, got.Output, c.want)
			}
		} else if got.Output != c.want || got.Source != SourceNative {
			t.Errorf("%s %s: got %s (%s), want %s", c.tool, c.args, got.Output, got.Source, c.want)
		}
	}
}

// names lists the places of an answer.
func names(t *testing.T, a Answer) (list []string) {
	var out struct{ Places []struct{ Name string } }
	if err := json.Unmarshal([]byte(a.Output), &out); err != nil {
		t.Fatalf("%s: %v", a.Output, err)
	}
	for _, p := range out.Places {
		list = append(list, strings.TrimSuffix(p.Name, " Museum"))
	}
	return list
}

func TestPlacesAreListedByDistanceUpTo25000Metres(t *testing.T) {
	tools := &Tools{World: toolWorld()}
	for args, want := range map[string]string{
		`{"query":"museums near Town"}`:                                                "Near West Mirror Edge",
		`{"query":" Museums near  capital "}`:                                          "Near West Mirror Edge",
		`{"query":"museums near Near Museum"}`:                                         "West Mirror Edge Beyond", // itself left out; both are nearer to it
		`{"query":"museums","location":{"latitude":0,"longitude":0}}`:                  "Near West Mirror Edge",
		`{"query":"museums","location":{"latitude":0,"longitude":0},"radius":25000.2}`: "Near West Mirror Edge Beyond",
		`{"query":"museums","location":{"latitude":0,"longitude":0},"radius":111}`:     "Near",
		`{"query":"museums","location":{"latitude":0,"longitude":0},"radius":1e300}`:   "Near West Mirror Edge Beyond",
		`{"query":"museums","location":{"latitude":0,"longitude":0},"radius":0}`:       "",
		`{"query":"museums","location":{"latitude":0,"longitude":0.0005},"radius":0}`:  "Near",
	} {
		if got := strings.Join(names(t, call(tools, "maps_search_places", args)), " "); got != want {
			t.Errorf("%s: got %q, want %q", args, got, want)
		}
	}
}

// TestDistancesAreThoseOfTheFormula compares with figures computed apart, in Python.
func TestDistancesAreThoseOfTheFormula(t *testing.T) {
	for _, c := range []struct {
		a, b point
		want float64
	}{
		{point{48_856_613, 2_352_222}, point{51_507_351, -127_758}, 343549.925},
		{point{0, 179_500_000}, point{0, -179_500_000}, 111195.080},
		{point{90_000_000, 0}, point{-90_000_000, 0}, 20015114.442},
		{point{}, point{}, 0},
	} {
		if got := metres(c.a, c.b); got != c.want || metres(c.b, c.a) != got {
			t.Errorf("%v to %v: got %.3f, want %.3f", c.a, c.b, got, c.want)
		}
	}
}

func TestOutputsAreCutOnce(t *testing.T) {
	tools := &Tools{World: toolWorld()}
	for limit, chars := range map[int]int{0: schemas.TextLimit, 9000: schemas.TextLimit, 100: 100, 7999: 7999} {
		tools.Max = limit
		out := call(tools, "fetch_webpage", `{"url":"/wiki/Long"}`).Output
		body, cut := strings.CutSuffix(out, "\n...[truncated]")
		if got := utf8.RuneCountInString(body); !cut || got != chars || strings.Contains(body, "truncated") {
			t.Errorf("limit %d: %d characters, cut %t", limit, got, cut)
		}
	}
	if got := Cut("éé", 2) + Cut("ééé", 2) + Cut("", 0); got != "ééé"[:4]+"éé\n...[truncated]" {
		t.Errorf("got %q", got)
	}
}

func TestOfferedToolsDependOnWhatAnswersThem(t *testing.T) {
	for _, c := range []struct {
		tools *Tools
		want  int
	}{
		{&Tools{}, 10},
		{&Tools{Cassette: NewCassette()}, 18},
		{&Tools{Cassette: NewCassette(), Python: noPython}, 19},
		{&Tools{Python: noPython}, 11},
	} {
		if got := len(c.tools.Offered()); got != c.want {
			t.Errorf("%d tools are offered, want %d", got, c.want)
		}
	}
	for name := range natives {
		if s, ok := FindSpec(name); !ok || !strings.HasPrefix(s.Offline, "native") {
			t.Errorf("the table does not call %s native", name)
		}
	}
	if n := len(slices.DeleteFunc(slices.Clone(Specs()),
		func(s Spec) bool { return !strings.HasPrefix(s.Offline, "native") })); n != len(natives) {
		t.Errorf("the table calls %d tools native, %d are", n, len(natives))
	}
}

func FuzzCallsNeverPanic(f *testing.F) {
	tools := &Tools{World: toolWorld(), Cassette: NewCassette()}
	for _, args := range []string{
		`{"url":"/wiki/%ff%"}`, `{"query":"museums near Town","location":{"latitude":1e308},"radius":5}`,
		`{"origins":["1e400,nan","+,-"],"destinations":["Town"]}`, `{"locations":[{"latitude":-90,"longitude":-180.0}]}`,
		`{"place_id":"wiki:99999999999"}`, `{"country":"\ud800"}`, `{"a":` + strings.Repeat("[", 100), `{"query":"` + "\u2028<&" + `"}`,
		`{"latitude":90,"longitude":180}`, `{"address":"Town"}`, `{"url":"\u0000"}`,
	} {
		for i := range Specs() {
			f.Add(uint8(i), args)
		}
	}
	f.Fuzz(func(t *testing.T, tool uint8, args string) {
		name := Specs()[int(tool)%len(Specs())].Name
		a := call(tools, name, args)
		if b := call(tools, name, args); a != b {
			t.Fatalf("%s %q: two answers, %v and %v", name, args, a, b)
		}
		if !utf8.ValidString(a.Output) || utf8.RuneCountInString(a.Output) > schemas.TextLimit+len(truncatedMark) {
			t.Fatalf("%s %q: %q", name, args, a.Output)
		}
		if name != "fetch_webpage" && !json.Valid([]byte(a.Output)) && !strings.HasSuffix(a.Output, truncatedMark) {
			t.Fatalf("%s %q: no JSON: %s", name, args, a.Output)
		}
	})
}
