package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/dumps/demo"
	"github.com/wikinav/wikinav/dumps/pagetext"
	"github.com/wikinav/wikinav/dumps/wikitext/wikitest"
	"github.com/wikinav/wikinav/schemas"
)

// foreignKinds are the kinds of facts that only wikis of other subjects have, such as games.
var foreignKinds = strings.Fields(`quality volumes experience payment gems energy load track disc
	part rank attack step type category subcategory affiliation calling weapon element voice figure chapter
	district spot album leader`)

// demoOffers are what the demo must have at least, so that every template, kind of fact, kind of
// place and transform can occur in legs. Kinds of facts that are in neither list stand on 30 pages.
var demoOffers = map[string]int{
	"fact capital": 24, "fact government": 24, "fact currency": 24, "fact population_estimate": 24,
	"fact population_census": 24, // all countries

	"values of government": 5, "values of occupation": 5, "values of currency": 5,
	"unit ft": 30, "unit mi": 30, "unit sq mi": 30, "unit ha": 30,

	"place museums": 100, "place restaurants": 100, "place parks": 100, "place hotels": 100,
	"place hospitals": 100, "place universities": 100, "place libraries": 100, "place stadiums": 100,
	"place temples": 100, "place churches": 100,

	"per cent of the counts above 0 within 25 km that are 2 or more": 50, "counts over 20": 100,
	"located pages at the point of another": 2,

	"texts over 8,000 characters": 20, "countries without area": 1,
	"located pages without elevation": 100, "years of three digits": 30, "dates of month and year": 30,

	"per cent of first sentences with four content words":                     99,
	"per cent of first sentences unlike all others":                           97,
	"per cent of taxa, buildings and events among them":                       97,
	"per cent of short descriptions of countries unlike all others":           100,
	"per cent of species and genera with 3 facts that no relative shares":     90,
	"per cent of pages without a topic, a plural or an article that is wrong": 100,
}

// TestTheDemoOffersWhatLegsAskFor renders the demo and counts. A slow walk of its own measures
// distances.
func TestTheDemoOffersWhatLegsAskFor(t *testing.T) {
	w := demoWorld(t)
	got := map[string]int{}
	for _, kind := range factKinds(t) {
		got["fact "+kind] = 0
	}
	countFacts(w, got)
	countPlaces(w, got)
	countSentences(w, got)
	countRelatives(w, got)
	for _, what := range slices.Sorted(maps.Keys(got)) {
		least, ok := demoOffers[what]
		kind, isFact := strings.CutPrefix(what, "fact ")
		if !ok && isFact && !slices.Contains(foreignKinds, kind) {
			least = 30
		}
		if t.Logf("%s: %d", what, got[what]); got[what] < least {
			t.Errorf("%s: got %d, want at least %d", what, got[what], least)
		}
	}
	for what := range demoOffers {
		if _, ok := got[what]; !ok {
			t.Errorf("%s: none", what)
		}
	}
}

// factKinds reads the names of the kinds from the table, as it is embedded.
func factKinds(t *testing.T) (names []string) {
	t.Helper()
	var facts struct{ Kinds []struct{ Kind string } }
	raw, err := os.ReadFile("../../artifacts/aar/tables/facts.json")
	if err == nil {
		err = json.Unmarshal(raw, &facts)
	}
	if err != nil || len(facts.Kinds) == 0 {
		t.Fatal("no kinds of facts: ", err)
	}
	for _, k := range facts.Kinds {
		names = append(names, k.Kind)
	}
	return names
}

// demoWorld is the world of the demo without its aliases.
func demoWorld(t *testing.T) *aar.World {
	t.Helper()
	var dump, index bytes.Buffer
	if _, err := demo.Write(t.Context(), &dump, &index, demo.Options{Seed: demo.Seed}); err != nil {
		t.Fatal(err)
	}
	site, pages := wikitest.ReadDump(t, dump.Bytes())
	r := pagetext.NewRenderer(site)
	var texts []schemas.Text
	for _, p := range pages {
		if p.NS == 0 && p.Redirect.Title == "" && (p.Model == "" || p.Model == "wikitext") {
			x := r.Render(wikitest.PageTitle(t, site, p), p.Text)
			x.PageID, x.Title = uint32(p.ID), p.Title
			texts = append(texts, x)
		}
	}
	return aar.NewWorld(aar.Site{Base: "https://demo.invalid/wiki/", Language: "en", Year: 2026}, texts, nil)
}

var (
	threeDigits = regexp.MustCompile(`^\d{3}$`)
	monthYear   = regexp.MustCompile(`^\pL+ \d{3,4}$`)
)

func countFacts(w *aar.World, got map[string]int) {
	values := map[string]map[string]bool{}
	for i := range w.Len() {
		for _, f := range w.Facts(i) {
			got["fact "+f.Kind]++
			got["unit "+f.Unit]++
			if values[f.Kind] == nil {
				values[f.Kind] = map[string]bool{}
			}
			values[f.Kind][f.Value] = true
			if f.Type == "date" {
				got["years of three digits"] += one(threeDigits.MatchString(f.Year))
				got["dates of month and year"] += one(monthYear.MatchString(f.Value))
			}
		}
		got["texts over 8,000 characters"] += one(w.Text(i).Truncated)
	}
	for kind, all := range values {
		got["values of "+kind] = len(all)
	}
}

func countPlaces(w *aar.World, got map[string]int) {
	kinds, points := map[string][]aar.Place{}, map[[2]int64]int{}
	for _, p := range w.Places() {
		got["place "+p.Kind]++
		got["countries without area"] += one(p.Country && p.Area == "")
		got["located pages without elevation"] += one(p.Located && p.Elevation == "")
		if p.Located {
			kinds[p.Kind] = append(kinds[p.Kind], p)
			points[[2]int64{p.Lat, p.Lng}]++
		}
	}
	some, more := 0, 0
	for _, p := range w.Places() {
		for kind, all := range kinds {
			n := -one(kind == p.Kind) // not itself
			for _, q := range all {
				n += one(kilometres(p, q) <= 25)
			}
			if kind != "" && n > 0 {
				some++
				more += one(n >= 2)
				got["counts over 20"] += one(n > 20)
			}
		}
	}
	got["per cent of the counts above 0 within 25 km that are 2 or more"] = more * 100 / some
	for _, n := range points {
		if n > 1 {
			got["located pages at the point of another"] += n
		}
	}
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// kilometres is the distance by the haversine formula.
func kilometres(a, b aar.Place) float64 {
	rad := func(micro int64) float64 { return float64(micro) / 1e6 * math.Pi / 180 }
	square := func(x float64) float64 { return x * x }
	if !a.Located || !b.Located || max(a.Lat-b.Lat, b.Lat-a.Lat) > 300_000 { // over 33 km
		return math.Inf(1)
	}
	h := square(math.Sin(rad(a.Lat-b.Lat)/2)) +
		math.Cos(rad(a.Lat))*math.Cos(rad(b.Lat))*square(math.Sin(rad(a.Lng-b.Lng)/2))
	return 2 * 6371.0088 * math.Asin(math.Sqrt(h))
}

var (
	linkInText = regexp.MustCompile(`\[([^\]]*)\]\(/wiki/[^)]*\)`)
	initialRE  = regexp.MustCompile(`\b\pL\. `)
	contentRE  = regexp.MustCompile(`\pL{3,}`)
	boxName    = regexp.MustCompile(`\| Infobox \| ([^|]+) \|`)
	// Topics have no capital in a sentence, words with a vowel an, and no plural ends in -chs.
	wrongRE = regexp.MustCompile(`\ba (opera|election|island|event)\b|(?i)\b(fishs|churchs|citys|countrys|botanys|physicss)\b|` +
		`(the next one is|borders on|in the|road to|\] of) \[(Region|District|Fishing|Map|Country|Language|Mining)\]`)
)

var plainWords = strings.Fields("a an and the of in on at by for from to with is was are were it its this that which who")

// countSentences counts pages with an infobox. A sentence is as good as its words that are no names.
func countSentences(w *aar.World, got map[string]int) {
	seen, unlike := map[string]int{}, map[string][2]int{}
	var words, boxes []string
	countries, country := map[string]bool{}, 0
	rich, right := 0, 0
	for i := range w.Len() {
		text := w.Text(i)
		right += one(!wrongRE.MatchString(text.Text))
		box := boxName.FindStringSubmatch(text.Text)
		if box == nil {
			continue
		}
		if box[1] == "country" {
			country++
			countries[text.ShortDescription] = true
		}
		_, prose, _ := strings.Cut(text.Text, "\n\n")
		if _, after, ok := strings.Cut(prose, "\n\n"); strings.HasPrefix(prose, "|") && ok {
			prose = after
		}
		said := content(prose)
		rich += one(len(said) >= 4)
		words, boxes = append(words, strings.Join(said, " ")), append(boxes, box[1])
		seen[strings.Join(said, " ")]++
	}
	alone := 0
	for i, said := range words {
		alone += one(seen[said] == 1)
		u := unlike[boxes[i]]
		unlike[boxes[i]] = [2]int{u[0] + one(seen[said] == 1), u[1] + 1}
	}
	least := 100
	for _, name := range []string{"Speciesbox", "Automatic taxobox", "building", "event"} {
		least = min(least, unlike[name][0]*100/max(unlike[name][1], 1))
	}
	got["per cent of first sentences with four content words"] = rich * 100 / len(words)
	got["per cent of first sentences unlike all others"] = alone * 100 / len(words)
	got["per cent of taxa, buildings and events among them"] = least
	got["per cent of short descriptions of countries unlike all others"] = len(countries) * 100 / country
	got["per cent of pages without a topic, a plural or an article that is wrong"] = right * 100 / w.Len()
}

// content lists the words of the first sentence that are no names, in order, each once.
func content(prose string) []string {
	prose, _, _ = strings.Cut(prose, "\n")
	prose = initialRE.ReplaceAllString(linkInText.ReplaceAllString(prose, "$1"), "")
	sentence, _, _ := strings.Cut(prose, ". ")
	var out []string
	for _, word := range contentRE.FindAllString(sentence, -1) {
		if strings.ToLower(word) == word && !slices.Contains(plainWords, word) {
			out = append(out, word)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// countRelatives compares species of one genus, and genera of one family.
func countRelatives(w *aar.World, got map[string]int) {
	groups := map[string][][]aar.Fact{}
	for i := range w.Len() {
		text := w.Text(i).Text
		for _, label := range []string{"\n| Genus | ", "\n| Parent | "} {
			if _, above, ok := strings.Cut(text, label); ok && strings.Contains(text, "box |\n") {
				above, _, _ = strings.Cut(linkInText.ReplaceAllString(above, "$1"), "\n")
				groups[above] = append(groups[above], w.Facts(i))
				break
			}
		}
	}
	good, all := 0, 0
	for _, group := range groups {
		for n, facts := range group {
			own := 0
			for _, f := range facts {
				shared := func(other []aar.Fact) bool { return slices.Contains(other, f) }
				own += one(!slices.ContainsFunc(slices.Delete(slices.Clone(group), n, n+1), shared))
			}
			good, all = good+one(own >= 3), all+1
		}
	}
	got["per cent of species and genera with 3 facts that no relative shares"] = good * 100 / max(all, 1)
}
