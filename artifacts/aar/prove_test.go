package aar

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/release"
)

var _ release.Prover = part{}

// TestTheProofSharesNothing holds the proof to its word: of what the other files of the package
// declare it names the few things that say where something stands, and no function.
func TestTheProofSharesNothing(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	set, files := token.NewFileSet(), []*ast.File(nil)
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Error: func(error) {}} // other packages are not read
	pkg, _ := config.Check("aar", set, files, &info)
	used := map[string]bool{}
	for id, what := range info.Uses {
		in := func(p token.Pos) bool { return set.Position(p).Filename == "prove.go" }
		if in(id.Pos()) && !in(what.Pos()) && what.Pkg() == pkg {
			used[what.Name()] = true
		}
	}
	fields := "Area Country Elevation Kind Lat Lng Located Population Settlement"
	shared := strings.Fields("AliasesFile IndexFile Place PlacesFile TextsFile part table T " + fields)
	for name := range used {
		if !slices.Contains(shared, name) {
			t.Errorf("the proof uses %s, which another file of the package declares", name)
		}
	}
	if len(used) < 7 {
		t.Errorf("it uses %v, want most of %v", used, shared)
	}
}

// hardTexts are texts whose place, links and tokens are hard to read.
func hardTexts() []string {
	rows := strings.Split(`| Elevation (m) | 893 |
| Elevation (m) | −12 |
| Elevation (m) | c. 12 |
| Elevation (m) | 12 (about) |
| Elevation (m) | 12,34 |
| Elevation (m) | 1,234.50 m |
| Elevation (m) | 12 ft |
| Elevation (m) | [12 m](/wiki/12) |
| Elevation (m) | [1](/wiki/1)2 [3](/wiki/b c) |
| Elevation | 12 metres |
| Elevation | 12 |
| Elevation | 12 m · 13 m |
| Elevation (ft) | 12 |
| Elevation (m) | 12 |\n| Elevation (ft) | 39 |
| Elevation (m) | 12 |\n| Elevation | 13 m |
| Elevation (m) | 12 |\n| Elevation | about 13 m |
| Elevation | 13 m |\n| Elevation (m) | about 12 |
| Elevation (m) | 12 |\n| Elevation (m) | 12 |
| Population estimate | 9,000 |\n| Population census | 8,000 |\n| Area (km²) | 5.0 |
| Population estimate | some |\n| Population census | 8,000 (2011) |\n| Area (km²) | 5 ha |
| Population estimate | 9,000 m |\n| Area (km²) | 5 km2 |
| Type | Museum |\n| Structural type | Park |
| Building type | [Art_museum](/wiki/Art) |
| Building type | House |\n| Type | Museum |
| Coordinates | 24°3′14″S 65°55′9″E |
| Coordinates | 24°S 65°E |
| Coordinates | 24.5°S 180°W |
| Coordinates | 24°30″S 65°E |
| Coordinates | 0°0′0.0018″N 0.0000005°W |
| Coordinates | 90.0000004°N 180.0000005°W |
| Coordinates | 91°N 0°E |
| Coordinates | 24°3′14″S65°55′9″E |
| Coordinates | 24°3′14″ 65°55′9″E |
| Coordinates | 24°3.5.1′S 65°E |
| Coordinates | 24°S 65°E |\n| Coord | 24°S 66°E |
| Coordinates | 24°S 65°E |\n| Coord | 24°S 65°E |
| Coord | 24°S 65°E |\n| Coordinates | nowhere |`, "\n")
	prose := []string{
		"", "It lies 894 m above sea level.", "Its elevation is 12 m. It has 900 metres of walls.", "The altitude, 12.0 m or 39 ft.",
		"Relevations of 900 m.", "[An elevation](/wiki/A_(b)) of [900](/wiki/900) m", "elevation: x900 m, 12 m", "Elevation 900 sq mi, 900-metre",
	}
	var all []string
	for _, box := range []string{"settlement", "country", "building", "Museum", "UK_place", "Infobox park", "[town](/wiki/Town)", ""} {
		for _, r := range rows {
			for _, p := range prose {
				all = append(all, oneRow(box, strings.ReplaceAll(r, `\n`, "\n"), p))
			}
		}
	}
	return append(all, "", "# T", "# T\n\n| Infobox |", "| Infobox | country |", "| Infobox | country |\n| Area (km²) | 5")
}

func TestTheProofReadsPlacesAsTheStageDoes(t *testing.T) {
	found := 0
	for _, text := range hardTexts() {
		want, ok := PlaceOf(text, Facts(text, 2026))
		got := placeInText(text)
		if got != want || (got.Located || got.Country) != ok {
			t.Errorf("%q:\ngot  %+v\nwant %+v", text, got, want)
		}
		if ok {
			found++
		}
	}
	if found < 400 {
		t.Errorf("%d places", found)
	}
}

func FuzzTheProofReadsAsTheStageDoes(f *testing.F) {
	for _, seed := range []string{
		"2,385 people", "1,23 12,3456 1,234,5 1,234,567.8x", "656.4 km² 3.4.5 1234,567", "Éire's ﬁsh İstanbul ΣΑΣ 1st, 3.",
		"[x ] z](/wiki/B) [ [y](/wiki/a)", "[a [b](/wiki/B) c](/wiki/C) ](/wiki/D", "[a](/wiki/B b) [](/wiki/)", "x2,385.5y,123.4", "１，２３４ ½ ٣,٤٥٦",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "")
		if got, want := tokensOf([]string{text}), Tokens(text); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		line, _, _ := strings.Cut(text, "\n")
		got, n := shownOf(line)
		if want, m := unlink(line); got != want || n != m {
			t.Errorf("%q: got %q with %d links, want %q with %d", line, got, n, want, m)
		}
		box := oneRow("building", "| Coordinates | 1°S 2°E |\n| Elevation (m) | "+line+" |\n| Type | "+line+" |", text)
		if got, want := placeInText(box), first2(PlaceOf(box, Facts(box, 2026))); got != want {
			t.Errorf("%q: got %+v, want %+v", box, got, want)
		}
	})
}

func first2(p Place, _ bool) Place { return p }
