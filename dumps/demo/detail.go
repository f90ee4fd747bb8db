package demo

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wikinav/wikinav/schemas/rng"
)

// What an article says besides its links. All of it is drawn from streams of its own, so that other
// words leave the graph as it is.

// guise is what some things with a noun have become, or are more closely.
type guise struct {
	Noun, As string
	Called   string // in a sentence, with the link to the noun's page
	Share    int    // per cent
	Every    int    // in the second of so many countries alone; 0 for all
}

// giveGuises leaves out pages whose titles name the noun in parentheses.
func (w *world) giveGuises() {
	for i := range w.things {
		t := &w.things[i]
		noun := noun(t.kind, t.variety)
		for n := range text.Guises {
			g := &text.Guises[n]
			if t.guise != nil || g.Noun != noun || g.Every > 0 && w.country(i)%g.Every != 1 ||
				strings.Contains(t.title+t.alias, noun+")") {
				continue
			}
			if w.stream("guise", g.As, t.title).Below(100) < g.Share {
				t.guise = g
			}
		}
	}
}

// called is the noun of a thing, or of its guise.
func (t *thing) called() string {
	if t.guise != nil {
		return t.guise.As
	}
	return noun(t.kind, t.variety)
}

func (a *article) calledLink() string {
	if a.t.guise != nil {
		return a.t.guise.Called
	}
	return "[[" + a.noun + "]]"
}

func (a *article) typeLink() string {
	if a.t.guise != nil {
		return "[[" + capital(a.t.guise.Noun) + "|" + capital(a.noun) + "]]"
	}
	return "[[" + capital(a.noun) + "]]"
}

// indefinite is noun with its article.
func indefinite(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) && !strings.HasPrefix(noun, "uni") {
		return "an " + noun
	}
	return "a " + noun
}

func (a *article) stream(of string) *rng.Stream { return a.w.stream(of, a.t.title) }

func (a *article) pick(of string) string { return pick(a.stream(of), text.Details[of]) }

// detail is one of a list of details, with a capital if its word has one, or a number, whose word
// is a name and its bounds: floors:2-9.
func (a *article) detail(word string) string {
	if name, bounds, ok := strings.Cut(word, ":"); ok {
		least, most, _ := strings.Cut(bounds, "-")
		return a.within(name, least, most)
	}
	first, _ := utf8.DecodeRuneInString(word)
	of := lowered(word)
	if text.Details[of] == nil {
		panic("demo: no word $" + word)
	}
	if unicode.IsUpper(first) {
		return capital(a.pick(of))
	}
	return a.pick(of)
}

func (a *article) within(name, least, most string) string {
	from, err := strconv.Atoi(least)
	to, err2 := strconv.Atoi(most)
	if err != nil || err2 != nil {
		panic("demo: no bounds of $" + name)
	}
	return grouped(from + a.stream(name).Below(to-from+1))
}

// since is the year in which i came to be: for most the one that the plan knows, for some old
// places one of three digits, and for what lives one before the calendar begins.
func (w *world) since(i int) int {
	t := &w.things[i]
	switch r := w.stream("since", t.title); {
	case t.kind >= kindKingdom && t.kind <= kindSpecies:
		return 1400 + r.Below(300)
	case (t.kind == kindSettlement || t.kind == kindRegion) && r.Below(40) == 0:
		return 300 + r.Below(700)
	}
	return t.year
}

// imperial reports whether where i lies lengths are measured in miles and feet.
func (w *world) imperial(i int) bool {
	return w.country(i)%4 == 2
}

// crowded reports whether i lies in one of the small countries, where everything is near.
func (w *world) crowded(i int) bool { return w.country(i)%4 == 1 }

// country is the number of the country of i; -1 for none.
func (w *world) country(i int) int {
	return slices.Index(w.ofKind[kindCountry], w.above(i, kindCountry))
}

// area is that of a country; of the one that never was surveyed it is empty.
func (a *article) area() string {
	km2 := 2000 + a.r.Below(400_000)
	switch n := a.w.country(a.self); {
	case n == 3:
		return ""
	case n >= 0 && a.w.crowded(a.self):
		km2 = 900 + km2/200
	}
	return grouped(km2)
}

// territory is a row: the area of a small place, which $density goes by.
func (a *article) territory() string {
	a.extent = (3+a.r.Below(900))*10 + a.r.Below(10)
	if a.w.imperial(a.self) {
		sqmi := a.extent * 386 / 100 // in hundredths
		return fmt.Sprintf("area_sq_mi = %d.%02d", sqmi/100, sqmi%100)
	}
	return fmt.Sprintf("area_km2 = %d.%d", a.extent/10, a.extent%10)
}

func (a *article) density() string {
	tenths := a.inhabitants * 100 / a.extent
	return fmt.Sprintf("%s.%d", grouped(tenths/10), tenths%10)
}

// measure is the length of a river or a lake, and how it is written; of a mountain it is the
// prominence.
func (a *article) measure() (n, form int) { return 12 + a.r.Below(700), a.r.Below(8) }

// rise is a row: the prominence of a mountain, above which $summit lies.
func (a *article) rise() string {
	a.prominence, _ = a.measure()
	return a.metres("prominence", a.prominence)
}

func (a *article) summit() string { return a.metres("elevation", a.prominence+20+a.r.Below(2400)) }

// metres is a row in the unit of the country.
func (a *article) metres(of string, n int) string {
	if a.w.imperial(a.self) {
		return fmt.Sprintf("%s_ft = %s", of, grouped(n*3281/1000))
	}
	return fmt.Sprintf("%s_m = %d", of, n)
}

// demonym is what belongs to a country is called.
func demonym(country string) string {
	for _, end := range []string{"istan", "land", "mark", "ia"} {
		if stem, ok := strings.CutSuffix(country, end); ok {
			return stem + map[bool]string{true: "ian", false: "ish"}[end == "ia"]
		}
	}
	return country
}

// chronicle tells what happened in the years of a country, without a link.
func (a *article) chronicle() string {
	var b strings.Builder
	r := a.stream("chronicle")
	for year := a.w.first + r.Below(4); year <= lastYear; year += 1 + r.Below(6) {
		fmt.Fprintf(&b, "* %d: %s\n", year, a.entry(r))
	}
	return b.String()
}

func (a *article) entry(r *rng.Stream) string {
	of := func(list string) string { return pick(r, text.Details[list]) }
	return fmt.Sprintf(pick(r, text.Chronicle), of("air"), of("craft"), of("cause"))
}
