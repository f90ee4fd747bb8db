package demo

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wikinav/wikinav/schemas/rng"
)

// tongue is the sound of a country: its words are strings of syllables, its places and families have endings.
type tongue struct{ Onset, Vowel, Coda, Place, Given, Family []string }

func pick[T any](r *rng.Stream, all []T) T { return all[r.Below(len(all))] }

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

// invent makes a name for a thing whose kind, variety, parent and year are settled.
func (w *world) invent(r *rng.Stream, t *thing) string {
	var name string
	if special := namers[t.kind]; special != nil {
		name = special(w, r, t)
	} else {
		name = w.tongueOf(t.parent).proper(r, 2+r.Below(2))
	}
	if forms := about[t.kind].Names; forms != nil {
		name = fmt.Sprintf(pick(r, forms), name)
	}
	return name
}

var namers = [kinds]func(*world, *rng.Stream, *thing) string{
	kindCountry:    nameCountry,
	kindSettlement: func(w *world, r *rng.Stream, t *thing) string { return w.tongueOf(t.parent).placeName(r) },
	kindBuilding:   nameBuilding,
	kindLandform:   nameLandform,
	kindPerson:     func(w *world, r *rng.Stream, t *thing) string { return w.tongueOf(t.parent).personName(r) },
	kindWork:       nameWork,
	kindEvent:      nameEvent,
	kindSpecies: func(w *world, r *rng.Stream, t *thing) string {
		return w.things[t.parent].name + " " + text.Latin.word(r, 2)
	},
}

// nameCountry also settles the country's tongue: it is its variety.
func nameCountry(_ *world, r *rng.Stream, t *thing) string {
	t.variety = r.Below(len(text.Tongues))
	return text.Tongues[t.variety].proper(r, 2)
}

func nameBuilding(w *world, r *rng.Stream, t *thing) string {
	town, noun := w.things[t.parent].name, noun(kindBuilding, t.variety)
	if noun == "church" || noun == "temple" {
		return fmt.Sprintf("%s of %s, %s", capital(noun), w.tongueOf(t.parent).proper(r, 2), town)
	}
	return fmt.Sprintf("%s %s %s", town, pick(r, []string{"City", "Old", "Royal", "Memorial", "People's"}), capital(noun))
}

func nameLandform(w *world, r *rng.Stream, t *thing) string {
	forms := [][]string{{"%s River", "River %s"}, {"Mount %s", "%s Peak"}, {"Lake %s"}}[t.variety]
	return fmt.Sprintf(pick(r, forms), w.tongueOf(t.parent).proper(r, 2))
}

func nameWork(w *world, r *rng.Stream, t *thing) string {
	adjective, noun, other := capital(pick(r, text.Works.Adjectives)), capital(pick(r, text.Works.Things)), capital(pick(r, text.Works.Things))
	switch r.Below(10) {
	case 0:
		return noun + "s"
	case 1:
		return fmt.Sprintf("The %s of %s", noun, w.tongueOf(t.parent).placeName(r))
	case 2:
		return fmt.Sprintf("%s & %s", noun, other)
	case 3:
		return fmt.Sprintf("The %s %s: A %s", adjective, noun, pick(r, []string{"History", "Confession", "Winter's Tale"}))
	case 4:
		return w.tongueOf(t.parent).proper(r, 2) + "'s " + noun
	case 5, 6:
		return fmt.Sprintf("%s %s of the %s", adjective, noun, other)
	}
	return fmt.Sprintf("The %s %s", adjective, noun)
}

func nameEvent(w *world, r *rng.Stream, t *thing) string {
	near := w.things[t.parent].name
	switch noun(kindEvent, t.variety) {
	case "election":
		return fmt.Sprintf("%d %s election", t.year, near)
	case "fire":
		return fmt.Sprintf("Great fire of %s", near)
	}
	name := w.tongueOf(t.parent).placeName(r)
	return capital(noun(kindEvent, t.variety)) + " of " + name
}
