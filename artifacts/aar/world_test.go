package aar

import (
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/schemas"
)

// small is a world of a few pages; its texts are those of the specification's form.
func small() *World {
	site := SiteOf(schemas.Snapshot{Base: "https://demo.invalid/wiki/Main_Page", Date: "20260101", Language: "en"})
	page := func(id uint32, title, short, text string) schemas.Text {
		return schemas.Text{PageID: id, Title: title, ShortDescription: short, Text: "# " + title + "\n" + text}
	}
	return NewWorld(site, []schemas.Text{
		page(3, "Sajumar Bridge", "City in Funabia", sajumar),
		page(5, "Funabia", "Country", funabia),
		page(9, "City", "", "A city."),
		page(12, "100 % (50/50) + more?", "", "Odd."),
		page(14, "Éire: the “green” isle", "", "Odd."),
		page(20, "iPod", "", "Begins small."),
	}, []Alias{{"Sajumar", 3}, {"The land", 5}, {"Twice", 3}, {"Twice", 5}})
}

const sajumar = `City in Funabia

| Infobox | settlement |
| --- | --- |
| Settlement type | [City](/wiki/City) |
| Coordinates | 24°3′14″S 65°55′9″E |
| Established date | 12 December 1718 |
| Population total | 2,385 |
| Area (km²) | 656.4 |
| Elevation (m) | 893 |

Sajumar Bridge is a [city](/wiki/City) in [Funabia](/wiki/Funabia).

## History

It was founded in 1718. The population was 2,385 in 2011.`

const funabia = `
| Infobox | country |
| --- | --- |
| Capital | [Sajumar Bridge](/wiki/Sajumar_Bridge) |
| Population census | 12,345 (2011) |
| Area (km²) | 154.0 |
| Government type | Republic |

Funabia is a country.`

func TestEveryTitleIsFoundAgainByItsAddress(t *testing.T) {
	w := small()
	for i := range w.Len() {
		if got, ok := w.Page(w.URL(i)); !ok || got != i {
			t.Errorf("%s: %s opens %d (%t)", w.Title(i), w.URL(i), got, ok)
		}
		if !strings.HasPrefix(w.URL(i), "https://demo.invalid/wiki/") || strings.ContainsAny(w.URL(i), " ?%#\"") && !strings.Contains(w.URL(i), "%") {
			t.Errorf("%s: address %s", w.Title(i), w.URL(i))
		}
	}
	if got, want := w.URL(3), "https://demo.invalid/wiki/100_%25_(50/50)_%2B_more%3F"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAddressesAreReadInEveryFormThatIsPromised(t *testing.T) {
	w := small()
	for url, want := range map[string]int{
		"https://demo.invalid/wiki/Sajumar_Bridge":           0,
		"http://DEMO.invalid/wiki/Sajumar_Bridge":            0,
		"https://m.demo.invalid/wiki/Sajumar_Bridge":         0,
		"https://demo.m.invalid/wiki/Sajumar_Bridge":         0,
		"https://demo.invalid/wiki/Sajumar%20Bridge?x=1#y":   0,
		"https://demo.invalid/wiki/sajumar__Bridge":          0,
		"https://demo.invalid/wiki/Sajumar":                  0,
		"/wiki/the_land":                                     1,
		"/wiki/E%CC%81ire:_the_%E2%80%9Cgreen%E2%80%9D_isle": 4,
		"/wiki/iPod":    5,
		"/wiki/Nowhere": -1,
		"/wiki/Twice":   -1,
		"/wiki/%FF":     -1,
		"/wiki/":        -1,
		"https://demo.invalid/w/index.php?title=City": -1,
		"https://elsewhere.invalid/wiki/City":         -1,
		"ftp://demo.invalid/wiki/City":                -1,
		"City":                                        -1,
		"":                                            -1,
	} {
		if got, ok := w.Page(url); ok != (want >= 0) || ok && got != want {
			t.Errorf("%s opens %d (%t), want %d", url, got, ok, want)
		}
	}
}

func TestANameMeansATitleThenAnAlias(t *testing.T) {
	w := small()
	for name, want := range map[string]string{
		"City": "City", "city": "City", "the land": "Funabia", "Sajumar": "Sajumar Bridge", "iPod": "iPod",
		"Twice": Ambiguous, "twice": Ambiguous, "Nothing": NotFound, "": NotFound, "IPod": NotFound,
	} {
		i, code := w.Resolve(name)
		if got := code; got == "" && w.Title(i) != want || got != "" && got != want {
			t.Errorf("%q: got page %d, %q, want %s", name, i, code, want)
		}
	}
}

func TestTokensAreWordsAndNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"2,385 people":         "2385 people",
		"656.4 km²":            "656.4 km2",
		"1,23 12,3456 1,234,5": "1 23 12 3456 1234 5",
		"Éire's naïve ﬁsh":     "eire s naive fish",
		"1st, 3.":              "1st 3",
		"3.4.5":                "3.4 5",
		"İstanbul ΣΑΣ":         "istanbul σασ",
		"12345,678":            "12345 678",
		"":                     "",
		"…—":                   "",
	} {
		if got := strings.Join(Tokens(text), " "); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestSearchScoresAreThoseOfTheFormula compares with figures computed apart, with Python:
// n = 3, lengths 2, 3, 4; idf = ln(1 + (n - df + 0.5)/(df + 0.5)).
func TestSearchScoresAreThoseOfTheFormula(t *testing.T) {
	x := &Indexer{}
	x.Add("red house", nil, "")
	x.Add("blue house", []string{"House"}, "")
	x.Add("green", []string{"Tree"}, "a tree")
	index := memoryIndex(x.Rows())
	want := []Hit{{1, 42353}, {0, 35666}}
	if got := index.Search("House house!", 10); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := index.Search("nothing of this", 10); len(got) != 0 {
		t.Errorf("got %v for words that no page has", got)
	}
	if got := index.Search("house tree", 1); len(got) != 1 || got[0].Page != 2 {
		t.Errorf("got %v, want page 2 alone", got)
	}
}
