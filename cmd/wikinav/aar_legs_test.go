package main

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/dumps/wikitext/wikitest"
	"github.com/wikinav/wikinav/schemas"
	stage "github.com/wikinav/wikinav/stages/aar"
)

// TestLegsOfTheDemo makes all legs of the demo in both profiles and holds them to the bounds of
// the specification.
func TestLegsOfTheDemo(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("makes 800 legs")
	}
	work := t.TempDir()
	for _, profile := range []string{stage.ProfileStrict, stage.ProfileReleased} {
		must(t, "build", "--only", "aar", "--texts", "on", "--work", work, "--build", profile,
			"--set", "aar.profile="+profile, "--progress", "none")
		err := (&workFlags{work: work, build: profile}).look(func(v *view) error {
			files, err := v.partFiles(aar.Part)
			if err != nil {
				return err
			}
			checkLegs(t, files, profile)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	legsAlone(t, work, stage.ProfileStrict, "aar-dag-hard-007", "aar-linear-easy-050",
		"aar-dag-extreme-001")
	legsAlone(t, work, stage.ProfileReleased, "aar-linear-medium-031")
}

// legsAlone holds legs that are made alone to their bytes among the others.
func legsAlone(t *testing.T, work, build string, ids ...string) {
	t.Helper()
	err := (&workFlags{work: work, build: build}).look(func(v *view) error {
		files, err := v.partFiles(aar.Part)
		for _, id := range ids {
			l, _, errLeg := aar.DecodeLeg([]byte(must(t, "aar", "leg", id, "--work", work, "--build",
				build)))
			if err = errors.Join(err, errLeg); err != nil {
				return err
			}
			part := strings.Split(id, "-")
			var all []byte
			all, err = files.Read(aar.LegsFile(part[1], part[2]))
			if err != nil || !bytes.Contains(all, append(aar.EncodeLine(l), '\n')) {
				t.Errorf("%s alone differs from that of the build %s", id, build)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// checkLegs holds the legs of a build to their promises, and its report to its bounds.
func checkLegs(t *testing.T, files release.Files, profile string) {
	t.Helper()
	var r aar.Report
	if err := files.Document(aar.ReportFile, &r); err != nil {
		t.Fatal(err)
	}
	for _, g := range r.Groups {
		if g.Made != 50 || g.Attempts > 10*g.Made {
			t.Errorf("%s %s %s: %d legs in %d attempts", profile, g.Variant, g.Level, g.Made,
				g.Attempts)
		}
		for _, name := range []string{"stops", "tool_stops", "reason_stops"} {
			m := g.Means[name]
			if profile == stage.ProfileReleased && math.Abs(decimal(t, m.Ours)/decimal(t,
				m.Released)-1) > 0.15 {
				t.Errorf("%s %s: %s are %s, want %s", g.Variant, g.Level, name, m.Ours, m.Released)
			}
		}
	}
	for flag, n := range r.Flags { // each by itself
		if n > 0 && flag != "saturated" {
			t.Errorf("%s: %d legs have the flag %s", profile, n, flag)
		}
	}
	checkRiddles(t, files, profile)
	if profile == stage.ProfileStrict {
		checkUses(t, r)
		checkBaselines(t, r)
	}
}

func decimal(t *testing.T, s string) float64 {
	t.Helper()
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// checkUses wants every template, diamond and transform twice, four fifths of the kinds of facts
// that the demo has, and no digit too often.
func checkUses(t *testing.T, r aar.Report) {
	t.Helper()
	for _, uses := range []map[string]int{r.Uses.Templates, r.Uses.Transforms, r.Uses.Diamonds} {
		for name, n := range uses { // each by itself
			if n < 2 {
				t.Errorf("%s occurs %d times", name, n)
			}
		}
	}
	offered, asked := 0, 0
	for kind, pages := range r.Uses.FactPages { // sums
		offered += min(1, pages)
		asked += min(1, r.Uses.Facts[kind])
	}
	if 5*asked < 4*offered || len(r.Uses.Diamonds) != 5 {
		t.Errorf("%d of %d kinds of facts are asked for, %d kinds of diamonds", asked, offered,
			len(r.Uses.Diamonds))
	}
	for digit, n := range r.Passcodes {
		if n > 400*16/100 {
			t.Errorf("%d of 400 passcodes are %d", n, digit)
		}
	}
}

// bounds of what baselines may get: FA, PVR, PVR without the seed, legs with all operands.
var bounds = map[string][4]float64{
	"golden": {1, 1, 1, 400}, "reader": {1, 1, 1, 400}, "random": {0.15, 0, 0, 0},
	"last-clue": {0.2, 0, 0, 0}, "no-fetch": {0.2, 0, 0, 0}, "paste": {0.2, 0.35, 0.05, 400},
}

// checkBaselines holds what baselines get at strict legs to the bounds: at all legs, at those of
// each level of both variants, and at each variant and level by itself. The FA of so few as the
// last, 50, may be two standard deviations above its bound: the passcode of 24 of 100 legs is
// guessed by chance, pages are not.
func checkBaselines(t *testing.T, r aar.Report) {
	t.Helper()
	levels := map[[2]string]float64{}
	for _, b := range r.Baselines {
		most, fa := bounds[b.Player], decimal(t, b.FA)
		bound := most[0]
		if b.Variant != aar.ReportAll {
			bound += 2 * math.Sqrt(bound*(1-bound)/float64(b.Legs))
			levels[[2]string{b.Player, b.Level}] += fa / float64(len(schemas.AARVariants))
		}
		if fa > bound || decimal(t, b.PVR) > most[1] || decimal(t, b.PVRSeedless) > most[2] ||
			float64(b.AllKnown) > most[3] {
			t.Errorf("%+v, want at most %v", b, most)
		}
		if most[0] == 1 && (b.FA != "1.0000" || b.PVR != "1.0000" || b.RCR != "1.0000") {
			t.Errorf("%+v, want 1", b)
		}
	}
	for _, level := range schemas.AARLevels {
		for player, most := range bounds { // each by itself
			if fa := levels[[2]string{player, level}]; fa > most[0] || player == "random" && fa < 0.05 {
				t.Errorf("%s has %.3f at %s legs, want at most %.2f", player, fa, level, most[0])
			}
		}
	}
}

// checkRiddles reads every leg as a stranger would: addresses, dates, and how often each wording
// of a slot occurs.
func checkRiddles(t *testing.T, files release.Files, profile string) {
	t.Helper()
	seen, wordings := map[string]bool{}, map[string]map[int]int{}
	for _, variant := range schemas.AARVariants {
		for _, level := range schemas.AARLevels {
			data, err := files.Read(aar.LegsFile(variant, level))
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
				l, err := aar.DecodeLine(line)
				if err != nil {
					t.Fatal(err)
				}
				if seen[l.Riddle] || l.GeneratedAt != "2026-01-01T00:00:00.000000+00:00" ||
					strings.Count(string(line), "https://") != strings.Count(string(line),
						"https://demo.invalid/wiki/") {
					t.Errorf("%s: a riddle twice, a date or an address of another wiki",
						aar.LegIDIn(variant, l))
				}
				seen[l.Riddle] = true
				for _, text := range aar.SplitRiddle(l.Riddle) {
					c := aar.ReadClue(text)
					if len(c) != 1 {
						t.Fatalf("%q is read in %d ways", text, len(c))
					}
					if wordings[c[0].Slot] == nil {
						wordings[c[0].Slot] = map[int]int{}
					}
					wordings[c[0].Slot][c[0].Wording]++
				}
			}
		}
	}
	for slot, counts := range wordings { // each by itself
		all, most := 0, 0
		for _, n := range counts { // sum and maximum
			all, most = all+n, max(most, n)
		}
		if all >= 100 && 100*most > 35*all {
			t.Errorf("%s: a wording of %s makes up %d of %d clues", profile, slot, most, all)
		}
	}
}

// TestLegsOfARealWiki makes legs of a wiki with dates and numbers of its own kinds, and without
// coordinates or countries.
func TestLegsOfARealWiki(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("reads a whole wiki")
	}
	wikitest.Shared(t, wikitest.Genshin, wikitest.GenshinSum)
	work := t.TempDir()
	must(t, "build", "--only", "aar", "--texts", "on", "--set", "aar.legs=3", "--work", work, "--dump",
		shared(t, wikitest.Genshin), "--progress", "none")
	err := (&workFlags{work: work, build: "default"}).look(func(v *view) error {
		files, err := v.partFiles(aar.Part)
		if err != nil {
			return err
		}
		var r aar.Report
		err = files.Document(aar.ReportFile, &r)
		for _, g := range r.Groups {
			if want := map[string]int{"linear": 3}[g.Variant]; g.Made != want {
				t.Errorf("%s %s: %d legs, want %d", g.Variant, g.Level, g.Made, want)
			}
		}
		for flag, n := range r.Flags { // each by itself
			if n > 0 {
				t.Errorf("%d legs have the flag %s", n, flag)
			}
		}
		for _, b := range r.Baselines {
			if b.Legs > 0 && (b.Player == "golden" || b.Player == "reader") && b.FA != "1.0000" {
				t.Errorf("%s gets %s of %s %s", b.Player, b.FA, b.Variant, b.Level)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
