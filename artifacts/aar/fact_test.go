package aar

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// oneRow is a text whose infobox has the given rows, followed by prose.
func oneRow(infobox, rows, prose string) string {
	return "# T\n\n| Infobox | " + infobox + " |\n| --- | --- |\n" + rows + "\n\n" + prose
}

// said writes the facts of a text as kind=value unit (year).
func said(text string) string {
	var out []string
	for _, f := range Facts(text, 2026) {
		s := f.Kind + "=" + f.Value
		if f.Unit != "" {
			s += " " + f.Unit
		}
		if f.Type == "date" {
			s += fmt.Sprintf(" (%s, %t)", f.Year, f.Full)
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

func TestFactsAreRowsThatSayOnePlainValue(t *testing.T) {
	for _, c := range []struct{ rows, prose, want string }{
		// Numbers.
		{"| Population total | 2,385 |", "", "population=2385"},
		{"| Population total | 2,385 (2011 census) |", "", "population=2385"},
		{"| Population total | 23,85 |", "", ""},
		{"| Population total | 2,385 people |", "", ""},
		{"| Population total | c. 2,385 |", "", ""},
		{"| Population total | over 2,385 |", "", ""},
		{"| Population total | 2,385–2,400 |", "", ""},
		{"| Population total | 2,385 · 2,400 |", "", ""},
		{"| Population total | 2,385 (approx.) |", "", ""},
		{"| Population density (km²) | 12.5 |", "", "population_density=12.5"},
		{"| Area (km²) | 154.0 |", "", "area=154.0 km²"},
		{"| Area | 154.0 km2 |", "", "area=154.0 km²"},
		{"| Area | 154.0 |", "", ""},
		{"| Area (km²) | 154.0 ha |", "", ""},
		{"| Area (km²) | 154.0 km² |", "", "area=154.0 km²"},
		{"| Height | 5 ft 2 in |", "", ""},
		{"| Height | 23 m (75 ft) |", "", "height=23 m"},
		{"| Height | 23 parsec |", "", ""},
		{"| Elevation (m) | −12 |", "", "elevation=-12 m"},
		{"| Runtime | 95 minutes |", "", "runtime=95 minutes"},
		{"| Runtime | 95 |", "", "runtime=95"},
		{"| Crew size | [7](/wiki/7) |", "", "crew=7"},
		{"| Unlisted | 7 |", "", ""},
		// Dates.
		{"| Birth date | 12 December 1718 |", "", "born=12 December 1718 (1718, true)"},
		{"| Birth date | December 12, 1718 (aged 3) |", "", "born=December 12, 1718 (1718, true)"},
		{"| Birth date | June 1860 |", "", "born=June 1860 (1860, false)"},
		{"| Birth date | 860 |", "", "born=860 (860, false)"},
		{"| Birth date | 1860-12-31 |", "", "born=1860-12-31 (1860, true)"},
		{"| Birth date | 1860-13-31 |", "", ""},
		{"| Birth date | 1860-00-31 |", "", ""},
		{"| Birth date | 1860-02-30 |", "", ""},
		{"| Birth date | 1860-12-00 |", "", ""},
		{"| Birth date | 2027-01-01 |", "", ""},
		{"| Birth date | 1860-12-31 12:00:00 |", "", ""},
		{"| Birth date | 0 May 1860 |", "", ""},
		{"| Birth date | [15 May](/wiki/15_May) [1907](/wiki/1907) |", "", "born=15 May 1907 (1907, true)"},
		{"| Birth date | 44 BC |", "", ""},
		{"| Birth date | 1860 BC |", "", ""},
		{"| Birth date | 31 June 1860 |", "", ""},
		{"| Birth date | 12 Brumaire 1860 |", "", ""},
		{"| Birth date | 12 1860 |", "", ""},
		{"| Birth date | 12 December 14, 1860 |", "", ""},
		{"| Birth date | 2027 |", "", ""},
		{"| Birth date | circa 1860 |", "", ""},
		{"| Birth date | 1860/61 |", "", ""},
		// Names.
		{"| Capital | [Sajumar](/wiki/Sajumar) |", "", "capital=Sajumar"},
		{"| Capital | [A1](/wiki/A1) |", "", ""},
		{"| Capital | X |", "", ""},
		{"| Capital | Aa, Bb |", "", "capital=Aa, Bb"},
		{"| Capital | Aa, Bb, Cc |", "", ""},
		{"| Capital | [Aa](/wiki/Aa) [Bb](/wiki/Bb) |", "", ""},
		{"| Capital | Aa · Bb |", "", ""},
		// Coordinates.
		{"| Coordinates | 24°3′14″S 65°55′9″E |", "", "coordinates=24°3′14″S 65°55′9″E"},
		{"| Coordinates | 43.7939°S 60.0069°W |", "", "coordinates=43.7939°S 60.0069°W"},
		{"| Coordinates | 91°S 60°W |", "", ""},
		{"| Coordinates | 24 S 65 E |", "", ""},
		// Several rows of a kind.
		{"| Population total | 5 |\n| Population | 5 |", "", "population=5"},
		{"| Population total | 5 |\n| Population | 6 |", "", ""},
		{"| Population | 5 |\n| Population total | about 5 |", "", ""},
		{"| Population total | 5 |\n| Population | about 6 |", "", "population=5"},
		{"| Area (km²) | 5 |\n| Area (sq mi) | 2 |", "", "area=5 km²"},
		{"| Area (sq mi) | 2 |\n| Area (km²) | 5 |", "", "area=5 km²"},
		// Prose that says otherwise.
		{"| Population total | 2,385 |", "Its population is 2,385. It has 9 residents.", "population=2385"},
		{"| Population total | 2,385 |", "Its population is 2,400.", ""},
		{"| Population total | 2,385 |", "Its population fell in 2011 to 2385.", "population=2385"},
		{"| Population total | 2,385 |", "Its population is 2400, which looks like a year.", "population=2385"},
		{"| Population total | 2,385 |", "Its Populations are 2,400.", "population=2385"},
		{"| Population total | 2,385 |", "Its population is old. There are 2,400 cows.", "population=2385"},
		{"| Population total | 2,385 |", "- The [population](/wiki/Population) is 2,400", ""},
		{"| Elevation (m) | 893 |", "Its elevation is 893 m or 2,930 ft.", "elevation=893 m"},
		{"| Elevation (m) | 893 |", "Its elevation is 900 metres.", ""},
		{"| Elevation (m) | 893 |", "It lies 900 m above sea level!", ""},
		{"| Elevation (m) | 893 |", "At an elevation of 893 m, 900 live.", "elevation=893 m"},
		{"| Area (km²) | 154.0 |", "It covers 154 km² in all.", "area=154.0 km²"},
		{"| Area (km²) | 154.0 |", "It covers 155 square miles, 155 sq km.", ""},
		{"| Established date | 12 December 1718 |", "It was founded in 1719.", ""},
		{"| Established date | 12 December 1718 |", "It was founded in 1718, refounded in 1719.", "established=12 December 1718 (1718, true)"},
		{"| Established date | 12 December 1718 |", "It was founded by 1,719 men.", "established=12 December 1718 (1718, true)"},
	} {
		if got := said(oneRow("thing", c.rows, c.prose)); got != c.want {
			t.Errorf("%s / %s: got %q, want %q", c.rows, c.prose, got, c.want)
		}
	}
}

func TestFactsComeFromTheInfoboxThatStandsWhole(t *testing.T) {
	for text, want := range map[string]string{
		"# T\n\nPopulation total | 5 |":                                                                                 "",
		"# T\n\n| Population total | 5 |\n| --- | --- |\n| Population total | 5 |":                                      "",
		"# T\n\n| A | B |\n| --- | --- |\n\n" + "| Infobox | x |\n| --- | --- |\n| Crew size | 5 |":                     "crew=5",
		"# T\n\n| Infobox | x |\n| --- | --- |\n| Crew size | 5 |\n\n| Infobox | y |\n| --- | --- |\n| Crew size | 6 |": "crew=5",
		"# T\n\n| Infobox | x |\n| --- | --- |\n| Floors | 3 |\n| Crew size | 5":                                        "floors=3",
		"# T\n\n| Infobox | x |\n| --- | --- |\n| Floors | 3 |\n| Crew size | 5 ":                                       "floors=3",
		"# T\n\n| Infobox | x |\n| --- | --- |\n| Date | 1 May 1900 |":                                                  "",
		"# T\n\n| Infobox | event |\n| --- | --- |\n| Date | 1 May 1900 |":                                              "happened=1 May 1900 (1900, true)",
	} {
		if got := said(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestAQuestionIsAnsweredByTheFactThatItNames(t *testing.T) {
	facts := Facts(oneRow("thing", "| Area | 5 ha |\n| Birth date | 1 May 1900 |\n| Death date | May 1950 |\n| Capital | Aa |", ""), 2026)
	for target, want := range map[string]string{
		"the size of its territory, in hectares": "5 number",
		"the size of its territory, in acres":    " ",
		"the year of this person's birth":        "1900 number",
		"the full date of this person's birth":   "1 May 1900 date",
		"the year of this person's death":        "1950 number",
		"the full date of this person's death":   " ",
		"the name of its capital":                "Aa text",
		"the seat of its government":             " ",
	} {
		value, typ, ok := Asked(facts, target)
		if got := value + " " + typ; got != want || ok != (want != " ") {
			t.Errorf("%s: got %s, want %s", target, got, want)
		}
	}
}

// TestQuestionsAreUnique shows that no question could mean two facts.
func TestQuestionsAreUnique(t *testing.T) {
	seen := map[string]string{}
	for _, k := range factKinds().Kinds {
		units := k.Units
		if k.Unit != "required" {
			units = append(units, "")
		}
		for _, unit := range units {
			f := Fact{Kind: k.Kind, Type: k.Type, Unit: unit}
			for _, full := range []bool{false, true} {
				target := f.Target(full)
				if other, twice := seen[target]; twice && other != k.Kind || strings.ContainsAny(target, "{}") {
					t.Errorf("%q asks for %s and %s", target, k.Kind, other)
				}
				seen[target] = k.Kind
			}
		}
	}
}

func TestPlacesAreReadFromInfoboxes(t *testing.T) {
	for _, c := range []struct {
		infobox, rows string
		want          Place
		ok            bool
	}{
		{"settlement", "| Coordinates | 24°3′14″S 65°55′9″E |\n| Elevation (m) | 1,893 |", Place{Located: true, Lat: -24053889, Lng: 65919167, Elevation: "1893", Settlement: true}, true},
		{"UK_place", "| Coordinates | 0°0′0.0018″N 180°W |\n| Elevation (ft) | 9 |", Place{Located: true, Lat: 1, Lng: -180000000, Settlement: true}, true},
		{"settlement", "| Elevation (m) | 1,893 |", Place{Elevation: "1893", Settlement: true}, false},
		{"country", "| Population estimate | about 9 |\n| Population census | 1,234 |\n| Area (km²) | 5.0 |", Place{Country: true, Population: "1234", Area: "5.0"}, true},
		{"country", "| Population total | 1,234 |\n| Area (sq mi) | 5.0 |", Place{Country: true}, true},
		{"Museum", "| Coordinates | 1°S 2°E |", Place{Located: true, Lat: -1000000, Lng: 2000000, Kind: "museums"}, true},
		{"building", "| Coordinates | 1°S 2°E |\n| Building type | [Art_museum](/wiki/Art) |", Place{Located: true, Lat: -1000000, Lng: 2000000, Kind: "museums"}, true},
		{"building", "| Coordinates | 1°S 2°E |\n| Type | Museum |\n| Building type | House |", Place{Located: true, Lat: -1000000, Lng: 2000000}, true},
		{"bridge", "| Coordinates | 1°S 2°E |\n| Type | Museum |", Place{Located: true, Lat: -1000000, Lng: 2000000}, true},
		{"bridge", "| Type | Museum |", Place{}, false},
	} {
		text := oneRow(c.infobox, c.rows, "")
		if got, ok := PlaceOf(text, Facts(text, 2026)); got != c.want || ok != c.ok {
			t.Errorf("%s: %s\ngot  %+v %t\nwant %+v %t", c.infobox, c.rows, got, ok, c.want, c.ok)
		}
	}
}

func TestLinksToPagesOutsideAreTheirLabels(t *testing.T) {
	s := Site{Base: "https://demo.invalid/wiki/"}
	opens := func(title string) bool { return title == "Aa" || title == "Aa (b)" }
	for text, want := range map[string]string{
		"[x](/wiki/Aa) [y](/wiki/Bb)":              "[x](/wiki/Aa) y",
		"[x [z]](/wiki/Bb).":                       "x [z].",
		"[x ] z](/wiki/Bb) [ [y](/wiki/aa)":        "x ] z [ [y](/wiki/aa)",
		"[x](/wiki/Aa_%28b%29), [](/wiki/Bb)":      "[x](/wiki/Aa_%28b%29), ",
		"](/wiki/Bb) [x](/wiki/B b) [x](http://a)": "](/wiki/Bb) [x](/wiki/B b) [x](http://a)",
		"[a\nb](/wiki/Bb)":                         "[a\nb](/wiki/Bb)",
		"[x](/wiki/Bb":                             "[x](/wiki/Bb",
	} {
		if got, _ := s.Relink(text, opens); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestNounsFitWhatTheInfoboxIsOf shows that no painting was built by builders, and that the phrases
// of both are read as one kind.
func TestNounsFitWhatTheInfoboxIsOf(t *testing.T) {
	of := func(box string) (list []string, attribute string) {
		f := Facts("| Infobox | "+box+" |\n| --- | --- |\n| Completed | 1901 |\n", 2026)[0]
		for _, i := range f.Nouns() {
			noun := nounOf(f.Kind, i, "", false)
			if asked := nouns()[noun]; asked.kind != f.Kind || asked.noun != i {
				t.Errorf("%s is read as %+v", noun, asked)
			}
			list = append(list, noun)
		}
		return list, f.Attribute()
	}
	built, hall := of("building")
	painted, picture := of("painting")
	if len(built) != 3 || len(painted) != 3 || hall != picture ||
		!slices.Contains(built, "the year when it was built") {
		t.Errorf("%q (%s) and %q (%s)", built, hall, painted, picture)
	}
	siege := Facts("| Infobox | event |\n| --- | --- |\n| Place | Ela |\n", 2026)[0]
	if got := nounOf(siege.Kind, siege.Nouns()[0], "", false); got != "the place where it happened" ||
		siege.Attribute() != "that happened in Ela" {
		t.Errorf("of an event is asked %s, and it is said to be one %s", got, siege.Attribute())
	}
	for _, noun := range painted {
		if strings.Contains(noun, "built") || slices.Contains(built, noun) {
			t.Errorf("of a painting is asked %s", noun)
		}
	}
}
