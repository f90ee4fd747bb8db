package demo

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wikinav/wikinav/schemas/rng"
)

// tongue is the sound of a country: its words are strings of syllables, its places and families have endings.
type tongue struct{ Onset, Vowel, Coda, Place, Given, Family []string }

func pick(r *rng.Stream, words []string) string { return words[r.Below(len(words))] }

// word is a lower-case word of so many syllables; each third syllable or so is closed.
func (t *tongue) word(r *rng.Stream, syllables int) string {
	var b strings.Builder
	for i := range syllables {
		b.WriteString(pick(r, t.Onset))
		b.WriteString(pick(r, t.Vowel))
		if r.Below(3) == 0 || i == syllables-1 {
			b.WriteString(pick(r, t.Coda))
		}
	}
	return b.String()
}

func (t *tongue) proper(r *rng.Stream, syllables int) string { return capital(t.word(r, syllables)) }

func (t *tongue) placeName(r *rng.Stream) string {
	return t.proper(r, 1+r.Below(2)) + pick(r, t.Place)
}

func (t *tongue) personName(r *rng.Stream) string {
	name := pick(r, t.Given) + " "
	if r.Below(6) == 0 {
		name += string(rune('A'+r.Below(26))) + ". "
	}
	return name + t.proper(r, 1) + pick(r, t.Family)
}

func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// plain is s with the diacritics of our tongues taken off, as hurried writers link it.
var plain = strings.NewReplacer("ø", "o", "å", "a", "é", "e", "à", "a", "č", "c", "ř", "r", "š", "s", "ž", "z",
	"Å", "A", "É", "E", "Í", "I", "Ó", "O", "Ī", "I", "Č", "C", "Ř", "R", "Š", "S", "Ž", "Z", "á", "a", "í", "i", "ě", "e", "ý", "y", "ó", "o", "ú", "u", "ō", "o",
	"ā", "a", "ī", "i", "ğ", "g").Replace

// tongueOf is what is spoken where thing i lies.
func (w *world) tongueOf(i int) *tongue {
	c := w.above(i, kindCountry)
	if c < 0 {
		return &text.Latin
	}
	return &text.Tongues[w.things[c].variety]
}
