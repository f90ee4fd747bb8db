package demo

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wikinav/wikinav/schemas/rng"
)

// tongue is the sound of a country: its words are strings of syllables, its places and families have endings.
type tongue struct{ onset, vowel, coda, place, given, family []string }

var tongues = []tongue{
	{
		onset:  strings.Fields("b br d dr f g gr h k l m n r s sk st t v"),
		vowel:  strings.Fields("a e i o u ø å"),
		coda:   strings.Fields("n r l s nd rk ld"),
		place:  strings.Fields("vik by stad dal holm havn sund"),
		given:  strings.Fields("Astrid Bjørn Eirik Freja Gunnar Håkon Ingrid Jens Karin Lars Maren Nils Ola Sigrid Tove Åse"),
		family: strings.Fields("sen sson dahl gaard"),
	},
	{
		onset:  strings.Fields("b c d f g l m n p r s t v qu"),
		vowel:  strings.Fields("a e i o u é à"),
		coda:   strings.Fields("n r l s m"),
		place:  strings.Fields("ville mont val ette rive court"),
		given:  strings.Fields("Aimé Béatrice Claude Denis Élise Fabien Gilles Hélène Irène Jules Lucie Marcel Noé Odile Pascal René"),
		family: strings.Fields("ard eau elle ier"),
	},
	{
		onset:  strings.Fields("b c č d h k l m n p r ř s š t v z ž"),
		vowel:  strings.Fields("a e i o u á í ě"),
		coda:   strings.Fields("n r l s k v"),
		place:  strings.Fields("ov ice ín nik grad ec"),
		given:  strings.Fields("Aleš Božena Čeněk Dana Eliška František Hana Ivo Jana Karel Libor Milena Olga Pavel Růžena Šárka"),
		family: strings.Fields("ek ský ova ák"),
	},
	{
		onset:  strings.Fields("b c d f g l m n p r s t v z"),
		vowel:  strings.Fields("a e i o ó ú"),
		coda:   strings.Fields("n r l s"),
		place:  strings.Fields("ona ero alba eda illo mar"),
		given:  strings.Fields("Alba Blas Carmen Diego Elena Félix Gael Inés Jorge Lola Mateo Nuria Óscar Pilar Ramón Tomás"),
		family: strings.Fields("ez ado ini oso"),
	},
	{
		onset:  strings.Fields("h k m n r s t w y sh ch"),
		vowel:  strings.Fields("a e i o u ō"),
		coda:   strings.Fields("n k"),
		place:  strings.Fields("yama kawa saki mura hara"),
		given:  strings.Fields("Akira Chiyo Emi Fumio Goro Haru Ichiro Jun Kenji Mariko Naoki Reiko Shōta Tōru Yumi Yōko"),
		family: strings.Fields("moto da shita no"),
	},
	{
		onset:  strings.Fields("b d f g h j k l m n r s t z kh"),
		vowel:  strings.Fields("a i u ā ī"),
		coda:   strings.Fields("r l n d m b"),
		place:  strings.Fields("abad pur kand shahr ar"),
		given:  strings.Fields("Amir Bahār Darius Esra Farīd Gul Hasan Īlya Jamīl Kamāl Leyla Mīnā Nadir Omid Rāna Zahra"),
		family: strings.Fields("i zadeh ani oğlu"),
	},
}

// latin names taxa; it has no diacritics and its endings belong to the rank.
var latin = tongue{
	onset: strings.Fields("b c d f g l m n p r s t v ph th cr pl"), vowel: strings.Fields("a e i o u"),
	coda: strings.Fields("n r l s x"),
}

func pick(r *rng.Stream, words []string) string { return words[r.Below(len(words))] }

// word is a lower-case word of so many syllables; each third syllable or so is closed.
func (t *tongue) word(r *rng.Stream, syllables int) string {
	var b strings.Builder
	for i := range syllables {
		b.WriteString(pick(r, t.onset))
		b.WriteString(pick(r, t.vowel))
		if r.Below(3) == 0 || i == syllables-1 {
			b.WriteString(pick(r, t.coda))
		}
	}
	return b.String()
}

func (t *tongue) proper(r *rng.Stream, syllables int) string { return capital(t.word(r, syllables)) }

func (t *tongue) placeName(r *rng.Stream) string {
	return t.proper(r, 1+r.Below(2)) + pick(r, t.place)
}

func (t *tongue) personName(r *rng.Stream) string {
	name := pick(r, t.given) + " "
	if r.Below(6) == 0 {
		name += string(rune('A'+r.Below(26))) + ". "
	}
	return name + t.proper(r, 1) + pick(r, t.family)
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
		return &latin
	}
	return &tongues[w.things[c].variety]
}
