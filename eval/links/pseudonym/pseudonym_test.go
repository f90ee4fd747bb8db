package pseudonym

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
)

func names(t testing.TB, nodes int, seed uint64, titles ...string) *Names {
	t.Helper()
	n, err := New(nodes, "digest", seed, slices.Values(titles))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestNamesAreTheSameEverywhere fails when names change: then those of past runs are others.
func TestNamesAreTheSameEverywhere(t *testing.T) {
	for seed, want := range map[uint64]string{
		0: "Kozwuzteb a48d6d7d90364b2b",
		7: "Lufjizhiv 7ce4c33cfe7c05ec",
	} {
		n, h := names(t, 20_000, seed), sha256.New()
		for u := range uint32(20_000) {
			fmt.Fprintln(h, n.Of(u))
		}
		if got := fmt.Sprintf("%s %x", n.Of(0), h.Sum(nil)[:8]); got != want {
			t.Errorf("seed %d: %s, want %s", seed, got, want)
		}
	}
}

func TestNoTwoNodesHaveOneName(t *testing.T) {
	const nodes = 300_000
	plain := names(t, nodes, 3)
	var own []string // every tenth name is a word of a title
	for u := uint32(0); u < nodes; u += 10 {
		own = append(own, "The "+plain.Of(u))
	}
	for _, n := range []*Names{plain, names(t, nodes, 3, own...)} {
		seen := make(map[string]uint32, nodes)
		for u := range uint32(nodes) {
			name := n.Of(u)
			if first, twice := seen[name]; twice {
				t.Fatalf("nodes %d and %d are both %s", first, u, name)
			}
			if v, ok := n.Node(name); !ok || v != u {
				t.Fatalf("%s is node %d, not %d: %v", name, u, v, ok)
			}
			seen[name] = u
		}
	}
}

func TestWhatIsNoNameHasNoNode(t *testing.T) {
	n, other := names(t, 50, 0), names(t, 51, 0)
	for _, name := range []string{
		"", "Paris", "Qwertyuio", other.Of(50), strings.ToLower(n.Of(1)), n.Of(1) + "x", n.Of(1)[:8] + "é",
		names(t, 50, 0, n.Of(7)).Of(7), n.Of(1) + n.Of(2),
	} {
		if u, ok := n.Node(name); ok {
			t.Errorf("%q is node %d", name, u)
		}
	}
}

// TestMixIsUndone shows on samples what the package comment proves, for each number of syllables.
func TestMixIsUndone(t *testing.T) {
	for _, nodes := range []int{1, 7_000_000, 9_000_000, 9_000_001, 2_700_000_001} {
		n, s := names(t, nodes, 1), rng.New(1, "places")
		for i := range 20_000 {
			place := s.Uint64() % n.size
			if i < 2 {
				place = uint64(i) * (n.size - 1)
			}
			if number := n.mix(place); number >= n.size || n.unmix(number) != place {
				t.Fatalf("%d nodes: place %d is number %d, of place %d", nodes, place, number, n.unmix(number))
			}
		}
		if want := 3 + min(nodes/9_000_001, 1) + nodes/2_700_000_001; n.syllables != want {
			t.Errorf("%d nodes: %d syllables", nodes, n.syllables)
		}
	}
}

func TestNamesAreWordsThatCanBeSaid(t *testing.T) {
	said := regexp.MustCompile(`^[BDGHJKLMNPRSTWY][aeiou][bfvz]([bdghjklmnprstwy][aeiou][bfvz]){2}$`)
	n := names(t, 20_000, 0)
	first := map[string]int{}
	for u := range uint32(20_000) {
		name := n.Of(u)
		if !said.MatchString(name) {
			t.Fatalf("node %d is %s", u, name)
		}
		first[name[:3]]++
	}
	if len(first) != base {
		t.Errorf("names begin with %d of %d syllables", len(first), base)
	}
	for syllable, times := range first { // 67 are expected
		if times > 120 {
			t.Errorf("%d of 20,000 names begin with %s", times, syllable)
		}
	}
}

// TestWordsOfTitlesAreNoNames holds titles against names in any case, and in letters that fold to
// others.
func TestWordsOfTitlesAreNoNames(t *testing.T) {
	plain := names(t, 50, 0)
	for u := range uint32(50) {
		word := plain.Of(u)
		for _, title := range []string{
			word, strings.ToUpper(word), "The " + strings.ToLower(word) + "-1 (film)", "a_" + word,
			strings.NewReplacer("s", "ſ", "k", "\u212A").Replace(strings.ToLower(word)),
		} {
			if got := names(t, 50, 0, "Å", title).Of(u); strings.EqualFold(got, word) {
				t.Errorf("node %d is %s, a word of %s", u, got, title)
			}
		}
		for _, title := range []string{word + "a", "x" + word, word[1:], "é" + word} {
			if got := names(t, 50, 0, title).Of(u); got != word {
				t.Errorf("node %d is %s and not %s, for %s", u, got, word, title)
			}
		}
	}
}

func TestAGraphWhoseTitlesTakeAllWordsIsRefused(t *testing.T) {
	n := names(t, 8_000_000, 0)
	all := []string{}
	for place := uint64(5); place < n.size; place += n.nodes {
		all = append(all, n.spell(n.mix(place)))
	}
	for i := range all { // all but one leave one
		rest := slices.Delete(slices.Clone(all), i, i+1)
		if got := names(t, 8_000_000, 0, rest...).Of(5); got != all[i] {
			t.Errorf("node 5 is %s, want %s", got, all[i])
		}
	}
	_, err := New(8_000_000, "digest", 0, slices.Values(all))
	if !errors.Is(err, fault.Usage) || !strings.Contains(err.Error(), "node 5") {
		t.Errorf("got %v", err)
	}
}

// common are words that are frequent in English, German, French and Spanish texts, most of them
// of nine letters or of syllables that names have.
const common = `
	about after again always another because before between business children community companies
	country different education following important including knowledge something sometimes themselves
	together university without abdomen habitat nobody somebody lovebird survivor subsurvey webfeed
	aber allgemein arbeiten beispiel besonders bereitet deutsch gegenüber geschichte gesellschaft
	hauptstadt jedenfalls menschen natürlich offenbar personen probieren richtung schreiben sprache
	vielleicht wichtiger zwischen lebhaft lobgesang rufname taufbecken
	avant beaucoup cependant certaines comment continuer dernière différent ensemble également
	histoire important jusqu'à longtemps maintenant naissance personne plusieurs politique quelqu'un
	rapidement seulement toujours travailler véritable
	además alguno aunque ciudadano cualquier desarrollo después diferente durante ejemplo entonces
	gobierno hermano historia importante mientras movimiento necesario nosotros personas población
	principal siempre también trabajador verdadero subdividir rebozado`

func TestNoCommonWordHasTheFormOfAName(t *testing.T) {
	if n := names(t, 1, 0, common); n.Taken() != 0 {
		t.Errorf("%d of them have", n.Taken())
	}
}

// BenchmarkAMillionTitles is what a large graph costs when a game begins, and what each name does:
// where no title holds a name, and where every title does.
func BenchmarkAMillionTitles(b *testing.B) {
	const nodes = 1_000_000
	of, titles := names(b, nodes, 99), [2][]string{}
	for u := range uint32(nodes) {
		word := of.Of(u)
		titles[0] = append(titles[0], word[:7]+" of the "+word[1:]+"um")
		titles[1] = append(titles[1], "The "+word+" of "+word[:4])
	}
	for i, what := range []string{"ordinary", "hostile"} {
		b.Run(what, func(b *testing.B) {
			for b.Loop() {
				measure(b, nodes, titles[i])
			}
		})
	}
}

func measure(b *testing.B, nodes int, titles []string) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := time.Now()
	n := names(b, nodes, 0, titles...)
	read := time.Since(start)
	runtime.GC()
	runtime.ReadMemStats(&after)
	start = time.Now()
	for u := range uint32(nodes) {
		_ = n.Of(u)
	}
	b.ReportMetric(float64(time.Since(start).Nanoseconds())/float64(nodes), "ns/name")
	b.ReportMetric(float64(read.Nanoseconds())/float64(nodes), "ns/title")
	b.ReportMetric(float64(int64(after.HeapAlloc)-int64(before.HeapAlloc)), "B")
	b.ReportMetric(float64(n.Taken()), "taken")
}
