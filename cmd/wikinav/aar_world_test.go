package main

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/dumps/wikitext/wikitest"
)

// wikiWorlds are the worlds of whole wikis, with what their stage counts: pages, those with a number
// or date fact, those with coordinates, countries with population and area, and located pages of the
// largest component that state an elevation.
var wikiWorlds = []struct {
	dump, sum string // "" for the demo
	counters  [5]int64
}{
	{"", "", [5]int64{17_468, 16_287, 7_600, 23, 5_794}},
	{wikitest.EnwikiSample, wikitest.EnwikiSampleSum, [5]int64{106, 23, 0, 7, 0}},
	{wikitest.Sotho, wikitest.SothoSum, [5]int64{8_563, 661, 8, 75, 0}},
	{wikitest.Genshin, wikitest.GenshinSum, [5]int64{15_490, 4_894, 0, 0, 0}},
}

var worldCounters = [5]string{
	"pages", "pages_with_number_or_date", "pages_with_coordinates", "countries_with_population_and_area",
	"scc_located_with_elevation",
}

// TestWorldsOfWholeWikis builds the world of the demo, of the English sample and of two real wikis.
// Each text has no braces left; the row of each fact stands in it once; each title is found again
// by its address; each counter is what it was counted to be.
func TestWorldsOfWholeWikis(t *testing.T) {
	t.Parallel()
	for _, c := range wikiWorlds {
		t.Run(path.Base(c.dump), func(t *testing.T) {
			work := t.TempDir()
			args := []string{
				"build", "--only", "aar", "--texts", "on", "--set", "aar.legs=0", "--work", work,
				"--progress", "none",
			}
			if c.dump != "" {
				wikitest.Shared(t, c.dump, c.sum)
				args = append(args, "--dump", shared(t, c.dump))
			}
			must(t, args...)
			err := (&workFlags{work: work, build: "default"}).look(func(v *view) error {
				files, err := v.partFiles(aar.Part)
				if err != nil {
					return err
				}
				for i, name := range worldCounters {
					if got := files.Counters[name]; got != c.counters[i] {
						t.Errorf("%s: got %d, want %d", name, got, c.counters[i])
					}
				}
				checkWorld(t, files)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

func checkWorld(t *testing.T, files release.Files) {
	t.Helper()
	w, err := aar.OpenWorld(files)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	kinds := map[string]int{}
	for i := range w.Len() {
		text := w.Text(i).Text
		if strings.Contains(text, "{{") {
			t.Errorf("%s: braces in %.300q", w.Title(i), text)
		}
		if got, ok := w.Page(w.URL(i)); !ok || got != i || !strings.HasPrefix(w.URL(i), w.Base) {
			t.Errorf("%s: %s opens page %d (%t), want %d", w.Title(i), w.URL(i), got, ok, i)
		}
		for _, f := range w.Facts(i) {
			kinds[f.Kind]++
			if n := rowsOf(text, f); n != 1 {
				t.Errorf("%s: the row of %s, %q, stands %d times", w.Title(i), f.Kind, f.Label, n)
			}
		}
	}
	var said []string
	for kind, n := range kinds {
		said = append(said, fmt.Sprintf("%s %d", kind, n))
	}
	slices.Sort(said)
	t.Logf("%d pages, counters %v, facts: %s", w.Len(), files.Counters, strings.Join(said, ", "))
}

// rowsOf counts the lines of the infobox of a text that are the row of a fact: whole, with its
// label and value. Another table may have a column of that label.
func rowsOf(text string, f aar.Fact) (n int) {
	_, box, _ := strings.Cut("\n"+text, "\n| Infobox |")
	box, _, _ = strings.Cut(box, "\n\n")
	for line := range strings.SplitSeq(box, "\n") {
		cells := strings.SplitN(line, " | ", 2)
		if cells[0] == "| "+f.Label && len(cells) == 2 && strings.HasSuffix(line, " |") {
			n++
		}
	}
	return n
}
