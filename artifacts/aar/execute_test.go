package aar

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/schemas"
)

// store is the facts behind a world, which a test changes one at a time.
type store map[string]string

var plainStore = store{
	"Town.established": "12 December 1718", "Town.elevation": "893", "Town.lat": "0.0", "Town.lng": "0.0",
	"Edge.elevation": "12.50", "Edge.lat": "0.1", "Edge.lng": "0.2", "Edge.country": "Land",
	"Land.census": "12345", "Land.area": "154.0", "Other.census": "777", "Other.area": "99.5",
	"M1.lat": "0.1", "M1.lng": "0.21", "M2.lat": "0.12", "M2.lng": "0.2", "M3.lat": "0.31", "M3.lng": "0.2",
	"Alone.height": "44",
}

func (s store) world() *World {
	var pages []schemas.Text
	page := func(title, infobox string, rows ...string) {
		id := uint32(len(pages) + 1)
		pages = append(pages, schemas.Text{PageID: id, Title: title, Text: "# " + title + "\n" + infoboxOf(infobox, rows...)})
	}
	at := func(name string) string {
		return "| Coordinates | " + s[name+".lat"] + "°N " + s[name+".lng"] + "°E |"
	}
	page("Town", "settlement", at("Town"), "| Established date | "+s["Town.established"]+" |", "| Elevation (m) | "+s["Town.elevation"]+" |")
	page("Edge", "museum", at("Edge"), "| Elevation (m) | "+s["Edge.elevation"]+" |", "| Country | "+s["Edge.country"]+" |")
	for _, name := range []string{"M1", "M2", "M3"} {
		page(name, "museum", at(name))
	}
	for _, name := range []string{"Land", "Other"} {
		page(name, "country", "| Population census | "+s[name+".census"]+" |", "| Area (km²) | "+s[name+".area"]+" |")
	}
	page("Alone", "building", "| Height (m) | "+s["Alone.height"]+" |")
	return NewWorld(toolSite, pages, nil)
}

func (s store) number(key string) float64 { f, _ := strconv.ParseFloat(s[key], 64); return f }

// between is the great-circle distance by the formula of the chord, another than that of metres.
func (s store) between(a, b string) float64 {
	vector := func(name string) [3]float64 {
		lat, lng := s.number(name+".lat")*math.Pi/180, s.number(name+".lng")*math.Pi/180
		return [3]float64{math.Cos(lat) * math.Cos(lng), math.Cos(lat) * math.Sin(lng), math.Sin(lat)}
	}
	u, v := vector(a), vector(b)
	return 2 * 6371008.8 * math.Asin(math.Hypot(math.Hypot(u[0]-v[0], u[1]-v[1]), u[2]-v[2])/2)
}

// leg is the golden leg of a store, computed from its numbers alone: neither texts nor tools are asked.
func (s store) leg() *schemas.AARLeg {
	l := &schemas.AARLeg{GeneratedAt: "2026-01-01T00:00:00.000000+00:00"}
	float := func(key string) string { return Repr(s.number(key)) }
	stop := func(typ, url, value, valueType string, chain ...schemas.AARCall) *schemas.AARStop {
		l.Stops = append(l.Stops, schemas.AARStop{
			Index: len(l.Stops), Type: typ, PageURL: &url, ExtractedValue: schemas.AARValue(value), ExtractedValueType: valueType,
			Bridge: schemas.AARBridge{ToolChain: chain},
		})
		return &l.Stops[len(l.Stops)-1]
	}
	page := func(title, target, value, valueType string) {
		stop(schemas.AARPage, toolSite.URLOf(title), value, valueType).ExtractionTarget = target
	}
	c := func(tool, args, output, key string) schemas.AARCall {
		return schemas.AARCall{ToolName: tool, Arguments: schemas.AARValue(args), ExpectedOutput: schemas.AARValue(output), OutputKey: key}
	}
	where := func(name string) string {
		return fmt.Sprintf(`{"lat":%s,"lng":%s}`, float(name+".lat"), float(name+".lng"))
	}
	geocode := func(name, key string) schemas.AARCall {
		id := map[string]string{"Town": "1", "Edge": "2"}[name]
		return c("maps_geocode", `{"address":"`+name+`"}`, `{"location":`+where(name)+`,"formatted_address":"`+name+`","place_id":"wiki:`+id+`"}`, key)
	}
	python := func(code string, n int, key string) schemas.AARCall {
		data, _ := json.Marshal(map[string]string{"code": code})
		return c(toolPython, string(data), fmt.Sprintf(`{"stdout":"%d\n","stderr":"","exit_code":0}`, n), key)
	}

	year := s["Town.established"][len(s["Town.established"])-4:]
	page("Town", "the year when it was set up", year, "number") // 0
	digits := 0
	for _, d := range year {
		digits += int(d - '0')
	}
	zero, sum := 0, "digit_sum"
	r := stop(schemas.AARReason, "", strconv.Itoa(digits), "number") // 1
	r.ReasonSourceStop, r.ReasonTransform = &zero, &sum
	y, _ := strconv.Atoi(year)
	days := 0
	for ; y < 2026; y++ {
		days += 365
		if y%4 == 0 && (y%100 != 0 || y%400 == 0) {
			days++
		}
	}
	stop(schemas.AARTool, "", strconv.Itoa(days), "number", python( // 2
		"from datetime import date\nresult = abs((date.fromisoformat('"+year+"-01-01') - date.fromisoformat('2026-01-01')).days)\nprint(result)", days, "days"))
	page("Edge", "its height above the sea, in metres", s["Edge.elevation"], "number") // 3
	feet := int(s.number("Edge.elevation") * 3.28084)
	stop(schemas.AARTool, "", strconv.Itoa(feet), "number", // 4
		python("result = int("+s["Edge.elevation"]+" * 3.28084)\nprint(result)", feet, "converted"))
	page("Edge", "the country that it belongs to", `"`+s["Edge.country"]+`"`, "text") // 5
	country := s["Edge.country"]
	stop(schemas.AARTool, "", s[country+".census"], "number", // 6
		c("countries_population", `{"country":"`+country+`"}`, `{"country":"`+country+`","population":`+s[country+".census"]+`}`, "population"))
	stop(schemas.AARTool, "", s["Edge.elevation"], "number", geocode("Edge", "coords"), // 7
		c("maps_elevation", `{"__from_previous_as_locations":"coords"}`,
			`{"results":[{"elevation":`+s["Edge.elevation"]+`,"location":`+where("Edge")+`,"resolution":null}]}`, "elevation"))
	var found []string
	for _, name := range []string{"M1", "M2", "M3"} {
		if s.between("Edge", name) <= 25000 {
			found = append(found, name)
		}
	}
	slices.SortStableFunc(found, func(a, b string) int { return int(s.between("Edge", a) - s.between("Edge", b)) })
	ids, list := map[string]string{"M1": "3", "M2": "4", "M3": "5"}, []string{}
	for _, name := range found {
		list = append(list, `{"name":"`+name+`","formatted_address":"`+name+`","location":`+where(name)+`,"place_id":"wiki:`+ids[name]+
			`","rating":null,"user_ratings_total":null,"types":["museums"]}`)
	}
	stop(schemas.AARTool, "", strconv.Itoa(len(found)), "number", // 8
		c("maps_search_places", `{"query":"museums near Edge"}`, `{"places":[`+strings.Join(list, ",")+`]}`, "poi_count"))
	merged := int(s.number("Edge.elevation")) + len(found)
	stop(schemas.AARTool, "", strconv.Itoa(merged), "number", // 9
		python(fmt.Sprintf("result = int(%s) + int(%d)\nprint(result)", s["Edge.elevation"], len(found)), merged, "merged"))
	away := int(math.Round(s.between("Town", "Edge")))
	ends := func(name string) string { return float(name+".lat") + "," + float(name+".lng") }
	stop(schemas.AARTool, "", Repr(float64(away)/1000), "number", geocode("Town", "coords_a"), geocode("Edge", "coords_b"), // 10
		c("maps_distance_matrix", `{"__from_previous_as_origins_destinations":["coords_a","coords_b"]}`,
			fmt.Sprintf(`{"origin_addresses":["%s"],"destination_addresses":["%s"],"mode":"great_circle","results":[{"elements":[{"status":"OK","duration":null,"distance":{"value":%d,"text":"%.1f km"}}]}]}`,
				ends("Town"), ends("Edge"), away, float64(away)/1000), "distance_km"))
	miles := int(float64(away) / 1000 * 0.621371)
	stop(schemas.AARTool, "", strconv.Itoa(miles), "number", // 11
		python("result = int("+Repr(float64(away)/1000)+" * 0.621371)\nprint(result)", miles, "converted"))
	total := digits + int(s.number(country+".census")) + merged
	e := stop(schemas.AARCompute, "", strconv.Itoa(total%10), "number") // 12
	expression := fmt.Sprintf("(%d + %s + %d) %% 10", digits, s[country+".census"], merged)
	e.Bridge.Expression, e.Bridge.ReferencedStops, e.PageURL = &expression, []int{1, 6, 9}, nil
	l.Passcode = total % 10
	return l
}

// stale lists the stops that do not match.
func stale(x Execution) (list []int) {
	for _, s := range x.Stops {
		if s.Status != StopMatch {
			list = append(list, s.Index)
		}
	}
	return list
}

func execute(t *Tools, l *schemas.AARLeg) Execution { return t.Execute(context.Background(), l) }

func TestAGoldenLegMatchesAtEveryStop(t *testing.T) {
	l := plainStore.leg()
	x := execute(&Tools{World: plainStore.world()}, l)
	if !x.Golden || len(x.Stops) != 13 {
		t.Errorf("got %+v", x)
	}
	l.Passcode = (l.Passcode + 1) % 10
	if execute(&Tools{World: plainStore.world()}, l).Golden {
		t.Error("a wrong passcode is golden")
	}
}

// TestAChangedFactMakesItsDependentsStale changes a hundred facts, one at a time: the stops that the executor names
// are those in which the leg of the changed store, computed apart, differs.
func TestAChangedFactMakesItsDependentsStale(t *testing.T) {
	r, old := rand.New(rand.NewPCG(1, 2)), plainStore.leg()
	keys := slices.Sorted(maps.Keys(plainStore))
	hit := map[string]int{}
	for n := range 100 {
		changed, key := maps.Clone(plainStore), keys[n%len(keys)]
		switch {
		case key == "Edge.country":
			changed[key] = []string{"Other", "Land"}[n/len(keys)%2]
		case key == "Town.established":
			changed[key] = fmt.Sprint("12 December ", 1000+r.IntN(1000))
		case strings.HasSuffix(key, "lat"), strings.HasSuffix(key, "lng"):
			changed[key] = fmt.Sprintf("%.2f", float64(1+r.IntN(60))/100)
		case strings.HasSuffix(key, "census"):
			changed[key] = strconv.Itoa(1 + r.IntN(900))
		default:
			changed[key] = fmt.Sprintf("%.1f", 1+r.Float64()*2000)
		}
		var want []int
		again := changed.leg()
		for i := range old.Stops {
			a, b := &schemas.AARLeg{Stops: old.Stops[i : i+1]}, &schemas.AARLeg{Stops: again.Stops[i : i+1]}
			if !bytes.Equal(EncodeLine(a), EncodeLine(b)) {
				want = append(want, i)
			}
		}
		x := execute(&Tools{World: changed.world()}, old)
		if got := stale(x); !slices.Equal(got, want) || x.Golden != (len(want) == 0) {
			t.Errorf("%s = %s: stops %v are not golden, want %v\n%+v", key, changed[key], got, want, x)
		}
		if len(want) > 0 {
			hit[key]++
		}
	}
	if len(hit) < 10 || hit["Alone.height"] > 0 {
		t.Errorf("of these facts a change was seen: %v", hit)
	}
}

func TestExecutionNamesWhatIsMissing(t *testing.T) {
	l := plainStore.leg()
	gone := maps.Clone(plainStore)
	gone["Edge.country"], gone["Town.established"] = "about 5", "unknown"
	x := execute(&Tools{World: gone.world()}, l)
	var got []string
	for _, s := range x.Stops {
		got = append(got, s.Status)
	}
	want := []string{
		StopMissing, StopMissing, StopMissing, StopMatch, StopMatch, StopMissing, StopMissing,
		StopMatch, StopMatch, StopMatch, StopMatch, StopMatch, StopMissing,
	}
	if !slices.Equal(got, want) || x.Golden {
		t.Errorf("got %v, want %v\n%+v", got, want, x)
	}
	for name, mutate := range map[string]func(*schemas.AARLeg) int{
		"an output": func(l *schemas.AARLeg) int { l.Stops[6].Bridge.ToolChain[0].ExpectedOutput = []byte(`{}`); return 6 },
		"no output": func(l *schemas.AARLeg) int { l.Stops[7].Bridge.ToolChain[0].ExpectedOutput = []byte(`null`); return 7 },
		"code": func(l *schemas.AARLeg) int {
			l.Stops[4].Bridge.ToolChain[0].Arguments = []byte(`{"code":"value = 12.50\nvalue * 3.28084"}`)
			return 4
		},
		"expression":  func(l *schemas.AARLeg) int { e := "(1 + 2 + 3) % 10"; l.Stops[12].Bridge.Expression = &e; return 12 },
		"a value":     func(l *schemas.AARLeg) int { l.Stops[1].ExtractedValue = []byte("3"); return 1 },
		"a type":      func(l *schemas.AARLeg) int { l.Stops[3].ExtractedValueType = "text"; return 3 },
		"no source":   func(l *schemas.AARLeg) int { l.Stops[1].ReasonSourceStop = nil; return 1 },
		"a later one": func(l *schemas.AARLeg) int { n := 99; l.Stops[1].ReasonSourceStop = &n; return 1 },
		"no page_url": func(l *schemas.AARLeg) int { l.Stops[0].PageURL = nil; return 0 },
		"another place": func(l *schemas.AARLeg) int {
			l.Stops[7].Bridge.ToolChain[1].Arguments = []byte(`{"__from_previous_as_locations":[]}`)
			return 7
		},
	} {
		l := plainStore.leg()
		i := mutate(l)
		if x := execute(&Tools{World: plainStore.world()}, l); x.Stops[i].Status == StopMatch || x.Golden {
			t.Errorf("%s: stop %d is golden", name, i)
		}
	}
}

// TestReleasedLegsRunWithoutAPanic runs legs whose pages and outputs are not ours.
func TestReleasedLegsRunWithoutAPanic(t *testing.T) {
	tools := &Tools{World: plainStore.world(), Cassette: NewCassette()}
	calls := 0
	for name, data := range samples(t) {
		l, _, err := DecodeLeg(data)
		if err != nil {
			t.Fatal(err)
		}
		if x := execute(tools, l); x.Golden || len(x.Stops) != len(l.Stops) {
			t.Errorf("%s: %+v", name, x)
		}
		for _, s := range l.Stops {
			outputs := map[string]json.RawMessage{}
			for _, c := range s.Bridge.ToolChain {
				args, err := ChainArgs(c.Arguments, outputs)
				spec, known := FindSpec(c.ToolName)
				if err == nil && known {
					err = spec.input.check("", args)
				}
				if err != nil || !known {
					t.Errorf("%s, stop %d: %s %s: %v", name, s.Index, c.ToolName, c.Arguments, err)
				}
				outputs[c.OutputKey] = json.RawMessage(`{"location":{"lat":1.5,"lng":2.0}}`)
				calls++
			}
		}
	}
	if calls != 353 {
		t.Errorf("%d calls, the samples have 353", calls)
	}
}

func TestPythonIsWhatReadPythonReads(t *testing.T) {
	for _, c := range []Computation{
		{MergeAdd, []string{"389.09", "18.0"}, 0},
		{MergeAbsDiff, []string{"-3", "5"}, 0},
		{DaysKind, []string{"0987-03-01", "2026-01-01"}, 0},
		{Conversion, []string{"26.0"}, 0.621371},
	} {
		got, ok := ReadPython(c.Python())
		if !ok || fmt.Sprint(got) != fmt.Sprint(c) {
			t.Errorf("%q is read as %v, %t", c.Python(), got, ok)
		}
		if _, err := exec.LookPath("python3"); err != nil {
			continue
		}
		out, err := exec.Command("python3", "-I", "-c", c.Python()).Output()
		if n, _ := c.Value(); err != nil || string(out) != fmt.Sprintln(n) {
			t.Errorf("%q prints %q (%v), want %d", c.Python(), out, err, n)
		}
	}
}
