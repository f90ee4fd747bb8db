package aar

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// atlas is a small world: towns, mountains, churches, museums and people of eight countries that
// link to each other.
type atlas struct {
	pages []schemas.Text
	links map[string][]string
	r     *rng.Stream
}

func (a *atlas) word() string {
	return []string{
		"Bar", "Kel", "Mor", "Tes", "Vul", "Zan", "Dri", "Fos", "Gul",
		"Hem",
	}[a.r.Below(10)] +
		[]string{"an", "ek", "il", "or", "us", "ay"}[a.r.Below(6)] +
		[]string{"dar", "mit", "vos", "len", "gor", "tak", "shi"}[a.r.Below(7)]
}

func (a *atlas) of(list ...string) string { return list[a.r.Below(len(list))] }

// add adds a page with an infobox and links to others.
func (a *atlas) add(title, short, box string, rows []string, lead string, links []string) {
	if a.links[title] != nil {
		return
	}
	text := "# " + title + "\n" + short + "\n\n| Infobox | " + box + " |\n| --- | --- |\n"
	for _, r := range rows {
		text += "| " + r + " |\n"
	}
	text += "\n" + title + " is " + lead + ".\n"
	for k, part := range []string{"History", "Land", "People", "Works"} {
		text += "\n## " + part + "\n"
		for i := k; i < len(links); i += 4 {
			text += "It has to do with [" + links[i] + "](/wiki/" + strings.ReplaceAll(links[i],
				" ", "_") + ").\n"
		}
	}
	a.links[title] = links
	a.pages = append(a.pages, schemas.Text{
		PageID: uint32(3*len(a.pages) + 1), Title: title, ShortDescription: short,
		Text: strings.TrimSpace(text), Chars: uint32(len([]rune(strings.TrimSpace(text)))),
	})
}

// newAtlas writes the pages. Each links to some twenty others of a list of names that is drawn
// first.
func newAtlas() *atlas {
	a := &atlas{links: map[string][]string{}, r: rng.New(7, "atlas")}
	var names []string
	for len(names) < 700 {
		name := a.word() + " " + a.word()
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	countries := []string{
		"Aldoria", "Brenland", "Corvania", "Dornmark", "Elvessia", "Frosmark",
		"Galdinia", "Hostria",
	}
	linksOf := func(i int) (list []string) {
		for k := range 22 {
			list = append(list, names[(i+1+k*k*7+a.r.Below(40))%len(names)])
		}
		list = append(list, countries[i%8])
		slices.Sort(list)
		return slices.Compact(list)
	}
	for i, name := range countries {
		a.add(name, "Country of the "+a.of("north", "south", "east")+" with "+a.of("salt lakes",
			"tall cliffs", "wide plains"), "country", []string{
			"Coordinates | " + point(i*30, 0), fmt.Sprintf("Capital | %s", names[i]),
			fmt.Sprintf("Population estimate | %d,%03d,000", 2+i, 7*i+100),
			fmt.Sprintf("Area (km²) | %d", 30000+777*i), "Government type | " + a.of("Kingdom",
				"Republic", "Duchy"),
		}, "a country that is known for "+a.of("iron", "wool", "ships")+" and for "+a.of("choirs",
			"fairs", "horses"), linksOf(i))
	}
	for i, name := range names {
		here := countries[i%8]
		kind := a.of("town", "village", "port", "spa")
		where := point(a.r.Below(9)*30, i)
		switch i % 7 {
		case 5:
			a.add(name, a.of("Writer", "Painter", "Sailor")+" of "+a.of("plays", "maps", "songs",
				"hymns"), "person", []string{
				fmt.Sprintf("Birth date | %d May %d", 1+a.r.Below(28), 1700+a.r.Below(200)),
				"Birth place | " + names[(i+9)%700],
				"Nationality | " + here, "Occupation | " + a.of("Writer", "Painter", "Sailor"),
			}, "a "+a.of("writer", "painter", "sailor")+" who "+a.of("crossed", "mapped",
				"praised")+" the "+a.of("moors", "reefs", "dunes", "glens"), linksOf(i))
		case 6:
			a.add(name, strings.ToUpper(kind[:1])+kind[1:]+" church", a.of("church", "museum"),
				[]string{
					"Location | " + names[(i+3)%700], "Coordinates | " + where,
					fmt.Sprintf("Opened | %d", 1600+a.r.Below(400)),
					fmt.Sprintf("Height (m) | %d", 12+a.r.Below(90)), fmt.Sprintf("Capacity | %d",
						100+a.r.Below(3000)),
				}, "the "+a.of("oldest", "tallest", "widest")+" hall beside the "+a.of("canal",
					"bridge", "market"), linksOf(i))
		default:
			a.add(name, strings.ToUpper(kind[:1])+kind[1:]+" in the "+a.of("valley", "hills",
				"delta"), "settlement", []string{
				"Country | " + here, "Coordinates | " + where,
				fmt.Sprintf("Established date | %d June %d", 1+a.r.Below(28),
					1200+a.r.Below(700)),
				fmt.Sprintf("Population total | %d,%03d", 1+a.r.Below(80), a.r.Below(1000)),
				fmt.Sprintf("Area (km²) | %d.%d", 10+a.r.Below(700), a.r.Below(10)),
				fmt.Sprintf("Elevation (m) | %d", 2+a.r.Below(3000)),
			}, "a "+kind+" with "+a.of("a mint", "a ferry", "a tannery",
				"a kiln")+" on the "+a.of("upper", "lower", "old", "new")+" "+
				a.of("road", "river", "coast"), linksOf(i))
		}
	}
	return a
}

// point returns coordinates near one of the centers of the map.
func point(center, i int) string {
	return fmt.Sprintf("%d.%04d°N %d.%04d°E", 10+center%60, 37*i%2000, 5+center/2, 91*i%2000)
}

// aliases returns another name of every page.
func (a *atlas) aliases() (list []aar.Alias) {
	for i, p := range a.pages {
		list = append(list, aar.Alias{Name: fmt.Sprint("Ancient ", strings.ToUpper(p.Title[:3]),
			"ia", i), PageID: p.PageID})
	}
	return list
}

// field returns what the generator knows of the atlas.
func (a *atlas) field(t testing.TB) *field {
	t.Helper()
	site := aar.Site{Base: "https://test.example/wiki/", Language: "en", Year: 2026}
	return a.fieldOf(t, aar.NewWorld(site, a.pages, a.aliases()))
}

// fieldOf returns what it knows of a world of some of the pages.
func (a *atlas) fieldOf(t testing.TB, w *aar.World) *field {
	t.Helper()
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	f, err := newField(t.Context(), &aar.Tools{World: w}, a.graph(), func(int) uint16 { return 0 }, day, 2, func() {})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// graph returns the links between the pages.
func (a *atlas) graph() *graph.Graph {
	node := map[string]uint32{}
	var titles []string
	g := &graph.Graph{}
	for u, p := range a.pages {
		node[p.Title] = uint32(u)
		g.PageIDs, titles = append(g.PageIDs, p.PageID), append(titles, p.Title)
	}
	succ, pred := make([][]uint32, len(titles)), make([][]uint32, len(titles))
	for u, title := range titles {
		for _, to := range a.links[title] {
			if v, ok := node[to]; ok && int(v) != u {
				succ[u] = append(succ[u], v)
			}
		}
		slices.Sort(succ[u])
		for _, v := range succ[u] {
			pred[v] = append(pred[v], uint32(u))
		}
	}
	g.Titles, g.Succ, g.Pred = arrowio.MakeStrings(titles), rowsOf(succ), rowsOf(pred)
	return g
}

func rowsOf(rows [][]uint32) graph.CSR {
	c := graph.CSR{Offsets: []int32{0}}
	for _, r := range rows {
		c.Values = append(c.Values, r...)
		c.Offsets = append(c.Offsets, int32(len(c.Values)))
	}
	return c
}

// atlasField is read once.
var atlasField = sync.OnceValue(func() func(t testing.TB) *field {
	var f *field
	return func(t testing.TB) *field {
		if f == nil {
			f = newAtlas().field(t)
		}
		return f
	}
})()

// params returns those of a profile.
func params(profile string) Params {
	p := Default()
	p.Profile = profile
	return p
}

// some makes the first legs of each variant and level.
func some(t *testing.T, p Params, n int) (list []drawn) {
	t.Helper()
	m := newMaker(t.Context(), atlasField(t), p)
	p.Legs = n
	for _, x := range p.ids() {
		d, err := m.draw(x)
		if err != nil {
			t.Fatal(err)
		}
		if d.made == nil {
			t.Errorf("%s %s %d: no leg: %s", x.variant, x.level, x.number, reasons(d.failed))
			continue
		}
		list = append(list, d)
	}
	return list
}

func TestLegsKeepWhatIsPromisedOfThem(t *testing.T) {
	tools := &aar.Tools{World: atlasField(t).World}
	for _, profile := range []string{ProfileStrict, ProfileReleased} {
		attempts, legs := 0, some(t, params(profile), 3)
		for _, d := range legs {
			l := d.made.leg
			attempts += d.attempts
			name := aar.LegIDIn(d.variant, l)
			if issues := aar.Validate(l, false); len(issues) > 0 {
				t.Errorf("%s: %+v", name, issues)
			}
			if x := tools.Execute(t.Context(), l); !x.Golden {
				t.Errorf("%s is not golden: %+v", name, x)
			}
			if list := aar.MisreadClues(l); len(list) > 0 {
				t.Errorf("%s: %+v", name, list)
			}
			if leaks := aar.Leaks(tools.World, l); len(leaks) > 0 {
				t.Errorf("%s: %+v", name, leaks)
			}
			again, newline, err := aar.DecodeLeg(aar.EncodeLeg(l, true))
			if err != nil || !newline ||
				string(aar.EncodeLine(again)) != string(aar.EncodeLine(l)) {
				t.Errorf("%s is read as another leg: %v", name, err)
			}
			checkCounts(t, name, profile, d)
		}
		t.Logf("%s: %d attempts at %d legs", profile, attempts, len(legs))
	}
}

// checkCounts holds a leg to the numbers of its level, and a strict one to its floor.
func checkCounts(t *testing.T, name, profile string, d drawn) {
	t.Helper()
	a := aar.AuditOf(aar.File{Variant: d.variant, Level: d.level, Leg: d.made.leg})
	_, diamonds := aar.LevelOf(d.level)
	if d.variant == "dag" && (a.Diamonds < diamonds[0] || a.Diamonds > diamonds[1]) ||
		d.variant == "linear" && a.Diamonds > 0 {
		t.Errorf("%s has %d diamonds", name, a.Diamonds)
	}
	if profile != ProfileStrict {
		return
	}
	if share := 100 * len(a.DepCone) / (a.Stops - 1); share < floors[d.level] {
		t.Errorf("%s: the cone has %d %% of the stops, want %d %%", name, share, floors[d.level])
	}
	reads := slices.ContainsFunc(a.Cone, func(i int) bool {
		return i > 0 &&
			d.made.leg.Stops[i].Type == schemas.AARPage
	})
	if !reads || a.Page < 2 {
		t.Errorf("%s: %d pages, and none after the seed decides the code: %v", name, a.Page, a.Cone)
	}
}

func TestALegIsTheSameAloneAndAfterOthers(t *testing.T) {
	legs := some(t, params(ProfileStrict), 2)
	slices.Reverse(legs)
	m := newMaker(t.Context(), atlasField(t), params(ProfileStrict))
	for _, d := range legs {
		again, err := m.draw(d.id)
		if err != nil || again.attempts != d.attempts ||
			string(aar.EncodeLine(again.made.leg)) != string(aar.EncodeLine(d.made.leg)) {
			t.Errorf("%+v: another leg in another order (%v)", d.id, err)
		}
	}
}

// TestLegsStayInsideTheWorld makes legs of a world that lacks half of the pages of its graph.
func TestLegsStayInsideTheWorld(t *testing.T) {
	a := newAtlas()
	whole := a.field(t)
	half := aar.NewWorld(whole.Site, a.pages[:350], nil)
	f := a.fieldOf(t, half)
	inside := 0
	for i, in := range f.inside {
		if in {
			inside++
			continue
		}
		if f.usable[i] {
			t.Errorf("%s is outside the component, and legs may lead to it", f.Title(i))
		}
	}
	if inside < 300 || inside > 350 {
		t.Errorf("%d of 350 pages are in the component", inside)
	}
	m, made := newMaker(t.Context(), f, params(ProfileStrict)), 0
	for n := range 3 {
		d, err := m.draw(id{"dag", "hard", n + 1})
		if err != nil {
			t.Fatal(err)
		}
		if d.made == nil {
			continue
		}
		made++
		for _, s := range d.made.leg.Stops {
			if s.PageURL == nil {
				continue
			}
			if i, ok := half.Page(*s.PageURL); !ok || !f.inside[i] {
				t.Errorf("leg %d leads to %s", n, *s.PageURL)
			}
		}
	}
	if made == 0 {
		t.Error("there is no leg")
	}
}

// TestTheSeedAloneIsNotMoreThanPasteMayFetch draws the numbers of stops of many legs: of those of
// the profile strict, whose gate lets the search find few pages, the seed alone must not make up
// more than paste may fetch.
func TestTheSeedAloneIsNotMoreThanPasteMayFetch(t *testing.T) {
	const legs, most = 3000, 0.35
	m := &maker{p: params(ProfileStrict)}
	for _, variant := range schemas.AARVariants {
		for _, name := range schemas.AARLevels {
			level, _ := aar.LevelOf(name)
			sum, least := 0.0, level.Depth[1]
			for n := range legs {
				c := m.counts(id{variant, name, n}, 0)
				depth := c.pages + c.tools + 1
				if depth < level.Depth[0] || depth > level.Depth[1] || c.tools < level.Tools[0] ||
					c.tools > level.Tools[1] {
					t.Fatalf("%s %s %d: %+v is outside the level", variant, name, n, c)
				}
				sum, least = sum+1/float64(c.pages), min(least, c.pages)
			}
			if sum/legs > most || name == schemas.AARLevels[0] && 1/float64(least) > most {
				t.Errorf("%s %s: the seed is %.3f of the pages, of %d at least; want at most %.2f",
					variant, name, sum/legs, least, most)
			}
		}
	}
}
