package titles

import (
	"strings"
	"testing"
)

func TestDatePatterns(t *testing.T) {
	for _, c := range []struct {
		lang, title string
		want        bool
	}{
		{"de", "1990", true},
		{"de", "44 v. Chr.", true},
		{"de", "1. Mai", true},
		{"de", "Mai 1968", true},
		{"de", "1990er", true},
		{"de", "19. Jahrhundert", true},
		{"de", "32. Mai", false},
		{"de", "1995er", false},
		{"de", "Mai", false},
		{"de", "1. Mais", false},
		{"es", "1 de mayo", true},
		{"es", "Mayo de 1968", true},
		{"es", "Años 1990", true},
		{"es", "Siglo XX", true},
		{"es", "Siglo de Oro", false},
		{"fr", "1er mai", true},
		{"fr", "2 mai", true},
		{"fr", "Années 1990", true},
		{"fr", "XXe siècle", true},
		{"fr", "44 av. J.-C.", true},
		{"fr", "e siècle", false},
		{"it", "1º maggio", true},
		{"it", "Anni 1960", true},
		{"it", "Anni '60", true},
		{"it", "XX secolo", true},
		{"it", "Anni '65", false},
		{"ltg", "18 godu symts", true},
		{"ltg", "Symts", false},
		{"nl", "2 mei", true},
		{"nl", "20e eeuw", true},
		{"nl", "Januari 2000", true},
		{"nl", "007", false},
		{"pl", "1 maja", true},
		{"pl", "XX wiek", true},
		{"pl", "Lata 90. XX wieku", true},
		{"pl", "1 maj", false},
		{"pt", "Século XX", true},
		{"pt", "Década de 1990", true},
		{"pt", "1 de maio", true},
		{"pt", "Década de 1995", false},
		{"ru", "1990 год", true},
		{"ru", "44 год до н. э.", true},
		{"ru", "1 мая", true},
		{"ru", "1990-е годы", true},
		{"ru", "XX век", true},
		{"ru", "1990", false},
		{"sv", "1900-talet", true},
		{"sv", "1 maj", true},
		{"sv", "1905-talet", false},
		{"de", "", false},
		{"de", "{year}", false},
		{"de", "12345", false},
	} {
		if got := languages()[c.lang].isDate(c.title); got != c.want {
			t.Errorf("%s %q: got %v, want %v", c.lang, c.title, got, c.want)
		}
	}
}

// TestALookAtTheFirstByteLosesNoDate: what a form matches begins with a byte of the set, and few other letters do.
func TestALookAtTheFirstByteLosesNoDate(t *testing.T) {
	for lang, l := range languages() {
		for _, month := range append([]string{"1", "9"}, l.Months...) {
			for _, form := range l.Dates {
				title := strings.NewReplacer("{month}", month, "{day}", "1", "{year}", "1990", "{decade}", "1990", "{century}", "19", "{roman}", "XX", `\.`, ".").Replace(form)
				if f := l.dates(); f.whole.MatchString(title) && !l.isDate(title) {
					t.Errorf("%s: %q is of a form, and its first byte is said to begin none", lang, title)
				}
			}
		}
	}
	for _, title := range []string{"List of 1999 films", "Victoria", "Éire 1990", "(1990)", "Étude 1"} {
		if languages()["en"].dates().begins[title[0]] {
			t.Errorf("%q: its first byte is said to begin a date", title)
		}
	}
}

func BenchmarkTitleFlags(b *testing.B) {
	s := NewSite(SiteInfo{Lang: "en"})
	list := []string{"List of 1999 films", "2004 Summer Olympics", "Victoria", "Apollo 11", "March 4", "1990s", "Paris", "U.S. Route 66", "Boeing 747", "Henry VIII"}
	for b.Loop() {
		for _, title := range list {
			s.TitleFlags(Title{Text: title})
		}
	}
}

func TestCapitalsKeepTheLengthOfMonths(t *testing.T) {
	for lang, l := range languages() {
		if len(l.Months) != 12 && len(l.Dates) > 0 && lang != "ltg" {
			t.Errorf("%s: got %d months in %q", lang, len(l.Months), l.Months)
		}
		for _, m := range l.Months {
			if len(capitalised(m)) != len(m) {
				t.Errorf("%q and %q differ in length", m, capitalised(m))
			}
		}
	}
}

// trailCases are patterns as wikis state them, with a text after a link and the trail in it.
var trailCases = []struct{ pattern, after, want string }{
	{"/^([a-z]+)(.*)$/sD", "abcDé", "abc"},
	{"/^([a-z]+)(.*)$/sD", "", ""},
	{"/^()(.*)$/sD", "abc", ""},
	{"/^([äöüßa-z]+)(.*)$/sDu", "größeÄ", "größe"},
	{"/^([a-zабвгдеёжзийклмнопрстуфхцчшщъыьэюя]+)(.*)$/sDu", "ами и", "ами"},
	{"/^([áðéíóúýþæöa-z-–]+)(.*)$/sDu", "-–a—", "-–a"},
	{"/^((?:[a-zàèéíòóúç·ïü]|'(?!'))+)(.*)$/sDu", "d'à''b", "d'à"},
	{"/^((?:[a-z]|'(?!'))+)(.*)$/sD", "s'", "s'"},
	{"/^([\\p{L}]+)(.*)$/sDu", "漢字é1", "漢字é"},
	{"/^(\\p{L}+)(.*)$/sDu", "наx2", "наx"},
	{"/^([\\x{0980}-\\x{09FF}]+)(.*)$/sDu", "কলa", "কল"},
	{"/^((?:[a-z]|ം|ഃ)+)(.*)$/sD", "aംഃb1", "aംഃb"},
	{"/^((?:[a-z]|ä|ä|a|[ß-ü])+)(.*)$/sDu", "aäßñ1", "aäßñ"},
	{"/^([a-z«»]+)(.*)$/sDu", "a»\xFF", "a»"},
}

func TestTrailsAreReadAsWikisStateThem(t *testing.T) {
	for _, c := range trailCases {
		trail, ok := parseTrail(c.pattern)
		if got := c.after[:trail.length(c.after)]; !ok || got != c.want {
			t.Errorf("%s on %q: got %q (understood: %t), want %q", c.pattern, c.after, got, ok, c.want)
		}
	}
}

func TestPatternsOfOtherFormsAreNotGuessedAt(t *testing.T) {
	for _, pattern := range []string{
		"", "/", "[a-z]+", "/^([a-z]+)(.*)$/", "/^([a-z]+)(.*)$/sDx", "/^([a-z]+)$/sD", "/^([a-z])(.*)$/sD", "/^([a-z]+[0-9])(.*)$/sD",
		"/^(ab|cd)(.*)$/sD", "/^((?:ab)+)(.*)$/sD", "/^([äö]+)(.*)$/sD", "/^([^ ]+)(.*)$/sD", "/^([a-z)(.*)$/sD", "/^((?<=a)b+)(.*)$/sD",
	} {
		if trail, ok := parseTrail(pattern); ok {
			t.Errorf("%q: got %v, want to be told that it is not understood", pattern, trail.beyond)
		}
	}
}

func TestTheTrailsOfLanguagesAreUnderstood(t *testing.T) {
	for lang, l := range languages() {
		pattern := l.trailPattern()
		if _, ok := parseTrail(pattern); !ok {
			t.Errorf("%s: %s is not understood", lang, pattern)
		}
	}
}
